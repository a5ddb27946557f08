//! Health quotes: their outcomes as they come, and their lists.

use domain::date::Date;
use domain::health_quote::HealthQuote;
use domain::id::{PartnerId, SessionId, Uuid};
use domain::period::Period;
use futures_util::future::join_all;
use service::storage::health_quotes::{Tag, TagKind, Tags};
use service::storage::jobs::{JobKind, Lease};
use service::storage::lists::{From, Page, Place, Selection};
use service::storage::{Kept, Storage};

use crate::sample::{health_quote, id, later, now, once, outcomes};

/// The day of `now()` alone.
const TODAY: Selection =
    Selection::Period(Period { first: Date::constant(2026, 11, 20), last: Date::constant(2026, 11, 20) });

async fn keep(store: &dyn Storage, quote: &HealthQuote) {
    assert_eq!(store.keep_health_quote(quote, Tags::default(), None).await.unwrap(), Kept::New);
}

async fn claim(store: &dyn Storage, by: u128, after: i64) -> Lease {
    let until = later(after + 1_000_000);
    let leases = store.claim_jobs(Uuid::from_u128(by), later(after), until, 1).await.unwrap();
    *leases.first().expect("a job")
}

async fn read(store: &dyn Storage, quote: &HealthQuote) -> HealthQuote {
    store.health_quote(quote.partner, quote.id).await.unwrap().expect("kept")
}

pub async fn a_quote_reads_back_with_what_is_known_so_far(store: &dyn Storage) {
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

pub async fn a_finished_quote_reads_back_whole(store: &dyn Storage) {
    let mut quote = health_quote(id());
    keep(store, &quote).await;
    let lease = claim(store, 1, 0).await;
    assert!(store.keep_outcomes(&lease, 1, &outcomes()[1]).await.unwrap());
    for (ask, came) in quote.asks.iter_mut().zip(outcomes()) {
        ask.outcomes = Some(came);
    }
    quote.ranking = Some(vec![0]);
    assert!(store.finish_health_quote(&lease, &quote).await.unwrap());
    assert_eq!(read(store, &quote).await, quote);
    assert_eq!(store.job_for(JobKind::Recommendation, quote.id.uuid()).await.unwrap(), None);
    assert!(!store.finish_health_quote(&lease, &quote).await.unwrap(), "finished once");
}

pub async fn outcomes_under_a_lost_lease_are_not_kept(store: &dyn Storage) {
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
    assert!(!store.finish_health_quote(&lost, &quote).await.unwrap());
    assert_eq!(read(store, &quote).await.ranking, None);
    assert!(store.finish_health_quote(&held, &quote).await.unwrap());
}

pub async fn an_ask_is_answered_once(store: &dyn Storage) {
    let quote = health_quote(id());
    keep(store, &quote).await;
    let lease = claim(store, 1, 0).await;
    let first = outcomes()[0].clone();
    assert!(store.keep_outcomes(&lease, 0, &first).await.unwrap());
    let second = vec![first[1].clone(), first[1].clone()];
    assert!(store.keep_outcomes(&lease, 0, &second).await.unwrap());
    assert_eq!(read(store, &quote).await.asks[0].outcomes, Some(first));
}

pub async fn a_quote_of_another_partner_is_not_found_among_health_quotes(store: &dyn Storage) {
    // D3
    let quote = health_quote(id());
    keep(store, &quote).await;
    assert_eq!(store.health_quote(id(), quote.id).await.unwrap(), None);
    let page = store.health_quotes(id(), TODAY, From::Newest, 20).await.unwrap();
    assert_eq!((page.records.len(), page.count), (0, 0));
}

pub async fn of_twin_quotes_exactly_one_is_kept_with_its_job_and_count(store: &dyn Storage) {
    // D36
    let of = id();
    let quotes: Vec<_> = (0..8).map(|_| health_quote(of)).collect();
    let onces: Vec<_> = (0..8).map(|n| once(1, &[n])).collect();
    let keepings = quotes
        .iter()
        .zip(&onces)
        .map(|(quote, once)| store.keep_health_quote(quote, Tags::default(), Some(once)));
    let kept: Vec<Kept> = join_all(keepings).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(kept.iter().filter(|kept| **kept == Kept::New).count(), 1);
    assert_eq!(store.health_quotes(of, TODAY, From::Newest, 20).await.unwrap().count, 1);
    assert_eq!(store.count_jobs().await.unwrap()[JobKind::Recommendation as usize], 1);
}

pub async fn a_quote_is_found_by_its_tags(store: &dyn Storage) {
    // D16
    let quotes = [health_quote(id()), health_quote(id())];
    let tag = |number| Some(Tag([number; 16]));
    for (quote, lead) in quotes.iter().zip([1, 2]) {
        let tags = Tags { lead: tag(lead), user: tag(3) };
        store.keep_health_quote(quote, tags, None).await.unwrap();
    }
    let found = store.tagged_quotes(TagKind::Lead, Tag([1; 16]), 10).await.unwrap();
    assert_eq!(found.iter().map(|found| found.id).collect::<Vec<_>>(), [quotes[0].id]);
    assert_eq!(found[0].partner, quotes[0].partner);
    assert_eq!(store.tagged_quotes(TagKind::User, Tag([3; 16]), 10).await.unwrap().len(), 2);
    assert_eq!(store.tagged_quotes(TagKind::User, Tag([3; 16]), 1).await.unwrap()[0].id, quotes[1].id);
    assert!(store.tagged_quotes(TagKind::User, Tag([1; 16]), 10).await.unwrap().is_empty());
}

/// Keeps quotes so many microseconds from now; every third is of the session.
async fn has_quotes(
    store: &dyn Storage,
    of: PartnerId,
    session: SessionId,
    times: &[i64],
) -> Vec<HealthQuote> {
    let mut quotes = Vec::new();
    for (number, after) in times.iter().enumerate() {
        let mut quote = health_quote(of);
        quote.created_at = later(*after);
        quote.request.session = (number % 3 == 0).then_some(session);
        keep(store, &quote).await;
        quotes.push(quote);
    }
    quotes
}

fn place(quote: &HealthQuote) -> Place {
    Place { created_at: quote.created_at, id: quote.id.uuid() }
}

fn ids(page: &Page<HealthQuote>) -> Vec<Uuid> {
    page.records.iter().map(|quote| quote.id.uuid()).collect()
}

pub async fn every_quote_is_on_exactly_one_page_both_ways(store: &dyn Storage) {
    // D33
    let (of, session) = (id(), id());
    let times: Vec<i64> = (0..23).map(|n| n * 7).collect();
    let mut quotes = has_quotes(store, of, session, &times).await;
    quotes.reverse();
    for (which, all) in [
        (TODAY, quotes.clone()),
        (
            Selection::Session(session),
            quotes.iter().filter(|quote| quote.request.session.is_some()).cloned().collect::<Vec<_>>(),
        ),
    ] {
        let expected: Vec<Uuid> = all.iter().map(|quote| quote.id.uuid()).collect();
        for most in [1, 4, 23, 100] {
            let (mut seen, mut from) = (Vec::new(), From::Newest);
            let last = loop {
                let page = store.health_quotes(of, which, from, most).await.unwrap();
                assert_eq!(page.count, all.len() as u64);
                assert_eq!(page.has_newer, !seen.is_empty());
                seen.extend(ids(&page));
                assert_eq!(page.has_older, seen.len() < all.len());
                let last = place(page.records.last().expect("never an empty page"));
                if !page.has_older {
                    break last;
                }
                from = From::Behind(last);
            };
            assert_eq!(seen, expected, "forward, {most} at once");
            let (mut seen, mut from) = (vec![last.id], From::Before(last));
            while seen.len() < all.len() {
                let page = store.health_quotes(of, which, from, most).await.unwrap();
                assert!(page.has_older);
                seen.extend(ids(&page).into_iter().rev());
                assert_eq!(page.has_newer, seen.len() < all.len());
                from = From::Before(place(page.records.first().expect("never an empty page")));
            }
            seen.reverse();
            assert_eq!(seen, expected, "back, {most} at once");
        }
    }
}

pub async fn quotes_of_one_instant_are_told_apart_by_their_ids(store: &dyn Storage) {
    // D33
    let (of, session) = (id(), id());
    let mut quotes = has_quotes(store, of, session, &[5; 7]).await;
    quotes.sort_by_key(|quote| std::cmp::Reverse(quote.id));
    let first = store.health_quotes(of, TODAY, From::Newest, 3).await.unwrap();
    let second = store.health_quotes(of, TODAY, From::Behind(place(&first.records[2])), 10).await.unwrap();
    let seen: Vec<Uuid> = ids(&first).into_iter().chain(ids(&second)).collect();
    assert_eq!(seen, quotes.iter().map(|quote| quote.id.uuid()).collect::<Vec<_>>());
}

pub async fn a_page_and_its_count_are_of_one_partner_and_one_period(store: &dyn Storage) {
    // D32: days are whole days in Kolkata; `now()` is 10:00 there.
    const HOUR: i64 = 3_600_000_000;
    let (of, session) = (id(), id());
    let midnight = -10 * HOUR;
    let edges = [midnight - 1, midnight, midnight + 24 * HOUR - 1, midnight + 24 * HOUR];
    let quotes = has_quotes(store, of, session, &edges).await;
    has_quotes(store, id(), session, &edges).await;
    let page = store.health_quotes(of, TODAY, From::Newest, 20).await.unwrap();
    assert_eq!(ids(&page), [quotes[2].id.uuid(), quotes[1].id.uuid()]);
    assert_eq!((page.count, page.has_newer, page.has_older), (2, false, false));
    let wide = Period { first: Date::constant(2026, 11, 19), last: Date::constant(2026, 11, 21) };
    let page = store.health_quotes(of, Selection::Period(wide), From::Newest, 20).await.unwrap();
    assert_eq!((page.records.len(), page.count), (4, 4));
    assert_eq!(now().to_string(), "2026-11-20T04:30:00Z");
}
