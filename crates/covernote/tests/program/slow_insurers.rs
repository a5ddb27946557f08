//! Three insurers over HTTP: a fast one, a slow one, one that never answers.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use covernote::wiring::{OsRandom, SystemClock};
use futures_util::future::join_all;
use insurers::{HttpConnectors, Tuning};
use rating::Files;
use reqwest::{Client, RequestBuilder};
use serde_json::{Value, json};

use crate::support::program::{ANYWHERE, MockInsurer, Server, catalogue_asking, run, stdout, token_of};
use crate::support::{App, Setup, bodies};

/// Longest wait of a quote for insurers in these tests.
const DEADLINE: Duration = Duration::from_millis(800);

/// Longest wait of a recommendation for insurers in these tests.
const RECOMMENDATION_DEADLINE: Duration = Duration::from_secs(2);

/// Time that a busy machine may add to any duration.
const NOISE: Duration = Duration::from_secs(5);

/// Time for which a circuit breaker stays open in these tests.
const OPEN_FOR: Duration = Duration::from_secs(1);

/// The items of a quote, with its duration.
async fn quote(app: &App) -> (Vec<Value>, Duration) {
    let started = Instant::now();
    let quote = app.has_quote().await;
    (quote["recommendations"].as_array().expect("a list").clone(), started.elapsed())
}

/// The service in this process. It asks these insurers, named by folder, and its circuit breakers stay open
/// for [`OPEN_FOR`].
async fn asking(here: &Path, insurers: &[(&str, &str)]) -> App {
    let catalogue = Files::read(Path::new(&catalogue_asking(here, insurers))).expect("a catalogue");
    let secrets = here.join("covernote-data/insurer-secrets");
    let connectors = HttpConnectors::new(secrets, Arc::new(SystemClock), Arc::new(OsRandom::default()));
    let connectors = Arc::new(connectors.with_tuning(Tuning { open_for: OPEN_FOR, ..Tuning::default() }));
    Setup { catalogue, connectors, insurer_deadline: DEADLINE, ..Setup::default() }.start().await
}

/// The items of an insurer with a price, and those without.
fn of<'i>(items: &'i [Value], insurer: &str) -> (Vec<&'i Value>, Vec<&'i Value>) {
    let named =
        |item: &&Value| item["insurer_name"].as_str().expect("text").to_lowercase().starts_with(insurer);
    items.iter().filter(named).partition(|item| item["is_error"] == false)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn quotes_meet_their_deadline_and_stop_waiting_for_an_insurer_that_keeps_failing() {
    // D22
    let here = tempfile::tempdir().expect("a folder");
    let mock = |more: &[&str]| MockInsurer::sharing(here.path(), ANYWHERE, more);
    let (fast, slow, silent) = (mock(&[]), mock(&["--latency-ms", "2000"]), mock(&["--hang-percent", "100"]));
    let insurers = [("kalpanik", &*fast.url), ("namoona", &slow.url), ("misaal", &silent.url)];
    let app = asking(here.path(), &insurers).await;

    let (items, took) = quote(&app).await;
    assert!(took >= DEADLINE && took < DEADLINE + NOISE, "{took:?}");
    assert!(!of(&items, "kalpanik").0.is_empty());
    for insurer in ["namoona", "misaal"] {
        let (priced, failed) = of(&items, insurer);
        assert!(priced.is_empty() && !failed.is_empty(), "{insurer}: {items:#?}");
        for item in failed {
            assert_eq!(item["error_message"], "The insurer did not answer in time. Please try again later.");
        }
    }
    assert!(!of(&items, "parikatha").0.is_empty(), "those priced here have a price");

    // After twenty failed calls both circuit breakers are open, and a quote waits for neither insurer.
    for _ in 0..2 {
        join_all((0..12).map(|_| quote(&app))).await;
    }
    let (items, took) = quote(&app).await;
    assert!(took < DEADLINE, "{took:?}: it waited for an insurer whose circuit breaker is open");
    let (_, failed) = of(&items, "misaal");
    let message = failed[0]["error_message"].as_str().expect("text");
    assert_eq!(message, "The insurer could not give a price just now. Please try again later.");

    // The insurer answers again, and a trial call closes the circuit breaker.
    let address = silent.url.strip_prefix("http://").expect("an address").to_owned();
    drop(silent);
    let _healed = MockInsurer::sharing(here.path(), &address, &[]);
    let started = Instant::now();
    loop {
        let (items, _) = quote(&app).await;
        if !of(&items, "misaal").0.is_empty() {
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "it is never asked again");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recommendation_leaves_out_an_insurer_that_does_not_answer_by_the_deadline() {
    // D17, D18, D19
    let here = tempfile::tempdir().expect("a folder");
    let mock = |more: &[&str]| MockInsurer::sharing(here.path(), ANYWHERE, more);
    let (fast, slow, silent) = (mock(&[]), mock(&["--latency-ms", "300"]), mock(&["--hang-percent", "100"]));
    let insurers = [("abhas", &*fast.url), ("drishtant", &slow.url), ("prayog", &silent.url)];
    let catalogue = catalogue_asking(here.path(), &insurers);
    let deadline = format!("recommendation_deadline_ms = {}\n", RECOMMENDATION_DEADLINE.as_millis());
    std::fs::write(here.path().join("covernote.toml"), deadline).expect("written");
    let made = run(here.path(), &["partner", "create", "A Lender", "--scope", "business", "--json"]);
    let partner: Value = serde_json::from_str(&stdout(&made)).expect("credentials");
    let server = Server::start(here.path(), &["--catalogue", &catalogue]);
    let (client, token) = (Client::new(), token_of(&server.base, &partner).await);
    let send = async |request: RequestBuilder| {
        let answer: Value =
            request.bearer_auth(&token).send().await.expect("an answer").json().await.expect("JSON");
        assert!(answer["payload"].is_object(), "{answer}");
        answer["payload"].clone()
    };

    let path = format!("{}/v1/business/health/recommendation", server.base);
    let job = send(client.post(&path).json(&bodies::recommendation())).await;
    let path = format!("{path}/{}", job["quote_id"].as_str().expect("an id"));
    let (mut seen, started) = (Vec::new(), Instant::now());
    let done = loop {
        let job = send(client.get(&path)).await;
        let completed = job["completed_variants"].as_u64().expect("a number");
        if seen.last() != Some(&completed) {
            seen.push(completed);
        }
        if job["status"] == "success" {
            break job;
        }
        assert_eq!((&job["status"], &job["new_recommendations"]), (&json!("pending"), &json!([])));
        assert!(started.elapsed() < Duration::from_secs(60), "{job}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert!(started.elapsed() >= RECOMMENDATION_DEADLINE, "the silent one was waited for until its deadline");
    assert!(seen.is_sorted() && seen.len() >= 3, "progress was {seen:?}");
    assert_eq!(done["completed_variants"], done["total_variants"]);
    let offered = done["new_recommendations"].as_array().expect("a list");
    let of = |insurer: &str| {
        let named =
            |item: &&Value| item["company_name"].as_str().expect("text").to_lowercase().starts_with(insurer);
        offered.iter().filter(named).count()
    };
    assert!(of("abhas") > 0 && of("drishtant") > 0 && of("nidarshan") > 0, "{offered:#?}");
    assert_eq!(of("prayog"), 0);
    assert_eq!(offered.iter().filter(|item| item["recommended"] == true).count(), 1);
}
