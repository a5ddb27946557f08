//! Interface to insurers that are called over HTTP. Insurers priced from rate tables do not need it.

pub mod covered;
pub(crate) mod sandbox;

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use domain::cancellation::Cancellation;
use domain::claim::Claim;
use domain::credit_life::EmbeddedProposal;
use domain::date::{Date, Timestamp};
use domain::endorsement::Endorsement;
use domain::health_proposal::{HealthProposal, JourneyProposal};
use domain::health_quote::{HealthRequest, Outcome};
use domain::id::{InsurerId, ProposalId, VariantId};
use domain::money::Premium;
use domain::person::PersonalLine;
use domain::policy::{Policy, PolicyNumber};
use domain::quote::{NotPriced, QuoteRequest};
use futures_util::FutureExt;
use thiserror::Error;

use crate::insurer::covered::Covered;

/// Why an insurer gave no usable answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InsurerFault {
    /// The insurer did not answer in time.
    #[error("no answer in time")]
    Slow,
    /// The circuit breaker is open: the insurer failed too often.
    #[error("the insurer was not called: its circuit breaker is open after repeated failures")]
    CircuitOpen,
    /// The insurer could not be reached, or its answer was wrong. The text is for the log, so it never
    /// contains a body or a secret.
    #[error("{0}")]
    Failed(String),
}

impl InsurerFault {
    /// Fault for an insurer to which no connection is configured.
    pub(crate) fn no_connection() -> Self {
        InsurerFault::Failed("no connection to the insurer is configured".into())
    }
}

/// Request for the prices of several variants for one borrower.
#[derive(Clone, Copy)]
pub struct CreditAsk<'a> {
    /// The partner's quote request.
    pub request: &'a QuoteRequest,
    /// Variants to price, at least one.
    pub variants: &'a [VariantId],
    /// First day of cover, in Asia/Kolkata.
    pub starts: Date,
}

/// Request for the prices of several variants for one family.
#[derive(Clone, Copy)]
pub struct HealthAsk<'a> {
    /// The partner's quote request.
    pub request: &'a HealthRequest,
    /// Variants to price, at least one.
    pub variants: &'a [VariantId],
    /// Day of the quote, in Asia/Kolkata.
    pub on: Date,
}

/// Proposal that is sent to its insurer. If the proposal is sent again, the insurer recognizes it by its id.
#[derive(Clone, Copy)]
pub enum Submission<'a> {
    CreditLife(&'a EmbeddedProposal),
    Health {
        proposal: &'a HealthProposal,
        /// Part of the proposal that comes from the journey.
        made: &'a JourneyProposal,
    },
}

impl Submission<'_> {
    pub fn id(&self) -> ProposalId {
        match self {
            Submission::CreditLife(proposal) => proposal.id,
            Submission::Health { proposal, .. } => proposal.id,
        }
    }
}

/// Answer of an insurer about a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InsurerDecision {
    /// The insurer has not decided yet.
    Pending,
    Accepted {
        number: PolicyNumber,
    },
    Rejected {
        /// Reason, if the insurer gives one. It is sealed with the proposal's history.
        reason: Option<PersonalLine>,
    },
    /// The insurer does not know the proposal: submit it again.
    Unknown,
}

/// Event in the life of a policy.
#[derive(Debug, Clone, Copy)]
pub enum NoticeEvent<'a> {
    Issued,
    Endorsed(&'a Endorsement),
    /// A claim was made on the policy.
    Claimed(&'a Claim),
    /// A claim on the policy was withdrawn.
    ClaimWithdrawn(&'a Claim),
    Cancelled(&'a Cancellation),
}

/// Notice to an insurer about one of its policies. If the notice is sent again, the insurer recognizes it by
/// its id.
#[derive(Clone)]
pub struct PolicyNotice<'a> {
    /// Id of the notice. For a change of the policy, the id of the bordereau's row for the same change. For a
    /// claim, `CLAIM-` and the claim's id; for a withdrawn claim, `WITHDRAWN-` and the claim's id.
    pub id: String,
    pub event: NoticeEvent<'a>,
    /// Time of the event.
    pub at: Timestamp,
    /// Current state of the policy.
    pub policy: &'a Policy,
    pub covered: &'a Covered,
    /// Application with all endorsements made so far.
    pub submission: Option<Submission<'a>>,
}

/// Request about a policy that the policy's insurer decides.
#[derive(Debug, Clone, Copy)]
pub enum Requested<'a> {
    Cancellation(&'a Cancellation),
    Endorsement(&'a Endorsement),
}

/// Request to an insurer to decide about one of its policies. If the request is sent again, the insurer
/// recognizes it by its id.
#[derive(Clone)]
pub struct PolicyRequest<'a> {
    pub id: String,
    pub wanted: Requested<'a>,
    /// Time of the request.
    pub at: Timestamp,
    /// Current state of the policy.
    pub policy: &'a Policy,
    pub covered: &'a Covered,
    /// Application as the endorsement would change it.
    pub submission: Option<Submission<'a>>,
}

/// Answer of an insurer to a request about a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestDecision {
    /// The insurer has not decided the request yet.
    Pending,
    /// The insurer confirms the request.
    Confirmed,
    /// The insurer refuses the request.
    Refused {
        /// Reason, if the insurer gives one. It is sealed with the policy.
        reason: Option<PersonalLine>,
    },
}

/// A message that claims to come from an insurer, with its authentication.
#[derive(Clone, Copy)]
pub struct IncomingMessage<'a> {
    /// The `Authorization` header.
    pub authorization: Option<&'a str>,
    /// The `Covernote-Timestamp` header.
    pub timestamp: Option<&'a str>,
    /// The `Covernote-Signature` header.
    pub signature: Option<&'a str>,
    /// The HTTP method, in capitals.
    pub method: &'a str,
    pub path: &'a str,
    /// The body as it was received.
    pub body: &'a [u8],
    /// The time of receipt.
    pub now: Timestamp,
}

/// Insurer that prices its own variants and decides its own proposals. Every call ends within the duration
/// `within`.
#[async_trait]
pub trait Insurer: Send + Sync {
    /// Prices credit-life variants: one result for each, in the order of the request.
    async fn price_credit(
        &self,
        ask: CreditAsk<'_>,
        within: Duration,
    ) -> Result<Vec<Result<Premium, NotPriced>>, InsurerFault>;

    /// Prices health variants: one result for each, in the order of the request.
    async fn price_health(&self, ask: HealthAsk<'_>, within: Duration) -> Result<Vec<Outcome>, InsurerFault>;

    /// Submits a proposal. Submitting it again changes nothing. The insurer may decide at once.
    async fn submit(
        &self,
        submission: Submission<'_>,
        within: Duration,
    ) -> Result<InsurerDecision, InsurerFault>;

    /// Asks for the decision about a submitted proposal.
    async fn decision(&self, proposal: ProposalId, within: Duration)
    -> Result<InsurerDecision, InsurerFault>;

    /// Sends a notice about one of the insurer's policies. Sending it again changes nothing.
    async fn tell(&self, notice: PolicyNotice<'_>, within: Duration) -> Result<(), InsurerFault>;

    /// Asks for the insurer's decision about a request. Asking again changes nothing.
    async fn decide(
        &self,
        request: PolicyRequest<'_>,
        within: Duration,
    ) -> Result<RequestDecision, InsurerFault>;

    /// Whether the message comes from this insurer.
    fn is_from(&self, message: &IncomingMessage<'_>) -> bool;
}

/// Makes the connections to insurers. The same connector always gets the same connection. The connection
/// survives a change of the catalogue, with its state, such as an open circuit breaker.
pub trait Connectors: Send + Sync {
    /// Connection to the insurer that a connector of the catalogue describes. `None` if the insurer is priced
    /// from rate tables.
    fn connect(&self, insurer: &rating::Insurer) -> Option<Arc<dyn Insurer>>;
}

/// Extra time for an insurer's answer before its connection counts as broken.
const GRACE: Duration = Duration::from_millis(50);

/// Waits for the answer of an insurer. A call that takes too long or panics does not affect other calls.
pub(crate) async fn in_time<T>(
    within: Duration,
    asking: impl Future<Output = Result<T, InsurerFault>>,
) -> Result<T, InsurerFault> {
    let asking = AssertUnwindSafe(asking).catch_unwind();
    match tokio::time::timeout(within + GRACE, asking).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err(InsurerFault::Failed("the insurer's connector panicked".into())),
        Err(_) => Err(InsurerFault::Slow),
    }
}

/// The outcomes, if there is exactly one for each requested variant.
pub(crate) fn as_many<T>(outcomes: Vec<T>, asked: usize) -> Result<Vec<T>, InsurerFault> {
    match outcomes.len() {
        came if came == asked => Ok(outcomes),
        came => Err(InsurerFault::Failed(format!("the insurer gave {came} outcomes for {asked} variants"))),
    }
}

/// Logs why an insurer gave no answer.
pub(crate) fn note_fault(insurer: InsurerId, fault: &InsurerFault) {
    tracing::warn!(insurer.id = %insurer, error.cause = %fault, "insurer {insurer} gave no answer: {fault}");
}

/// Connectors for commands that call no insurer.
#[derive(Debug, Clone, Copy)]
pub struct NoConnectors;

impl Connectors for NoConnectors {
    fn connect(&self, _: &rating::Insurer) -> Option<Arc<dyn Insurer>> {
        None
    }
}
