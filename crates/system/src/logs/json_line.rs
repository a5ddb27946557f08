//! JSON lines: an event as one object, with its fields beside its time, level, message and target.
//!
//! The bytes are those of `tracing_subscriber`'s own JSON, without its way over text that is checked piece by piece: a
//! request writes such a line, too.

use std::cell::RefCell;
use std::fmt::{self, Debug, Write as _};
use std::io;

use domain::date::Timestamp;
use serde::Serialize;
use service::clock::Clock;
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use super::batch::Batch;
use crate::SystemClock;

/// Bytes of an ordinary line, and some more.
const ROOM: usize = 1024;

thread_local! {
    static LINE: RefCell<Line> = RefCell::default();
}

/// A thread's line, which is made anew for each event.
struct Line {
    bytes: Vec<u8>,
    second: Second,
}

impl Default for Line {
    fn default() -> Self {
        Line { bytes: Vec::with_capacity(ROOM), second: Second::default() }
    }
}

/// The second of the last line, counted from 1970, and its text: the next line is mostly of the same.
#[derive(Default)]
struct Second {
    number: i64,
    text: String,
}

/// Writes every event as a line.
pub(super) struct JsonLines {
    pub(super) to: Batch,
}

impl<S: Subscriber> Layer<S> for JsonLines {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let is_urgent = *event.metadata().level() <= tracing::Level::WARN;
        LINE.with(|line| {
            // An event within a field of another one has a line of its own.
            let mut own = Line { bytes: Vec::new(), second: Second::default() };
            let mut kept = line.try_borrow_mut();
            let Line { bytes, second } = kept.as_deref_mut().unwrap_or(&mut own);
            bytes.clear();
            // A field that cannot be written leaves half a line, which is not JSON.
            if write(bytes, second, SystemClock.now(), event).is_ok() {
                self.to.add(bytes, is_urgent);
            }
        });
    }
}

fn write(to: &mut Vec<u8>, second: &mut Second, at: Timestamp, event: &Event<'_>) -> io::Result<()> {
    let metadata = event.metadata();
    to.extend_from_slice(br#"{"timestamp":""#);
    second.write(to, at)?;
    to.extend_from_slice(br#"","level":""#);
    to.extend_from_slice(metadata.level().as_str().as_bytes());
    to.push(b'"');
    let mut fields = Fields { to, done: Ok(()) };
    event.record(&mut fields);
    let Fields { to, done } = fields;
    done?;
    key(to, "target")?;
    text(to, metadata.target())?;
    to.extend_from_slice(b"}\n");
    Ok(())
}

impl Second {
    /// Writes an instant to the microsecond, as RFC 3339 has it.
    fn write(&mut self, to: &mut Vec<u8>, at: Timestamp) -> io::Result<()> {
        let Ok(micros) = u64::try_from(at.as_microsecond()) else {
            return io::Write::write_fmt(to, format_args!("{at:.6}"));
        };
        let number = (micros / 1_000_000) as i64;
        if self.number != number || self.text.is_empty() {
            let begin = Timestamp::from_second(number).map_err(io::Error::other)?;
            self.text.clear();
            write!(self.text, "{begin:.0}").map_err(io::Error::other)?;
            // The zone stands behind the fraction.
            self.text.pop();
            self.number = number;
        }
        to.extend_from_slice(self.text.as_bytes());
        let mut fraction = *b".000000Z";
        let mut rest = micros % 1_000_000;
        for digit in fraction[1..7].iter_mut().rev() {
            *digit = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        to.extend_from_slice(&fraction);
        Ok(())
    }
}

/// Writes the fields of an event behind what there is of its object.
struct Fields<'a> {
    to: &'a mut Vec<u8>,
    done: io::Result<()>,
}

impl Fields<'_> {
    fn field(&mut self, field: &Field, write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) {
        if self.done.is_ok() {
            self.done = key(self.to, field.name()).and_then(|()| write(self.to));
        }
    }
}

impl Visit for Fields<'_> {
    fn record_f64(&mut self, field: &Field, value: f64) {
        self.field(field, |to| json(to, &value));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.field(field, |to| json(to, &value));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.field(field, |to| json(to, &value));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.field(field, |to| json(to, &value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.field(field, |to| text(to, value));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.field(field, |to| {
            to.push(b'"');
            write!(Escaping(to), "{value:?}").map_err(io::Error::other)?;
            to.push(b'"');
            Ok(())
        });
    }
}

/// Writes pieces of a text.
struct Escaping<'a>(&'a mut Vec<u8>);

impl fmt::Write for Escaping<'_> {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        escape(self.0, piece).map_err(|_| fmt::Error)
    }
}

/// Writes the key of another field.
fn key(to: &mut Vec<u8>, name: &str) -> io::Result<()> {
    to.extend_from_slice(b",\"");
    escape(to, name)?;
    to.extend_from_slice(b"\":");
    Ok(())
}

fn text(to: &mut Vec<u8>, text: &str) -> io::Result<()> {
    to.push(b'"');
    escape(to, text)?;
    to.push(b'"');
    Ok(())
}

/// Writes a text without its marks.
fn escape(to: &mut Vec<u8>, text: &str) -> io::Result<()> {
    if !has_special(text.as_bytes()) {
        to.extend_from_slice(text.as_bytes());
        return Ok(());
    }
    let escaped = serde_json::to_string(text)?;
    to.extend_from_slice(&escaped.as_bytes()[1..escaped.len() - 1]);
    Ok(())
}

/// Whether a byte is among those that JSON marks: below a space, quotes and backslashes. It looks at eight at a time: most texts
/// of a line are short.
fn has_special(bytes: &[u8]) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHEST: u64 = ONES << 7;
    // The highest bit of each byte tells whether it is below another one. What is carried on only adds bytes above one that is.
    let below = |eight: u64, least: u8| eight.wrapping_sub(ONES * u64::from(least)) & !eight & HIGHEST;
    let special = |eight: [u8; 8]| {
        let eight = u64::from_le_bytes(eight);
        let (quote, backslash) = (ONES * u64::from(b'"'), ONES * u64::from(b'\\'));
        (below(eight, b' ') | below(eight ^ quote, 1) | below(eight ^ backslash, 1)) != 0
    };
    if let Some(last) = bytes.last_chunk::<8>() {
        // The last eight overlap those before.
        return bytes.as_chunks::<8>().0.iter().any(|eight| special(*eight)) || special(*last);
    }
    bytes.iter().any(|byte| *byte < b' ' || *byte == b'"' || *byte == b'\\')
}

fn json(to: &mut Vec<u8>, value: &impl Serialize) -> io::Result<()> {
    Ok(serde_json::to_writer(to, value)?)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use proptest::prelude::*;
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

    proptest! {
        #[test]
        fn an_instant_is_what_its_type_prints(
            nanos in prop::collection::vec((-2_i128..4_000_000_000, 0..1_000_000_000_i128), 1..20),
        ) {
            let mut second = Second::default();
            for (seconds, nanos) in nanos {
                let at = Timestamp::from_nanosecond(seconds * 1_000_000_000 + nanos).expect("in range");
                let mut written = Vec::new();
                second.write(&mut written, at).expect("written");
                prop_assert_eq!(String::from_utf8(written).expect("UTF-8"), format!("{at:.6}"));
            }
        }

        #[test]
        fn a_text_is_escaped_as_the_library_escapes_it(value: String) {
            let mut written = Vec::new();
            text(&mut written, &value).expect("written");
            prop_assert_eq!(written, serde_json::to_vec(&value).expect("written"));
        }
    }

    #[test]
    fn every_byte_that_is_marked_is_found_wherever_it_stands() {
        for length in 1..=20 {
            for at in 0..length {
                for byte in 0..=u8::MAX {
                    let mut bytes = vec![b'a'; length];
                    bytes[at] = byte;
                    let wanted = byte < b' ' || byte == b'"' || byte == b'\\';
                    assert_eq!(has_special(&bytes), wanted, "{byte} at {at} of {length}");
                    // What is next to one that is not marked, and lower by carrying.
                    bytes.fill(b' ');
                    bytes[at] = byte;
                    assert_eq!(has_special(&bytes), wanted, "{byte} at {at} of {length} spaces");
                }
            }
        }
        assert!(!has_special(b""));
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
