//! Counts of what lists hold, kept in the transaction of each record (D33): a list of millions is never counted.

use domain::id::PartnerId;
use rusqlite::{Connection, params};
use service::storage::StorageError;
use service::storage::lists::Selection;

use super::row::fault;
use crate::codes::Coded;
use crate::rows::counted::{Count, Counted, day_number, day_number_of};
use crate::rows::id_bytes;

/// Counts one record more.
pub(super) fn add(to: &Connection, of: PartnerId, count: Count) -> Result<(), StorageError> {
    let (kind, day) = (count.kind.code(), day_number_of(count.at));
    let mut add = to.prepare_cached(include_str!("../../sql/counts/add_to_day.sqlite.sql")).map_err(fault)?;
    add.execute(params![id_bytes(of), kind, day]).map_err(fault)?;
    if let Some(session) = count.session {
        let add = include_str!("../../sql/counts/add_to_session.sqlite.sql");
        let mut add = to.prepare_cached(add).map_err(fault)?;
        add.execute(params![id_bytes(of), id_bytes(session), kind]).map_err(fault)?;
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
    let (of, kind) = (id_bytes(of), kind.code());
    let of_days = |first: i32, last: i32| {
        let mut read = from.prepare_cached(include_str!("../../sql/counts/of_days.sqlite.sql"))?;
        read.query_row(params![of, kind, first, last], |row| row.get(0))
    };
    let number: i64 = match which {
        Selection::All => of_days(i32::MIN, i32::MAX).map_err(fault)?,
        Selection::Period(days) => of_days(day_number(days.first), day_number(days.last)).map_err(fault)?,
        Selection::Session(session) => {
            let mut read =
                from.prepare_cached(include_str!("../../sql/counts/of_session.sqlite.sql")).map_err(fault)?;
            read.query_row(params![of, id_bytes(session), kind], |row| row.get(0)).map_err(fault)?
        }
    };
    Ok(number.unsigned_abs())
}
