//! Insurers that are asked over a wire. Those priced from rate tables need none of this.

pub(crate) mod covered;
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
use domain::policy::PolicyNumber;
use domain::quote::{NotPriced, QuoteRequest};
use futures_util::FutureExt;
use thiserror::Error;

use crate::insurer::covered::Covered;
use crate::storage::AnyPolicy;

/// Why an insurer gave no answer, or none that could be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum InsurerFault {
    /// It did not answer in time.
    #[error("no answer in time")]
    Slow,
    /// It failed so often that it is not asked for a while.
    #[error("not asked: it failed too often just now")]
    CircuitOpen,
    /// It could not be reached, or answered wrongly. The cause is for the log: never a body, never a secret.
    #[error("{0}")]
    Failed(String),
}

impl InsurerFault {
    /// There is no way to ask.
    pub(crate) fn no_connection() -> Self {
        InsurerFault::Failed("there is no connection to it".into())
    }
}

/// What an insurer is asked to price: several variants for one borrower.
#[derive(Clone, Copy)]
pub struct CreditAsk<'a> {
    /// What the partner asked.
    pub request: &'a QuoteRequest,
    /// The variants, at least one.
    pub variants: &'a [VariantId],
    /// The day on which cover starts, in Asia/Kolkata.
    pub starts: Date,
}

/// What an insurer is asked to price: several variants for one family.
#[derive(Clone, Copy)]
pub struct HealthAsk<'a> {
    /// What the partner asked.
    pub request: &'a HealthRequest,
    /// The variants, at least one.
    pub variants: &'a [VariantId],
    /// The day of the quote in Asia/Kolkata.
    pub on: Date,
}

/// A proposal that is handed to its insurer. Its id is the key under which the insurer takes it once, however often it is
/// sent.
#[derive(Clone, Copy)]
pub enum Submission<'a> {
    CreditLife(&'a EmbeddedProposal),
    Health {
        proposal: &'a HealthProposal,
        /// What of it the journey made.
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

/// What an insurer says of a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InsurerDecision {
    /// It has not decided.
    Pending,
    Accepted {
        number: PolicyNumber,
    },
    /// It refuses.
    Rejected {
        /// Why, where it says so. It is sealed with the proposal's history.
        reason: Option<PersonalLine>,
    },
    /// It does not know the proposal: it is to be handed over again.
    Unknown,
}

/// What happened to a policy.
#[derive(Debug, Clone, Copy)]
pub enum NoticeEvent<'a> {
    Issued,
    Endorsed(&'a Endorsement),
    /// A claim on it was made known.
    Claimed(&'a Claim),
    /// A claim on it was withdrawn.
    ClaimWithdrawn(&'a Claim),
    Cancelled(&'a Cancellation),
}

/// What an insurer is told of one of its policies. Its id is the key under which the insurer takes it once, however often it is
/// sent.
#[derive(Clone)]
pub struct PolicyNotice<'a> {
    /// Its id: that of the bordereau's row for the same event. For a claim, `CLAIM-` and the claim's id; if it is withdrawn,
    /// `WITHDRAWN-` and the claim's id.
    pub id: String,
    /// What happened.
    pub event: NoticeEvent<'a>,
    /// When.
    pub at: Timestamp,
    /// The policy as it stands now.
    pub policy: &'a AnyPolicy,
    pub covered: &'a Covered,
    /// What was applied for, as the endorsements have it.
    pub submission: Option<Submission<'a>>,
}

/// What somebody wants of a policy, which its insurer is to decide.
#[derive(Debug, Clone, Copy)]
pub enum Requested<'a> {
    Cancellation(&'a Cancellation),
    Endorsement(&'a Endorsement),
}

/// What an insurer is asked to decide of one of its policies. Its id is the key under which the insurer decides it once, however
/// often it is asked.
#[derive(Clone)]
pub struct PolicyRequest<'a> {
    pub id: String,
    pub wanted: Requested<'a>,
    /// When somebody asked for it.
    pub at: Timestamp,
    /// The policy as it stands now.
    pub policy: &'a AnyPolicy,
    pub covered: &'a Covered,
    /// What was applied for, as the endorsement would have it.
    pub submission: Option<Submission<'a>>,
}

/// What an insurer says of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RequestDecision {
    /// It has not decided.
    Pending,
    /// It is to be done.
    Confirmed,
    /// It is not.
    Refused {
        /// Why, where it says so. It is sealed with the policy.
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
    /// The method, in capitals.
    pub method: &'a str,
    pub path: &'a str,
    /// The body as it was received.
    pub body: &'a [u8],
    /// The time of receipt.
    pub now: Timestamp,
}

/// An insurer that prices its own variants and decides its own proposals. Every call answers within the time given.
#[async_trait]
pub trait Insurer: Send + Sync {
    /// Prices credit-life variants, one outcome each in the order asked.
    async fn price_credit(
        &self,
        ask: CreditAsk<'_>,
        within: Duration,
    ) -> Result<Vec<Result<Premium, NotPriced>>, InsurerFault>;

    /// Prices health variants, one outcome each in the order asked.
    async fn price_health(&self, ask: HealthAsk<'_>, within: Duration) -> Result<Vec<Outcome>, InsurerFault>;

    /// Hands over a proposal. Handing it over again changes nothing. It may be decided at once.
    async fn submit(
        &self,
        submission: Submission<'_>,
        within: Duration,
    ) -> Result<InsurerDecision, InsurerFault>;

    /// Asks what was decided of a proposal that was handed over.
    async fn decision(&self, proposal: ProposalId, within: Duration)
    -> Result<InsurerDecision, InsurerFault>;

    /// Tells what happened to one of its policies. Telling it again changes nothing.
    async fn tell(&self, notice: PolicyNotice<'_>, within: Duration) -> Result<(), InsurerFault>;

    /// Asks what is decided of a request. Asking again changes nothing.
    async fn decide(
        &self,
        request: PolicyRequest<'_>,
        within: Duration,
    ) -> Result<RequestDecision, InsurerFault>;

    /// Whether the message comes from this insurer.
    fn is_from(&self, message: &IncomingMessage<'_>) -> bool;
}

/// Makes the connections to insurers: one for each way that a catalogue names, however often it is asked for, so that
/// what it learned of an insurer outlives a change of the catalogue.
pub trait Connectors: Send + Sync {
    /// The insurer behind a connector of the catalogue; `None` for one that is priced from rate tables.
    fn connect(&self, insurer: &rating::Insurer) -> Option<Arc<dyn Insurer>>;
}

/// How much longer than its time an insurer's answer is waited for, before its connection is given up as broken.
const GRACE: Duration = Duration::from_millis(50);

/// What an insurer that is being asked answers. One that outlives its time or panics fails alone.
pub(crate) async fn in_time<T>(
    within: Duration,
    asking: impl Future<Output = Result<T, InsurerFault>>,
) -> Result<T, InsurerFault> {
    let asking = AssertUnwindSafe(asking).catch_unwind();
    match tokio::time::timeout(within + GRACE, asking).await {
        Ok(Ok(answer)) => answer,
        Ok(Err(_)) => Err(InsurerFault::Failed("the connection panicked".into())),
        Err(_) => Err(InsurerFault::Slow),
    }
}

/// The outcomes, where there is one for each variant asked.
pub(crate) fn as_many<T>(outcomes: Vec<T>, asked: usize) -> Result<Vec<T>, InsurerFault> {
    match outcomes.len() {
        came if came == asked => Ok(outcomes),
        came => Err(InsurerFault::Failed(format!("{came} outcomes for {asked} variants"))),
    }
}

/// Writes into the log why an insurer gave no answer.
pub(crate) fn note_fault(insurer: InsurerId, fault: &InsurerFault) {
    tracing::warn!(insurer.id = %insurer, error.cause = %fault, "insurer {insurer} gave no answer: {fault}");
}

/// No insurer can be asked: for commands that only look.
#[derive(Debug, Clone, Copy)]
pub struct NoConnectors;

impl Connectors for NoConnectors {
    fn connect(&self, _: &rating::Insurer) -> Option<Arc<dyn Insurer>> {
        None
    }
}
