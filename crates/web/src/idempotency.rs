//! `Idempotency-Key`: executes a repeated request only once (D36).

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::Response;
use domain::date::Timestamp;
use domain::id::PartnerId;
use serde::Serialize;
use service::Error;
use service::shared::idempotency::{Attempt, Draft, KeptResponse, Outcome};

use crate::app::App;
use crate::body::Body;
use crate::error::{Problem, Result};
use crate::response::{Payload, replayed, respond, to_keep};

const HEADER: &str = "idempotency-key";

/// Maximum length of a key, in characters.
const LONGEST: usize = 255;

/// Idempotency key of a request, if any, with its method and path. A malformed key is reported only after the
/// checks of the body's size and type (D43).
pub(crate) struct IdempotencyKey {
    key: Result<Option<String>>,
    method: Method,
    path: String,
}

/// Result of looking up an idempotency key.
pub(crate) enum Lookup {
    /// The request has no key, or no earlier request had this key.
    New(Pending),
    /// Response of an earlier request with this key.
    Earlier(Response),
}

impl FromRequestParts<App> for IdempotencyKey {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let (method, path) = (parts.method.clone(), parts.uri.path().to_owned());
        Ok(IdempotencyKey { key: idempotency_key(&parts.headers), method, path })
    }
}

/// Key from the `Idempotency-Key` header, with or without quotes. `None` if there is no such header.
///
/// # Errors
/// V4000 for a malformed key.
pub fn idempotency_key(headers: &HeaderMap) -> Result<Option<String>> {
    let bad = || {
        let message = "Must be one key of 1 to 255 visible characters.";
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
    /// Looks up the response to an earlier request of this partner with the same key.
    ///
    /// # Errors
    /// V4000 for a malformed key. V4220 if the key was used with another body.
    pub(crate) async fn look_up(&self, app: &App, of: PartnerId, body: &Body) -> Result<Lookup> {
        let Some(key) = self.key.as_ref().map_err(Clone::clone)? else {
            return Ok(Lookup::New(Pending(None)));
        };
        let attempt =
            app.service.shared.idempotency.attempt(of, key, self.method.as_str(), &self.path, body.bytes());
        Ok(match app.service.shared.idempotency.replay(attempt).await? {
            Some(earlier) => Lookup::Earlier(replayed(earlier)),
            None => Lookup::New(Pending(Some(attempt))),
        })
    }
}

/// A new request. If it has a key, its response will be stored.
#[derive(Clone, Copy)]
pub(crate) struct Pending(Option<Attempt>);

impl Pending {
    /// Stores the result of a request together with its response in one transaction, and returns the
    /// response. `show` makes the payload from the result. `keep` stores both. If a concurrent request with
    /// the same key was faster, returns that request's response, even if `made` or `keep` failed because of
    /// it.
    ///
    /// # Errors
    /// The error in `made` or the error of `keep`.
    pub(crate) async fn answer<D: Draft, P: Serialize, T>(
        self,
        app: &App,
        made: Result<D, Error>,
        status: StatusCode,
        show: impl FnOnce(&D) -> P,
        keep: impl AsyncFnOnce(D, Option<KeptResponse>) -> Result<Outcome<T>, Error>,
    ) -> Result<Response> {
        let kept = match made {
            Err(refused) => Err(refused),
            Ok(draft) => {
                let response = to_keep(status, &Payload { payload: show(&draft) });
                let to_keep = self.response(&response, draft.at());
                keep(draft, to_keep).await.map(|outcome| respond(response, outcome))
            }
        };
        let refused = match kept {
            Ok(response) => return Ok(response),
            Err(refused) => refused,
        };
        // The concurrent request may be the cause of this error: for example, it changed the status first.
        let may_be_done = matches!(
            &refused,
            Error::Refused(_)
                | Error::Conflict(_)
                | Error::Invalid(_)
                | Error::NotCancellable(_)
                | Error::NotEndorsable(_)
                | Error::NotRenewable(_)
        );
        if let Some(attempt) = self.0.filter(|_| may_be_done)
            && let Some(earlier) = app.service.shared.idempotency.replay(attempt).await?
        {
            return Ok(replayed(earlier));
        }
        Err(refused.into())
    }

    /// Record that stores a response under the request's key. `at` is the time of the response. `None` if the
    /// request has no key.
    pub(crate) fn response(self, response: &[u8], at: Timestamp) -> Option<KeptResponse> {
        self.0.map(|attempt| attempt.response(response.to_vec(), at))
    }
}
