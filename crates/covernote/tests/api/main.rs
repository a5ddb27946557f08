//! The contract, spoken over HTTP to the whole service. One file per endpoint; a test's name is a sentence of the
//! interface or of `docs/decisions.md`, whose rows are cited.

#[path = "../support/mod.rs"]
mod support;

mod access;
mod changed_columns;
mod date_edges;
mod deprecated_reads;
mod errors;
mod get_certificate;
mod get_embedded_policy;
mod get_embedded_proposal_status;
mod get_health_policies;
mod get_health_policy;
mod get_health_proposal;
mod get_health_proposals;
mod get_health_quote;
mod get_health_quotes;
mod get_health_recommendation;
mod get_policies;
mod get_policy;
mod get_proposal;
mod get_proposals;
mod idempotency;
mod journey_application;
mod journey_arrival;
mod journey_demo;
mod journey_details;
mod journey_plans;
mod journey_questions;
mod journey_status_page;
mod key_rotation;
mod list_cursors;
mod list_filters;
mod list_pages;
mod lists;
mod openapi;
mod operator_identity;
mod patch_embedded_proposal;
mod payments;
mod policy_histories;
mod post_auth_token;
mod post_business_session;
mod post_cancellation;
mod post_cancellation_quote;
mod post_embedded_proposal;
mod post_embedded_quote;
mod post_health_recommendation;
mod post_insurer_decision;
mod post_insurer_receipt;
mod post_premium_receipt;
mod premium_before_cover;
mod properties;
mod round_trips;
mod sale_rules;
