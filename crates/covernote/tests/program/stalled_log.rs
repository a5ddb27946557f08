//! A stalled reader of the log costs log lines only.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::support::address::reserved;
use crate::support::program::{Server, program};

/// Requests that are sent together on one connection.
const AT_ONCE: usize = 100;

/// A server whose stdout and stderr are pipes that nobody reads.
struct Stalled {
    child: Child,
    address: SocketAddr,
    metrics: SocketAddr,
}

impl Stalled {
    fn start(folder: &Path, settings: &[(&str, &str)]) -> Stalled {
        let (address, metrics) = (reserved(), reserved());
        let mut serve: Command = program(folder);
        serve.args(["serve", "--listen", &address.to_string(), "--metrics-listen", &metrics.to_string()]);
        serve.args(["--log-format", "json"]).envs(settings.iter().copied());
        let child = serve.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let server = Stalled { child, address, metrics };
        let began = Instant::now();
        while TcpStream::connect(address).is_err() {
            assert!(began.elapsed() < Duration::from_secs(30), "it does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        server
    }

    /// Sends a request many times, and reads every response.
    fn asks(&self, request: &str, times: usize) {
        let mut stream = connect(self.address);
        for _ in 0..times.div_ceil(AT_ONCE) {
            stream.write_all(request.repeat(AT_ONCE).as_bytes()).expect("sent");
            let mut responses = String::new();
            while responses.matches("HTTP/1.1 ").count() < AT_ONCE || !responses.ends_with('}') {
                let mut piece = [0; 1 << 16];
                let read = stream.read(&mut piece).expect("a response while the log stands still");
                assert!(read > 0, "the connection ended");
                responses.push_str(&String::from_utf8_lossy(&piece[..read]));
            }
        }
    }

    /// The value of a metric.
    fn metric(&self, name: &str) -> f64 {
        let text = get(self.metrics, "/metrics");
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_else(|| panic!("{text}"));
        line.trim().parse().expect("a number")
    }

    /// Stops the server. Returns its exit code.
    fn stops(&mut self) -> Option<i32> {
        let id = Pid::from_raw(self.child.id().cast_signed()).expect("a process");
        kill_process(id, Signal::TERM).expect("it is there");
        let told = Instant::now();
        loop {
            if let Some(ended) = self.child.try_wait().expect("a process") {
                return ended.code();
            }
            assert!(told.elapsed() < Duration::from_secs(30), "SIGTERM does not end it");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Stalled {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn connect(to: SocketAddr) -> TcpStream {
    let stream = TcpStream::connect(to).expect("a connection");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a limit");
    stream
}

/// The answer to a GET of a path.
fn get(at: SocketAddr, path: &str) -> String {
    let mut stream = connect(at);
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {at}\r\nConnection: close\r\n\r\n").expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer while the log stands still");
    answer
}

#[test]
fn a_stalled_log_reader_blocks_no_request_or_probe_and_dropped_lines_are_counted() {
    let here = tempfile::tempdir().expect("a folder");
    let mut server = Stalled::start(here.path(), &[]);
    let unknown = format!("GET /v1/nothing HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    // More lines than the pipe and the queue can hold.
    server.asks(&unknown, 20_000);
    for path in ["/livez", "/readyz"] {
        let answer = get(server.address, path);
        assert!(answer.starts_with("HTTP/1.1 200"), "{path}: {answer}");
    }
    let counted = || server.metric("covernote_log_lines_dropped_total ");
    let began = Instant::now();
    while counted() < 1000.0 {
        assert!(began.elapsed() < Duration::from_secs(20), "{} lines were dropped", counted());
        std::thread::sleep(Duration::from_millis(100));
    }
    // Once the log is read again, it says how many lines are missing.
    let stderr = BufReader::new(server.child.stderr.take().expect("a pipe"));
    let said = stderr.lines().map_while(Result::ok).find(|line| line.contains("log lines were dropped"));
    assert!(said.is_some_and(|line| line.contains("\"log.dropped\":")));
    assert_eq!(server.stops(), Some(0));
}

#[test]
fn sigterm_ends_a_server_whose_log_and_audit_trail_nobody_reads() {
    let here = tempfile::tempdir().expect("a folder");
    let mut server = Stalled::start(here.path(), &[("COVERNOTE_AUDIT", "stdout")]);
    let body = r#"{"client_id":"x","client_secret":"y"}"#;
    let refused = format!(
        "POST /v1/auth/token HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    );
    server.asks(&refused, 20_000);
    assert_eq!(server.stops(), Some(0));
}

#[tokio::test]
async fn repeated_refusals_are_combined_into_few_log_lines_with_their_number() {
    let here = tempfile::tempdir().expect("a folder");
    let server = Server::start(here.path(), &[]);
    let client = reqwest::Client::new();
    let url = format!("{}/v1/auth/token", server.base);
    let body = serde_json::json!({ "client_id": "x", "client_secret": "y" });
    for _ in 0..50 {
        let answer = client.post(&url).json(&body).send().await.expect("an answer");
        assert_eq!(answer.status(), 401);
    }
    let began = Instant::now();
    let mut lines: Vec<serde_json::Value> = Vec::new();
    let refusals = |lines: &[serde_json::Value]| -> u64 {
        let of_refusals = lines.iter().filter(|line| line["message"].to_string().contains("answered 401"));
        of_refusals.map(|line| line["repeated"].as_u64().unwrap_or(1)).sum()
    };
    while refusals(&lines) < 50 {
        assert!(began.elapsed() < Duration::from_secs(15), "{lines:#?}");
        std::thread::sleep(Duration::from_millis(100));
        lines.extend(server.logged().iter().map(|line| serde_json::from_str(line).expect("JSON")));
    }
    // At most one line in each period, and one line with the number of the others.
    let written = lines.iter().filter(|line| line["message"].to_string().contains("answered 401")).count();
    assert!(written <= 6, "{written} lines");
}
