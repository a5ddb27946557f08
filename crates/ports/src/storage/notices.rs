//! What the use cases need of a store to tell insurers what happened to their policies: how far each was told (D90).

use async_trait::async_trait;
use domain::id::{PartnerId, PolicyId};

use super::Result;
use super::jobs::Lease;

/// How far the insurer of a policy was told of it. It only ever grows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Told {
    pub issued: bool,
    /// How many of its endorsements, in the order in which they were made.
    pub endorsements: u16,
    /// How many of its claims, in the order in which the policy has them.
    pub claims: u16,
    /// How many of its withdrawn claims, in the order in which they were withdrawn.
    pub withdrawn: u16,
    pub cancelled: bool,
}

/// How far insurers were told.
#[async_trait]
pub trait Notices: Send + Sync {
    /// How far the insurer of a policy was told.
    async fn told(&self, of: PartnerId, policy: PolicyId) -> Result<Told>;

    /// Keeps how far the insurer was told, whoever holds the job meanwhile: what was told before stays. `false`: the lease was
    /// lost, and somebody else goes on.
    async fn keep_told(&self, lease: &Lease, told: Told) -> Result<bool>;
}
