//! Partners: the platforms that call us.

use std::time::Duration;

use crate::access::Scopes;
use crate::date::Timestamp;
use crate::id::PartnerId;

/// Token generations that a partner has in any sliding hour, where the operator set no other figure (D6).
pub const TOKENS_PER_HOUR: u32 = 100;

/// A platform that offers insurance to its customers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Partner {
    pub id: PartnerId,
    /// The name that its customers know.
    pub name: String,
    /// The API access key.
    pub client_id: String,
    /// Whether it may call at all. A disabled partner's tokens are refused (D5).
    pub enabled: bool,
    /// The scopes enabled for it, beyond `business.session`, which all have.
    pub scopes: Scopes,
    /// Whether it may use the deprecated reads (D9).
    pub legacy_reads: bool,
    /// Whether it may attribute quotes to others (D8).
    pub attribution: bool,
    /// Web origins that may frame the journey, such as `https://app.example`.
    pub origins: Vec<String>,
    /// Addresses that the journey may send a customer back to.
    pub return_urls: Vec<String>,
    /// Token generations in any sliding hour (D6).
    pub tokens_per_hour: u32,
    /// Its tokens of that instant and before are refused for good (D5).
    pub tokens_ended_at: Option<Timestamp>,
    /// When it was created.
    pub created_at: Timestamp,
    /// Where it is a test partner: whatever it does is for trying out, and nobody is insured by it (D97).
    pub sandbox: Option<Sandbox>,
}

/// What a test partner has of its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sandbox {
    /// How far its clock is ahead of the time: it was moved forward, and goes on from there.
    pub ahead: Duration,
}

impl Partner {
    /// The scopes that it may ask for: the enabled ones and `business.session`.
    pub fn allowed(&self) -> Scopes {
        self.scopes.and(crate::access::Scope::BusinessSession)
    }

    /// Whether what it does is for trying out.
    pub fn is_test(&self) -> bool {
        self.sandbox.is_some()
    }
}
