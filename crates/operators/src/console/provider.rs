//! Redirects of the browser to the identity provider and back, for a sign-in.

use axum::extract::{FromRequestParts, Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};
use domain::team::Identity;
use serde::Deserialize;
use service::Error;
use service::acting::{self, Actor};
use service::team::NewSecret;
use service::team::sign_in::{Ceremony, CeremonyPurpose};

use super::pages::own_path;
use super::said::{ContinuePage, failed, page, refusal};
use super::visitor::{Visitor, browser, cookie, cookie_in};
use super::{Console, On};
use crate::team::provider::{Provider, Waiting};

/// Cookie with the state of a sign-in. The browser must send the cookie again when the provider redirects the
/// browser back.
const COOKIE: &str = "covernote-provider";

#[derive(Debug, Default, Deserialize)]
pub(super) struct Start {
    #[serde(default)]
    next: String,
    /// Text of the invitation link to accept. Empty if there is no invitation.
    #[serde(default)]
    link: String,
    /// Whether to add the identity to the signed-in operator's account.
    #[serde(default)]
    links_account: bool,
}

/// Parameters with which the provider redirects the browser back.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Back {
    #[serde(default)]
    code: String,
    #[serde(default)]
    state: String,
    /// Issuer that the provider names in its redirect (RFC 9207).
    iss: Option<String>,
    error: Option<String>,
}

impl Console {
    fn waits(&self, ceremony: &str) -> HeaderValue {
        let life = if ceremony.is_empty() { 0 } else { 300 };
        let secure = if self.is_https { "; Secure" } else { "" };
        let cookie =
            format!("{COOKIE}={ceremony}; Path=/provider; HttpOnly; SameSite=Lax; Max-Age={life}{secure}");
        HeaderValue::from_str(&cookie).unwrap_or(HeaderValue::from_static(""))
    }
}

/// Redirects the browser to the provider, to sign in or to add an identity to an operator's account.
pub(super) async fn begin(
    State(console): On,
    Query(Start { next, link, links_account }): Query<Start>,
    mut parts: Parts,
) -> Response {
    let Some(provider) = &console.provider else { return failed("No identity provider is configured.") };
    let team = &console.service().team;
    let operator = match links_account {
        true => match Visitor::from_request_parts(&mut parts, &console).await {
            Ok(Visitor(signed_in)) if signed_in.is_confirmed(team.now()) => Some(signed_in.operator),
            Ok(_) => return Redirect::to("/account/passkey").into_response(),
            Err(sign_in) => return sign_in,
        },
        false => None,
    };
    let (state, nonce) = (team.random_text(), team.random_text());
    let (verifier, challenge) = team.proof_key();
    let (next, generation) =
        (own_path(&next).to_owned(), operator.as_ref().map_or(0, |operator| operator.generation));
    let waiting = Waiting { state, nonce, verifier, link, next, generation };
    let url = match provider.begin(&waiting, &challenge).await {
        Ok(url) => url,
        Err(why) => return unreachable(provider, &why),
    };
    let Ok(state) = serde_json::to_string(&waiting) else { return refusal(Error::LinkExpired) };
    let held = team.begin_ceremony(
        CeremonyPurpose::Provider,
        &Ceremony { state, operator: operator.map(|operator| operator.id) },
    );
    ([(header::SET_COOKIE, console.waits(&held))], Redirect::to(&url)).into_response()
}

/// Ends the sign-in when the provider redirects the browser back.
pub(super) async fn back(State(console): On, Query(back): Query<Back>, headers: HeaderMap) -> Response {
    let Some(provider) = &console.provider else { return failed("No identity provider is configured.") };
    match come_back(&console, provider, &back, &headers).await {
        Ok((session, next)) => {
            let to = ContinuePage { next: own_path(&next).to_owned() };
            let spent = [(header::SET_COOKIE, console.waits(""))];
            let mut response = (spent, page(&to)).into_response();
            if let Some(session) = session {
                response.headers_mut().extend(cookie(&console, &session.text));
            }
            response
        }
        Err(fault) => refusal(fault),
    }
}

async fn come_back(
    console: &Console,
    provider: &Provider,
    back: &Back,
    headers: &HeaderMap,
) -> Result<(Option<NewSecret>, String), Error> {
    let team = &console.service().team;
    let held = cookie_in(headers, COOKIE).ok_or(Error::LinkExpired)?;
    let Ceremony { state, operator } = team.ceremony(CeremonyPurpose::Provider, &held)?;
    let waiting: Waiting = serde_json::from_str(&state).map_err(|_| Error::LinkExpired)?;
    if waiting.state != back.state {
        return Err(Error::LinkExpired);
    }
    let is_other = back.iss.as_ref().is_some_and(|issuer| *issuer != console.issuer());
    let identity = match &back.error {
        Some(error) => Err(format!("the provider answered {error}")),
        None if is_other => Err("the answer came from another provider".to_owned()),
        None => provider.finish(&waiting, &back.code, team.now()).await,
    };
    let identity: Identity = identity.map_err(|why| {
        tracing::warn!("a sign-in by the identity provider was not accepted: {why}");
        Error::NotPermitted("The identity provider did not sign you in. Try again.")
    })?;
    team.spend_ceremony(&held, operator).await?;
    let session = match (operator, waiting.link.as_str()) {
        (Some(operator), _) => {
            acting::identify(Actor::Operator(operator));
            team.add_identity(operator, waiting.generation, identity).await?;
            None
        }
        (None, "") => Some(team.sign_in_by(&identity, &browser(headers)).await?),
        (None, link) => Some(team.enrol_identity(link, identity, &browser(headers)).await?),
    };
    if let Some(session) = &session {
        acting::identify(Actor::Operator(session.operator.id));
    }
    Ok((session, waiting.next))
}

fn unreachable(provider: &Provider, why: &str) -> Response {
    tracing::error!("the identity provider {} cannot be used: {why}", provider.name());
    failed("The identity provider cannot be reached. Try again, or use a passkey.")
}
