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
    kept_responses::a_response_is_kept_with_the_record_it_answers,
    kept_responses::a_response_of_another_partner_is_not_found,
    kept_responses::a_response_whose_day_is_over_is_not_found_and_makes_room,
    kept_responses::old_responses_are_dropped_and_young_ones_stay,
    catalogues::a_catalogue_version_is_kept_once_and_for_ever,
    facts::the_last_value_of_a_fact_is_remembered,
    health_policies::a_health_policy_is_found_by_each_of_its_names,
    health_policies::a_health_policys_number_is_given_once_to_a_partner,
    health_policies::an_import_of_policies_is_kept_whole_or_not_at_all,
    health_policies::a_policy_that_was_changed_meanwhile_is_not_renewed,
    health_policies::policies_that_are_due_come_by_their_last_day,
    health_policies::of_policies_under_one_insurers_number_the_newest_is_found,
    health_proposals::a_health_proposal_reads_back_as_it_was_kept_with_its_journey,
    health_proposals::a_health_proposal_that_waits_for_its_insurer_has_a_job_until_it_is_decided,
    health_proposals::a_journey_changed_meanwhile_makes_no_proposal,
    health_proposals::a_lost_move_of_a_health_proposal_leaves_nothing_behind,
    health_proposals::a_proposal_accepted_at_once_has_its_policy_in_the_same_moment,
    health_proposals::a_quote_and_variant_have_one_active_proposal,
    health_proposals::an_import_of_proposals_is_kept_whole_or_not_at_all,
    health_proposals::each_move_of_a_health_proposal_is_kept_and_the_last_reason_stays_with_it,
    health_proposals::health_proposals_are_listed_newest_first_for_the_operator,
    health_proposals::imported_proposals_read_back_as_they_were_brought_along,
    health_proposals::of_a_quote_and_a_variant_only_one_imported_proposal_is_active,
    health_proposals::of_sixteen_proposals_at_once_for_one_quote_and_variant_exactly_one_is_kept,
    health_proposals::of_sixteen_racing_moves_of_a_health_proposal_exactly_one_wins,
    health_quotes::a_finished_quote_reads_back_whole,
    health_quotes::a_quote_is_found_by_what_its_platform_calls_it,
    health_quotes::a_quote_of_another_partner_is_not_found_among_health_quotes,
    health_quotes::a_quote_reads_back_with_what_is_known_so_far,
    health_quotes::an_ask_is_answered_once,
    health_quotes::of_twin_quotes_exactly_one_is_kept_with_its_job_and_count,
    health_quotes::outcomes_under_a_lost_lease_are_not_kept,
    jobs::a_job_is_held_by_one_until_its_lease_lapses,
    jobs::a_job_put_off_is_not_due_before_its_time,
    jobs::a_lease_renewed_in_time_does_not_lapse,
    jobs::a_process_that_leaves_hands_back_what_it_holds,
    jobs::a_process_that_is_alone_frees_every_lease,
    jobs::a_proposal_that_waits_for_its_insurer_has_a_job_until_it_is_decided,
    jobs::of_many_claims_at_once_each_job_goes_to_one,
    jobs::the_longest_due_is_claimed_first,
    jobs::partners_take_turns,
    journeys::a_journey_is_dropped_once_its_customer_was_not_seen_for_long,
    journeys::a_journey_reads_back_as_it_was_opened_and_as_it_was_changed,
    journeys::a_session_begins_with_its_journey_or_not_at_all,
    journeys::a_token_opens_one_journey_whoever_is_first,
    journeys::of_two_tabs_that_change_a_journey_at_once_one_is_told_so,
    keys::keys_that_the_newest_wrapping_key_wraps_are_left_as_they_are,
    keys::outcomes_of_a_quote_that_is_not_finished_are_sealed_anew,
    keys::a_new_store_has_a_live_key_of_every_purpose,
    keys::an_added_key_is_read_back_and_a_retired_one_stays_known,
    lists::a_page_and_its_count_are_of_one_partner_and_one_selection,
    lists::every_record_is_on_exactly_one_page_both_ways,
    lists::records_of_one_instant_are_told_apart_by_their_ids,
    calendars::a_calendar_is_told_once_in_each_version,
    calendars::issued_policies_are_found_by_their_last_day,
    calendars::the_records_of_a_partner_are_removed_and_no_others,
    calendars::jobs_of_a_partner_are_hurried,
    partners::a_test_partners_clock_goes_on_from_where_it_stands_in_the_store,
    partners::a_changed_partner_reads_back_changed,
    partners::a_client_id_is_given_once,
    partners::a_partner_reads_back_as_it_was_added,
    partners::every_change_raises_the_revision,
    partners::no_more_secrets_are_live_than_allowed,
    webhooks::an_endpoint_is_kept_changed_in_its_version_and_removed_with_its_deliveries,
    webhooks::a_partner_has_no_more_endpoints_than_it_may,
    webhooks::an_event_is_delivered_to_those_who_ask_for_its_type_while_they_are_enabled,
    webhooks::a_delivery_is_held_by_one_until_its_time_is_over,
    webhooks::an_endpoint_rests_after_some_failures_and_is_well_again_after_one_success,
    webhooks::what_was_missed_is_recovered_and_what_was_taken_is_not,
    webhooks::what_is_held_is_handed_back_and_freed_and_sent_again_when_asked,
    events::an_act_keeps_its_events_and_counts_them_by_subject,
    events::an_act_that_is_not_done_keeps_no_event,
    events::sixteen_acts_on_one_subject_at_once_leave_no_gap,
    events::events_are_read_in_pages_newest_first,
    events::old_events_are_forgotten_and_their_numbers_are_not_given_again,
    claims::a_claim_is_kept_with_its_policy_and_read_back,
    claims::of_sixteen_claims_on_one_version_of_a_policy_one_is_kept,
    claims::a_claim_whose_key_was_used_is_not_kept,
    claims::a_claim_is_changed_only_in_the_version_of_its_policy,
    claims::a_paper_is_whole_or_not_there,
    claims::what_broke_off_long_ago_is_removed,
    claims::the_papers_of_a_claim_share_its_room,
    complaints::a_complaint_is_answered_once,
    personal_data::the_metadata_of_a_session_is_erased_and_the_session_stays,
    personal_data::an_erased_quote_is_gone_with_its_tags_and_its_count_and_is_erased_once,
    personal_data::old_records_without_a_hold_are_found_page_by_page,
    personal_data::an_open_proposal_and_a_sold_one_are_never_old,
    personal_data::a_policy_is_old_once_everything_about_it_ended,
    personal_data::a_record_has_one_hold,
    personal_data::a_consent_is_withdrawn_once,
    personal_data::persons_are_found_in_the_period_of_their_records,
    team::of_two_changes_of_an_operator_one_wins,
    team::a_secret_is_spent_once,
    team::of_two_decisions_on_an_approval_one_wins,
    team::secrets_that_expired_are_removed,
    audit::an_act_has_an_entry_and_one_that_does_nothing_has_none,
    audit::what_nobody_asked_for_is_the_programs_own,
    audit::acts_at_once_make_chains_without_a_gap,
    audit::heads_prove_the_entries_before_them,
    statements::a_month_is_closed_once_with_all_of_its_statements,
    statements::a_test_partners_statement_is_kept_once_and_no_month_takes_it_away,
    statements::a_statement_is_paid_once_with_its_postings,
    statements::of_two_runs_the_later_one_closes_the_month,
    statements::endorsed_policies_are_found_in_their_order_and_a_page_after_another,
    statements::moved_policies_are_found_in_their_order_and_a_page_after_another,
    statements::an_answer_is_kept_whole_or_not_at_all,
    policies::a_certificate_is_found_by_its_proposal_and_its_check_code,
    policies::a_change_whose_key_was_used_changes_nothing,
    policies::a_policy_is_changed_with_its_moves_and_its_refund,
    policies::a_policy_number_is_given_once,
    policies::of_simultaneous_sales_of_a_group_one_is_stored,
    policies::an_endorsed_policy_keeps_every_certificate,
    policies::of_sixteen_changes_of_one_version_one_is_kept,
    policies::policies_in_a_state_are_listed_and_counted_for_themselves,
    policies::what_an_insurer_was_told_stays_told_whoever_holds_the_job,
    premiums::a_decision_that_waits_gets_a_job_with_its_receipt,
    premiums::a_bank_reference_is_found_under_the_key_before_and_under_the_next,
    premiums::a_deposit_never_falls_below_nought,
    premiums::a_policy_is_kept_only_once_its_premium_was_received,
    premiums::of_racing_receipts_exactly_one_is_kept,
    premiums::receipts_of_one_payment_are_kept_together_or_not_at_all,
    premiums::what_ended_is_owed_back_once,
    proposals::a_lost_move_leaves_nothing_behind,
    proposals::a_move_with_a_used_key_is_a_twin_even_where_it_would_be_lost,
    proposals::a_proposal_reads_back_as_it_was_kept,
    proposals::each_move_is_kept_in_the_history,
    proposals::of_sixteen_racing_moves_exactly_one_wins,
    proposals::proposals_are_listed_newest_first,
    quotes::a_quote_of_another_partner_is_not_found,
    quotes::a_quote_reads_back_as_it_was_kept,
    quotes::many_quotes_at_once_are_all_kept,
    quotes::of_twins_with_one_key_exactly_one_is_kept,
    quotes::old_quotes_are_forgotten_and_newer_ones_stay,
    quotes::one_refused_quote_does_not_sink_its_neighbours,
    sessions::a_session_is_its_partners_alone,
    sessions::a_session_reads_back_as_it_was_kept,
    sessions::of_twin_sessions_exactly_one_is_kept,
    tokens::concurrent_tokens_never_exceed_the_allowance,
    tokens::the_hour_slides_by_the_microsecond,
    tokens::partners_have_their_own_allowance,
}
