//! Pages of lists: entered by the place beside which they lie, so that the thousandth costs what the first does (D33).

use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use rusqlite::types::Value;
use rusqlite::{Connection, Row, params_from_iter};
use service::storage::StorageError;
use service::storage::lists::{From, Page, Place, Selection};

use super::count;
use super::row::fault;
use crate::rows::counted::Counted;
use crate::rows::id_bytes;
use crate::rows::place::{Days, NEWEST, Placed};

/// The statements that read a list. Each takes the partner, a bound, a place and how many.
pub(super) struct Statements {
    pub(super) older_of_days: &'static str,
    pub(super) newer_of_days: &'static str,
    pub(super) older_of_session: &'static str,
    pub(super) newer_of_session: &'static str,
}

/// A row of a list, whose body is still closed.
pub(super) trait Listed: Placed {
    const STATEMENTS: Statements;
    const COUNTED: Counted;

    fn columns(row: &Row<'_>) -> rusqlite::Result<Self>
    where
        Self: Sized;
}

/// A page with the count of all, whose rows are still closed.
pub(super) fn page<L: Listed>(
    from: &Connection,
    of: PartnerId,
    which: Selection,
    start: From,
    most: usize,
) -> Result<Page<L>, StorageError> {
    let older = |place: Place, most: usize| rows::<L>(from, of, which, place, true, most);
    let newer = |place: Place, most: usize| rows::<L>(from, of, which, place, false, most);
    // One more than asked for tells whether the list goes on.
    let (found, has_newer, has_older) = match start {
        From::Newest | From::Behind(_) => {
            let place = if let From::Behind(place) = start { place } else { NEWEST };
            let mut found = older(place, most + 1)?;
            let has_older = found.len() > most;
            found.truncate(most);
            let has_newer = match (start, found.first()) {
                (From::Newest, _) => false,
                (_, Some(first)) => !newer(first.place(), 1)?.is_empty(),
                // The page lies behind the record at the place, which is newer than the page then.
                (_, None) => !newer(beside(place, false), 1)?.is_empty(),
            };
            (found, has_newer, has_older)
        }
        From::Before(place) => {
            let mut found = newer(place, most + 1)?;
            let has_newer = found.len() > most;
            found.truncate(most);
            found.reverse();
            let last = found.last().map_or(beside(place, true), L::place);
            (found, has_newer, !older(last, 1)?.is_empty())
        }
    };
    let count = count::read(from, L::COUNTED, of, which)?;
    Ok(Page { records: found, has_newer, has_older, count })
}

/// The place next to a record's, on its newer or its older side, so that the record lies on the other.
fn beside(place: Place, newer: bool) -> Place {
    let id = place.id.as_u128();
    let id = if newer { id.saturating_add(1) } else { id.saturating_sub(1) };
    Place { id: Uuid::from_u128(id), ..place }
}

/// The rows of a selection behind a place (older) or before it (newer), nearest first.
fn rows<L: Listed>(
    from: &Connection,
    of: PartnerId,
    which: Selection,
    place: Place,
    older: bool,
    most: usize,
) -> Result<Vec<L>, StorageError> {
    let bytes = |bytes: [u8; 16]| Value::Blob(bytes.to_vec());
    let micros = |at: Timestamp| Value::Integer(at.as_microsecond());
    let statements = L::STATEMENTS;
    let of_days = |days: Days| {
        if older {
            (statements.older_of_days, micros(days.begin), days.before(place))
        } else {
            (statements.newer_of_days, micros(days.over), days.behind(place))
        }
    };
    let (statement, bound, place) = match which {
        Selection::All => of_days(Days::ALL),
        Selection::Period(period) => {
            let (begin, over) = period.instants();
            of_days(Days { begin, over })
        }
        Selection::Session(session) => {
            let statement = if older { statements.older_of_session } else { statements.newer_of_session };
            (statement, bytes(id_bytes(session)), place)
        }
    };
    let values = [
        bytes(id_bytes(of)),
        bound,
        micros(place.created_at),
        bytes(*place.id.as_bytes()),
        Value::Integer(most as i64),
    ];
    let mut read = from.prepare_cached(statement).map_err(fault)?;
    let found = read.query_map(params_from_iter(values), L::columns);
    found.map_err(fault)?.collect::<Result<_, _>>().map_err(fault)
}
