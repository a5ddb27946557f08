//! Store operations for calendar events (D98).
//!
//! Calendar events report that a day has come, such as the last day of a policy. For each partner, the store
//! has the day up to which these events were made.

use async_trait::async_trait;
use domain::date::Date;
use domain::id::{PartnerId, PolicyId};
use domain::policy::Policy;

use super::Result;
use super::events::NewEvent;

/// Progress of a partner's calendar events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CalendarMark {
    /// Day whose events are being made, or the last day whose events are complete.
    pub day: Date,
    /// Current step of `day`, and the last policy handled in this step. `None`: the day is complete.
    pub step: Option<(u16, Option<PolicyId>)>,
    /// Version number; each stored change adds 1.
    pub version: i64,
    /// SHA-256 of the list of plans that the partner may sell, as last reported to the partner.
    pub assortment: Option<[u8; 32]>,
}

/// Day of a policy by which policies are selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DayOfPolicy {
    /// Last day of cover.
    LastDay(Date),
    /// Last day on which the policy can be renewed.
    RenewableUntil(Date),
}

#[async_trait]
pub trait Calendars: Send + Sync {
    /// Progress of a partner's calendar events. `None`: none were made yet.
    async fn calendar(&self, of: PartnerId) -> Result<Option<CalendarMark>>;

    /// Stores the first progress of a partner's calendar events, if none is stored.
    async fn begin_calendar(&self, of: PartnerId, mark: &CalendarMark) -> Result<()>;

    /// Partner's policies in the state ISSUED that have this last day or renewal day. In id order, after the
    /// id `after`; at most `most`.
    async fn policies_on(
        &self,
        of: PartnerId,
        day: DayOfPolicy,
        after: Option<PolicyId>,
        most: usize,
    ) -> Result<Vec<Policy>>;

    /// Stores calendar events together with the partner's new progress. `to.version` is the version that was
    /// read. `false`: the stored version is another one, so nothing was stored.
    async fn tell_calendar(&self, of: PartnerId, to: &CalendarMark, events: &[NewEvent]) -> Result<bool>;
}
