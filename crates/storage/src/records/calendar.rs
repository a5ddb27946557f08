//! Database rows of calendars: up to which day each partner has received the events that a date causes, such
//! as expired policies (D98).

use async_trait::async_trait;
use domain::id::{PartnerId, PolicyId};
use domain::policy::Policy;
use ports::storage::calendars::{CalendarMark, DayOfPolicy};
use ports::storage::{Calendars, NewEvent, Result, StorageError};

use super::bound::Bound;
use super::event::{self, EventRow};
use super::proof::prove;
use super::{id_bytes, policy};
use crate::audit::UPKEEP;
use crate::fields::{FromRow, RowFields, day_number, numbered_day, values};
use crate::operation::{Guard, sql};
use crate::seal::Seal;
use crate::store::{Store, unless_changed};

pub(crate) const TABLE: &str = "calendars";

pub(crate) struct Row {
    pub(crate) day: i32,
    pub(crate) step: Option<i32>,
    pub(crate) after: Option<[u8; 16]>,
    pub(crate) assortment: Option<Vec<u8>>,
    pub(crate) version: i64,
}

impl Row {
    pub(crate) fn columns(row: RowFields<'_>) -> Result<Self> {
        Ok(Row {
            day: row.get(0)?,
            step: row.get(1)?,
            after: row.get(2)?,
            assortment: row.get(3)?,
            version: row.get(4)?,
        })
    }

    pub(crate) fn of(mark: &CalendarMark) -> Self {
        Row {
            day: day_number(mark.day),
            step: mark.step.map(|(step, _)| i32::from(step)),
            after: mark.step.and_then(|(_, after)| after).map(id_bytes),
            assortment: mark.assortment.map(|hash| hash.to_vec()),
            version: mark.version,
        }
    }

    /// Columns to which the proof is bound.
    pub(crate) fn bound(&self, of: PartnerId) -> Bound {
        let Row { day, step, after, assortment, version } = self;
        Bound::of(values![of, day, step, after, assortment, version])
    }

    fn prove(&self, seal: &Seal, of: PartnerId) -> Result<Vec<u8>> {
        prove(seal, TABLE, &self.bound(of), None)
    }

    pub(crate) fn open(self) -> Result<CalendarMark> {
        let damaged = || StorageError::Damaged("the row of a partner's calendar is invalid".into());
        let after = self.after.map(|after| PolicyId::from_uuid(domain::id::Uuid::from_bytes(after)));
        let step = self.step.map(u16::try_from).transpose().map_err(|_| damaged())?;
        let assortment = self.assortment.map(TryInto::try_into).transpose().map_err(|_| damaged())?;
        Ok(CalendarMark {
            day: numbered_day(self.day)?,
            step: step.map(|step| (step, after)),
            assortment,
            version: self.version,
        })
    }
}

#[async_trait]
impl Calendars for Store {
    async fn calendar(&self, of: PartnerId) -> Result<Option<CalendarMark>> {
        self.first(sql!("calendars/read"), values![of], |row| Row::columns(row)?.open()).await
    }

    async fn begin_calendar(&self, of: PartnerId, mark: &CalendarMark) -> Result<()> {
        let row = Row { step: None, after: None, version: 1, ..Row::of(mark) };
        let proof = row.prove(&self.seal, of)?;
        self.write(sql!("calendars/begin"), values![of, row.day, row.assortment, proof]).await.map(|_| ())
    }

    async fn policies_on(
        &self,
        of: PartnerId,
        day: DayOfPolicy,
        after: Option<PolicyId>,
        most: usize,
    ) -> Result<Vec<Policy>> {
        let (list, day) = match day {
            DayOfPolicy::LastDay(day) => (sql!("policies/on_last_day"), day),
            DayOfPolicy::RenewableUntil(day) => (sql!("policies/on_renewable_until"), day),
        };
        let values = values![of, day, after.map_or([0; 16], id_bytes), most];
        self.all(list, values, |row| policy::Row::columns(row)?.open(&self.seal)).await
    }

    async fn tell_calendar(&self, of: PartnerId, to: &CalendarMark, events: &[NewEvent]) -> Result<bool> {
        let row = Row::of(to);
        let proof = Row { version: row.version + 1, ..Row::of(to) }.prove(&self.seal, of)?;
        let given = (of, row, proof, EventRow::all(&self.seal, of, events)?);
        let told = self.act(UPKEEP, given, |(of, row, proof, events), to| {
            Box::pin(async move {
                let Row { day, step, after, assortment, version } = row;
                let values = values![day, step, after, assortment, proof, of, version];
                to.require(sql!("calendars/tell"), values, Guard::Version);
                event::note(to, events);
                Ok(())
            })
        });
        unless_changed(told.await)
    }
}
