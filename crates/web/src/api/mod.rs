//! The JSON API. Each kind of record, such as claims, has a module with its handlers and endpoint
//! declarations.
//!
//! Uses `app`, `audit`, `body`, `caller`, `context`, `contract`, `deprecation`, `developer_site`, `error`,
//! `event`, `event_document`, `idempotency`, `journey`, `layers`, `marker`, `number`, `openapi_file`, `page`, `parts`,
//! `path`, `query`, `reader`, `response`, `shape`, `sight`, `template`, `template_cache`, `wording`.

pub(crate) mod access;
mod claim;
pub(crate) mod common;
mod event;
mod metrics;
pub(crate) mod policy;
pub(crate) mod probes;
pub(crate) mod proposal;
pub(crate) mod quote;
mod sandbox;
mod statement;
mod webhook;

use std::sync::LazyLock;

use axum::Router;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use serde_json::Value;
use service::line::certificate::CHECK_PATH;

use self::common::endpoint::Endpoint;
use self::common::openapi;
use crate::app::App;
use crate::contract::Contract;
use crate::deprecation;
use crate::developer_site;
use crate::journey;
use crate::layers::EveryRequest;
use crate::page;

pub use crate::openapi_file::DocumentFile;
pub use claim::{ClaimDetail, ClaimSummary};
pub use metrics::metrics;
pub use policy::cancellation::CancellationQuoteShown;
pub use policy::endorsement::{EndorsementQuoteShown, endorsement_schema, read_endorsement};
pub use policy::renewal::RenewalQuoteShown;
pub use policy::{EndorsementShown, PolicyDetail, PolicySummary};
pub use probes::Probed;
pub use statement::StatementSummary;

/// Endpoints of all modules, in the order of the OpenAPI document.
static NOUNS: &[&[&Endpoint]] = &[
    access::ENDPOINTS,
    quote::ENDPOINTS,
    proposal::ENDPOINTS,
    policy::ENDPOINTS,
    claim::ENDPOINTS,
    statement::ENDPOINTS,
    event::ENDPOINTS,
    webhook::ENDPOINTS,
    sandbox::ENDPOINTS,
    probes::ENDPOINTS,
];

static ENDPOINTS: LazyLock<Vec<&Endpoint>> = LazyLock::new(|| NOUNS.concat());

/// Lookup table of all endpoints, by path and method.
pub(crate) static CONTRACT: LazyLock<Contract> =
    LazyLock::new(|| Contract::of(ENDPOINTS.iter().map(|endpoint| endpoint.row())));

/// The API's OpenAPI 3.1 document, as served and as printed by `covernote openapi`.
pub fn document() -> Value {
    openapi::document(&ENDPOINTS)
}

/// Router with the API's endpoints, the OpenAPI document, the developer site and the journey's pages.
pub fn router(app: App) -> Router {
    let endpoints = ENDPOINTS.iter().fold(Router::new(), |router, row| router.route(row.path, row.route()));
    endpoints
        .route(deprecation::DOCUMENT, get(deprecation::get))
        .route(&format!("{CHECK_PATH}{{code}}"), get(policy::certificate_check::get))
        .route("/openapi.json", get(serve_document))
        .route(page::STYLESHEET, get(page::stylesheet))
        .merge(developer_site::router())
        .merge(journey::router(&app))
        .layer(EveryRequest { app: app.clone(), contract: &CONTRACT })
        .with_state(app)
}

async fn serve_document(State(app): State<App>, asked: HeaderMap) -> Response {
    let made = || {
        let mut document = document();
        let path = app.service.installation.base_path();
        document["servers"][0]["url"] = if path.is_empty() { "/" } else { path }.into();
        DocumentFile::of(&document)
    };
    app.document.get_or_init(made).answer(&asked)
}

#[cfg(test)]
mod tests {
    use service::policy::document::DOWNLOAD_PATH;

    use super::*;

    #[test]
    fn signed_document_addresses_use_the_path_of_the_download_endpoint() {
        assert_eq!(policy::document::GET.path, format!("{DOWNLOAD_PATH}{{address}}"));
    }
}
