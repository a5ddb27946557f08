//! Repeated lines: a warning or an error that comes again with the same words is counted, and told once with its number.

use std::collections::HashMap;
use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

/// Different lines that are counted at once. More are written.
const MOST: usize = 1024;

/// The status of a request that was refused because something is away or busy. Any other fault of a request has its own cause,
/// which its line names under the request's id (D10).
const REFUSED: u64 = 503;

/// How often each line came again since the counts were last taken.
#[derive(Clone, Default)]
pub(super) struct Repeats(Arc<Mutex<HashMap<String, u64>>>);

impl Repeats {
    /// The lines that came again, each with how often, and begins anew.
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
        if *event.metadata().level() > Level::WARN {
            return true;
        }
        let mut words = Words::default();
        event.record(&mut words);
        words.status.is_some_and(|status| status != REFUSED) || self.is_first(words.message)
    }
}

/// What tells one line from another.
#[derive(Default)]
struct Words {
    message: String,
    status: Option<u64>,
}

impl Visit for Words {
    fn record_u64(&mut self, field: &Field, value: u64) {
        if field.name() == "http.status" {
            self.status = Some(value);
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            let _ = write!(self.message, "{value:?}");
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
    fn a_refusal_that_comes_again_is_one_line_with_a_count() {
        let (repeats, lines) = (Repeats::default(), Lines::default());
        let refuse = || {
            for number in 0..5 {
                tracing::error!(request.id = number, http.status = 503_u16, "the store is away");
                tracing::error!(request.id = number, http.status = 500_u16, "a handler panicked");
                tracing::info!("answered");
            }
            tracing::warn!("another one");
        };
        let subscriber = registry().with(repeats.clone()).with(lines.clone());
        tracing::subscriber::with_default(subscriber, refuse);
        assert_eq!(lines.0.load(Ordering::SeqCst), 1 + 5 + 5 + 1);
        assert_eq!(repeats.take(), [("the store is away".to_owned(), 4)]);
        assert_eq!(repeats.take(), []);
    }
}
