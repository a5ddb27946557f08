//! `POST /v1/auth/token`: credentials in, a bearer token out (interface §1; D4 to D7, D43, D48).

use std::cell::{Cell, RefCell};

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::{Scope, Scopes};
use domain::text::FromText;
use serde::Serialize;
use service::token::TokenRequest;
use utoipa::ToSchema;

use crate::answer::{Payload, json};
use crate::app::App;
use crate::body::Body;
use crate::error::Problem;
use crate::reader::Fields;
use crate::shape::{PlainText, judged, list, text};

/// A new token.
#[derive(Serialize, ToSchema)]
pub(crate) struct TokenAnswer {
    /// The JWT to send as `Authorization: Bearer`.
    access_token: String,
    /// Seconds until it expires.
    #[schema(example = 3600)]
    expires_in: i64,
    /// Always `Bearer`.
    #[schema(example = "Bearer")]
    token_type: &'static str,
}

/// Generates a token. Refused credentials are judged before everything that only a partner may be told.
pub(crate) async fn post(State(app): State<App>, body: Body) -> Result<Response, Problem> {
    let asked = Asked::default();
    let (request, faults) = body.read_with_faults(|fields| token_request(fields, &asked))?;
    let Some((client_id, client_secret)) = asked.credentials.take() else {
        return Err(Problem::invalid(faults));
    };
    let record = app.service.authenticate(&client_id, &client_secret).await?;
    app.service.may_ask_for(&record.partner, asked.scopes.get())?;
    let request = request.ok_or_else(|| Problem::invalid(faults))?;
    let token = app.service.issue_token(&record.partner, &request).await?;
    let answer =
        TokenAnswer { access_token: token.token, expires_in: token.expires_in, token_type: "Bearer" };
    Ok(json(StatusCode::OK, &Payload { payload: answer }))
}

/// What could be read of a request that has faults elsewhere.
#[derive(Default)]
pub(crate) struct Asked {
    credentials: RefCell<Option<(String, String)>>,
    scopes: Cell<Scopes>,
}

/// A credential as it is sent.
struct Credential(String);

impl FromText for Credential {
    const WANTED: &'static str = "the text that the operator gave you";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        if text.len() > 256 { Err("longer text") } else { Ok(Credential(text.to_owned())) }
    }
}

/// Reads the body of a token request.
pub(crate) fn token_request(fields: &mut Fields<'_>, asked: &Asked) -> Option<TokenRequest> {
    let client_id = fields.required("client_id", text::<Credential>());
    let client_secret = fields.required("client_secret", text::<Credential>());
    if let (Some(Credential(id)), Some(Credential(secret))) = (&client_id, &client_secret) {
        *asked.credentials.borrow_mut() = Some((id.clone(), secret.clone()));
    }
    let user_id = fields.optional("user_id", PlainText { longest: 255 });
    let scope = judged(|scope: Scope| {
        asked.scopes.set(asked.scopes.get().and(scope));
        Ok(scope)
    });
    let scopes = fields.optional("scopes", list(scope, 0, 32));
    (client_id.is_some() && client_secret.is_some()).then_some(())?;
    Some(TokenRequest { user_id: user_id?, scopes: scopes?.unwrap_or_default().into_iter().collect() })
}
