//! Encrypts rows again with a newer data key, and lists every encrypted column with the columns to which it
//! is bound.
//!
//! An encrypted column is bound only to values of other columns ([`super::bound`]). So rows can be decrypted
//! and encrypted again without knowing what they contain. An encrypted column that is not listed here would
//! stay under the old key. The tests of `keys rotate data` find such a column.

use crate::records::row::ToRow;
use ports::storage::Result;
use ports::storage::keys::{Renewed, RowProgress};

use super::PAGE;
use super::bound::Bound;
use super::{
    approval, claim, complaint, health_quote, journey, moves, partner, policy, premium, proposal, session,
    statement, team, webhook, work_item,
};
use crate::audit::UPKEEP;
use crate::fields::{FromValue, RowFields, Value, values};
use crate::operation::Statement;
use crate::seal::Seal;
use crate::sealing_key::HEAD;
use crate::store::Store;

/// Type of a column in a primary key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyType {
    /// Id of 16 bytes.
    Id,
    Number,
    /// Bytes of another length than 16.
    Bytes,
    Text,
}

pub(crate) struct SealedColumn {
    pub(crate) table: &'static str,
    pub(crate) column: &'static str,
    /// Label with which the column is encrypted.
    label: &'static str,
    /// Primary key of the table.
    pub(crate) key: &'static [(&'static str, KeyType)],
    /// Columns to which the encrypted column is bound, the partner first. Empty for a bank reference, because
    /// the hash in the same row binds it.
    pub(crate) bound: &'static [&'static str],
}

/// Value of a column, in the form in which encrypted columns are bound to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cell {
    Null,
    Number(i64),
    Text(String),
    Bytes(Vec<u8>),
}

impl FromValue<'_> for Cell {
    fn from_value(value: Value<'_>) -> Option<Self> {
        Some(match value {
            Value::Null => Cell::Null,
            Value::Integer(number) => Cell::Number(number),
            Value::Boolean(flag) => Cell::Number(flag.into()),
            Value::Text(text) => Cell::Text(text.to_owned()),
            Value::Bytes(bytes) => Cell::Bytes(bytes.to_vec()),
            Value::Id(id) => Cell::Bytes(id.to_vec()),
        })
    }
}

/// Declares the encrypted columns. Each has its table and name, its label, the primary key of its table, and
/// after `=>` the columns to which it is bound, or the row that declares them.
macro_rules! sealed_columns {
    (
        $(
            $table:ident.$column:ident as $label:literal, $($key:ident: $kind:ident),+
                => $([$($bound:ident),*])? $($row:path)?;
        )*
    ) => {
        const SEALED_COLUMNS: &[SealedColumn] = &[$(SealedColumn {
            table: stringify!($table),
            column: stringify!($column),
            label: $label,
            key: &[$((stringify!($key), KeyType::$kind)),+],
            bound: $(&[$(stringify!($bound)),*])? $(<$row as ToRow>::BOUND)?,
        }),*];
    };
}

// All encrypted columns of the store.
sealed_columns! {
    partners.proof as "partners", partner_id: Id =>
        [partner_id, partner_id, client_id, name, enabled, scopes, legacy_reads, attribution, origins, return_urls, tokens_per_hour, tokens_ended_at, created_at, is_test, clock_ahead];
    secrets.hash as "secrets", partner_id: Id, number: Number =>
        partner::SecretRow;
    embedded_quotes.body as "embedded_quotes", partner_id: Id, quote_id: Id =>
        [partner_id, quote_id];
    health_quotes.body as "health_quotes", partner_id: Id, quote_id: Id =>
        health_quote::Row;
    health_quotes.outcome as "health_quotes.outcome", partner_id: Id, quote_id: Id =>
        health_quote::Row;
    tags.named as "tags", partner_id: Id, tag: Id, subject_id: Id =>
        [partner_id, subject_id];
    health_outcomes.body as "health_outcomes", partner_id: Id, quote_id: Id, ask: Number =>
        [partner_id, quote_id, ask];
    proposals.body as "proposals", partner_id: Id, proposal_id: Id =>
        proposal::Row;
    proposals.reason as "proposals.reason", partner_id: Id, proposal_id: Id =>
        [partner_id, proposal_id, line, status, changed_at];
    moves.reason as "moves", partner_id: Id, proposal_id: Id, sequence: Number =>
        moves::MoveRow;
    policies.body as "policies", partner_id: Id, policy_id: Id =>
        policy::Row;
    policy_moves.reason as "policy_moves", partner_id: Id, policy_id: Id, sequence: Number =>
        [partner_id, policy_id, moved_at, moved_by, from_state, to_state];
    policies.certificate as "policies.certificate", partner_id: Id, policy_id: Id =>
        policy::FoundCertificate;
    replaced_certificates.certificate as "policies.certificate", partner_id: Id, policy_id: Id, certificate_version: Number =>
        policy::FoundCertificate;
    claims.body as "claims", partner_id: Id, claim_id: Id =>
        claim::Row;
    claim_moves.reason as "claim_moves", partner_id: Id, claim_id: Id, sequence: Number =>
        [partner_id, claim_id, moved_at, moved_by, from_state, to_state];
    claim_papers.body as "claim_papers", partner_id: Id, paper_id: Id =>
        claim::PaperRow;
    claim_parts.body as "claim_parts", partner_id: Id, paper_id: Id, number: Number =>
        [partner_id, paper_id, number];
    complaints.body as "complaints", partner_id: Id, complaint_id: Id =>
        complaint::Row;
    approvals.body as "approvals", approval_id: Id =>
        approval::Row;
    work_items.body as "work_items", task: Text =>
        work_item::Row;
    holds.reason as "holds", record_id: Id =>
        [record_id, record, held_at, held_by];
    operators.body as "operators", operator_id: Id =>
        team::Row;
    operator_secrets.body as "operator_secrets", hash: Bytes =>
        team::SecretRow;
    request_log.body as "request_log", partner_id: Id, batch_id: Id =>
        [partner_id, batch_id];
    events.body as "events", partner_id: Id, event_id: Id =>
        [partner_id, event_id, happened_at, type, subject_id];
    webhook_endpoints.body as "webhook_endpoints", partner_id: Id, endpoint_id: Id =>
        webhook::EndpointRow;
    deliveries.body as "deliveries", partner_id: Id, endpoint_id: Id, event_id: Id =>
        webhook::DeliveryRow;
    statements.body as "statements", partner_id: Id, statement_id: Id =>
        statement::Row;
    statement_parts.body as "statement_parts", partner_id: Id, statement_id: Id, file: Number, number: Number =>
        [partner_id, statement_id, file, number];
    statement_answers.body as "statement_answers", partner_id: Id, statement_id: Id, policy_id: Id, kind: Number, nth: Number =>
        statement::AnswerRow;
    premiums.proof as "premiums", partner_id: Id, proposal_id: Id =>
        premium::Row;
    ledger.proof as "ledger", partner_id: Id, number: Number =>
        premium::LedgerRow;
    receipts.proof as "receipts", partner_id: Id, reference: Text =>
        premium::ReceiptRow;
    deposits.proof as "deposits", insurer_id: Id, name: Text =>
        [insurer_id, name, guaranteed];
    statement_months.proof as "statement_months", month: Number =>
        [run, month, closed_at, catalogue];
    calendars.proof as "calendars", partner_id: Id =>
        [partner_id, day, step, after_id, assortment, version];
    withdrawn_consents.proof as "withdrawn_consents", partner_id: Id, proposal_id: Id, purpose: Number =>
        [partner_id, proposal_id, purpose, withdrawn_at];
    receipts.sealed as "bank_references", partner_id: Id, reference: Text =>
        [];
    ledger.sealed as "bank_references", partner_id: Id, reference: Text, number: Number =>
        [];
    payments.sealed as "bank_references", reference: Text =>
        [];
    sessions.body as "sessions", partner_id: Id, session_id: Id =>
        session::Row;
    journeys.body as "journeys", partner_id: Id, journey_id: Id =>
        journey::Row;
    kept_responses.body as "kept_responses", partner_id: Id, idempotency_key: Bytes =>
        [partner_id, idempotency_key, kept_at];
}

/// Tables with proofs whose rows have a bank reference.
const REFERRING: [&str; 2] = ["ledger", "receipts"];

/// Proofs of tables whose rows had none in earlier versions.
pub(super) fn proofs() -> impl Iterator<Item = &'static SealedColumn> {
    let always = ["partners", "premiums"];
    SEALED_COLUMNS.iter().filter(move |of| of.column == "proof" && !always.contains(&of.table))
}

impl SealedColumn {
    /// Fills in an SQL template: the table, the encrypted column, the key columns, and the columns to which
    /// it is bound.
    fn statement(&self, text: &str) -> String {
        let names: Vec<&str> = self.key.iter().map(|(name, _)| *name).collect();
        text.replace("{table}", self.table)
            .replace("{column}", self.column)
            .replace("{key}", &names.join(", "))
            .replace("{bound}", &self.bound.iter().map(|name| format!("{name}, ")).collect::<String>())
            .replace("{after}", &self.parameters(1))
            .replace("{page}", &PAGE.to_string())
    }

    /// SQL parameters for the columns of the primary key, numbered from `first` on.
    fn parameters(&self, first: usize) -> String {
        let numbers = (first..).take(self.key.len()).map(|number| format!("${number}"));
        numbers.collect::<Vec<_>>().join(", ")
    }

    /// Statement that counts the rows in which the encrypted column is not null.
    fn count(&self) -> String {
        self.statement(include_str!("../../sql/keys/count_sealed.sql"))
    }

    /// Statement that reads the first page of rows: the key columns, the columns to which the encrypted one
    /// is bound, and that column.
    fn first_page(&self) -> String {
        self.page("")
    }

    /// Statement that reads the page of rows after a primary key. Its parameters are the columns of that key.
    fn next_page(&self) -> String {
        self.page(" and ({key}) > ({after})")
    }

    fn page(&self, behind: &str) -> String {
        self.statement(&include_str!("../../sql/keys/sealed.sql").replace("{behind}", behind))
    }

    /// Statement that replaces the encrypted column in one row. `$1` is the new value, `$2` the head of the
    /// old value. The primary key follows.
    fn replace_one(&self) -> String {
        let text = include_str!("../../sql/keys/replace_sealed.sql");
        self.statement(&text.replace("{after}", &self.parameters(3)))
    }

    /// Statement that reads a page of rows without a proof: the key columns, the columns to which the proof is
    /// bound, and the bank reference.
    pub(super) fn unproven_page(&self) -> String {
        let reference = if REFERRING.contains(&self.table) { "reference, sealed" } else { "null, null" };
        self.statement(&include_str!("../../sql/keys/unproven.sql").replace("{reference}", reference))
    }

    /// Statement that writes the proof of one row. `$1` is the proof. The primary key follows.
    pub(super) fn prove_one(&self) -> String {
        let text = include_str!("../../sql/keys/prove.sql");
        self.statement(&text.replace("{after}", &self.parameters(2)))
    }

    /// Number of columns that the statements for a page read.
    pub(super) const fn columns(&self) -> usize {
        self.key.len() + self.bound.len() + 1
    }

    /// Name of a row in messages: table and primary key.
    pub(super) fn name(&self, key: &[Cell]) -> String {
        let part = |cell: &Cell| match cell {
            Cell::Null => "null".to_owned(),
            Cell::Number(number) => number.to_string(),
            Cell::Text(text) => text.clone(),
            Cell::Bytes(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        };
        let parts: Vec<String> = key.iter().map(part).collect();
        format!("{} {}", self.table, parts.join(" "))
    }
}

/// New value of an encrypted column in a row. It is written unless the column was changed meanwhile.
pub(crate) struct Replacement {
    pub(crate) key: Vec<Cell>,
    /// First bytes of the old value. They are unique, because they contain the nonce.
    pub(crate) head: Vec<u8>,
    pub(crate) sealed: Vec<u8>,
}

/// Result of encrypting a page of rows again.
struct Page {
    replacements: Vec<Replacement>,
    /// Primary key of the page's last row. `None` if there is no further page.
    last: Option<Vec<Cell>>,
}

/// Decrypts the rows of a page and encrypts them again. Each row has its cells in the order of the statement.
fn reseal_page(seal: &Seal, column: &SealedColumn, rows: Vec<Vec<Cell>>, done: &mut Renewed) -> Page {
    let is_full = rows.len() == PAGE;
    let (mut replacements, mut last) = (Vec::new(), None);
    for mut row in rows {
        let Some(Cell::Bytes(old)) = row.pop() else { continue };
        let bound = row.split_off(column.key.len());
        done.rows += 1;
        match seal.reseal(column.label, &bound_to(&bound), &old) {
            Ok(Some(sealed)) => {
                let head = old.get(..HEAD).unwrap_or_default().to_vec();
                replacements.push(Replacement { key: row.clone(), head, sealed });
            }
            Ok(None) => {}
            Err(fault) => done.note_unreadable(format!(
                "{}: {}: {}",
                column.name(&row),
                column.column,
                fault.into_why()
            )),
        }
        last = Some(row);
    }
    Page { replacements, last: last.filter(|_| is_full) }
}

/// Bytes to which an encrypted column is bound, made from the values of the columns `cells`.
pub(super) fn bound_to(cells: &[Cell]) -> Vec<u8> {
    // The first column is the id of whom the row belongs to, unless it is a text.
    let (owner, rest) = match cells {
        [] => return Vec::new(),
        [Cell::Bytes(owner), rest @ ..] => (&owner[..], rest),
        all => (&[][..], all),
    };
    let bind = |bound: Bound, cell: &Cell| match cell {
        Cell::Null => bound.bytes(None),
        Cell::Number(number) => bound.number(*number),
        Cell::Text(text) => bound.bytes(Some(text.as_bytes())),
        Cell::Bytes(bytes) => bound.bytes(Some(bytes)),
    };
    rest.iter().fold(Bound::of_partner(owner), bind).as_ref().to_vec()
}

impl SealedColumn {
    /// Values of a primary key, in the types that PostgreSQL requires.
    pub(super) fn key_values<'a>(&self, key: &'a [Cell]) -> impl Iterator<Item = Value<'a>> {
        self.key.iter().zip(key).map(|((_, kind), cell)| match (cell, kind) {
            (Cell::Bytes(bytes), KeyType::Id) => {
                bytes.as_slice().try_into().map_or(Value::Bytes(bytes), Value::Id)
            }
            (Cell::Text(text), _) => Value::Text(text),
            (Cell::Bytes(bytes), _) => Value::Bytes(bytes),
            (Cell::Number(number), _) => Value::Integer(*number),
            (Cell::Null, _) => Value::Null,
        })
    }
}

impl Store {
    /// Reads a page of rows with an encrypted column, after the row with the primary key `after`.
    async fn sealed_page(&self, column: &SealedColumn, after: Option<&[Cell]>) -> Result<Vec<Vec<Cell>>> {
        let page = if after.is_some() { column.next_page() } else { column.first_page() };
        let values: Vec<_> = column.key_values(after.unwrap_or_default()).collect();
        let cells = |row: RowFields<'_>| (0..column.columns()).map(|at| row.get(at)).collect();
        self.all(Statement::of(&page), &values, cells).await
    }

    /// Replaces encrypted values, unless they were changed meanwhile. Returns how many values were replaced.
    async fn replace_sealed(&self, column: &'static SealedColumn, rows: Vec<Replacement>) -> Result<u64> {
        let replaced = self.act(UPKEEP, (column, rows), |(column, rows), to| {
            Box::pin(async move {
                let mut sets = Vec::new();
                for Replacement { key, head, sealed } in rows {
                    let given = values![sealed, head].to_vec().into_iter();
                    sets.push(given.chain(column.key_values(key)).collect());
                }
                to.finish_changing(Statement::of(&column.replace_one()), &sets).await
            })
        });
        Ok(replaced.await?)
    }
}

/// Encrypts every row again that was not encrypted with the active data key.
pub(crate) async fn reseal(store: &Store, progress: &mut RowProgress<'_>) -> Result<Renewed> {
    let mut all = 0;
    for column in SEALED_COLUMNS {
        all += store.number(Statement::of(&column.count()), &[]).await?;
    }
    let mut done = Renewed::default();
    for column in SEALED_COLUMNS {
        let mut after: Option<Vec<Cell>> = None;
        loop {
            let rows = store.sealed_page(column, after.as_deref()).await?;
            let page = reseal_page(&store.seal, column, rows, &mut done);
            if !page.replacements.is_empty() {
                done.changed += store.replace_sealed(column, page.replacements).await?;
            }
            progress(done.rows, all.max(done.rows));
            after = page.last;
            if after.is_none() {
                break;
            }
        }
    }
    Ok(done)
}
