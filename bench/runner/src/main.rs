//! Program of `bench/run`: starts servers, loads them in turn, and prints tables.
//!
//! `runner <built> <bench> [part]…`: `built` is the folder of the built programs, `bench` that of the benchmarks.
//! Each server has its own store. `bench/README.md` says how to read the tables.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a benchmark's tables and its progress")]

mod client;
mod half_load;
mod hostile;
mod load;
mod numbers;
mod overload;
mod postgres;
mod recommendation;
mod requests;
mod server;
mod slow_disk;
mod start;
mod webhooks;

use std::env;
use std::error::Error;
use std::path::PathBuf;
use std::str::FromStr;

use tempfile::TempDir;

/// Error that ends a run.
pub(crate) type Fault = Box<dyn Error>;

/// Quote request of an ordinary borrower. Most measurements send it.
pub(crate) const QUOTE: &str =
    r#"{"date_of_birth":"15/06/1990","gender":"FEMALE","cover_amount":"500000.00","policy_term":24}"#;

/// Folders and settings of a run.
pub(crate) struct Bench {
    /// Folder of the built programs.
    pub(crate) built: PathBuf,
    /// Folder of the benchmarks, with `load.lua` and `slow_sync.c`.
    pub(crate) files: PathBuf,
    /// Temporary folder with the stores.
    pub(crate) folder: TempDir,
    /// Number of rounds of each table.
    pub(crate) rounds: usize,
    /// Length of each measurement in seconds.
    pub(crate) seconds: u64,
    /// Number of connections of the load.
    pub(crate) connections: usize,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Fault> {
    let mut arguments = env::args().skip(1);
    let (Some(built), Some(files)) = (arguments.next(), arguments.next()) else {
        return Err("usage: runner <built> <bench> [part]…".into());
    };
    let mut parts: Vec<String> = arguments.collect();
    if parts.is_empty() {
        parts = [
            "requests",
            "half-load",
            "slow-disk",
            "overload",
            "recommendation",
            "start",
            "webhooks",
            "hostile",
        ]
        .map(str::to_owned)
        .into();
    }
    let bench = Bench {
        built: built.into(),
        files: files.into(),
        folder: tempfile::Builder::new().prefix("covernote-bench-").tempdir()?,
        rounds: setting("ROUNDS", 5)?,
        seconds: setting("SECONDS_EACH", 3)?,
        connections: setting("CONNECTIONS", 64)?,
    };
    for part in parts {
        step(&part);
        match part.as_str() {
            "requests" => requests::measure(&bench).await?,
            "half-load" => half_load::measure(&bench).await?,
            "slow-disk" => slow_disk::measure(&bench).await?,
            "overload" => overload::measure(&bench).await?,
            "recommendation" => recommendation::measure(&bench).await?,
            "start" => start::measure(&bench).await?,
            "webhooks" => webhooks::measure(&bench).await?,
            "hostile" => hostile::measure(&bench).await?,
            other => return Err(format!("{other} is not a part of the benchmarks").into()),
        }
    }
    Ok(())
}

/// Setting from an environment variable, or its default.
pub(crate) fn setting<T: FromStr>(name: &str, unless_set: T) -> Result<T, Fault> {
    match env::var(name) {
        Ok(text) => text.parse().map_err(|_| format!("{name}: {text:?} is not a valid value").into()),
        Err(_) => Ok(unless_set),
    }
}

/// Number of cores and name of the processor.
pub(crate) fn processor() -> String {
    let told = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name =
        told.lines().find(|line| line.starts_with("model name")).and_then(|line| line.split(": ").nth(1));
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    format!("{cores} cores of {}", name.unwrap_or("an unknown processor"))
}

/// Reports the progress of the run.
pub(crate) fn step(what: &str) {
    eprintln!("== {what}");
}
