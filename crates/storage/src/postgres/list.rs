//! Pages of lists, each with its count and one statement: entered by the position beside which they lie (D33).

use domain::id::{PartnerId, Uuid};
use domain::line::LineOfBusiness;
use service::storage::StorageError;
use service::storage::lists::{ListPosition, ListStart, Page, Selection};
use tokio_postgres::Row;

use super::column::{get, id, most as at_most, uuid, values};
use super::{Postgres, health_quote};
use crate::codes::Coded;
use crate::rows::counted::day_number;
use crate::rows::list::List;
use crate::rows::position::{Days, NEWEST};

/// The statements that read a list, made once.
pub(super) struct Pages {
    list: List,
    counted: Vec<i16>,
    older_of_days: String,
    newer_of_days: String,
    older_of_session: String,
    newer_of_session: String,
    older_of_tags: String,
    newer_of_tags: String,
}

/// Every list.
pub(super) struct Lists {
    pub(super) health_quotes: Pages,
    pub(super) claims: Pages,
    proposals: [Pages; 2],
    policies: [Pages; 2],
}

impl Lists {
    pub(super) fn new() -> Self {
        let of_lines = |list: fn(LineOfBusiness) -> List| {
            [LineOfBusiness::CreditLife, LineOfBusiness::Health].map(|line| Pages::of(list(line)))
        };
        Lists {
            health_quotes: Pages::of(health_quote::LIST),
            claims: Pages::of(List::claims()),
            proposals: of_lines(List::proposals),
            policies: of_lines(List::policies),
        }
    }

    /// The proposals of a line.
    pub(super) fn proposals(&self, line: LineOfBusiness) -> &Pages {
        of_line(&self.proposals, line)
    }

    /// The policies of a line.
    pub(super) fn policies(&self, line: LineOfBusiness) -> &Pages {
        of_line(&self.policies, line)
    }
}

fn of_line(pages: &[Pages; 2], line: LineOfBusiness) -> &Pages {
    match line {
        LineOfBusiness::CreditLife => &pages[0],
        LineOfBusiness::Health => &pages[1],
    }
}

/// The page's own columns come behind the count and what lies on its other side.
pub(super) const FIRST: usize = 2;

impl Pages {
    pub(super) fn of(list: List) -> Self {
        let count = match list.is_narrower {
            true => include_str!("../../sql/counts/of_rows.postgres.sql"),
            false => include_str!("../../sql/counts/of_days.postgres.sql"),
        };
        let statement = |template: &str| list.statement(&template.replace("{count}", count));
        Pages {
            counted: list.counted.iter().map(|counted| counted.code().into()).collect(),
            older_of_days: statement(include_str!("../../sql/lists/older_of_days.postgres.sql")),
            newer_of_days: statement(include_str!("../../sql/lists/newer_of_days.postgres.sql")),
            older_of_session: statement(include_str!("../../sql/lists/older_of_session.postgres.sql")),
            newer_of_session: statement(include_str!("../../sql/lists/newer_of_session.postgres.sql")),
            older_of_tags: statement(include_str!("../../sql/lists/older_of_tags.postgres.sql")),
            newer_of_tags: statement(include_str!("../../sql/lists/newer_of_tags.postgres.sql")),
            list,
        }
    }

    /// A page with the count of all, each row made by `open` from its columns behind [`FIRST`].
    pub(super) async fn read<T>(
        &self,
        from: &Postgres,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
        open: impl Fn(&Row) -> Result<T, StorageError>,
    ) -> Result<Page<T>, StorageError> {
        let (older, position) = match start {
            ListStart::Newest => (true, NEWEST),
            ListStart::After(position) => (true, position),
            ListStart::Before(position) => (false, position),
        };
        // One more than asked for tells whether the list goes on.
        let mut rows = self.rows(from, of, which, older, position, most + 1).await?;
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
        from: &Postgres,
        of: PartnerId,
        which: Selection,
        older: bool,
        position: ListPosition,
        most: usize,
    ) -> Result<Vec<Row>, StorageError> {
        let (of, kinds, most) = (id(of), &self.counted, at_most(most));
        let (days, first, last) = match which {
            Selection::Session(session) => {
                let statement = if older { &self.older_of_session } else { &self.newer_of_session };
                let at = position.created_at.as_microsecond();
                return from
                    .read_of_late(statement, values![of, id(session), at, position.id, most, *kinds])
                    .await;
            }
            Selection::Reference(reference) => {
                let statement = if older { &self.older_of_tags } else { &self.newer_of_tags };
                let [first, last] = self.list.tags(&from.seal, &reference)?.map(uuid);
                return from.read_of_late(statement, values![of, first, last, position.id, most]).await;
            }
            Selection::All => (Days::ALL, i32::MIN, i32::MAX),
            Selection::Period(period) | Selection::PeriodIn(period, _) => {
                (Days::from(period), day_number(period.first), day_number(period.last))
            }
        };
        let (statement, position) = if older {
            (&self.older_of_days, days.before(position))
        } else {
            (&self.newer_of_days, days.behind(position))
        };
        let (begin, over) = (days.begin.as_microsecond(), days.over.as_microsecond());
        let at = position.created_at.as_microsecond();
        from.read_of_late(statement, values![of, begin, over, at, position.id, most, *kinds, first, last])
            .await
    }
}
