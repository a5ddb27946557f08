//! Prometheus with `deploy/prometheus/alerts.yml`, on servers with faults. Each fault fires its alert, and
//! before it no other alert fires.
//! The rules use seconds here instead of minutes. `promtool` tests their durations (`alerts_test.yml`).

use std::collections::BTreeSet;
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::bodies;
use crate::cluster::Cluster;
use crate::full_disk::{SmallDisk, again_where_mounting_is_allowed};
use crate::http::{Connection, Request};
use crate::load::{QUOTE, RECOMMENDATION};
use crate::program::{ANYWHERE, MockInsurer, Server, catalogue_asking};
use crate::site::{Site, address};

const NAME: &str = "alerts::each_fault_fires_its_alert";

const RULES: &str = include_str!("../../../../deploy/prometheus/alerts.yml");

/// Longest wait for an alert.
const PATIENCE: Duration = Duration::from_secs(90);

fn free_port() -> SocketAddr {
    TcpListener::bind(ANYWHERE).expect("a port").local_addr().expect("bound")
}

/// A Prometheus that scrapes the given processes every second.
struct Prometheus {
    child: Child,
    at: SocketAddr,
    _folder: tempfile::TempDir,
}

impl Prometheus {
    fn start(targets: &[SocketAddr]) -> Prometheus {
        let folder = tempfile::tempdir().expect("a folder");
        let seconds = |text: &str| {
            let text = ["[5m]", "[15m]", "[30m]"]
                .iter()
                .fold(text.to_owned(), |text, long| text.replace(long, "[9s]"));
            text.replace("> 300", "> 3").replace("> 24 * 3600", "> 3")
        };
        let rules: Vec<String> =
            RULES.lines().filter(|line| !line.trim_start().starts_with("for: ")).map(seconds).collect();
        std::fs::write(folder.path().join("alerts.yml"), rules.join("\n")).expect("written");
        let targets: Vec<String> = targets.iter().map(SocketAddr::to_string).collect();
        let settings = format!(
            "global: {{ scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }}\nrule_files: [alerts.yml]\n\
             scrape_configs: [{{ job_name: covernote, static_configs: [{{ targets: {targets:?} }}] }}]\n"
        );
        std::fs::write(folder.path().join("prometheus.yml"), settings).expect("written");
        let at = free_port();
        let mut command = Command::new("prometheus");
        command.current_dir(folder.path()).arg("--config.file=prometheus.yml");
        command.args([format!("--web.listen-address={at}"), "--storage.tsdb.path=data".to_owned()]);
        let log = std::fs::File::create(folder.path().join("log")).expect("a file");
        let child = command.stdout(Stdio::null()).stderr(log).spawn().expect("install prometheus");
        Prometheus { child, at, _folder: folder }
    }

    /// The firing alerts, each with its process, if it names one.
    fn firing(&self) -> BTreeSet<(String, String)> {
        // With curl, because the answers may be chunked, which the HTTP client of these tests cannot read.
        // While it starts, Prometheus answers 503.
        let url = format!("http://{}/api/v1/alerts", self.at);
        let asked = Command::new("curl").args(["--silent", "--fail", &url]).output().expect("install curl");
        let answer: Value = serde_json::from_slice(&asked.stdout).unwrap_or_default();
        let alerts = answer["data"]["alerts"].as_array().cloned().unwrap_or_default();
        let text =
            |alert: &Value, label: &str| alert["labels"][label].as_str().unwrap_or_default().to_owned();
        alerts.iter().map(|alert| (text(alert, "alertname"), text(alert, "instance"))).collect()
    }

    #[track_caller]
    fn fires(&self, alert: &str, of: Option<SocketAddr>) {
        self.fires_while(alert, of, || std::thread::sleep(Duration::from_millis(200)));
    }

    #[track_caller]
    fn fires_while(&self, alert: &str, of: Option<SocketAddr>, meanwhile: impl Fn()) {
        let asked = Instant::now();
        let of = of.map_or_else(String::new, |of| of.to_string());
        while !self.firing().contains(&(alert.to_owned(), of.clone())) {
            assert!(asked.elapsed() < PATIENCE, "{alert} does not fire: {:?}", self.firing());
            meanwhile();
        }
    }

    #[track_caller]
    fn ends(&self, alert: &str, of: SocketAddr) {
        let asked = Instant::now();
        while self.firing().contains(&(alert.to_owned(), of.to_string())) {
            assert!(asked.elapsed() < PATIENCE, "{alert} goes on: {:?}", self.firing());
            std::thread::sleep(Duration::from_millis(200));
        }
    }
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server with its metrics at an address.
fn start(site: &Site, metrics: SocketAddr, arguments: &[&str]) -> Server {
    let mut serve = site.serve();
    serve.args(["--metrics-listen", &metrics.to_string()]).args(arguments);
    Server::listening(serve)
}

/// Sends a request `times` times in total from sixteen threads. Ignores the answers.
fn send(server: SocketAddr, token: &str, times: usize, request: &Request) {
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| {
                let mut connection = Connection::default();
                for _ in 0..times.div_ceil(16) {
                    let _ = connection.ask(server, Some(token), request);
                }
            });
        }
    });
}

#[test]
fn each_fault_fires_its_alert() {
    if !rustix::process::geteuid().is_root() {
        return again_where_mounting_is_allowed(NAME);
    }
    let cluster = Cluster::start();
    let mut on_postgres = Site::postgres(&cluster.database("alerts"));
    let folder = tempfile::tempdir().expect("a folder");
    let _disk = SmallDisk::mount(&folder.path().join("covernote-data"), 64);
    let mut on_sqlite = Site::at(folder, [("COVERNOTE_WEBHOOK_ALLOW", "127.0.0.1/32".to_owned())]);
    let silent = MockInsurer::sharing(on_sqlite.folder(), ANYWHERE, &["--hang-percent", "100"]);
    let catalogue = catalogue_asking(on_sqlite.folder(), &[("kalpanik", &silent.url)]);
    let sqlite_arguments = ["--workers", "0", "--catalogue", &catalogue];

    let (postgres_metrics, sqlite_metrics) = (free_port(), free_port());
    let postgres = start(&on_postgres, postgres_metrics, &[]);
    let mut sqlite = start(&on_sqlite, sqlite_metrics, &sqlite_arguments);
    let (at_postgres, at_sqlite) = (address(&postgres), address(&sqlite));
    let prometheus = Prometheus::start(&[postgres_metrics, sqlite_metrics]);
    let (postgres_token, sqlite_token) = (on_postgres.token(&postgres), on_sqlite.token(&sqlite));
    send(at_postgres, &postgres_token, 32, &Request::post(QUOTE, &bodies::quote()));

    // This server's disk is small from the start. Nothing else is wrong yet.
    prometheus.fires("CovernoteDiskFillsUp", Some(sqlite_metrics));
    assert_eq!(prometheus.firing().len(), 1, "{:?}", prometheus.firing());

    // No workers run, an insurer does not answer, and a partner's server is gone.
    let partner = on_sqlite.partner().to_string();
    let gone = format!("http://{}/hooks", free_port());
    let added = on_sqlite
        .program()
        .args(["webhook", "add", "--partner", &partner, "--url", &gone, "--type", "*"])
        .output();
    assert!(added.expect("it starts").status.success());
    send(at_sqlite, &sqlite_token, 1, &Request::post(RECOMMENDATION, &bodies::recommendation()));
    send(at_sqlite, &sqlite_token, 48, &Request::post(QUOTE, &bodies::quote()));
    let quote =
        Connection::default().ask(at_sqlite, Some(&sqlite_token), &Request::post(QUOTE, &bodies::quote()));
    let quote = quote.expect("an answer").json()["payload"].clone();
    let items = quote["recommendations"].as_array().expect("a list");
    let item = items.iter().find(|item| item["is_error"] == false).expect("one that is priced");
    let proposal = bodies::proposal(&quote["quote_id"], &item["recommendation_id"], "SUBMITTED");
    send(at_sqlite, &sqlite_token, 1, &Request::post(crate::load::PROPOSAL, &proposal));
    prometheus.fires("CovernoteInsurerResting", None);
    prometheus.fires("CovernoteInsurerSlow", None);
    prometheus.fires("CovernoteJobsLate", Some(sqlite_metrics));
    prometheus.fires("CovernoteEndpointFails", Some(sqlite_metrics));

    // Other clients take the database's free connections.
    let eaten = cluster.eat_free_connections();
    prometheus.fires("CovernoteSessionsRunOut", Some(postgres_metrics));
    drop(eaten);

    // The database goes down, and comes back.
    cluster.stop();
    prometheus.fires("CovernoteStoreUnavailable", Some(postgres_metrics));
    let quote = Request::post(QUOTE, &bodies::quote());
    prometheus.fires_while("CovernoteRefuses", Some(postgres_metrics), || {
        send(at_postgres, &postgres_token, 16, &quote);
    });
    cluster.start_again();
    prometheus.ends("CovernoteStoreUnavailable", postgres_metrics);

    // A process is killed repeatedly.
    for _ in 0..4 {
        sqlite.kill();
        sqlite = start(&on_sqlite, sqlite_metrics, &sqlite_arguments);
        std::thread::sleep(Duration::from_millis(1500));
    }
    prometheus.fires("CovernoteRestarts", Some(sqlite_metrics));
    sqlite.kill();
    prometheus.fires("CovernoteDown", Some(sqlite_metrics));
}
