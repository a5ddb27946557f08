//! What the use cases need of a store for what comes by the calendar alone: how far each partner was told of it (D98).

use async_trait::async_trait;
use domain::date::Date;
use domain::id::{PartnerId, PolicyId};

use super::events::NewEvent;
use super::{AnyPolicy, Result};

/// How far a partner was told of what the calendar brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CalendarMark {
    /// The day that is being told of, or was told of completely.
    pub day: Date,
    /// The step of that day, and the last policy of it that was told. `None`: the day is done.
    pub step: Option<(u16, Option<PolicyId>)>,
    /// Counts its changes.
    pub version: i64,
    /// SHA-256 of the plans that the partner could sell when it was told of them last.
    pub assortment: Option<[u8; 32]>,
}

/// A day of a policy by which it is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayOfPolicy {
    /// The last day of its cover.
    LastDay(Date),
    /// The last day of its grace.
    RenewableUntil(Date),
}

/// How far partners were told.
#[async_trait]
pub trait Calendars: Send + Sync {
    /// How far a partner was told. `None`: nobody looked yet.
    async fn calendar(&self, of: PartnerId) -> Result<Option<CalendarMark>>;

    /// Begins a partner's calendar, where nobody did before.
    async fn begin_calendar(&self, of: PartnerId, mark: &CalendarMark) -> Result<()>;

    /// Policies of a partner that are ISSUED and have such a day, by their ids, behind one of them.
    async fn policies_on(
        &self,
        of: PartnerId,
        day: DayOfPolicy,
        after: Option<PolicyId>,
        most: usize,
    ) -> Result<Vec<AnyPolicy>>;

    /// Keeps events of the calendar, and how far a partner was told then. `to` has the version in which the calendar was read.
    /// `false`: it has another one by now, and nothing was done.
    async fn tell_calendar(&self, of: PartnerId, to: &CalendarMark, events: &[NewEvent]) -> Result<bool>;
}
