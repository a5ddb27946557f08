//! Lists that partners request, with filters and pages (interface §8; D31 to D33, D35, D47).
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

/// Records per page, if the request has no `limit` (D33).
pub const PAGE: u8 = 20;

/// Parameters of a list request, as far as they could be read.
#[derive(Debug, Clone, Default)]
pub struct ListAsk {
    /// Session id, as it was sent.
    pub session: Option<String>,
    /// Partner's reference. `None` if the list cannot be filtered by references.
    pub reference: Option<Reference>,
    pub start: Option<Date>,
    pub end: Option<Date>,
    /// State of policies. A request may have it only together with days.
    pub state: Option<PolicyState>,
    /// The `end_cursor` of an earlier page.
    pub next: Option<String>,
    /// The `start_cursor` of an earlier page.
    pub prev: Option<String>,
    /// Records per page, 1 to [`LARGEST_PAGE`].
    pub limit: Option<u8>,
    /// Faults of parameters that could not be read. The fields of these parameters are `None`.
    pub faults: Faults,
}

/// Checked list request.
pub(crate) struct Resolved {
    /// Selection of the records to read. `None` if the session id is malformed: the list is then empty (D47).
    pub(crate) which: Option<Selection>,
    pub(crate) from: ListStart,
    pub(crate) limit: u8,
    /// Session id that the request filters by, as it was sent (D35).
    session: Option<String>,
}

/// Page of a list.
pub struct ListPage<T> {
    /// Newest record first. Policies due for renewal: earliest last day first.
    pub records: Vec<T>,
    /// Whether there are more records after this page.
    pub has_next: bool,
    /// Whether there are more records before this page.
    pub has_prev: bool,
    /// Number of all matching records. Every page of the list has it.
    pub count: u64,
    /// Cursor to send as `next` for the following page. Empty if the page is empty and the request had no
    /// `prev`.
    pub end_cursor: String,
    /// Cursor to send as `prev` for the previous page. Empty if the page is empty and the request had no
    /// cursor.
    pub start_cursor: String,
    /// Session id that the request filters by.
    pub session: Option<String>,
}

const OTHER_FILTER: &str = "Send this cursor alone, or with the filter of its first page.";
const STATE_ALONE: &str = "Send status with issued_from or issued_to, and without session_id.";
const BAD_CURSOR: &str = "Must be a cursor of an earlier page of this list, unchanged.";

/// Checks list requests and makes their pages.
pub struct Lists {
    pub(crate) shared: Arc<Shared>,
}

impl Lists {
    /// Checks a list request.
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
            (None, None) => {
                return Err(Error::Internal("a list request has neither filter nor cursor".into()));
            }
        };
        let session = match &which {
            Some(Selection::Session(session)) => Some(session.to_string()),
            Some(_) => None,
            None => ask.session,
        };
        let limit = ask.limit.or(cursor.map(|cursor| cursor.limit)).unwrap_or(PAGE);
        Ok(Resolved { which, from, limit, session })
    }

    /// Page with the records that were read, and with cursors for its neighbours.
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
            // Policies due for renewal are listed from the lowest position to the highest.
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

/// Filter of a list request.
enum Filter {
    All,
    Period(Period, Option<PolicyState>),
    /// A session. `None` if the session id is malformed.
    Session(Option<domain::id::SessionId>),
    Reference(Reference),
}

impl Filter {
    /// Filter of a request, if it has one. Faults of the filter are added to `faults`.
    fn of(ask: &ListAsk, days: DayFilter, faults: &mut Faults) -> Option<Filter> {
        let DayFilter { first, last, limits } = days;
        let both = format!("Send session_id, or {first} and {last}, not both.");
        // If one date cannot be read, the request still has a day filter. The other date gets no fault for
        // that.
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

    /// Query parameter at which a fault of the filter is reported.
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
