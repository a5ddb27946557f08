//! `POST /v1/business/session`: opens a session that quotes can name (D37, D44).

use std::collections::BTreeMap;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::session::Session;
use serde::Serialize;
use service::idempotency::Answering;
use utoipa::ToSchema;

use crate::answer::keepable;
use crate::app::App;
use crate::body::Body;
use crate::caller::{BusinessSession, Caller};
use crate::error::Problem;
use crate::number::Texts;
use crate::once::Once;
use crate::reader::Fields;

/// What metadata may hold.
const METADATA: Texts = Texts { most: 50, key: 100, text: 1000 };

/// Opens a session.
pub(crate) async fn post(
    State(app): State<App>,
    caller: Caller<BusinessSession>,
    once: Once,
    body: Body,
) -> Result<Response, Problem> {
    once.or_replay(&app, caller.partner, &body, async |attempt| {
        let metadata = body.read(session_request)?;
        let make = |session: &Session| {
            let metadata = &session.metadata;
            keepable(StatusCode::CREATED, &SessionAnswer { session_id: session.id.to_string(), metadata })
        };
        Ok(app.service.open_session(caller.partner, metadata, Answering::new(attempt, &make)).await?)
    })
    .await
}

/// Reads the body of a session request.
pub(crate) fn session_request(fields: &mut Fields<'_>) -> Option<BTreeMap<String, String>> {
    fields.optional("metadata", METADATA).map(Option::unwrap_or_default)
}

/// A session that was opened.
#[derive(Serialize, ToSchema)]
pub(crate) struct SessionAnswer<'a> {
    /// Its id: `ses_…`.
    #[schema(pattern = "^ses_[0-9a-z]{26}$")]
    session_id: String,
    /// As it was sent; `{}` where nothing was.
    metadata: &'a BTreeMap<String, String>,
}
