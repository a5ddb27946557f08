//! Logs on stderr: pretty on a terminal, JSON lines otherwise.

use std::io::{IsTerminal, Write};

use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt, registry};

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
}

/// Starts logging: what `level` lets through, as `pretty` lines, as `json`, or by `auto` as the one on a terminal and the
/// other elsewhere.
///
/// # Errors
/// [`LogFault`] for an unknown level or format.
pub fn start(level: &str, format: &str) -> Result<(), LogFault> {
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
    let layer = if pretty {
        fmt::layer().with_writer(std::io::stderr).with_ansi(terminal).with_target(false).boxed()
    } else {
        fmt::layer().with_writer(std::io::stderr).json().flatten_event(true).boxed()
    };
    registry().with(layer.with_filter(filter)).init();
    Ok(())
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
