//! The operator's team: who may do what, and how they show who they are.

use crate::date::Timestamp;
use crate::id::OperatorId;
use crate::text::vocabulary;

vocabulary! {
    /// What an operator does in the team.
    Role, "one of read, support, underwriting, claims, accounts, catalogue, compliance, admin" {
        /// Reads what is not personal.
        Read = "read",
        /// Helps customers and partners.
        Support = "support",
        /// Decides proposals and changes of policies.
        Underwriting = "underwriting",
        /// Notes what insurers decide on claims.
        Claims = "claims",
        /// Notes payments, and makes statements.
        Accounts = "accounts",
        /// Publishes products and rates.
        Catalogue = "catalogue",
        /// Answers complaints and the rights of persons.
        Compliance = "compliance",
        /// Everything.
        Admin = "admin",
    }
}

/// A passkey (WebAuthn credential).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passkey {
    /// The credential id.
    pub id: Vec<u8>,
    /// The public key (COSE).
    pub public_key: Vec<u8>,
    /// The algorithm (COSE): -7 is ES256, -8 is EdDSA.
    pub algorithm: i64,
    /// The signature counter. Most passkeys keep it at 0.
    pub counter: u32,
    pub added_at: Timestamp,
    /// From when on it may confirm what cannot be undone. One that was added with a recovery code waits a day.
    pub confirms_from: Timestamp,
    pub used_at: Option<Timestamp>,
}

/// A person at an identity provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The provider's address, as its tokens name it.
    pub issuer: String,
    /// The provider's name for the person, which it never gives to another one.
    pub subject: String,
}

/// An operator: a person of the team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamMember {
    pub id: OperatorId,
    /// What the team calls them. Two operators have different names.
    pub name: String,
    pub roles: Vec<Role>,
    pub created_at: Timestamp,
    /// When they left the team.
    pub ended_at: Option<Timestamp>,
    /// Counts how often all their secrets were ended. Secrets of an earlier generation are refused.
    pub generation: u32,
    /// When their access was last recovered. Every administrator is told it for a week.
    pub recovered_at: Option<Timestamp>,
    pub passkeys: Vec<Passkey>,
    /// SHA-256 of the recovery codes that are left.
    pub recovery_codes: Vec<[u8; 32]>,
    /// Who they are at the identity provider, if they sign in by one.
    pub identity: Option<Identity>,
    /// Counts the changes. 0: not kept yet.
    pub version: u32,
}

impl TeamMember {
    /// Whether they are in the team.
    pub fn is_active(&self) -> bool {
        self.ended_at.is_none()
    }

    /// Whether they have this role, or every one.
    pub fn has_any(&self, roles: &[Role]) -> bool {
        self.roles.iter().any(|role| *role == Role::Admin || roles.contains(role))
    }
}

vocabulary! {
    /// The kind of an operator's secret.
    SecretKind, "one of session, command, token, link, spent, device" {
        /// A session of a browser.
        Session = "session",
        /// A session of the command line.
        Command = "command",
        /// A token of a machine.
        Token = "token",
        /// An invitation, or a way back in.
        Link = "link",
        /// A ceremony that was finished: it cannot be finished again.
        Spent = "spent",
        /// A command line that waits to be let in.
        Device = "device",
    }
}

/// A secret that was handed out, by its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorSecret {
    /// SHA-256 of the secret.
    pub hash: [u8; 32],
    pub kind: SecretKind,
    /// The operator who has it. None if a command line still waits to be let in.
    pub operator: Option<OperatorId>,
    /// What it is called: the machine of a command line, the purpose of a token.
    pub name: String,
    /// The roles of its operator that it allows.
    pub roles: Vec<Role>,
    /// The generation of its operator when it was made.
    pub generation: u32,
    pub made_at: Timestamp,
    pub expires_at: Timestamp,
    /// When a passkey last confirmed who uses it.
    pub confirmed_at: Option<Timestamp>,
    /// When it was last used, to the minute.
    pub seen_at: Timestamp,
    /// When it was ended or spent.
    pub ended_at: Option<Timestamp>,
    /// Counts the changes. 0: not kept yet.
    pub version: u32,
}

impl OperatorSecret {
    /// Its name in lists and in the audit trail: the start of its hash.
    pub fn short_id(&self) -> String {
        self.hash[..4].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
