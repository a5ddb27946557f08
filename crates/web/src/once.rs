//! `Idempotency-Key`: a request that may come twice is done once (D36).

use axum::extract::{FromRequestParts, OriginalUri};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use domain::id::PartnerId;
use service::idempotency::{Answered, Attempt};

use crate::answer::respond;
use crate::app::App;
use crate::body::Body;
use crate::error::Problem;

const HEADER: &str = "idempotency-key";

/// Longest key, in characters.
const LONGEST: usize = 255;

/// The idempotency key of a request, where it has one, with the method and path that it holds for. A key that
/// cannot be one is told once the body's size and type were judged (D43).
pub(crate) struct Once {
    key: Result<Option<String>, Problem>,
    method: Method,
    path: String,
}

impl FromRequestParts<App> for Once {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let OriginalUri(uri) = OriginalUri::from_request_parts(parts, app).await.expect("infallible");
        Ok(Once { key: key(&parts.headers), method: parts.method.clone(), path: uri.path().to_owned() })
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

impl Once {
    /// Replays the answer of an earlier request with this key, or does the work.
    pub(crate) async fn or_replay<Work>(
        &self,
        app: &App,
        of: PartnerId,
        body: &Body,
        work: Work,
    ) -> Result<Response, Problem>
    where
        Work: AsyncFnOnce(Option<Attempt>) -> Result<Answered, Problem>,
    {
        let key = self.key.as_ref().map_err(Clone::clone)?.as_ref();
        let attempt =
            key.map(|key| app.service.attempt(of, key, self.method.as_str(), &self.path, body.bytes()));
        if let Some(attempt) = attempt
            && let Some(answered) = app.service.earlier_answer(attempt).await?
        {
            return Ok(respond(answered));
        }
        work(attempt).await.map(respond)
    }
}
