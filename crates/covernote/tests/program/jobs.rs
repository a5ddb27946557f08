//! Jobs during kills or signals: none is lost, no variant is stored twice, and progress never goes back
//! (D17).

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use covernote::wiring::{OsRandom, SystemClock};
use domain::date::day_of;
use domain::id::{PartnerId, QuoteId};
use domain::period::{Period, PeriodLimits};
use reqwest::Client;
use rustix::process::Signal;
use serde_json::Value;
use service::clock::{Clock, Random};
use service::storage::lists::Selection;
use service::storage::{HealthQuotes, Jobs};
use storage::Sqlite;

use crate::support::bodies;
use crate::support::program::{
    ANYWHERE, MockInsurer, Server, catalogue_asking, is_sound, run, stdout, token_of,
};

/// Number of accepted jobs.
const JOBS: usize = 10_000;

/// Number of kills meanwhile.
const KILLS: usize = 20;

/// Clients that start jobs concurrently.
const CLIENTS: usize = 8;

const PATH: &str = "/v1/business/health/recommendation";

/// A fixed base address, so that one token is valid on every port of the server.
const BASE_URL: [&str; 2] = ["--base-url", "http://covernote.example"];

fn partner(here: &Path) -> Value {
    let made = run(here, &["partner", "create", "A Lender", "--scope", "business", "--json"]);
    serde_json::from_str(&stdout(&made)).expect("credentials")
}

/// Answers that clients got.
#[derive(Default)]
struct Journal {
    accepted: Vec<String>,
    /// Most completed variants that were seen of each job.
    progress: HashMap<String, u64>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn ten_thousand_jobs_survive_twenty_kills_with_exactly_one_outcome_per_variant() {
    let here = tempfile::tempdir().expect("a folder");
    let partner = partner(here.path());
    let of: PartnerId = partner["partner_id"].as_str().expect("an id").parse().expect("an id");
    // One insurer is slow, so that kills find jobs half done.
    let mock = MockInsurer::sharing(here.path(), ANYWHERE, &["--latency-ms", "30"]);
    let catalogue = catalogue_asking(here.path(), &[("abhas", &mock.url)]);
    let arguments = [&BASE_URL[..], &["--catalogue", &catalogue]].concat();
    let journal = Arc::new(Mutex::new(Journal::default()));
    let mut token = None;
    for kill in 0..=KILLS {
        let mut server = Server::start(here.path(), &arguments);
        let token = match &token {
            Some(token) => token,
            None => token.insert(token_of(&server.base, &partner).await),
        };
        let clients: Vec<_> = (0..CLIENTS)
            .map(|_| tokio::spawn(start_jobs(server.base.clone(), token.clone(), journal.clone())))
            .collect();
        if kill == KILLS {
            for client in clients {
                client.await.expect("no panic");
            }
            all_succeed(&server.base, token, &journal).await;
            break;
        }
        let enough = (kill + 1) * JOBS / (KILLS + 1);
        let started = Instant::now();
        while journal.lock().expect("unpoisoned").accepted.len() < enough {
            assert!(
                started.elapsed() < Duration::from_secs(120),
                "kill {kill}: nothing is accepted any more"
            );
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        server.kill();
        for client in clients {
            client.await.expect("no panic");
        }
    }

    let accepted = std::mem::take(&mut journal.lock().expect("unpoisoned").accepted);
    assert!(accepted.len() >= JOBS);
    let data = here.path().join("covernote-data");
    let random: Arc<dyn Random> = Arc::new(OsRandom::default());
    let store =
        Sqlite::open(&data, &data.join("keyring"), Arc::new(SystemClock), random).expect("the store opens");
    assert!(
        store.count_jobs().await.expect("readable").iter().all(|(_, jobs)| *jobs == 0),
        "a job is left behind"
    );
    for text in &accepted {
        let id: QuoteId = text.parse().expect("an id");
        let quote = store.health_quote(of, id).await.expect("readable");
        let quote = quote.unwrap_or_else(|| panic!("{text} is lost"));
        assert!(quote.ranking.is_some(), "{text} is not finished");
        for ask in &quote.asks {
            let outcomes = ask.outcomes.as_ref().map(Vec::len);
            assert_eq!(
                outcomes,
                Some(ask.variants.len()),
                "{text} has variants without or with two outcomes"
            );
        }
    }
    drop(store);
    let database = rusqlite::Connection::open(data.join(storage::sqlite::FILE)).expect("the store");
    let left: i64 =
        database.query_row("select count(*) from health_outcomes", (), |row| row.get(0)).expect("a table");
    assert_eq!(left, 0, "outcomes are kept beside those of finished quotes");
    counts_agree(here.path(), of).await;
    is_sound(here.path());
}

/// Starts jobs until there are enough or the server is gone. Sometimes reads an earlier job.
async fn start_jobs(base: String, token: String, journal: Arc<Mutex<Journal>>) {
    let client = Client::new();
    loop {
        let accepted = journal.lock().expect("unpoisoned").accepted.len();
        if accepted >= JOBS {
            return;
        }
        let request =
            client.post(format!("{base}{PATH}")).bearer_auth(&token).json(&bodies::recommendation());
        let Some(job) = payload(request).await else { return };
        let id = job["quote_id"].as_str().expect("an id").to_owned();
        let earlier = {
            let mut journal = journal.lock().expect("unpoisoned");
            journal.accepted.push(id);
            // One in ten requests reads a job that is probably in progress.
            accepted
                .is_multiple_of(10)
                .then(|| journal.accepted[journal.accepted.len().saturating_sub(20)].clone())
        };
        if let Some(earlier) = earlier
            && look(&client, &base, &token, &earlier, &journal).await.is_none()
        {
            return;
        }
    }
}

/// The payload of an answer. `None` if the server is gone.
async fn payload(request: reqwest::RequestBuilder) -> Option<Value> {
    let answer = request.send().await.ok()?;
    let status = answer.status().as_u16();
    let answer: Value = answer.json().await.ok()?;
    assert_eq!(status, 200, "{answer}");
    Some(answer["payload"].clone())
}

/// Reads a job, whose progress must never go back. `None` if the server is gone.
async fn look(client: &Client, base: &str, token: &str, id: &str, journal: &Mutex<Journal>) -> Option<Value> {
    // Progress that others saw before this read began. Meanwhile they may see more.
    let before = journal.lock().expect("unpoisoned").progress.get(id).copied().unwrap_or(0);
    let job = payload(client.get(format!("{base}{PATH}/{id}")).bearer_auth(token)).await?;
    let completed = job["completed_variants"].as_u64().expect("a number");
    assert!(completed >= before, "{id} went back from {before} to {completed}");
    let mut journal = journal.lock().expect("unpoisoned");
    let furthest = journal.progress.entry(id.to_owned()).or_default();
    *furthest = completed.max(*furthest);
    Some(job)
}

/// Waits until every accepted job has reached success.
async fn all_succeed(base: &str, token: &str, journal: &Mutex<Journal>) {
    let (client, started) = (Client::new(), Instant::now());
    let accepted = journal.lock().expect("unpoisoned").accepted.clone();
    for id in &accepted {
        loop {
            let job = look(&client, base, token, id, journal).await.expect("the server is there");
            if job["status"] == "success" {
                assert_eq!(job["completed_variants"], job["total_variants"], "{job}");
                break;
            }
            assert!(started.elapsed() < Duration::from_secs(300), "{id} never succeeds: {job}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Checks that the counters equal the number of quotes.
async fn counts_agree(here: &Path, of: PartnerId) {
    let data = here.join("covernote-data");
    let database = rusqlite::Connection::open(data.join(storage::sqlite::FILE)).expect("the store");
    let there: u64 = database
        .query_row("select count(*) from health_quotes", (), |row| row.get::<_, i64>(0))
        .expect("a table")
        .unsigned_abs();
    drop(database);
    let random: Arc<dyn Random> = Arc::new(OsRandom::default());
    let store =
        Sqlite::open(&data, &data.join("keyring"), Arc::new(SystemClock), random).expect("the store opens");
    let week =
        Selection::Period(Period::up_to(day_of(SystemClock.now()), PeriodLimits::WEEK).expect("our times"));
    assert_eq!(store.health_quotes(of, week, None, 1).await.expect("readable").count, there);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_server_hands_back_its_jobs_and_the_next_one_finishes_them() {
    // D17
    let here = tempfile::tempdir().expect("a folder");
    let partner = partner(here.path());
    let silent = MockInsurer::sharing(here.path(), ANYWHERE, &["--hang-percent", "100"]);
    let address = silent.url.strip_prefix("http://").expect("an address").to_owned();
    let catalogue = catalogue_asking(here.path(), &[("abhas", &silent.url)]);
    let settings = "recommendation_deadline_ms = 120000\n";
    std::fs::write(here.path().join("covernote.toml"), settings).expect("written");
    let arguments = [&BASE_URL[..], &["--catalogue", &catalogue]].concat();
    let mut server = Server::start(here.path(), &arguments);
    let token = token_of(&server.base, &partner).await;
    let journal = Mutex::new(Journal::default());
    let client = Client::new();
    let request =
        client.post(format!("{}{PATH}", server.base)).bearer_auth(&token).json(&bodies::recommendation());
    let job = payload(request).await.expect("accepted");
    let id = job["quote_id"].as_str().expect("an id").to_owned();
    let started = Instant::now();
    let before = loop {
        let job = look(&client, &server.base, &token, &id, &journal).await.expect("the server is there");
        if job["completed_variants"].as_u64() > Some(0) {
            break job;
        }
        assert!(started.elapsed() < Duration::from_secs(30), "{job}");
    };
    assert_eq!(before["status"], "pending");

    server.signal(Signal::TERM);
    let stopped = server.child.wait().expect("gone");
    assert_eq!(stopped.code(), Some(0));
    assert!(started.elapsed() < Duration::from_secs(60), "it waited for the insurer");
    let logged = server.logged();
    assert!(logged.iter().any(|line| line.contains("jobs handed back: 1")), "{logged:#?}");

    drop(silent);
    let _answering = MockInsurer::sharing(here.path(), &address, &[]);
    let server = Server::start(here.path(), &arguments);
    let started = Instant::now();
    loop {
        let job = look(&client, &server.base, &token, &id, &journal).await.expect("the server is there");
        if job["status"] == "success" {
            let offered = job["new_recommendations"].as_array().expect("a list");
            let abhas = |item: &&Value| item["company_name"].as_str().expect("text").starts_with("Abhas");
            assert!(offered.iter().filter(abhas).count() > 0, "{offered:#?}");
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(30), "{job}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
