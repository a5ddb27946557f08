//! Store operations for policies.
//!
//! A policy is stored in the transaction that issues it, or by an import.

use async_trait::async_trait;
use domain::date::{Date, Timestamp};
use domain::id::{InsurerId, PartnerId, PolicyId, ProposalId};
use domain::line::LineOfBusiness;
use domain::money::Rupees;
use domain::period::Period;
use domain::policy::{CheckCode, Policy, PolicyNumber};
use domain::policy_state::PolicyState;
use domain::premium::{PaymentReference, Posting};
use domain::proposal::Move;

use super::claims::ClaimAct;
use super::events::NewEvent;
use super::imports::{ImportEnd, Records};
use super::lists::{Beyond, ListStart, Page, Selection};
use super::premiums::PremiumAct;
use super::{KeyedResponse, Result};

/// Ledger movement of a policy: a refund owed or paid, or an endorsement's charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyPosting {
    /// Insurer of the policy.
    pub insurer: InsurerId,
    /// Amount and accounts.
    pub posting: Posting,
    /// Payer's reference, if there was a payment.
    pub reference: Option<String>,
    /// Name of the deposit whose balance changes.
    pub deposit: Option<String>,
    pub at: Timestamp,
}

/// What else is stored in the transaction that changes a policy.
#[derive(Clone, Copy, Default)]
pub struct PolicyAct<'a> {
    /// State changes, oldest first. Empty if the state stays the same.
    pub moves: &'a [Move<PolicyState>],
    /// Ledger movements of the policy's money.
    pub postings: &'a [PolicyPosting],
    /// Change of the premium of the policy's proposal.
    pub premium: Option<&'a PremiumAct>,
    /// Bank payment to store.
    pub payment: Option<NotedPayment<'a>>,
    pub endorsed: Option<Endorsed<'a>>,
    /// Start time of a job that notifies the insurer (D90). A job that already exists is moved to this time.
    pub tell: Option<Timestamp>,
    /// New or changed claim on the policy.
    pub claim: Option<ClaimAct<'a>>,
    /// Events for the policy's partner (D95).
    pub events: &'a [NewEvent],
    /// Response to store, if the request has an idempotency key (D36).
    pub response: Option<&'a KeyedResponse>,
}

/// Part of a bank transfer that pays several claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TransferPart {
    pub amount: Rupees,
    /// Total of the transfer, which is the same for each of its parts.
    pub total: Rupees,
}

/// Bank payment of a claim or refund. The same reference cannot pay anything else (D116).
#[derive(Clone, Copy)]
pub struct NotedPayment<'a> {
    pub reference: &'a PaymentReference,
    /// Id of the claim or policy that is paid, such as `clm_…`.
    pub paid_for: &'a str,
    /// If the transfer pays several claims: the part for this one, and the total of the transfer.
    pub part: Option<TransferPart>,
}

/// Applied endorsement. The replaced certificate stays stored.
#[derive(Clone, Copy)]
pub struct Endorsed<'a> {
    pub certificate: &'a [u8],
    /// When the endorsement was applied.
    pub at: Timestamp,
}

/// Result of a policy change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PolicyChanged {
    Done,
    /// The policy's version has changed, so nothing was done.
    Lost,
    /// Another request with the same idempotency key came first, so nothing was done (D36).
    Twin,
    /// The payment's reference was used before, so nothing was done. Id of the record that was paid then,
    /// such as `clm_…`.
    Paid(String),
}

#[async_trait]
pub trait Policies: Send + Sync {
    async fn policy(&self, of: PartnerId, id: PolicyId) -> Result<Option<Policy>>;

    /// Policy issued from a proposal.
    async fn policy_of(&self, of: PartnerId, id: ProposalId) -> Result<Option<Policy>>;

    /// A partner's policy of a line of business with this number: the insurer's own number (the newest of
    /// several policies), else this service's number.
    async fn policy_numbered(
        &self,
        of: PartnerId,
        line: LineOfBusiness,
        number: &str,
    ) -> Result<Option<Policy>>;

    /// Stores a changed policy if its version is unchanged, and increases this version.
    async fn change_policy(&self, policy: &Policy, act: PolicyAct<'_>) -> Result<PolicyChanged>;

    /// Imports policies, all or none, and updates the list counts.
    async fn import_policies(&self, records: Records<Policy>) -> Result<ImportEnd>;

    /// Policies issued from these proposals, with their proposals.
    async fn policies_of_proposals(
        &self,
        of: PartnerId,
        proposals: &[ProposalId],
    ) -> Result<Vec<(ProposalId, PolicyId)>>;

    /// Policies of these partners with a number that this service or the insurer gave, newest first.
    async fn policies_numbered(&self, of: &[PartnerId], number: &str, most: usize) -> Result<Vec<Policy>>;

    /// A page of a partner's policies, by day of issue, with the total number of matching policies. Both come
    /// from one snapshot. `line`: only policies of this line of business. `today` decides which policies have
    /// expired.
    async fn policies(
        &self,
        of: PartnerId,
        line: Option<LineOfBusiness>,
        which: Selection,
        start: ListStart,
        most: usize,
        today: Date,
    ) -> Result<Page<Policy>>;

    /// All state changes of a policy after its issue, oldest first.
    async fn policy_history(&self, of: PartnerId, id: PolicyId) -> Result<Vec<Move<PolicyState>>>;

    /// Partner to which a policy belongs, for callers that know only the policy's id.
    async fn owner_of_policy(&self, id: PolicyId) -> Result<Option<PartnerId>>;

    /// Policies with an open endorsement, oldest request first; at most `most`.
    async fn endorsements_open(&self, most: usize) -> Result<Vec<Policy>>;

    /// A partner's policies to renew: renewable on `today`, last day of cover within `ends`, not renewed or
    /// cancelled. Earliest last day first. `from`: start of the page; at most `most`.
    async fn renewals_due(
        &self,
        of: PartnerId,
        ends: Period,
        today: Date,
        from: Option<Beyond<(Date, PolicyId)>>,
        most: usize,
    ) -> Result<Vec<Policy>>;

    /// Policies with an unpaid refund, earliest due day first; at most `most`.
    async fn refunds_owed(&self, most: usize) -> Result<Vec<Policy>>;
}

/// Certificate for a download.
#[derive(Clone)]
pub struct CertificateDocument {
    pub number: PolicyNumber,
    /// PDF file.
    pub bytes: Vec<u8>,
    pub line: LineOfBusiness,
    /// Stored state of the certificate's policy.
    pub state: PolicyState,
    /// Whether the certificate was downloaded before.
    pub was_read: bool,
}

impl std::fmt::Debug for CertificateDocument {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "CertificateDocument({})", self.number)
    }
}

/// Certificates, for callers that do not know the policy's line of business.
#[async_trait]
pub trait Certificates: Send + Sync {
    /// Certificate of the policy issued from a proposal.
    async fn certificate(&self, of: PartnerId, id: ProposalId) -> Result<Option<CertificateDocument>>;

    /// Certificate that an endorsement replaced. Version 1 is the certificate of the issue. `None`: there is
    /// no such version, or it is the current certificate.
    async fn replaced_certificate(
        &self,
        of: PartnerId,
        policy: PolicyId,
        version: u32,
    ) -> Result<Option<Vec<u8>>>;

    /// Records the first download of a certificate. Later downloads change nothing.
    async fn certificate_was_read(&self, of: PartnerId, id: ProposalId, at: Timestamp) -> Result<()>;

    /// Partner, id and line of business of the policy with this check code.
    async fn policy_checked(&self, check: CheckCode) -> Result<Option<(PartnerId, PolicyId)>>;
}
