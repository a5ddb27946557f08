//! Pages of lists, each with its count and one statement: entered by the place beside which they lie (D33).

use domain::id::{PartnerId, Uuid};
use service::storage::StorageError;
use service::storage::lists::{From, Page, Place, Selection};
use tokio_postgres::Row;

use super::column::{get, id, most as at_most, values};
use super::connections::Connections;
use crate::rows::counted::{Counted, day_number};
use crate::rows::place::{Days, NEWEST};

/// What a list is of.
pub(super) struct List {
    pub(super) table: &'static str,
    /// The columns of a row, of the table as `q`.
    pub(super) columns: &'static str,
    /// The column by whose time the list is ordered, and of whose days it has pages.
    pub(super) at: &'static str,
    pub(super) id: &'static str,
    pub(super) counted: Counted,
}

/// The statements that read a list, made once.
pub(super) struct Pages {
    counted: Counted,
    older_of_days: String,
    newer_of_days: String,
    older_of_session: String,
    newer_of_session: String,
}

/// The page's own columns come behind the count and what lies on its other side.
pub(super) const FIRST: usize = 2;

impl Pages {
    pub(super) fn of(list: &List) -> Self {
        let statement = |template: &str| {
            template
                .replace("{table}", list.table)
                .replace("{columns}", list.columns)
                .replace("{at}", list.at)
                .replace("{id}", list.id)
        };
        Pages {
            counted: list.counted,
            older_of_days: statement(include_str!("../../sql/lists/older_of_days.postgres.sql")),
            newer_of_days: statement(include_str!("../../sql/lists/newer_of_days.postgres.sql")),
            older_of_session: statement(include_str!("../../sql/lists/older_of_session.postgres.sql")),
            newer_of_session: statement(include_str!("../../sql/lists/newer_of_session.postgres.sql")),
        }
    }

    /// A page with the count of all, each row made by `open` from its columns behind [`FIRST`].
    pub(super) async fn read<T>(
        &self,
        from: &Connections,
        of: PartnerId,
        which: Selection,
        start: From,
        most: usize,
        open: impl Fn(&Row) -> Result<T, StorageError>,
    ) -> Result<Page<T>, StorageError> {
        let (older, place) = match start {
            From::Newest => (true, NEWEST),
            From::Behind(place) => (true, place),
            From::Before(place) => (false, place),
        };
        // One more than asked for tells whether the list goes on.
        let mut rows = self.rows(from, of, which, older, place, most + 1).await?;
        let first = rows.first().ok_or_else(|| StorageError::Damaged("a page without a count".into()))?;
        let (count, beyond): (i64, bool) = (get(first, 0)?, get(first, 1)?);
        // A page without records has one row, which holds nothing but the count.
        if get::<Option<Uuid>>(first, FIRST)?.is_none() {
            rows.clear();
        }
        let goes_on = rows.len() > most;
        rows.truncate(most);
        let mut records = rows.iter().map(open).collect::<Result<Vec<_>, _>>()?;
        if !older {
            records.reverse();
        }
        let (has_newer, has_older) = if older { (beyond, goes_on) } else { (goes_on, beyond) };
        Ok(Page { records, has_newer, has_older, count: count.unsigned_abs() })
    }

    async fn rows(
        &self,
        from: &Connections,
        of: PartnerId,
        which: Selection,
        older: bool,
        place: Place,
        most: usize,
    ) -> Result<Vec<Row>, StorageError> {
        let (of, kind, most) = (id(of), self.counted as i16, at_most(most));
        let (days, first, last) = match which {
            Selection::Session(session) => {
                let statement = if older { &self.older_of_session } else { &self.newer_of_session };
                let at = place.created_at.as_microsecond();
                return from.read(statement, values![of, id(session), at, place.id, most, kind]).await;
            }
            Selection::All => (Days::ALL, i32::MIN, i32::MAX),
            Selection::Period(period) => {
                let (begin, over) = period.instants();
                (Days { begin, over }, day_number(period.first), day_number(period.last))
            }
        };
        let (statement, place) = if older {
            (&self.older_of_days, days.before(place))
        } else {
            (&self.newer_of_days, days.behind(place))
        };
        let (begin, over) = (days.begin.as_microsecond(), days.over.as_microsecond());
        let at = place.created_at.as_microsecond();
        from.read(statement, values![of, begin, over, at, place.id, most, kind, first, last]).await
    }
}
