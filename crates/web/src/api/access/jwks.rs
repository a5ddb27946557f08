//! `GET /.well-known/jwks.json`: public keys of the live signing keys (D4).

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Verb, answered_by};
use crate::app::App;
use crate::response::json;

/// A set of public keys (RFC 7517).
#[derive(Serialize, ToSchema)]
pub(crate) struct KeySet {
    keys: Vec<PublicKey>,
}

/// A public Ed25519 key (RFC 8037).
#[derive(Serialize, ToSchema)]
struct PublicKey {
    kty: &'static str,
    crv: &'static str,
    r#use: &'static str,
    alg: &'static str,
    kid: String,
    x: String,
}

pub(super) static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/.well-known/jwks.json",
    id: "listPublicKeys",
    tag: "Access",
    summary: "List the public keys",
    description: "Lists the public keys that verify access tokens. You need them only if you check tokens yourself.",
    access: Access::Open,
    gives: Gives::json::<KeySet>(200, "The public keys."),
    handler: || answered_by(get),
    ..Endpoint::PLAIN
};

/// Lists the public keys. A retired key disappears at once; a new key is listed before it signs tokens.
async fn get(State(app): State<App>) -> Response {
    let key = |key: service::access::token::PublicKey| PublicKey {
        kty: "OKP",
        crv: "Ed25519",
        r#use: "sig",
        alg: "EdDSA",
        kid: key.kid,
        x: key.x,
    };
    let keys = app.service.tokens.public_keys().into_iter().map(key).collect();
    let mut response = json(StatusCode::OK, &KeySet { keys });
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=60"));
    response
}
