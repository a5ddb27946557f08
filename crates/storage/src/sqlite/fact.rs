//! What the installation remembers about itself.

use rusqlite::{Connection, OptionalExtension, params};
use service::storage::{Fact, StorageError};

use super::row::fault;

pub(super) fn remember(to: &Connection, fact: Fact, value: &str) -> Result<(), StorageError> {
    let remember = include_str!("../../sql/facts/remember.sql");
    to.execute(remember, params![fact.word(), value]).map(|_| ()).map_err(fault)
}

pub(super) fn read(from: &Connection, fact: Fact) -> Result<Option<String>, StorageError> {
    let read = include_str!("../../sql/facts/read.sql");
    from.query_row(read, [fact.word()], |row| row.get(0)).optional().map_err(fault)
}
