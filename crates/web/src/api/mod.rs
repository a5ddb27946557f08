//! The JSON API: a module for each noun has its handlers, each with its row of the contract, and lists
//! these rows.
//!
//! Uses `app`, `audit`, `body`, `caller`, `context`, `contract`, `deprecation`, `developer_site`, `error`, `event`,
//! `event_document`, `idempotency`, `journey`, `layers`, `marker`, `number`, `page`, `parts`, `path`, `query`, `reader`,
//! `response`, `shape`, `template`, `template_cache`, `wording`.

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
pub mod shown;
mod statement;
mod webhook;

use std::sync::LazyLock;

use axum::Router;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::map_response;
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

pub use claim::read_claim;
pub use common::openapi_file::DocumentFile;
pub use metrics::metrics;
pub use policy::endorsement::read_endorsement;
pub use probes::Probed;

/// The endpoints of every noun. The document goes through them in this order.
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

/// Every endpoint of the contract.
static ENDPOINTS: LazyLock<Vec<&Endpoint>> = LazyLock::new(|| NOUNS.concat());

/// The endpoints by path and method.
pub(crate) static CONTRACT: LazyLock<Contract> =
    LazyLock::new(|| Contract::of(ENDPOINTS.iter().map(|endpoint| endpoint.row())));

/// The contract as an OpenAPI 3.1 document, as it is served and as `covernote openapi` prints it.
pub fn document() -> Value {
    openapi::document(&ENDPOINTS)
}

/// The table of endpoints in `docs/api.md`, in Markdown.
pub fn endpoint_table() -> String {
    let head = "| Operation | Scope | Idempotency key | Answers |\n|---|---|---|---|\n";
    ENDPOINTS.iter().fold(head.to_owned(), |table, endpoint| table + &endpoint.table_row())
}

/// Every route: the endpoints, the documents beside them, and the journey's pages.
pub fn router(app: App) -> Router {
    let endpoints = ENDPOINTS.iter().fold(Router::new(), |router, row| router.route(row.path, row.route()));
    endpoints
        .route(deprecation::DOCUMENT, get(deprecation::get))
        .route(&format!("{CHECK_PATH}{{code}}"), get(policy::certificate_check::get))
        .route("/openapi.json", get(serve_document))
        .route(page::STYLESHEET, get(page::stylesheet))
        .merge(developer_site::router())
        .merge(swagger_ui())
        .merge(journey::router(&app))
        .layer(EveryRequest { app: app.clone(), contract: &CONTRACT })
        .with_state(app)
}

async fn serve_document(asked: HeaderMap) -> Response {
    static FILE: LazyLock<DocumentFile> = LazyLock::new(|| DocumentFile::of(&document()));
    FILE.answer(&asked)
}

/// Swagger UI over our own document, its assets in the binary.
fn swagger_ui() -> Router<App> {
    let config = utoipa_swagger_ui::Config::from("/openapi.json")
        .try_it_out_enabled(true)
        .display_request_duration(true)
        .validator_url("none");
    let ui: Router<App> = utoipa_swagger_ui::SwaggerUi::new("/docs/swagger").config(config).into();
    ui.layer(map_response(|mut response: Response| async move {
        // Swagger UI styles its elements in place; nothing of ours is served under this policy.
        let policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
        response
    }))
}

#[cfg(test)]
mod tests {
    use service::policy::document::DOWNLOAD_PATH;

    use super::*;

    #[test]
    fn a_signed_address_leads_to_the_download() {
        assert_eq!(policy::document::GET.path, format!("{DOWNLOAD_PATH}{{address}}"));
    }
}
