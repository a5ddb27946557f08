//! Logs on stderr: pretty on a terminal, JSON lines otherwise.

use std::io::IsTerminal;

use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Layer, fmt, registry};

use crate::failure::Failure;
use crate::output;
use crate::settings::Settings;

/// Starts logging.
///
/// # Errors
/// [`Failure::Configuration`] for an unknown format or level.
pub(crate) fn start(settings: &Settings) -> Result<(), Failure> {
    let level = &settings.log_level;
    let wanted = "error, warn, info, debug, trace, or target=level pairs separated by commas";
    let filter: Targets = Some(level)
        .filter(|level| level.split(',').all(is_directive))
        .and_then(|level| level.parse().ok())
        .ok_or_else(|| Failure::Configuration(format!("log_level: {level:?} is none of {wanted}")))?;
    let terminal = std::io::stderr().is_terminal();
    let pretty = match settings.log_format.as_str() {
        "auto" => terminal,
        "pretty" => true,
        "json" => false,
        other => {
            return Err(Failure::Configuration(format!(
                "log_format: {other:?} is none of auto, pretty, json"
            )));
        }
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
pub(crate) fn hide_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let location = panic.location().map_or_else(|| "an unknown location".into(), ToString::to_string);
        if tracing::dispatcher::has_been_set() {
            tracing::error!(panic.location = location, "panic at {location}");
        } else {
            output::message(&format!("covernote: panic at {location}"));
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
