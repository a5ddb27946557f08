//! Lines of the ledger, as transactions and single statements add them.

use domain::id::Uuid;

use super::column::{Group, Value, uuid, values};
use super::connections::Fault;
use super::transaction::Transaction;
use crate::rows::premium::LedgerRow;

/// Lines of the ledger as columns of a statement.
pub(super) struct LedgerColumns<'a> {
    posted_at: Vec<i64>,
    entries: Vec<i16>,
    debits: Vec<i16>,
    credits: Vec<i16>,
    amounts: Vec<i64>,
    insurers: Vec<Uuid>,
    deposits: Vec<Option<&'a str>>,
    of: Vec<Uuid>,
    proposals: Vec<Option<Uuid>>,
    references: Vec<Option<&'a str>>,
}

impl<'a> LedgerColumns<'a> {
    pub(super) fn of(rows: &'a [LedgerRow]) -> Self {
        LedgerColumns {
            posted_at: rows.iter().map(|row| row.at).collect(),
            entries: rows.iter().map(|row| row.entry).collect(),
            debits: rows.iter().map(|row| row.debit).collect(),
            credits: rows.iter().map(|row| row.credit).collect(),
            amounts: rows.iter().map(|row| row.amount).collect(),
            insurers: rows.iter().map(|row| uuid(row.insurer)).collect(),
            deposits: rows.iter().map(|row| row.deposit.as_deref()).collect(),
            of: rows.iter().map(|row| uuid(row.of)).collect(),
            proposals: rows.iter().map(|row| row.proposal.map(uuid)).collect(),
            references: rows.iter().map(|row| row.reference.as_deref()).collect(),
        }
    }
}

impl Group for LedgerColumns<'_> {
    fn values(&self) -> Vec<Value<'_>> {
        values![
            self.posted_at,
            self.entries,
            self.debits,
            self.credits,
            self.amounts,
            self.insurers,
            self.deposits,
            self.of,
            self.proposals,
            self.references,
        ]
        .to_vec()
    }
}

/// Adds lines to the ledger.
pub(super) async fn post(within: &Transaction, rows: &[LedgerRow]) -> Result<(), Fault> {
    if rows.is_empty() {
        return Ok(());
    }
    let add = include_str!("../../sql/ledger/add.postgres.sql");
    within.execute(add, &LedgerColumns::of(rows).values()).await.map(|_| ())
}
