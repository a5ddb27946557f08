//! Measures pages and counts of one partner's health quotes in stores of several sizes, for `bench/pages`.
//!
//! `pages <folder> [size]…` fills a store of each size in the folder (default: 10000, 1000000 and 3000000), or uses
//! the store of an earlier run. In each store in turn, it reads the first, a middle and the last page, and the count
//! alone. It prints medians with their ratio to the smallest store and to the first page.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods, reason = "a benchmark")]

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use domain::date::{Timestamp, day_of};
use domain::event::{EventData, EventType};
use domain::health_quote::{
    Age, Ask, Attribution, Customer, HealthOffer, HealthQuote, HealthRequest, Member, PlanType, Relation,
    TenurePrice,
};
use domain::id::{EventId, PartnerId, QuoteId, Uuid, VariantId};
use domain::money::{Premium, Rupees};
use domain::period::{Period, PeriodLimits};
use domain::person::{Email, HomePincode, Mobile, PersonalLine, PlatformId};
use domain::quote::CatalogueHash;
use futures_util::StreamExt;
use futures_util::stream;
use ports::clock::{Clock, Random};
use ports::storage::HealthQuotes;
use ports::storage::jobs::{JobFamily, Jobs, Lease};
use ports::storage::lists::{Beyond, ListPosition, Selection};
use ports::storage::{Installation, NewEvent, StorageError};
use storage::{Sqlite, Store};

/// Number of variants in a quote: about as many as the sample catalogue sells of one kind.
const VARIANTS: u64 = 16;

/// Number of measured rounds. One unmeasured round comes before them.
const ROUNDS: usize = 9;

/// Kinds of reads.
const KINDS: [&str; 4] = ["first page", "page in the middle", "last page", "count alone"];

/// Number of reads of each kind in a round.
const READS: usize = 200;

/// Number of records on a page, as in the contract.
const PAGE: usize = 20;

/// Number of simultaneous writes while a store is filled.
const AT_ONCE: usize = 2000;

/// Midnight in Kolkata on 14 November 2026. The quotes of all stores are from the seven days after it.
const BEGIN: i64 = 1_794_594_600_000_000;

/// Seven days in microseconds.
const WEEK: i64 = 7 * 24 * 3600 * 1_000_000;

/// Random source whose bytes only differ each time, which is enough for a benchmark.
struct Counted(AtomicU64);

impl Random for Counted {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let next = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
            chunk.copy_from_slice(&next.to_le_bytes()[..chunk.len()]);
        }
    }
}

struct Standing;

impl Clock for Standing {
    fn now(&self) -> Timestamp {
        Timestamp::from_microsecond(BEGIN).unwrap()
    }
}

fn partner() -> PartnerId {
    PartnerId::from_uuid(Uuid::from_u128(7))
}

#[tokio::main]
async fn main() -> Result<(), StorageError> {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("usage: pages <folder> [size]…");
    let sizes: Vec<u64> = arguments.map(|size| size.parse().expect("a number of quotes")).collect();
    let sizes = if sizes.is_empty() { vec![10_000, 1_000_000, 3_000_000] } else { sizes };
    let mut stores = Vec::new();
    for size in sizes {
        let place = Path::new(&folder).join(size.to_string());
        std::fs::create_dir_all(&place).unwrap();
        let random = Arc::new(Counted(AtomicU64::new(size)));
        let store = Sqlite::open(&place, &place.join("keyring"), Arc::new(Standing), random).unwrap();
        fill(&store, size).await?;
        store.close().await?;
        let bytes = std::fs::metadata(place.join(storage::sqlite::FILE)).unwrap().len();
        println!("{size} quotes: {} bytes each", bytes / size);
        stores.push((size, store));
    }
    let mut times: Vec<[Vec<Duration>; KINDS.len()]> = stores.iter().map(|_| Default::default()).collect();
    for round in 0..=ROUNDS {
        for ((size, store), times) in stores.iter().zip(&mut times) {
            for (kind, times) in times.iter_mut().enumerate() {
                let took = read(store, *size, kind).await?;
                if round > 0 {
                    times.push(took);
                }
            }
        }
    }
    report(&stores, &mut times);
    Ok(())
}

/// Fills a store, unless it is already full.
async fn fill(store: &Store, size: u64) -> Result<(), StorageError> {
    let there = store.health_quotes(partner(), week(), None, 0).await?.count;
    if there == size {
        return Ok(());
    }
    assert_eq!(there, 0, "the folder has a store that was not filled completely: remove it");
    let step = WEEK / i64::try_from(size).unwrap();
    let keep = |number: u64| async move {
        let mut quote = quote(number, step);
        quote.request.lead = Some(PlatformId::kept(format!("lead-{number}")));
        quote.request.user = Some(PlatformId::kept(format!("user-{number}")));
        store.keep_health_quote(&quote, None).await
    };
    let mut kept = stream::iter(0..size).map(keep).buffered(AT_ONCE);
    let mut number = 0;
    while let Some(result) = kept.next().await {
        result?;
        number += 1;
        // Quotes are finished at once, so that there are few jobs.
        if number % AT_ONCE as u64 == 0 || number == size {
            finish(store, step).await?;
        }
    }
    Ok(())
}

/// Finishes every quote that has a job.
async fn finish(store: &Store, step: i64) -> Result<(), StorageError> {
    let owner = Uuid::from_u128(1);
    let now = Timestamp::from_microsecond(BEGIN + WEEK).unwrap();
    loop {
        let leases =
            store.claim_jobs(JobFamily::Recommendations, owner, now, Timestamp::MAX, AT_ONCE).await?;
        if leases.is_empty() {
            return Ok(());
        }
        let finish = |lease: Lease| async move {
            let number = u64::try_from(lease.job.subject.as_u128() & u128::from(u64::MAX >> 2)).unwrap();
            store.finish_health_quote(&lease, &finished(number, step), &event_of(&lease)).await
        };
        let mut finishing = stream::iter(leases).map(finish).buffer_unordered(AT_ONCE);
        while let Some(result) = finishing.next().await {
            assert!(result?, "the only holder");
        }
    }
}

fn quote(number: u64, step: i64) -> HealthQuote {
    let created = BEGIN + i64::try_from(number).unwrap() * step;
    let millis = u64::try_from(created / 1000).unwrap();
    let id = Uuid::from_u64_pair((millis << 16) | 0x7000, (0b10 << 62) | number);
    let line = |text: &str| Some(PersonalLine::kept(text.into()));
    let member = |relation, years: i64| Member { relation, age: Age::of(years.into()).unwrap() };
    let variant = |n: u64| VariantId::from_uuid(Uuid::from_u64_pair(0x0192_f3a1_b2c3_7000, (0b10 << 62) | n));
    HealthQuote {
        id: QuoteId::from_uuid(id),
        partner: partner(),
        created_at: Timestamp::from_microsecond(created).unwrap(),
        request: HealthRequest {
            lead: Some(PlatformId::kept(format!("lead-{number}"))),
            user: Some(PlatformId::kept(format!("user-{number}"))),
            session: None,
            customer: Customer {
                name: line("Asha Rao"),
                gender: line("Female"),
                phone: Some(Mobile::kept("9876543210".into())),
                pincode: HomePincode::kept("560038".into()),
                email: Some(Email::kept("asha.rao@example.com".into())),
            },
            members: vec![member(Relation::Own, 34), member(Relation::Spouse, 36), member(Relation::Son, 6)],
            has_ped: false,
            selected_peds: Vec::new(),
            plan: PlanType::Base,
            sum_insured: Rupees::whole(1_000_000),
            deductible: None,
            porting: None,
            attribution: Attribution::default(),
            covered_since: None,
        },
        catalogue: CatalogueHash([9; 32]),
        asks: vec![Ask { insurer: None, variants: (0..VARIANTS).map(variant).collect(), outcomes: None }],
        ranking: None,
    }
}

fn event_of(lease: &Lease) -> NewEvent {
    NewEvent {
        id: EventId::from_uuid(lease.job.subject),
        kind: EventType::RecommendationCompleted,
        at: Timestamp::UNIX_EPOCH,
        subject: lease.job.subject,
        data: EventData::default(),
        sale: None,
    }
}

fn finished(number: u64, step: i64) -> HealthQuote {
    let mut quote = quote(number, step);
    let tenure = |years: u8| TenurePrice {
        years,
        premium: Premium::of_parts(Rupees::whole(15_702 * i64::from(years)), Rupees::ZERO).unwrap(),
    };
    let offer =
        HealthOffer { deductible: Rupees::ZERO, copay_percent: 0, tenures: [1, 2, 3].map(tenure).into() };
    quote.asks[0].outcomes = Some(vec![Ok(offer); VARIANTS as usize]);
    quote.ranking = Some((0..VARIANTS as usize).collect());
    quote
}

fn week() -> Selection {
    let begin = Timestamp::from_microsecond(BEGIN).unwrap();
    Selection::Period(Period::from(day_of(begin), PeriodLimits::WEEK).unwrap())
}

/// Mean time of one read of a kind.
async fn read(store: &Store, size: u64, kind: usize) -> Result<Duration, StorageError> {
    let step = WEEK / i64::try_from(size).unwrap();
    let behind = |number: u64| {
        let quote = quote(number, step);
        Some(Beyond::After(ListPosition { created_at: quote.created_at, id: quote.id.uuid() }))
    };
    let (from, most) = match kind {
        0 => (None, PAGE),
        1 => (behind(size / 2), PAGE),
        2 => (behind(PAGE as u64), PAGE),
        _ => (None, 0),
    };
    let started = Instant::now();
    for _ in 0..READS {
        let page = store.health_quotes(partner(), week(), from, most).await?;
        assert_eq!((page.records.len(), page.count), (most, size));
    }
    Ok(started.elapsed() / u32::try_from(READS).unwrap())
}

fn report(stores: &[(u64, Store)], times: &mut [[Vec<Duration>; KINDS.len()]]) {
    let mut medians: Vec<[f64; KINDS.len()]> = Vec::new();
    for kinds in times {
        medians.push(std::array::from_fn(|kind| {
            kinds[kind].sort();
            kinds[kind][ROUNDS / 2].as_secs_f64() * 1e6
        }));
    }
    println!(
        "| quotes | {} | last, relative to first |\n|{}",
        KINDS.join(" | "),
        "---|".repeat(KINDS.len() + 2)
    );
    for ((size, _), median) in stores.iter().zip(&medians) {
        let cell = |kind: usize| format!("{:.1} µs ({:.2})", median[kind], median[kind] / medians[0][kind]);
        let cells: Vec<String> = (0..KINDS.len()).map(cell).collect();
        println!("| {size} | {} | {:.2} |", cells.join(" | "), median[2] / median[0]);
    }
}
