//! Load generators: `wrk` sends as fast as it gets answers, `h2load` at a fixed rate or as fast as possible.

use std::fs;
use std::process::Stdio;

use tokio::process::Command;

use crate::{Bench, Fault};

/// Request that a load repeats.
#[derive(Debug, Clone, Default)]
pub(crate) struct Request {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) body: Option<String>,
    pub(crate) token: Option<String>,
    pub(crate) cookie: Option<String>,
    /// Whether every request must be refused.
    pub(crate) refused: bool,
}

impl Request {
    pub(crate) fn get(path: impl Into<String>, token: &str) -> Self {
        Request { method: "GET", path: path.into(), token: Some(token.to_owned()), ..Request::default() }
    }

    pub(crate) fn post(path: &str, body: &str, token: &str) -> Self {
        let (path, body, token) = (path.to_owned(), Some(body.to_owned()), Some(token.to_owned()));
        Request { method: "POST", path, body, token, ..Request::default() }
    }
}

/// Result of a load.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured {
    pub(crate) requests: f64,
    pub(crate) seconds: f64,
    /// Latency in milliseconds: the median, then the 99th and 99.9th percentiles.
    pub(crate) p50: f64,
    pub(crate) p99: f64,
    pub(crate) p999: f64,
}

impl Measured {
    pub(crate) fn per_second(&self) -> f64 {
        self.requests / self.seconds
    }

    /// Joins simultaneous loads. Requests are added; times are the longest.
    pub(crate) fn together(all: &[Measured]) -> Measured {
        let most = |of: fn(&Measured) -> f64| all.iter().map(of).fold(0.0, f64::max);
        Measured {
            requests: all.iter().map(|one| one.requests).sum(),
            seconds: most(|one| one.seconds),
            p50: most(|one| one.p50),
            p99: most(|one| one.p99),
            p999: most(|one| one.p999),
        }
    }
}

/// Loads an address with `wrk`, as fast as it answers.
///
/// # Errors
/// If a request got an unexpected response or none.
pub(crate) async fn closed(
    bench: &Bench,
    address: &str,
    request: &Request,
    connections: usize,
    seconds: u64,
) -> Result<Measured, Fault> {
    let mut command = Command::new("wrk");
    command.args(["-t1", &format!("-c{connections}"), &format!("-d{seconds}s"), "--latency", "-s"]);
    command.arg(bench.files.join("load.lua")).arg(format!("http://{address}{}", request.path));
    command.env("METHOD", request.method);
    for (name, value) in [("BODY", &request.body), ("TOKEN", &request.token), ("COOKIE", &request.cookie)] {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let output = command.stderr(Stdio::inherit()).output().await?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text.lines().find_map(|line| line.strip_prefix("measured "));
    let numbers =
        line.map(|line| line.split(' ').map(str::parse::<f64>).collect::<Result<Vec<_>, _>>()).transpose()?;
    let Some([requests, micros, p50, p99, p999, refused, broken]) = numbers.as_deref() else {
        return Err(format!("wrk failed: {text}").into());
    };
    let expected = if request.refused { *requests } else { 0.0 };
    if *refused != expected || *broken > 0.0 {
        let path = &request.path;
        return Err(format!(
            "of {requests} requests for {path}, {refused} were refused and {broken} got no response"
        )
        .into());
    }
    let [p50, p99, p999] = [p50, p99, p999].map(|micros| micros / 1000.0);
    Ok(Measured { requests: *requests, seconds: micros / 1e6, p50, p99, p999 })
}

/// Response with its latency.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Answer {
    pub(crate) status: i32,
    pub(crate) micros: u64,
}

/// Loads an address with `h2load`. Returns every response after one second of warm-up.
///
/// With a rate, each connection sends its share. If a response is late, the connection's next request is late
/// too. Without a rate, requests are sent as fast as they are answered.
pub(crate) async fn told(
    bench: &Bench,
    address: &str,
    request: &Request,
    connections: usize,
    per_second: Option<f64>,
    seconds: u64,
) -> Result<Vec<Answer>, Fault> {
    let (log, body) = (bench.folder.path().join("answers"), bench.folder.path().join("body"));
    let _ = fs::remove_file(&log);
    let mut command = Command::new("h2load");
    command.args(["--h1", "--warm-up-time=1s", "-c", &connections.to_string()]);
    command.args(per_second.map(|rate| format!("--rps={}", rate / connections as f64)));
    command.arg(format!("-D{seconds}s"));
    command.arg(format!("--log-file={}", log.display()));
    if let Some(token) = &request.token {
        command.arg("-H").arg(format!("Authorization: Bearer {token}"));
    }
    if let Some(text) = &request.body {
        fs::write(&body, text)?;
        command.args(["-H", "Content-Type: application/json", "-d"]).arg(&body);
    }
    let output = command.arg(format!("http://{address}{}", request.path)).output().await?;
    if !output.status.success() {
        return Err(format!("h2load failed: {}", String::from_utf8_lossy(&output.stdout)).into());
    }
    let answers = fs::read_to_string(&log)?;
    let answer = |line: &str| {
        let mut fields = line.split('\t').skip(1);
        Some(Answer { status: fields.next()?.parse().ok()?, micros: fields.next()?.parse().ok()? })
    };
    Ok(answers.lines().filter_map(answer).collect())
}
