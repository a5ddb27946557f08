//! `covernote support`: one file with what a developer needs to find a fault. It has no personal data and no
//! secret.

use std::collections::VecDeque;
use std::fs::{self, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use service::clock::Clock;

use super::{block_on, doctor, ready, settings};
use crate::cli::{Support, VERSION};
use crate::failure::{Failure, Result};
use crate::output;
use crate::settings::{SETTINGS, Settings};
use crate::wiring::SystemClock;

/// Most lines of the log that the file for the developer contains.
const LINES: usize = 5000;

/// Most bytes of a log line. The rest becomes another line.
const LONGEST_LINE: u64 = 16 * 1024;

/// Most bytes of the metrics that the file for the developer contains.
const METRICS: usize = 4 * 1024 * 1024;

pub(super) fn run(Support { out, log, flags }: Support) -> Result<()> {
    let settings = settings(&flags)?;
    let now = SystemClock.now();
    let out = out
        .unwrap_or_else(|| PathBuf::from(now.strftime("covernote-support-%Y%m%dT%H%M%SZ.json").to_string()));
    let findings: Vec<Value> = doctor::findings(&settings, &flags).iter().map(doctor::to_json).collect();
    let bundle = json!({
        "made_at": now.to_string(),
        "version": VERSION,
        "settings": changed(&settings),
        "machine": machine(),
        "doctor": findings,
        "metrics": metrics(&settings),
        "log": log.as_deref().map(last_lines).transpose()?,
    });
    let broken = |cause: io::Error| Failure::Away(format!("{}: {cause}", out.display()));
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&out).map_err(broken)?;
    file.write_all(format!("{bundle:#}\n").as_bytes()).and_then(|()| file.sync_all()).map_err(broken)?;
    output::message(&format!("{}: read it before you send it.", out.display()));
    Ok(())
}

/// Settings that differ from the default.
fn changed(settings: &Settings) -> Value {
    let default = |name: &str| SETTINGS.iter().find(|known| known.name == name).map(|known| known.default);
    let values = settings.values().into_iter().filter(|(name, value)| default(name) != Some(value));
    values.map(|(name, value)| (name.to_owned(), Value::from(shown(name, value)))).collect()
}

/// A setting without its secrets. Addresses have only scheme, hosts and path. Shell commands are not shown.
fn shown(name: &str, value: String) -> String {
    match value.split_once("://") {
        Some((scheme, rest)) => {
            let rest = rest.rsplit_once('@').map_or(rest, |(_, rest)| rest);
            format!("{scheme}://{}", rest.split(['?', '#']).next().unwrap_or_default())
        }
        // A list of words, such as host=db password=…
        None if name == "database" && value != "sqlite" => "an address".to_owned(),
        _ if name == "claim_scanner" || value.starts_with("command:") => "a command".to_owned(),
        _ => value,
    }
}

fn machine() -> Value {
    let uname = rustix::system::uname();
    let line_of = |file: &str, start: &str| {
        let text = fs::read_to_string(file).unwrap_or_default();
        text.lines()
            .find_map(|line| line.strip_prefix(start))
            .map(|rest| rest.trim().trim_matches('"').to_owned())
    };
    json!({
        "system": line_of("/etc/os-release", "PRETTY_NAME="),
        "kernel": uname.release().to_string_lossy(),
        "architecture": uname.machine().to_string_lossy(),
        "processors": std::thread::available_parallelism().map_or(0, usize::from),
        "processor": line_of("/proc/cpuinfo", "model name\t:"),
        "memory": line_of("/proc/meminfo", "MemTotal:"),
    })
}

/// The metrics of the running process, or why there are none.
fn metrics(settings: &Settings) -> Value {
    if settings.metrics_listen.is_empty() {
        return "metrics_listen is not set".into();
    }
    let asked = block_on(ready::asked(&settings.metrics_listen, "/metrics", METRICS));
    asked.map_or_else(|fault| fault.to_string().into(), |text| text.lines().map(str::to_owned).collect())
}

/// The last [`LINES`] lines of a log. A line may be very long.
fn last_lines(file: &Path) -> Result<VecDeque<String>> {
    let broken = |cause: io::Error| Failure::BadData(format!("{}: {cause}", file.display()));
    let mut log: Box<dyn BufRead> = match file.to_str() {
        Some("-") => Box::new(io::stdin().lock()),
        _ => Box::new(BufReader::new(fs::File::open(file).map_err(broken)?)),
    };
    let mut lines = VecDeque::new();
    loop {
        let mut line = Vec::new();
        if log.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).map_err(broken)? == 0 {
            return Ok(lines);
        }
        if lines.len() == LINES {
            lines.pop_front();
        }
        lines.push_back(String::from_utf8_lossy(&line).trim_end().to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_database_address_in_any_form_is_shown_without_its_password() {
        for address in [
            "postgres://covernote:s3cret@db.example/covernote",
            "postgresql://covernote:s3cret@db.example:5432,other.example/covernote?sslmode=require",
            "postgres://db.example/covernote?user=covernote&password=s3cret",
            "postgres://covernote:a@s3cret@db.example/covernote",
            "host=db.example user=covernote password=s3cret",
            "password='s3cret' host=db.example",
            "postgres:covernote:s3cret@db.example",
        ] {
            let shown = shown("database", address.to_owned());
            assert!(!shown.is_empty() && !shown.contains("s3cret"), "{shown}");
        }
    }
}
