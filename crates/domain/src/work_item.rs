//! Work items: what the team notes about a task that waits for a person.

use crate::date::{Date, Timestamp};
use crate::id::OperatorId;
use crate::person::PersonalLine;

/// A note of an operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkNote {
    pub by: OperatorId,
    pub at: Timestamp,
    pub text: PersonalLine,
}

/// What the team notes about a waiting task.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkItem {
    /// Key of the task: its kind, a colon, and its record.
    pub task: String,
    /// Operator who does it.
    pub owner: Option<OperatorId>,
    /// Day until which it is put aside.
    pub snoozed_until: Option<Date>,
    /// Notes, oldest first.
    pub notes: Vec<WorkNote>,
    pub changed_at: Timestamp,
    /// Version number; each stored change adds 1. 0: not stored yet.
    pub version: u32,
}

impl WorkItem {
    /// Work item about which nothing was noted.
    pub fn new(task: String) -> Self {
        let (notes, changed_at) = (Vec::new(), Timestamp::default());
        WorkItem { task, owner: None, snoozed_until: None, notes, changed_at, version: 0 }
    }
}
