//! Repeated log lines. The first of equal warnings, errors or refusals is logged; the others are counted.

use std::collections::HashMap;
use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

/// Most different lines for which repetitions are counted. All further lines are logged.
const MOST: usize = 1024;

/// Field that has the HTTP status in the log line of a request.
const STATUS: &str = "http.status";

/// HTTP statuses that anybody can cause as often as they like: wrong credentials, too many requests, service
/// unavailable. Only their log lines are counted; any other request gets a line with its id (D10).
const REFUSED: [u64; 3] = [401, 429, 503];

/// Number of repetitions of each line since the last [`Repeats::take`].
#[derive(Clone, Default)]
pub(super) struct Repeats(Arc<Mutex<HashMap<String, u64>>>);

impl Repeats {
    /// Returns the repeated lines with their number of repetitions, and resets all counts.
    pub(super) fn take(&self) -> Vec<(String, u64)> {
        std::mem::take(&mut *self.counts()).into_iter().filter(|(_, again)| *again > 0).collect()
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_first(&self, message: String) -> bool {
        let mut counts = self.counts();
        if let Some(again) = counts.get_mut(&message) {
            *again += 1;
            return false;
        }
        if counts.len() < MOST {
            counts.insert(message, 0);
        }
        true
    }
}

impl<S: Subscriber> Layer<S> for Repeats {
    fn event_enabled(&self, event: &Event<'_>, _: Context<'_, S>) -> bool {
        let metadata = event.metadata();
        let counts = match metadata.fields().field(STATUS) {
            Some(_) => {
                let mut status = Status::default();
                event.record(&mut status);
                status.0.is_some_and(|status| REFUSED.contains(&status))
            }
            None => *metadata.level() <= Level::WARN,
        };
        if !counts {
            return true;
        }
        let mut message = Message::default();
        event.record(&mut message);
        self.is_first(message.0)
    }
}

/// Reads the HTTP status from the fields of a log line.
#[derive(Default)]
struct Status(Option<u64>);

impl Visit for Status {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == STATUS {
            self.0 = Some(value);
        }
    }

    fn record_debug(&mut self, _: &Field, _: &dyn Debug) {}
}

/// Reads the message from the fields of a log line. Lines with the same message are equal.
#[derive(Default)]
struct Message(String);

impl Visit for Message {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            let _ = write!(self.0, "{value:?}");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use tracing_subscriber::layer::SubscriberExt;
    use tracing_subscriber::registry;

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<AtomicUsize>);

    impl<S: Subscriber> Layer<S> for Lines {
        fn on_event(&self, _: &Event<'_>, _: Context<'_, S>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn a_repeated_refusal_is_logged_once_and_then_only_counted() {
        let (repeats, lines) = (Repeats::default(), Lines::default());
        let refuse = || {
            for number in 0..5 {
                tracing::error!(request.id = number, http.status = 503_u16, "the store is away");
                tracing::error!(request.id = number, http.status = 500_u16, "a handler panicked");
                tracing::info!(http.status = 401_u16, "answered 401");
                tracing::info!(http.status = 404_u16, "answered 404");
                tracing::info!("answered");
            }
            tracing::warn!("another one");
        };
        let subscriber = registry().with(repeats.clone()).with(lines.clone());
        tracing::subscriber::with_default(subscriber, refuse);
        assert_eq!(lines.0.load(Ordering::SeqCst), 1 + 5 + 1 + 5 + 5 + 1);
        let mut again = repeats.take();
        again.sort();
        assert_eq!(again, [("answered 401".to_owned(), 4), ("the store is away".to_owned(), 4)]);
        assert_eq!(repeats.take(), []);
    }
}
