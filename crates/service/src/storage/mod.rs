//! What the use cases need of a store. A method is one business act and one transaction.

pub mod health_policies;
pub mod health_proposals;
pub mod health_quotes;
pub mod jobs;
pub mod journeys;
pub mod lists;
pub mod sessions;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId, QuoteId, Uuid};
use domain::partner::Partner;
use domain::policy::{CheckCode, Policy, PolicyNumber};
use domain::proposal::{Move, Proposal, ProposalStatus};
use domain::quote::{CatalogueHash, EmbeddedQuote};
use thiserror::Error;

use crate::idempotency::{AnswerKey, KeptAnswer};
use crate::keys::{Key, KeyPurpose};

pub use health_policies::HealthPolicies;
pub use health_proposals::HealthProposals;
pub use health_quotes::HealthQuotes;
pub use jobs::Jobs;
pub use journeys::Journeys;
pub use sessions::Sessions;

/// Why a store did not do its part.
#[derive(Debug, Clone, Error)]
pub enum StorageError {
    /// It is away, full, locked or overloaded; the same may work later. Nothing was done, unless the answer to a
    /// commit was lost on its way.
    #[error("storage is away: {0}")]
    Away(String),
    /// What lies there cannot be read: damaged, of another key, or of a newer program.
    #[error("storage is damaged: {0}")]
    Damaged(String),
    /// The store refused what must not be, such as a second policy of the same number.
    #[error("storage refused: {0}")]
    Refused(String),
}

impl StorageError {
    /// What is wrong, without what that means to the service.
    pub fn into_why(self) -> String {
        match self {
            StorageError::Away(why) | StorageError::Damaged(why) | StorageError::Refused(why) => why,
        }
    }
}

/// What an installation remembers about itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fact {
    /// The address that partners call, as the last server knew it: it stands in certificates.
    BaseUrl,
    /// The hash of the catalogue version that the operator announced to every running process.
    Catalogue,
}

impl Fact {
    /// Its word.
    pub const fn word(self) -> &'static str {
        match self {
            Fact::BaseUrl => "base_url",
            Fact::Catalogue => "catalogue",
        }
    }
}

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
}

/// A partner with its secrets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerRecord {
    /// The partner.
    pub partner: Partner,
    /// Its secrets, revoked ones included.
    pub secrets: Vec<SecretRecord>,
}

/// Whether a token generation found room in the partner's sliding hour (D6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenCount {
    /// It did, and was counted.
    Counted,
    /// It did not, and was not counted.
    Exhausted {
        /// When the oldest counted generation leaves the hour.
        free_at: Timestamp,
    },
}

/// How a keeping ended where an idempotency key may decide (D36).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// It was kept.
    New,
    /// Another request with the same key was first; nothing was kept.
    Twin,
}

/// How a move ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// The proposal moved.
    Won,
    /// It was no longer where it was seen; nothing was done (D28).
    Lost,
    /// Another request with the same idempotency key was first; nothing was done (D36).
    Twin,
}

/// A policy with the document that the customer holds.
#[derive(Clone)]
pub struct Issue {
    /// The policy.
    pub policy: Policy,
    /// Its certificate: the bytes of a PDF.
    pub certificate: Vec<u8>,
}

/// What goes into the transaction of a proposal's record beside it.
#[derive(Clone, Copy, Default)]
pub struct ProposalAct<'a> {
    /// The moves that brought it where it stands, oldest first. At least one.
    pub moves: &'a [Move],
    /// Its policy, where it has one now (D29, D30).
    pub issue: Option<&'a Issue>,
    /// When its insurer is to be asked, where the insurer decides and can be (D29).
    pub ask_insurer: Option<Timestamp>,
    /// Its answer, where an idempotency key came (D36).
    pub once: Option<&'a Once>,
}

/// An answer to keep under an idempotency key, in the same transaction as the work's record (D36).
#[derive(Debug, Clone)]
pub struct Once {
    /// The key.
    pub key: AnswerKey,
    /// What to keep.
    pub answer: KeptAnswer,
}

/// A certificate as it is downloaded.
#[derive(Clone)]
pub struct CertificateDocument {
    /// The number on it.
    pub number: PolicyNumber,
    /// The bytes of the PDF.
    pub bytes: Vec<u8>,
}

impl std::fmt::Debug for Issue {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Issue({})", self.policy.number)
    }
}

impl std::fmt::Debug for CertificateDocument {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "CertificateDocument({})", self.number)
    }
}

/// A line of the operator's list of proposals.
#[derive(Debug, Clone)]
pub struct ProposalLine {
    /// Its id.
    pub id: ProposalId,
    /// Whose it is.
    pub partner: PartnerId,
    /// Where it stands.
    pub status: ProposalStatus,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it last moved.
    pub changed_at: Timestamp,
}

/// A store. What holds on one engine holds on all: `storage/tests/contract` is the list.
#[async_trait]
pub trait Storage:
    HealthPolicies + HealthProposals + HealthQuotes + Jobs + Journeys + Sessions + Send + Sync
{
    /// Whether it can be written and read now.
    async fn ready(&self) -> Result<(), StorageError>;

    /// Waits until nothing can be kept any more whatever is tried, and says why: the process must end, and the next one
    /// begin with what is really there. For ever where that cannot be.
    async fn is_lost(&self) -> StorageError {
        std::future::pending().await
    }

    /// Brings what was written into its final place, as the last thing before the process ends.
    async fn close(&self) -> Result<(), StorageError>;

    /// Remembers a fact about this installation, for processes that are not told it themselves.
    async fn remember(&self, fact: Fact, value: &str) -> Result<(), StorageError>;

    /// What was last remembered.
    async fn remembered(&self, fact: Fact) -> Result<Option<String>, StorageError>;

    /// Counts the changes of partners, secrets and keys, so that other processes know when to read again.
    async fn revision(&self) -> Result<u64, StorageError>;

    /// Every partner with its secrets.
    async fn partners(&self) -> Result<Vec<PartnerRecord>, StorageError>;

    /// Adds a partner with its first secret. Refused when the id or `client_id` is taken.
    async fn add_partner(&self, partner: &Partner, secret: &SecretRecord) -> Result<(), StorageError>;

    /// Replaces what is known of a partner. `false`: there is no such partner.
    async fn change_partner(&self, partner: &Partner) -> Result<bool, StorageError>;

    /// Adds a secret, unless `most` are live already. `false`: they are.
    async fn add_secret(
        &self,
        of: PartnerId,
        secret: &SecretRecord,
        most: usize,
    ) -> Result<bool, StorageError>;

    /// Revokes a secret. `false`: it is unknown or revoked already.
    async fn revoke_secret(&self, of: PartnerId, number: u32, at: Timestamp) -> Result<bool, StorageError>;

    /// Every key, unwrapped, retired ones included.
    async fn keys(&self) -> Result<Vec<Key>, StorageError>;

    /// Adds a key, unless `most` of its purpose are live already: then `None`. Its number is the next free one.
    async fn add_key(
        &self,
        purpose: KeyPurpose,
        secret: [u8; 32],
        created_at: Timestamp,
        active_from: Timestamp,
        most: usize,
    ) -> Result<Option<Key>, StorageError>;

    /// Retires a key. `false`: it is unknown or retired already.
    async fn retire_key(&self, number: u32, at: Timestamp) -> Result<bool, StorageError>;

    /// Counts one token generation, unless `limit` lie within the hour before `at` already (D6).
    async fn count_token(
        &self,
        of: PartnerId,
        token: Uuid,
        at: Timestamp,
        limit: u32,
    ) -> Result<TokenCount, StorageError>;

    /// Keeps a catalogue version for ever. Keeping it again changes nothing.
    async fn keep_catalogue(
        &self,
        hash: CatalogueHash,
        canonical: &[u8],
        at: Timestamp,
    ) -> Result<(), StorageError>;

    /// The files of a catalogue version in canonical form.
    async fn catalogue(&self, hash: CatalogueHash) -> Result<Option<Vec<u8>>, StorageError>;

    /// Keeps a quote, with its answer where an idempotency key came.
    async fn keep_embedded_quote(
        &self,
        quote: &EmbeddedQuote,
        once: Option<&Once>,
    ) -> Result<Kept, StorageError>;

    /// A quote of a partner.
    async fn embedded_quote(&self, of: PartnerId, id: QuoteId)
    -> Result<Option<EmbeddedQuote>, StorageError>;

    /// Keeps a new proposal with what belongs to it.
    async fn keep_proposal(&self, proposal: &Proposal, act: ProposalAct<'_>) -> Result<Kept, StorageError>;

    /// A proposal of a partner.
    async fn proposal(&self, of: PartnerId, id: ProposalId) -> Result<Option<Proposal>, StorageError>;

    /// A proposal of a partner with the quote that it was made from.
    async fn proposal_with_quote(
        &self,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Option<(Proposal, Option<EmbeddedQuote>)>, StorageError>;

    /// Whose a proposal is, for those who know its id alone.
    async fn partner_of_proposal(&self, id: ProposalId) -> Result<Option<PartnerId>, StorageError>;

    /// Proposals of a partner, newest first, at most `most`; of one status where it is given.
    async fn proposals(
        &self,
        of: PartnerId,
        status: Option<ProposalStatus>,
        most: usize,
    ) -> Result<Vec<ProposalLine>, StorageError>;

    /// Moves a proposal only while it is still in `from`: status, history and policy in one transaction (D28, D30). The
    /// job that asks its insurer begins or ends in it.
    async fn move_proposal(
        &self,
        of: PartnerId,
        id: ProposalId,
        from: ProposalStatus,
        act: ProposalAct<'_>,
    ) -> Result<Moved, StorageError>;

    /// Every move of a proposal, oldest first.
    async fn history(&self, of: PartnerId, id: ProposalId) -> Result<Vec<Move>, StorageError>;

    /// The policy that came of a proposal.
    async fn policy_of(&self, of: PartnerId, id: ProposalId) -> Result<Option<Policy>, StorageError>;

    /// The certificate of the policy that came of a proposal.
    async fn certificate(
        &self,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Option<CertificateDocument>, StorageError>;

    /// The policy that a check code names.
    async fn policy_by_check(&self, check: CheckCode) -> Result<Option<Policy>, StorageError>;

    /// The answer kept under an idempotency key, unless it was kept before `since`.
    async fn kept_answer(
        &self,
        of: PartnerId,
        key: AnswerKey,
        since: Timestamp,
    ) -> Result<Option<KeptAnswer>, StorageError>;

    /// Drops answers kept before an instant, at most so many at once. Returns how many.
    async fn forget_answers(&self, before: Timestamp, most: usize) -> Result<usize, StorageError>;
}
