//! Request bodies: JSON of at most 1 MiB that arrives in time (D10: V4130, V4150, V4000).

use axum::extract::{FromRequest, Request};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use futures_util::StreamExt;
use serde_json::Value;
use service::Faults;

use crate::app::App;
use crate::arrivals::Arrival;
use crate::context::RequestContext;
use crate::deadline::within;
use crate::error::{Code, Problem, Result};
use crate::marker::INFINITE;
use crate::reader::{Fields, read_object};
use crate::wording::{mismatch, required};

/// Maximum number of bytes that are allocated before the body arrives.
const AHEAD: usize = 16 * 1024;

/// JSON body of at most `MOST` bytes. The request gets its permit once the body has arrived.
pub(crate) struct Body<const MOST: usize = { usize::MAX }>(Vec<u8>);

impl<const MOST: usize> FromRequest<App> for Body<MOST> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let most = app.limits.body_bytes.min(MOST);
        let announced = request
            .headers()
            .get(CONTENT_LENGTH)
            .and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        if announced.is_some_and(|length| length > most as u64) {
            return Err(too_large(most));
        }
        judge_media_type(request.headers())?;
        let announced = announced.unwrap_or(0).min(most as u64) as usize;
        let late = || {
            let deadline = app.limits.body_deadline;
            format!("The body did not arrive within {deadline:?}.")
        };
        let bytes = receive(request, app, announced, most, late).await?;
        Ok(Body(bytes))
    }
}

/// Bytes of a form. Any media type is accepted, because browsers send only forms to these addresses. The
/// request gets its permit once the form has arrived.
///
/// # Errors
/// V4130 if the form is too large, V4000 if it does not arrive, E5030 if the server is overloaded.
pub(crate) async fn form(request: Request, app: &App) -> Result<Vec<u8>> {
    const MOST: usize = 64 * 1024;
    let late = || "The form did not arrive in time.".to_owned();
    receive(request, app, 0, MOST, late).await
}

/// Receives a body within its limits of size and time, then gets a permit for the request.
async fn receive(
    request: Request,
    app: &App,
    announced: usize,
    most: usize,
    late: impl FnOnce() -> String,
) -> Result<Vec<u8>> {
    let context = RequestContext::of(request.extensions());
    let arrival = app.arrivals.begin(context.client(), context.share(app))?;
    let collect = collect(request.into_body(), arrival, announced, most);
    let arrived = within(app.limits.body_deadline, collect).await;
    let bytes = arrived.unwrap_or_else(|_| Err(Problem::fault("body", late())))?;
    context.admit(app).await?;
    Ok(bytes)
}

/// Collects a body of at most `most` bytes.
pub(crate) async fn collect(
    body: axum::body::Body,
    mut arrival: Arrival<'_>,
    announced: usize,
    most: usize,
) -> Result<Vec<u8>> {
    // The announced bytes may never arrive.
    let mut bytes = Vec::with_capacity(announced.min(AHEAD));
    let mut frames = body.into_data_stream();
    while let Some(frame) = frames.next().await {
        let frame = frame.map_err(|_| Problem::fault("body", "The body is incomplete."))?;
        if bytes.len() + frame.len() > most {
            return Err(too_large(most));
        }
        arrival.grow(frame.len())?;
        bytes.extend_from_slice(&frame);
    }
    Ok(bytes)
}

fn too_large(most: usize) -> Problem {
    Problem::new(Code::V4130, format!("The body is larger than {most} bytes."))
}

fn judge_media_type(headers: &HeaderMap) -> Result<()> {
    let unsupported = |detail: &str| Err(Problem::new(Code::V4150, detail));
    let plain = headers
        .get_all(CONTENT_ENCODING)
        .iter()
        .all(|encoding| encoding.as_bytes().eq_ignore_ascii_case(b"identity"));
    if !plain {
        return unsupported("The body must not be compressed: send it without Content-Encoding.");
    }
    let media_type = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return unsupported("The body must be JSON: send Content-Type: application/json.");
    }
    Ok(())
}

impl<const MOST: usize> Body<MOST> {
    /// Bytes of the body, as they arrived.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Parses the body as a JSON object, and reads its fields with `read`. Continues after a fault, so that
    /// one response has all faults (D11).
    ///
    /// # Errors
    /// All faults of the body.
    pub(crate) fn read<T>(&self, read: impl FnOnce(&mut Fields<'_>) -> Option<T>) -> Result<T> {
        self.draft(read)?.finish(|value| value)
    }

    /// Parses the body as a JSON object, and reads its fields into a draft, for rules that need several
    /// fields.
    ///
    /// # Errors
    /// If the body is not a JSON object. Faults of fields are in the draft instead.
    pub(crate) fn draft<D>(&self, read: impl FnOnce(&mut Fields<'_>) -> D) -> Result<Draft<D>> {
        // Windows tools write a byte-order mark, which RFC 8259 lets a reader ignore.
        let bytes = self.0.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&self.0);
        let value: Value = serde_json::from_slice(bytes)
            .or_else(|fault| with_infinite_numbers_marked(bytes, fault))
            .map_err(|fault| Problem::fault("body", not_json(&fault)))?;
        let Value::Object(object) = value else {
            return Err(Problem::fault("body", mismatch(&value, "a JSON object")));
        };
        let (parts, faults) = read_object(&object, read);
        Ok(Draft { parts, faults })
    }
}

/// Parsed fields of a body, with the faults found so far.
pub(crate) struct Draft<D> {
    pub(crate) parts: D,
    pub(crate) faults: Faults,
}

impl<D> Draft<D> {
    /// Returns the value that `finish` makes of the parts, if the draft has no fault.
    ///
    /// # Errors
    /// All faults of the draft.
    pub(crate) fn finish<T>(self, finish: impl FnOnce(D) -> Option<T>) -> Result<T> {
        match finish(self.parts) {
            Some(value) if self.faults.0.is_empty() => Ok(value),
            _ => Err(Problem::invalid(self.faults)),
        }
    }
}

/// Parses a body that has numbers beyond `f64`. A marker replaces each such number, so that the number is
/// reported as a fault of its own field (D11, D16).
fn with_infinite_numbers_marked(bytes: &[u8], fault: serde_json::Error) -> Result<Value, serde_json::Error> {
    if !fault.to_string().starts_with("number out of range") {
        return Err(fault);
    }
    let mut marked = Vec::with_capacity(bytes.len() + 64);
    let (mut at, mut in_text) = (0, false);
    while let Some(byte) = bytes.get(at) {
        let rest = &bytes[at..];
        let length = match byte {
            b'\\' if in_text => 2,
            b'"' => {
                in_text = !in_text;
                1
            }
            b'-' | b'0'..=b'9' if !in_text => {
                let end = |byte: &u8| !matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
                rest.iter().position(end).unwrap_or(rest.len())
            }
            _ => 1,
        };
        let part = &rest[..length.min(rest.len())];
        let number = std::str::from_utf8(part).ok().and_then(|text| text.parse::<f64>().ok());
        if !in_text && number.is_some_and(f64::is_infinite) {
            marked.extend_from_slice(serde_json::json!({ INFINITE: null }).to_string().as_bytes());
        } else {
            marked.extend_from_slice(part);
        }
        at += part.len();
    }
    serde_json::from_slice(&marked)
}

/// Message about a body that is not JSON. It names line and column, and never repeats the text.
fn not_json(fault: &serde_json::Error) -> String {
    use serde_json::error::Category;
    if fault.line() == 0 || fault.is_eof() && fault.line() == 1 && fault.column() == 0 {
        return required("a JSON object");
    }
    let what = match fault.classify() {
        Category::Eof => "incomplete JSON",
        _ if fault.to_string().starts_with("recursion limit") => "JSON with more than 128 nested levels",
        _ if fault.to_string().starts_with("number out of range") => "a number that is too large",
        _ => "text that is not JSON",
    };
    format!("Must be a JSON object, not {what} (line {}, column {}).", fault.line(), fault.column())
}
