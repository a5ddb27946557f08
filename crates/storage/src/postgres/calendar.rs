//! How far partners were told of what the calendar brings (D98).

use async_trait::async_trait;
use domain::id::{PartnerId, PolicyId, Uuid};
use service::storage::calendars::{CalendarMark, DayOfPolicy};
use service::storage::{AnyPolicy, Calendars, NewEvent, StorageError};

use super::Postgres;
use super::column::{Group, get, id, most as at_most, uuid, values};
use super::event::{self, act_with_events};
use crate::fields::Fields;
use crate::rows::calendar::Row;
use crate::rows::counted::day_number;
use crate::rows::event::EventRow;
use crate::rows::policy::Found;
use crate::rows::position::Listed;

#[async_trait]
impl Calendars for Postgres {
    async fn calendar(&self, of: PartnerId) -> Result<Option<CalendarMark>, StorageError> {
        let read = include_str!("../../sql/calendars/read.sql");
        let found = self.connections.read_one(read, values![id(of)]).await?;
        let Some(row) = found else { return Ok(None) };
        let after: Option<Uuid> = get(&row, 2)?;
        let row = Row {
            day: get(&row, 0)?,
            step: get(&row, 1)?,
            after: after.map(Uuid::into_bytes),
            assortment: get(&row, 3)?,
            version: get(&row, 4)?,
        };
        row.open().map(Some)
    }

    async fn begin_calendar(&self, of: PartnerId, mark: &CalendarMark) -> Result<(), StorageError> {
        let (row, begin) = (Row::of(mark), include_str!("../../sql/calendars/begin.sql"));
        self.connections.write(begin, values![id(of), row.day, row.assortment]).await?;
        Ok(())
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
        let (of_partner, after) = (id(of), after.map_or(Uuid::nil(), id));
        let (day, most) = (day_number(day), at_most(most));
        let rows = self.connections.read(list, values![of_partner, day, after, most]).await?;
        rows.iter().map(|row| Found::columns(Fields::of(row))?.open_any(&self.seal, of)).collect()
    }

    async fn tell_calendar(
        &self,
        of: PartnerId,
        to: &CalendarMark,
        events: &[NewEvent],
    ) -> Result<bool, StorageError> {
        let (row, events) = (Row::of(to), EventRow::all(&self.seal, of, events)?);
        let tell = act_with_events!("../../sql/calendars/tell.postgres.sql");
        let (of, after) = (id(of), row.after.map(uuid));
        let told = event::Columns::of(&events);
        let values =
            [told.values(), values![row.day, row.step, after, row.assortment, of, row.version].to_vec()]
                .concat();
        Ok(!self.connections.write(tell, &values).await?.rows.is_empty())
    }
}
