//! Answers: JSON bytes with their status, fresh or replayed (D36, D44).

use axum::body::Bytes;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use service::idempotency::Answered;
use utoipa::ToSchema;

use crate::template;

/// What most endpoints wrap their answers in.
#[derive(Serialize, ToSchema)]
pub(crate) struct Payload<T> {
    pub(crate) payload: T,
}

/// Says that an answer is an earlier one's (D36).
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// A JSON answer.
pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    let bytes = serde_json::to_vec(body).expect("an answer of ours serialises");
    json_bytes(status, bytes.into())
}

/// A JSON answer that writes itself.
pub(crate) fn written(status: StatusCode, write: impl FnOnce(&mut Vec<u8>)) -> Response {
    let mut bytes = Vec::with_capacity(ROOM);
    write(&mut bytes);
    json_bytes(status, bytes.into())
}

fn json_bytes(status: StatusCode, bytes: Bytes) -> Response {
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], bytes).into_response()
}

/// Room for an ordinary answer: a quote of a dozen items is some five kilobytes.
const ROOM: usize = 8 * 1024;

/// An answer in the form in which it may be kept under an idempotency key: two bytes of status, then the body.
pub(crate) fn keepable(status: StatusCode, body: &impl Serialize) -> Vec<u8> {
    keepable_bytes(status, |bytes| template::json(bytes, body))
}

/// The same, with a body that writes itself.
pub(crate) fn keepable_bytes(status: StatusCode, write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ROOM);
    bytes.extend_from_slice(&status.as_u16().to_be_bytes());
    write(&mut bytes);
    bytes
}

/// The response of an answer made by [`keepable`].
pub(crate) fn respond(Answered { bytes, replayed }: Answered) -> Response {
    let bytes = Bytes::from(bytes);
    let status = StatusCode::from_u16(u16::from_be_bytes([bytes[0], bytes[1]])).expect("written by keepable");
    let mut response = json_bytes(status, bytes.slice(2..));
    if replayed {
        response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    }
    response
}
