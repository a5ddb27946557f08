//! Query parameters and page data of lists: filter, cursor, page size (interface §8; D31 to D33).

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
use crate::shape::{Described, PlainText, described};

/// Reads the query with the function `parameters`. The result also has the faults of invalid parameters.
pub(crate) fn list_ask(query: Query, parameters: fn(&mut Fields<'_>) -> ListAsk) -> ListAsk {
    let (ask, faults) = query.read(parameters);
    ListAsk { faults, ..ask }
}

/// Reads the query parameters of the list of proposals. Invalid parameters are left out; `fields` records
/// their faults.
pub(crate) fn proposal_parameters(fields: &mut Fields<'_>) -> ListAsk {
    let session = session(fields, "Only proposals of this session. Cannot be combined with days.");
    let first = "First day of creation, in Asia/Kolkata. Without `created_to`, the list covers the 31 days from this day.";
    let last = "Last day of creation, in Asia/Kolkata, at most 30 days after `created_from`. Without `created_from`, the list covers the 31 days up to this day.";
    let (start, end) = (day(fields, "created_from", first), day(fields, "created_to", last));
    let reference = reference(fields);
    ListAsk { session, reference, start, end, ..place(fields) }
}

/// Reads the query parameters of the list of claims. Invalid parameters are left out; `fields` records their
/// faults.
pub(crate) fn claim_parameters(fields: &mut Fields<'_>) -> ListAsk {
    let session = session(fields, "Only claims on policies of this session. Cannot be combined with days.");
    let first = "First day on which claims were reported, in Asia/Kolkata. Without `created_to`, the list covers the 31 days from this day.";
    let last = "Last day on which claims were reported, in Asia/Kolkata, at most 30 days after `created_from`. Without `created_from`, the list covers the 31 days up to this day.";
    let (start, end) = (day(fields, "created_from", first), day(fields, "created_to", last));
    ListAsk { session, start, end, ..place(fields) }
}

/// Reads the query parameters of the list of policies. Invalid parameters are left out; `fields` records
/// their faults.
pub(crate) fn policy_parameters(fields: &mut Fields<'_>) -> ListAsk {
    let session = session(fields, "Only policies of this session. Cannot be combined with days.");
    let first = "First day of issue, in Asia/Kolkata. Without `issued_to`, the list covers the 31 days from this day.";
    let last = "Last day of issue, in Asia/Kolkata, at most 30 days after `issued_from`. Without `issued_from`, the list covers the 31 days up to this day.";
    let (start, end) = (day(fields, "issued_from", first), day(fields, "issued_to", last));
    let state = "Only policies that have this status today. Needs `issued_from` or `issued_to`.";
    let state = fields.optional("status", described::<PolicyState>(state));
    let reference = reference(fields);
    ListAsk { session, reference, start, end, state: state.flatten(), ..place(fields) }
}

/// Reads the query parameters of the list of renewals. Invalid parameters are left out; `fields` records
/// their faults.
pub(crate) fn renewal_parameters(fields: &mut Fields<'_>) -> ListAsk {
    let first = "Only policies whose last day of cover is this day or later. Without `ends_to`, the list covers the 31 days from this day.";
    let last = "Only policies whose last day of cover is this day or earlier, at most 91 days after `ends_from`. Without `ends_from`, the list covers the 31 days up to this day.";
    let (start, end) = (day(fields, "ends_from", first), day(fields, "ends_to", last));
    ListAsk { start, end, ..place(fields) }
}

/// Reads the query parameters of the lists of stored quotes and of the deprecated lists. Invalid parameters
/// are left out; `fields` records their faults.
pub(crate) fn record_parameters(fields: &mut Fields<'_>) -> ListAsk {
    let session = session(fields, "Only records of this session. Cannot be combined with days.");
    let first =
        "First day, in Asia/Kolkata. Without `end_date`, the list covers the seven days from this day.";
    let last = "Last day, in Asia/Kolkata, at most 7 days after `start_date`. Without `start_date`, the list covers the seven days up to this day.";
    let (start, end) = (day(fields, "start_date", first), day(fields, "end_date", last));
    ListAsk { session, start, end, ..place(fields) }
}

fn session(fields: &mut Fields<'_>, description: &'static str) -> Option<String> {
    fields.optional("session_id", Described { of: PlainText::line(100), description }).flatten()
}

fn reference(fields: &mut Fields<'_>) -> Option<Reference> {
    let description = "Only records with this reference of yours. The reference is the value of the `context_data` key that you agreed with the operator, or the `user_id` of the token that opened the journey. Cannot be combined with other filters.";
    fields.optional("reference", described::<Reference>(description)).flatten()
}

fn day(fields: &mut Fields<'_>, name: &'static str, description: &'static str) -> Option<Date> {
    fields.optional(name, described::<IsoDate>(description)).flatten().map(|day| day.0)
}

/// Reads the query parameters that every list has: `next`, `prev` and `limit`.
fn place(fields: &mut Fields<'_>) -> ListAsk {
    let next = next(fields);
    let prev = fields.optional("prev", cursor("`start_cursor` of a page. Returns the page before it."));
    ListAsk { next, prev: prev.flatten(), limit: limit(fields), ..ListAsk::default() }
}

fn cursor(description: &'static str) -> Described<PlainText> {
    Described { of: PlainText::of(1000), description }
}

fn next(fields: &mut Fields<'_>) -> Option<String> {
    fields.optional("next", cursor("`end_cursor` of a page. Returns the page after it.")).flatten()
}

pub(crate) fn limit(fields: &mut Fields<'_>) -> Option<u8> {
    fields
        .optional("limit", Described { of: PageSize, description: "Maximum number of records in the page." })
        .flatten()
}

/// Position of a page in its list, with the number of all records.
#[derive(Serialize, ToSchema)]
pub(crate) struct PageEnds {
    /// Whether the list has older records after this page.
    has_next: bool,
    /// Whether the list has newer records before this page.
    has_prev: bool,
    /// Number of all records that match the filter, on all pages.
    count: u64,
    /// Cursor to get the next page: send it as `next`. Empty if the page has no records and you did not send
    /// `prev`.
    end_cursor: String,
    /// Cursor to get the previous page: send it as `prev`. Empty if the page has no records and you sent
    /// neither `next` nor `prev`.
    start_cursor: String,
}

impl PageEnds {
    /// Splits a page into its position in the list and its records.
    pub(crate) fn of<T>(page: ListPage<T>) -> (Self, Vec<T>) {
        let ListPage { records, has_next, has_prev, count, end_cursor, start_cursor, .. } = page;
        (PageEnds { has_next, has_prev, count, end_cursor, start_cursor }, records)
    }
}

/// Position of a page in its list, if the records of the list are not counted.
#[derive(Serialize, ToSchema)]
pub(crate) struct UncountedEnds {
    /// Whether the list has more records after this page.
    has_next: bool,
    /// Whether the list has records before this page.
    has_prev: bool,
    /// Always `null`, because the records of this list are not counted.
    #[schema(required = true)]
    count: Option<u64>,
    /// Cursor to get the next page: send it as `next`. Empty if the page has no records and you did not send
    /// `prev`.
    end_cursor: String,
    /// Cursor to get the previous page: send it as `prev`. Empty if the page has no records and you sent
    /// neither `next` nor `prev`.
    start_cursor: String,
}

/// Position of a record in a list. The adjacent positions can be computed.
pub(crate) trait Position: Copy {
    /// Adjacent position: the next one if `towards_end`, otherwise the previous one.
    fn beside(self, towards_end: bool) -> Self;

    /// This position as the text of a cursor.
    fn cursor(self) -> String;
}

impl UncountedEnds {
    /// Position data of a page. `from` is the cursor of the request. `has_more`: more records follow in the
    /// direction of `from`. `ends` are the positions of the page's first and last record.
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

    /// Splits a page with ready cursors into its position in the list and its records.
    pub(crate) fn of_page<T>(page: ListPage<T>) -> (Self, Vec<T>) {
        let ListPage { records, has_next, has_prev, end_cursor, start_cursor, .. } = page;
        (UncountedEnds { has_next, has_prev, count: None, end_cursor, start_cursor }, records)
    }
}

/// A list of events is ordered by event id, newest first.
impl Position for EventId {
    fn beside(self, towards_end: bool) -> Self {
        EventId::from_uuid(neighbour(self.uuid(), !towards_end))
    }

    fn cursor(self) -> String {
        self.to_string()
    }
}

/// Reads `next` and `prev`, the query parameters that select a page.
pub(crate) fn beyond<S: Shape>(
    fields: &mut Fields<'_>,
    position: impl Fn() -> S,
) -> Option<Beyond<S::Value>> {
    let next =
        Described { of: position(), description: "`end_cursor` of a page. Returns the page after it." };
    let prev =
        Described { of: position(), description: "`start_cursor` of a page. Returns the page before it." };
    let (next, prev) = (fields.optional("next", next).flatten(), fields.optional("prev", prev).flatten());
    match (next, prev) {
        (Some(_), Some(_)) => {
            fields.fault("prev", "Send next or prev, not both.");
            None
        }
        (Some(next), None) => Some(Beyond::After(next)),
        (None, prev) => prev.map(Beyond::Before),
    }
}

/// Shape of `limit`, the maximum number of records in a page (D33).
struct PageSize;

impl Shape for PageSize {
    type Value = u8;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<u8> {
        let Some(text) = value.as_str().map(str::trim) else {
            at.mismatch(value, &self.wanted());
            return None;
        };
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let size = text.parse().ok().filter(|size| digits && (1..=LARGEST_PAGE).contains(size));
        if size.is_none() {
            at.invalid(&self.wanted());
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
