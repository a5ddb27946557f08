//! Months: quotes and events lie in a partition for each month of their ids, which begin with the time at which they were
//! made (D105).
//!
//! The primary key has the id, so that it stays unique over all months. Partitions are made ahead. What no month takes lies in
//! a partition of its own, so that no write is ever refused, and moves over when its month is made. A month that is over for
//! good is dropped whole, which costs the same however much it has.

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

/// Months that there are beside the present one before they come.
const AHEAD: usize = 3;

/// Longest wait for those who use a table, since everybody who comes after waits as well.
const LOCK_TIMEOUT: &str = "set local lock_timeout = '1s'";

/// A table that is divided by months.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Divided {
    table: &'static str,
    /// The column with the ids.
    key: &'static str,
}

/// Quotes of credit protection.
pub(crate) const QUOTES: Divided = Divided { table: "embedded_quotes", key: "quote_id" };

pub(crate) const EVENTS: Divided = Divided { table: "events", key: "event_id" };

/// A month in Asia/Kolkata, by its first day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Month(Date);

impl Month {
    fn of(at: Timestamp) -> Self {
        Month(day_of(at).first_of_month())
    }

    /// The month after it. `None` beyond the calendar.
    fn next(self) -> Option<Self> {
        days_later(self.0.last_of_month(), 1).map(Month)
    }

    /// It and those that are made ahead of their time.
    fn and_next(self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self), |month| month.next()).take(1 + AHEAD)
    }

    /// The ids of its records: from the first one on, and before the second one. `None` beyond the calendar.
    fn ids(self) -> Option<(Uuid, Uuid)> {
        Some((first_id_at(start_of_day(self.0)?), first_id_at(start_of_day(self.next()?.0)?)))
    }

    /// How it is written at the end of a partition's name: `202611`.
    fn word(self) -> String {
        self.0.strftime("%Y%m").to_string()
    }

    /// The month of a word.
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

    /// What makes a month. `None` beyond the calendar.
    fn make(self, connections: &Connections, month: Month) -> Option<String> {
        let (first, end) = month.ids()?;
        // Over the nodes of Citus a table is made on each as a partition, and nothing can be moved into it.
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

    /// Removes what was made before an instant and is not of a month that has newer records as well: a month, or at most so
    /// many rows that no month took. Returns whether something was removed, so that there may be more.
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

/// What makes the months that are missing, of an instant and after it. Empty where all are there.
async fn missing(connections: &Connections, at: Timestamp) -> Result<Vec<String>> {
    let mut make = Vec::new();
    for divided in [QUOTES, EVENTS] {
        let there = divided.months(connections).await?;
        let missing = Month::of(at).and_next().filter(|month| !there.contains(month));
        make.extend(missing.filter_map(|month| divided.make(connections, month)));
    }
    Ok(make)
}

/// Makes the months that are missing, of an instant and after it, all or none. Of several processes that do this at once one
/// succeeds.
///
/// # Errors
/// [`ports::storage::StorageError`] if somebody locks the partition of the rest for too long. Until the months are made, their rows
/// go into that partition.
pub(crate) async fn make_ahead(connections: &Connections, at: Timestamp) -> Result<()> {
    let make = missing(connections, at).await?;
    if make.is_empty() {
        return Ok(());
    }
    // As long as a migration: the partition of the rest may have much of a month for which nothing ran ahead.
    let act = Transaction::begin_patient(connections, MIGRATING).await?;
    let made = async {
        act.run(LOCK_TIMEOUT).await?;
        for make in &make {
            act.run(make).await?;
        }
        act.commit().await
    };
    match made.await {
        // Another process made them meanwhile.
        Err(_) if missing(connections, at).await?.is_empty() => Ok(()),
        made => Ok(made?),
    }
}

#[cfg(test)]
mod tests {
    use domain::date::Timestamp;

    use super::Month;

    #[test]
    fn a_month_begins_and_ends_in_india() {
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
    fn the_partition_of_the_rest_is_no_month() {
        assert_eq!((Month::of_word("other"), Month::of_word("2026")), (None, None));
    }
}
