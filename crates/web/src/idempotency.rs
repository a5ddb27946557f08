//! `Idempotency-Key`: a request that may come twice is done once (D36).

use axum::extract::{FromRequestParts, OriginalUri};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use domain::id::PartnerId;
use service::Error;
use service::idempotency::Attempt;

use crate::app::App;
use crate::body::Body;
use crate::error::Problem;
use crate::response::replayed;

const HEADER: &str = "idempotency-key";

/// Longest key, in characters.
const LONGEST: usize = 255;

/// The idempotency key of a request, where it has one, with the method and path that it holds for. A malformed key is
/// refused only once the body's size and type were judged (D43).
pub(crate) struct IdempotencyKey {
    key: Result<Option<String>, Problem>,
    method: Method,
    path: String,
}

/// What is known of a request's idempotency key.
pub(crate) enum Lookup {
    /// The request is new. Its response is kept under the attempt, where a key came.
    New(Option<Attempt>),
    /// An earlier request with this key got this response.
    Earlier(Response),
}

impl FromRequestParts<App> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let OriginalUri(uri) = OriginalUri::from_request_parts(parts, app).await.expect("infallible");
        let (method, path) = (parts.method.clone(), uri.path().to_owned());
        Ok(IdempotencyKey { key: key(&parts.headers), method, path })
    }
}

/// The one key among the headers, in quotes or not.
fn key(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let bad = || {
        let message =
            "Something else than one key was found; a single key of 1 to 255 visible characters is wanted.";
        Problem::fault("Idempotency-Key", message)
    };
    let mut values = headers.get_all(HEADER).iter();
    let Some(value) = values.next() else { return Ok(None) };
    let text = value.to_str().map_err(|_| bad())?.trim();
    let quoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let key = quoted.unwrap_or(text);
    if values.next().is_some() || key.is_empty() || key.len() > LONGEST {
        return Err(bad());
    }
    Ok(Some(key.to_owned()))
}

impl IdempotencyKey {
    /// Looks for the response to an earlier request of this partner with this key.
    ///
    /// # Errors
    /// V4000 for a malformed key, V4220 for one that came with another body.
    pub(crate) async fn look_up(&self, app: &App, of: PartnerId, body: &Body) -> Result<Lookup, Problem> {
        let Some(key) = self.key.as_ref().map_err(Clone::clone)? else { return Ok(Lookup::New(None)) };
        let attempt =
            app.service.idempotency.attempt(of, key, self.method.as_str(), &self.path, body.bytes());
        Ok(match app.service.idempotency.replay(attempt).await? {
            Some(earlier) => Lookup::Earlier(replayed(earlier)),
            None => Lookup::New(Some(attempt)),
        })
    }
}

/// The response of a twin that moved the record first, where a move with a key is refused; else the refusal.
pub(crate) async fn earlier_or_refused(
    app: &App,
    attempt: Option<Attempt>,
    refused: Error,
) -> Result<Response, Problem> {
    if let (Some(attempt), Error::Refused(_)) = (attempt, &refused)
        && let Some(earlier) = app.service.idempotency.replay(attempt).await?
    {
        return Ok(replayed(earlier));
    }
    Err(refused.into())
}
