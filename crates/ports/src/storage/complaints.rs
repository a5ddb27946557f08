//! Store operations for complaints.

use async_trait::async_trait;
use domain::complaint::Complaint;
use domain::id::{ComplaintId, PartnerId, PolicyId};

use super::Result;

#[async_trait]
pub trait Complaints: Send + Sync {
    async fn keep_complaint(&self, complaint: &Complaint) -> Result<()>;

    async fn complaint(&self, id: ComplaintId) -> Result<Option<Complaint>>;

    /// Unanswered complaints, earliest deadline first; at most `most`.
    async fn open_complaints(&self, most: usize) -> Result<Vec<Complaint>>;

    /// Newest complaints first; at most `most`.
    async fn complaints(&self, most: usize) -> Result<Vec<Complaint>>;

    /// Complaints about a policy, newest first.
    async fn complaints_about(&self, of: PartnerId, policy: PolicyId) -> Result<Vec<Complaint>>;

    /// Stores the answer of a complaint. `false`: the complaint has an answer already, so nothing was stored.
    async fn answer_complaint(&self, complaint: &Complaint) -> Result<bool>;
}
