//! Lists: what a partner may ask of one, and the page that answers (interface §8; D31 to D33, D35, D47).
//!
//! Uses `error`, `shared`.
//!

pub(crate) mod cursor;

use std::sync::Arc;

use domain::date::Date;
use domain::id::PartnerId;
use domain::identifier::Reference;
use domain::period::{NoPeriod, Period};
use domain::policy_state::PolicyState;

use crate::error::{Error, Fault, Faults, Result};
use crate::keys::KeyPurpose;
use crate::list::cursor::{Cursor, DayFilter, ListKind};
use crate::shared::Shared;
use crate::storage::lists::{Beyond, ListPosition, ListStart, Page, Selection};

pub use crate::storage::lists::LARGEST_PAGE;

/// Records of a page where nothing else is asked for (D33).
pub const PAGE: u8 = 20;

/// What is asked of a list, as far as it could be read.
#[derive(Debug, Clone, Default)]
pub struct ListAsk {
    /// A session's id as it was sent.
    pub session: Option<String>,
    /// A reference of the partner's, where the list has them.
    pub reference: Option<Reference>,
    /// First day.
    pub start: Option<Date>,
    /// Last day.
    pub end: Option<Date>,
    /// The state in which policies stand. Beside days alone.
    pub state: Option<PolicyState>,
    /// The `end_cursor` of an earlier page.
    pub next: Option<String>,
    /// The `start_cursor` of an earlier page.
    pub prev: Option<String>,
    /// Records of a page, 1 to [`LARGEST_PAGE`].
    pub limit: Option<u8>,
    /// What could not be read; a field with a fault here is `None` above.
    pub faults: Faults,
}

/// What an ask comes to.
pub(crate) struct Resolved {
    /// Which records. `None`: those of a session whose id is no id, which are none (D47).
    pub(crate) which: Option<Selection>,
    pub(crate) from: ListStart,
    pub(crate) limit: u8,
    /// The session asked for, as it was sent (D35).
    session: Option<String>,
}

/// A page as it is answered.
pub struct ListPage<T> {
    /// The records, newest first.
    pub records: Vec<T>,
    /// Whether older ones follow.
    pub has_next: bool,
    /// Whether newer ones come before.
    pub has_prev: bool,
    /// All that match, whatever the page.
    pub count: u64,
    /// What to send as `next`; empty on an empty page that no cursor led to.
    pub end_cursor: String,
    /// What to send as `prev`; empty on an empty page that no cursor led to.
    pub start_cursor: String,
    /// The session asked for.
    pub session: Option<String>,
}

const OTHER_FILTER: &str = "Send this cursor alone, or with the filter of its first page.";
const STATE_ALONE: &str = "Send status with issued_from or issued_to, and without session_id.";
const BAD_CURSOR: &str = "Must be a cursor of an earlier page of this list, unchanged.";

/// Judges what is asked of lists, and makes their pages.
pub struct Lists {
    pub(crate) shared: Arc<Shared>,
}

impl Lists {
    /// Judges what is asked of a list.
    ///
    /// # Errors
    /// [`Error::Invalid`] with every fault (D31, D32, D33).
    pub(crate) fn resolve(&self, of: PartnerId, list: ListKind, mut ask: ListAsk) -> Result<Resolved> {
        let mut faults = std::mem::take(&mut ask.faults);
        let paged = ask.next.is_some() || ask.prev.is_some();
        let filter = Filter::of(&ask, list.days(), &mut faults);
        let whole = filter.is_none() && !paged && faults.0.is_empty() && list.may_be_whole();
        let filter = if whole { Some(Filter::All) } else { filter };
        let (name, cursor) = match (&ask.next, &ask.prev) {
            (Some(_), Some(_)) => {
                fault(&mut faults, "prev", "Send next or prev, not both.");
                ("next", None)
            }
            (Some(text), None) => ("next", Some(text)),
            (None, Some(text)) => ("prev", Some(text)),
            (None, None) => ("next", None),
        };
        let cursor = cursor.and_then(|text| {
            let hashers = self.shared.directory.hashers(KeyPurpose::Cursor);
            let read = hashers.iter().find_map(|hasher| Cursor::of_text(text, hasher, of, list));
            if read.is_none() {
                fault(&mut faults, name, BAD_CURSOR);
            }
            read
        });
        if let (Some(cursor), Some(filter)) = (&cursor, &filter)
            && Some(&cursor.which) != filter.selection().as_ref()
        {
            fault(&mut faults, filter.field(list.days()), OTHER_FILTER);
        }
        if filter.is_none() && !paged && faults.0.is_empty() {
            let DayFilter { first, last, .. } = list.days();
            let reference = if list.has_references() { ", or a reference" } else { "" };
            let message = format!("Required: session_id, or {first} or {last} or both{reference}.");
            fault(&mut faults, "session_id", &message);
        }
        if !faults.0.is_empty() {
            return Err(Error::Invalid(faults));
        }
        let (which, from) = match (&cursor, &filter) {
            (Some(cursor), _) if name == "next" => {
                (Some(cursor.which.clone()), Some(Beyond::After(cursor.position)))
            }
            (Some(cursor), _) => (Some(cursor.which.clone()), Some(Beyond::Before(cursor.position))),
            (None, Some(filter)) => (filter.selection(), None),
            (None, None) => return Err(Error::Internal("a list without filter and cursor".into())),
        };
        let session = match &which {
            Some(Selection::Session(session)) => Some(session.to_string()),
            Some(_) => None,
            None => ask.session,
        };
        let limit = ask.limit.or(cursor.map(|cursor| cursor.limit)).unwrap_or(PAGE);
        Ok(Resolved { which, from, limit, session })
    }

    /// The page of what was read, with cursors to go on from.
    pub(crate) fn page<T>(
        &self,
        of: PartnerId,
        list: ListKind,
        resolved: Resolved,
        page: Page<T>,
        position: impl Fn(&T) -> ListPosition,
    ) -> ListPage<T> {
        let Resolved { which, limit, session, from } = resolved;
        let hasher = self.shared.directory.hasher(KeyPurpose::Cursor);
        let cursor = |position: Option<ListPosition>| match (position, &which) {
            (Some(position), Some(which)) => {
                Cursor { which: which.clone(), limit, position }.to_text(&hasher, of, list)
            }
            _ => String::new(),
        };
        let (start, end) = match (page.records.first(), page.records.last()) {
            (Some(first), Some(last)) => (Some(position(first)), Some(position(last))),
            // Renewals go from the least position to the greatest.
            _ => Beyond::around(from, |position, towards_end| {
                position.beside(towards_end == matches!(list, ListKind::Renewals))
            }),
        };
        ListPage {
            start_cursor: cursor(start),
            end_cursor: cursor(end),
            has_next: page.has_older,
            has_prev: page.has_newer,
            count: page.count,
            records: page.records,
            session,
        }
    }
}

/// Which records are asked for.
enum Filter {
    All,
    Period(Period, Option<PolicyState>),
    /// A session, where its id is one.
    Session(Option<domain::id::SessionId>),
    Reference(Reference),
}

impl Filter {
    /// The filter of an ask, where it has one. Its faults are noted.
    fn of(ask: &ListAsk, days: DayFilter, faults: &mut Faults) -> Option<Filter> {
        let DayFilter { first, last, limits } = days;
        let both = format!("Send session_id, or {first} and {last}, not both.");
        // A date that could not be read is there all the same, and says nothing about the other one.
        let unread = |name: &str| faults.0.iter().any(|fault| fault.field == name);
        if unread(first) || unread(last) {
            if ask.session.is_some() {
                fault(faults, "session_id", &both);
            }
            return None;
        }
        let period = match (ask.start, ask.end) {
            (None, None) => None,
            (Some(start), None) => Some((first, Period::from(start, limits))),
            (None, Some(end)) => Some((last, Period::up_to(end, limits))),
            (Some(start), Some(end)) => Some((last, Period::between(start, end, limits))),
        };
        if let Some(reference) = &ask.reference {
            if ask.session.is_some() || period.is_some() || ask.state.is_some() {
                fault(
                    faults,
                    "reference",
                    &format!("Send reference without session_id, {first}, {last} and status."),
                );
                return None;
            }
            return Some(Filter::Reference(reference.clone()));
        }
        if ask.state.is_some() && period.is_none() {
            fault(faults, "status", STATE_ALONE);
            return None;
        }
        match (&ask.session, period) {
            (Some(_), Some(_)) => {
                fault(faults, "session_id", &both);
                None
            }
            (Some(session), None) => Some(Filter::Session(session.parse().ok())),
            (None, Some((_, Ok(period)))) => Some(Filter::Period(period, ask.state)),
            (None, Some((name, Err(why)))) => {
                let message = match why {
                    NoPeriod::Reversed => {
                        format!("Must be {first} or later.")
                    }
                    NoPeriod::TooLong => format!("Must be at most {} days after {first}.", limits.longest),
                    NoPeriod::BeyondTheCalendar => "The day is out of range.".to_owned(),
                };
                fault(faults, name, &message);
                None
            }
            (None, None) => None,
        }
    }

    fn selection(&self) -> Option<Selection> {
        match self {
            Filter::All => Some(Selection::All),
            Filter::Period(period, None) => Some(Selection::Period(*period)),
            Filter::Period(period, Some(state)) => Some(Selection::PeriodIn(*period, *state)),
            Filter::Session(session) => session.map(Selection::Session),
            Filter::Reference(reference) => Some(Selection::Reference(reference.clone())),
        }
    }

    /// The field that a fault of it is told at.
    fn field(&self, days: DayFilter) -> &'static str {
        match self {
            Filter::All | Filter::Period(..) => days.first,
            Filter::Session(_) => "session_id",
            Filter::Reference(_) => "reference",
        }
    }
}

fn fault(faults: &mut Faults, field: &str, message: &str) {
    faults.0.push(Fault { field: field.into(), message: message.into() });
}
