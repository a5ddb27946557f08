//! Responses: JSON bytes with their status, new or replayed (D36, D44).

use axum::body::Bytes;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use service::shared::idempotency::Outcome;
use utoipa::ToSchema;

use crate::template;

/// What most endpoints wrap their answers in.
#[derive(Serialize, ToSchema)]
pub(crate) struct Payload<T> {
    pub(crate) payload: T,
}

/// Says that a response is that of an earlier request (D36).
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

pub(crate) fn json(status: StatusCode, body: &impl Serialize) -> Response {
    let bytes = serde_json::to_vec(body).expect("an answer of ours serialises");
    json_bytes(status, bytes.into())
}

/// A JSON response whose body `write` writes. `room` bytes are reserved for it: one that is longer is copied as it grows.
pub(crate) fn json_with(status: StatusCode, room: usize, write: impl FnOnce(&mut Vec<u8>)) -> Response {
    let mut bytes = Vec::with_capacity(room);
    write(&mut bytes);
    json_bytes(status, bytes.into())
}

fn json_bytes(status: StatusCode, bytes: Bytes) -> Response {
    (status, [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], bytes).into_response()
}

/// Bytes reserved for an ordinary response: a quote of a dozen items is some five kilobytes.
pub(crate) const ROOM: usize = 8 * 1024;

/// A response in the form in which it may be kept under an idempotency key: two bytes of status, then the body.
pub(crate) fn to_keep(status: StatusCode, body: &impl Serialize) -> Vec<u8> {
    to_keep_with(status, |bytes| template::json(bytes, body))
}

/// The same, with a body that `write` writes.
pub(crate) fn to_keep_with(status: StatusCode, write: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(ROOM);
    bytes.extend_from_slice(&status.as_u16().to_be_bytes());
    write(&mut bytes);
    bytes
}

/// The response to a use case that may have come before: `new`, made by [`to_keep`], unless another request with the
/// same key was first.
pub(crate) fn respond<T>(new: Vec<u8>, outcome: Outcome<T>) -> Response {
    match outcome.replayed() {
        None => kept(new),
        Some(earlier) => replayed(earlier),
    }
}

/// The response to an earlier request once more, from the bytes that were kept.
pub(crate) fn replayed(bytes: Vec<u8>) -> Response {
    let mut response = kept(bytes);
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    response
}

/// The response of bytes made by [`to_keep`].
fn kept(bytes: Vec<u8>) -> Response {
    let bytes = Bytes::from(bytes);
    let status = StatusCode::from_u16(u16::from_be_bytes([bytes[0], bytes[1]])).expect("written by to_keep");
    json_bytes(status, bytes.slice(2..))
}
