//! Traces of requests and jobs, and of what they call, by the rules of OpenTelemetry and W3C Trace Context.
//!
//! A trace is kept or not before its first span is made. If it is not kept, or if nobody collects, the work runs without a span.
//! A span ends if its work ends or is given up.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use domain::date::Timestamp;
use domain::id::Uuid;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::futures::TaskLocalFuture;
use tracing::Instrument;
use tracing::instrument::Instrumented;

use crate::clock::Clock;

/// Finished spans that wait to be sent, at most. More are dropped and counted.
const WAITING: usize = 4096;

/// Name of the header of W3C Trace Context.
pub const HEADER: &str = "traceparent";

/// Ids of a span and of its trace: what a `traceparent` header says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanContext {
    pub trace: u128,
    pub span: u64,
}

impl fmt::Display for SpanContext {
    /// The header `traceparent` of a sampled trace.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "00-{:032x}-{:016x}-01", self.trace, self.span)
    }
}

/// What the caller of a request decided about its trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// It keeps the trace.
    Sampled(SpanContext),
    /// It does not.
    NotSampled,
    /// It said nothing, or nothing that can be understood.
    Silent,
}

impl Caller {
    /// By its header `traceparent`: version, trace, span and flags in lower hexadecimal digits. A later version may have more.
    pub fn of(header: Option<&str>) -> Self {
        let parse = |header: &str| {
            let mut parts = header.split('-');
            let [version, trace, span, flags] = [parts.next()?, parts.next()?, parts.next()?, parts.next()?];
            let lengths = [version, trace, span, flags].map(str::len);
            let is_hex = |part: &str| part.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            let ends = version != "00" || parts.next().is_none();
            if lengths != [2, 32, 16, 2] || version == "ff" || !ends {
                return None;
            }
            if ![version, trace, span, flags].into_iter().all(is_hex) {
                return None;
            }
            let trace = u128::from_str_radix(trace, 16).ok().filter(|trace| *trace != 0)?;
            let span = u64::from_str_radix(span, 16).ok().filter(|span| *span != 0)?;
            let is_sampled = u8::from_str_radix(flags, 16).ok()? & 1 == 1;
            Some(if is_sampled { Caller::Sampled(SpanContext { trace, span }) } else { Caller::NotSampled })
        };
        header.and_then(parse).unwrap_or(Caller::Silent)
    }
}

/// Role of a span, with its number in OTLP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Server = 2,
    Client = 3,
    Consumer = 5,
}

/// A finished span.
#[derive(Debug)]
pub struct Span {
    pub context: SpanContext,
    /// The span that it is a part of.
    pub parent: Option<u64>,
    pub name: String,
    pub kind: Kind,
    pub started: Timestamp,
    pub ended: Timestamp,
    /// Names by OpenTelemetry's conventions. No personal data.
    pub attributes: Vec<(&'static str, String)>,
    /// Why the work failed.
    pub fault: Option<String>,
}

struct Collector {
    /// Share of traces that are kept if the caller does not decide.
    ratio: f64,
    clock: Arc<dyn Clock>,
    spans: Sender<Span>,
}

static COLLECTOR: OnceLock<Collector> = OnceLock::new();

/// Begins to collect spans, for the whole process: the first call counts. `ratio`: share of traces, from 0 to 1.
pub fn collect(ratio: f64, clock: Arc<dyn Clock>) -> Option<Receiver<Span>> {
    let (spans, finished) = channel(WAITING);
    COLLECTOR.set(Collector { ratio, clock, spans }).ok().map(|()| finished)
}

/// A span under way. When it is dropped, it is finished.
struct Open(Mutex<Option<Span>>);

impl Drop for Open {
    fn drop(&mut self) {
        let span = self.0.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let (Some(mut span), Some(collector)) = (span, COLLECTOR.get()) {
            span.ended = collector.clock.now();
            if collector.spans.try_send(span).is_err() {
                metrics::counter!("covernote_spans_dropped_total").increment(1);
            }
        }
    }
}

/// Work in a span, if it has one.
pub type Scoped<F> = TaskLocalFuture<Option<Current>, F>;

/// The span of the work that is under way.
pub struct Current {
    context: SpanContext,
    open: Open,
}

tokio::task_local! {
    static CURRENT: Option<Current>;
}

/// The span of the work that asks. `None`: its trace is not kept.
pub fn current() -> Option<SpanContext> {
    CURRENT.try_with(|current| current.as_ref().map(|current| current.context)).ok().flatten()
}

/// Adds an attribute to the span of the work that asks.
pub fn note(name: &'static str, value: impl fmt::Display) {
    change(|span| span.attributes.push((name, value.to_string())));
}

/// Says why the work that asks failed.
pub fn fail(why: impl fmt::Display) {
    change(|span| span.fault = Some(why.to_string()));
}

fn change(change: impl FnOnce(&mut Span)) {
    let _ = CURRENT.try_with(|current| {
        if let Some(current) = current {
            current.open.0.lock().unwrap_or_else(PoisonError::into_inner).as_mut().map(change);
        }
    });
}

/// What requests decided about the trace of jobs that they made, by the job's record.
static ASKED: Mutex<BTreeMap<Uuid, (Caller, Timestamp)>> = Mutex::new(BTreeMap::new());

/// How long a job's first run may take to begin and still be a part of the trace.
const SOON: Duration = Duration::from_secs(10 * 60);

/// Remembers that the work that asks makes a job for a record: whether the job's first run in this process is a part of its trace.
pub fn remember(record: Uuid) {
    let Some(collector) = COLLECTOR.get() else { return };
    let now = collector.clock.now();
    let mut asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner);
    if asked.len() >= WAITING {
        asked.retain(|_, (_, at)| now.duration_since(*at).unsigned_abs() < SOON);
    }
    if asked.len() < WAITING {
        asked.insert(record, (current().map_or(Caller::NotSampled, Caller::Sampled), now));
    }
}

/// What the request that made a job for a record decided, once.
pub fn asked_for(record: Uuid) -> Caller {
    let Some(collector) = COLLECTOR.get() else { return Caller::Silent };
    let asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner).remove(&record);
    let is_soon = |at| collector.clock.now().duration_since(at).unsigned_abs() < SOON;
    asked.filter(|(_, at)| is_soon(*at)).map_or(Caller::Silent, |(caller, _)| caller)
}

/// Traces of one second that strangers may decide to have kept.
const BELIEVED: u64 = 20;

impl Caller {
    /// A caller that anybody may be: it is believed for so many traces a second. Above that the share decides.
    pub fn believed(self) -> Self {
        static SECOND: Mutex<(i64, u64)> = Mutex::new((0, 0));
        let (Caller::Sampled(_), Some(collector)) = (self, COLLECTOR.get()) else { return self };
        let now = collector.clock.now().as_second();
        let mut second = SECOND.lock().unwrap_or_else(PoisonError::into_inner);
        if second.0 != now {
            *second = (now, 0);
        }
        second.1 += 1;
        if second.1 <= BELIEVED { self } else { Caller::Silent }
    }
}

/// The header by which a call goes on with the trace of the work that asks.
pub fn header() -> Option<(&'static str, String)> {
    current().map(|context| (HEADER, context.to_string()))
}

/// Work that another task does for the one that asks, in its span.
pub fn handed_over<F: Future>(work: F) -> Scoped<F> {
    CURRENT.scope(current().map(|context| Current { context, open: Open(Mutex::new(None)) }), work)
}

/// Runs work as the first span here of a trace, if that is kept. Log lines of the work have the trace's id.
pub fn begin<F: Future>(
    caller: Caller,
    kind: Kind,
    name: impl FnOnce() -> String,
    work: F,
) -> Instrumented<Scoped<F>> {
    let place = COLLECTOR.get().and_then(|collector| match caller {
        Caller::Sampled(parent) => Some((parent.trace, Some(parent.span))),
        Caller::NotSampled => None,
        Caller::Silent => {
            let drawn = random();
            let is_kept = (drawn as f64) < collector.ratio * u64::MAX as f64;
            is_kept.then(|| ((u128::from(drawn.max(1)) << 64) | u128::from(random()), None))
        }
    });
    let within = match place {
        Some((trace, _)) => tracing::error_span!("trace", trace.id = format!("{trace:032x}")),
        None => tracing::Span::none(),
    };
    scoped(place, kind, name, work).instrument(within)
}

/// Runs work as a span within that of the work that asks. If that has none, neither has this.
pub fn span<F: Future>(kind: Kind, name: impl FnOnce() -> String, work: F) -> Scoped<F> {
    scoped(current().map(|SpanContext { trace, span }| (trace, Some(span))), kind, name, work)
}

/// Work with its span, if it has one. It is no async function, which would hold the work twice.
fn scoped<F: Future>(
    place: Option<(u128, Option<u64>)>,
    kind: Kind,
    name: impl FnOnce() -> String,
    work: F,
) -> Scoped<F> {
    let open = |(trace, parent): (u128, Option<u64>)| {
        let context = SpanContext { trace, span: random().max(1) };
        let started = COLLECTOR.get()?.clock.now();
        let (name, attributes, fault) = (name(), Vec::new(), None);
        let span = Span { context, parent, name, kind, started, ended: started, attributes, fault };
        Some(Current { context, open: Open(Mutex::new(Some(span))) })
    };
    CURRENT.scope(place.and_then(open), work)
}

/// Bits of the standard library's hasher, whose keys are random in each thread and differ at each call: enough for ids that only have to
/// differ.
fn random() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_traceparent_is_read_by_the_rules_of_w3c() {
        let good = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        let parent =
            SpanContext { trace: 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736, span: 0x00f0_67aa_0ba9_02b7 };
        assert_eq!(Caller::of(Some(good)), Caller::Sampled(parent));
        assert_eq!(parent.to_string(), good);
        assert_eq!(Caller::of(Some(&good.replace("-01", "-00"))), Caller::NotSampled);
        assert_eq!(
            Caller::of(Some(&format!("{}-later", good.replacen("00", "01", 1)))),
            Caller::Sampled(parent)
        );
        for bad in [
            "",
            "00",
            &good.to_uppercase(),
            &format!("{good}-more"),
            &good.replacen("00", "ff", 1),
            "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
            "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
            "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
        ] {
            assert_eq!(Caller::of(Some(bad)), Caller::Silent, "{bad}");
        }
        assert_eq!(Caller::of(None), Caller::Silent);
    }
}
