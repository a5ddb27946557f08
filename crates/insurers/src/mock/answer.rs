//! What the mock insurer answers: right, before it is corrupted, or a refusal.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// A good answer, before it is sent or corrupted.
#[derive(Clone)]
pub(super) struct GoodAnswer(pub(super) Value);

impl IntoResponse for GoodAnswer {
    fn into_response(self) -> Response {
        let mut response = answer(StatusCode::OK, &self.0);
        response.extensions_mut().insert(self);
        response
    }
}

/// A refusal with its reason.
pub(super) struct Refusal(pub(super) StatusCode, pub(super) String);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        answer(self.0, &json!({ "error": self.1 }))
    }
}

fn answer(status: StatusCode, body: &Value) -> Response {
    (status, [("content-type", "application/json")], body.to_string()).into_response()
}
