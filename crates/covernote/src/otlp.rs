//! Sends finished spans to an OpenTelemetry collector: OTLP/HTTP with JSON bodies (OTLP 1.x, `/v1/traces`).

use std::fs;
use std::sync::Arc;
use std::time::Duration;

use domain::date::Timestamp;
use http_client::{Client, Connecting, Sent};
use operators::Request;
use serde_json::{Value, json};
use service::traces::{self, Span};
use system::SystemClock;
use tokio::sync::mpsc::Receiver;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::cli::VERSION;
use crate::failure::{Failure, Result};
use crate::settings::Settings;

/// Time between two exports of finished spans.
const PERIOD: Duration = Duration::from_secs(1);

/// Most spans in one request to the collector.
const MOST: usize = 512;

/// Longest wait for the collector.
const LONGEST: Duration = Duration::from_secs(5);

/// Longest wait for the collector at the end of the process.
const LONGEST_END: Duration = Duration::from_secs(2);

/// The task that sends spans.
pub(crate) struct Exporter {
    end: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Exporter {
    /// Starts to trace, if the settings name a collector.
    ///
    /// # Errors
    /// [`Failure::Configuration`] that names the faulty setting.
    pub(crate) fn start(settings: &Settings) -> Result<Option<Self>> {
        if settings.otlp_endpoint.is_empty() {
            return Ok(None);
        }
        let wrong = |name: &str, why: String| Failure::Configuration(format!("{name}: {why}"));
        let url = format!("{}/v1/traces", settings.otlp_endpoint.trim_end_matches('/'));
        let mut request = Request::post(&url).header("content-type", "application/json");
        if let file @ [_, ..] = settings.otlp_authorization.as_bytes() {
            let file = String::from_utf8_lossy(file);
            let value = fs::read_to_string(&*file)
                .map_err(|cause| wrong("otlp_authorization", format!("{file}: {cause}")))?;
            let value = http_client::HeaderValue::try_from(value.trim())
                .map_err(|_| wrong("otlp_authorization", format!("{file}: must have one line")))?;
            request = request.header("authorization", value);
        }
        let template = request
            .body(())
            .ok()
            .filter(|request| {
                request.uri().host().is_some() && matches!(request.uri().scheme_str(), Some("http" | "https"))
            })
            .ok_or_else(|| {
                wrong("otlp_endpoint", format!("must look like http://127.0.0.1:4318; {url:?} does not"))
            })?;
        let ratio = f64::from(settings.otlp_percent) / 100.0;
        let Some(spans) = traces::collect(ratio, Arc::new(SystemClock)) else { return Ok(None) };
        let (end, ended) = oneshot::channel();
        let collector = Collector {
            client: Client::trusting_if_possible(Connecting::usual()),
            template,
            resource: json!({ "attributes": [
                attribute("service.name", "covernote"),
                attribute("service.version", VERSION),
                attribute("service.instance.id", &format!("{}:{}", settings.listen, std::process::id())),
            ] }),
            is_away: false,
        };
        Ok(Some(Exporter { end, task: tokio::spawn(collector.send_all(spans, ended)) }))
    }

    /// Sends the finished spans, then stops.
    pub(crate) async fn finish(self) {
        let _ = self.end.send(());
        let _ = timeout(LONGEST_END, self.task).await;
    }
}

struct Collector {
    client: Client,
    /// The request to the collector, without its body.
    template: Request<()>,
    resource: Value,
    /// Whether the last request failed. Of several failures in a row, only the first is logged.
    is_away: bool,
}

impl Collector {
    async fn send_all(mut self, mut spans: Receiver<Span>, mut ended: oneshot::Receiver<()>) {
        loop {
            let is_end = timeout(PERIOD, &mut ended).await.is_ok();
            loop {
                let batch: Vec<Value> = std::iter::from_fn(|| spans.try_recv().ok())
                    .take(MOST)
                    .map(|span| to_json(&span))
                    .collect();
                if batch.is_empty() {
                    break;
                }
                self.send(batch).await;
            }
            if is_end {
                return;
            }
        }
    }

    async fn send(&mut self, spans: Vec<Value>) {
        let count = spans.len() as u64;
        let scope = json!({ "scope": { "name": "covernote" }, "spans": spans });
        let body =
            json!({ "resourceSpans": [{ "resource": self.resource, "scopeSpans": [scope] }] }).to_string();
        let request = self.template.clone().map(|()| Sent::Bytes(body.into()));
        let fault = match timeout(LONGEST, self.client.send(request)).await {
            Ok(Ok(answer)) if answer.status.is_success() => None,
            Ok(Ok(answer)) => Some(format!("the answer has the status {}", answer.status)),
            Ok(Err(why)) => Some(why),
            Err(_) => Some("there was no answer in time".to_owned()),
        };
        if let Some(why) = &fault {
            metrics::counter!("covernote_spans_dropped_total").increment(count);
            if !self.is_away {
                tracing::warn!("traces are lost: the collector at otlp_endpoint does not accept them: {why}");
            }
        }
        self.is_away = fault.is_some();
    }
}

fn attribute(name: &str, value: &str) -> Value {
    json!({ "key": name, "value": { "stringValue": value } })
}

/// A span in OTLP's JSON: ids in hexadecimal digits, times in nanoseconds as text.
fn to_json(span: &Span) -> Value {
    let nanos = |at: Timestamp| at.as_nanosecond().to_string();
    let typed = |(name, value): &(&str, String)| match (*name, value.parse::<u16>()) {
        // A number, by OpenTelemetry's conventions. JSON of protocol buffers writes 64 bits as text.
        ("http.response.status_code", Ok(_)) => json!({ "key": name, "value": { "intValue": value } }),
        _ => attribute(name, value),
    };
    let attributes: Vec<Value> = span.attributes.iter().map(typed).collect();
    json!({
        "traceId": format!("{:032x}", span.context.trace),
        "spanId": format!("{:016x}", span.context.span),
        "parentSpanId": span.parent.map_or_else(String::new, |parent| format!("{parent:016x}")),
        "name": span.name,
        "kind": span.kind as u8,
        "startTimeUnixNano": nanos(span.started),
        "endTimeUnixNano": nanos(span.ended),
        "attributes": attributes,
        "status": span.fault.as_ref().map_or_else(|| json!({}), |why| json!({ "code": 2, "message": why })),
    })
}
