//! Catalogue versions, kept for ever by their hash.

use domain::date::Timestamp;
use domain::quote::CatalogueHash;
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::StorageError;

use super::row::fault;

pub(super) fn keep(
    to: &Connection,
    hash: CatalogueHash,
    files: &[u8],
    at: Timestamp,
) -> Result<(), StorageError> {
    let keep = include_str!("../../sql/catalogues/keep.sql");
    to.execute(keep, params![hash.0, files, at.as_microsecond()]).map(|_| ()).map_err(fault)
}

pub(super) fn read(from: &Connection, hash: CatalogueHash) -> Result<Option<Vec<u8>>, StorageError> {
    let read = include_str!("../../sql/catalogues/read.sql");
    from.query_row(read, [hash.0], |row| row.get(0)).optional().map_err(fault)
}
