//! What the use cases need of a store for the operator's team.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::OperatorId;
use domain::team::{OperatorSecret, TeamMember};

use super::Result;

/// Operators and the secrets that were handed out to them.
#[async_trait]
pub trait Team: Send + Sync {
    /// Adds an operator, or changes one in the version that was read; with a secret, if there is one. `what` says it in the audit trail.
    /// `false`: the operator was changed meanwhile.
    async fn keep_operator(
        &self,
        operator: &TeamMember,
        what: &'static str,
        secret: Option<&OperatorSecret>,
    ) -> Result<bool>;

    async fn operator(&self, id: OperatorId) -> Result<Option<TeamMember>>;

    /// Every operator, those who left too, the oldest first.
    async fn operators(&self) -> Result<Vec<TeamMember>>;

    /// Keeps a new secret. `false`: it is there already.
    async fn keep_secret(&self, secret: &OperatorSecret) -> Result<bool>;

    /// Changes a secret in the version that was read. `false`: it was changed meanwhile.
    async fn change_secret(&self, secret: &OperatorSecret) -> Result<bool>;

    async fn secret(&self, hash: &[u8; 32]) -> Result<Option<OperatorSecret>>;

    /// Secrets of an operator, the newest first.
    async fn secrets_of(&self, operator: OperatorId) -> Result<Vec<OperatorSecret>>;

    /// Notes that a secret was used.
    async fn see_secret(&self, hash: &[u8; 32], at: Timestamp) -> Result<()>;

    /// Removes secrets that expired before an instant, at most so many. Returns how many.
    async fn forget_secrets(&self, before: Timestamp, most: usize) -> Result<usize>;
}
