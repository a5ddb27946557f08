//! Retention: how long records are kept, their removal when they are old, and legal holds.

use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

use domain::date::{Timestamp, day_of};
use domain::id::{PartnerId, Uuid};
use domain::person::PersonalLine;

use crate::acting;
use crate::error::{Error, Result};
use crate::shared::Shared;
pub use crate::shared::retention::Retention;
use crate::storage::Fact;
use crate::storage::personal_data::{Hold, Outdated, Removed, RemovedKind};

/// Records that are looked at in one step, and removed in one transaction.
const AT_ONCE: usize = 20;

/// How fast old records are removed: a step is followed by a pause of so many times its duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Of a hundred requests one may wait for a step.
    Background,
    /// An operator waits for the end.
    Now,
}

impl Pace {
    const fn pauses(self) -> u32 {
        match self {
            Pace::Background => 100,
            Pace::Now => 2,
        }
    }
}

/// What a removal came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemovalReport {
    /// When it ended. `None`: there was none yet.
    pub at: Option<Timestamp>,
    /// How many records of each kind it removed.
    pub removed: Vec<(RemovedKind, u64)>,
}

/// Removes old records, and keeps legal holds.
pub struct RetentionService {
    pub(crate) shared: Arc<Shared>,
}

impl RetentionService {
    /// Removes every record that is older than its kind is kept: a few at a time, so that requests go on. Test data is not touched: its
    /// partner removes it.
    ///
    /// # Errors
    /// [`Error::Storage`]; what was removed before stays so.
    pub async fn remove_old(&self, pace: Pace) -> Result<RemovalReport> {
        let mut report = RemovalReport::default();
        let partners = self.shared.directory.partner_ids();
        // A complaint that names no policy has no partner.
        let no_partner = PartnerId::from_uuid(Uuid::nil());
        for kind in RemovedKind::ALL {
            let Some(kept_for) = self.shared.settings.retention.of(*kind) else { continue };
            let Ok(before) = self.shared.clock.now().checked_sub(kept_for) else { continue };
            let mut removed = 0;
            for of in
                partners.iter().chain([&no_partner]).filter(|of| !self.shared.partner_clock.is_test(**of))
            {
                removed += self.remove_old_of(*kind, *of, before, pace).await?;
            }
            if removed > 0 {
                report.removed.push((*kind, removed));
            }
        }
        let at = self.shared.clock.now();
        report.at = Some(at);
        self.shared.storage.remember(Fact::LastRemoval, &written(&report, at)).await?;
        // An erasure may have left something as well, if somebody read the log.
        self.shared.storage.settle_removals().await?;
        Ok(report)
    }

    async fn remove_old_of(
        &self,
        kind: RemovedKind,
        of: PartnerId,
        before: Timestamp,
        pace: Pace,
    ) -> Result<u64> {
        let (mut removed, mut after) = (0, Uuid::nil());
        loop {
            let began = Instant::now();
            let outdated = Outdated { before, day: day_of(before) };
            let old = self.shared.storage.old_records(kind, of, outdated, after, AT_ONCE).await?;
            let records: Vec<Removed> = old.records.into_iter().map(|id| Removed { kind, of, id }).collect();
            self.shared.storage.remove_old(&records).await?;
            removed += records.len() as u64;
            match old.next {
                Some(next) => after = next,
                None => return Ok(removed),
            }
            tokio::time::sleep(began.elapsed() * pace.pauses()).await;
        }
    }

    /// The report of the last removal of any process.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn last_report(&self) -> Result<RemovalReport> {
        let text = self.shared.storage.remembered(Fact::LastRemoval).await?;
        Ok(text.as_deref().map(read_report).unwrap_or_default())
    }

    /// How long records are kept.
    pub fn settings(&self) -> Retention {
        self.shared.settings.retention
    }

    /// Keeps a record from erasure and removal.
    ///
    /// # Errors
    /// [`Error::Conflict`] if it has a hold.
    pub async fn hold(&self, record: &str, id: Uuid, reason: PersonalLine) -> Result<Hold> {
        let held_by = acting::current().actor().to_string();
        let hold = Hold { record: record.to_owned(), id, held_at: self.shared.clock.now(), held_by, reason };
        match self.shared.storage.hold(&hold).await? {
            true => Ok(hold),
            false => Err(Error::conflict(format!("{record} has a legal hold already."))),
        }
    }

    /// Ends the hold of a record.
    ///
    /// # Errors
    /// [`Error::Conflict`] if it has none.
    pub async fn release(&self, record: &str, id: Uuid) -> Result<()> {
        match self.shared.storage.release(record, id).await? {
            true => Ok(()),
            false => Err(Error::conflict(format!("{record} has no legal hold."))),
        }
    }

    /// Every hold, the newest first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn holds(&self) -> Result<Vec<Hold>> {
        Ok(self.shared.storage.holds().await?)
    }
}

fn written(report: &RemovalReport, at: Timestamp) -> String {
    let mut text = at.to_string();
    for (kind, number) in &report.removed {
        let _ = write!(text, " {kind}={number}");
    }
    text
}

fn read_report(text: &str) -> RemovalReport {
    use domain::text::FromText;
    let mut words = text.split_whitespace();
    let at = words.next().and_then(|at| at.parse().ok());
    let removed = |word: &str| {
        let (kind, number) = word.split_once('=')?;
        Some((RemovedKind::from_text(kind).ok()?, number.parse().ok()?))
    };
    RemovalReport { at, removed: words.filter_map(removed).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_read_as_it_was_written() {
        let at = Timestamp::UNIX_EPOCH;
        let removed = vec![(RemovedKind::HealthQuote, 1200), (RemovedKind::Policy, 1)];
        let report = RemovalReport { at: Some(at), removed };
        assert_eq!(read_report(&written(&report, at)), report);
    }
}
