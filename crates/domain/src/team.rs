//! The operator's team: its people, roles and sign-in secrets.

use std::time::Duration;

use crate::date::Timestamp;
use crate::id::OperatorId;
use crate::text::vocabulary;

/// How long it counts who gave whom access, and whose access was taken. As long as an approval can wait.
pub const GIVEN_FOR: Duration = Duration::from_secs(72 * 3600);

vocabulary! {
    /// Role of an operator in the team.
    Role, "one of read, support, underwriting, claims, accounts, catalogue, compliance, admin" {
        /// Reads data that is not personal.
        Read = "read",
        /// Helps customers and partners.
        Support = "support",
        /// Decides proposals and changes of policies.
        Underwriting = "underwriting",
        /// Enters insurers' decisions on claims.
        Claims = "claims",
        /// Enters payments, and makes statements.
        Accounts = "accounts",
        /// Publishes products and rates.
        Catalogue = "catalogue",
        /// Answers complaints, and people's requests about their personal data.
        Compliance = "compliance",
        /// Has all roles.
        Admin = "admin",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passkey {
    pub id: Vec<u8>,
    /// Public key in COSE format.
    pub public_key: Vec<u8>,
    /// COSE algorithm: -7 is ES256, -8 is EdDSA, -257 is RS256.
    pub algorithm: i64,
    /// Signature counter of the passkey. Most passkeys always send 0.
    pub counter: u32,
    pub added_at: Timestamp,
    /// Earliest time at which the passkey may confirm irreversible acts. A passkey added with a recovery code
    /// or a recovery link waits one day.
    pub confirms_from: Timestamp,
    pub used_at: Option<Timestamp>,
}

/// A person's account at an identity provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Provider's URL, as in its tokens.
    pub issuer: String,
    /// Provider's id of the person. The provider never gives this id to another person.
    pub subject: String,
}

/// Access that other people gave a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// The people who did it or requested it, in the last 72 hours, as audit entries name them.
    pub given_by: Vec<String>,
    pub at: Timestamp,
}

/// Roles that a person had in the 72 hours before some of them were taken away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenRoles {
    pub roles: Vec<Role>,
    pub at: Timestamp,
}

/// An operator: a person of the team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TeamMember {
    pub id: OperatorId,
    /// Unique name within the team.
    pub name: String,
    pub roles: Vec<Role>,
    pub created_at: Timestamp,
    /// When the person left the team.
    pub ended_at: Option<Timestamp>,
    /// Number of times that all secrets of the person were revoked. Secrets of an earlier generation are
    /// refused.
    pub generation: u32,
    /// When the person's access was last recovered. Every administrator sees this for a week.
    pub recovered_at: Option<Timestamp>,
    pub passkeys: Vec<Passkey>,
    /// SHA-256 of the unused recovery codes.
    pub recovery_codes: Vec<[u8; 32]>,
    /// Account at the identity provider, if the person signs in through one.
    pub identity: Option<Identity>,
    /// Who last gave the person access: by an invitation, more roles or a recovery. `None` for the first
    /// members of a team.
    pub access: Option<Access>,
    /// Roles that were last taken from the person.
    pub taken: Option<TakenRoles>,
    /// Version number; each stored change adds 1. 0: not stored yet.
    pub version: u32,
}

impl TeamMember {
    /// Whether the person is still in the team.
    pub fn is_active(&self) -> bool {
        self.ended_at.is_none()
    }

    /// Whether the person has one of the roles, or is administrator.
    pub fn has_any(&self, roles: &[Role]) -> bool {
        has_one(&self.roles, roles)
    }

    /// Whether the person could approve an action of these roles, or could until their access was taken after `since`.
    /// Without this, who takes access away could make every action free of approval.
    pub fn counts_as_approver(&self, roles: &[Role], since: Timestamp) -> bool {
        let was_there = self.ended_at.is_none_or(|ended| ended >= since);
        let had = self.taken.as_ref().is_some_and(|taken| taken.at >= since && has_one(&taken.roles, roles));
        was_there && !self.passkeys.is_empty() && (had || self.has_any(roles))
    }
}

/// Whether one of `all` is in `roles` or is admin.
fn has_one(all: &[Role], roles: &[Role]) -> bool {
    all.iter().any(|role| *role == Role::Admin || roles.contains(role))
}

vocabulary! {
    /// Kind of an operator's secret.
    SecretKind, "one of session, command, token, link, spent, device" {
        /// Browser session.
        Session = "session",
        /// Command-line session.
        Command = "command",
        /// Access token for a machine.
        Token = "token",
        /// Link in an invitation, or link to recover access.
        Link = "link",
        /// Sign-in attempt that was completed. It is stored so that the same attempt cannot be completed
        /// again.
        Spent = "spent",
        /// Sign-in of a command line that waits for an operator's confirmation.
        Device = "device",
    }
}

/// Secret of an operator. Only its hash is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OperatorSecret {
    /// SHA-256 of the secret.
    pub hash: [u8; 32],
    pub kind: SecretKind,
    /// Operator to whom the secret belongs. `None` if a command line still waits for confirmation.
    pub operator: Option<OperatorId>,
    /// Name of the command line's machine, or purpose of the token.
    pub name: String,
    /// Roles that this secret allows, of those that the operator has.
    pub roles: Vec<Role>,
    /// Generation of the operator when the secret was made.
    pub generation: u32,
    pub made_at: Timestamp,
    pub expires_at: Timestamp,
    /// When the operator last confirmed with a passkey.
    pub confirmed_at: Option<Timestamp>,
    /// Time at which the secret was last used, to the minute.
    pub seen_at: Timestamp,
    /// When the secret was revoked or spent.
    pub ended_at: Option<Timestamp>,
    /// Version number; each stored change adds 1. 0: not stored yet.
    pub version: u32,
}

impl OperatorSecret {
    /// Short id for lists and the audit trail: the first 4 bytes of the hash in hexadecimal.
    pub fn short_id(&self) -> String {
        self.hash[..4].iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
