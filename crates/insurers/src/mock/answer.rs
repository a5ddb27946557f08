//! Answers of the mock insurer.

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

/// Valid answer. The mock insurer may still corrupt it before it is sent.
#[derive(Clone)]
pub(super) struct GoodAnswer(pub(super) Value);

impl IntoResponse for GoodAnswer {
    fn into_response(self) -> Response {
        let mut response = answer(StatusCode::OK, &self.0);
        response.extensions_mut().insert(self);
        response
    }
}

/// Refusal of a request, with status and reason.
pub(super) struct Refusal(pub(super) StatusCode, pub(super) String);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        answer(self.0, &json!({ "error": self.1 }))
    }
}

fn answer(status: StatusCode, body: &Value) -> Response {
    (status, [("content-type", "application/json")], body.to_string()).into_response()
}
