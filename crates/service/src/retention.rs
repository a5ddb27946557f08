//! Retention of records: periods, removal of old records, legal holds.

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

/// Records that are checked in one step, and removed in one transaction.
const AT_ONCE: usize = 20;

/// Pace of removing old records. After each step, the job pauses for a multiple of the step's duration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// Slow: of a hundred requests, at most one waits for a removal step.
    Background,
    /// Fast: an operator waits until the removal ends.
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

/// Result of a removal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RemovalReport {
    /// When the removal ended. `None` if no removal has ended yet.
    pub at: Option<Timestamp>,
    /// Number of removed records of each kind.
    pub removed: Vec<(RemovedKind, u64)>,
}

/// Removes old records, and manages legal holds.
pub struct RetentionService {
    pub(crate) shared: Arc<Shared>,
}

impl RetentionService {
    /// Removes every record that is older than its retention period, a few at a time, so that requests can
    /// continue. Test data stays until its partner removes it.
    ///
    /// # Errors
    /// [`Error::Storage`]; records that were removed before the error stay removed.
    pub async fn remove_old(&self, pace: Pace) -> Result<RemovalReport> {
        let mut report = RemovalReport::default();
        let partners = self.shared.directory.partner_ids();
        // A complaint without a policy has no partner.
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
        self.shared.storage.remember(Fact::LastRemoval, &text_of_report(&report, at)).await?;
        // An earlier erasure may have left data in the database's log, if another process read the log then.
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

    /// Report of the last removal, by any process.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn last_report(&self) -> Result<RemovalReport> {
        let text = self.shared.storage.remembered(Fact::LastRemoval).await?;
        Ok(text.as_deref().map(read_report).unwrap_or_default())
    }

    /// Retention periods of all kinds.
    pub fn settings(&self) -> Retention {
        self.shared.settings.retention
    }

    /// Places a legal hold on a record, which prevents its erasure and removal.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the record has a hold already.
    pub async fn hold(&self, record: &str, id: Uuid, reason: PersonalLine) -> Result<Hold> {
        let held_by = acting::current().actor().to_string();
        let hold = Hold { record: record.to_owned(), id, held_at: self.shared.clock.now(), held_by, reason };
        match self.shared.storage.hold(&hold).await? {
            true => Ok(hold),
            false => Err(Error::conflict(format!("{record} already has a legal hold."))),
        }
    }

    /// Ends the legal hold of a record.
    ///
    /// # Errors
    /// [`Error::Conflict`] if the record has no hold.
    pub async fn release(&self, record: &str, id: Uuid) -> Result<()> {
        match self.shared.storage.release(record, id).await? {
            true => Ok(()),
            false => Err(Error::conflict(format!("{record} has no legal hold."))),
        }
    }

    /// Every legal hold, newest first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn holds(&self) -> Result<Vec<Hold>> {
        Ok(self.shared.storage.holds().await?)
    }
}

/// Text of a report as it is stored: its time, then `kind=number` for each kind of record.
fn text_of_report(report: &RemovalReport, at: Timestamp) -> String {
    let mut text = at.to_string();
    for (kind, number) in &report.removed {
        let _ = write!(text, " {kind}={number}");
    }
    text
}

/// Report from its stored text.
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
    fn a_written_removal_report_is_read_unchanged() {
        let at = Timestamp::UNIX_EPOCH;
        let removed = vec![(RemovedKind::HealthQuote, 1200), (RemovedKind::Policy, 1)];
        let report = RemovalReport { at: Some(at), removed };
        assert_eq!(read_report(&text_of_report(&report, at)), report);
    }
}
