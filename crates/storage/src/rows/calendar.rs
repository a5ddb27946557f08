//! Rows of calendars: how far each partner was told of what the calendar brings (D98).

use domain::id::PolicyId;
use service::storage::StorageError;
use service::storage::calendars::CalendarMark;

use super::counted::{day_number, numbered_day};
use super::id_bytes;

/// A calendar's columns.
pub(crate) struct Row {
    pub(crate) day: i32,
    pub(crate) step: Option<i32>,
    pub(crate) after: Option<[u8; 16]>,
    pub(crate) assortment: Option<Vec<u8>>,
    pub(crate) version: i64,
}

impl Row {
    pub(crate) fn of(mark: &CalendarMark) -> Self {
        Row {
            day: day_number(mark.day),
            step: mark.step.map(|(step, _)| i32::from(step)),
            after: mark.step.and_then(|(_, after)| after).map(id_bytes),
            assortment: mark.assortment.map(|hash| hash.to_vec()),
            version: mark.version,
        }
    }

    pub(crate) fn open(self) -> Result<CalendarMark, StorageError> {
        let damaged = || StorageError::Damaged("a calendar's row is none".into());
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
