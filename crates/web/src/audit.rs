//! Audit lines: who signed in or failed to, who was refused for a scope, and who read a certificate. They are no log lines
//! and have no personal data: ids, a client's address and the request's id.

use domain::id::PartnerId;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditEvent {
    /// A token was issued; the record is the token's id.
    TokenIssued,
    /// Credentials were refused; the partner is the one whose `client_id` was sent, if there is one.
    SignInFailed,
    /// A bearer token was missing or refused.
    TokenRefused,
    /// A token opened no journey.
    JourneyRefused,
    /// A good token lacked a scope, or asked for one that the partner does not have.
    ScopeRefused,
    /// A certificate was read; the record is its proposal.
    CertificateRead,
    /// A paper of a claim was read; the record is the paper.
    ClaimPaperRead,
    /// A file of a statement was read; the record is the statement.
    StatementRead,
}

impl AuditEvent {
    /// Its word in audit lines.
    pub const fn word(self) -> &'static str {
        match self {
            AuditEvent::TokenIssued => "token_issued",
            AuditEvent::SignInFailed => "sign_in_failed",
            AuditEvent::TokenRefused => "token_refused",
            AuditEvent::JourneyRefused => "journey_refused",
            AuditEvent::ScopeRefused => "scope_refused",
            AuditEvent::CertificateRead => "certificate_read",
            AuditEvent::ClaimPaperRead => "claim_paper_read",
            AuditEvent::StatementRead => "statement_read",
        }
    }

    /// Whether strangers can make as many of them as they like.
    pub const fn is_refusal(self) -> bool {
        match self {
            AuditEvent::SignInFailed
            | AuditEvent::TokenRefused
            | AuditEvent::JourneyRefused
            | AuditEvent::ScopeRefused => true,
            AuditEvent::TokenIssued
            | AuditEvent::CertificateRead
            | AuditEvent::ClaimPaperRead
            | AuditEvent::StatementRead => false,
        }
    }
}

#[derive(Debug)]
pub struct AuditLine<'a> {
    /// What happened.
    pub event: AuditEvent,
    /// Whose it is, where that is known.
    pub partner: Option<PartnerId>,
    /// The client's address; of an IPv6 address, its network of 64 bits.
    pub peer: String,
    /// The record that it is about.
    pub record: Option<&'a str>,
    /// The request: method and route.
    pub request: String,
    /// The request's id, as in the log.
    pub request_id: &'a str,
}

/// Where audit lines go. Writing must not wait for a disk.
pub trait Audit: Send + Sync {
    /// Takes a line.
    fn write(&self, line: &AuditLine<'_>);
}

/// What a handler notes for the audit line of its request.
pub(crate) struct Audited {
    pub(crate) event: AuditEvent,
    /// Whose it is, where the request does not show it.
    pub(crate) partner: Option<PartnerId>,
    pub(crate) record: Option<String>,
}
