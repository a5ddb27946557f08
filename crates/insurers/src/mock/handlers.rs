//! Handlers of the mock insurer: prices from rate tables, and decisions on proposals, which are only in
//! memory.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use backon::{ExponentialBuilder, Retryable};
use domain::health_quote::NotOffered;
use domain::id::{InsurerId, ProposalId, VariantId};
use domain::person::PersonalLine;
use domain::policy::PolicyNumber;
use domain::quote::NotPriced;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use service::insurer::{InsurerDecision, RequestDecision};
use tokio::time::Instant;

use super::State as Shared;
use super::answer::{GoodAnswer, Refusal};
use crate::client::{Client, ClientError};
use crate::http_insurer::post;
use crate::protocol::credit::{CreditPrice, CreditPricesAsked};
use crate::protocol::decision::Decision;
use crate::protocol::health::{HealthPrice, HealthPricesAsked};
use crate::protocol::health_proposal::HealthProposalSubmitted;
use crate::protocol::notice::{Acknowledgement, Notice};
use crate::protocol::proposal::ProposalSubmitted;
use crate::protocol::request::{DecisionAsked, RequestDecided};
use crate::protocol::{IDEMPOTENCY_KEY, decision_callback_path};

/// How the mock insurer decides every proposal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Accepts the proposal, with a policy number.
    #[default]
    Accept,
    /// Rejects the proposal, with a reason.
    Reject,
    /// Never decides, so that the proposal stays pending.
    Pending,
}

/// Reason of the refusal if the catalogue does not have a variant.
const NO_SUCH_VARIANT: &str = "This insurer has no such variant.";

/// Most repeated attempts to send a decision to the service.
const CALLBACK_RETRIES: usize = 5;

pub(super) struct Submissions {
    verdict: Verdict,
    decide_after: Duration,
    callback: Option<Arc<Client>>,
    proposals: Mutex<HashMap<ProposalId, Submitted>>,
}

struct Submitted {
    body: Value,
    at: Instant,
}

impl Submissions {
    pub(super) fn new(verdict: Verdict, decide_after: Duration, callback: Option<Client>) -> Self {
        Submissions { verdict, decide_after, callback: callback.map(Arc::new), proposals: Mutex::default() }
    }

    fn proposals(&self) -> MutexGuard<'_, HashMap<ProposalId, Submitted>> {
        self.proposals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Decision on a proposal after `decide_after`.
    fn decided(&self, id: ProposalId) -> InsurerDecision {
        match self.verdict {
            Verdict::Pending => InsurerDecision::Pending,
            Verdict::Accept => {
                let id = id.to_string().to_uppercase();
                let (_, tail) = id.split_at(id.len() - 12);
                InsurerDecision::Accepted { number: PolicyNumber::kept(format!("MOCK-{tail}")) }
            }
            Verdict::Reject => InsurerDecision::Rejected {
                reason: PersonalLine::of_words("This mock insurer is set to reject proposals."),
            },
        }
    }

    /// Decision now on a proposal that was submitted at `at`. Pending until `decide_after` has passed.
    fn decision(&self, id: ProposalId, at: Instant) -> Decision {
        let pending = at.elapsed() < self.decide_after;
        Decision::of(id, &if pending { InsurerDecision::Pending } else { self.decided(id) })
    }

    /// Sends the decision to the service after `decide_after`.
    fn send_decision(&self, id: ProposalId, insurer: InsurerId) {
        let Some(client) = self.callback.clone().filter(|_| self.verdict != Verdict::Pending) else { return };
        let request = post(&decision_callback_path(insurer), &Decision::of(id, &self.decided(id)), None);
        let decide_after = self.decide_after;
        tokio::spawn(async move {
            tokio::time::sleep(decide_after).await;
            let attempt = || async { client.send(&request).await?.body() };
            let sent: Result<Vec<u8>, ClientError> = attempt
                .retry(ExponentialBuilder::default().with_max_times(CALLBACK_RETRIES).with_jitter())
                .await;
            match sent {
                Ok(_) => tracing::info!(proposal.id = %id, "the decision on {id} was sent"),
                Err(fault) => {
                    tracing::warn!(proposal.id = %id, "the decision on {id} could not be sent: {fault}")
                }
            }
        });
    }
}

/// Parses a JSON body. An invalid body is refused with status 400.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(body).map_err(|fault| bad_request(format!("The body is invalid: {fault}.")))
}

fn bad_request(why: impl Into<String>) -> Refusal {
    Refusal(StatusCode::BAD_REQUEST, why.into())
}

fn unprocessable(why: &str) -> Refusal {
    Refusal(StatusCode::UNPROCESSABLE_ENTITY, why.to_owned())
}

fn prices<P: Serialize>(variants: Vec<VariantId>, price: impl Fn(VariantId) -> P) -> GoodAnswer {
    GoodAnswer(json!({ "prices": variants.into_iter().map(price).collect::<Vec<_>>() }))
}

pub(super) async fn credit_prices(
    State(state): State<Arc<Shared>>,
    body: Bytes,
) -> Result<GoodAnswer, Refusal> {
    let asked: CreditPricesAsked = read(&body)?;
    let (request, variants, on) = asked.read().map_err(bad_request)?;
    Ok(prices(variants, |id| {
        let unknown = || Err(NotPriced::InsurerRefused(NO_SUCH_VARIANT.into()));
        let priced = state.catalogue.credit_variant(id).map(|variant| variant.price(&request, on));
        CreditPrice::of(id, &priced.unwrap_or_else(unknown))
    }))
}

pub(super) async fn health_prices(
    State(state): State<Arc<Shared>>,
    body: Bytes,
) -> Result<GoodAnswer, Refusal> {
    let asked: HealthPricesAsked = read(&body)?;
    let (request, variants, on) = asked.read().map_err(bad_request)?;
    Ok(prices(variants, |id| {
        let unknown = || Err(NotOffered::InsurerRefused(NO_SUCH_VARIANT.into()));
        let priced = state.catalogue.health_variant(id).map(|variant| variant.price(&request, on));
        HealthPrice::of(id, &priced.unwrap_or_else(unknown))
    }))
}

fn insurer_of(state: &Shared, variant: &str) -> Option<InsurerId> {
    let id: VariantId = variant.parse().ok()?;
    let credit = state.catalogue.credit_variant(id).map(|variant| variant.insurer().id);
    credit.or_else(|| state.catalogue.health_variant(id).map(|variant| variant.insurer().id))
}

pub(super) async fn submit(
    State(state): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<GoodAnswer, Refusal> {
    let proposal: ProposalSubmitted = read(&body)?;
    take(&state, &headers, &body, &proposal.proposal_id, &proposal.variant_id)
}

pub(super) async fn submit_health(
    State(state): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<GoodAnswer, Refusal> {
    let proposal: HealthProposalSubmitted = read(&body)?;
    take(&state, &headers, &body, &proposal.proposal_id, &proposal.variant_id)
}

/// Stores a proposal of any line of business if it is new. Answers with the decision on it.
fn take(
    state: &Shared,
    headers: &HeaderMap,
    body: &Bytes,
    proposal_id: &str,
    variant_id: &str,
) -> Result<GoodAnswer, Refusal> {
    let key = headers.get(IDEMPOTENCY_KEY).and_then(|key| key.to_str().ok());
    if key != Some(proposal_id) {
        return Err(bad_request("The header Idempotency-Key is not the proposal's id."));
    }
    let id: ProposalId =
        proposal_id.parse().map_err(|_| bad_request("proposal_id is not the id of a proposal."))?;
    let insurer = insurer_of(state, variant_id).ok_or_else(|| unprocessable(NO_SUCH_VARIANT))?;
    let body: Value = read(body)?;
    let at = match state.submissions.proposals().entry(id) {
        Entry::Vacant(entry) => {
            state.submissions.send_decision(id, insurer);
            entry.insert(Submitted { body, at: Instant::now() }).at
        }
        Entry::Occupied(there) if there.get().body == body => there.get().at,
        Entry::Occupied(_) => {
            return Err(unprocessable("This proposal was already submitted with another body."));
        }
    };
    Ok(right(&state.submissions.decision(id, at)))
}

pub(super) async fn decision(
    State(state): State<Arc<Shared>>,
    Path(proposal): Path<String>,
) -> Result<GoodAnswer, Refusal> {
    let id = proposal.parse::<ProposalId>().ok();
    let known = id.and_then(|id| state.submissions.proposals().get(&id).map(|submitted| (id, submitted.at)));
    let unknown = || Refusal(StatusCode::NOT_FOUND, "There is no such proposal.".into());
    known.map(|(id, at)| right(&state.submissions.decision(id, at))).ok_or_else(unknown)
}

/// Stores a notice if it is new. Acknowledges it each time that it arrives.
pub(super) async fn notice(
    State(state): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<GoodAnswer, Refusal> {
    let notice: Notice = read(&body)?;
    let key = headers.get(IDEMPOTENCY_KEY).and_then(|key| key.to_str().ok());
    if key != Some(notice.notice_id.as_str()) {
        return Err(bad_request("The header Idempotency-Key is not the notice's id."));
    }
    let mut taken = state.notices.lock().unwrap_or_else(PoisonError::into_inner);
    if !taken.iter().any(|before| before["notice_id"] == notice.notice_id) {
        tracing::info!(notice.id = notice.notice_id, "the notice {} was received", notice.notice_id);
        taken.push(read(&body)?);
    }
    drop(taken);
    Ok(GoodAnswer(serde_json::to_value(Acknowledgement::of(&notice.notice_id)).expect("text alone")))
}

/// Decides a request about a policy: pending until `decide_after` has passed, then always the same decision.
pub(super) async fn request(
    State(state): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<GoodAnswer, Refusal> {
    let asked: DecisionAsked = read(&body)?;
    let id = asked.request_id;
    if headers.get(IDEMPOTENCY_KEY).and_then(|key| key.to_str().ok()) != Some(id.as_str()) {
        return Err(bad_request("The header Idempotency-Key is not the request's id."));
    }
    let mut requests = state.requests.lock().unwrap_or_else(PoisonError::into_inner);
    let since = *requests.entry(id.clone()).or_insert_with(Instant::now);
    let submissions = &state.submissions;
    let decided = match submissions.verdict {
        _ if since.elapsed() < submissions.decide_after => RequestDecision::Pending,
        Verdict::Pending => RequestDecision::Pending,
        Verdict::Accept => RequestDecision::Confirmed,
        Verdict::Reject => RequestDecision::Refused {
            reason: PersonalLine::of_words("This mock insurer is set to refuse requests."),
        },
    };
    Ok(GoodAnswer(serde_json::to_value(RequestDecided::of(&id, &decided)).expect("text alone")))
}

fn right(decision: &Decision) -> GoodAnswer {
    GoodAnswer(serde_json::to_value(decision).expect("text alone"))
}
