//! `GET /livez` and `GET /readyz`: liveness and readiness of the process.

use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::Response;
use axum::routing::get;
use serde::Serialize;
use service::Service;
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Verb, answered_by};
use crate::app::App;
use crate::error::{Problem, Result};
use crate::response::json;

/// Endpoints, in the order of the OpenAPI document.
pub(super) static ENDPOINTS: &[&Endpoint] = &[&LIVEZ, &READYZ];

/// Result of the liveness probe.
#[derive(Serialize, ToSchema)]
pub(crate) struct Alive {
    /// Always `alive`.
    status: &'static str,
}

/// Result of the readiness probe.
#[derive(Serialize, ToSchema)]
pub(crate) struct Ready {
    /// Always `ready`.
    status: &'static str,
    /// Always `ok`, because a process that cannot read and write the database returns 503 instead.
    storage: &'static str,
    /// Hash of the catalogue that the process uses.
    catalogue: String,
    /// Hash of the process's catalogue folder, if the operator's team did not approve it, so that it is not used.
    #[serde(skip_serializing_if = "Option::is_none")]
    unapproved_catalogue: Option<String>,
}

static LIVEZ: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/livez",
    id: "isAlive",
    tag: "Operation",
    summary: "Is the process alive?",
    description: "Returns 200 as long as the process can answer.",
    access: Access::Open,
    gives: Gives::json::<Alive>(200, "The process is alive."),
    handler: || answered_by(livez),
    ..Endpoint::PLAIN
};

async fn livez() -> Response {
    json(StatusCode::OK, &Alive { status: "alive" })
}

static READYZ: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/readyz",
    id: "isReady",
    tag: "Operation",
    summary: "Should the process get requests?",
    description: "Checks that the database can be used and that the process is not stopping.",
    access: Access::Open,
    gives: Gives::json::<Ready>(200, "The process can take requests."),
    handler: || answered_by(readyz),
    ..Endpoint::PLAIN
};

/// Returns 503 with the reason if the process is stopping or its database cannot be used.
async fn readyz(State(app): State<App>) -> Result<Response> {
    if app.is_draining() {
        return Err(Problem::unavailable("This process is stopping.", "draining"));
    }
    store_is_ready(&app.service).await
}

async fn store_is_ready(service: &Service) -> Result<Response> {
    if let Err(fault) = service.installation.ready().await {
        return Err(Problem::unavailable("The store cannot be used.", fault.to_string()));
    }
    let catalogues = &service.shared.catalogues;
    let catalogue = catalogues.running().hash().to_string();
    let unapproved_catalogue = catalogues.unapproved().map(|hash| hash.to_string());
    Ok(json(StatusCode::OK, &Ready { status: "ready", storage: "ok", catalogue, unapproved_catalogue }))
}

/// The server or worker that the probes of the metrics listener check. Empty until the process has started.
#[derive(Clone, Default)]
pub struct Probed(Arc<OnceLock<Watched>>);

enum Watched {
    Server(App),
    /// A worker process: it has a database, but serves no requests.
    Worker(Arc<Service>),
}

impl Probed {
    /// Makes the probes check this server. Only the first call of a `watch_…` function counts.
    pub fn watch_server(&self, app: &App) {
        let _ = self.0.set(Watched::Server(app.clone()));
    }

    /// Makes the probes check this worker. Only the first call of a `watch_…` function counts.
    pub fn watch_worker(&self, service: &Arc<Service>) {
        let _ = self.0.set(Watched::Worker(service.clone()));
    }

    pub(super) fn routes(self) -> Router {
        let readyz = move |uri: Uri| {
            let probed = self.clone();
            async move {
                let ready = match probed.0.get() {
                    None => Err(Problem::unavailable("This process is starting.", "starting")),
                    Some(Watched::Server(app)) => readyz(State(app.clone())).await,
                    Some(Watched::Worker(service)) => store_is_ready(service).await,
                };
                ready.unwrap_or_else(|problem| problem.answer(uri.path()))
            }
        };
        Router::new().route(LIVEZ.path, get(livez)).route(READYZ.path, get(readyz))
    }
}
