//! Cost of many policies: memory of exports and of a monthly statement, which is killed several times on its
//! way, and time of lists and searches. Each policy has 1 kB instead of its certificate, because only the
//! number counts here; docs/scaling.md has real sizes.
//!
//! Every run has a few thousand policies. `COVERNOTE_SIZES=long cargo test --release -p covernote --test
//! sizes -- --nocapture` has a million, and prints the ratios in docs/scaling.md. With
//! `COVERNOTE_TEST_ENGINE=postgres` it uses PostgreSQL. The module `node` tests the load of one PostgreSQL
//! node.
#![allow(clippy::print_stdout, reason = "the long form tells its figures")]

#[path = "../support/mod.rs"]
mod support;

mod node;

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use domain::credit_life::CreditLife;
use domain::date::Timestamp;
use domain::health_quote::HealthQuote;
use domain::id::{Id, Kind, Uuid};
use domain::identifier::{Identifier, IdentifierKind, Reference};
use domain::policy::{CheckCode, Policy, PolicyNumber};
use domain::proposal::{Move, Proposal};
use futures_util::future::join_all;
use service::policy::PolicySought;
use service::retention::{Pace, Retention};
use service::storage::{Issue, Kept, ProposalAct, Proposals, Proposed, Storage};

use crate::support::program::program;
use crate::support::{App, Setup, bodies};

/// Records that are written at once.
const TOGETHER: usize = 64;

/// The month in which the policies are issued, which has ended.
const MONTH: &str = "2026-10";

/// The command that creates the month's statements.
const MAKE: &[&str] = &["statement", "make", "--month", MONTH, "--without-licence"];

/// Most memory of a statement or an export, in bytes.
const MOST_MEMORY: u64 = 200_000_000;

fn is_long() -> bool {
    std::env::var("COVERNOTE_SIZES").is_ok_and(|how| how == "long")
}

/// Numbers of policies in the small and in the large store.
fn sizes() -> (u64, u64) {
    if is_long() { (10_000, 1_000_000) } else { (300, 3_000) }
}

/// An id created at an instant.
fn id_at<K: Kind>(at: Timestamp, nth: u64) -> Id<K> {
    let millis = u128::from(at.as_millisecond().unsigned_abs());
    Id::from_uuid(Uuid::from_u128(millis << 80 | 7 << 76 | 2 << 62 | u128::from(nth)))
}

/// The sale of which every policy is a copy.
struct Sale {
    proposal: Proposal<CreditLife>,
    moves: Vec<Move<<CreditLife as domain::line::Line>::Status>>,
    policy: Policy,
}

impl Sale {
    async fn of(app: &App) -> Sale {
        let id = app.has_proposal("COMPLETED").await;
        let (proposal, moves) = app.found_proposal(&id).await;
        let policy = app.service.proposals.policy_of(proposal.partner, proposal.id).await;
        Sale { proposal, moves, policy: policy.expect("read").expect("issued") }
    }

    /// Stores copy number `nth` of the sale, each with its own instant in the month.
    async fn keep(&self, store: &dyn Proposals<CreditLife>, nth: u64, of: u64) {
        let begins: Timestamp = "2026-10-01T00:00:00+05:30".parse().expect("an instant");
        let month = 31 * 24 * 60 * 60 * 1_000_000;
        let at = begins + Duration::from_micros(month / of * nth);
        let reference = Some(Reference::kept(&format!("LN-{nth}")));
        let (session, id) = (None, id_at(at, nth));
        let proposal = Proposal {
            id,
            session,
            created_at: at,
            changed_at: at,
            reference: reference.clone(),
            ..self.proposal.clone()
        };
        let policy = Policy {
            id: id_at(at, nth),
            session,
            proposal: Some(id),
            number: PolicyNumber::of("SIZE", 2026, id_at(at, nth)),
            reference,
            check: Some(CheckCode(u128::from(nth).to_be_bytes())),
            issued_at: at,
            changed_at: at,
            ..self.policy.clone()
        };
        let issue = Issue { policy, certificate: vec![b'x'; 1024], is_told: false, renewed: None };
        let act = ProposalAct { issue: Some(&issue), ..ProposalAct::of(&self.moves) };
        assert_eq!(store.keep_proposal(&proposal, act).await.expect("kept"), Proposed::New);
    }
}

/// An app with this many policies.
async fn with_policies(number: u64) -> App {
    let app = App::start().await;
    // Only policies, without their premiums, so the store would not pass verification.
    app.store.is_changed_by_the_test();
    let sale = Arc::new(Sale::of(&app).await);
    let store: Arc<dyn Storage> = app.opens_store().await;
    let next = Arc::new(AtomicU64::new(0));
    let writers = (0..TOGETHER).map(|_| {
        let (sale, store, next) = (sale.clone(), store.clone(), next.clone());
        tokio::spawn(async move {
            loop {
                let nth = next.fetch_add(1, Ordering::Relaxed);
                if nth >= number {
                    return;
                }
                sale.keep(store.as_ref(), nth, number).await;
            }
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.expect("it wrote");
    }
    app
}

/// Peak memory of a program in bytes, and whether it succeeded.
fn peak_of(mut command: Command) -> (u64, bool) {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::inherit()).spawn().expect("it starts");
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok());
        peak = peak.max(kilobytes.unwrap_or_default() * 1024);
        if let Some(ended) = child.try_wait().expect("a child") {
            return (peak, ended.success());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// A command on the store of an app.
fn command(app: &App, words: &[&str]) -> Command {
    let folder = app.folder.path();
    let mut command = program(folder);
    command.args(words).arg("--data").arg(folder);
    if let Some(database) = app.store.address() {
        command.env("COVERNOTE_DATABASE", database);
    }
    command
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exports_and_a_statement_of_many_policies_take_little_memory() {
    let (few, many) = sizes();
    let engine = std::env::var("COVERNOTE_TEST_ENGINE").unwrap_or_else(|_| "sqlite".to_owned());
    let (small, large) = (with_policies(few).await, with_policies(many).await);
    let ratios = compare(&small, &large, (few, many)).await;
    for (what, ratio) in ratios {
        println!("{engine}: {what}: {many} policies take {ratio:.2} of the time of {few}");
    }
    exports_take_little_memory(&engine, &large, many);
    // Wherever it is killed, it leaves nothing that the next run does not remove.
    for milliseconds in [1, 20, 60, 150, 400, 700] {
        let mut make = command(&large, MAKE);
        let mut child = make.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(milliseconds));
        child.kill().expect("killed, or ended before");
        child.wait().expect("it ended");
    }
    let began = Instant::now();
    let (peak, succeeded) = peak_of(command(&large, MAKE));
    assert!(succeeded, "it was made");
    println!(
        "{engine}: a statement of {many} policies: {} MB at most, {:?}",
        peak / 1_000_000,
        began.elapsed()
    );
    assert!(peak < MOST_MEMORY, "{peak} bytes");
    let made = large.makes_statements(MONTH).await;
    assert!(!made.is_new, "the program closed it");
    let parts_of = |bytes: u64| bytes.div_ceil(service::storage::CHUNK as u64);
    let files = made.statements.iter().flat_map(|statement| &statement.files);
    let parts: u64 = files.map(|file| parts_of(file.bytes)).sum();
    assert_eq!(
        large.rows_of("statement_parts").unsigned_abs(),
        parts,
        "no part is left behind, and none is missing"
    );
    let rows: Vec<u64> = made.statements.iter().map(|statement| statement.rows).collect();
    assert_eq!(
        rows.iter().filter(|rows| **rows == many).count(),
        2,
        "a bordereau and a commission statement: {rows:?}"
    );
}

/// Number of measured requests.
const ASKS: usize = 6;

/// Exports of everything need little memory, because they are written while they are read.
fn exports_take_little_memory(engine: &str, app: &App, many: u64) {
    for noun in ["policy", "proposal"] {
        let (out, began) = (format!("{noun}.csv"), Instant::now());
        let (peak, succeeded) = peak_of(command(app, &[noun, "export", "--out", &out]));
        assert!(succeeded, "{noun}");
        println!("{engine}: {noun} export of {many}: {} MB at most, {:?}", peak / 1_000_000, began.elapsed());
        assert!(peak < MOST_MEMORY, "{noun}: {peak} bytes");
        let file = BufReader::new(File::open(app.folder.path().join(out)).expect("written"));
        let lines = file.lines().count() as u64;
        assert_eq!(lines, 1 + 1 + many, "the names of columns, the sale that is copied, and its copies");
    }
}

/// Durations of lists and searches with many policies, relative to few policies: medians of one interleaved
/// run.
async fn compare(small: &App, large: &App, (few, many): (u64, u64)) -> Vec<(&'static str, f64)> {
    let rounds = if is_long() { 400 } else { 5 };
    let mut times: [[Vec<Duration>; 2]; ASKS] = Default::default();
    for round in 0..rounds {
        for (which, app, number) in [(0, small, few), (1, large, many)] {
            let nth = number * (round + 1) / (rounds + 2);
            let day = 1 + 30 * (round + 1) / (rounds + 2);
            let list = format!("issued_from=2026-10-{day:02}&issued_to=2026-10-31&limit=50");
            let reference = format!("reference=LN-{nth}");
            let asks: [&dyn Fn() -> Ask; ASKS] = [
                &|| Ask::Get(format!("/v1/policies?{list}"), 50.min(number)),
                &|| Ask::Get(format!("/v1/policies?{reference}"), 1),
                &|| Ask::Get(format!("/v1/proposals?{}", list.replace("issued", "created")), 50.min(number)),
                &|| Ask::Get(format!("/v1/proposals?{reference}"), 1),
                &|| {
                    Ask::Find(
                        PolicySought::Known(Identifier::of(IdentifierKind::Reference, &format!("LN-{nth}"))),
                        1,
                    )
                },
                &|| Ask::Find(PolicySought::Number("SIZE-2026".into()), 0),
            ];
            for (what, ask) in asks.iter().enumerate() {
                let ask = ask();
                let began = Instant::now();
                ask.answered(app).await;
                times[what][which].push(began.elapsed());
            }
        }
    }
    let median = |times: &mut Vec<Duration>| {
        times.sort();
        times[times.len() / 2].as_secs_f64()
    };
    let names = [
        "a page of policies",
        "policies by reference",
        "a page of proposals",
        "proposals by reference",
        "a find by reference",
        "a find of nothing by number",
    ];
    let ratio = |[mut few, mut many]: [Vec<Duration>; 2]| median(&mut many) / median(&mut few);
    names.into_iter().zip(times.map(ratio)).collect()
}

enum Ask {
    /// A list, with the number of records on its page.
    Get(String, u64),
    /// A search, with its number of policies.
    Find(PolicySought, usize),
}

impl Ask {
    async fn answered(&self, app: &App) {
        match self {
            Ask::Get(path, wanted) => {
                let answer = app.get(path).await;
                assert_eq!(answer.status, 200, "{}", answer.text);
                let found = ["policies", "proposals"]
                    .iter()
                    .find_map(|list| answer.json()[*list].as_array().map(Vec::len))
                    .unwrap_or(0) as u64;
                assert_eq!(found, *wanted, "{path}: {}", answer.text);
            }
            Ask::Find(by, wanted) => {
                let found = app.service.policies.find_by(None, by, 10).await.expect("read");
                assert_eq!(found.len(), *wanted, "{by:?}");
            }
        }
    }
}

/// Prints the time to verify a long audit trail.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_entry_of_a_long_audit_trail_is_verified() {
    // D119
    let app = App::start().await;
    let (store, (_, many)) = (app.opens_store().await, sizes());
    let before = store.verify_audit(&[]).await.expect("read").entries;
    for _ in 0..many / TOGETHER as u64 {
        join_all((0..TOGETHER).map(|_| store.note("policy.reveal", "pol_01m7vkfva0e009r9xc3q7k024s")))
            .await
            .into_iter()
            .for_each(|noted| noted.expect("written"));
    }
    let heads = store.audit_heads().await.expect("read");
    let began = Instant::now();
    let verified = store.verify_audit(&heads).await.expect("read");
    println!("{} entries of the audit trail: {:.1} s", verified.entries, began.elapsed().as_secs_f64());
    assert_eq!(verified.faults, [""; 0]);
    assert_eq!(verified.entries, before + many / TOGETHER as u64 * TOGETHER as u64);
    assert_eq!(verified.unproven, 0);
}

/// Duration of storing a quote, the 99th of 100, one after another.
async fn slowest_of_hundred(
    store: &dyn Storage,
    quote: &HealthQuote,
    numbers: std::ops::Range<u64>,
) -> Duration {
    let mut took = Vec::new();
    for nth in numbers {
        let new = HealthQuote { id: id_at(quote.created_at, nth), ..quote.clone() };
        let began = Instant::now();
        store.keep_health_quote(&new, None).await.expect("kept");
        took.push(began.elapsed());
        tokio::time::sleep(Duration::from_micros(500)).await;
    }
    took.sort_unstable();
    took[took.len() * 99 / 100]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn old_quotes_are_removed_while_new_quotes_are_stored() {
    // D122
    let retention = Retention { health_quotes: Some(Duration::from_hours(24 * 30)), ..Retention::default() };
    let app = Setup { retention, workers: 0, ..Setup::default() }.start().await;
    let id = app.has_health_quote(bodies::recommendation()).await.parse().expect("an id");
    let of = app.partner().id;
    let quote = app.storage.health_quote(of, id).await.expect("read").expect("there");
    let (few, many) = sizes();
    let old: Timestamp = "2026-01-10T10:00:00+05:30".parse().expect("an instant");
    for first in (0..many).step_by(TOGETHER) {
        let kept = (first..first + TOGETHER as u64).map(|nth| {
            let quote = HealthQuote { id: id_at(old, nth), created_at: old, ..quote.clone() };
            let store = app.storage.clone();
            async move { store.keep_health_quote(&quote, None).await }
        });
        join_all(kept).await.into_iter().for_each(|kept| assert_eq!(kept.expect("kept"), Kept::New));
    }
    let store = app.storage.as_ref();
    store.settle_removals().await.expect("the log is short again");
    let before = slowest_of_hundred(store, &quote, 0..few).await;
    let service = app.service.clone();
    let began = Instant::now();
    let removing = tokio::spawn(async move { service.retention.remove_old(Pace::Background).await });
    let beside = slowest_of_hundred(store, &quote, few..2 * few).await;
    let is_beside = !removing.is_finished();
    removing.abort();
    let gone =
        many.next_multiple_of(TOGETHER as u64) + 1 + 2 * few - app.rows_of("health_quotes").unsigned_abs();
    let began_now = Instant::now();
    let report = app.service.retention.remove_old(Pace::Now).await.expect("removed");
    let took = began_now.elapsed();
    let after = slowest_of_hundred(store, &quote, 2 * few..3 * few).await;
    let removed: u64 = gone + report.removed.iter().map(|(_, number)| number).sum::<u64>();
    println!(
        "{gone} old quotes: removed in the background within {:.0} s, {} more at once within {:.0} s. The 99th of 100 new quotes takes {before:?} before, {beside:?} beside \
         (all of them: {is_beside}), {after:?} after: {:.2} times",
        began_now.duration_since(began).as_secs_f64(),
        removed - gone,
        took.as_secs_f64(),
        beside.as_secs_f64() / before.max(after).as_secs_f64()
    );
    assert_eq!(removed, many.next_multiple_of(TOGETHER as u64));
    assert_eq!(app.rows_of("health_quotes"), i64::try_from(1 + 3 * few).expect("in range"));
}
