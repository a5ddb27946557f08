//! Pages of lists in the store, with the total number of matches (D31 to D33).

use domain::date::Timestamp;
use domain::id::{SessionId, Uuid};
use domain::identifier::Reference;
use domain::period::Period;
use domain::policy_state::PolicyState;

/// Maximum number of records on a page (D33).
pub const LARGEST_PAGE: u8 = 100;

/// Selection of the records of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// All of a partner's records. Only for policies (D31).
    All,
    /// Records created on these days in Asia/Kolkata.
    Period(Period),
    /// Records created on these days that are in this state now. Only for the list of policies of all lines.
    PeriodIn(Period, PolicyState),
    /// Records of a session.
    Session(SessionId),
    /// Records with this reference of the partner. Only for proposals, and for the list of policies of all
    /// lines.
    Reference(Reference),
}

impl Selection {
    /// State that the selection requires, if any.
    pub fn state(&self) -> Option<PolicyState> {
        match self {
            Selection::PeriodIn(_, state) => Some(*state),
            Selection::All | Selection::Period(_) | Selection::Session(_) | Selection::Reference(_) => None,
        }
    }
}

/// Position in a list: that of the record with this creation time and id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListPosition {
    /// Creation time of the record.
    pub created_at: Timestamp,
    /// Id of the record. The id orders records of the same instant.
    pub id: Uuid,
}

impl ListPosition {
    /// The adjacent position, on the newer or older side.
    #[must_use]
    pub fn beside(self, newer: bool) -> Self {
        ListPosition { id: neighbour(self.id, newer), ..self }
    }
}

/// The next greater or next smaller id.
pub fn neighbour(id: Uuid, greater: bool) -> Uuid {
    let id = id.as_u128();
    Uuid::from_u128(if greater { id.saturating_add(1) } else { id.saturating_sub(1) })
}

/// Start of a page. Lists are ordered from newest to oldest; `None` is the first page.
pub type ListStart = Option<Beyond<ListPosition>>;

/// Start of a page, after or before a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond<P> {
    /// After the position, in list order.
    After(P),
    /// Before the position, against list order.
    Before(P),
}

impl<P: Copy> Beyond<P> {
    pub fn position(self) -> P {
        match self {
            Beyond::After(position) | Beyond::Before(position) => position,
        }
    }

    /// Converts the position.
    pub fn map<Q>(self, form: impl FnOnce(P) -> Q) -> Beyond<Q> {
        match self {
            Beyond::After(position) => Beyond::After(form(position)),
            Beyond::Before(position) => Beyond::Before(form(position)),
        }
    }

    /// Positions for the links of an empty page. The previous page is before the first position, and the next
    /// page is after the second position.
    ///
    /// The record of the cursor that led to the empty page is on one of these two pages. After the last
    /// record there is no page, so there is no second position. `beside` gives the adjacent position; with
    /// `true`, the one towards the end of the list.
    pub fn around(from: Option<Self>, beside: impl Fn(P, bool) -> P) -> (Option<P>, Option<P>) {
        match from {
            None => (None, None),
            Some(Beyond::After(last)) => (Some(beside(last, true)), None),
            Some(Beyond::Before(first)) => (Some(first), Some(beside(first, false))),
        }
    }
}

/// One page of a list, from one snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// Records of the page, newest first.
    pub records: Vec<T>,
    /// Whether there are newer records that match.
    pub has_newer: bool,
    /// Whether there are older records that match.
    pub has_older: bool,
    /// Number of all records that match, on all pages.
    pub count: u64,
}

impl<T> Default for Page<T> {
    /// Page of an empty list.
    fn default() -> Self {
        Page { records: Vec::new(), has_newer: false, has_older: false, count: 0 }
    }
}

impl<T> Page<T> {
    /// Converts each record of the page.
    ///
    /// # Errors
    /// The first error of `make`.
    pub fn try_map<U, E>(self, make: impl FnMut(T) -> Result<U, E>) -> Result<Page<U>, E> {
        let Page { records, has_newer, has_older, count } = self;
        let records = records.into_iter().map(make).collect::<Result<_, _>>()?;
        Ok(Page { records, has_newer, has_older, count })
    }
}
