//! The JSON API: a file for each noun has its handlers, each with its row of the contract; here the rows are listed.

mod auth_token;
mod cancellation;
mod certificate_check;
mod claim;
mod claim_document;
mod context;
mod embedded_proposal;
mod embedded_quote;
mod endorsement;
mod endpoint;
mod event;
mod example;
mod health;
mod health_policy;
mod health_proposal;
mod health_quote;
mod insurer_caller;
mod insurer_claim;
mod insurer_decision;
mod jwks;
mod list;
mod metrics;
mod offered;
mod openapi;
mod options;
mod payment_callback;
mod people;
mod policy;
mod policy_document;
mod premium_receipt;
mod proposal;
mod recommendation;
mod renewal;
mod request_log;
mod sandbox;
mod session;
mod statement;
mod webhook;
mod webhook_delivery;

use std::sync::LazyLock;

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::middleware::map_response;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use serde_json::Value;
use service::line::certificate::CHECK_PATH;

use self::endpoint::Endpoint;
use crate::app::App;
use crate::contract::Contract;
use crate::deprecation;
use crate::developer_site;
use crate::journey;
use crate::layers::EveryRequest;
use crate::page;

pub use endorsement::endorsement;
pub use health::Probed;
pub use metrics::metrics;

/// Every endpoint of the contract, in the order in which `docs/api.md` goes through them.
static ENDPOINTS: &[&Endpoint] = &[
    &auth_token::POST,
    &options::EMBEDDED,
    &embedded_quote::POST,
    &embedded_proposal::POST,
    &embedded_proposal::STATUS,
    &embedded_proposal::PATCH,
    &policy_document::GET,
    &premium_receipt::POST,
    &proposal::LIST,
    &proposal::GET,
    &policy::LIST,
    &policy::GET,
    &cancellation::QUOTE,
    &cancellation::POST,
    &endorsement::QUOTE,
    &endorsement::POST,
    &renewal::LIST,
    &renewal::QUOTE,
    &renewal::POST,
    &claim::POST,
    &claim::LIST,
    &claim::GET,
    &claim::WITHDRAW,
    &claim_document::POST,
    &claim_document::GET,
    &statement::LIST,
    &statement::GET,
    &statement::DOWNLOAD,
    &event::LIST,
    &event::GET,
    &webhook_delivery::REPLAY,
    &webhook::POST,
    &webhook::LIST,
    &webhook::GET,
    &webhook::PATCH,
    &webhook::DELETE,
    &webhook::ROTATE,
    &webhook::PING,
    &webhook_delivery::DELIVERIES,
    &webhook_delivery::RETRY,
    &webhook_delivery::RECOVER,
    &request_log::LIST,
    &sandbox::CLOCK,
    &sandbox::ADVANCE,
    &sandbox::PROPOSAL,
    &sandbox::CLAIM,
    &sandbox::POLICY,
    &sandbox::FIRE,
    &sandbox::DELETE,
    &session::POST,
    &options::HEALTH,
    &recommendation::POST,
    &recommendation::GET,
    &health_quote::LIST,
    &health_quote::GET,
    &health_proposal::LIST,
    &health_proposal::GET,
    &health_policy::LIST,
    &health_policy::GET,
    &jwks::GET,
    &payment_callback::POST,
    &insurer_decision::POST,
    &premium_receipt::INSURER_POST,
    &insurer_claim::GET,
    &insurer_claim::DOCUMENT,
    &insurer_claim::POST,
    &health::LIVEZ,
    &health::READYZ,
];

/// The same, by path and method.
pub(crate) static CONTRACT: LazyLock<Contract> =
    LazyLock::new(|| Contract::of(ENDPOINTS.iter().map(|endpoint| endpoint.row())));

/// The contract as an OpenAPI 3.1 document, as it is served and as `covernote openapi` prints it.
pub fn document() -> Value {
    openapi::document(ENDPOINTS)
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
        .route(&format!("{CHECK_PATH}{{code}}"), get(certificate_check::get))
        .route("/openapi.json", get(serve_document))
        .route(page::STYLESHEET, get(page::stylesheet))
        .merge(developer_site::router())
        .merge(swagger_ui())
        .merge(journey::router(&app))
        .layer(EveryRequest { app: app.clone(), contract: &CONTRACT })
        .with_state(app)
}

async fn serve_document() -> Response {
    static BYTES: LazyLock<Vec<u8>> =
        LazyLock::new(|| serde_json::to_vec(&document()).expect("a document of ours serialises"));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=300")),
    ];
    (headers, BYTES.as_slice()).into_response()
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
        assert_eq!(policy_document::GET.path, format!("{DOWNLOAD_PATH}{{address}}"));
    }
}
