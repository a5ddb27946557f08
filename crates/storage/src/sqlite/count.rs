//! Counts of what lists hold, kept in the transaction of each record (D33): a list of millions is never counted.

use domain::id::PartnerId;
use rusqlite::{Connection, params};
use service::storage::StorageError;
use service::storage::lists::Selection;

use super::row::fault;
use crate::codes::Coded;
use crate::rows::counted::{Count, day_number, day_number_of};
use crate::rows::id_bytes;
use crate::rows::list::List;
use crate::rows::position::Days;

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

/// How many records a selection of a list has.
pub(super) fn read(
    from: &Connection,
    list: &List,
    of: PartnerId,
    which: &Selection,
    [first, last]: [[u8; 16]; 2],
) -> Result<u64, StorageError> {
    let of = id_bytes(of);
    if let (true, Some(days)) = (list.is_narrower, Days::of(which)) {
        let count = list.statement(include_str!("../../sql/counts/of_rows.sqlite.sql"));
        let mut count = from.prepare_cached(&count).map_err(fault)?;
        let values = params![of, days.begin.as_microsecond(), days.over.as_microsecond()];
        return count.query_row(values, |row| row.get::<_, i64>(0)).map(i64::unsigned_abs).map_err(fault);
    }
    if let Selection::Reference(_) = which {
        let count = include_str!("../../sql/tags/count.sqlite.sql");
        let mut count = from.prepare_cached(count).map_err(fault)?;
        let number = count.query_row(params![of, first, last], |row| row.get::<_, i64>(0));
        return number.map(i64::unsigned_abs).map_err(fault);
    }
    let mut count = 0;
    for kind in list.counted {
        count += read_counted(from, kind.code(), of, which)?;
    }
    Ok(count)
}

fn read_counted(from: &Connection, kind: u8, of: [u8; 16], which: &Selection) -> Result<u64, StorageError> {
    let of_days = |first: i32, last: i32| {
        let mut read = from.prepare_cached(include_str!("../../sql/counts/of_days.sqlite.sql"))?;
        read.query_row(params![of, kind, first, last], |row| row.get(0))
    };
    let number: i64 = match which {
        Selection::All => of_days(i32::MIN, i32::MAX).map_err(fault)?,
        Selection::Period(days) | Selection::PeriodIn(days, _) => {
            of_days(day_number(days.first), day_number(days.last)).map_err(fault)?
        }
        Selection::Session(session) => {
            let mut read =
                from.prepare_cached(include_str!("../../sql/counts/of_session.sqlite.sql")).map_err(fault)?;
            read.query_row(params![of, id_bytes(*session), kind], |row| row.get(0)).map_err(fault)?
        }
        // Counted by its tags.
        Selection::Reference(_) => 0,
    };
    Ok(number.unsigned_abs())
}
