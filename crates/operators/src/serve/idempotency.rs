//! `Idempotency-Key` of operators' actions: a repeated request is not done twice (D138).

use std::time::Duration;

use axum::http::HeaderMap;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use service::Service;
use service::shared::idempotency::{Attempt, KeptResponse};
use web::error::{Code, Problem};

use crate::act::answer::Answer;
use crate::act::decide::Who;
use crate::act::{Asked, Result};

/// Owner of the responses to operators. No partner has this id.
fn of_operators() -> PartnerId {
    PartnerId::from_uuid(Uuid::nil())
}

/// Longest wait for the answer of an earlier request that is still running.
const LONGEST_WAIT: Duration = Duration::from_secs(20);

const PAUSE: Duration = Duration::from_millis(50);

/// A request with an idempotency key.
pub(crate) struct Keyed {
    attempt: Attempt,
    at: Timestamp,
}

/// Stored form of an answer.
#[derive(Serialize, Deserialize)]
struct StoredAnswer {
    json: Value,
    waits: bool,
}

impl Keyed {
    /// # Errors
    /// V4000 for a malformed key.
    pub(crate) fn of(
        service: &Service,
        act: &str,
        who: &Who,
        (headers, asked): (&HeaderMap, &Asked),
    ) -> Result<Option<Self>> {
        let Some(key) = web::idempotency_key(headers)? else { return Ok(None) };
        let who = match who {
            Who::User(uid, _) => format!("uid:{uid}"),
            Who::Operator(signed_in) => signed_in.operator.id.to_string(),
        };
        let (path, key) = (format!("{act} {}", asked.subject()), format!("{who} {key}"));
        let attempt = service.shared.idempotency.attempt(of_operators(), &key, "POST", &path, &asked.body);
        Ok(Some(Keyed { attempt, at: service.team.now() }))
    }

    /// The response that is stored with the action, before its answer is known.
    pub(crate) fn empty(&self) -> KeptResponse {
        self.attempt.response(Vec::new(), self.at)
    }

    /// Answer to an earlier request with this key, if there was one. Waits for an answer that is not known yet.
    ///
    /// # Errors
    /// [`Code::V4220`] if the key was used for another request; [`Code::S4090`] if the action was done, but its answer is
    /// lost.
    pub(crate) async fn replay(&self, service: &Service) -> Result<Option<Answer>> {
        let mut waited = Duration::ZERO;
        loop {
            match service.shared.idempotency.replay(self.attempt).await? {
                None => return Ok(None),
                Some(bytes) if !bytes.is_empty() => {
                    let StoredAnswer { json, waits } = serde_json::from_slice(&bytes)
                        .map_err(|cause| Problem::unexpected(format!("a stored answer: {cause}")))?;
                    return Ok(Some(Answer { json, waits, ..Answer::default() }));
                }
                Some(_) if waited < LONGEST_WAIT => {
                    tokio::time::sleep(PAUSE).await;
                    waited += PAUSE;
                }
                Some(_) => {
                    let detail = "This request was done before, but its answer was lost. Look at the record before you send another request.";
                    return Err(Problem::new(Code::S4090, detail));
                }
            }
        }
    }

    /// Stores the answer. If the action failed because the same request was first, returns that request's answer.
    pub(crate) async fn end(self, service: &Service, done: Result<Answer>) -> Result<Answer> {
        match done {
            // The request is sent again if its approval is requested.
            Ok(answer) if answer.needs.is_some() => Ok(answer),
            Ok(answer) => {
                let Answer { json, waits, .. } = answer;
                let stored = StoredAnswer { json, waits };
                let bytes = serde_json::to_vec(&stored).unwrap_or_default();
                let response = self.attempt.response(bytes, self.at);
                if let Err(fault) = service.shared.idempotency.complete(&response).await {
                    tracing::warn!("the answer of an operator's action could not be stored: {fault}");
                }
                let StoredAnswer { json, waits } = stored;
                Ok(Answer { json, waits, ..Answer::default() })
            }
            Err(problem) => match self.replay(service).await {
                Ok(Some(earlier)) => Ok(earlier),
                _ => Err(problem),
            },
        }
    }
}
