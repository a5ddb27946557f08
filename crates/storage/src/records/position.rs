//! Positions in lists, and the bounds between which a page lies: an index is entered there and nowhere else (D33).

use domain::date::Timestamp;
use domain::id::Uuid;
use domain::period::Period;
use ports::storage::Result;
use ports::storage::lists::{ListPosition, Selection};

use crate::fields::Fields;

/// A row of a list.
pub(crate) trait Listed: Sized {
    fn columns(row: Fields<'_>) -> Result<Self>;
}

/// The position before the newest record that there can be.
pub(crate) const NEWEST: ListPosition = ListPosition { created_at: Timestamp::MAX, id: Uuid::max() };

/// Days as instants: from the first, up to the second.
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
    /// All of time.
    pub(crate) const ALL: Days = Days { begin: Timestamp::MIN, over: Timestamp::MAX };

    /// The days of a selection; all of time where it has no other. `None` for a session or a
    /// reference.
    pub(crate) fn of(which: &Selection) -> Option<Days> {
        match which {
            Selection::All => Some(Days::ALL),
            Selection::Period(period) | Selection::PeriodIn(period, _) => Some(Days::from(*period)),
            Selection::Session(_) | Selection::Reference(_) => None,
        }
    }

    /// Where older records of these days are looked for. A position outside the days is brought to their edge, which no
    /// record has.
    pub(crate) fn before(self, position: ListPosition) -> ListPosition {
        position.min(ListPosition { created_at: self.over, id: Uuid::nil() })
    }

    /// Where newer records of these days are looked for.
    pub(crate) fn behind(self, position: ListPosition) -> ListPosition {
        let before = Timestamp::from_microsecond(self.begin.as_microsecond().saturating_sub(1));
        position.max(ListPosition { created_at: before.unwrap_or(self.begin), id: Uuid::max() })
    }
}
