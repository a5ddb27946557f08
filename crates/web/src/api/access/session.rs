//! `POST /v1/business/session`: opens a session that quotes can name (D37, D44).

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::session::Session;
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::api::common::example;
use crate::app::App;
use crate::body::Body;
use crate::caller::{BusinessSession, Caller};
use crate::error::Result;
use crate::idempotency::{IdempotencyKey, Lookup};
use crate::number::TextMap;
use crate::reader::Fields;
use crate::response::{respond, to_keep};
use crate::shape::describe;

/// Limits of the metadata: number of entries, characters of a key, characters of a text.
const METADATA: TextMap = TextMap { most: 50, key: 100, text: 1000 };

pub(super) static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/business/session",
    id: "openSession",
    tag: "Access",
    summary: "Open a session",
    description: "Opens a session that groups the quotes of one customer. `metadata` can have any texts that you want to store with the session.",
    access: Access::Scope(Scope::BusinessSession),
    takes: Some(Takes::Json { schema: || describe(session_request), example: example::session }),
    gives: Gives::json::<SessionAnswer<'static>>(201, "The session."),
    idempotent: true,
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Opens a session.
async fn post(
    State(app): State<App>,
    caller: Caller<BusinessSession>,
    key: IdempotencyKey,
    body: Body,
) -> Result<Response> {
    let attempt = match key.look_up(&app, caller.partner, &body).await? {
        Lookup::New(attempt) => attempt,
        Lookup::Earlier(response) => return Ok(response),
    };
    let metadata = body.read(session_request)?;
    let session = app.service.sessions.make(caller.partner, metadata);
    let response = to_keep(StatusCode::CREATED, &SessionAnswer::of(&session));
    let kept = attempt.response(&response, session.created_at);
    let outcome = app.service.sessions.keep(session, kept).await?;
    Ok(respond(response, outcome))
}

/// Reads the body of a session request.
pub(crate) fn session_request(fields: &mut Fields<'_>) -> Option<BTreeMap<String, String>> {
    fields.optional("metadata", METADATA).map(Option::unwrap_or_default)
}

/// An open session.
#[derive(Serialize, ToSchema)]
pub(crate) struct SessionAnswer<'a> {
    /// Id of the session: `ses_…`.
    #[schema(pattern = "^ses_[0-9a-z]{26}$")]
    session_id: String,
    /// Metadata from the request, `{}` if there was none.
    metadata: &'a BTreeMap<String, String>,
}

impl<'a> SessionAnswer<'a> {
    fn of(session: &'a Session) -> Self {
        SessionAnswer { session_id: session.id.to_string(), metadata: &session.metadata }
    }
}
