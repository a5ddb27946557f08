//! How far something has come: on a terminal, and nowhere else.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How often it is drawn.
const DRAWN: Duration = Duration::from_millis(100);

/// A bar that is full once so many bytes are done.
pub(crate) fn bar(size: u64, what: &'static str) -> ProgressBar {
    let bar = drawn(ProgressBar::new(size), "{msg} [{bar:40}] {percent}% {eta} left");
    bar.set_message(what);
    bar
}

/// A line that says what is looked at, where nobody knows how much there is.
pub(crate) fn line() -> ProgressBar {
    let line = drawn(ProgressBar::new_spinner(), "{spinner} {msg}");
    line.enable_steady_tick(DRAWN);
    line
}

fn drawn(bar: ProgressBar, template: &str) -> ProgressBar {
    let target = if std::io::stderr().is_terminal() {
        ProgressDrawTarget::stderr_with_hz((1000 / DRAWN.as_millis()) as u8)
    } else {
        ProgressDrawTarget::hidden()
    };
    bar.set_draw_target(target);
    let style = ProgressStyle::with_template(template);
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
    bar
}
