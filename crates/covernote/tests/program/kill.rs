//! Killed (-9) under write load, again and again: no acknowledged quote, proposal or policy is lost, none is half there.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use covernote::wiring::{SystemChance, SystemClock};
use domain::id::{PartnerId, ProposalId, QuoteId};
use domain::proposal::ProposalStatus;
use reqwest::Client;
use serde_json::{Value, json};
use service::clock::Chance;
use service::storage::Storage;
use storage::Sqlite;

use crate::support::bodies;
use crate::support::program::{Server, is_sound, run, stdout, token_of};

/// How often the server is killed.
const KILLS: u64 = 50;

/// Quotes that are acknowledged between two kills, at least.
const QUOTES_A_KILL: usize = 20;

/// Clients that write at once.
const CLIENTS: usize = 8;

/// What clients were told had been done.
#[derive(Clone, Default)]
pub(crate) struct Journal {
    pub(crate) quotes: Vec<String>,
    /// The last status that an answer told.
    pub(crate) proposals: HashMap<String, String>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_kills_under_load_lose_nothing_that_was_acknowledged() {
    let here = tempfile::tempdir().expect("a folder");
    let made = run(here.path(), &["partner", "create", "A Lender", "--scope", "business", "--json"]);
    let partner: Value = serde_json::from_str(&stdout(&made)).expect("credentials");
    let of: PartnerId = partner["partner_id"].as_str().expect("an id").parse().expect("an id");
    // A fixed base address, so that one token is good at whatever port the server comes up.
    let arguments = ["--base-url", "http://covernote.example", "--log-level", "info"];
    let journal = Arc::new(Mutex::new(Journal::default()));
    let mut token = None;
    for kill in 0..KILLS {
        let mut server = Server::start(here.path(), &arguments);
        let token = match &token {
            Some(token) => token,
            None => token.insert(token_of(&server.base, &partner).await),
        };
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| tokio::spawn(write_until_it_dies(server.base.clone(), token.clone(), journal.clone())))
            .collect();
        // Killed once there is load, however slow the machine, and then at any step of a request.
        let before = journal.lock().expect("unpoisoned").quotes.len();
        let enough = before + QUOTES_A_KILL;
        let started = Instant::now();
        while journal.lock().expect("unpoisoned").quotes.len() < enough {
            assert!(
                started.elapsed() < Duration::from_secs(60),
                "kill {kill}: nothing is acknowledged any more"
            );
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        tokio::time::sleep(Duration::from_micros(kill * 7_919 % 50_000)).await;
        server.kill();
        for client in clients {
            client.await.expect("no panic");
        }
    }
    let journal = std::mem::take(&mut *journal.lock().expect("unpoisoned"));
    assert!(journal.quotes.len() as u64 >= KILLS * QUOTES_A_KILL as u64);
    let completed = journal.proposals.values().filter(|status| *status == "COMPLETED").count();
    assert!(completed > 50, "only {completed} policies were acknowledged: there was no load");

    let data = here.path().join("covernote-data");
    let chance: Arc<dyn Chance> = Arc::new(SystemChance::default());
    let store = Sqlite::open(&data, &data.join("keyring"), &SystemClock, chance).expect("the store opens");
    for quote in &journal.quotes {
        let id: QuoteId = quote.parse().expect("an id");
        assert!(store.embedded_quote(of, id).await.expect("readable").is_some(), "{quote} is lost");
    }
    for (proposal, status) in &journal.proposals {
        let id: ProposalId = proposal.parse().expect("an id");
        let found =
            store.proposal(of, id).await.expect("readable").unwrap_or_else(|| panic!("{proposal} is lost"));
        if status == "COMPLETED" {
            assert_eq!(found.status, ProposalStatus::Completed, "{proposal} went back");
        }
    }
    // Nothing is half there, acknowledged or not.
    for line in store.proposals(of, None, usize::MAX >> 1).await.expect("readable") {
        let completed = line.status == ProposalStatus::Completed;
        let policy = store.policy_of(of, line.id).await.expect("readable");
        let certificate = store.certificate(of, line.id).await.expect("readable");
        assert_eq!(
            (policy.is_some(), certificate.is_some()),
            (completed, completed),
            "{} is half there",
            line.id
        );
        let history = store.history(of, line.id).await.expect("readable");
        assert_eq!(
            history.last().map(|made| made.to),
            Some(line.status),
            "{}'s history is half there",
            line.id
        );
    }
    is_sound(here.path());
}

/// Goes from quote to policy again and again, and writes down what was acknowledged.
pub(crate) async fn write_until_it_dies(base: String, token: String, journal: Arc<Mutex<Journal>>) {
    let client = Client::new();
    let send = async |method: reqwest::Method, path: &str, body: Value| -> Option<Value> {
        let request = client.request(method, format!("{base}{path}")).bearer_auth(&token).json(&body);
        let answer = request.send().await.ok()?;
        let status = answer.status().as_u16();
        let value: Value = answer.json().await.ok()?;
        assert!(status < 300, "{status}: {value}");
        Some(value["payload"].clone())
    };
    loop {
        let Some(quote) = send(reqwest::Method::POST, "/v1/embedded/quote", bodies::quote()).await else {
            return;
        };
        let id = quote["quote_id"].as_str().expect("an id").to_owned();
        journal.lock().expect("unpoisoned").quotes.push(id);
        let body = bodies::proposal(
            &quote["quote_id"],
            &quote["recommendations"][0]["recommendation_id"],
            "SUBMITTED",
        );
        let Some(proposal) = send(reqwest::Method::POST, "/v1/embedded/proposal", body).await else { return };
        let id = proposal["proposal_id"].as_str().expect("an id").to_owned();
        journal.lock().expect("unpoisoned").proposals.insert(id.clone(), "PENDING".into());
        let path = format!("/v1/embedded/proposal/{id}");
        let Some(_) = send(reqwest::Method::PATCH, &path, json!({ "status": "COMPLETED" })).await else {
            return;
        };
        journal.lock().expect("unpoisoned").proposals.insert(id, "COMPLETED".into());
    }
}
