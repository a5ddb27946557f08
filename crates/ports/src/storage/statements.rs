//! Store operations for monthly statements (D85).
//!
//! A month is closed once, in one transaction. Before that, the files of its statements are stored in parts.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{InsurerId, PartnerId, PolicyId, StatementId};
use domain::policy::{Policy, PolicyNumber};
use domain::policy_state::PolicyState;
use domain::premium::Posting;
use domain::quote::CatalogueHash;
use domain::statement::{FileFormat, Month, RowKey, Statement};

use super::Result;
use super::events::NewEvent;

/// One run that makes the statements of a month. If a second run begins, the first one can no longer close
/// the month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MonthRun {
    pub month: Month,
    /// Unique number of the run.
    pub number: u128,
}

/// Key of one stored part of a statement's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PartPosition {
    /// Partner that receives the statement. `None` if the recipient is not a partner.
    pub of: Option<PartnerId>,
    pub statement: StatementId,
    pub file: FileFormat,
    /// Part number, from 0. Each part has [`super::CHUNK`] bytes, the last one fewer.
    pub number: u32,
}

/// Ledger movement of commission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommissionPosting {
    /// Insurer of the policies.
    pub insurer: InsurerId,
    /// Partner that sold the policies.
    pub partner: PartnerId,
    /// Amount and accounts.
    pub posting: Posting,
    /// Number of the statement that causes this movement.
    pub reference: String,
}

/// Result of beginning a month's statements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MonthBegun {
    /// The month is open, so its statements can be made now.
    Begun,
    /// The month was closed at this instant, so its statements exist.
    Closed(Timestamp),
}

/// A closed month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClosedMonth {
    /// When the month was closed.
    pub at: Timestamp,
    /// Hash of the catalogue version whose rates applied. Commission on refunds of the month's sales is
    /// returned at the same rates.
    pub catalogue: CatalogueHash,
}

/// A state change of a policy, as a position in the list of such changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PolicyMoved {
    /// Time of the change.
    pub at: Timestamp,
    /// Partner of the policy.
    pub partner: PartnerId,
    pub policy: PolicyId,
}

/// An applied endorsement of a policy, as a position in the list of such endorsements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PolicyEndorsed {
    /// Time of the endorsement, with partner and policy.
    pub moved: PolicyMoved,
    /// Number of earlier certificates of the policy. 1 for the first endorsement.
    pub nth: u16,
}

/// Insurer's response to a row of its bordereau.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowAnswer {
    pub key: RowKey,
    /// Whether the insurer accepts the row.
    pub accepted: bool,
    /// Insurer's own policy number.
    pub number: Option<PolicyNumber>,
    /// Reason for a refusal, in the insurer's words.
    pub reason: Option<String>,
}

/// Result of storing an insurer's responses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerKept {
    /// All responses were stored.
    Done,
    /// Nothing was stored: a policy was changed meanwhile, or a row was answered before.
    Lost,
}

/// Statements with their files.
#[async_trait]
pub trait Statements: Send + Sync {
    /// Begins the statements of a month. Files of an earlier run are deleted, and that run can no longer
    /// close the month.
    async fn begin_month(&self, run: MonthRun, at: Timestamp) -> Result<MonthBegun>;

    /// Stores one part of a statement's file. `false`: another run has begun, so nothing was stored.
    async fn add_statement_part(&self, run: MonthRun, part: PartPosition, bytes: &[u8]) -> Result<bool>;

    /// Closes a month with the rates of a catalogue. Stores the statements with their ledger postings and the
    /// partners' events; all files must be stored already.
    ///
    /// `false`: another run has begun, so nothing was stored.
    async fn close_month(
        &self,
        run: MonthRun,
        catalogue: CatalogueHash,
        statements: &[Statement],
        postings: &[CommissionPosting],
        events: &[(PartnerId, NewEvent)],
        at: Timestamp,
    ) -> Result<bool>;

    /// When and with which catalogue a month was closed. `None` if the month is open.
    async fn month_closed(&self, month: Month) -> Result<Option<ClosedMonth>>;

    /// Statements of the months from `first` to `last`, without those of test partners. Newest month first,
    /// then by kind and number; at most `most`.
    async fn statements_of_months(&self, first: Month, last: Month, most: usize) -> Result<Vec<Statement>>;

    /// A partner's statements, newest month first; at most `most`.
    async fn statements_of(&self, of: PartnerId, most: usize) -> Result<Vec<Statement>>;

    async fn statement(&self, of: PartnerId, id: StatementId) -> Result<Option<Statement>>;

    /// Statement with this number, for any recipient.
    async fn statement_numbered(&self, number: &str) -> Result<Option<Statement>>;

    /// Stores the payment of a statement with its ledger postings. `false`: the statement was paid before, so
    /// nothing was stored.
    async fn pay_statement(
        &self,
        paid: &Statement,
        postings: &[CommissionPosting],
        events: &[(PartnerId, NewEvent)],
        at: Timestamp,
    ) -> Result<bool>;

    /// One part of a statement's file. `None` after the last part.
    async fn statement_part(&self, part: PartPosition) -> Result<Option<Vec<u8>>>;

    /// Stores a test partner's statement with its files and event. `false`: the statement's number exists
    /// already, so nothing was stored.
    async fn add_test_statement(
        &self,
        statement: &Statement,
        parts: &[(PartPosition, Vec<u8>)],
        event: (PartnerId, NewEvent),
    ) -> Result<bool>;

    /// Changes of policies to the state `to` within a time range (end exclusive), in time order, after
    /// `after`; at most `most`. If `of` is given: only policies of that partner.
    async fn policies_moved(
        &self,
        to: PolicyState,
        within: (Timestamp, Timestamp),
        of: Option<PartnerId>,
        after: Option<PolicyMoved>,
        most: usize,
    ) -> Result<Vec<PolicyMoved>>;

    /// Applied endorsements within a time range (end exclusive), in time order, after `after`; at most
    /// `most`. If `of` is given: only policies of that partner.
    async fn policies_endorsed(
        &self,
        within: (Timestamp, Timestamp),
        of: Option<PartnerId>,
        after: Option<PolicyEndorsed>,
        most: usize,
    ) -> Result<Vec<PolicyEndorsed>>;

    /// Stores an insurer's responses to rows of a statement, and the policies to which the insurer gives
    /// numbers. Stores all or nothing.
    async fn keep_answer(
        &self,
        statement: StatementId,
        answers: &[RowAnswer],
        numbered: &[Policy],
        at: Timestamp,
    ) -> Result<AnswerKept>;

    /// Policies of rows that an insurer rejected, each with the time of the response, oldest first.
    async fn rejected_rows(&self, most: usize) -> Result<Vec<(PolicyId, Timestamp)>>;

    /// Insurer's responses to rows of a statement, in the order of the policies.
    async fn answers(&self, statement: StatementId) -> Result<Vec<RowAnswer>>;
}
