//! Store operations for the operator's team.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::OperatorId;
use domain::team::{OperatorSecret, TeamMember};

use super::Result;

#[async_trait]
pub trait Team: Send + Sync {
    /// Adds an operator, or updates the stored one if its version is unchanged. Also stores `secret`, if
    /// given. `what` describes the change in the audit trail. `false`: the operator was changed meanwhile, so
    /// nothing was stored.
    async fn keep_operator(
        &self,
        operator: &TeamMember,
        what: &'static str,
        secret: Option<&OperatorSecret>,
    ) -> Result<bool>;

    async fn operator(&self, id: OperatorId) -> Result<Option<TeamMember>>;

    /// All operators, including those who left, oldest first.
    async fn operators(&self) -> Result<Vec<TeamMember>>;

    /// Stores a new secret. `false`: the secret exists already.
    async fn keep_secret(&self, secret: &OperatorSecret) -> Result<bool>;

    /// Updates a secret if its version is unchanged. `false`: the secret was changed meanwhile, so nothing
    /// was stored.
    async fn change_secret(&self, secret: &OperatorSecret) -> Result<bool>;

    async fn secret(&self, hash: &[u8; 32]) -> Result<Option<OperatorSecret>>;

    /// Secrets of an operator, newest first.
    async fn secrets_of(&self, operator: OperatorId) -> Result<Vec<OperatorSecret>>;

    /// Records that a secret was used.
    async fn see_secret(&self, hash: &[u8; 32], at: Timestamp) -> Result<()>;

    /// Deletes secrets that expired before an instant, at most `most`. Returns their number.
    async fn forget_secrets(&self, before: Timestamp, most: usize) -> Result<usize>;
}
