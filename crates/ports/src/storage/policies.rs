//! What the use cases need of a store for policies. They are kept in the transaction of the move that issues them, or by
//! an import.

use async_trait::async_trait;
use domain::credit_life::EmbeddedPolicy;
use domain::date::{Date, Timestamp};
use domain::health_policy::HealthPolicy;
use domain::id::{InsurerId, PartnerId, PolicyId, ProposalId};
use domain::line::{Line, LineOfBusiness};
use domain::period::Period;
use domain::policy::{CheckCode, Policy, PolicyNumber};
use domain::policy_state::PolicyState;
use domain::premium::{PaymentReference, Posting};
use domain::proposal::Move;

use super::claims::ClaimAct;
use super::events::NewEvent;
use super::imports::{ImportEnd, Records};
use super::lists::{Beyond, ListPosition, ListStart, Page, Selection};
use super::{KeyedResponse, Result};

/// A policy of whichever line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyPolicy {
    CreditLife(Box<EmbeddedPolicy>),
    Health(Box<HealthPolicy>),
}

impl From<EmbeddedPolicy> for AnyPolicy {
    fn from(policy: EmbeddedPolicy) -> Self {
        AnyPolicy::CreditLife(Box::new(policy))
    }
}

impl From<HealthPolicy> for AnyPolicy {
    fn from(policy: HealthPolicy) -> Self {
        AnyPolicy::Health(Box::new(policy))
    }
}

/// Runs an expression on a policy of whichever line, whose type is then that of its line.
#[macro_export]
macro_rules! on_any_policy {
    ($any:expr, $policy:ident => $then:expr) => {
        match $any {
            $crate::storage::policies::AnyPolicy::CreditLife($policy) => $then,
            $crate::storage::policies::AnyPolicy::Health($policy) => $then,
        }
    };
}

impl AnyPolicy {
    pub fn line(&self) -> LineOfBusiness {
        match self {
            AnyPolicy::CreditLife(_) => LineOfBusiness::CreditLife,
            AnyPolicy::Health(_) => LineOfBusiness::Health,
        }
    }

    /// Whose it is.
    pub fn partner(&self) -> PartnerId {
        on_any_policy!(self, policy => policy.partner)
    }

    pub fn id(&self) -> PolicyId {
        on_any_policy!(self, policy => policy.id)
    }

    pub fn position(&self) -> ListPosition {
        on_any_policy!(self, policy => ListPosition { created_at: policy.issued_at, id: policy.id.uuid() })
    }
}

/// A movement of a policy's money in the ledger: a refund that is owed or paid, or what an endorsement costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyPosting {
    /// Who owes or paid it.
    pub insurer: InsurerId,
    /// The amount and its accounts.
    pub posting: Posting,
    /// What the payment is called, where there was one.
    pub reference: Option<String>,
    /// The deposit whose balance changes, by its name.
    pub deposit: Option<String>,
    /// When.
    pub at: Timestamp,
}

/// What goes into the transaction of a policy's change beside it.
#[derive(Clone, Copy, Default)]
pub struct PolicyAct<'a> {
    /// The moves that brought it where it stands, oldest first. None where only what it holds has changed.
    pub moves: &'a [Move<PolicyState>],
    /// What happens to its money.
    pub postings: &'a [PolicyPosting],
    /// The bank's payment that is noted.
    pub payment: Option<NotedPayment<'a>>,
    pub endorsed: Option<Endorsed<'a>>,
    /// When its insurer is to be told of it by a job: that begins, or is due again (D90).
    pub tell: Option<Timestamp>,
    /// A claim on it that is made known or moved.
    pub claim: Option<ClaimAct<'a>>,
    /// What its partner is told of it (D95).
    pub events: &'a [NewEvent],
    /// Its response, where an idempotency key came (D36).
    pub response: Option<&'a KeyedResponse>,
}

/// A bank's payment of a claim or a refund. Its reference pays nothing else (D116).
#[derive(Clone, Copy)]
pub struct NotedPayment<'a> {
    pub reference: &'a PaymentReference,
    /// What it pays, such as `clm_…`.
    pub paid_for: &'a str,
}

/// An endorsement that is made: the certificate before is kept beside the policy.
#[derive(Clone, Copy)]
pub struct Endorsed<'a> {
    pub certificate: &'a [u8],
    /// When it was made.
    pub at: Timestamp,
}

/// How a change of a policy ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyChanged {
    /// It was changed.
    Done,
    /// It is no longer in the version that was seen; nothing was done.
    Lost,
    /// Another request with the same idempotency key was first; nothing was done (D36).
    Twin,
    /// The payment's reference paid this before, such as `clm_…`; nothing was done.
    Paid(String),
}

/// Policies of one line of business.
#[async_trait]
pub trait Policies<L: Line>: Send + Sync {
    async fn policy(&self, of: PartnerId, id: PolicyId) -> Result<Option<Policy<L>>>;

    /// A policy of a partner by the insurer's number, of several the newest; else by ours.
    async fn policy_numbered(&self, of: PartnerId, number: &str) -> Result<Option<Policy<L>>>;

    /// The policy that came of a proposal.
    async fn policy_of(&self, of: PartnerId, id: ProposalId) -> Result<Option<Policy<L>>>;

    /// A page of a partner's policies by the day of issue, with the count of all, read at one moment. The line must be
    /// counted.
    async fn policies(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<Policy<L>>>;

    /// Keeps a policy as it stands now, with its moves, only while it is still in its version: the next one is kept.
    async fn change_policy(&self, policy: &Policy<L>, act: PolicyAct<'_>) -> Result<PolicyChanged>;

    /// Keeps imported policies, all or none, with their counts.
    async fn import_policies(&self, records: Records<Policy<L>>) -> Result<ImportEnd>;
}

/// Policies of every line, for those who do not know the line.
#[async_trait]
pub trait AnyPolicies: Send + Sync {
    async fn any_policy(&self, of: PartnerId, id: PolicyId) -> Result<Option<AnyPolicy>>;

    /// The policy that came of a proposal.
    async fn any_policy_of(&self, of: PartnerId, id: ProposalId) -> Result<Option<AnyPolicy>>;

    /// The policies that came of some proposals, each by its proposal.
    async fn policies_of_proposals(
        &self,
        of: PartnerId,
        proposals: &[ProposalId],
    ) -> Result<Vec<(ProposalId, PolicyId)>>;

    /// Policies of some partners under a number, ours or the insurer's, newest first.
    async fn any_policies_numbered(
        &self,
        of: &[PartnerId],
        number: &str,
        most: usize,
    ) -> Result<Vec<AnyPolicy>>;

    /// A page of a partner's policies by the day of issue, with the count of all, read at one moment. `today` decides which
    /// of them have expired.
    async fn any_policies(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
        today: Date,
    ) -> Result<Page<AnyPolicy>>;

    /// Every move of a policy after its issue, oldest first.
    async fn policy_history(&self, of: PartnerId, id: PolicyId) -> Result<Vec<Move<PolicyState>>>;

    /// Whose a policy is, for those who know its id alone.
    async fn owner_of_policy(&self, id: PolicyId) -> Result<Option<PartnerId>>;

    /// Policies of which an endorsement waits, the one that was asked for first before the others; at most `most`.
    async fn endorsements_open(&self, most: usize) -> Result<Vec<AnyPolicy>>;

    /// Policies of a partner that can be renewed today or later and whose last day of cover is in a period, neither renewed nor
    /// cancelled; the one that ends first before the others, beyond a position; at most `most`.
    async fn renewals_due(
        &self,
        of: PartnerId,
        ends: Period,
        today: Date,
        from: Option<Beyond<(Date, PolicyId)>>,
        most: usize,
    ) -> Result<Vec<AnyPolicy>>;

    /// Policies whose refund is owed, the one that is due first before the others; at most `most`.
    async fn refunds_owed(&self, most: usize) -> Result<Vec<AnyPolicy>>;
}

/// A certificate as it is downloaded.
#[derive(Clone)]
pub struct CertificateDocument {
    pub number: PolicyNumber,
    /// The bytes of the PDF.
    pub bytes: Vec<u8>,
    /// Its policy's line of business.
    pub line: LineOfBusiness,
    /// Where its policy was last moved to.
    pub state: PolicyState,
    /// Whether it was downloaded before.
    pub was_read: bool,
}

impl std::fmt::Debug for CertificateDocument {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "CertificateDocument({})", self.number)
    }
}

/// Certificates, for those who do not know the policy's line.
#[async_trait]
pub trait Certificates: Send + Sync {
    /// The certificate of the policy that came of a proposal.
    async fn certificate(&self, of: PartnerId, id: ProposalId) -> Result<Option<CertificateDocument>>;

    /// The certificate of a policy as it was before an endorsement: `version` counts from 1, the one of the issue. `None`: the
    /// policy never had it, or still has it.
    async fn replaced_certificate(
        &self,
        of: PartnerId,
        policy: PolicyId,
        version: u32,
    ) -> Result<Option<Vec<u8>>>;

    /// Notes the first download of the certificate of the policy that came of a proposal. Later ones change nothing.
    async fn certificate_was_read(&self, of: PartnerId, id: ProposalId, at: Timestamp) -> Result<()>;

    /// The policy that a check code names, with its line.
    async fn policy_checked(&self, check: CheckCode)
    -> Result<Option<(PartnerId, PolicyId, LineOfBusiness)>>;
}
