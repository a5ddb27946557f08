//! Token counts: at most so many in any sliding hour (D6). The row decides, whichever process asks.

use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use service::storage::{StorageError, TokenCount};

use super::column::{get, id, instant, values};
use super::connections::Connections;

/// The sliding hour, in microseconds.
const HOUR: i64 = 3_600_000_000;

pub(super) async fn count(
    connections: &Connections,
    of: PartnerId,
    token: Uuid,
    at: Timestamp,
    limit: u32,
) -> Result<TokenCount, StorageError> {
    let at = at.as_microsecond();
    let count = include_str!("../../sql/tokens/count.postgres.sql");
    let executed = connections.write(count, values![id(of), at, token, i64::from(limit), at - HOUR]).await?;
    let row = executed.rows.first().ok_or_else(|| StorageError::Damaged("a count without a row".into()))?;
    if get(row, 0)? {
        return Ok(TokenCount::Counted);
    }
    let oldest: Option<i64> = get(row, 1)?;
    Ok(TokenCount::Exhausted { free_at: instant(oldest.unwrap_or(at) + HOUR)? })
}
