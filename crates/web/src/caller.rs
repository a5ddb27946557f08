//! Checks bearer tokens in an extractor whose type names the scope: `Caller<QuoteWrite>` may create quotes
//! (D1, D2, D43).

use std::marker::PhantomData;

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use domain::access::Scope;
use domain::id::PartnerId;
use service::acting::{self, Actor};

use crate::app::App;
use crate::context::{RequestContext, has_no_body};
use crate::error::{Problem, Result};

/// Type that stands for the scope that an operation needs.
pub(crate) trait Needs {
    const SCOPE: Scope;
}

/// Declares a type for each scope.
macro_rules! needs {
    ($($need:ident),*) => { $(
        #[doc = concat!("Needs the scope of [`Scope::", stringify!($need), "`].")]
        pub(crate) struct $need;

        impl Needs for $need {
            const SCOPE: Scope = Scope::$need;
        }
    )* };
}
needs!(
    Business,
    BusinessSession,
    QuoteRead,
    QuoteWrite,
    ProposalRead,
    ProposalWrite,
    PolicyRead,
    PolicyWrite,
    Webhook
);

/// Partner with a valid token that has the scope `Need`.
pub(crate) struct Caller<Need> {
    pub(crate) partner: PartnerId,
    need: PhantomData<Need>,
}

impl<Need: Needs> FromRequestParts<App> for Caller<Need> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let partner = check(parts, app, Need::SCOPE).await?;
        Ok(Caller { partner, need: PhantomData })
    }
}

/// Returns the partner of the request's token, if the token has the scope. Gets a permit for a request
/// without a body. A request with a body gets its permit once the body has arrived.
async fn check(parts: &Parts, app: &App, scope: Scope) -> Result<PartnerId> {
    let context = RequestContext::of(&parts.extensions);
    let caller = app.service.tokens.check_bearer(bearer(parts)?).await?;
    context.set_partner(caller.partner);
    acting::identify(Actor::Partner(caller.partner));
    caller.needs(scope)?;
    if has_no_body(&parts.method) {
        context.admit(app).await?;
    }
    Ok(caller.partner)
}

/// Like [`Caller`], but only for partners that the operator marked as existing users of the deprecated
/// operations (D9).
pub(crate) struct LegacyCaller<Need> {
    pub(crate) partner: PartnerId,
    need: PhantomData<Need>,
}

impl<Need: Needs> FromRequestParts<App> for LegacyCaller<Need> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let Caller { partner, need } = Caller::<Need>::from_request_parts(parts, app).await?;
        app.service.health_proposals.may_read_legacy(partner)?;
        Ok(LegacyCaller { partner, need })
    }
}

/// Bearer token of the `Authorization` header. There must be exactly one such header.
fn bearer(parts: &Parts) -> Result<&str> {
    let missing =
        || Problem::unauthenticated("Bearer", "Send a bearer token: Authorization: Bearer <ACCESS_TOKEN>.");
    let malformed = || {
        let detail =
            "The Authorization header must be one bearer token: Authorization: Bearer <ACCESS_TOKEN>.";
        Problem::unauthenticated(r#"Bearer error="invalid_token""#, detail)
    };
    let mut headers = parts.headers.get_all(AUTHORIZATION).iter();
    let header = headers.next().ok_or_else(missing)?;
    if headers.next().is_some() {
        return Err(malformed());
    }
    let (scheme, token) = header.to_str().ok().and_then(|text| text.split_once(' ')).ok_or_else(malformed)?;
    let token = token.trim();
    if !scheme.eq_ignore_ascii_case("bearer") || token.is_empty() {
        return Err(malformed());
    }
    Ok(token)
}
