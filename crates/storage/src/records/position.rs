//! Positions in lists, and the bounds of a page. A page is read from its position by an index, without
//! skipping rows (D33).

use domain::date::Timestamp;
use domain::id::Uuid;
use domain::period::Period;
use ports::storage::lists::{ListPosition, Selection};

/// Position at the start of a list: before the newest possible record.
pub(crate) const NEWEST: ListPosition = ListPosition { created_at: Timestamp::MAX, id: Uuid::max() };

/// Period of days as instants: from `begin` on, and before `over`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Days {
    pub(crate) begin: Timestamp,
    pub(crate) over: Timestamp,
}

impl From<Period> for Days {
    fn from(period: Period) -> Self {
        let (begin, over) = period.instants();
        Days { begin, over }
    }
}

impl Days {
    /// Period that includes all time.
    pub(crate) const ALL: Days = Days { begin: Timestamp::MIN, over: Timestamp::MAX };

    /// Period of a selection, or all time if it selects all records. `None` for a session or a reference.
    pub(crate) fn of(which: &Selection) -> Option<Days> {
        match which {
            Selection::All => Some(Days::ALL),
            Selection::Period(period) | Selection::PeriodIn(period, _) => Some(Days::from(*period)),
            Selection::Session(_) | Selection::Reference(_) => None,
        }
    }

    /// Position from which the older records of this period are read. A position after the period is moved to
    /// the end of the period.
    pub(crate) fn before(self, position: ListPosition) -> ListPosition {
        position.min(ListPosition { created_at: self.over, id: Uuid::nil() })
    }

    /// Position from which the newer records of this period are read. A position before the period is moved
    /// to its start.
    pub(crate) fn behind(self, position: ListPosition) -> ListPosition {
        let before = Timestamp::from_microsecond(self.begin.as_microsecond().saturating_sub(1));
        position.max(ListPosition { created_at: before.unwrap_or(self.begin), id: Uuid::max() })
    }
}
