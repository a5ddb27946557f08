//! Store operations for partners with their secrets and tokens.

use std::time::Duration;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::PartnerId;
use domain::partner::Partner;

use super::Result;
use super::events::NewEvent;

/// Stored secret of a partner: only its hash (D5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecretRecord {
    /// Number among the partner's secrets, from 1.
    pub number: u32,
    /// SHA-256 of the secret.
    pub hash: [u8; 32],
    pub added_at: Timestamp,
    /// When the secret was revoked. `None` if the secret is live.
    pub revoked_at: Option<Timestamp>,
    /// Whether tokens obtained with this secret are also refused.
    pub tokens_ended: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerRecord {
    pub partner: Partner,
    /// Secrets of the partner, including revoked ones.
    pub secrets: Vec<SecretRecord>,
}

/// Whether the partner may request one more token. The limit is a number of requests in 60 minutes (D6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenCount {
    /// The token request is allowed, and was counted.
    Counted {
        /// Number of further token requests that are allowed now.
        left: u32,
        /// When the oldest counted request is 60 minutes old. Then this request no longer counts.
        free_at: Timestamp,
    },
    /// The token request is refused, and was not counted.
    Exhausted {
        /// When the oldest counted request is 60 minutes old. Then this request no longer counts.
        free_at: Timestamp,
    },
}

/// Change of a test partner's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockChange {
    /// The clock continues unchanged.
    Keep,
    /// The clock is moved forward by this duration.
    Advance(Duration),
    /// The clock shows real time again. All records that were made while the clock was ahead are already
    /// removed.
    Reset,
}

#[async_trait]
pub trait Partners: Send + Sync {
    /// Number of changes of partners, secrets and keys. If this number changes, other processes load them
    /// again.
    async fn revision(&self) -> Result<u64>;

    /// All partners with their secrets.
    async fn partners(&self) -> Result<Vec<PartnerRecord>>;

    /// Adds a partner with its first secret. Refused if its id or `client_id` exists already.
    async fn add_partner(&self, partner: &Partner, secret: &SecretRecord) -> Result<()>;

    /// Replaces a partner's data. `clock` says how the stored clock of a test partner changes. `false`: no
    /// such partner.
    async fn change_partner(&self, partner: &Partner, clock: ClockChange) -> Result<bool>;

    /// Adds a secret. `false`: the partner has `most` live secrets already, so nothing was stored.
    async fn add_secret(
        &self,
        of: PartnerId,
        secret: &SecretRecord,
        most: usize,
        event: &NewEvent,
    ) -> Result<bool>;

    /// Revokes a secret, and its tokens if `end_tokens`. `false`: the secret is unknown, or was already
    /// revoked in this way.
    async fn revoke_secret(
        &self,
        of: PartnerId,
        number: u32,
        at: Timestamp,
        end_tokens: bool,
        event: &NewEvent,
    ) -> Result<bool>;

    /// Counts one token request, unless there were `limit` requests in the hour before `at` (D6).
    async fn count_token(&self, of: PartnerId, at: Timestamp, limit: u32) -> Result<TokenCount>;
}
