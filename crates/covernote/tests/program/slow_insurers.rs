//! Three insurers over HTTP: a fast one, a slow one, one that never answers.

use std::path::Path;
use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::{Value, json};

use crate::support::bodies;
use crate::support::program::{ANYWHERE, MockInsurer, Server, catalogue_asking, run, stdout, token_of};

/// How long a quote waits for its insurers here.
const DEADLINE: Duration = Duration::from_millis(800);

/// What a noisy machine may add to any time.
const NOISE: Duration = Duration::from_secs(5);

/// A server whose partner asks it.
struct Asked {
    server: Server,
    token: String,
    client: Client,
}

impl Asked {
    /// Starts a server whose catalogue asks these insurers, by their folders.
    async fn start(here: &Path, insurers: &[(&str, &str)]) -> Asked {
        let catalogue = catalogue_asking(here, insurers);
        let deadlines =
            format!("insurer_deadline_ms = {}\nrecommendation_deadline_ms = 4000\n", DEADLINE.as_millis());
        std::fs::write(here.join("covernote.toml"), deadlines).expect("written");
        let made = run(here, &["partner", "create", "A Lender", "--scope", "business", "--json"]);
        let partner: Value = serde_json::from_str(&stdout(&made)).expect("credentials");
        let server = Server::start(here, &["--catalogue", &catalogue]);
        let token = token_of(&server.base, &partner).await;
        Asked { server, token, client: Client::new() }
    }

    async fn send(&self, method: &str, path: &str, body: Option<Value>) -> Value {
        let method = method.parse().expect("a method");
        let request =
            self.client.request(method, format!("{}{path}", self.server.base)).bearer_auth(&self.token);
        let request = match &body {
            Some(body) => request.json(body),
            None => request,
        };
        let answer: Value = request.send().await.expect("an answer").json().await.expect("JSON");
        assert!(answer["payload"].is_object(), "{answer}");
        answer["payload"].clone()
    }

    /// The items of a quote, and how long it took.
    async fn quote(&self) -> (Vec<Value>, Duration) {
        let started = Instant::now();
        let quote = self.send("POST", "/v1/embedded/quote", Some(bodies::quote())).await;
        (quote["recommendations"].as_array().expect("a list").clone(), started.elapsed())
    }
}

/// How many items of an insurer have a price, and how many have none.
fn of<'i>(items: &'i [Value], insurer: &str) -> (Vec<&'i Value>, Vec<&'i Value>) {
    let named =
        |item: &&Value| item["insurer_name"].as_str().expect("text").to_lowercase().starts_with(insurer);
    items.iter().filter(named).partition(|item| item["is_error"] == false)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_quote_is_answered_in_time_and_the_circuit_breaker_of_a_failing_insurer_opens_until_it_answers() {
    // D22
    let here = tempfile::tempdir().expect("a folder");
    let mock = |more: &[&str]| MockInsurer::sharing(here.path(), ANYWHERE, more);
    let (fast, slow, silent) = (mock(&[]), mock(&["--latency-ms", "2000"]), mock(&["--hang-percent", "100"]));
    let insurers = [("kalpanik", &*fast.url), ("namoona", &slow.url), ("misaal", &silent.url)];
    let asked = Asked::start(here.path(), &insurers).await;

    let (items, took) = asked.quote().await;
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
    for _ in 0..8 {
        tokio::join!(asked.quote(), asked.quote(), asked.quote());
    }
    let (items, took) = asked.quote().await;
    assert!(took < DEADLINE, "{took:?}: it waited for an insurer whose circuit breaker is open");
    let (_, failed) = of(&items, "misaal");
    let message = failed[0]["error_message"].as_str().expect("text");
    assert_eq!(message, "The insurer could not give a price just now. Please try again later.");

    // It answers again, and a trial call closes the circuit breaker.
    let address = silent.url.strip_prefix("http://").expect("an address").to_owned();
    drop(silent);
    let _healed = MockInsurer::sharing(here.path(), &address, &[]);
    let started = Instant::now();
    loop {
        let (items, _) = asked.quote().await;
        if !of(&items, "misaal").0.is_empty() {
            break;
        }
        assert!(started.elapsed() < Duration::from_secs(60), "it is never asked again");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recommendation_grows_with_insurers_answers_and_leaves_out_the_one_without() {
    // D17, D18, D19
    let here = tempfile::tempdir().expect("a folder");
    let mock = |more: &[&str]| MockInsurer::sharing(here.path(), ANYWHERE, more);
    let (fast, slow, silent) = (mock(&[]), mock(&["--latency-ms", "2000"]), mock(&["--hang-percent", "100"]));
    let insurers = [("abhas", &*fast.url), ("drishtant", &slow.url), ("prayog", &silent.url)];
    let asked = Asked::start(here.path(), &insurers).await;

    let path = "/v1/business/health/recommendation";
    let job = asked.send("POST", path, Some(bodies::recommendation())).await;
    let path = format!("{path}/{}", job["quote_id"].as_str().expect("an id"));
    let (mut seen, started) = (Vec::new(), Instant::now());
    let done = loop {
        let job = asked.send("GET", &path, None).await;
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
    assert!(started.elapsed() >= Duration::from_secs(4), "the silent one was waited for until its deadline");
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
