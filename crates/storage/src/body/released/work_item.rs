//! Example bodies of work items, for the tests of released encodings.

use domain::date::{Date, Timestamp};
use domain::id::{OperatorId, Uuid};
use domain::person::PersonalLine;
use domain::text::FromText;
use domain::work_item::WorkNote;

use super::super::WorkItemBody;
use super::Example;

pub(super) fn examples() -> Vec<Example> {
    let by = OperatorId::from_uuid(Uuid::from_u128(1));
    let text = PersonalLine::from_text("Called: the lender sends the letter").expect("a line");
    let item = WorkItemBody {
        owner: Some(by),
        snoozed_until: Some(Date::constant(2026, 12, 1)),
        notes: vec![WorkNote { by, at: Timestamp::UNIX_EPOCH, text }],
    };
    let fewest = WorkItemBody { owner: None, snoozed_until: None, notes: Vec::new() };
    vec![Example::newest("work_item.v1", item), Example::newest("work_item.v1.fewest", fewest)]
}
