//! Pages of lists: entered by the position beside which they lie, so that the thousandth costs what the first does (D33).

use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use service::storage::StorageError;
use service::storage::lists::{ListPosition, ListStart, Page, Selection};

use super::count;
use super::row::{by, fault};
use crate::rows::id_bytes;
use crate::rows::list::List;
use crate::rows::position::{Days, Listed, NEWEST};
use crate::seal::Seal;

/// A page with the count of all, whose rows are still closed.
pub(super) fn page<L: Listed>(
    from: &Connection,
    seal: &Seal,
    list: &List,
    of: PartnerId,
    which: &Selection,
    start: ListStart,
    most: usize,
) -> Result<Page<L>, StorageError> {
    let tags = match which {
        Selection::Reference(reference) => list.tags(seal, reference)?,
        _ => [[0; 16]; 2],
    };
    let reader = Reader { from, list, of, which, tags };
    let older = |position: ListPosition, most: usize| reader.rows::<L>(position, true, most);
    let newer = |position: ListPosition, most: usize| reader.rows::<L>(position, false, most);
    // One more than asked for tells whether the list goes on.
    let (found, has_newer, has_older) = match start {
        ListStart::Newest | ListStart::After(_) => {
            let position = if let ListStart::After(position) = start { position } else { NEWEST };
            let mut found = older(position, most + 1)?;
            let has_older = found.len() > most;
            found.truncate(most);
            let has_newer = match (start, found.first()) {
                (ListStart::Newest, _) => false,
                (_, Some(first)) => !newer(first.position(), 1)?.is_empty(),
                // The page lies behind the record at the position, which is newer than the page then.
                (_, None) => !newer(beside(position, false), 1)?.is_empty(),
            };
            (found, has_newer, has_older)
        }
        ListStart::Before(position) => {
            let mut found = newer(position, most + 1)?;
            let has_newer = found.len() > most;
            found.truncate(most);
            found.reverse();
            let last = found.last().map_or(beside(position, true), L::position);
            (found, has_newer, !older(last, 1)?.is_empty())
        }
    };
    let count = count::read(from, list, of, which, tags)?;
    Ok(Page { records: found, has_newer, has_older, count })
}

/// The position next to a record's, on its newer or its older side, so that the record lies on the other.
fn beside(position: ListPosition, newer: bool) -> ListPosition {
    let id = position.id.as_u128();
    let id = if newer { id.saturating_add(1) } else { id.saturating_sub(1) };
    ListPosition { id: Uuid::from_u128(id), ..position }
}

/// Reads a selection of a list.
struct Reader<'a> {
    from: &'a Connection,
    list: &'a List,
    of: PartnerId,
    which: &'a Selection,
    /// Where the selection is a reference.
    tags: [[u8; 16]; 2],
}

impl Reader<'_> {
    /// The rows behind a position (older) or before it (newer), nearest first.
    fn rows<L: Listed>(
        &self,
        position: ListPosition,
        older: bool,
        most: usize,
    ) -> Result<Vec<L>, StorageError> {
        let bytes = |bytes: [u8; 16]| Value::Blob(bytes.to_vec());
        let micros = |at: Timestamp| Value::Integer(at.as_microsecond());
        let of_days = |days: Days| match older {
            true => (OLDER_OF_DAYS, micros(days.begin), days.before(position)),
            false => (NEWER_OF_DAYS, micros(days.over), days.behind(position)),
        };
        let (template, bound, position) = match self.which {
            Selection::All => of_days(Days::ALL),
            Selection::Period(period) | Selection::PeriodIn(period, _) => of_days(Days::from(*period)),
            Selection::Session(session) => {
                let template = if older { OLDER_OF_SESSION } else { NEWER_OF_SESSION };
                (template, bytes(id_bytes(*session)), position)
            }
            Selection::Reference(_) => return self.rows_of_tags(position, older, most),
        };
        let values = [
            bytes(id_bytes(self.of)),
            bound,
            micros(position.created_at),
            bytes(*position.id.as_bytes()),
            Value::Integer(most as i64),
        ];
        self.read(template, values)
    }

    /// Likewise, of a reference. While two keys are live, it has two tags.
    fn rows_of_tags<L: Listed>(
        &self,
        position: ListPosition,
        older: bool,
        most: usize,
    ) -> Result<Vec<L>, StorageError> {
        let bytes = |bytes: [u8; 16]| Value::Blob(bytes.to_vec());
        let [first, last] = self.tags;
        let values = [
            bytes(id_bytes(self.of)),
            bytes(first),
            bytes(last),
            bytes(*position.id.as_bytes()),
            Value::Integer(most as i64),
        ];
        self.read(if older { OLDER_OF_TAGS } else { NEWER_OF_TAGS }, values)
    }

    fn read<L: Listed>(&self, template: &str, values: [Value; 5]) -> Result<Vec<L>, StorageError> {
        let mut read = self.from.prepare_cached(&self.list.statement(template)).map_err(fault)?;
        let found = read.query_map(params_from_iter(values), by(L::columns));
        found.map_err(fault)?.collect::<Result<_, _>>().map_err(fault)
    }
}

const OLDER_OF_DAYS: &str = include_str!("../../sql/lists/older_of_days.sqlite.sql");
const NEWER_OF_DAYS: &str = include_str!("../../sql/lists/newer_of_days.sqlite.sql");
const OLDER_OF_SESSION: &str = include_str!("../../sql/lists/older_of_session.sqlite.sql");
const NEWER_OF_SESSION: &str = include_str!("../../sql/lists/newer_of_session.sqlite.sql");
const OLDER_OF_TAGS: &str = include_str!("../../sql/lists/older_of_tags.sqlite.sql");
const NEWER_OF_TAGS: &str = include_str!("../../sql/lists/newer_of_tags.sqlite.sql");
