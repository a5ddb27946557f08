//! The operators' API: one operator's action for each command that works on a store.
//!
//! An action (act) is a type that implements [`Act`]. Its fields are the flags of its command, the fields of
//! its HTTP request, and its schema in the OpenAPI document. It declares which roles may use it. It answers
//! with JSON for the API, and with lines for a terminal. `router` serves all actions: on the socket of the
//! running process, or inside a command if no server runs.

mod about;
mod act;
mod acts;
mod address;
mod answer;
mod approval;
mod arguments;
mod audit;
mod breach;
mod cancellation;
mod catalogue;
mod claim;
mod complaint;
mod console;
mod decide;
mod deposit;
mod document;
mod endorsement;
mod export;
mod facts;
mod finding;
mod hold;
mod idempotency;
mod import;
mod interrupted;
mod key;
mod moves;
mod partner;
mod passkey;
mod person;
mod person_export;
mod policy;
mod premium;
mod price_steps;
mod progress;
mod proposal;
mod proposal_health;
mod provider;
mod quote;
mod quote_health;
mod record;
mod refund;
mod renewal;
mod retention;
mod server;
mod statement;
mod store;
mod team;
mod today;
mod trail;
mod webhook;

pub use act::{
    Act, Asking, Carrier, Examine, Extent, JudgeCatalogue, Method, Needs, Role, Verbs, Verify, request,
    small_request,
};
pub use axum::Router;
pub use axum::http::{HeaderValue, Request};

pub use answer::{Answer, Terminal, table};
pub use approval::ApprovalVerb;
pub use arguments::read_or_say;
pub use audit::AuditVerb;
pub use breach::BreachVerb;
pub use catalogue::PublishCatalogue;
pub use claim::ClaimVerb;
pub use complaint::ComplaintVerb;
pub use console::console;
pub use deposit::DepositVerb;
pub use document::document;
pub use finding::Finding;
pub use hold::HoldVerb;
pub use import::{ImportVerb, import_text};
pub use interrupted::end_interrupted;
pub use key::KeysVerb;
pub use partner::PartnerVerb;
pub use person::PersonVerb;
pub use policy::PolicyVerb;
pub use premium::PremiumVerb;
pub use price_steps::{steps_in_prose, steps_to_json};
pub use proposal::ProposalVerb;
pub use provider::ProviderSettings;
pub use quote::{QuoteVerb, outcome_to_json};
pub use refund::RefundVerb;
pub use retention::RetentionVerb;
pub use server::{Caller, SERVER, STORE, Serving, router, serve_connection};
pub use statement::StatementVerb;
pub use store::{ExamineStore, VerifyStore, fault_in_words};
pub use team::TeamVerb;
pub use today::ListWaiting;
pub use trail::{ActLine, Trail, head_line, is_id};
pub use webhook::WebhookVerb;
