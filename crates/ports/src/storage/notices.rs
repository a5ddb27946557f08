//! Store operations for notices to insurers (D90).
//!
//! For each policy, the store has what was already reported to the insurer.

use async_trait::async_trait;
use domain::id::{PartnerId, PolicyId};

use super::Result;
use super::jobs::Lease;

/// What was already reported to a policy's insurer. These numbers only grow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Told {
    pub issued: bool,
    /// Number of reported endorsements, in the order of application.
    pub endorsements: u16,
    /// Number of reported claims, in the order of the policy's list.
    pub claims: u16,
    /// Number of reported withdrawn claims, in the order of withdrawal.
    pub withdrawn: u16,
    pub cancelled: bool,
}

#[async_trait]
pub trait Notices: Send + Sync {
    /// What was already reported to a policy's insurer.
    async fn told(&self, of: PartnerId, policy: PolicyId) -> Result<Told>;

    /// Stores what was reported to the insurer, even if another worker holds the job. Earlier reports stay
    /// stored. `false`: the lease is lost, so another worker continues.
    async fn keep_told(&self, lease: &Lease, told: Told) -> Result<bool>;
}
