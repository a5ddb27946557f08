//! Measures how many proposals are completed per second, each with its policy, its draw on a deposit and its events.
//!
//! It runs on SQLite, and on PostgreSQL with many deposits and with one, without delay and with a delay of a
//! millisecond between program and server.
//!
//! `cargo run --release -p storage --example completions [seconds]`. To compare two versions, run them in turn.
#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::print_stdout,
    dead_code,
    reason = "built from the tests' parts"
)]

#[path = "../tests/support/cluster.rs"]
mod cluster;
#[path = "../tests/support/relay.rs"]
mod relay;
#[path = "../tests/contract/sample.rs"]
mod sample;

use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::credit_life::CreditLife;
use domain::credit_life::ProposalStatus;
use domain::event::EventType;
use domain::money::Rupees;
use domain::proposal::{Actor, Move};
use futures_util::future::join_all;
use ports::storage::premiums::{Deposit, Draw};
use ports::storage::{PremiumAct, ProposalAct, Proposed, Storage};

/// Number of simultaneous clients.
const CLIENTS: usize = 16;

/// Size of a certificate in bytes.
const CERTIFICATE: usize = 12_000;

fn name(deposit: usize) -> String {
    format!("deposit {deposit}")
}

/// Completes proposals one after the other until the time is over.
async fn complete(
    store: Arc<dyn Storage>,
    of: domain::partner::Partner,
    deposits: usize,
    first: usize,
    end: Instant,
) -> u64 {
    let mut completed = 0;
    while Instant::now() < end {
        let deposit = name((first * 7919 + completed as usize) % deposits);
        let proposal = sample::proposal(of.id, ProposalStatus::Completed);
        let moves = [Move {
            at: sample::now(),
            by: Actor::Service,
            from: None,
            to: ProposalStatus::Completed,
            reason: None,
        }];
        let mut issue = sample::issue(&proposal);
        issue.certificate = vec![7; CERTIFICATE];
        let draw = Draw { deposit, ..sample::draw(Rupees::from_paise(1)) };
        let premium = PremiumAct::Draw(draw);
        let subject = proposal.id.uuid();
        let events = [
            sample::event_of(subject, EventType::ProposalCompleted, sample::now()),
            sample::event_of(issue.policy.id.uuid(), EventType::PolicyIssued, sample::now()),
        ];
        let act = ProposalAct::<CreditLife> {
            issue: Some(&issue),
            premium: Some(&premium),
            events: &events,
            ..ProposalAct::of(&moves)
        };
        let kept = store.keep_proposal(&proposal, act).await.unwrap();
        assert_eq!(kept, Proposed::New);
        completed += 1;
    }
    completed
}

async fn measure(what: &str, store: Arc<dyn Storage>, deposits: usize, time: Duration) {
    let mut of = sample::partner();
    of.client_id = format!("{}-{deposits}-{what}", of.client_id);
    store.add_partner(&of, &sample::secret(1)).await.unwrap();
    for deposit in 0..deposits {
        let opened = Deposit { name: name(deposit), ..sample::deposit(1_000_000_000_000) };
        store.open_deposit(&opened, sample::now()).await.unwrap();
    }
    let begun = Instant::now();
    let clients = (0..CLIENTS)
        .map(|client| tokio::spawn(complete(store.clone(), of.clone(), deposits, client, begun + time)));
    let completed: u64 = join_all(clients).await.into_iter().map(Result::unwrap).sum();
    println!("{what}\t{:.0}", completed as f64 / begun.elapsed().as_secs_f64());
}

async fn on_postgres(address: String, folder: &std::path::Path) -> Arc<dyn Storage> {
    let database = storage::postgres::Database {
        address,
        connections: CLIENTS,
        pooler: false,
        reads_standbys: false,
        unsafe_is_fine: false,
    };
    let (clock, keyring) = (Arc::new(sample::At(sample::now())), folder.join("keyring"));
    Arc::new(storage::Postgres::open(&database, &keyring, clock, sample::random()).await.unwrap())
}

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let seconds = std::env::args().nth(1).map_or(3.0, |seconds| seconds.parse().unwrap());
    let time = Duration::from_secs_f64(seconds);
    let (_folder, store) = sample::sqlite();
    measure("SQLite", Arc::new(store), 1000, time).await;
    let cluster = cluster::cluster();
    let database = cluster.database();
    let address = cluster.address(&database);
    let folder = tempfile::tempdir().unwrap();
    let store = on_postgres(address.clone(), folder.path()).await;
    measure("PostgreSQL, 1000 deposits", store.clone(), 1000, time).await;
    measure("PostgreSQL, 1 deposit", store, 1, time).await;
    let server = address.rsplit_once('@').unwrap().1.split('/').next().unwrap().parse().unwrap();
    let relay = relay::Relay::to(server, Duration::from_millis(1));
    let far = format!("postgres://covernote@127.0.0.1:{}/{database}", relay.port);
    let store = on_postgres(far, folder.path()).await;
    measure("PostgreSQL a millisecond away, 1000 deposits", store.clone(), 1000, time).await;
    measure("PostgreSQL a millisecond away, 1 deposit", store, 1, time).await;
}
