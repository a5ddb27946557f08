//! Logs on stderr: pretty on a terminal, JSON lines otherwise.

mod batch;
mod json_line;

use std::io::{IsTerminal, Write};

use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{fmt, registry};

use batch::Batch;
use json_line::JsonLines;

/// A setting of the log that is none.
#[derive(Debug, thiserror::Error)]
pub enum LogFault {
    /// The level.
    #[error(
        "log_level: {0:?} is none of error, warn, info, debug, trace, or target=level pairs separated by commas"
    )]
    Level(String),
    /// The format.
    #[error("log_format: {0:?} is none of auto, pretty, json")]
    Format(String),
    /// The system has no thread for it.
    #[error("the log cannot start: {0}")]
    Thread(std::io::Error),
}

/// The log of a process. When it is dropped, what waits is written, and from then on every line at once.
#[must_use = "lines that wait are lost with the process"]
pub struct Log(Option<Batch>);

impl Drop for Log {
    fn drop(&mut self) {
        if let Some(batch) = &self.0 {
            batch.end();
        }
    }
}

/// Starts logging: what `level` lets through, as `pretty` lines, as `json`, or by `auto` as the one on a terminal and the
/// other elsewhere. Lines of JSON below WARN may wait a moment for others.
///
/// # Errors
/// [`LogFault`] for an unknown level or format, or where the system has no thread for it.
pub fn start(level: &str, format: &str) -> Result<Log, LogFault> {
    let filter: Targets = Some(level)
        .filter(|level| level.split(',').all(is_directive))
        .and_then(|level| level.parse().ok())
        .ok_or_else(|| LogFault::Level(level.to_owned()))?;
    let terminal = std::io::stderr().is_terminal();
    let pretty = match format {
        "auto" => terminal,
        "pretty" => true,
        "json" => false,
        other => return Err(LogFault::Format(other.to_owned())),
    };
    let levels = registry().with(filter);
    if pretty {
        let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(terminal).with_target(false);
        levels.with(lines).init();
        return Ok(Log(None));
    }
    let batch = Batch::start(std::io::stderr()).map_err(LogFault::Thread)?;
    levels.with(JsonLines { to: batch.clone() }).init();
    Ok(Log(Some(batch)))
}

/// Makes panics log their source location only, since their message may hold a customer's data.
pub fn hide_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let location = panic.location().map_or_else(|| "an unknown location".into(), ToString::to_string);
        if tracing::dispatcher::has_been_set() {
            tracing::error!(panic.location = location, "panic at {location}");
        } else {
            let _ = writeln!(std::io::stderr().lock(), "covernote: panic at {location}");
        }
    }));
}

/// Whether an element of the log level is valid. The library takes any unknown word for the name of a target, and would
/// then log nothing.
fn is_directive(element: &str) -> bool {
    let is_level = |word: &str| {
        ["error", "warn", "info", "debug", "trace", "off"].contains(&word.to_lowercase().as_str())
    };
    let element = element.trim();
    match element.split_once('=') {
        Some((target, level)) => !target.is_empty() && !target.contains(' ') && is_level(level),
        None => is_level(element),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_level_is_a_level_or_targets_with_levels() {
        for good in ["info", "WARN", "info,web=debug", "off"] {
            assert!(good.split(',').all(is_directive), "{good}");
        }
        for bad in ["warning", "", "info,,", "info web=debug", "=info", "web=loud"] {
            assert!(!bad.split(',').all(is_directive), "{bad}");
        }
    }
}
