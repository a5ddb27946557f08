//! How far partners were told of what the calendar brings (D98).

use async_trait::async_trait;
use domain::id::{PartnerId, PolicyId};
use rusqlite::{OptionalExtension, params};
use service::storage::calendars::{CalendarMark, DayOfPolicy};
use service::storage::{AnyPolicy, Calendars, NewEvent, StorageError};

use super::row::{by, fault};
use super::{Sqlite, event};
use crate::rows::calendar::Row;
use crate::rows::counted::day_number;
use crate::rows::event::EventRow;
use crate::rows::id_bytes;
use crate::rows::policy::Found;
use crate::rows::position::Listed;

#[async_trait]
impl Calendars for Sqlite {
    async fn calendar(&self, of: PartnerId) -> Result<Option<CalendarMark>, StorageError> {
        self.readers.read(|from| {
            let mut read =
                from.prepare_cached(include_str!("../../sql/calendars/read.sql")).map_err(fault)?;
            let columns = |row: &rusqlite::Row<'_>| {
                Ok(Row {
                    day: row.get(0)?,
                    step: row.get(1)?,
                    after: row.get(2)?,
                    assortment: row.get(3)?,
                    version: row.get(4)?,
                })
            };
            let found = read.query_row([id_bytes(of)], columns).optional().map_err(fault)?;
            found.map(Row::open).transpose()
        })
    }

    async fn begin_calendar(&self, of: PartnerId, mark: &CalendarMark) -> Result<(), StorageError> {
        let row = Row::of(mark);
        self.writer
            .keep(move |to| {
                let begin = include_str!("../../sql/calendars/begin.sql");
                let values = params![id_bytes(of), row.day, row.assortment];
                to.prepare_cached(begin).map_err(fault)?.execute(values).map(|_| ()).map_err(fault)
            })
            .await
    }

    async fn policies_on(
        &self,
        of: PartnerId,
        day: DayOfPolicy,
        after: Option<PolicyId>,
        most: usize,
    ) -> Result<Vec<AnyPolicy>, StorageError> {
        let (list, day) = match day {
            DayOfPolicy::LastDay(day) => (include_str!("../../sql/policies/on_last_day.sql"), day),
            DayOfPolicy::RenewableUntil(day) => {
                (include_str!("../../sql/policies/on_renewable_until.sql"), day)
            }
        };
        self.readers.read(|from| {
            let mut list = from.prepare_cached(list).map_err(fault)?;
            let values = params![id_bytes(of), day_number(day), after.map_or([0; 16], id_bytes), most as i64];
            let found = list.query_map(values, by(Found::columns)).map_err(fault)?;
            found.map(|found| found.map_err(fault)?.open_any(&self.seal, of)).collect()
        })
    }

    async fn tell_calendar(
        &self,
        of: PartnerId,
        to: &CalendarMark,
        events: &[NewEvent],
    ) -> Result<bool, StorageError> {
        let (row, events) = (Row::of(to), EventRow::all(&self.seal, of, events)?);
        self.writer
            .keep(move |to| {
                let tell = include_str!("../../sql/calendars/tell.sqlite.sql");
                let values = params![row.day, row.step, row.after, row.assortment, id_bytes(of), row.version];
                if to.prepare_cached(tell).map_err(fault)?.execute(values).map_err(fault)? == 0 {
                    return Ok(false);
                }
                event::note(to, &events)?;
                Ok(true)
            })
            .await
    }
}
