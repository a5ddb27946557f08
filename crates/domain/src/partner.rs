//! Partners: platforms that call the API.

use std::time::Duration;

use crate::access::Scopes;
use crate::date::Timestamp;
use crate::id::PartnerId;
use crate::person::PersonalLine;

/// Default limit of the tokens that a partner may get in any 60 minutes (D6).
pub const TOKENS_PER_HOUR: u32 = 100;

/// Platform that offers insurance to its customers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partner {
    pub id: PartnerId,
    /// Name shown to customers.
    pub name: String,
    /// Client id with which the partner requests access tokens.
    pub client_id: String,
    /// Whether the partner may call the API. Tokens of a disabled partner are refused (D5).
    pub enabled: bool,
    /// Scopes that the operator enabled. In addition, every partner has `business.session`.
    pub scopes: Scopes,
    /// Whether the partner may use the deprecated read endpoints (D9).
    pub legacy_reads: bool,
    /// Whether the partner may attribute quotes to other partners or enterprises (D8).
    pub attribution: bool,
    /// Web origins that may embed the journey in a frame, such as `https://app.example`.
    pub origins: Vec<String>,
    /// URLs to which the journey may return a customer.
    pub return_urls: Vec<String>,
    /// Limit of the tokens that the partner may get in any 60 minutes (D6).
    pub tokens_per_hour: u32,
    /// Tokens issued at this time or earlier are refused (D5).
    pub tokens_ended_at: Option<Timestamp>,
    pub created_at: Timestamp,
    /// Whom the operator calls or writes to, on one line. Encrypted in the store.
    pub contacts: Option<PersonalLine>,
    /// Settings of a test partner. `None` for a live partner. A test partner's policies insure nobody (D97).
    pub sandbox: Option<Sandbox>,
}

/// Settings of a test partner.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// How far the partner's clock is ahead of real time. The clock runs at normal speed.
    pub ahead: Duration,
}

impl Partner {
    /// Scopes that a token of this partner may have: the enabled scopes and `business.session`.
    pub fn allowed(&self) -> Scopes {
        self.scopes.and(crate::access::Scope::BusinessSession)
    }

    pub fn is_test(&self) -> bool {
        self.sandbox.is_some()
    }
}
