//! Encoding of work items, in the encrypted body of their rows.

use domain::date::Date;
use domain::id::OperatorId;
use domain::work_item::WorkNote;

use super::record::record;

/// Encrypted part of a work item: the fields that have no column of their own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WorkItemBody {
    pub(crate) owner: Option<OperatorId>,
    pub(crate) snoozed_until: Option<Date>,
    pub(crate) notes: Vec<WorkNote>,
}

record! {
    WorkItemBody { 0: owner, 1: snoozed_until, 2: notes }
    WorkNote { 0: by, 1: at, 2: text }
}
