//! Audit lines: sign-ins, failed sign-ins, refused scopes, and reads of certificates, documents of claims and
//! statements. They are separate from the log. They have no personal data, only ids and the client's address.

use domain::id::PartnerId;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditEvent {
    /// A token was issued. `record` is the id of the token.
    TokenIssued,
    /// Credentials were refused. `partner` is the partner with the `client_id` of the request, if there is
    /// one.
    SignInFailed,
    /// A bearer token was missing or refused.
    TokenRefused,
    /// The token in the address of a journey was refused, so the journey was not opened.
    JourneyRefused,
    /// A valid token lacked a scope, or a token was requested with a scope that the partner does not have.
    ScopeRefused,
    /// A certificate was read. `record` is the id of the proposal.
    CertificateRead,
    /// A document of a claim was read. `record` is the id of the document.
    ClaimPaperRead,
    /// A file of a statement was read. `record` is the id of the statement.
    StatementRead,
}

impl AuditEvent {
    /// Name of the event in audit lines.
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

    /// Whether anybody can cause any number of these events, because they need no credentials.
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
    pub event: AuditEvent,
    /// Partner that the event is about, if known.
    pub partner: Option<PartnerId>,
    /// Address of the client. For IPv6, only the network of 64 bits.
    pub peer: String,
    /// Id of the record that the event is about.
    pub record: Option<&'a str>,
    /// Method and route of the request.
    pub request: String,
    /// Id of the request, as in the log.
    pub request_id: &'a str,
}

/// Receiver of audit lines. `write` must not wait for a disk.
pub trait Audit: Send + Sync {
    fn write(&self, line: &AuditLine<'_>);
}

/// Facts for the audit line of a request, recorded by the request's handler.
pub(crate) struct Audited {
    pub(crate) event: AuditEvent,
    /// Partner for the audit line, if the request itself has no partner.
    pub(crate) partner: Option<PartnerId>,
    pub(crate) record: Option<String>,
}
