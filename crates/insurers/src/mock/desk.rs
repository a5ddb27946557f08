//! The mock insurer's desk: prices by rate tables, proposals kept in memory until they are decided.

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
use service::insurer::InsurerDecision;
use tokio::time::Instant;

use super::State as Shared;
use super::door::{Refused, Right};
use crate::connection::post;
use crate::exchange::{Exchange, Fault};
use crate::protocol::credit::{CreditPrice, CreditPricesAsked};
use crate::protocol::decision::Decision;
use crate::protocol::health::{HealthPrice, HealthPricesAsked};
use crate::protocol::health_proposal::HealthProposalSubmitted;
use crate::protocol::proposal::ProposalSubmitted;
use crate::protocol::{IDEMPOTENCY_KEY, told_path};

/// How proposals are decided.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Verdict {
    /// Accepted, with a policy number.
    #[default]
    Accept,
    /// Rejected, with a reason.
    Reject,
    /// Never decided.
    Pending,
}

/// What a mock insurer says of a variant that its catalogue does not have.
const NO_SUCH_VARIANT: &str = "This insurer has no such variant.";

/// Attempts to tell a decision, after the first.
const TELLINGS: usize = 5;

/// Proposals that were handed over.
pub(super) struct Desk {
    verdict: Verdict,
    decide_after: Duration,
    tell: Option<Arc<Exchange>>,
    proposals: Mutex<HashMap<ProposalId, Submitted>>,
}

/// A proposal that was handed over.
struct Submitted {
    body: Value,
    at: Instant,
}

impl Desk {
    pub(super) fn new(verdict: Verdict, decide_after: Duration, tell: Option<Exchange>) -> Self {
        Desk { verdict, decide_after, tell: tell.map(Arc::new), proposals: Mutex::default() }
    }

    fn proposals(&self) -> MutexGuard<'_, HashMap<ProposalId, Submitted>> {
        self.proposals.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is decided in the end.
    fn decided(&self, id: ProposalId) -> InsurerDecision {
        match self.verdict {
            Verdict::Pending => InsurerDecision::Pending,
            Verdict::Accept => {
                let id = id.to_string().to_uppercase();
                let (_, tail) = id.split_at(id.len() - 12);
                InsurerDecision::Accepted { number: PolicyNumber::kept(format!("MOCK-{tail}")) }
            }
            Verdict::Reject => InsurerDecision::Rejected {
                reason: PersonalLine::of_words("This mock insurer was told to reject proposals."),
            },
        }
    }

    /// What is decided of a proposal that was handed over then.
    fn decision(&self, id: ProposalId, at: Instant) -> Decision {
        let pending = at.elapsed() < self.decide_after;
        Decision::of(id, &if pending { InsurerDecision::Pending } else { self.decided(id) })
    }

    /// Tells a decision once it is made.
    fn tell(&self, id: ProposalId, insurer: InsurerId) {
        let Some(exchange) = self.tell.clone().filter(|_| self.verdict != Verdict::Pending) else { return };
        let request = post(&told_path(insurer), &Decision::of(id, &self.decided(id)), None);
        let decide_after = self.decide_after;
        tokio::spawn(async move {
            tokio::time::sleep(decide_after).await;
            let attempt = || async { exchange.send(&request).await?.body() };
            let told: Result<Vec<u8>, Fault> =
                attempt.retry(ExponentialBuilder::default().with_max_times(TELLINGS).with_jitter()).await;
            match told {
                Ok(_) => tracing::info!(proposal.id = %id, "the decision of {id} was told"),
                Err(fault) => {
                    tracing::warn!(proposal.id = %id, "the decision of {id} could not be told: {fault}")
                }
            }
        });
    }
}

/// Reads a body.
fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Refused> {
    serde_json::from_slice(body).map_err(|fault| bad_request(format!("The body is not as wanted: {fault}.")))
}

fn bad_request(why: impl Into<String>) -> Refused {
    Refused(StatusCode::BAD_REQUEST, why.into())
}

fn unprocessable(why: &str) -> Refused {
    Refused(StatusCode::UNPROCESSABLE_ENTITY, why.to_owned())
}

fn prices<P: Serialize>(variants: Vec<VariantId>, price: impl Fn(VariantId) -> P) -> Right {
    Right(json!({ "prices": variants.into_iter().map(price).collect::<Vec<_>>() }))
}

pub(super) async fn credit_prices(State(state): State<Arc<Shared>>, body: Bytes) -> Result<Right, Refused> {
    let asked: CreditPricesAsked = read(&body)?;
    let (request, variants, on) = asked.read().map_err(bad_request)?;
    Ok(prices(variants, |id| {
        let unknown = || Err(NotPriced::InsurerRefused(NO_SUCH_VARIANT.into()));
        let priced = state.catalogue.credit_variant(id).map(|variant| variant.price(&request, on));
        CreditPrice::of(id, &priced.unwrap_or_else(unknown))
    }))
}

pub(super) async fn health_prices(State(state): State<Arc<Shared>>, body: Bytes) -> Result<Right, Refused> {
    let asked: HealthPricesAsked = read(&body)?;
    let (request, variants, on) = asked.read().map_err(bad_request)?;
    Ok(prices(variants, |id| {
        let unknown = || Err(NotOffered::InsurerRefused(NO_SUCH_VARIANT.into()));
        let priced = state.catalogue.health_variant(id).map(|variant| variant.price(&request, on));
        HealthPrice::of(id, &priced.unwrap_or_else(unknown))
    }))
}

/// Whose variant it is.
fn insurer_of(state: &Shared, variant: &str) -> Option<InsurerId> {
    let id: VariantId = variant.parse().ok()?;
    let credit = state.catalogue.credit_variant(id).map(|variant| variant.insurer().id);
    credit.or_else(|| state.catalogue.health_variant(id).map(|variant| variant.insurer().id))
}

pub(super) async fn submit(
    State(state): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Right, Refused> {
    let proposal: ProposalSubmitted = read(&body)?;
    take(&state, &headers, &body, &proposal.proposal_id, &proposal.variant_id)
}

pub(super) async fn submit_health(
    State(state): State<Arc<Shared>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Right, Refused> {
    let proposal: HealthProposalSubmitted = read(&body)?;
    take(&state, &headers, &body, &proposal.proposal_id, &proposal.variant_id)
}

/// Takes a proposal of either family once, and says what is decided of it.
fn take(
    state: &Shared,
    headers: &HeaderMap,
    body: &Bytes,
    proposal_id: &str,
    variant_id: &str,
) -> Result<Right, Refused> {
    let key = headers.get(IDEMPOTENCY_KEY).and_then(|key| key.to_str().ok());
    if key != Some(proposal_id) {
        return Err(bad_request("The header Idempotency-Key is not the proposal's id."));
    }
    let id: ProposalId = proposal_id.parse().map_err(|_| bad_request("proposal_id is no proposal's id."))?;
    let insurer = insurer_of(state, variant_id).ok_or_else(|| unprocessable(NO_SUCH_VARIANT))?;
    let body: Value = read(body)?;
    let at = match state.desk.proposals().entry(id) {
        Entry::Vacant(place) => {
            state.desk.tell(id, insurer);
            place.insert(Submitted { body, at: Instant::now() }).at
        }
        Entry::Occupied(there) if there.get().body == body => there.get().at,
        Entry::Occupied(_) => return Err(unprocessable("This proposal came before with another body.")),
    };
    Ok(right(&state.desk.decision(id, at)))
}

pub(super) async fn decision(
    State(state): State<Arc<Shared>>,
    Path(proposal): Path<String>,
) -> Result<Right, Refused> {
    let id = proposal.parse::<ProposalId>().ok();
    let known = id.and_then(|id| state.desk.proposals().get(&id).map(|submitted| (id, submitted.at)));
    let unknown = || Refused(StatusCode::NOT_FOUND, "There is no such proposal.".into());
    known.map(|(id, at)| right(&state.desk.decision(id, at))).ok_or_else(unknown)
}

fn right(decision: &Decision) -> Right {
    Right(serde_json::to_value(decision).expect("text alone"))
}
