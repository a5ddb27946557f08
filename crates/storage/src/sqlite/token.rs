//! Token counts: at most so many in any sliding hour (D6).

use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::{StorageError, TokenCount};

use super::row::fault;
use crate::rows::id_bytes;

/// The sliding hour, in microseconds.
const HOUR: i64 = 3_600_000_000;

pub(super) fn count(
    to: &Connection,
    of: PartnerId,
    token: Uuid,
    at: Timestamp,
    limit: u32,
) -> Result<TokenCount, StorageError> {
    let (of, at) = (id_bytes(of), at.as_microsecond());
    let mut forget =
        to.prepare_cached(include_str!("../../sql/tokens/forget_old.sqlite.sql")).map_err(fault)?;
    forget.execute(params![of, at - HOUR]).map_err(fault)?;
    let mut count = to.prepare_cached(include_str!("../../sql/tokens/count.sqlite.sql")).map_err(fault)?;
    let counted = count.query_row([of], |row| Ok((row.get::<_, u32>(0)?, row.get::<_, Option<i64>>(1)?)));
    let (counted, oldest) = counted.optional().map_err(fault)?.unwrap_or((0, None));
    if counted >= limit {
        let free_at = Timestamp::from_microsecond(oldest.unwrap_or(at) + HOUR);
        let free_at =
            free_at.map_err(|_| StorageError::Damaged("a token was counted outside the calendar".into()))?;
        return Ok(TokenCount::Exhausted { free_at });
    }
    let mut add = to.prepare_cached(include_str!("../../sql/tokens/add.sqlite.sql")).map_err(fault)?;
    add.execute(params![of, at, token.as_bytes()]).map_err(fault)?;
    Ok(TokenCount::Counted)
}
