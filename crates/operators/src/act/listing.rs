//! Pages of lists (D148).

use domain::id::{Id, Kind};

use crate::act::Result;
use crate::act::arguments::fault;
use crate::act::input::input;
use crate::act::shown::answer;

/// Records up to which a list is counted.
const COUNTED: usize = 1000;

/// Most records of a list that are read to find the begin of a page.
const REACHED: usize = 100_000;

input! {
    /// Which page of a list
    struct PageAsked {
        /// Only records that come after the record with this id in the list
        #[flag(value = "ID")]
        after: Option<String>,
        /// Most records to list
        most: usize = 50,
    }
}

answer! {
    /// How much of a list is shown
    struct PageShown {
        /// Number of records, listed or not; 1,001 means more than 1,000
        count: usize,
        /// Value of `after` that shows the next page; null: this is the last one
        next: Option<String>,
    }
}

/// Records of a page.
pub(crate) struct Listed<T> {
    pub(crate) records: Vec<T>,
    pub(crate) page: PageShown,
}

impl PageAsked {
    pub(crate) const fn new(after: Option<String>, most: usize) -> Self {
        PageAsked { after, most }
    }

    /// Number of records to read, so that the list can be counted and the page found.
    pub(crate) fn reach(&self) -> usize {
        match self.after {
            None => self.most.max(COUNTED) + 1,
            Some(_) => REACHED,
        }
    }

    /// The page of a list whose first [`PageAsked::reach`] records were read. `id`: id of a record.
    ///
    /// # Errors
    /// If the list has no record with the id `after`.
    pub(crate) fn of<T>(&self, mut records: Vec<T>, id: impl Fn(&T) -> String) -> Result<Listed<T>> {
        let count = records.len();
        if let Some(after) = &self.after {
            let at = records.iter().position(|record| id(record) == *after);
            let at = at.ok_or_else(|| fault("after", "Must be the id of a record of this list."))?;
            records.drain(..=at);
        }
        Ok(self.begin_of(records, count, id))
    }

    /// The id `after`, for a list that the store reads from there.
    pub(crate) fn after<K: Kind>(&self) -> Result<Option<Id<K>>> {
        let read = |text: &str| {
            text.trim().parse().map_err(|_| fault("after", "Must be the id of a record of this list."))
        };
        self.after.as_deref().map(read).transpose()
    }

    /// Number of records to read from `after` on, so that the page is known to be the last one.
    pub(crate) const fn and_one(&self) -> usize {
        self.most + 1
    }

    /// The page of records that begin with it. `count`: number of records of the whole list.
    pub(crate) fn begin_of<T>(
        &self,
        mut records: Vec<T>,
        count: usize,
        id: impl Fn(&T) -> String,
    ) -> Listed<T> {
        let is_last = records.len() <= self.most;
        records.truncate(self.most);
        let next = records.last().filter(|_| !is_last).map(id);
        Listed { records, page: PageShown { count: count.min(COUNTED + 1), next } }
    }
}

impl PageShown {
    /// Sentence about the records that are not listed. `None` if the list ends with this page.
    pub(crate) fn in_words(&self, listed: usize) -> Option<String> {
        let next = self.next.as_ref()?;
        let count = match self.count {
            count if count > COUNTED => "more than 1,000".to_owned(),
            count => count.to_string(),
        };
        Some(format!("{listed} of {count} are listed here. --after {next} lists the next."))
    }
}
