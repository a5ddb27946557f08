//! JSON lines: an event as one object, with its fields beside its time, level, message and target.
//!
//! The bytes are those of `tracing_subscriber`'s own JSON, without its way over text that is checked piece by piece: a
//! request writes such a line, too.

use std::cell::RefCell;
use std::io::{self, Write};

use domain::date::Timestamp;
use serde::ser::{SerializeMap, Serializer};
use service::clock::Clock;
use tracing::{Event, Level, Subscriber};
use tracing_serde::{AsSerde, SerdeMapVisitor};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use super::batch::Batch;
use crate::SystemClock;

/// Bytes of an ordinary line, and some more.
const ROOM: usize = 1024;

thread_local! {
    static LINE: RefCell<Vec<u8>> = RefCell::new(Vec::with_capacity(ROOM));
}

/// Writes every event as a line.
pub(super) struct JsonLines {
    pub(super) to: Batch,
}

impl<S: Subscriber> Layer<S> for JsonLines {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let is_urgent = *event.metadata().level() <= Level::WARN;
        LINE.with(|line| {
            // An event within a field of another one has a line of its own.
            let mut own = Vec::new();
            let mut kept = line.try_borrow_mut();
            let line = kept.as_deref_mut().unwrap_or(&mut own);
            line.clear();
            // A field that cannot be written leaves half a line, which is not JSON.
            if write(line, SystemClock.now(), event).is_ok() {
                self.to.add(line, is_urgent);
            }
        });
    }
}

fn write(mut to: &mut Vec<u8>, at: Timestamp, event: &Event<'_>) -> io::Result<()> {
    let metadata = event.metadata();
    let mut json = serde_json::Serializer::new(&mut to);
    let mut object = json.serialize_map(None)?;
    object.serialize_entry("timestamp", &format_args!("{at:.6}"))?;
    object.serialize_entry("level", &metadata.level().as_serde())?;
    let mut fields = SerdeMapVisitor::new(object);
    event.record(&mut fields);
    let mut object = fields.take_serializer()?;
    object.serialize_entry("target", metadata.target())?;
    object.end()?;
    to.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use tracing_subscriber::layer::SubscriberExt;
    use tracing_subscriber::{fmt, registry};

    use super::*;

    #[derive(Clone, Default)]
    struct Written(Arc<Mutex<Vec<u8>>>);

    impl Write for Written {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("unpoisoned").extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Written {
        /// The lines, each without its time, which must be one of microseconds.
        fn lines(&self) -> Vec<String> {
            let text = String::from_utf8(self.0.lock().expect("unpoisoned").clone()).expect("UTF-8");
            let line = |line: &str| {
                let (time, rest) = line.strip_prefix(r#"{"timestamp":""#)?.split_once('"')?;
                let shape: String = time.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
                (shape == "0000-00-00T00:00:00.000000Z").then(|| rest.to_owned())
            };
            text.lines().map(|text| line(text).unwrap_or_else(|| panic!("{text}"))).collect()
        }
    }

    fn events() {
        let cause = io::Error::other("a \"quoted\" cause\n");
        let cause: &dyn std::error::Error = &cause;
        let (id, none) = ("0192f3", None::<&str>);
        tracing::info!(
            request.id = id,
            http.status = 200_u16,
            duration_ms = 1.25,
            error.code = none,
            "POST {id}"
        );
        tracing::warn!(partner.id = %"par_1", number = -7_i64, is_first = true, debugged = ?Some("é\u{1}"), "with {{braces}}");
        tracing::error!(error.cause = cause, whole = 3.0, "failed: {cause}");
        tracing::debug!("नमस्ते");
        tracing::info!(target: "elsewhere", jobs = 3_usize, "");
        tracing::info!(jobs = 3_usize);
    }

    #[test]
    fn a_line_is_what_the_library_writes() {
        let (own, librarys) = (Written::default(), Written::default());
        let batch = Batch::start(own.clone()).expect("a thread");
        tracing::subscriber::with_default(registry().with(JsonLines { to: batch.clone() }), events);
        batch.end();
        let to = librarys.clone();
        let lines = fmt::layer().with_writer(move || to.clone()).json().flatten_event(true);
        tracing::subscriber::with_default(registry().with(lines), events);
        assert_eq!(own.lines(), librarys.lines());
        assert_eq!(own.lines().len(), 6);
    }
}
