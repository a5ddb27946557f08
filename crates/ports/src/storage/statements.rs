//! What the use cases need of a store for statements. A month is closed once, in one transaction; its files are kept before, a
//! part after another (D85).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{InsurerId, PartnerId, PolicyId, StatementId};
use domain::policy::PolicyNumber;
use domain::policy_state::PolicyState;
use domain::premium::Posting;
use domain::quote::CatalogueHash;
use domain::statement::{FileFormat, Month, RowKey, Statement};

use super::Result;
use super::events::NewEvent;
use super::policies::AnyPolicy;

/// Somebody who makes the statements of a month. Of two, the later one goes on and the earlier one can no longer end it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MonthRun {
    pub month: Month,
    /// What tells it from others.
    pub number: u128,
}

/// Where a part of a file lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartPosition {
    /// The partner whose statement it is; `None`: not a partner's.
    pub of: Option<PartnerId>,
    pub statement: StatementId,
    pub file: FileFormat,
    /// The part's number from 0 on. Each has [`super::CHUNK`] bytes, the last one what is left.
    pub number: u32,
}

/// A movement of commission in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommissionPosting {
    /// Whose policies it is for.
    pub insurer: InsurerId,
    /// Whose customers bought them.
    pub partner: PartnerId,
    /// The amount and its accounts.
    pub posting: Posting,
    /// The statement that it is from, by its number.
    pub reference: String,
}

/// How the beginning of a month's statements ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MonthBegun {
    /// They are to be made.
    Begun,
    /// They were made, and the month was closed at this instant.
    Closed(Timestamp),
}

/// How a month was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClosedMonth {
    /// When.
    pub at: Timestamp,
    /// By the rates of which catalogue: what comes back of its sales goes back by the same.
    pub catalogue: CatalogueHash,
}

/// When something was moved, and which policy of whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PolicyMoved {
    /// When.
    pub at: Timestamp,
    /// Whose policy.
    pub partner: PartnerId,
    /// Which.
    pub policy: PolicyId,
}

/// When a policy of whom was endorsed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PolicyEndorsed {
    /// When, whose and which.
    pub moved: PolicyMoved,
    /// How many certificates it had before: its first endorsement is 1.
    pub nth: u16,
}

/// What an insurer says of a row of its bordereau.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowAnswer {
    pub key: RowKey,
    /// Whether the insurer takes it.
    pub accepted: bool,
    /// The number under which the insurer keeps the policy.
    pub number: Option<PolicyNumber>,
    /// Why not, in the insurer's words.
    pub reason: Option<String>,
}

/// How the keeping of an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerKept {
    /// All of it was kept.
    Done,
    /// A policy was changed at the same time, or a row was answered before; nothing was kept.
    Lost,
}

/// Statements with their files.
#[async_trait]
pub trait Statements: Send + Sync {
    /// Begins to make the statements of a month. What another run kept of their files goes, and it can no longer end.
    async fn begin_month(&self, run: MonthRun, at: Timestamp) -> Result<MonthBegun>;

    /// Keeps a part of a file. `false`: another run has begun since, and nothing was kept.
    async fn add_statement_part(&self, run: MonthRun, part: PartPosition, bytes: &[u8]) -> Result<bool>;

    /// Closes a month by the rates of a catalogue: its statements, whose files are all kept, what they mean to the ledger, and
    /// what partners are told.
    /// `false`: another run has begun since, and nothing was done.
    async fn close_month(
        &self,
        run: MonthRun,
        catalogue: CatalogueHash,
        statements: &[Statement],
        postings: &[CommissionPosting],
        events: &[(PartnerId, NewEvent)],
        at: Timestamp,
    ) -> Result<bool>;

    /// How a month was closed. `None`: it is open.
    async fn month_closed(&self, month: Month) -> Result<Option<ClosedMonth>>;

    /// The statements of some months, those of test partners apart, both included, the newest month first, each by kind and number; at most `most`.
    async fn statements_of_months(&self, first: Month, last: Month, most: usize) -> Result<Vec<Statement>>;

    /// A partner's statements, the newest month first; at most `most`.
    async fn statements_of(&self, of: PartnerId, most: usize) -> Result<Vec<Statement>>;

    async fn statement(&self, of: PartnerId, id: StatementId) -> Result<Option<Statement>>;

    /// A statement by its number, whoever is told.
    async fn statement_numbered(&self, number: &str) -> Result<Option<Statement>>;

    /// Keeps the payment of a statement, as it stands then, with what it means to the ledger. `false`: it was paid before, and
    /// nothing was done.
    async fn pay_statement(
        &self,
        paid: &Statement,
        postings: &[CommissionPosting],
        events: &[(PartnerId, NewEvent)],
        at: Timestamp,
    ) -> Result<bool>;

    /// A part of a file. `None` behind the last one.
    async fn statement_part(&self, part: PartPosition) -> Result<Option<Vec<u8>>>;

    /// Keeps the statement of a test partner with its files and what the partner is told. `false`: there is one under its number,
    /// and nothing was done.
    async fn add_test_statement(
        &self,
        statement: &Statement,
        parts: &[(PartPosition, Vec<u8>)],
        event: (PartnerId, NewEvent),
    ) -> Result<bool>;

    /// Policies, of one partner or of all, that were moved to a state from one instant on and before another, in the order of these
    /// moves: those after a move, at most `most`.
    async fn policies_moved(
        &self,
        to: PolicyState,
        within: (Timestamp, Timestamp),
        of: Option<PartnerId>,
        after: Option<PolicyMoved>,
        most: usize,
    ) -> Result<Vec<PolicyMoved>>;

    /// Policies, of one partner or of all, that were endorsed from one instant on and before another, in the order in which that
    /// was: those after one, at most `most`.
    async fn policies_endorsed(
        &self,
        within: (Timestamp, Timestamp),
        of: Option<PartnerId>,
        after: Option<PolicyEndorsed>,
        most: usize,
    ) -> Result<Vec<PolicyEndorsed>>;

    /// Keeps what an insurer says of rows of a statement, with the policies that got its numbers as they stand then, all of it
    /// or nothing.
    async fn keep_answer(
        &self,
        statement: StatementId,
        answers: &[RowAnswer],
        numbered: &[AnyPolicy],
        at: Timestamp,
    ) -> Result<AnswerKept>;

    /// What an insurer said of rows of a statement, by policy.
    async fn answers(&self, statement: StatementId) -> Result<Vec<RowAnswer>>;
}
