//! The JSON API: one file per noun, each handler a row of the contract.

mod auth_token;
mod certificate_check;
mod context;
mod embedded_proposal;
mod embedded_quote;
mod example;
mod forms;
mod health;
mod health_policy;
mod health_proposal;
mod health_quote;
mod insurer_decision;
mod jwks;
mod list;
mod metrics;
mod offered;
mod openapi;
mod people;
mod policy_document;
mod recommendation;
mod session;

use axum::Router;
use axum::http::{HeaderValue, header};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::Response;
use axum::routing::{get, patch, post};
use service::certificate::CHECK_PATH;
use service::policy_document::DOWNLOAD_PATH;

use crate::app::App;
use crate::deprecation;
use crate::journey;
use crate::layers::every_request;
use crate::page;

pub(crate) use forms::KnownForms;
pub use metrics::metrics;
pub use openapi::document;

/// Every route that there is.
pub fn router(app: App) -> Router {
    Router::new()
        .route("/v1/auth/token", post(auth_token::post))
        .route("/v1/business/session", post(session::post))
        .route("/v1/business/health/recommendation", post(recommendation::post))
        .route("/v1/business/health/recommendation/{quote_id}", get(recommendation::get))
        .route("/v1/business/health/quotes", get(health_quote::list))
        .route("/v1/business/health/quotes/{quote_id}", get(health_quote::get))
        .route("/v1/business/health/proposals", get(health_proposal::list))
        .route("/v1/business/health/proposals/{proposal_id}", get(health_proposal::get))
        .route("/v1/business/health/policies", get(health_policy::list))
        .route("/v1/business/health/policies/{*policy_id}", get(health_policy::get))
        .route(deprecation::DOCUMENT, get(deprecation::get))
        .route("/v1/insurers/{insurer_id}/decisions", post(insurer_decision::post))
        .route("/v1/embedded/quote", post(embedded_quote::post))
        .route("/v1/embedded/proposal", post(embedded_proposal::post))
        .route("/v1/embedded/proposal/{proposal_id}", patch(embedded_proposal::patch))
        .route("/v1/embedded/proposal/{proposal_id}/status", get(embedded_proposal::get_status))
        .route(&format!("{DOWNLOAD_PATH}{{address}}"), get(policy_document::get))
        .route(&format!("{CHECK_PATH}{{code}}"), get(certificate_check::get))
        .route("/.well-known/jwks.json", get(jwks::get))
        .route("/livez", get(health::livez))
        .route("/readyz", get(health::readyz))
        .route("/openapi.json", get(openapi::get))
        .route(page::STYLESHEET, get(page::stylesheet))
        .merge(docs())
        .merge(journey::router(&app))
        .layer(from_fn_with_state(app.clone(), every_request))
        .with_state(app)
}

/// The reading room: Swagger UI over our own document, its assets in the binary.
fn docs() -> Router<App> {
    let config = utoipa_swagger_ui::Config::from("/openapi.json")
        .try_it_out_enabled(true)
        .display_request_duration(true)
        .validator_url("none");
    let ui: Router<App> = utoipa_swagger_ui::SwaggerUi::new("/docs").config(config).into();
    ui.layer(map_response(|mut response: Response| async move {
        // Swagger UI styles its elements in place; nothing of ours is served under this policy.
        let policy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'";
        response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
        response
    }))
}
