//! Log on stderr: readable text on a terminal, otherwise JSON lines.
//!
//! A separate thread writes the lines. If the reader of stderr is slow or blocked, lines are lost, but the
//! process is not blocked.

mod repeats;

use std::io::{self, BufWriter, IsTerminal, Write};
use std::sync::OnceLock;
use std::sync::mpsc::channel;
use std::time::Duration;

use tracing_appender::non_blocking::{ErrorCounter, NonBlockingBuilder, WorkerGuard};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{Registry, fmt, registry, reload};

use repeats::Repeats;

/// Most lines that can wait to be written, about 6 MB. Further lines are dropped and counted.
const WAITING: usize = 16_384;

/// Number of bytes that are written at once. A pipe takes up to this size as one unit, even if several
/// processes write to it.
const PIECE: usize = 4096;

/// Longest time to write the last lines at the end of the process.
const LONGEST_END: Duration = Duration::from_secs(2);

/// Handle by which the log level of the process is changed.
static LEVEL: OnceLock<reload::Handle<Targets, Registry>> = OnceLock::new();

/// A log setting that is invalid.
#[derive(Debug, thiserror::Error)]
pub enum LogFault {
    #[error(
        "log_level: {0:?} is not error, warn, info, debug, trace, or target=level pairs separated by commas"
    )]
    Level(String),
    #[error("log_format: {0:?} is not auto, pretty or json")]
    Format(String),
}

/// Log of a process. When it is dropped, lines that still wait are written for at most two seconds.
#[must_use = "lines that wait are lost with the process"]
pub struct Log {
    writer: Option<WorkerGuard>,
    dropped: ErrorCounter,
    repeats: Repeats,
    told_dropped: usize,
}

impl Log {
    /// Number of lines that were dropped because stderr was read too slowly.
    pub fn dropped_lines(&self) -> u64 {
        self.dropped.dropped_lines() as u64
    }

    /// Logs each repeated warning or error with its number of repetitions, and the number of dropped lines,
    /// since the last call.
    pub fn tell(&mut self) {
        for (message, again) in self.repeats.take() {
            tracing::warn!(repeated = again, "repeated {again} times: {message}");
        }
        let dropped = self.dropped.dropped_lines();
        if dropped > self.told_dropped {
            let number = dropped - self.told_dropped;
            tracing::warn!(
                log.dropped = number,
                "{number} log lines were dropped: stderr is read too slowly"
            );
            self.told_dropped = dropped;
        }
    }
}

impl Drop for Log {
    fn drop(&mut self) {
        self.tell();
        let writer = self.writer.take();
        within(LONGEST_END, move || drop(writer));
    }
}

/// Runs work on a separate thread, because a blocked reader could stop it forever. `None` if it takes longer
/// than `limit`; it is then abandoned.
pub fn within<T: Send + 'static>(limit: Duration, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
    let (done, outcome) = channel();
    let work = move || drop(done.send(work()));
    std::thread::Builder::new().spawn(work).ok()?;
    outcome.recv_timeout(limit).ok()
}

/// Starts logging at `level`. `format` is `pretty`, `json` or `auto`; `auto` means `pretty` on a terminal and
/// otherwise `json`. If a warning or error repeats, it is only counted ([`Log::tell`]).
///
/// # Errors
/// [`LogFault`] for an unknown level or format.
pub fn start(level: &str, format: &str) -> Result<Log, LogFault> {
    let (filter, handle) = reload::Layer::new(targets(level)?);
    let _ = LEVEL.set(handle);
    let terminal = std::io::stderr().is_terminal();
    let pretty = match format {
        "auto" => terminal,
        "pretty" => true,
        "json" => false,
        other => return Err(LogFault::Format(other.to_owned())),
    };
    let to = BufWriter::with_capacity(PIECE, std::io::stderr());
    let (lines, writer) =
        NonBlockingBuilder::default().buffered_lines_limit(WAITING).thread_name("log").finish(to);
    let repeats = Repeats::default();
    let (dropped, levels) = (lines.error_counter(), registry().with(filter).with(repeats.clone()));
    let layer = fmt::layer().with_writer(lines);
    match pretty {
        true => levels.with(layer.map_writer(OneLine).with_ansi(terminal).with_target(false)).init(),
        false => {
            levels.with(layer.json().flatten_event(true).with_current_span(true).with_span_list(false)).init()
        }
    }
    Ok(Log { writer: Some(writer), dropped, repeats, told_dropped: 0 })
}

/// Writer of text lines that escapes control characters, so that no text in a line can imitate another line or change
/// the terminal. Colours stay.
struct OneLine<M>(M);

impl<'a, M: MakeWriter<'a>> MakeWriter<'a> for OneLine<M> {
    type Writer = Escaped<M::Writer>;

    fn make_writer(&'a self) -> Self::Writer {
        Escaped(self.0.make_writer())
    }
}

struct Escaped<W>(W);

impl<W: Write> Write for Escaped<W> {
    /// Writes one line, which the layer passes whole.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.write_all(escaped(&String::from_utf8_lossy(line)).as_bytes()).map(|()| line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

fn escaped(line: &str) -> String {
    let (text, end) = line.strip_suffix('\n').map_or((line, ""), |text| (text, "\n"));
    let mut safe = String::with_capacity(line.len());
    let mut rest = text;
    while let Some(at) = rest.find(char::is_control) {
        let (before, from) = rest.split_at(at);
        safe.push_str(before);
        let colour = from.strip_prefix("\u{1b}[").and_then(|code| {
            let digits = code.find(|c: char| !c.is_ascii_digit() && c != ';')?;
            code[digits..].starts_with('m').then_some(digits + 3)
        });
        let next = from.chars().next().map_or(0, char::len_utf8);
        match colour {
            Some(length) => safe.push_str(&from[..length]),
            None => safe.extend(from[..next].chars().flat_map(char::escape_default)),
        }
        rest = &from[colour.unwrap_or(next)..];
    }
    safe + rest + end
}

/// Changes the log level of the process.
///
/// # Errors
/// [`LogFault::Level`] for an unknown level.
pub fn set_level(level: &str) -> Result<(), LogFault> {
    let targets = targets(level)?;
    if let Some(handle) = LEVEL.get() {
        let _ = handle.reload(targets);
    }
    Ok(())
}

fn targets(level: &str) -> Result<Targets, LogFault> {
    Some(level)
        .filter(|level| level.split(',').all(is_directive))
        .and_then(|level| level.parse().ok())
        .ok_or_else(|| LogFault::Level(level.to_owned()))
}

/// Lets a panic log only its source location, because its message could contain a customer's data.
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

/// Whether an element of the log level is valid. This check is needed because the library takes any unknown
/// word as a target, and then logs nothing.
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
    fn control_characters_in_the_text_of_a_log_line_are_escaped() {
        let line = "\u{1b}[2m2026\u{1b}[0m INFO a name: x\n2026 ERROR \u{1b}[2J\u{7}\u{9b}31m\u{1b}\n";
        let safe = "\u{1b}[2m2026\u{1b}[0m INFO a name: x\\n2026 ERROR \\u{1b}[2J\\u{7}\\u{9b}31m\\u{1b}\n";
        assert_eq!(escaped(line), safe);
        assert_eq!(escaped("आयु\n"), "आयु\n");
    }

    #[test]
    fn a_log_setting_is_a_level_or_a_list_of_targets_with_levels() {
        for good in ["info", "WARN", "info,web=debug", "off"] {
            assert!(good.split(',').all(is_directive), "{good}");
        }
        for bad in ["warning", "", "info,,", "info web=debug", "=info", "web=loud"] {
            assert!(!bad.split(',').all(is_directive), "{bad}");
        }
    }
}
