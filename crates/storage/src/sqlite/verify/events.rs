//! Events, and how many each subject has had.

use domain::id::{EventId, PartnerId, Uuid};
use rusqlite::Row;

use super::Look;
use crate::sqlite::event::columns;
use crate::sqlite::row::id;

/// Every event opens beside its columns.
pub(super) fn events(look: &mut Look<'_>) {
    let name = |row: &Row<'_>| id::<domain::id::kind::Event>(row, 0).map(|id: EventId| id.to_string());
    look.rows("events", include_str!("../../../sql/verify/events.sql"), name, |row, found| {
        let of: PartnerId = id(row, 6)?;
        found.read(columns(row)?.open(found.seal, of));
        Ok(())
    });
}

/// The events of a subject that are kept are the last ones that it has had, without a gap.
pub(super) fn counts(look: &mut Look<'_>) {
    let name = |row: &Row<'_>| row.get(1).map(|bytes| Uuid::from_bytes(bytes).to_string());
    look.rows("event_counts", include_str!("../../../sql/verify/event_counts.sql"), name, |row, found| {
        let (number, kept, newest): (i64, i64, Option<i64>) = (row.get(2)?, row.get(3)?, row.get(4)?);
        let oldest: Option<i64> = row.get(5)?;
        let is_whole = match (newest, oldest) {
            (Some(newest), Some(oldest)) => newest == number && newest - oldest + 1 == kept,
            _ => kept == 0,
        };
        found.must(is_whole, "its events are not counted without a gap");
        Ok(())
    });
}
