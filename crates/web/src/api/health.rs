//! `GET /livez` and `GET /readyz`: whether the process lives, and whether it should get requests.

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::answer::json;
use crate::app::App;
use crate::error::Problem;

/// The process answers.
#[derive(Serialize, ToSchema)]
pub(crate) struct Alive {
    /// Always `alive`.
    status: &'static str,
}

/// The process can work: what was looked at.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ready {
    /// Always `ready`.
    status: &'static str,
    /// The store reads and writes.
    storage: &'static str,
    /// Hash of the running catalogue.
    catalogue: String,
}

/// Lives as long as it answers.
pub(crate) async fn livez() -> Response {
    json(StatusCode::OK, &Alive { status: "alive" })
}

/// Ready unless it is leaving or its store is away: then 503 with the reason.
pub(crate) async fn readyz(State(app): State<App>) -> Result<Response, Problem> {
    if app.is_draining() {
        return Err(Problem::unavailable("This process is stopping.", "draining"));
    }
    if let Err(fault) = app.service.ready().await {
        return Err(Problem::unavailable("The store cannot be used.", fault.to_string()));
    }
    let catalogue = app.service.catalogue().hash().to_string();
    Ok(json(StatusCode::OK, &Ready { status: "ready", storage: "ok", catalogue }))
}
