//! What the use cases need of a store for health policies. They are kept in the transaction of the move that issues
//! them, or by an import.

use async_trait::async_trait;
use domain::health_policy::HealthPolicy;
use domain::id::{PartnerId, PolicyId, ProposalId};
use domain::policy::CheckCode;

use super::health_proposals::{ImportEnd, Records};
use super::lists::{From, Page, Selection};
use super::{CertificateDocument, StorageError};

/// A policy with the document that the customer holds.
#[derive(Clone)]
pub struct HealthIssue {
    /// The policy.
    pub policy: HealthPolicy,
    /// Its certificate: the bytes of a PDF.
    pub certificate: Vec<u8>,
}

/// Health policies of a store.
#[async_trait]
pub trait HealthPolicies: Send + Sync {
    /// A policy of a partner.
    async fn health_policy(&self, of: PartnerId, id: PolicyId) -> Result<Option<HealthPolicy>, StorageError>;

    /// A policy of a partner by the insurer's number, of several the newest; else by ours.
    async fn health_policy_numbered(
        &self,
        of: PartnerId,
        number: &str,
    ) -> Result<Option<HealthPolicy>, StorageError>;

    /// The policy that came of a proposal.
    async fn health_policy_of(
        &self,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Option<HealthPolicy>, StorageError>;

    /// A page of a partner's policies by the day of issue, with the count of all, read at one moment.
    async fn health_policies(
        &self,
        of: PartnerId,
        which: Selection,
        from: From,
        most: usize,
    ) -> Result<Page<HealthPolicy>, StorageError>;

    /// The certificate of the policy that came of a proposal.
    async fn health_certificate(
        &self,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Option<CertificateDocument>, StorageError>;

    /// The policy that a check code names.
    async fn health_policy_by_check(&self, check: CheckCode) -> Result<Option<HealthPolicy>, StorageError>;

    /// Keeps imported policies, all or none, with their counts.
    async fn import_health_policies(&self, records: Records<HealthPolicy>)
    -> Result<ImportEnd, StorageError>;
}
