//! The revision: counts the changes of partners, secrets and keys.

use rusqlite::Connection;
use service::storage::StorageError;

use super::row::fault;

pub(super) fn read(from: &Connection) -> Result<u64, StorageError> {
    let mut read = from.prepare_cached(include_str!("../../sql/revision/read.sql")).map_err(fault)?;
    let number: i64 = read.query_row((), |row| row.get(0)).map_err(fault)?;
    Ok(number.unsigned_abs())
}

pub(super) fn raise(to: &Connection) -> Result<(), StorageError> {
    to.execute(include_str!("../../sql/revision/raise.sql"), ()).map(|_| ()).map_err(fault)
}
