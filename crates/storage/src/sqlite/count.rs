//! Counts of what lists hold, kept in the transaction of each record (D33): a list of millions is never counted.

use domain::date::{Date, Timestamp, day_of};
use domain::id::{PartnerId, SessionId};
use rusqlite::{Connection, params};
use service::storage::StorageError;
use service::storage::lists::Selection;

use super::row::{fault, id_bytes};

/// What of health is counted. Its place is how it is kept: new ones come last.
#[derive(Debug, Clone, Copy)]
pub(super) enum Counted {
    Quotes,
    Proposals,
    Policies,
}

/// A day as counts write it: `20261120`.
pub(super) fn day_number(day: Date) -> i64 {
    i64::from(day.year()) * 10_000 + i64::from(day.month()) * 100 + i64::from(day.day())
}

/// Counts one record more.
pub(super) fn add(
    to: &Connection,
    kind: Counted,
    of: PartnerId,
    session: Option<SessionId>,
    created_at: Timestamp,
) -> Result<(), StorageError> {
    let day = day_number(day_of(created_at));
    let mut add = to.prepare_cached(include_str!("../../sql/counts/add_to_day.sql")).map_err(fault)?;
    add.execute(params![id_bytes(of), kind as i64, day]).map_err(fault)?;
    if let Some(session) = session {
        let add = include_str!("../../sql/counts/add_to_session.sql");
        let mut add = to.prepare_cached(add).map_err(fault)?;
        add.execute(params![id_bytes(of), id_bytes(session), kind as i64]).map_err(fault)?;
    }
    Ok(())
}

/// How many records a selection has.
pub(super) fn read(
    from: &Connection,
    kind: Counted,
    of: PartnerId,
    which: Selection,
) -> Result<u64, StorageError> {
    let of = id_bytes(of);
    let of_days = |first: i64, last: i64| {
        let mut read = from.prepare_cached(include_str!("../../sql/counts/of_days.sql"))?;
        read.query_row(params![of, kind as i64, first, last], |row| row.get(0))
    };
    let number: i64 = match which {
        Selection::All => of_days(i64::MIN, i64::MAX).map_err(fault)?,
        Selection::Period(days) => of_days(day_number(days.first), day_number(days.last)).map_err(fault)?,
        Selection::Session(session) => {
            let mut read =
                from.prepare_cached(include_str!("../../sql/counts/of_session.sql")).map_err(fault)?;
            read.query_row(params![of, id_bytes(session), kind as i64], |row| row.get(0)).map_err(fault)?
        }
    };
    Ok(number.unsigned_abs())
}
