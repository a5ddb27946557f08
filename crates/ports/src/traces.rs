//! Traces of requests and jobs, by OpenTelemetry and W3C Trace Context.
//!
//! Whether a trace is sampled is decided before its first span. If it is not sampled, or if no collector
//! runs, the work has no span. A span ends when its work ends or is cancelled.

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

/// Maximum number of finished spans that wait to be sent. More are dropped and counted.
const WAITING: usize = 4096;

/// W3C Trace Context header.
pub const HEADER: &str = "traceparent";

/// Ids of a span and its trace, as in a `traceparent` header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpanContext {
    pub trace: u128,
    pub span: u64,
}

impl fmt::Display for SpanContext {
    /// `traceparent` header of a sampled trace.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "00-{:032x}-{:016x}-01", self.trace, self.span)
    }
}

/// CallerSampling's decision whether the trace of a request is sampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallerSampling {
    /// The caller samples the trace.
    Sampled(SpanContext),
    /// The caller does not sample the trace.
    NotSampled,
    /// The request has no valid `traceparent` header, so the caller decided nothing.
    Silent,
}

impl CallerSampling {
    /// Parses a `traceparent` header: version, trace, span and flags in lower-case hexadecimal. A later
    /// version may have more fields.
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
            Some(if is_sampled {
                CallerSampling::Sampled(SpanContext { trace, span })
            } else {
                CallerSampling::NotSampled
            })
        };
        header.and_then(parse).unwrap_or(CallerSampling::Silent)
    }
}

/// Role of a span. The values are those of OTLP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpanKind {
    Server = 2,
    Client = 3,
    Consumer = 5,
}

/// A finished span.
#[derive(Debug)]
pub struct Span {
    pub context: SpanContext,
    /// Id of the enclosing span.
    pub parent: Option<u64>,
    pub name: String,
    pub kind: SpanKind,
    pub started: Timestamp,
    pub ended: Timestamp,
    /// Names and values. The names follow OpenTelemetry's conventions. No personal data.
    pub attributes: Vec<(&'static str, String)>,
    /// Why the work failed. `None` if the work succeeded.
    pub fault: Option<String>,
}

struct Collector {
    /// Share of traces to sample if the caller does not decide, from 0 to 1.
    ratio: f64,
    clock: Arc<dyn Clock>,
    spans: Sender<Span>,
}

static COLLECTOR: OnceLock<Collector> = OnceLock::new();

/// Starts the collection of spans in this process. `ratio`: share of traces to sample, from 0 to 1. `None` if
/// the collection was started before.
pub fn collect(ratio: f64, clock: Arc<dyn Clock>) -> Option<Receiver<Span>> {
    let (spans, finished) = channel(WAITING);
    COLLECTOR.set(Collector { ratio, clock, spans }).ok().map(|()| finished)
}

/// A span in progress. Dropping this value finishes the span.
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

/// Work that runs in a span, if its trace is sampled.
pub type Scoped<F> = TaskLocalFuture<Option<Current>, F>;

/// Span of the current work.
pub struct Current {
    context: SpanContext,
    open: Open,
}

tokio::task_local! {
    static CURRENT: Option<Current>;
}

/// Ids of the current span. `None` if the trace is not sampled.
pub fn current() -> Option<SpanContext> {
    CURRENT.try_with(|current| current.as_ref().map(|current| current.context)).ok().flatten()
}

/// Adds an attribute to the current span.
pub fn note(name: &'static str, value: impl fmt::Display) {
    change(|span| span.attributes.push((name, value.to_string())));
}

/// Marks the current span as failed.
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

/// Sampling decisions of requests that created jobs, by the id of the job's record.
static ASKED: Mutex<BTreeMap<Uuid, (CallerSampling, Timestamp)>> = Mutex::new(BTreeMap::new());

/// Maximum time between a request and the first run of its job. A later run does not belong to the request's
/// trace.
const SOON: Duration = Duration::from_secs(10 * 60);

/// Stores the current sampling decision for a job that is created for `record`. The job's first run in this
/// process follows this decision.
pub fn remember(record: Uuid) {
    let Some(collector) = COLLECTOR.get() else { return };
    let now = collector.clock.now();
    let mut asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner);
    if asked.len() >= WAITING {
        asked.retain(|_, (_, at)| now.duration_since(*at).unsigned_abs() < SOON);
    }
    if asked.len() < WAITING {
        asked.insert(record, (current().map_or(CallerSampling::NotSampled, CallerSampling::Sampled), now));
    }
}

/// Sampling decision of the request that created the record's job. A second call returns [`CallerSampling::Silent`].
pub fn asked_for(record: Uuid) -> CallerSampling {
    let Some(collector) = COLLECTOR.get() else { return CallerSampling::Silent };
    let asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner).remove(&record);
    let is_soon = |at| collector.clock.now().duration_since(at).unsigned_abs() < SOON;
    asked.filter(|(_, at)| is_soon(*at)).map_or(CallerSampling::Silent, |(caller, _)| caller)
}

/// Maximum number of traces per second that are sampled only because an unknown caller wants it.
const BELIEVED: u64 = 20;

impl CallerSampling {
    /// Limits how many traces per second are sampled only because an unknown caller wants it. Above the
    /// limit, the configured ratio decides.
    pub fn believed(self) -> Self {
        static SECOND: Mutex<(i64, u64)> = Mutex::new((0, 0));
        let (CallerSampling::Sampled(_), Some(collector)) = (self, COLLECTOR.get()) else { return self };
        let now = collector.clock.now().as_second();
        let mut second = SECOND.lock().unwrap_or_else(PoisonError::into_inner);
        if second.0 != now {
            *second = (now, 0);
        }
        second.1 += 1;
        if second.1 <= BELIEVED { self } else { CallerSampling::Silent }
    }
}

/// `traceparent` header for an outgoing call, so that the callee continues the trace.
pub fn header() -> Option<(&'static str, String)> {
    current().map(|context| (HEADER, context.to_string()))
}

/// Makes work for another task run in the current span.
pub fn handed_over<F: Future>(work: F) -> Scoped<F> {
    CURRENT.scope(current().map(|context| Current { context, open: Open(Mutex::new(None)) }), work)
}

/// Runs work as the first span of a trace in this process, if the trace is sampled. Log lines of the work
/// have the trace id.
pub fn begin<F: Future>(
    caller: CallerSampling,
    kind: SpanKind,
    name: impl FnOnce() -> String,
    work: F,
) -> Instrumented<Scoped<F>> {
    let place = COLLECTOR.get().and_then(|collector| match caller {
        CallerSampling::Sampled(parent) => Some((parent.trace, Some(parent.span))),
        CallerSampling::NotSampled => None,
        CallerSampling::Silent => {
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

/// Runs work in a new span within the current one. Without a current span, there is no new one.
pub fn span<F: Future>(kind: SpanKind, name: impl FnOnce() -> String, work: F) -> Scoped<F> {
    scoped(current().map(|SpanContext { trace, span }| (trace, Some(span))), kind, name, work)
}

/// Work that runs in a span, if its trace is sampled. This is not an async function, because an async
/// function would store the work twice.
fn scoped<F: Future>(
    place: Option<(u128, Option<u64>)>,
    kind: SpanKind,
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

/// Random bits from the standard library's hasher, whose keys are random per thread and differ per call. Good
/// enough for unique ids, not for keys.
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
        assert_eq!(CallerSampling::of(Some(good)), CallerSampling::Sampled(parent));
        assert_eq!(parent.to_string(), good);
        assert_eq!(CallerSampling::of(Some(&good.replace("-01", "-00"))), CallerSampling::NotSampled);
        assert_eq!(
            CallerSampling::of(Some(&format!("{}-later", good.replacen("00", "01", 1)))),
            CallerSampling::Sampled(parent)
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
            assert_eq!(CallerSampling::of(Some(bad)), CallerSampling::Silent, "{bad}");
        }
        assert_eq!(CallerSampling::of(None), CallerSampling::Silent);
    }
}
