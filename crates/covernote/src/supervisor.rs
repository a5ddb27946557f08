//! What a process says to the service manager that started it, such as systemd: that it is ready, that it lives, that it stops.
//! Started by hand, it says nothing.

use sd_notify::{NotifyState, watchdog_enabled};
use tokio::time::interval;

/// The process is ready to work. From now on it says that it lives, as often as the manager wants to hear it.
pub(crate) fn ready(status: &str) {
    say(&[NotifyState::Ready, NotifyState::Status(status)]);
    if let Some(limit) = watchdog_enabled() {
        // A third: the manager restarts a process of which it heard nothing for the whole.
        let mut period = interval(limit / 3);
        tokio::spawn(async move {
            loop {
                period.tick().await;
                say(&[NotifyState::Watchdog]);
            }
        });
    }
}

/// The process finishes what it does, and ends.
pub(crate) fn stopping() {
    say(&[NotifyState::Stopping, NotifyState::Status("Requests in flight finish")]);
}

fn say(states: &[NotifyState<'_>]) {
    if let Err(cause) = sd_notify::notify(states) {
        tracing::warn!("the service manager cannot be told: {cause}");
    }
}
