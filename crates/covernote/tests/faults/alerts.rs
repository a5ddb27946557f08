//! Prometheus with `deploy/prometheus/alerts.yml`, on servers with faults. Each fault fires its alert.
//! The rules use seconds here instead of minutes. `promtool` tests their durations (`alerts_test.yml`).
//!
//! `CovernoteQueue` has no fault here: a process admits 256 requests at once and runs 16 jobs, each with one
//! write at a time, so that 1,024 writes wait only if a later change breaks these limits.

use std::collections::BTreeSet;
use std::fs::File;
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use storage::snapshot::Snapshot;

use crate::address::reserved;
use crate::bodies;
use crate::clock::MovedClock;
use crate::cluster::Cluster;
use crate::full_disk::{SmallDisk, again_where_mounting_is_allowed};
use crate::http::{Connection, Request};
use crate::load::{PROPOSAL, QUOTE, RECOMMENDATION};
use crate::program::{ANYWHERE, MockInsurer, Server, catalogue_asking, stderr};
use crate::shim::Watched;
use crate::site::{BASE_URL, Site, address};

const NAME: &str = "alerts::faults_of_store_insurers_endpoints_and_processes_fire_their_alerts";

const RULES: &str = include_str!("../../../../deploy/prometheus/alerts.yml");

/// Longest wait for an alert.
const PATIENCE: Duration = Duration::from_secs(90);

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
            let text = ["[5m]", "[15m]", "[30m]", "[1h]"]
                .iter()
                .fold(text.to_owned(), |text, long| text.replace(long, "[9s]"));
            let text = text.replace("> 300", "> 3").replace("> 24 * 3600", "> 3");
            text.replace("offset 1w", "offset 12s").replace("> 512 * 1024 * 1024", "> 8 * 1024 * 1024")
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
        let at = reserved();
        let mut command = Command::new("prometheus");
        command.current_dir(folder.path()).arg("--config.file=prometheus.yml");
        command.args([format!("--web.listen-address={at}"), "--storage.tsdb.path=data".to_owned()]);
        let log = std::fs::File::create(folder.path().join("log")).expect("a file");
        let child = command.stdout(Stdio::null()).stderr(log).spawn().expect("install prometheus");
        let prometheus = Prometheus { child, at, _folder: folder };
        let asked = Instant::now();
        while prometheus.read("query?query=up")["result"].as_array().is_none_or(Vec::is_empty) {
            assert!(asked.elapsed() < PATIENCE, "Prometheus reads no process");
            std::thread::sleep(Duration::from_millis(200));
        }
        prometheus
    }

    /// The data of an answer of its API. `null` while it starts.
    fn read(&self, path: &str) -> Value {
        // With curl, because the answers may be chunked, which the HTTP client of these tests cannot read.
        let url = format!("http://{}/api/v1/{path}", self.at);
        let asked = Command::new("curl").args(["--silent", "--fail", &url]).output().expect("install curl");
        serde_json::from_slice::<Value>(&asked.stdout).unwrap_or_default()["data"].take()
    }

    /// The firing alerts, each with its process, if it names one.
    fn firing(&self) -> BTreeSet<(String, String)> {
        let alerts = self.read("alerts")["alerts"].as_array().cloned().unwrap_or_default();
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
fn faults_of_store_insurers_endpoints_and_processes_fire_their_alerts() {
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

    let (postgres_metrics, sqlite_metrics) = (reserved(), reserved());
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
    let gone = format!("http://{}/hooks", reserved());
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
    send(at_sqlite, &sqlite_token, 1, &Request::post(PROPOSAL, &proposal));
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

/// A server with metrics whose log nobody reads. It is killed on drop.
struct Unread {
    child: Child,
    at: SocketAddr,
}

impl Unread {
    fn start(site: &Site, metrics: SocketAddr) -> Unread {
        let at = reserved();
        let mut serve = site.program();
        serve.args(["serve", "--listen", &at.to_string(), "--metrics-listen", &metrics.to_string()]);
        serve.args(["--base-url", BASE_URL]);
        let child = serve.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        let started = Instant::now();
        while TcpStream::connect(at).is_err() {
            assert!(started.elapsed() < PATIENCE, "it does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Unread { child, at }
    }
}

impl Drop for Unread {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Runs a command that must succeed.
#[track_caller]
fn done(site: &Site, arguments: &[&str]) {
    let ended = site.program().args(arguments).output().expect("it starts");
    assert!(ended.status.success(), "{arguments:?}: {}", stderr(&ended));
}

/// Makes every row of a table unreadable.
fn damage(site: &Site, table: &str) {
    let store = rusqlite::Connection::open(site.data().join(storage::sqlite::FILE)).expect("the store");
    store.execute(&format!("update {table} set body = x'00112233'"), ()).expect("damaged");
}

#[test]
fn faults_of_clock_disk_log_and_open_files_fire_their_alerts() {
    let cluster = Cluster::start();
    let ahead_site = Site::postgres(&cluster.database("ahead"));
    let mut slow_disk = Watched::on_a_slow_disk(Duration::ZERO);
    let mut full_site = Site::sqlite();
    let [ahead_metrics, slow_metrics, full_metrics] = [(); 3].map(|()| reserved());

    // The clock is wrong, or each commit takes three seconds.
    let mut serve = ahead_site.serve();
    serve.args(["--metrics-listen", &ahead_metrics.to_string()]);
    let _clock = MovedClock::of(&mut serve, ahead_site.folder(), 60);
    let _ahead = Server::listening(serve);
    let slow_token = slow_disk.site.token(&slow_disk.site.server());
    let mut serve = slow_disk.site.serve();
    serve.args(["--metrics-listen", &slow_metrics.to_string()]).env("FAULTS_SLOW_LOG", "3000000");
    let slow = Server::listening(serve);
    let full_token = full_site.token(&full_site.server());
    let full = Unread::start(&full_site, full_metrics);
    let prometheus = Prometheus::start(&[ahead_metrics, slow_metrics, full_metrics]);
    let quote = Request::post(QUOTE, &bodies::quote());
    prometheus.fires("CovernoteClockWrong", Some(ahead_metrics));
    for alert in ["CovernoteSlowCommits", "CovernoteSlow"] {
        let ask = || send(address(&slow), &slow_token, 16, &quote);
        prometheus.fires_while(alert, Some(slow_metrics), ask);
    }

    // A reader holds the log, and nobody reads stderr.
    let reader = Snapshot::of_folder(&full_site.data(), || false).expect("a snapshot");
    for alert in ["CovernoteLogGrows", "CovernoteLogLinesDropped"] {
        let ask = || send(full.at, &full_token, 160, &quote);
        prometheus.fires_while(alert, Some(full_metrics), ask);
    }
    drop(reader);

    // Idle connections need more files than the process may open.
    let id = full.child.id().to_string();
    let limited = Command::new("prlimit").args(["--pid", &id, "--nofile=256:256"]).status();
    assert!(limited.expect("install util-linux").success());
    let mut connections: Vec<Connection> = (0..190).map(|_| Connection::default()).collect();
    for connection in &mut connections {
        connection.ask(full.at, None, &Request::get("/livez")).expect("an answer");
    }
    prometheus.fires("CovernoteFilesRunOut", Some(full_metrics));
}

#[test]
fn stopped_sales_unreadable_rows_and_overdue_work_fire_their_alerts() {
    let mut site = Site::at(
        tempfile::tempdir().expect("a folder"),
        [("COVERNOTE_WEBHOOK_ALLOW", "127.0.0.1/32".into())],
    );
    let partner = site.partner().to_string();
    let hooks = format!("http://{}/hooks", reserved());
    let metrics = reserved();
    let prometheus = Prometheus::start(&[metrics]);
    let mut server = start(&site, metrics, &["--workers", "0"]);
    let token = site.token(&server);
    let quote = Request::post(QUOTE, &bodies::quote());
    send(address(&server), &token, 32, &quote);
    std::thread::sleep(Duration::from_secs(3));
    send(address(&server), &token, 48, &quote);
    prometheus.fires("CovernoteSalesStopped", None);

    // No process has workers, so that no event is sent.
    done(&site, &["webhook", "add", "--partner", &partner, "--url", &hooks, "--type", "*"]);
    let mut connection = Connection::default();
    let mut ask = |server: &Server, path: &str, body: &Value| {
        connection.ask(address(server), Some(&token), &Request::post(path, body)).expect("an answer")
    };
    let quoted = ask(&server, QUOTE, &bodies::quote()).json()["payload"].clone();
    let item =
        quoted["recommendations"].as_array().expect("a list").iter().find(|item| item["is_error"] == false);
    let proposal =
        bodies::proposal(&quoted["quote_id"], &item.expect("a price")["recommendation_id"], "SUBMITTED");
    assert!(ask(&server, PROPOSAL, &proposal).status < 300);
    prometheus.fires("CovernoteEventsWait", Some(metrics));

    // Rows that cannot be read: of a quote that is sold, and of jobs.
    let draft = bodies::proposal(&quoted["quote_id"], &item.expect("a price")["recommendation_id"], "DRAFT");
    for _ in 0..16 {
        ask(&server, RECOMMENDATION, &bodies::recommendation());
    }
    damage(&site, "embedded_quotes");
    damage(&site, "health_quotes");
    assert_eq!(ask(&server, PROPOSAL, &draft).status, 500);
    prometheus.fires("CovernoteErrors", Some(metrics));

    // The last backup is two days old, an answer to a complaint is late, and a deposit is used up.
    done(&site, &["backup", "copy.db"]);
    let backup = File::options().write(true).open(site.data().join("last-backup")).expect("a file");
    let made = backup.metadata().and_then(|about| about.modified()).expect("a time");
    backup.set_modified(made - Duration::from_hours(48)).expect("set");
    let complaint = ["--kind", "OTHER", "--from", "Asha, 98450 00000", "--text", "No answer."];
    done(&site, &[&["complaint", "add", "--received-on", "2026-01-05"][..], &complaint].concat());
    // What the sample catalogue puts into it.
    let all = ["FICTIONAL-GCL-101-0001", "--amount", "1000000000", "--reference", "UTR-1"];
    done(&site, &[&["deposit", "withdraw"][..], &all].concat());
    server.kill();
    let _server = start(&site, metrics, &[]);
    prometheus.fires("CovernoteBackupOld", Some(metrics));
    prometheus.fires("CovernoteDepositEmpty", None);
    prometheus.fires("CovernoteWorkLate", None);
    prometheus.fires("CovernoteJobsFail", None);
}
