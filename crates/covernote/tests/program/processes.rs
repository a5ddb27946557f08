//! Several processes on one PostgreSQL database: each sees the changes of the others, and reports faults in a
//! sentence.

use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use reqwest::Client;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::address::reserved;
use crate::support::bodies::{self, with};
use crate::support::claims::death;
use crate::support::cluster::cluster;
use crate::support::engine::Engine;
use crate::support::program::{Server, program, run, stderr, stdout, token_of};

/// Longest time until every process knows a change.
const EVERYWHERE: Duration = Duration::from_secs(5);

/// A folder for the keyring, with a database.
struct Place {
    here: tempfile::TempDir,
    engine: Engine,
}

impl Place {
    fn new() -> Self {
        Place { here: tempfile::tempdir().expect("a folder"), engine: Engine::postgres() }
    }

    fn folder(&self) -> &Path {
        self.here.path()
    }

    fn address(&self) -> String {
        match &self.engine {
            Engine::Postgres(name) => cluster().address(name),
            Engine::Sqlite(_) => unreachable!("made on PostgreSQL above"),
        }
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let address = self.address();
        run(self.folder(), &[arguments, &["--database", &address]].concat())
    }

    /// Runs a command that must succeed. Returns the JSON object that it prints.
    fn told(&self, arguments: &[&str]) -> Value {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        serde_json::from_str(&stdout(&output)).unwrap_or_default()
    }

    fn server(&self, arguments: &[&str]) -> Server {
        let address = self.address();
        let own = ["--database", address.as_str(), "--base-url", "http://covernote.example"];
        Server::start(self.folder(), &[&own, arguments].concat())
    }

    fn worker(&self, arguments: &[&str]) -> Server {
        let address = self.address();
        Server::worker(self.folder(), &[&["--database", address.as_str()], arguments].concat())
    }

    fn partner(&self) -> Value {
        self.told(&["partner", "create", "A Lender", "--scope", "business", "--json"])
    }
}

async fn send(
    server: &Server,
    token: &str,
    method: &str,
    path: &str,
    key: Option<&str>,
    body: &Value,
) -> (u16, Value, bool) {
    let request = Client::new().request(method.parse().expect("a method"), format!("{}{path}", server.base));
    let request = request.bearer_auth(token).json(body);
    let request = if let Some(key) = key { request.header("idempotency-key", key) } else { request };
    let answer = request.send().await.expect("an answer");
    let replayed = answer.headers().contains_key("idempotency-replayed");
    (answer.status().as_u16(), answer.json().await.unwrap_or_default(), replayed)
}

async fn get(server: &Server, token: &str, path: &str) -> (u16, Value) {
    let answer = Client::new().get(format!("{}{path}", server.base)).bearer_auth(token).send().await;
    let answer = answer.expect("an answer");
    (answer.status().as_u16(), answer.json().await.unwrap_or_default())
}

/// Number of signing keys that a process publishes.
async fn published_keys(server: &Server) -> usize {
    let keys = get(server, "", "/.well-known/jwks.json").await.1;
    keys["keys"].as_array().map_or(0, Vec::len)
}

/// Waits until a condition is true, at most as long as a change takes to reach every process.
async fn soon(what: &str, is_so: impl AsyncFn() -> bool) {
    let started = Instant::now();
    // One second more than promised, because the machine has other work.
    while started.elapsed() < EVERYWHERE + Duration::from_secs(1) {
        if is_so().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("not so after {EVERYWHERE:?}: {what}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sale_can_be_continued_at_another_process() {
    let place = Place::new();
    let partner = place.partner();
    let (one, other) = (place.server(&[]), place.server(&["--workers", "0"]));
    let token = token_of(&one.base, &partner).await;
    let (status, quote, _) = send(&one, &token, "POST", "/v1/embedded/quote", None, &bodies::quote()).await;
    assert_eq!(status, 200, "{quote}");
    let quote = &quote["payload"];
    let recommendation = quote["recommendations"].as_array().expect("some").iter();
    let recommendation = recommendation.clone().find(|item| item["is_error"] == false).expect("a price");
    let body = bodies::proposal(&quote["quote_id"], &recommendation["recommendation_id"], "DRAFT");
    let (status, proposal, _) = send(&other, &token, "POST", "/v1/embedded/proposal", None, &body).await;
    assert_eq!(status, 201, "a token of one is good at the other, and so is its quote: {proposal}");
    let id = proposal["payload"]["proposal_id"].as_str().expect("an id");
    let pending = json!({ "status": "PENDING" });
    let (status, ..) =
        send(&one, &token, "PATCH", &format!("/v1/embedded/proposal/{id}"), None, &pending).await;
    assert_eq!(status, 200);
    let (_, status) = get(&other, &token, &format!("/v1/embedded/proposal/{id}/status")).await;
    assert_eq!(status["payload"]["status"], "PENDING");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idempotency_key_is_valid_at_every_process() {
    // D36
    let place = Place::new();
    let partner = place.partner();
    let (one, other) = (place.server(&[]), place.server(&[]));
    let token = token_of(&one.base, &partner).await;
    let quote = async |server: &Server, body: &Value| {
        send(server, &token, "POST", "/v1/embedded/quote", Some("the-key"), body).await
    };
    let first = quote(&one, &bodies::quote()).await;
    let second = quote(&other, &bodies::quote()).await;
    assert_eq!((first.0, first.2), (200, false));
    assert_eq!(
        (second.0, second.2, &second.1),
        (200, true, &first.1),
        "replayed by the other, byte for byte"
    );
    let mut changed = bodies::quote();
    changed["cover_amount"] = json!("123456.00");
    assert_eq!(quote(&other, &changed).await.0, 422);
    assert_eq!(place.engine.rows_of("embedded_quotes"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_limit_of_tokens_per_hour_is_counted_over_all_processes() {
    // D6
    let place = Place::new();
    let partner = place.told(&["partner", "create", "Small", "--tokens-per-hour", "5", "--json"]);
    let servers = [place.server(&[]), place.server(&[]), place.server(&[])];
    let body = json!({ "client_id": partner["client_id"], "client_secret": partner["client_secret"] });
    let mut statuses = Vec::new();
    for server in servers.iter().cycle().take(12) {
        statuses.push(send(server, "", "POST", "/v1/auth/token", None, &body).await.0);
    }
    assert_eq!(statuses, [[200; 5].as_slice(), &[429; 7]].concat());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disabled_partner_is_refused_everywhere_within_five_seconds() {
    let place = Place::new();
    let partner = place.partner();
    let servers = [place.server(&[]), place.server(&[])];
    let token = token_of(&servers[0].base, &partner).await;
    let status = async |server: &Server| get(server, &token, "/v1/business/health/policies").await.0;
    for server in &servers {
        assert_ne!(status(server).await, 401);
    }
    let output = place.run(&["partner", "disable", partner["client_id"].as_str().expect("an id")]);
    assert!(output.status.success(), "{}", stderr(&output));
    for server in &servers {
        soon("its token is refused", async || status(server).await == 401).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_signing_key_is_known_to_every_process() {
    // D4
    let place = Place::new();
    place.partner();
    let servers = [place.server(&[]), place.server(&[])];
    place.told(&["keys", "rotate", "--json"]);
    for server in &servers {
        soon("both keys are published", async || published_keys(server).await == 2).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reloaded_catalogue_is_used_by_every_running_process() {
    let place = Place::new();
    place.partner();
    let servers = [place.server(&[]), place.server(&["--workers", "0"])];
    let hash = async |server: &Server| get(server, "", "/readyz").await.1["catalogue"].clone();
    assert_eq!(hash(&servers[0]).await, hash(&servers[1]).await);
    let made = run(place.folder(), &["catalogue", "init", "mine"]);
    assert!(made.status.success(), "{}", stderr(&made));
    let catalogue = place.folder().join("mine/catalogue.toml");
    let text = std::fs::read_to_string(&catalogue).expect("text");
    std::fs::write(&catalogue, text.replacen("name = \"", "name = \"My own ", 1)).expect("written");
    let shown = run(place.folder(), &["catalogue", "show", "mine", "--json"]);
    let shown: Value = serde_json::from_str(&stdout(&shown)).expect("JSON");
    let told = place.run(&["catalogue", "reload", "--catalogue", "mine"]);
    assert!(told.status.success(), "{}", stderr(&told));
    for server in &servers {
        soon("it runs the announced one", async || hash(server).await == shown["hash"]).await;
    }
    // A process that starts later reads its own folder, because the announcement was for running processes.
    // Once it knows a later key, it has looked for announcements.
    let later = place.server(&[]);
    place.told(&["keys", "rotate", "--json"]);
    soon("it has looked", async || published_keys(&later).await == 2).await;
    assert_ne!(hash(&later).await, shown["hash"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_worker_finishes_jobs_of_servers_without_workers() {
    let place = Place::new();
    let partner = place.partner();
    let server = place.server(&["--workers", "0"]);
    let token = token_of(&server.base, &partner).await;
    let path = "/v1/business/health/recommendation";
    let (status, taken, _) = send(&server, &token, "POST", path, None, &bodies::recommendation()).await;
    assert_eq!(status, 200, "{taken}");
    let id = taken["payload"]["quote_id"].as_str().expect("an id");
    let state = async || get(&server, &token, &format!("{path}/{id}")).await.1["payload"]["status"].clone();
    // A worker would have started at once.
    for _ in 0..20 {
        assert_eq!(state().await, "pending", "nobody works");
    }
    let mut worker = place.worker(&["--workers", "4"]);
    soon("it is finished", async || state().await == "success").await;
    worker.signal(Signal::TERM);
    assert!(worker.child.wait().expect("gone").success());
}

/// A product that is issued at submission.
const INSTANT: &str = "vrt_01m5wm8sc0e07a9ppyp2ye3jsm";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_one_of_two_simultaneous_claim_approvals_that_exceed_the_cover_succeeds() {
    // D113
    let place = Place::new();
    let partner = place.partner();
    let server = place.server(&[]);
    let token = token_of(&server.base, &partner).await;
    for _ in 0..3 {
        let (_, quote, _) = send(&server, &token, "POST", "/v1/embedded/quote", None, &bodies::quote()).await;
        let quote = &quote["payload"];
        let items = quote["recommendations"].as_array().expect("some");
        let item = items.iter().find(|item| item["variant_id"] == INSTANT).expect("in the sample");
        let body = bodies::proposal(&quote["quote_id"], &item["recommendation_id"], "SUBMITTED");
        let (status, made, _) = send(&server, &token, "POST", "/v1/embedded/proposal", None, &body).await;
        assert_eq!(status, 201, "{made}");
        let (_, policies) = get(&server, &token, "/v1/policies?limit=1").await;
        let policy = policies["policies"][0]["policy_id"].as_str().expect("issued").to_owned();
        let today = get(&server, &token, &format!("/v1/policies/{policy}")).await.1;
        let today = today["payload"]["cover_starts"].as_str().expect("a day").to_owned();
        let mut claims = Vec::new();
        for kind in ["DEATH", "DISABILITY"] {
            let body = with(with(death(&policy), "kind", json!(kind)), "event_on", json!(today));
            let (status, made, _) = send(&server, &token, "POST", "/v1/claims", None, &body).await;
            assert_eq!(status, 201, "{made}");
            let claim = made["payload"]["claim_id"].as_str().expect("an id").to_owned();
            place.told(&["claim", "decide", &claim, "--status", "UNDER_ASSESSMENT", "--json"]);
            claims.push(claim);
        }
        let address = place.address();
        let approve = |claim: &String| {
            let arguments = ["claim", "decide", claim, "--status", "APPROVED", "--amount", "300000"];
            let mut command = program(place.folder());
            command.args(arguments).args(["--database", &address]);
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
        };
        let deciders: Vec<Child> = claims.iter().map(approve).collect();
        let done = deciders.into_iter().map(|decider| decider.wait_with_output().expect("it ends"));
        let done: Vec<Output> = done.collect();
        assert_eq!(done.iter().filter(|output| output.status.success()).count(), 1, "{done:?}");
        let lost = done.iter().find(|output| !output.status.success()).expect("one lost");
        assert!(stderr(lost).contains("2,00,000.00, the cover left for this claim"), "{lost:?}");
    }
}

#[test]
fn an_unusable_database_is_reported_in_one_line_without_its_password() {
    let place = Place::new();
    let name = match &place.engine {
        Engine::Postgres(name) => name.to_string(),
        Engine::Sqlite(_) => unreachable!("made on PostgreSQL above"),
    };
    let refusing = reserved();
    let unknown = cluster().address("there_is_none");
    let away = format!("postgres://covernote:hush@{refusing}/covernote");
    for (address, code, wanted) in [
        ("postgres://covernote:hush@host:port/db", 78, "must be an address such as postgres://"),
        ("postgres://covernote:hush@/db", 78, "must name a host"),
        ("mysql://covernote:hush@host/db", 78, "must be sqlite or an address"),
        (away.as_str(), 69, "the store cannot be used"),
        (unknown.as_str(), 69, "does not exist"),
    ] {
        for command in [["serve", "--listen", "127.0.0.1:0"].as_slice(), &["partner", "list"], &["worker"]] {
            let output = run(place.folder(), &[command, &["--database", address]].concat());
            let told = stderr(&output);
            assert_eq!(output.status.code(), Some(code), "{command:?} {address}: {told}");
            assert!(told.contains(wanted), "{told}");
            assert!(!told.contains("hush") && !told.contains("panicked"), "{told}");
            assert_eq!(told.trim().lines().count(), 1, "{told}");
        }
    }
    cluster().say("postgres", &format!("alter database {name} set synchronous_commit = off"));
    let refused = place.run(&["partner", "create", "A Lender"]);
    assert_eq!(refused.status.code(), Some(78), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("synchronous_commit = off"), "{}", stderr(&refused));
    let accepted = place.run(&["partner", "create", "A Lender", "--accept-unsafe-database"]);
    assert!(accepted.status.success(), "{}", stderr(&accepted));
    cluster().say("postgres", &format!("alter database {name} reset synchronous_commit"));
    place
        .engine
        .says("insert into migrations (number, name, applied_at) values (99, 'later', 0)")
        .expect("noted");
    let newer = place.run(&["partner", "list"]);
    assert_eq!(newer.status.code(), Some(78), "{}", stderr(&newer));
    assert!(stderr(&newer).contains("use a newer covernote"), "{}", stderr(&newer));
}

#[test]
fn a_command_that_only_reads_creates_no_store_in_an_empty_database() {
    let place = Place::new();
    let output = place.run(&["partner", "list"]);
    assert_eq!(output.status.code(), Some(69), "{}", stderr(&output));
    assert!(stderr(&output).contains("no store in the database"), "{}", stderr(&output));
    assert_eq!(place.engine.rows_of("pg_tables where schemaname = 'public'"), 0);
    assert!(!place.folder().join("covernote-data/keyring").exists());
}

#[test]
fn a_waiting_import_uses_the_lookup_key_that_was_rotated_in_meanwhile() {
    let place = Place::new();
    let partner = place.partner();
    let mut policy = bodies::imported_policy();
    policy["partner_id"] = partner["partner_id"].clone();
    std::fs::write(place.folder().join("book.jsonl"), format!("{policy}\n")).expect("written");
    // Another import, which never counts as dead.
    let other = i64::MAX / 2;
    place
        .engine
        .says(&format!("insert into imports (import_id, renewed_at) values (1, {other})"))
        .expect("begun");
    let mut import = program(place.folder());
    import.args(["import", "policies", "book.jsonl", "--database", &place.address()]);
    let waiting = import.stderr(std::process::Stdio::piped()).spawn().expect("it starts");
    let rotated = place.run(&["keys", "rotate", "lookup"]);
    assert!(rotated.status.success(), "{}", stderr(&rotated));
    place.engine.says("delete from imports").expect("ended");
    let imported = waiting.wait_with_output().expect("its end");
    assert!(stderr(&imported).contains("1 policy imported"), "{}", stderr(&imported));
    let verified = place.run(&["verify"]);
    assert!(verified.status.success(), "{}", stderr(&verified));
}

#[test]
fn a_process_without_the_keyring_cannot_use_the_database() {
    let place = Place::new();
    place.partner();
    let elsewhere = tempfile::tempdir().expect("a folder");
    let output = run(elsewhere.path(), &["serve", "--listen", "127.0.0.1:0", "--database", &place.address()]);
    assert_eq!(output.status.code(), Some(78), "{}", stderr(&output));
    assert!(stderr(&output).contains("keyring"), "{}", stderr(&output));
    assert!(!elsewhere.path().join("covernote-data/keyring").exists(), "a new one would only hide it");
    let keyring = place.folder().join("covernote-data/keyring").display().to_string();
    let output =
        run(elsewhere.path(), &["partner", "list", "--database", &place.address(), "--keyring", &keyring]);
    assert!(output.status.success(), "{}", stderr(&output));
}

#[test]
fn the_demo_is_refused_on_postgresql_and_the_worker_on_sqlite() {
    let place = Place::new();
    let demo = place.run(&["serve", "--demo", "--listen", "127.0.0.1:0"]);
    assert_eq!(demo.status.code(), Some(78), "{}", stderr(&demo));
    assert!(stderr(&demo).contains("--demo uses SQLite"), "{}", stderr(&demo));
    let worker = run(place.folder(), &["worker"]);
    assert_eq!(worker.status.code(), Some(78), "{}", stderr(&worker));
    assert!(stderr(&worker).contains("PostgreSQL database"), "{}", stderr(&worker));
}

#[test]
fn doctor_reports_the_engine_and_content_of_a_postgresql_store() {
    let place = Place::new();
    let before = stdout(&place.run(&["doctor"]));
    assert!(before.contains("store         the store does not exist yet"), "{before}");
    place.partner();
    let after = stdout(&place.run(&["doctor"]));
    assert!(after.contains("engine        PostgreSQL\n"), "{after}");
    assert!(after.contains("store         partners: 1, jobs not finished: 0"), "{after}");
}

#[test]
fn a_tls_database_is_used_only_if_its_certificate_is_trusted() {
    let place = Place::new();
    let authority = cluster().speaks_tls();
    let address = format!("{}?sslmode=require", place.address());
    let create = |trusted: &Path| {
        let mut command = program(place.folder());
        command.args(["partner", "create", "A Lender", "--database", &address]);
        command.env("SSL_CERT_FILE", trusted).output().expect("it runs")
    };
    // The server's certificate is signed by another authority.
    let refused = create(&other_authority(place.folder()));
    assert_eq!(refused.status.code(), Some(69), "{}", stderr(&refused));
    assert!(stderr(&refused).to_lowercase().contains("certificate"), "{}", stderr(&refused));
    let made = create(&authority);
    assert!(made.status.success(), "{}", stderr(&made));
    assert_eq!(place.engine.rows_of("partners"), 1);
}

fn other_authority(folder: &Path) -> std::path::PathBuf {
    let made = std::process::Command::new("openssl")
        .args(["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "other.key", "-out", "other.pem"])
        .args(["-subj", "/CN=Other authority", "-days", "2"])
        .current_dir(folder)
        .output()
        .expect("openssl");
    assert!(made.status.success(), "{}", stderr(&made));
    folder.join("other.pem")
}
