//! How long records are kept.

use std::time::Duration;

use crate::storage::personal_data::RemovedKind;

/// How long records are kept after the last thing that happened to them. `None`: for ever.
#[derive(Debug, Clone, Copy, Default)]
pub struct Retention {
    /// Quotes of credit protection, from when they were made. They name nobody.
    pub quotes: Option<Duration>,
    pub health_quotes: Option<Duration>,
    pub unsold_proposals: Option<Duration>,
    pub policies: Option<Duration>,
    pub complaints: Option<Duration>,
}

impl Retention {
    /// How long records of a kind are kept.
    pub fn of(&self, kind: RemovedKind) -> Option<Duration> {
        match kind {
            RemovedKind::HealthQuote => self.health_quotes,
            RemovedKind::UnsoldProposal => self.unsold_proposals,
            RemovedKind::Policy => self.policies,
            RemovedKind::Complaint => self.complaints,
            // They are removed after a day without their customer.
            RemovedKind::Journey => None,
        }
    }
}
