//! How lists are read from a store: a page by its position, and the count of all that match (D31 to D33).

use domain::date::Timestamp;
use domain::id::{SessionId, Uuid};
use domain::identifier::Reference;
use domain::period::Period;
use domain::policy_state::PolicyState;

/// The most records of a page (D33).
pub const LARGEST_PAGE: u8 = 100;

/// Which records a list has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// All of a partner's. Policies alone may be listed so (D31).
    All,
    /// Those created on these days in Asia/Kolkata.
    Period(Period),
    /// Those created on these days that stand in a state now. Policies of every line alone are listed so.
    PeriodIn(Period, PolicyState),
    /// Those of a session.
    Session(SessionId),
    /// Those under a reference of the partner's. Proposals and policies of every line alone are listed so.
    Reference(Reference),
}

impl Selection {
    /// The state in which its records stand, where it asks for one.
    pub fn state(&self) -> Option<PolicyState> {
        match self {
            Selection::PeriodIn(_, state) => Some(*state),
            Selection::All | Selection::Period(_) | Selection::Session(_) | Selection::Reference(_) => None,
        }
    }
}

/// A position in a list: between the record with this key and its neighbour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ListPosition {
    /// When the record was created.
    pub created_at: Timestamp,
    /// Its id, which decides between records of one instant.
    pub id: Uuid,
}

impl ListPosition {
    /// The position next to it, on its newer or its older side.
    #[must_use]
    pub fn beside(self, newer: bool) -> Self {
        ListPosition { id: neighbour(self.id, newer), ..self }
    }
}

/// The id next to one.
pub fn neighbour(id: Uuid, greater: bool) -> Uuid {
    let id = id.as_u128();
    Uuid::from_u128(if greater { id.saturating_add(1) } else { id.saturating_sub(1) })
}

/// Which page of a list is read. Lists go from the newest record to the oldest; `None` is the first page.
pub type ListStart = Option<Beyond<ListPosition>>;

/// Where a page of a list begins that another page leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beyond<P> {
    /// Behind a position: in the order of the list.
    After(P),
    /// Before it: against the order of the list.
    Before(P),
}

impl<P: Copy> Beyond<P> {
    /// The position.
    pub fn position(self) -> P {
        match self {
            Beyond::After(position) | Beyond::Before(position) => position,
        }
    }

    /// The same with another form of the position.
    pub fn map<Q>(self, form: impl FnOnce(P) -> Q) -> Beyond<Q> {
        match self {
            Beyond::After(position) => Beyond::After(form(position)),
            Beyond::Before(position) => Beyond::Before(form(position)),
        }
    }

    /// The positions around an empty page: what comes before it is before the first, what follows is after the second, and the
    /// record of the cursor that led here is among them. Behind the last record nothing follows, so that there is no second one.
    /// `beside`: the position next to one, towards the end of the list if so.
    pub fn around(from: Option<Self>, beside: impl Fn(P, bool) -> P) -> (Option<P>, Option<P>) {
        match from {
            None => (None, None),
            Some(Beyond::After(last)) => (Some(beside(last, true)), None),
            Some(Beyond::Before(first)) => (Some(first), Some(beside(first, false))),
        }
    }
}

/// One page, as it was at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The records, newest first.
    pub records: Vec<T>,
    /// Whether there are newer records that match.
    pub has_newer: bool,
    /// Whether there are older records that match.
    pub has_older: bool,
    /// All that match, whatever the page.
    pub count: u64,
}

impl<T> Default for Page<T> {
    /// The page of a list that has nothing.
    fn default() -> Self {
        Page { records: Vec::new(), has_newer: false, has_older: false, count: 0 }
    }
}

impl<T> Page<T> {
    /// The page with each record made into something else.
    ///
    /// # Errors
    /// The first that could not be.
    pub fn try_map<U, E>(self, make: impl FnMut(T) -> Result<U, E>) -> Result<Page<U>, E> {
        let Page { records, has_newer, has_older, count } = self;
        let records = records.into_iter().map(make).collect::<Result<_, _>>()?;
        Ok(Page { records, has_newer, has_older, count })
    }
}
