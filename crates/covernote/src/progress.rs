//! Progress bars, on a terminal only.

use std::io::IsTerminal;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Time between two redraws.
const DRAWN: Duration = Duration::from_millis(100);

/// A progress bar over a number of bytes.
pub(crate) fn bar(size: u64, what: &'static str) -> ProgressBar {
    let bar = drawn(ProgressBar::new(size), "{msg} [{bar:40}] {percent}% {eta} left");
    bar.set_message(what);
    bar
}

/// A status line for work of unknown size.
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
