//! What the use cases need of a store for complaints.

use async_trait::async_trait;
use domain::complaint::Complaint;
use domain::id::{ComplaintId, PartnerId, PolicyId};

use super::Result;

/// The register of complaints.
#[async_trait]
pub trait Complaints: Send + Sync {
    async fn keep_complaint(&self, complaint: &Complaint) -> Result<()>;

    async fn complaint(&self, id: ComplaintId) -> Result<Option<Complaint>>;

    /// Complaints that are not answered, the one that is due first before the others; at most `most`.
    async fn open_complaints(&self, most: usize) -> Result<Vec<Complaint>>;

    /// Complaints, newest first; at most `most`.
    async fn complaints(&self, most: usize) -> Result<Vec<Complaint>>;

    /// Complaints about a policy, newest first.
    async fn complaints_about(&self, of: PartnerId, policy: PolicyId) -> Result<Vec<Complaint>>;

    /// Keeps a complaint with its answer, only while it has none. `false`: it was answered before, and nothing was done.
    async fn answer_complaint(&self, complaint: &Complaint) -> Result<bool>;
}
