//! The storage contract: each rule is written once and tested on every engine.
#![allow(unreachable_pub, clippy::unwrap_used, reason = "a test binary")]

#[path = "contract/audit.rs"]
mod audit;
#[path = "contract/calendars.rs"]
mod calendars;
#[path = "contract/catalogues.rs"]
mod catalogues;
#[path = "contract/claims.rs"]
mod claims;
#[path = "contract/complaints.rs"]
mod complaints;
#[path = "contract/events.rs"]
mod events;
#[path = "contract/facts.rs"]
mod facts;
#[path = "contract/health_policies.rs"]
mod health_policies;
#[path = "contract/health_proposals.rs"]
mod health_proposals;
#[path = "contract/health_quotes.rs"]
mod health_quotes;
#[path = "contract/health_sample.rs"]
mod health_sample;
#[path = "contract/jobs.rs"]
mod jobs;
#[path = "contract/journeys.rs"]
mod journeys;
#[path = "contract/kept_responses.rs"]
mod kept_responses;
#[path = "contract/keys.rs"]
mod keys;
#[path = "contract/lists.rs"]
mod lists;
#[path = "contract/partners.rs"]
mod partners;
#[path = "contract/personal_data.rs"]
mod personal_data;
#[path = "contract/policies.rs"]
mod policies;
#[path = "contract/premiums.rs"]
mod premiums;
#[path = "contract/proposals.rs"]
mod proposals;
#[path = "contract/quotes.rs"]
mod quotes;
#[path = "contract/sample.rs"]
mod sample;
#[path = "contract/sessions.rs"]
mod sessions;
#[path = "contract/statements.rs"]
mod statements;
#[path = "contract/team.rs"]
mod team;
#[path = "contract/tokens.rs"]
mod tokens;

#[path = "contract/webhooks.rs"]
mod webhooks;

#[path = "support/cluster.rs"]
mod cluster;

/// New store on PostgreSQL in its own database, reached directly or through a pooler.
async fn postgres_store(pooler: bool) -> (tempfile::TempDir, storage::Store) {
    cluster::spread_by(sample::spread);
    let address = tokio::task::spawn_blocking(move || {
        let name = cluster::cluster().database();
        if pooler { cluster::cluster().pooled_address(&name) } else { cluster::cluster().address(&name) }
    });
    sample::postgres_at(address.await.unwrap(), pooler).await
}

/// Makes a test of each rule on each engine. A rule takes `&dyn Storage`.
macro_rules! on_every_engine {
    ($($noun:ident :: $rule:ident),* $(,)?) => {
        mod sqlite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $rule() {
                    let (_folder, store) = crate::sample::sqlite();
                    crate::$noun::$rule(&store).await;
                }
            )*
        }

        mod postgres {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $rule() {
                    let (_folder, store) = crate::postgres_store(false).await;
                    crate::$noun::$rule(&store).await;
                }
            )*
        }

        mod postgres_behind_pgbouncer {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $rule() {
                    let (_folder, store) = crate::postgres_store(true).await;
                    crate::$noun::$rule(&store).await;
                }
            )*
        }
    };
}

on_every_engine! {
    kept_responses::a_response_is_stored_together_with_its_record,
    kept_responses::a_kept_response_of_another_partner_is_not_found,
    kept_responses::an_expired_kept_response_is_not_found_and_its_key_can_be_used_again,
    kept_responses::old_kept_responses_are_removed_and_newer_ones_stay,
    catalogues::a_catalogue_version_is_stored_once_under_its_hash,
    facts::the_last_value_of_a_fact_is_remembered,
    health_policies::a_health_policy_is_found_by_its_id_proposal_numbers_and_check_code,
    health_policies::a_partner_cannot_have_two_health_policies_with_the_same_number,
    health_policies::an_import_of_policies_is_stored_completely_or_not_at_all,
    health_policies::a_policy_that_changed_after_it_was_read_is_not_renewed,
    health_policies::policies_due_for_renewal_are_listed_by_their_last_day,
    health_policies::the_newest_of_several_policies_with_one_insurer_number_is_found,
    health_proposals::a_health_proposal_is_stored_with_its_journey_and_read_unchanged,
    health_proposals::a_health_proposal_that_waits_for_its_insurer_has_a_job_until_it_is_decided,
    health_proposals::a_journey_that_changed_after_it_was_read_makes_no_proposal,
    health_proposals::a_lost_move_of_a_health_proposal_changes_nothing,
    health_proposals::an_immediately_accepted_health_proposal_is_stored_with_its_policy,
    health_proposals::a_quote_and_variant_can_have_only_one_active_health_proposal,
    health_proposals::an_import_of_proposals_is_stored_completely_or_not_at_all,
    health_proposals::all_moves_of_a_health_proposal_and_its_last_reason_are_stored,
    health_proposals::health_proposals_are_listed_newest_first_for_the_operator,
    health_proposals::imported_health_proposals_are_read_unchanged,
    health_proposals::a_quote_and_variant_can_have_only_one_active_imported_proposal,
    health_proposals::only_one_of_16_simultaneous_proposals_for_a_quote_and_variant_is_stored,
    health_proposals::only_one_of_sixteen_simultaneous_moves_of_a_health_proposal_wins,
    health_quotes::a_finished_health_quote_is_read_with_all_of_its_outcomes,
    health_quotes::a_health_quote_is_found_by_the_identifiers_of_its_platform,
    health_quotes::a_health_quote_of_another_partner_is_not_found,
    health_quotes::an_unfinished_health_quote_is_read_with_its_outcomes_so_far,
    health_quotes::only_the_first_outcomes_of_an_ask_are_stored,
    health_quotes::only_one_of_eight_health_quotes_with_one_idempotency_key_is_stored,
    health_quotes::outcomes_are_not_stored_under_a_lost_lease,
    jobs::only_one_worker_holds_a_job_until_its_lease_expires,
    jobs::a_postponed_job_is_not_due_before_its_new_time,
    jobs::a_lease_that_is_renewed_in_time_does_not_expire,
    jobs::a_process_that_stops_hands_back_only_its_own_jobs,
    jobs::a_process_that_is_alone_can_end_the_leases_of_all_processes,
    jobs::a_proposal_that_waits_for_its_insurer_has_a_job_until_it_is_decided,
    jobs::each_job_goes_to_only_one_of_many_workers_that_claim_simultaneously,
    jobs::the_job_that_is_due_longest_is_claimed_first,
    jobs::waiting_jobs_of_different_partners_are_claimed_in_turn,
    journeys::journeys_that_were_not_used_for_long_are_removed_oldest_first,
    journeys::an_opened_journey_and_a_changed_journey_are_read_unchanged,
    journeys::a_session_is_stored_only_if_its_journey_is_opened,
    journeys::a_token_opens_only_one_of_several_simultaneous_journeys,
    journeys::only_one_of_several_tabs_that_change_a_journey_simultaneously_succeeds,
    keys::keys_wrapped_by_the_newest_wrapping_key_are_not_rewrapped,
    keys::outcomes_of_an_unfinished_quote_are_resealed_with_the_new_key,
    keys::a_new_store_has_one_live_key_for_every_purpose,
    keys::an_added_key_is_stored_and_a_retired_key_can_still_be_read,
    lists::a_page_and_its_count_contain_only_records_of_its_partner_and_selection,
    lists::every_record_is_on_exactly_one_page_in_both_directions,
    lists::records_of_the_same_instant_are_ordered_by_their_ids,
    calendars::events_of_a_calendar_version_are_stored_only_once,
    calendars::issued_policies_are_found_by_their_last_day,
    calendars::the_removal_of_test_data_removes_only_records_of_its_partner,
    calendars::hurrying_the_jobs_of_a_partner_makes_them_due_now,
    partners::each_advance_of_a_test_partners_clock_adds_to_the_stored_clock,
    partners::a_changed_partner_is_read_with_its_changes,
    partners::two_partners_cannot_have_the_same_client_id,
    partners::an_added_partner_is_read_unchanged,
    partners::every_change_of_a_partner_raises_the_revision,
    partners::a_partner_cannot_have_more_live_secrets_than_allowed,
    webhooks::an_endpoint_is_added_changed_by_version_and_removed_with_its_deliveries,
    webhooks::a_partner_cannot_have_more_endpoints_than_allowed,
    webhooks::an_event_is_delivered_only_to_enabled_endpoints_that_want_its_type,
    webhooks::only_one_worker_holds_a_delivery_until_its_lease_expires,
    webhooks::an_endpoint_is_paused_after_two_failures_and_recovers_after_one_success,
    webhooks::recovery_repeats_missed_deliveries_but_not_delivered_ones,
    webhooks::held_deliveries_can_be_handed_back_freed_and_sent_again,
    events::an_act_stores_its_events_numbered_by_subject,
    events::an_act_that_is_lost_or_repeated_stores_no_event,
    events::sixteen_simultaneous_acts_number_the_events_of_a_subject_without_a_gap,
    events::events_are_read_in_pages_newest_first,
    events::old_events_are_removed_and_their_numbers_are_not_reused,
    claims::a_claim_is_stored_with_its_policy_and_read_unchanged,
    claims::only_one_of_sixteen_claims_on_one_version_of_a_policy_is_stored,
    claims::a_claim_with_a_used_idempotency_key_is_not_stored,
    claims::a_claim_changes_only_if_its_policy_still_has_the_version_that_was_read,
    claims::a_paper_is_visible_only_when_it_is_complete,
    claims::old_unfinished_papers_are_removed_and_recent_ones_stay,
    claims::the_papers_of_a_claim_share_one_size_limit,
    complaints::a_complaint_can_be_answered_only_once,
    personal_data::an_erasure_removes_the_metadata_of_a_session_but_not_the_session,
    personal_data::an_erasure_of_a_health_quote_also_removes_its_identifiers_and_count,
    personal_data::old_records_without_a_legal_hold_are_found_page_by_page,
    personal_data::open_sold_and_held_proposals_are_never_removed_as_old,
    personal_data::a_policy_is_removed_only_after_its_cover_and_its_legal_hold_ended,
    personal_data::a_record_can_have_only_one_legal_hold,
    personal_data::a_consent_can_be_withdrawn_only_once,
    personal_data::identifiers_of_persons_are_listed_by_the_period_of_their_records,
    team::only_the_first_of_two_changes_of_an_operator_is_stored,
    team::an_operator_secret_can_be_spent_only_once,
    team::a_rehearsed_operation_meets_its_guards_but_changes_nothing,
    team::only_the_first_of_two_decisions_on_an_approval_is_stored,
    team::only_the_first_of_two_changes_of_a_work_item_is_stored,
    team::expired_operator_secrets_are_removed,
    audit::an_act_gets_an_audit_entry_only_if_it_changed_something,
    audit::an_act_without_an_actor_is_audited_as_an_act_of_the_system,
    audit::simultaneous_acts_make_audit_chains_without_a_gap,
    audit::entries_of_operators_are_filtered_and_their_sights_of_personal_data_counted,
    audit::signed_audit_heads_prove_the_entries_before_them,
    statements::a_month_is_closed_only_once_together_with_all_of_its_statements,
    statements::a_test_partners_statement_is_stored_once_and_stays_when_the_month_closes,
    statements::a_statement_can_be_paid_only_once_and_is_posted_once,
    statements::only_the_later_of_two_runs_can_close_the_month,
    statements::policies_endorsed_in_a_period_are_listed_in_order_page_by_page,
    statements::policies_with_a_move_in_a_period_are_listed_in_order_page_by_page,
    statements::an_insurers_answer_is_stored_completely_or_not_at_all,
    policies::a_certificate_is_found_by_its_proposal_and_its_check_code,
    policies::a_policy_change_with_a_used_idempotency_key_changes_nothing,
    policies::a_policy_change_is_stored_with_its_moves_and_its_refund,
    policies::a_second_policy_with_the_same_number_is_refused,
    policies::only_one_of_four_simultaneous_sales_of_the_same_group_is_stored,
    policies::an_endorsed_policy_keeps_every_certificate,
    policies::only_one_of_sixteen_changes_of_one_policy_version_is_stored,
    policies::policies_are_listed_and_counted_by_their_state_on_a_day,
    policies::notices_that_reached_an_insurer_stay_recorded_even_after_a_lost_lease,
    premiums::a_receipt_creates_a_job_for_the_decision_that_waits_for_it,
    premiums::a_bank_reference_is_found_under_the_old_and_the_new_lookup_key,
    premiums::the_balance_of_a_deposit_never_becomes_negative,
    premiums::a_policy_is_stored_only_after_its_premium_was_received,
    premiums::only_one_of_many_simultaneous_equal_receipts_is_stored,
    premiums::receipts_of_one_payment_are_stored_together_or_not_at_all,
    premiums::the_premium_of_a_rejected_proposal_is_refunded_only_once,
    proposals::a_lost_move_of_a_proposal_changes_nothing,
    proposals::a_repeated_move_with_a_used_idempotency_key_is_a_twin_and_not_lost,
    proposals::a_stored_proposal_is_read_unchanged,
    proposals::each_move_of_a_proposal_is_stored_in_its_history,
    proposals::only_one_of_sixteen_simultaneous_moves_of_a_proposal_wins,
    proposals::proposals_are_listed_newest_first,
    quotes::an_embedded_quote_of_another_partner_is_not_found,
    quotes::a_stored_embedded_quote_is_read_unchanged,
    quotes::all_of_500_simultaneous_quotes_are_stored,
    quotes::only_one_of_sixteen_quotes_with_the_same_idempotency_key_is_stored,
    quotes::old_quotes_are_removed_and_newer_quotes_stay,
    quotes::a_refused_quote_does_not_prevent_the_storage_of_others_in_its_group,
    sessions::a_session_of_another_partner_is_not_found,
    sessions::a_stored_session_is_read_unchanged,
    sessions::only_one_of_eight_sessions_with_the_same_idempotency_key_is_stored,
    tokens::concurrent_token_requests_never_exceed_the_hourly_limit,
    tokens::the_hourly_token_limit_is_a_sliding_window_exact_to_the_microsecond,
    tokens::each_partner_has_its_own_token_limit,
}
