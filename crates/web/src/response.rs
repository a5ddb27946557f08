//! Responses: JSON bytes with their status, new or replayed (D36, D44).

use axum::body::Bytes;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use service::shared::idempotency::Outcome;
use utoipa::ToSchema;

use crate::template;

/// Response inside `payload`. Most endpoints use it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Payload<T> {
    pub(crate) payload: T,
}

/// Header of a response that repeats the response to an earlier request (D36).
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    let bytes = serde_json::to_vec(body).expect("an answer of ours serialises");
    json_bytes(status, bytes.into())
}

/// JSON response whose body `write` writes. `room` is the number of bytes reserved for the body. A longer
/// body is copied as it grows.
pub(crate) fn json_with(status: StatusCode, room: usize, write: impl FnOnce(&mut Vec<u8>)) -> Response {
    let mut bytes = Vec::with_capacity(room);
    write(&mut bytes);
    json_bytes(status, bytes.into())
}

fn json_bytes(status: StatusCode, bytes: Bytes) -> Response {
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], bytes).into_response()
}

/// Bytes reserved for the body of an ordinary response. A quote with twelve items has about 5 KB.
pub(crate) const ROOM: usize = 8 * 1024;

/// Response in the format that is stored under an idempotency key: two bytes of status, then the body.
pub(crate) fn to_keep(status: StatusCode, body: &impl Serialize) -> Vec<u8> {
    to_keep_with(status, |bytes| template::json(bytes, body))
}

/// Like [`to_keep`], with a body that `write` writes.
pub(crate) fn to_keep_with(status: StatusCode, write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ROOM);
    bytes.extend_from_slice(&status.as_u16().to_be_bytes());
    write(&mut bytes);
    bytes
}

/// Response to a request with an optional idempotency key. Returns `new`, made by [`to_keep`]. If an earlier
/// request had the same key, returns its response instead.
pub(crate) fn respond<T>(new: Vec<u8>, outcome: Outcome<T>) -> Response {
    match outcome.replayed() {
        None => kept(new),
        Some(earlier) => replayed(earlier),
    }
}

/// Response to an earlier request, from its stored bytes.
pub(crate) fn replayed(bytes: Vec<u8>) -> Response {
    let mut response = kept(bytes);
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    response
}

/// Response from bytes made by [`to_keep`].
fn kept(bytes: Vec<u8>) -> Response {
    let bytes = Bytes::from(bytes);
    let status = StatusCode::from_u16(u16::from_be_bytes([bytes[0], bytes[1]])).expect("written by to_keep");
    json_bytes(status, bytes.slice(2..))
}
