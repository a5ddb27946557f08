//! What the use cases need of a store for partners, their secrets and their tokens.

use std::time::Duration;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::PartnerId;
use domain::partner::Partner;

use super::Result;
use super::events::NewEvent;

/// A secret of a partner, as it is kept: its hash alone (D5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretRecord {
    /// Counts the partner's secrets from 1.
    pub number: u32,
    /// SHA-256 of the secret.
    pub hash: [u8; 32],
    /// When it was made.
    pub added_at: Timestamp,
    /// When it was revoked, where it was.
    pub revoked_at: Option<Timestamp>,
    /// Whether the tokens that it got are refused, too.
    pub tokens_ended: bool,
}

/// A partner with its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerRecord {
    pub partner: Partner,
    /// Its secrets, revoked ones included.
    pub secrets: Vec<SecretRecord>,
}

/// Whether a token generation found room in the partner's sliding hour (D6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenCount {
    /// It did, and was counted.
    Counted {
        /// How many more there may be now.
        left: u32,
        /// When the oldest counted generation leaves the hour.
        free_at: Timestamp,
    },
    /// It did not, and was not counted.
    Exhausted {
        /// When the oldest counted generation leaves the hour.
        free_at: Timestamp,
    },
}

/// What becomes of a test partner's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockChange {
    /// It goes on as it is.
    Keep,
    /// It is moved forward.
    Advance(Duration),
    /// It shows the time again: nothing is left that happened by it.
    Reset,
}

/// Partners of a store.
#[async_trait]
pub trait Partners: Send + Sync {
    /// Counts the changes of partners, secrets and keys, so that other processes know when to read again.
    async fn revision(&self) -> Result<u64>;

    /// Every partner with its secrets.
    async fn partners(&self) -> Result<Vec<PartnerRecord>>;

    /// Adds a partner with its first secret. Refused when the id or `client_id` is taken.
    async fn add_partner(&self, partner: &Partner, secret: &SecretRecord) -> Result<()>;

    /// Replaces what is known of a partner, and changes the clock of a test partner from where it stands in the store. `false`:
    /// there is no such partner.
    async fn change_partner(&self, partner: &Partner, clock: ClockChange) -> Result<bool>;

    /// Adds a secret, unless `most` are live already. `false`: they are.
    async fn add_secret(
        &self,
        of: PartnerId,
        secret: &SecretRecord,
        most: usize,
        event: &NewEvent,
    ) -> Result<bool>;

    /// Revokes a secret, and ends its tokens if asked for. `false`: it is unknown, or all of that was done before.
    async fn revoke_secret(
        &self,
        of: PartnerId,
        number: u32,
        at: Timestamp,
        end_tokens: bool,
        event: &NewEvent,
    ) -> Result<bool>;

    /// Counts one token generation, unless `limit` lie within the hour before `at` already (D6).
    async fn count_token(&self, of: PartnerId, at: Timestamp, limit: u32) -> Result<TokenCount>;
}
