//! What the use cases need of a store to remove records of persons: when they are old, or when the person asks for it (D122).

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
    /// A kind of record that is removed whole.
    RemovedKind, "one of health-quote, unsold-proposal, policy, complaint, journey" {
        /// A health quote with what came of it.
        HealthQuote = "health-quote",
        /// A proposal of which no policy came, with its moves.
        UnsoldProposal = "unsold-proposal",
        /// A policy with its proposal, certificates, claims and papers. Its entries in the books stay.
        Policy = "policy",
        /// A complaint.
        Complaint = "complaint",
        /// A customer's way through the hosted pages.
        Journey = "journey",
    }
}

/// A record, by its partner and its id without the prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Removed {
    pub kind: RemovedKind,
    pub of: PartnerId,
    pub id: Uuid,
}

/// An erasure that a person asked for, as the journal has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    pub id: Uuid,
    pub at: Timestamp,
    pub records: Vec<Removed>,
}

/// Before when the last thing must have happened to a record that is removed.
#[derive(Debug, Clone, Copy)]
pub struct Outdated {
    pub before: Timestamp,
    /// The same as a day.
    pub day: Date,
}

/// Old records of a kind.
#[derive(Debug, Default)]
pub struct OldRecords {
    /// The ones that can be removed.
    pub records: Vec<Uuid>,
    /// The last that was looked at, if there may be more behind it.
    pub next: Option<Uuid>,
}

/// A legal hold: it keeps a record from erasure and removal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hold {
    /// The id of the record with its prefix, such as `pol_…`.
    pub record: String,
    /// The same without the prefix.
    pub id: Uuid,
    pub held_at: Timestamp,
    /// The operator or user who set it.
    pub held_by: String,
    pub reason: PersonalLine,
}

/// A record with what its person is known by.
#[derive(Debug, Clone)]
pub struct Known {
    pub of: PartnerId,
    pub kind: Identified,
    /// The record's id without its prefix.
    pub id: Uuid,
    pub by: Identifier,
}

/// Erasure, removal, legal holds and withdrawn consents.
#[async_trait]
pub trait PersonalData: Send + Sync {
    /// Erases records, and notes the erasure. `false`: it was done before. A record that is gone already stays so.
    async fn erase(&self, erasure: &Erasure) -> Result<bool>;

    /// The erasures that this store has done.
    async fn erasures_done(&self) -> Result<BTreeSet<Uuid>>;

    /// Removes old records, all of one kind.
    async fn remove_old(&self, records: &[Removed]) -> Result<()>;

    /// Old records of a partner without a legal hold, in the order of their ids, behind one of them; looks at `most`. For policies and
    /// proposals, nothing in the books may be open.
    async fn old_records(
        &self,
        kind: RemovedKind,
        of: PartnerId,
        outdated: Outdated,
        after: Uuid,
        most: usize,
    ) -> Result<OldRecords>;

    /// Overwrites what is left of removed records in the log of the store, if the store has one of its own.
    async fn settle_removals(&self) -> Result<()>;

    /// Sets a hold. `false`: the record has one.
    async fn hold(&self, hold: &Hold) -> Result<bool>;

    /// Ends the hold of a record. `false`: it has none.
    async fn release(&self, record: &str, id: Uuid) -> Result<bool>;

    /// Every hold, the newest first.
    async fn holds(&self) -> Result<Vec<Hold>>;

    /// Notes that a customer took a consent back. `false`: it is noted already.
    async fn withdraw_consent(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        purpose: ConsentPurpose,
        at: Timestamp,
    ) -> Result<bool>;

    /// The consents that were taken back, each with when.
    async fn withdrawn_consents(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Vec<(ConsentPurpose, Timestamp)>>;

    /// What the persons of a partner's records are known by, for records from one instant until before another: behind a place, at most
    /// `most`. Gives the place of the last.
    async fn known_persons(
        &self,
        of: PartnerId,
        made: (Timestamp, Timestamp),
        after: (Uuid, Uuid),
        most: usize,
    ) -> Result<(Vec<Known>, Option<(Uuid, Uuid)>)>;
}
