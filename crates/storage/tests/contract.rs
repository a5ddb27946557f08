//! The storage contract: each rule once, run on every engine there is.
#![allow(missing_docs, unreachable_pub, clippy::unwrap_used, reason = "a test binary")]

#[path = "contract/answers.rs"]
mod answers;
#[path = "contract/catalogues.rs"]
mod catalogues;
#[path = "contract/facts.rs"]
mod facts;
#[path = "contract/keys.rs"]
mod keys;
#[path = "contract/partners.rs"]
mod partners;
#[path = "contract/policies.rs"]
mod policies;
#[path = "contract/proposals.rs"]
mod proposals;
#[path = "contract/quotes.rs"]
mod quotes;
#[path = "contract/sample.rs"]
mod sample;
#[path = "contract/tokens.rs"]
mod tokens;

/// Makes a test of each rule on each engine. A rule takes `&dyn Storage`; an engine makes one.
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
    };
}

on_every_engine! {
    answers::an_answer_is_kept_with_the_work_it_answers,
    answers::an_answer_of_another_partner_is_not_found,
    answers::an_answer_whose_day_is_over_is_not_found_and_makes_room,
    answers::old_answers_are_dropped_and_young_ones_stay,
    catalogues::a_catalogue_version_is_kept_once_and_for_ever,
    facts::the_last_value_of_a_fact_is_remembered,
    keys::a_new_store_has_a_live_key_of_every_purpose,
    keys::an_added_key_is_read_back_and_a_retired_one_stays_known,
    partners::a_changed_partner_reads_back_changed,
    partners::a_client_id_is_given_once,
    partners::a_partner_reads_back_as_it_was_added,
    partners::every_change_raises_the_revision,
    partners::no_more_secrets_are_live_than_allowed,
    policies::a_certificate_is_found_by_its_proposal_and_its_check_code,
    policies::a_policy_number_is_given_once,
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
    quotes::one_refused_quote_does_not_sink_its_neighbours,
    tokens::concurrent_tokens_never_exceed_the_allowance,
    tokens::the_hour_slides_by_the_microsecond,
    tokens::partners_have_their_own_allowance,
}
