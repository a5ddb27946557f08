//! Months: one partition of quotes or events for each month of their ids, which begin with the time of
//! creation (D105).
//!
//! The primary key contains the id, so it stays unique over all months. Partitions are created ahead. Rows
//! without a month's partition go to a partition for the rest, so that no write is ever refused. Such rows
//! move when the partition of their month is created. A past month is dropped whole, at the same cost for any
//! size.

use std::collections::BTreeSet;

use domain::date::{Date, Timestamp, day_of, days_later, start_of_day};
use domain::id::Uuid;
use ports::storage::Result;

use super::MIGRATING;
use super::column::get;
use super::connections::Connections;
use super::fault::Fault;
use super::transaction::Transaction;
use crate::fields::{first_id_at, values};

/// Number of future months that have partitions in advance.
const AHEAD: usize = 3;

/// SQL that limits the wait for the lock of a table to one second, because later statements on the table must
/// wait too.
const LOCK_TIMEOUT: &str = "set local lock_timeout = '1s'";

/// Table that has a partition for each month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Divided {
    table: &'static str,
    /// Column with the ids of the records.
    key: &'static str,
}

pub(crate) const QUOTES: Divided = Divided { table: "embedded_quotes", key: "quote_id" };

pub(crate) const EVENTS: Divided = Divided { table: "events", key: "event_id" };

/// A month in Asia/Kolkata, by its first day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Month(Date);

impl Month {
    fn of(at: Timestamp) -> Self {
        Month(day_of(at).first_of_month())
    }

    /// The next month. `None` after the last month that `Date` supports.
    fn next(self) -> Option<Self> {
        days_later(self.0.last_of_month(), 1).map(Month)
    }

    /// This month and the next months that get partitions in advance.
    fn and_next(self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self), |month| month.next()).take(1 + AHEAD)
    }

    /// Range of the ids of records that were created in this month: from the first id, and below the second.
    /// `None` for the last month that `Date` supports.
    fn ids(self) -> Option<(Uuid, Uuid)> {
        Some((first_id_at(start_of_day(self.0)?), first_id_at(start_of_day(self.next()?.0)?)))
    }

    /// End of the name of this month's partition, such as `202611`.
    fn word(self) -> String {
        self.0.strftime("%Y%m").to_string()
    }

    /// Month from the end of a partition's name.
    fn of_word(word: &str) -> Option<Self> {
        Date::strptime("%Y%m%d", format!("{word}01")).ok().map(Month)
    }
}

impl Divided {
    fn partition(self, month: Month) -> String {
        format!("{}_{}", self.table, month.word())
    }

    async fn months(self, connections: &Connections) -> Result<BTreeSet<Month>> {
        let list = include_str!("../../sql/months/list.postgres.sql");
        let partitions = connections.read(list, values![self.table]).await?;
        let month = |row: &tokio_postgres::Row| {
            let name: String = get(row, 0)?;
            let word = name.strip_prefix(self.table).and_then(|rest| rest.strip_prefix('_'));
            Ok(word.and_then(Month::of_word))
        };
        partitions.iter().filter_map(|row| month(row).transpose()).collect()
    }

    /// SQL that creates a month's partition. `None` for the last month that `Date` supports.
    fn make(self, connections: &Connections, month: Month) -> Option<String> {
        let (first, end) = month.ids()?;
        // Citus creates the partition on each node, and nothing can be moved into it.
        let make = match connections.is_spread {
            false => include_str!("../../sql/months/make.postgres.sql"),
            true => include_str!("../../sql/months/make_spread.postgres.sql"),
        };
        let make = make
            .replace("{table}", self.table)
            .replace("{key}", self.key)
            .replace("{partition}", &self.partition(month))
            .replace("{first}", &first.to_string())
            .replace("{end}", &end.to_string());
        Some(make)
    }

    async fn drop(self, connections: &Connections, month: Month) -> Result<(), Fault> {
        let drop =
            include_str!("../../sql/months/drop.postgres.sql").replace("{partition}", &self.partition(month));
        let act = Transaction::begin(connections).await?;
        act.run(LOCK_TIMEOUT).await?;
        act.run(&drop).await?;
        act.commit().await
    }

    /// Removes one past month whose records are all older than `before`. If there is no such month, removes
    /// at most `most` such rows from the partition for the rest. Returns whether something was removed,
    /// because then more may be left.
    pub(crate) async fn forget(
        self,
        connections: &Connections,
        before: Timestamp,
        most: usize,
    ) -> Result<bool> {
        let first_kept = first_id_at(before);
        let is_over = |month: &Month| month.ids().is_some_and(|(_, end)| end <= first_kept);
        if let Some(month) = self.months(connections).await?.into_iter().find(is_over) {
            self.drop(connections, month).await?;
            return Ok(true);
        }
        let forget = include_str!("../../sql/months/forget_other.postgres.sql")
            .replace("{table}", self.table)
            .replace("{key}", self.key);
        let forgotten = connections.write(&forget, values![first_kept, most]).await?;
        Ok(forgotten.changed > 0)
    }
}

/// SQL that creates the missing monthly partitions, from the month of `at` on. Empty if all exist.
async fn missing(connections: &Connections, at: Timestamp) -> Result<Vec<String>> {
    let mut make = Vec::new();
    for divided in [QUOTES, EVENTS] {
        let there = divided.months(connections).await?;
        let missing = Month::of(at).and_next().filter(|month| !there.contains(month));
        make.extend(missing.filter_map(|month| divided.make(connections, month)));
    }
    Ok(make)
}

/// Creates the missing monthly partitions, from the month of `at` on, all or none. If several processes do
/// this at once, one of them creates the partitions.
///
/// # Errors
/// [`ports::storage::StorageError`] if the partition for the rest stays locked too long. Until the monthly
/// partitions are created, their rows go into that partition.
pub(crate) async fn make_ahead(connections: &Connections, at: Timestamp) -> Result<()> {
    let make = missing(connections, at).await?;
    if make.is_empty() {
        return Ok(());
    }
    // This may take as long as a migration, because many rows may have to move from the partition for the
    // rest.
    let act = Transaction::begin_patient(connections, MIGRATING).await?;
    let made = async {
        act.run(LOCK_TIMEOUT).await?;
        for make in &make {
            act.run(make).await?;
        }
        act.commit().await
    };
    match made.await {
        // Another process created the partitions meanwhile.
        Err(_) if missing(connections, at).await?.is_empty() => Ok(()),
        made => Ok(made?),
    }
}

#[cfg(test)]
mod tests {
    use domain::date::Timestamp;

    use super::Month;

    #[test]
    fn a_partition_month_begins_and_ends_at_midnight_in_india() {
        let at: Timestamp = "2026-11-30T18:29:59Z".parse().expect("an instant");
        let (november, december) = (Month::of(at), Month::of(at + std::time::Duration::from_secs(1)));
        assert_eq!((november.word(), december.word()), ("202611".to_owned(), "202612".to_owned()));
        assert_eq!(november.next(), Some(december));
        assert_eq!(Month::of_word("202611"), Some(november));
        let (first, end) = november.ids().expect("within the calendar");
        assert_eq!(Some(end), december.ids().map(|(first, _)| first), "no id lies between them");
        assert_eq!(first.to_string(), "01a19339-c840-0000-0000-000000000000");
    }

    #[test]
    fn the_name_of_the_partition_for_the_rest_is_not_read_as_a_month() {
        assert_eq!((Month::of_word("other"), Month::of_word("2026")), (None, None));
    }
}
