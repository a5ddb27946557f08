//! `covernote serve`: the demo, the locked folder, signals, changes by other commands meanwhile.

use std::fs;
use std::net::TcpListener;
use std::process::Command;
use std::time::{Duration, Instant};

use reqwest::Client;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::address::reserved;
use crate::support::bodies;
use crate::support::program::{Server, program, run, stderr, stdout};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// A server with a partner that has every scope, and the partner's token.
struct Served {
    server: Server,
    partner: Value,
    token: String,
    client: Client,
}

impl Served {
    async fn start(folder: &std::path::Path, arguments: &[&str]) -> Served {
        let made = run(folder, &["partner", "create", "A Lender", "--scope", "business", "--json"]);
        let partner: Value = serde_json::from_str(&stdout(&made)).expect("credentials");
        let server = Server::start(folder, arguments);
        let client = Client::new();
        let token = token(&client, &server.base, &partner).await.1;
        Served { server, partner, token, client }
    }

    async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let request =
            self.client.post(format!("{}{path}", self.server.base)).bearer_auth(&self.token).json(body);
        let answer = request.send().await.expect("an answer");
        (answer.status().as_u16(), answer.json().await.expect("JSON"))
    }

    async fn status(&self, id: &str) -> (u16, Value) {
        let path = format!("{}/v1/embedded/proposal/{id}/status", self.server.base);
        let answer = self.client.get(path).bearer_auth(&self.token).send().await.expect("an answer");
        (answer.status().as_u16(), answer.json().await.expect("JSON"))
    }

    fn partner_id(&self) -> &str {
        self.partner["partner_id"].as_str().expect("an id")
    }
}

async fn token(client: &Client, base: &str, partner: &Value) -> (u16, String) {
    let body = json!({ "client_id": partner["client_id"], "client_secret": partner["client_secret"], "scopes": ["business"] });
    let answer = client.post(format!("{base}/v1/auth/token")).json(&body).send().await.expect("an answer");
    let status = answer.status().as_u16();
    let object: Value = answer.json().await.expect("JSON");
    (status, object["payload"]["access_token"].as_str().unwrap_or_default().to_owned())
}

#[test]
fn the_demo_refuses_to_listen_outside_loopback() {
    let here = folder();
    let refused = run(here.path(), &["serve", "--demo", "--listen", "0.0.0.0:0"]);
    assert_eq!(refused.status.code(), Some(78));
    assert!(stderr(&refused).contains("loopback"), "{}", stderr(&refused));
}

#[tokio::test]
async fn the_demo_and_other_servers_refuse_each_others_data_folders() {
    let here = folder();
    let demo = Server::start(here.path(), &["--demo"]);
    let partner = json!({ "client_id": "demo", "client_secret": "demo-secret" });
    let client = Client::new();
    assert_eq!(token(&client, &demo.base, &partner).await.0, 200);
    drop(demo);
    let refused = run(here.path(), &["serve", "--listen", "127.0.0.1:0", "--data", "covernote-demo"]);
    assert_eq!(refused.status.code(), Some(78));
    assert!(stderr(&refused).contains("demo"), "{}", stderr(&refused));
    // The demo refuses a folder that is not its own.
    run(here.path(), &["partner", "create", "A", "--data", "real"]);
    assert_eq!(
        run(here.path(), &["serve", "--demo", "--listen", "127.0.0.1:0", "--data", "real"]).status.code(),
        Some(78)
    );
}

#[test]
fn a_data_folder_can_be_used_by_only_one_server() {
    let here = folder();
    let _server = Server::start(here.path(), &[]);
    let second = run(here.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(second.status.code(), Some(69));
    assert_eq!(
        stderr(&second).lines().filter(|line| line.contains("another server uses the data folder")).count(),
        1,
        "{}",
        stderr(&second)
    );
}

#[test]
fn a_port_in_use_is_reported_with_its_address() {
    let here = folder();
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = taken.local_addr().expect("bound").to_string();
    let refused = run(here.path(), &["serve", "--listen", &address]);
    assert_eq!(refused.status.code(), Some(69));
    assert!(stderr(&refused).contains(&format!("cannot listen on {address}")), "{}", stderr(&refused));
}

#[tokio::test]
async fn partner_commands_take_effect_on_a_running_server_within_five_seconds() {
    // D5
    let here = folder();
    let served = Served::start(here.path(), &[]).await;
    assert_eq!(served.post("/v1/embedded/quote", &bodies::quote()).await.0, 200);
    run(here.path(), &["partner", "revoke", served.partner_id(), "--scope", "business"]);
    waits_for(async || served.post("/v1/embedded/quote", &bodies::quote()).await.0 == 403).await;
    run(here.path(), &["partner", "disable", served.partner_id()]);
    waits_for(async || served.post("/v1/embedded/quote", &bodies::quote()).await.0 == 401).await;
    // A new partner can call the server at once.
    let made = run(here.path(), &["partner", "create", "Another", "--scope", "business", "--json"]);
    let partner: Value = serde_json::from_str(&stdout(&made)).expect("credentials");
    assert_eq!(token(&served.client, &served.server.base, &partner).await.0, 200);
}

/// Waits until a condition is true, 5 seconds at most.
async fn waits_for(mut holds: impl AsyncFnMut() -> bool) {
    let started = Instant::now();
    while !holds().await {
        assert!(started.elapsed() < Duration::from_secs(5), "it took longer than 5 seconds");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[tokio::test]
async fn an_operator_can_list_and_decide_proposals_and_explain_quotes() {
    // D29
    let here = folder();
    let served = Served::start(here.path(), &[]).await;
    let (_, quote) = served.post("/v1/embedded/quote", &bodies::quote()).await;
    let quote = &quote["payload"];
    let body =
        bodies::proposal(&quote["quote_id"], &quote["recommendations"][0]["recommendation_id"], "SUBMITTED");
    let (_, proposal) = served.post("/v1/embedded/proposal", &body).await;
    let id = proposal["payload"]["proposal_id"].as_str().expect("an id");

    let list = run(here.path(), &["proposal", "list", "--status", "PENDING", "--json"]);
    let list: Value = serde_json::from_str(&stdout(&list)).expect("JSON");
    assert_eq!(list["proposals"][0]["proposal_id"], id);

    let decided =
        run(here.path(), &["proposal", "decide", id, "--status", "COMPLETED", "--reason", "receipt seen"]);
    assert_eq!(decided.status.code(), Some(0), "{}", stderr(&decided));
    let (_, status) = served.status(id).await;
    assert_eq!(status["payload"]["status"], "COMPLETED");
    assert!(status["payload"]["policy_url"].is_string());
    assert_eq!(
        run(here.path(), &["proposal", "decide", id, "--status", "REJECTED", "--reason", "no"]).status.code(),
        Some(1),
        "it is final (D28)"
    );

    let shown =
        run(here.path(), &["proposal", "show", id, "--personal", "--reason", "the history", "--json"]);
    let shown: Value = serde_json::from_str(&stdout(&shown)).expect("JSON");
    let history: Vec<String> = shown["history"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|made| format!("{} {} {}", made["by"], made["to"], made["reason"]))
        .collect();
    assert_eq!(history, [r#""partner" "PENDING" null"#, r#""operator" "COMPLETED" "receipt seen""#]);
    let text = stdout(&run(here.path(), &["proposal", "show", id]));
    assert!(!text.contains("Asha"), "personal data stays sealed: {text}");

    let quote_id = quote["quote_id"].as_str().expect("an id");
    let explained = run(here.path(), &["quote", "explain", quote_id, "--json"]);
    assert_eq!(explained.status.code(), Some(0), "{}", stderr(&explained));
    let explained: Value = serde_json::from_str(&stdout(&explained)).expect("JSON");
    let items = explained["items"].as_array().expect("a list");
    assert_eq!(items.len(), quote["recommendations"].as_array().expect("a list").len());
    for (item, answered) in items.iter().zip(quote["recommendations"].as_array().expect("a list")) {
        assert_eq!(
            (&item["recommendation_id"], &item["agrees"]),
            (&answered["recommendation_id"], &json!(true))
        );
    }
    assert!(stdout(&run(here.path(), &["quote", "explain", quote_id])).contains("total premium"));
}

#[tokio::test]
async fn an_operator_sees_people_cover_loan_and_price_before_deciding_a_proposal() {
    let here = folder();
    let served = Served::start(here.path(), &[]).await;
    let (_, quote) = served.post("/v1/embedded/quote", &bodies::quote()).await;
    let quote = &quote["payload"];
    let recommendation = &quote["recommendations"][0]["recommendation_id"];
    let mut body = bodies::proposal(&quote["quote_id"], recommendation, "SUBMITTED");
    body["insured_members"] = json!([bodies::proposer(), bodies::joint_borrower()]);
    body["nominee"] = json!([bodies::minor_nominee(json!(100))]);
    let (_, proposal) = served.post("/v1/embedded/proposal", &body).await;
    let id = proposal["payload"]["proposal_id"].as_str().expect("an id");

    let show = |more: &[&str]| {
        stdout(&run(
            here.path(),
            &[&["proposal", "show", id, "--personal", "--reason", "decide the proposal"], more].concat(),
        ))
    };
    let told: Value = serde_json::from_str(&show(&["--json"])).expect("JSON");
    let told = &told["application"];
    let borrower = &told["insured_members"][0];
    assert_eq!((&borrower["name"], &borrower["date_of_birth"]), (&json!("Asha K Rao"), &json!("1990-06-15")));
    assert!(
        borrower["age"].as_str().is_some_and(|age| age.starts_with(|c: char| c.is_ascii_digit())),
        "{told}"
    );
    assert_eq!(borrower["documents"], json!(["PAN ABCPR1234K", "AADHAR XXXXXXXX0124"]));
    assert_eq!(told["insured_members"][1]["name"], "Devika Menon");
    assert_eq!(told["nominees"][0]["appointee"]["name"], "Mohan Rao");
    assert_eq!(
        (&told["cover"]["cover_amount"], &told["cover"]["term_months"]),
        (&json!("₹5,00,000"), &json!("24"))
    );
    assert_eq!(told["loan"]["loan_amount"], "₹5,00,000");
    assert_eq!(told["context_data"][0]["key"], "loan_amount");
    let steps = told["price"]["steps"].as_array().expect("a list");
    assert!(
        steps.iter().any(|step| step["place"].as_str().is_some_and(|place| place.contains(".csv:"))),
        "{told}"
    );
    assert_eq!(told["broken_rules"], json!([]));
    let text = show(&[]);
    let lines: Vec<String> =
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in ["insured members, 2", "name Devika Menon", "name Mohan Rao", "broken rules none"] {
        assert!(lines.iter().any(|there| there == line), "{line}: {text}");
    }

    let decide = |more: &[&str]| run(here.path(), &[&["proposal", "decide", id, "--status"], more].concat());
    for (wrong, why) in [
        (
            ["COMPLETED", "--insurer-number", "\u{202e}"],
            "Must be a policy number on one line, 1 to 100 characters",
        ),
        (["REJECTED", "--insurer-number", "LIC/1"], "A rejected proposal has no policy"),
    ] {
        let refused = decide(&wrong);
        assert_eq!(refused.status.code(), Some(65));
        assert!(stderr(&refused).contains(why), "{}", stderr(&refused));
    }
    assert_eq!(decide(&["COMPLETED", "--insurer-number", "LIC/2026/1"]).status.code(), Some(0));
    let shown: Value = serde_json::from_str(&show(&["--json"])).expect("JSON");
    assert_eq!(shown["policy"]["insurer_policy_number"], "LIC/2026/1");
}

#[tokio::test]
async fn a_quote_is_explained_with_the_catalogue_version_that_priced_it() {
    let here = folder();
    run(here.path(), &["catalogue", "init", "mine"]);
    let served = Served::start(here.path(), &["--catalogue", "mine"]).await;
    let (_, before) = served.post("/v1/embedded/quote", &bodies::quote()).await;
    let catalogue = here.path().join("mine/catalogue.toml");
    let text = fs::read_to_string(&catalogue).expect("text");
    fs::write(&catalogue, text.replace("percent = 18", "percent = 28")).expect("written");
    let reloaded = run(here.path(), &["catalogue", "reload", "--catalogue", "mine"]);
    assert_eq!(reloaded.status.code(), Some(0), "{}", stderr(&reloaded));
    let cheapest = before["payload"]["recommendations"][0]["total_premium"].clone();
    waits_for(async || {
        let (_, after) = served.post("/v1/embedded/quote", &bodies::quote()).await;
        after["payload"]["recommendations"][0]["total_premium"] != cheapest
    })
    .await;
    let id = before["payload"]["quote_id"].as_str().expect("an id");
    let explained = run(here.path(), &["quote", "explain", id, "--json"]);
    assert_eq!(explained.status.code(), Some(0), "{}", stderr(&explained));
    assert!(stdout(&explained).contains(cheapest.as_str().expect("text")));
}

#[tokio::test]
async fn a_faulty_catalogue_does_not_replace_the_running_one() {
    let here = folder();
    run(here.path(), &["catalogue", "init", "mine"]);
    let served = Served::start(here.path(), &["--catalogue", "mine"]).await;
    let ready = async || {
        let answer =
            served.client.get(format!("{}/readyz", served.server.base)).send().await.expect("an answer");
        answer.json::<Value>().await.expect("JSON")["catalogue"].clone()
    };
    let before = ready().await;
    fs::write(here.path().join("mine/catalogue.toml"), "name = ").expect("written");
    let refused = run(here.path(), &["catalogue", "reload", "--catalogue", "mine"]);
    assert_eq!(refused.status.code(), Some(65), "the command says so already");
    served.server.signal(Signal::HUP);
    let started = Instant::now();
    let mut refused = false;
    while !refused {
        assert!(started.elapsed() < Duration::from_secs(5), "the refusal is logged");
        refused = served.server.logged().iter().any(|line| line.contains("the catalogue was not replaced"));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(ready().await, before);
    assert_eq!(served.post("/v1/embedded/quote", &bodies::quote()).await.0, 200);
}

#[tokio::test]
async fn metrics_and_probes_are_served_on_a_separate_listener() {
    let here = folder();
    let free = reserved().to_string();
    let served = Served::start(here.path(), &["--metrics-listen", &free]).await;
    served.post("/v1/embedded/quote", &bodies::quote()).await;
    let text = served
        .client
        .get(format!("http://{free}/metrics"))
        .send()
        .await
        .expect("an answer")
        .text()
        .await
        .expect("text");
    for wanted in [
        r#"covernote_http_requests_total{method="POST",route="/v1/embedded/quote",status="200"} 1"#,
        "covernote_http_request_seconds_bucket",
        "covernote_storage_group_size_bucket",
        "covernote_storage_commit_seconds_bucket",
        "covernote_storage_queue_length",
        "covernote_build_info",
    ] {
        assert!(text.contains(wanted), "{wanted} is missing: {text}");
    }
    for probe in ["livez", "readyz"] {
        let answer = served.client.get(format!("http://{free}/{probe}")).send().await.expect("an answer");
        assert_eq!(answer.status().as_u16(), 200, "{probe}");
    }
    let on_api =
        served.client.get(format!("{}/metrics", served.server.base)).send().await.expect("an answer");
    assert_eq!(on_api.status().as_u16(), 404);
}

#[tokio::test]
async fn the_ready_command_reports_whether_the_running_server_is_ready() {
    let here = folder();
    let free = reserved().to_string();
    fs::write(here.path().join("covernote.toml"), format!("metrics_listen = \"{free}\"\n"))
        .expect("settings");
    let ready = || run(here.path(), &["ready"]);
    assert_eq!(ready().status.code(), Some(69), "nothing listens");
    assert!(stderr(&ready()).contains(&free), "{}", stderr(&ready()));

    let _served = Served::start(here.path(), &[]).await;
    assert_eq!(ready().status.code(), Some(0), "{}", stderr(&ready()));
    assert!(stdout(&ready()).contains(r#""status":"ready""#));

    fs::write(here.path().join("covernote.toml"), "tls_certificate = \"a.pem\"\ntls_key = \"a.key\"\n")
        .expect("settings");
    assert_eq!(ready().status.code(), Some(78), "its probes need metrics_listen");
}

#[tokio::test]
async fn a_hangup_signal_applies_a_changed_log_level() {
    let here = folder();
    let level = |level: &str| {
        fs::write(here.path().join("covernote.toml"), format!("log_level = \"{level}\"\n"))
            .expect("settings");
    };
    level("warn");
    let free = reserved().to_string();
    let mut command = program(here.path());
    command.args(["serve", "--listen", &free, "--log-format", "json"]);
    let server = Server::spawned(command);
    let answers = async || reqwest::get(format!("http://{free}/v1/policies")).await.is_ok();
    waits_for(async || answers().await).await;
    server.logged();
    assert!(answers().await);
    level("info");
    server.signal(Signal::HUP);
    let mut lines = Vec::new();
    waits_for(async || {
        answers().await;
        lines.extend(server.logged());
        lines.iter().any(|line| line.contains("/v1/policies answered 401"))
    })
    .await;
    assert!(lines.iter().any(|line| line.contains("the log level is info")), "{lines:?}");
    level("loud");
    server.signal(Signal::HUP);
    waits_for(async || server.logged().iter().any(|line| line.contains("the log level was not changed")))
        .await;
}

#[test]
fn the_man_command_writes_a_manual_page_for_a_subcommand() {
    let here = folder();
    let done = run(here.path(), &["man", "."]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let page = fs::read_to_string(here.path().join("covernote-policy-list.1")).expect("a page");
    assert!(page.contains(".TH covernote-policy-list 1"), "{page}");
}

#[tokio::test]
async fn each_request_is_one_log_line_with_its_route_and_partner() {
    let here = folder();
    let served = Served::start(here.path(), &[]).await;
    served.server.logged();
    let path = format!(
        "{}/v1/embedded/proposal/pro_01m5vvw3xreqg9aaa1afd2xg03/status?name=secret",
        served.server.base
    );
    served.client.get(path).bearer_auth(&served.token).send().await.expect("an answer");
    let mut lines: Vec<Value> = Vec::new();
    let ours = |line: &Value| line["http.status"] == 404;
    waits_for(async || {
        lines.extend(
            served
                .server
                .logged()
                .iter()
                .map(|line| serde_json::from_str::<Value>(line).expect("JSON lines")),
        );
        lines.iter().any(ours)
    })
    .await;
    lines.retain(ours);
    let [line] = &lines[..] else { panic!("{lines:#?}") };
    assert_eq!(line["http.route"], "/v1/embedded/proposal/{proposal_id}/status");
    assert_eq!((&line["http.status"], &line["partner.id"]), (&json!(404), &json!(served.partner_id())));
    assert!(line["request.id"].is_string() && line["duration_ms"].is_number());
    assert!(!line.to_string().contains("secret"), "no query in a log");
}

#[test]
fn an_environment_variable_sets_the_data_folder_if_no_flag_does() {
    let here = folder();
    let made = program(here.path())
        .env("COVERNOTE_DATA", "elsewhere")
        .args(["partner", "create", "A"])
        .output()
        .expect("it runs");
    assert_eq!(made.status.code(), Some(0));
    assert!(here.path().join("elsewhere/covernote.db").exists());
}

#[tokio::test]
async fn a_policy_that_a_command_issues_has_the_servers_base_address() {
    // D29, D30
    let here = folder();
    let served = Served::start(here.path(), &["--base-url", "https://cover.example"]).await;
    let (_, quote) = served.post("/v1/embedded/quote", &bodies::quote()).await;
    let quote = &quote["payload"];
    let body =
        bodies::proposal(&quote["quote_id"], &quote["recommendations"][0]["recommendation_id"], "SUBMITTED");
    let (_, proposal) = served.post("/v1/embedded/proposal", &body).await;
    let id = proposal["payload"]["proposal_id"].as_str().expect("an id");
    run(here.path(), &["proposal", "decide", id, "--status", "COMPLETED"]);
    let (_, status) = served.status(id).await;
    let address = status["payload"]["policy_url"].as_str().expect("an address");
    let path = address.strip_prefix("https://cover.example").expect("the server's own address");
    let pdf = served
        .client
        .get(format!("{}{path}", served.server.base))
        .send()
        .await
        .expect("an answer")
        .bytes()
        .await
        .expect("a PDF");
    let file = here.path().join("certificate.pdf");
    fs::write(&file, pdf).expect("written");
    let text = std::process::Command::new("pdftotext")
        .arg(&file)
        .arg("-")
        .output()
        .expect("pdftotext is required: install poppler-utils");
    let text = String::from_utf8_lossy(&text.stdout).split_whitespace().collect::<String>();
    assert!(text.contains("https://cover.example/certificate/"), "{text}");
}

#[tokio::test]
async fn after_a_clean_stop_the_database_is_one_complete_file() {
    let here = folder();
    let mut served = Served::start(here.path(), &[]).await;
    served.post("/v1/embedded/quote", &bodies::quote()).await;
    served.server.signal(Signal::TERM);
    assert_eq!(served.server.child.wait().expect("it stops").code(), Some(0));
    let log = fs::metadata(here.path().join("covernote-data/covernote.db-wal")).map_or(0, |log| log.len());
    assert_eq!(log, 0, "everything is in covernote.db");
}

#[tokio::test]
async fn probes_are_answered_while_idle_connections_use_up_a_low_open_file_limit() {
    // D131
    let here = folder();
    let mut command = Command::new("sh");
    let built = crate::support::program::built();
    command.current_dir(here.path()).arg("-c");
    command.arg(r#"ulimit -n 256; exec "$0" serve --demo --listen 127.0.0.1:0 --log-format json"#).arg(built);
    crate::support::program::without_settings(&mut command);
    let server = Server::listening(command);
    let address = server.base.trim_start_matches("http://").to_owned();
    let mut idle: Vec<_> =
        (0..200).map(|_| std::net::TcpStream::connect(&address).expect("connected")).collect();
    let client = Client::builder().timeout(Duration::from_secs(5)).build().expect("a client");
    // Connections above the limit use the room for probes until they are closed for silence.
    idle.truncate(140);
    let probe = async || {
        client.get(format!("{}/readyz", server.base)).send().await.map(|answer| answer.status().as_u16())
    };
    waits_for(async || probe().await.is_ok_and(|status| status == 200)).await;
    let refused = client.get(format!("{}/v1/embedded/options", server.base)).send().await.expect("an answer");
    assert_eq!(refused.status().as_u16(), 503, "there is room for probes alone");
}

#[test]
fn a_connection_without_a_complete_header_is_closed_after_the_header_deadline() {
    use std::io::Read;
    let here = folder();
    fs::write(here.path().join("covernote.toml"), "header_deadline_ms = 500\n").expect("written");
    let server = Server::start(here.path(), &[]);
    let address = server.base.strip_prefix("http://").expect("http");
    for beginning in [&b""[..], b"P", b"GET / HTTP/1.1\r\nHost: x\r\n"] {
        let mut connection = std::net::TcpStream::connect(address).expect("it listens");
        std::io::Write::write_all(&mut connection, beginning).expect("sent");
        connection.set_read_timeout(Some(Duration::from_secs(10))).expect("set");
        let mut rest = Vec::new();
        connection
            .read_to_end(&mut rest)
            .unwrap_or_else(|_| panic!("{beginning:?} holds a connection for more than 10 seconds"));
    }
}

#[test]
fn an_unrelated_environment_variable_that_is_not_utf8_is_ignored() {
    use std::os::unix::ffi::OsStrExt;
    let here = folder();
    let odd = std::ffi::OsStr::from_bytes(b"caf\xe9");
    let made = program(here.path())
        .env("LEGACY_NAME", odd)
        .args(["partner", "create", "A"])
        .output()
        .expect("it runs");
    assert_eq!(made.status.code(), Some(0), "{}", stderr(&made));
}

#[test]
fn simultaneous_first_commands_create_only_one_store() {
    let here = folder();
    let both: Vec<_> = (0..4)
        .map(|n| {
            let mut command = program(here.path());
            command.args(["partner", "create", &format!("Partner {n}")]);
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped());
            command.spawn().expect("it starts")
        })
        .collect();
    for one in both {
        let done = one.wait_with_output().expect("it ends");
        assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    }
    let list: Value =
        serde_json::from_str(&stdout(&run(here.path(), &["partner", "list", "--json"]))).expect("JSON");
    assert_eq!(list["partners"].as_array().map(Vec::len), Some(4));
}

#[tokio::test]
async fn links_of_the_developer_site_and_the_document_have_the_path_of_the_base_url() {
    let here = tempfile::tempdir().expect("a folder");
    let server = Server::start(here.path(), &["--demo", "--base-url", "https://lender.example/cover"]);
    let get = async |path: &str| {
        let answer = reqwest::get(format!("{}{path}", server.base)).await.expect("an answer");
        answer.text().await.expect("text")
    };
    for path in
        ["/docs", "/docs/quotes", "/docs/errors/V4000", "/docs/reference", "/docs/search?q=a", "/docs/none"]
    {
        let page = get(path).await;
        let links = [" href=\"/", " src=\"/", " action=\"/"].map(|start| page.split(start).skip(1));
        let mut number = 0;
        for link in links.into_iter().flatten() {
            assert!(link.starts_with("cover/"), "{path}: {}", &link[..link.len().min(60)]);
            number += 1;
        }
        assert!(number > 5, "{path}: {number}");
    }
    let document: Value = serde_json::from_str(&get("/openapi.json").await).expect("JSON");
    assert_eq!(document["servers"], json!([{ "url": "/cover" }]));
}
