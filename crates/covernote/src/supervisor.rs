//! Tells the service manager, such as systemd, that this process is ready, alive or stopping. Does nothing if
//! there is no service manager.

use sd_notify::{NotifyState, watchdog_enabled};
use tokio::time::interval;

/// Tells the service manager that the process is ready. From then on, tells it regularly that the process is
/// alive.
pub(crate) fn ready(status: &str) {
    say(&[NotifyState::Ready, NotifyState::Status(status)]);
    if let Some(limit) = watchdog_enabled() {
        // A third of the limit: the manager restarts a process that is silent for the whole limit.
        let mut period = interval(limit / 3);
        tokio::spawn(async move {
            loop {
                period.tick().await;
                say(&[NotifyState::Watchdog]);
            }
        });
    }
}

/// Tells the service manager that the process is stopping.
pub(crate) fn stopping() {
    say(&[NotifyState::Stopping, NotifyState::Status("Requests in flight finish")]);
}

fn say(states: &[NotifyState<'_>]) {
    if let Err(cause) = sd_notify::notify(states) {
        tracing::warn!("the service manager could not be notified: {cause}");
    }
}
