//! Store operations that remove personal data (D122).
//!
//! Records are removed when they are old, or when the person requests it.

use std::collections::BTreeSet;

use async_trait::async_trait;
use domain::date::{Date, Timestamp};
use domain::health_proposal::ConsentPurpose;
use domain::id::{PartnerId, ProposalId, Uuid};
use domain::identifier::Identifier;
use domain::person::PersonalLine;
use domain::text::vocabulary;

use super::{Identified, Result};

vocabulary! {
    /// Kind of record that is removed as a whole.
    RemovedKind, "one of health-quote, unsold-proposal, policy, complaint, journey, session" {
        /// Health quote with its outcomes.
        HealthQuote = "health-quote",
        /// Proposal without a policy, with its history.
        UnsoldProposal = "unsold-proposal",
        /// Policy with its proposal, certificates, claims and documents. Its ledger entries stay.
        Policy = "policy",
        Complaint = "complaint",
        /// Customer's visit to the hosted pages.
        Journey = "journey",
        /// Metadata of a session. The session itself stays, because records name it.
        Session = "session",
    }
}

/// Record to remove: kind, partner, and id without prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Removed {
    pub kind: RemovedKind,
    pub of: PartnerId,
    pub id: Uuid,
}

/// Erasure that a person requested, as written in the erasure journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    pub id: Uuid,
    pub at: Timestamp,
    pub records: Vec<Removed>,
}

/// Age of the records to remove: the last change of such a record was before this time.
#[derive(Debug, Clone, Copy)]
pub struct Outdated {
    pub before: Timestamp,
    /// The day of `before`, for records whose age counts in days.
    pub day: Date,
}

/// Result of a search for old records of a kind.
#[derive(Debug, Default)]
pub struct OldRecords {
    /// Old records that can be removed.
    pub records: Vec<Uuid>,
    /// Last record examined. `None` if there are no more records to examine.
    pub next: Option<Uuid>,
}

/// Legal hold: protects a record from erasure and removal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// Record id with prefix, such as `pol_…`.
    pub record: String,
    /// Record id without prefix.
    pub id: Uuid,
    pub held_at: Timestamp,
    /// Operator, or user of the server's machine, who set the hold.
    pub held_by: String,
    pub reason: PersonalLine,
}

/// Record with one identifier of a person in it.
#[derive(Debug, Clone)]
pub struct Known {
    pub of: PartnerId,
    pub kind: Identified,
    /// Record id without prefix.
    pub id: Uuid,
    pub by: Identifier,
}

/// Erasure, removal, legal holds and withdrawn consents.
#[async_trait]
pub trait PersonalData: Send + Sync {
    /// Erases records, and stores that the erasure was done. `false`: this erasure was done before. Records
    /// that no longer exist are skipped.
    async fn erase(&self, erasure: &Erasure) -> Result<bool>;

    /// Ids of the erasures that this store has done.
    async fn erasures_done(&self) -> Result<BTreeSet<Uuid>>;

    /// Deletes old records, all of one kind.
    async fn remove_old(&self, records: &[Removed]) -> Result<()>;

    /// Old records of a partner without a legal hold, in id order after the id `after`. Examines `most`
    /// records. Leaves out policies and proposals with open amounts.
    async fn old_records(
        &self,
        kind: RemovedKind,
        of: PartnerId,
        outdated: Outdated,
        after: Uuid,
        most: usize,
    ) -> Result<OldRecords>;

    /// Overwrites deleted data in the store's own log, if the store has a log.
    async fn settle_removals(&self) -> Result<()>;

    /// Sets a legal hold. `false`: the record has one already.
    async fn hold(&self, hold: &Hold) -> Result<bool>;

    /// Ends the legal hold of a record. `false`: the record has none.
    async fn release(&self, record: &str, id: Uuid) -> Result<bool>;

    /// All legal holds, newest first.
    async fn holds(&self) -> Result<Vec<Hold>>;

    /// Stores that a customer withdrew a consent. `false`: the withdrawal is stored already.
    async fn withdraw_consent(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        purpose: ConsentPurpose,
        at: Timestamp,
    ) -> Result<bool>;

    /// Withdrawn consents, each with its time of withdrawal.
    async fn withdrawn_consents(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Vec<(ConsentPurpose, Timestamp)>>;

    /// Identifiers of the people in a partner's records that were made within the time range `made` (end
    /// exclusive). Starts after the position `after`; at most `most`. Also returns the position to continue
    /// from, if there may be more.
    async fn known_persons(
        &self,
        of: PartnerId,
        made: (Timestamp, Timestamp),
        after: (Uuid, Uuid),
        most: usize,
    ) -> Result<(Vec<Known>, Option<(Uuid, Uuid)>)>;
}
