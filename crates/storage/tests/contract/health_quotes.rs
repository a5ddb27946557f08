//! Health quotes: their outcomes as they arrive, and the identifiers that find them.

use domain::date::Date;
use domain::health_quote::HealthQuote;
use domain::id::Uuid;
use domain::identifier::{Identifier, IdentifierKind};
use domain::period::Period;
use domain::person::PlatformId;
use futures_util::future::join_all;
use ports::storage::Identified;
use ports::storage::jobs::{JobFamily, JobKind, Lease};
use ports::storage::lists::Selection;
use ports::storage::{Kept, Storage};

use crate::sample::{finished_event, health_quote, id, later, outcomes, response};

/// The day of `now()`.
const TODAY: Selection =
    Selection::Period(Period { first: Date::constant(2026, 11, 20), last: Date::constant(2026, 11, 20) });

async fn keep(store: &dyn Storage, quote: &HealthQuote) {
    assert_eq!(store.keep_health_quote(quote, None).await.unwrap(), Kept::New);
}

async fn claim(store: &dyn Storage, by: u128, after: i64) -> Lease {
    let until = later(after + 1_000_000);
    let leases = store
        .claim_jobs(JobFamily::Recommendations, Uuid::from_u128(by), later(after), until, 1)
        .await
        .unwrap();
    *leases.first().expect("a job")
}

/// Quote with one answered ask.
pub async fn answered_in_part(store: &dyn Storage) -> HealthQuote {
    let mut quote = health_quote(id());
    keep(store, &quote).await;
    let lease = claim(store, 1, 0).await;
    assert!(store.keep_outcomes(&lease, 1, &outcomes()[1]).await.unwrap());
    quote.asks[1].outcomes = Some(outcomes()[1].clone());
    quote
}

pub async fn read(store: &dyn Storage, quote: &HealthQuote) -> HealthQuote {
    store.health_quote(quote.partner, quote.id).await.unwrap().expect("kept")
}

pub async fn an_unfinished_health_quote_is_read_with_its_outcomes_so_far(store: &dyn Storage) {
    let mut quote = health_quote(id());
    keep(store, &quote).await;
    assert_eq!(read(store, &quote).await, quote);
    let lease = claim(store, 1, 0).await;
    for ask in [2, 0] {
        let came = outcomes()[ask].clone();
        assert!(store.keep_outcomes(&lease, ask, &came).await.unwrap());
        quote.asks[ask].outcomes = Some(came);
        assert_eq!(read(store, &quote).await, quote);
    }
    assert_eq!((quote.completed_variants(), quote.total_variants()), (12, 13));
}

pub async fn a_finished_health_quote_is_read_with_all_of_its_outcomes(store: &dyn Storage) {
    let mut quote = health_quote(id());
    keep(store, &quote).await;
    let lease = claim(store, 1, 0).await;
    assert!(store.keep_outcomes(&lease, 1, &outcomes()[1]).await.unwrap());
    for (ask, came) in quote.asks.iter_mut().zip(outcomes()) {
        ask.outcomes = Some(came);
    }
    quote.ranking = Some(vec![0]);
    assert!(store.finish_health_quote(&lease, &quote, &finished_event(&quote)).await.unwrap());
    assert_eq!(read(store, &quote).await, quote);
    assert_eq!(store.job_for(JobKind::Recommendation, quote.id.uuid()).await.unwrap(), None);
    assert!(
        !store.finish_health_quote(&lease, &quote, &finished_event(&quote)).await.unwrap(),
        "finished once"
    );
}

pub async fn outcomes_are_not_stored_under_a_lost_lease(store: &dyn Storage) {
    let mut quote = health_quote(id());
    keep(store, &quote).await;
    let lost = claim(store, 1, 0).await;
    let held = claim(store, 2, 2_000_000).await;
    assert!(!store.keep_outcomes(&lost, 0, &outcomes()[0]).await.unwrap());
    assert_eq!(read(store, &quote).await.completed_variants(), 0);
    for (ask, came) in quote.asks.iter_mut().zip(outcomes()) {
        ask.outcomes = Some(came);
    }
    quote.ranking = Some(Vec::new());
    assert!(!store.finish_health_quote(&lost, &quote, &finished_event(&quote)).await.unwrap());
    assert_eq!(read(store, &quote).await.ranking, None);
    assert!(store.finish_health_quote(&held, &quote, &finished_event(&quote)).await.unwrap());
}

pub async fn only_the_first_outcomes_of_an_ask_are_stored(store: &dyn Storage) {
    let quote = health_quote(id());
    keep(store, &quote).await;
    let lease = claim(store, 1, 0).await;
    let first = outcomes()[0].clone();
    assert!(store.keep_outcomes(&lease, 0, &first).await.unwrap());
    let second = vec![first[1].clone(), first[1].clone()];
    assert!(store.keep_outcomes(&lease, 0, &second).await.unwrap());
    assert_eq!(read(store, &quote).await.asks[0].outcomes, Some(first));
}

pub async fn a_health_quote_of_another_partner_is_not_found(store: &dyn Storage) {
    // D3
    let quote = health_quote(id());
    keep(store, &quote).await;
    assert_eq!(store.health_quote(id(), quote.id).await.unwrap(), None);
    let page = store.health_quotes(id(), TODAY, None, 20).await.unwrap();
    assert_eq!((page.records.len(), page.count), (0, 0));
}

pub async fn only_one_of_eight_health_quotes_with_one_idempotency_key_is_stored(store: &dyn Storage) {
    // D36
    let of = id();
    let quotes: Vec<_> = (0..8).map(|_| health_quote(of)).collect();
    let responses: Vec<_> = (0..8).map(|n| response(1, &[n])).collect();
    let keepings =
        quotes.iter().zip(&responses).map(|(quote, response)| store.keep_health_quote(quote, Some(response)));
    let kept: Vec<Kept> = join_all(keepings).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(kept.iter().filter(|kept| **kept == Kept::New).count(), 1);
    assert_eq!(store.health_quotes(of, TODAY, None, 20).await.unwrap().count, 1);
    assert_eq!(store.count_jobs().await.unwrap(), [(JobKind::Recommendation, 1)]);
}

pub async fn a_health_quote_is_found_by_the_identifiers_of_its_platform(store: &dyn Storage) {
    // D16
    let named = |text: &str| Some(PlatformId::kept(text.to_owned()));
    let mut quotes = [health_quote(id()), health_quote(id())];
    for (quote, lead) in quotes.iter_mut().zip(["lead-1", "lead-2"]) {
        (quote.request.lead, quote.request.user) = (named(lead), named("user-3"));
        store.keep_health_quote(quote, None).await.unwrap();
    }
    let of = [quotes[0].partner, quotes[1].partner];
    let found = async |kind, text: &str, most| {
        let by = Identifier::of(kind, text);
        store.identified(&of, Identified::HealthQuote, &by, most).await.unwrap()
    };
    let record = |quote: &HealthQuote| (quote.partner, quote.id.uuid());
    assert_eq!(found(IdentifierKind::Lead, "lead-1", 10).await, [record(&quotes[0])]);
    assert_eq!(found(IdentifierKind::User, "user-3", 10).await.len(), 2);
    assert_eq!(found(IdentifierKind::User, "user-3", 1).await, [record(&quotes[1])]);
    assert!(found(IdentifierKind::User, "lead-1", 10).await.is_empty());
    let by = Identifier::of(IdentifierKind::Lead, "lead-1");
    assert!(store.identified(&[id()], Identified::HealthQuote, &by, 10).await.unwrap().is_empty());
}
