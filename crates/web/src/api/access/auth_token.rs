//! `POST /v1/auth/token`: exchanges credentials for a bearer token (interface §1; D4 to D7, D43, D48).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::{Scope, Scopes};
use domain::text::FromText;
use serde::Serialize;
use service::access::token::TokenRequest;
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::api::common::example;
use crate::app::App;
use crate::audit::AuditEvent;
use crate::body::Body;
use crate::context::RequestContext;
use crate::error::{Code, Problem, Result};
use crate::reader::Fields;
use crate::response::{Payload, json};
use crate::shape::{Items, PlainText, describe, items, text};

/// An access token.
#[derive(Serialize, ToSchema)]
pub(crate) struct TokenAnswer {
    /// Access token, a JWT. Send it as `Authorization: Bearer <ACCESS_TOKEN>`.
    access_token: String,
    /// Seconds until the token expires.
    #[schema(example = 3600)]
    expires_in: i64,
    /// Always `Bearer`.
    #[schema(example = "Bearer")]
    token_type: &'static str,
}

pub(super) static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/auth/token",
    id: "generateToken",
    tag: "Access",
    summary: "Generate a token",
    description: "Exchanges your credentials for a bearer token that is valid for an hour. You get at most 100 tokens in any 60 minutes, unless the operator set another limit.",
    access: Access::Open,
    takes: Some(Takes::Json { schema: || describe(TokenDraft::read), example: example::token }),
    gives: Gives::payload::<TokenAnswer>(200, "The token."),
    refuses: &[Code::A4001, Code::A4030, Code::A4290],
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Maximum number of bytes of the body. The limit is low because the body is read before authentication
/// (D57).
const MOST_BYTES: usize = 8 * 1024;

/// Generates a token. Checks the credentials first, so that other callers learn nothing about the partner.
async fn post(State(app): State<App>, context: RequestContext, body: Body<MOST_BYTES>) -> Result<Response> {
    let draft = body.draft(TokenDraft::read)?;
    let (Some(Credential(id)), Some(Credential(secret))) =
        (&draft.parts.client_id, &draft.parts.client_secret)
    else {
        return Err(Problem::invalid(draft.faults));
    };
    let caller = app.service.tokens.authenticate(id, secret).await.inspect_err(|refused| {
        if !matches!(refused, service::Error::WrongCredentials) {
            return;
        }
        context.set_audited(AuditEvent::SignInFailed, app.service.shared.directory.partner_named(id), None);
    })?;
    context.set_partner(caller.partner.id);
    app.service.tokens.may_ask_for(&caller.partner, draft.parts.scopes())?;
    let request = draft.finish(TokenDraft::finish)?;
    let token = app.service.tokens.issue_token(&caller, &request).await?;
    context.set_audited(AuditEvent::TokenIssued, None, Some(token.id.to_string()));
    let answer =
        TokenAnswer { access_token: token.token, expires_in: token.expires_in, token_type: "Bearer" };
    Ok(json(StatusCode::OK, &Payload { payload: answer }))
}

/// Client id or client secret from the request, at most 256 bytes.
struct Credential(String);

impl FromText for Credential {
    const WANTED: &'static str = "the credential that the operator gave you";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        if text.len() > 256 { Err("longer text") } else { Ok(Credential(text.to_owned())) }
    }
}

/// Parsed body of a token request, possibly with faults.
pub(crate) struct TokenDraft {
    client_id: Option<Credential>,
    client_secret: Option<Credential>,
    user_id: Option<Option<String>>,
    scopes: Option<Items<Scope>>,
}

impl TokenDraft {
    /// Reads the body of a token request.
    pub(crate) fn read(fields: &mut Fields<'_>) -> Self {
        // OAuth's name `scope` would be ignored, and the token would lack the scopes.
        if fields.has("scope") && !fields.has("scopes") {
            fields.fault(
                "scope",
                "Unknown field: did you mean scopes? It is a list, such as [\"business.session\"].",
            );
        }
        TokenDraft {
            client_id: fields.required("client_id", text()),
            client_secret: fields.required("client_secret", text()),
            user_id: fields.optional("user_id", PlainText::line(255)),
            scopes: fields.optional("scopes", items(text(), 0, 32)).map(Option::unwrap_or_default),
        }
    }

    /// The valid scopes of the request.
    fn scopes(&self) -> Scopes {
        self.scopes.iter().flat_map(Items::read).copied().collect()
    }

    /// Returns the request, or `None` if a field has a fault.
    fn finish(self) -> Option<TokenRequest> {
        let scopes = self.scopes?.finish(Some)?;
        Some(TokenRequest { user_id: self.user_id?, scopes: scopes.into_iter().collect() })
    }
}
