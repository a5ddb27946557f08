//! Logs: pretty on a terminal, JSON lines otherwise, always on stderr.

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
/// [`Failure::Configuration`] for a format or level that there is not.
pub(crate) fn start(settings: &Settings) -> Result<(), Failure> {
    let level = &settings.log_level;
    let wanted = "error, warn, info, debug, trace, or target=level pairs with commas between";
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

/// From now on a panic tells its place alone: what it says may hold what a customer said.
pub(crate) fn hide_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map_or_else(|| "an unknown place".into(), ToString::to_string);
        if tracing::dispatcher::has_been_set() {
            tracing::error!(panic.place = place, "a panic at {place}");
        } else {
            output::message(&format!("covernote: a panic at {place}"));
        }
    }));
}

/// Whether an element of the log level is one. The library takes any other word for the name of a target, and would
/// then log nothing at all.
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
    fn only_levels_and_targets_with_levels_say_what_to_log() {
        for good in ["info", "WARN", "info,web=debug", "off"] {
            assert!(good.split(',').all(is_directive), "{good}");
        }
        for bad in ["warning", "", "info,,", "info web=debug", "=info", "web=loud"] {
            assert!(!bad.split(',').all(is_directive), "{bad}");
        }
    }
}
