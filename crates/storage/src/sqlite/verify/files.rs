//! A look at a file that is kept in parts: whether these are its bytes.

use aws_lc_rs::digest::{Context, SHA256};
use rusqlite::{Params, Row};
use service::storage::StorageError;

use super::Found;
use crate::sqlite::row::fault;

/// What a file should be.
pub(super) struct Whole {
    pub(super) bytes: u64,
    pub(super) hash: [u8; 32],
}

/// Whether the parts that a statement gives, by their numbers from 0 on, are a file's bytes. `open` opens a part.
pub(super) fn is_whole(
    found: &Found<'_>,
    whole: &Whole,
    statement: &str,
    values: impl Params,
    open: impl Fn(u32, &[u8]) -> Result<Vec<u8>, StorageError>,
) -> Result<bool, StorageError> {
    let mut read = found.from.prepare_cached(statement).map_err(fault)?;
    let part = |row: &Row<'_>| Ok((row.get::<_, u32>(0)?, row.get::<_, Vec<u8>>(1)?));
    let (mut hash, mut bytes) = (Context::new(&SHA256), 0);
    for (wanted, part) in (0..).zip(read.query_map(values, part).map_err(fault)?) {
        let (number, sealed) = part.map_err(fault)?;
        let plain = open(number, &sealed)?;
        if number != wanted {
            return Ok(false);
        }
        bytes += plain.len() as u64;
        hash.update(&plain);
    }
    Ok(bytes == whole.bytes && hash.finish().as_ref() == whole.hash)
}
