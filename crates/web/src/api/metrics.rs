//! `GET /metrics` for the operator's monitoring, on a separate listener together with the probes.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, header};
use axum::response::IntoResponse;
use axum::routing::get;

use crate::api::probes::Probed;
use crate::error::Problem;

/// Router of the metrics listener, with the metrics and the probes. Clients of the main listener cannot block
/// it. `render` returns the metrics in the Prometheus text format.
pub fn metrics(render: Arc<dyn Fn() -> String + Send + Sync>, probed: Probed) -> Router {
    let answer = move || {
        let render = render.clone();
        async move {
            let text = HeaderValue::from_static("text/plain; version=0.0.4");
            ([(header::CONTENT_TYPE, text)], render()).into_response()
        }
    };
    let nothing = async |request: Request| Problem::not_found_at_path().answer(request.uri().path());
    Router::new().route("/metrics", get(answer)).merge(probed.routes()).fallback(nothing)
}
