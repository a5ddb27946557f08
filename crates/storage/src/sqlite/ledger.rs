//! Lines of the ledger.

use rusqlite::{Connection, params};
use service::storage::StorageError;

use super::row::fault;
use crate::rows::premium::LedgerRow;

/// Adds lines to the ledger.
pub(super) fn post(to: &Connection, rows: &[LedgerRow]) -> Result<(), StorageError> {
    let mut add = to.prepare_cached(include_str!("../../sql/ledger/add.sqlite.sql")).map_err(fault)?;
    for row in rows {
        let values = params![
            row.at,
            row.entry,
            row.debit,
            row.credit,
            row.amount,
            row.insurer,
            row.deposit,
            row.of,
            row.proposal,
            row.reference
        ];
        add.execute(values).map_err(fault)?;
    }
    Ok(())
}
