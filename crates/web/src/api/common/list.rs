//! The query of a list: filter, cursor, page size (interface §8; D31 to D33).

use domain::date::Date;
use domain::id::EventId;
use domain::identifier::Reference;
use domain::period::IsoDate;
use domain::policy_state::PolicyState;
use serde::Serialize;
use serde_json::{Value, json};
use service::list::{LARGEST_PAGE, ListAsk, ListPage};
use service::storage::lists::{Beyond, neighbour};
use utoipa::ToSchema;

use crate::query::Query;
use crate::reader::{FieldLocation, Fields, Shape};
use crate::shape::{Described, PlainText, text};
use crate::wording::kind_of;

/// What is asked of a list, with the faults of its parameters. `parameters` reads them.
pub(crate) fn list_ask(query: Query, parameters: fn(&mut Fields<'_>) -> ListAsk) -> ListAsk {
    let (ask, faults) = query.read(parameters);
    ListAsk { faults, ..ask }
}

/// Reads the parameters of the list of proposals. One with a fault is left out.
pub(crate) fn proposal_parameters(fields: &mut Fields<'_>) -> ListAsk {
    let session = session(fields, "The proposals of this session. Not beside dates.");
    let first = "First day of creation in Asia/Kolkata. Alone, it stands for the 31 days from it.";
    let last = "Last day of creation in Asia/Kolkata, at most 30 after the first. Alone, it stands for the 31 days up to it.";
    let (start, end) = (day(fields, "created_from", first), day(fields, "created_to", last));
    let reference = reference(fields);
    ListAsk { session, reference, start, end, ..place(fields) }
}

/// Reads the parameters of the list of claims. One with a fault is left out.
pub(crate) fn claim_parameters(fields: &mut Fields<'_>) -> ListAsk {
    let session = session(fields, "The claims on policies of this session. Not beside dates.");
    let first = "First day of notice in Asia/Kolkata. Alone, it stands for the 31 days from it.";
    let last = "Last day of notice in Asia/Kolkata, at most 30 after the first. Alone, it stands for the 31 days up to it.";
    let (start, end) = (day(fields, "created_from", first), day(fields, "created_to", last));
    ListAsk { session, start, end, ..place(fields) }
}

/// Reads the parameters of the list of policies. One with a fault is left out.
pub(crate) fn policy_parameters(fields: &mut Fields<'_>) -> ListAsk {
    let session = session(fields, "The policies of this session. Not beside dates.");
    let first = "First day of issue in Asia/Kolkata. Alone, it stands for the 31 days from it.";
    let last = "Last day of issue in Asia/Kolkata, at most 30 after the first. Alone, it stands for the 31 days up to it.";
    let (start, end) = (day(fields, "issued_from", first), day(fields, "issued_to", last));
    let state = "Those that stand in this state today. Beside dates alone.";
    let state = fields.optional("status", Described { of: text::<PolicyState>(), description: state });
    let reference = reference(fields);
    ListAsk { session, reference, start, end, state: state.flatten(), ..place(fields) }
}

/// Reads the parameters of the list of renewals. One with a fault is left out.
pub(crate) fn renewal_parameters(fields: &mut Fields<'_>) -> ListAsk {
    let first = "First of the last days of cover. Alone, it stands for the 31 days from it.";
    let last = "Last of them, at most 91 after the first. Alone, it stands for the 31 days up to it.";
    let (start, end) = (day(fields, "ends_from", first), day(fields, "ends_to", last));
    ListAsk { start, end, ..place(fields) }
}

/// Reads the parameters of a list. One with a fault is left out.
pub(crate) fn record_parameters(fields: &mut Fields<'_>) -> ListAsk {
    let session = session(fields, "The records of this session. Not beside dates.");
    let first = "First day in Asia/Kolkata. Alone, it stands for the seven days from it.";
    let last =
        "Last day in Asia/Kolkata, at most 7 after the first. Alone, it stands for the seven days up to it.";
    let (start, end) = (day(fields, "start_date", first), day(fields, "end_date", last));
    ListAsk { session, start, end, ..place(fields) }
}

fn session(fields: &mut Fields<'_>, description: &'static str) -> Option<String> {
    fields.optional("session_id", Described { of: PlainText::line(100), description }).flatten()
}

fn reference(fields: &mut Fields<'_>) -> Option<Reference> {
    let description = "Those that you call so: the value of context_data that the operator has named, or the user_id of the token with which a journey was opened. Alone.";
    fields.optional("reference", Described { of: text::<Reference>(), description }).flatten()
}

fn day(fields: &mut Fields<'_>, name: &'static str, description: &'static str) -> Option<Date> {
    fields.optional(name, Described { of: text::<IsoDate>(), description }).flatten().map(|day| day.0)
}

/// Reads the place in a list: the parameters that every list has.
fn place(fields: &mut Fields<'_>) -> ListAsk {
    let next = next(fields);
    let prev = fields.optional("prev", cursor("The start_cursor of a page: goes back before it."));
    ListAsk { next, prev: prev.flatten(), limit: limit(fields), ..ListAsk::default() }
}

fn cursor(description: &'static str) -> Described<PlainText> {
    Described { of: PlainText::of(1000), description }
}

fn next(fields: &mut Fields<'_>) -> Option<String> {
    fields.optional("next", cursor("The end_cursor of a page: goes on behind it.")).flatten()
}

pub(crate) fn limit(fields: &mut Fields<'_>) -> Option<u8> {
    fields.optional("limit", Described { of: PageSize, description: "Records of a page." }).flatten()
}

/// What the pages of the lists over every line say beside their records.
#[derive(Serialize, ToSchema)]
pub(crate) struct PageEnds {
    /// Whether older ones follow.
    has_next: bool,
    /// Whether newer ones come before.
    has_prev: bool,
    /// All that match, whatever the page.
    count: u64,
    /// What to send as `next`; empty on an empty page that no cursor led to.
    end_cursor: String,
    /// What to send as `prev`; empty on an empty page that no cursor led to.
    start_cursor: String,
}

impl PageEnds {
    /// Those of a page, with its records.
    pub(crate) fn of<T>(page: ListPage<T>) -> (Self, Vec<T>) {
        let ListPage { records, has_next, has_prev, count, end_cursor, start_cursor, .. } = page;
        (PageEnds { has_next, has_prev, count, end_cursor, start_cursor }, records)
    }
}

/// What the pages of lists say whose records nobody counts.
#[derive(Serialize, ToSchema)]
pub(crate) struct UncountedEnds {
    /// Whether more follow, in the order of the list.
    has_next: bool,
    /// Whether some come before.
    has_prev: bool,
    /// `null`: the records of this list are not counted.
    #[schema(required = true)]
    count: Option<u64>,
    /// What to send as `next`; empty on an empty page, unless `prev` led to it.
    end_cursor: String,
    /// What to send as `prev`; empty on an empty page that no cursor led to.
    start_cursor: String,
}

/// A position whose neighbours are known.
pub(crate) trait Position: Copy {
    /// The position beside it, towards the end of the list or towards its beginning.
    fn beside(self, towards_end: bool) -> Self;

    /// Its cursor.
    fn cursor(self) -> String;
}

impl UncountedEnds {
    /// Those of a page that was asked for beyond a position, with the positions of its first and its last record. `has_more`: in the
    /// direction in which it was asked for.
    pub(crate) fn of<P: Position>(from: Option<Beyond<P>>, has_more: bool, ends: Option<(P, P)>) -> Self {
        let (has_prev, has_next) = match from {
            None => (false, has_more),
            Some(Beyond::After(_)) => (true, has_more),
            Some(Beyond::Before(_)) => (has_more, true),
        };
        let around = || Beyond::around(from, P::beside);
        let (start, end) = ends.map_or_else(around, |(first, last)| (Some(first), Some(last)));
        let cursor = |position: Option<P>| position.map(P::cursor).unwrap_or_default();
        UncountedEnds {
            has_next,
            has_prev,
            count: None,
            end_cursor: cursor(end),
            start_cursor: cursor(start),
        }
    }

    /// Those of a page of a list that has cursors of its own.
    pub(crate) fn of_page<T>(page: ListPage<T>) -> (Self, Vec<T>) {
        let ListPage { records, has_next, has_prev, end_cursor, start_cursor, .. } = page;
        (UncountedEnds { has_next, has_prev, count: None, end_cursor, start_cursor }, records)
    }
}

/// Lists of events go from the newest to the oldest, by their ids.
impl Position for EventId {
    fn beside(self, towards_end: bool) -> Self {
        EventId::from_uuid(neighbour(self.uuid(), !towards_end))
    }

    fn cursor(self) -> String {
        self.to_string()
    }
}

/// Reads where a page begins: the parameters that every list has.
pub(crate) fn beyond<S: Shape>(
    fields: &mut Fields<'_>,
    position: impl Fn() -> S,
) -> Option<Beyond<S::Value>> {
    let next = Described { of: position(), description: "The end_cursor of a page: goes on behind it." };
    let prev = Described { of: position(), description: "The start_cursor of a page: goes back before it." };
    let (next, prev) = (fields.optional("next", next).flatten(), fields.optional("prev", prev).flatten());
    match (next, prev) {
        (Some(_), Some(_)) => {
            fields.fault("prev", "Must not be sent beside next.");
            None
        }
        (Some(next), None) => Some(Beyond::After(next)),
        (None, prev) => prev.map(Beyond::Before),
    }
}

/// Records of a page (D33).
struct PageSize;

impl Shape for PageSize {
    type Value = u8;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<u8> {
        let Some(text) = value.as_str().map(str::trim) else {
            at.mismatch(kind_of(value), &self.wanted());
            return None;
        };
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let size = text.parse().ok().filter(|size| digits && (1..=LARGEST_PAGE).contains(size));
        if size.is_none() {
            let found =
                if digits { "a number outside that range" } else { "text that is not a whole number" };
            at.mismatch(found, &self.wanted());
        }
        size
    }

    fn wanted(&self) -> String {
        format!("a whole number from 1 to {LARGEST_PAGE}")
    }

    fn schema(&self) -> Value {
        json!({ "type": "integer", "minimum": 1, "maximum": LARGEST_PAGE, "default": service::list::PAGE })
    }
}
