//! Retention periods of records.

use std::time::Duration;

use crate::storage::personal_data::RemovedKind;

/// Retention periods, counted from the last event of a record. `None` means that records are stored forever.
#[derive(Debug, Clone, Copy, Default)]
pub struct Retention {
    /// Credit-life quotes, counted from their creation. They contain no names.
    pub quotes: Option<Duration>,
    pub health_quotes: Option<Duration>,
    pub unsold_proposals: Option<Duration>,
    pub policies: Option<Duration>,
    pub complaints: Option<Duration>,
}

impl Retention {
    /// Retention period of a kind of record.
    pub fn of(&self, kind: RemovedKind) -> Option<Duration> {
        match kind {
            RemovedKind::HealthQuote => self.health_quotes,
            RemovedKind::UnsoldProposal => self.unsold_proposals,
            RemovedKind::Policy => self.policies,
            RemovedKind::Complaint => self.complaints,
            // Journeys are removed one day after their customer's last visit.
            RemovedKind::Journey | RemovedKind::Session => None,
        }
    }
}
