//! `GET /livez` and `GET /readyz`: whether the process lives, and whether it should get requests.

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

/// Its endpoints, as the document goes through them.
pub(super) static ENDPOINTS: &[&Endpoint] = &[&LIVEZ, &READYZ];

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

static LIVEZ: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/livez",
    id: "isAlive",
    tag: "Operation",
    summary: "Is the process alive?",
    description: "Answers as long as the process can.",
    access: Access::Open,
    gives: Gives::json::<Alive>(200, "It is."),
    guide: "operating.md#probes",
    handler: || answered_by(livez),
    ..Endpoint::PLAIN
};

/// Lives as long as it answers.
async fn livez() -> Response {
    json(StatusCode::OK, &Alive { status: "alive" })
}

static READYZ: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/readyz",
    id: "isReady",
    tag: "Operation",
    summary: "Should the process get requests?",
    description: "Looks at the store and whether the process is stopping.",
    access: Access::Open,
    gives: Gives::json::<Ready>(200, "It should."),
    guide: "operating.md#probes",
    handler: || answered_by(readyz),
    ..Endpoint::PLAIN
};

/// Ready unless it is leaving or its store is away: then 503 with the reason.
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
    let catalogue = service.shared.catalogues.running().hash().to_string();
    Ok(json(StatusCode::OK, &Ready { status: "ready", storage: "ok", catalogue }))
}

/// What the probes of another listener look at, once the process has it.
#[derive(Clone, Default)]
pub struct Probed(Arc<OnceLock<Watched>>);

enum Watched {
    /// A process that serves requests.
    Server(App),
    /// A process that has a store and serves none.
    Worker(Arc<Service>),
}

impl Probed {
    /// From now on probes look at this server.
    pub fn watch_server(&self, app: &App) {
        let _ = self.0.set(Watched::Server(app.clone()));
    }

    /// From now on probes look at this worker.
    pub fn watch_worker(&self, service: &Arc<Service>) {
        let _ = self.0.set(Watched::Worker(service.clone()));
    }

    /// The probes' routes.
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
