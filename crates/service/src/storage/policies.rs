//! What the use cases need of a store for policies. They are kept in the transaction of the move that issues them, or by
//! an import.

use async_trait::async_trait;
use domain::id::{PartnerId, PolicyId, ProposalId};
use domain::line::{Line, LineOfBusiness};
use domain::policy::{CheckCode, Policy, PolicyNumber};

use super::StorageError;
use super::imports::{ImportEnd, Records};
use super::lists::{ListStart, Page, Selection};

/// Policies of one line of business.
#[async_trait]
pub trait Policies<L: Line>: Send + Sync {
    /// A policy of a partner.
    async fn policy(&self, of: PartnerId, id: PolicyId) -> Result<Option<Policy<L>>, StorageError>;

    /// A policy of a partner by the insurer's number, of several the newest; else by ours.
    async fn policy_numbered(&self, of: PartnerId, number: &str) -> Result<Option<Policy<L>>, StorageError>;

    /// The policy that came of a proposal.
    async fn policy_of(&self, of: PartnerId, id: ProposalId) -> Result<Option<Policy<L>>, StorageError>;

    /// A page of a partner's policies by the day of issue, with the count of all, read at one moment. The line must be
    /// counted.
    async fn policies(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<Policy<L>>, StorageError>;

    /// Keeps imported policies, all or none, with their counts.
    async fn import_policies(&self, records: Records<Policy<L>>) -> Result<ImportEnd, StorageError>;
}

/// A certificate as it is downloaded.
#[derive(Clone)]
pub struct CertificateDocument {
    /// The number on it.
    pub number: PolicyNumber,
    /// The bytes of the PDF.
    pub bytes: Vec<u8>,
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
    async fn certificate(
        &self,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Option<CertificateDocument>, StorageError>;

    /// The policy that a check code names, with its line.
    async fn policy_checked(
        &self,
        check: CheckCode,
    ) -> Result<Option<(PartnerId, PolicyId, LineOfBusiness)>, StorageError>;
}
