//! `Idempotency-Key`: a request that may come twice is done once (D36).

use axum::extract::{FromRequestParts, OriginalUri};
use axum::http::Method;
use axum::http::request::Parts;
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

/// The idempotency key of a request, where it has one, with the method and path that it holds for.
pub(crate) struct Once {
    key: Option<String>,
    method: Method,
    path: String,
}

impl FromRequestParts<App> for Once {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let bad = || {
            Problem::fault(
                "Idempotency-Key",
                "Something else than one key was found; a single key of 1 to 255 visible characters is wanted.",
            )
        };
        let mut headers = parts.headers.get_all(HEADER).iter();
        let key = match (headers.next(), headers.next()) {
            (None, _) => None,
            (Some(_), Some(_)) => return Err(bad()),
            (Some(value), None) => {
                let text = value.to_str().map_err(|_| bad())?.trim();
                let quoted = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
                let key = quoted.unwrap_or(text);
                if key.is_empty() || key.len() > LONGEST {
                    return Err(bad());
                }
                Some(key.to_owned())
            }
        };
        let OriginalUri(uri) = OriginalUri::from_request_parts(parts, app).await.expect("infallible");
        Ok(Once { key, method: parts.method.clone(), path: uri.path().to_owned() })
    }
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
        let attempt = self
            .key
            .as_ref()
            .map(|key| app.service.attempt(of, key, self.method.as_str(), &self.path, body.bytes()));
        if let Some(attempt) = attempt {
            if let Some(answered) = app.service.earlier_answer(attempt).await? {
                return Ok(respond(answered));
            }
        }
        work(attempt).await.map(respond)
    }
}
