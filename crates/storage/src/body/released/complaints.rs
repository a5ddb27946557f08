//! Example bodies of complaints, for the tests of released encodings.

use std::borrow::Cow;

use domain::complaint::{ComplaintAnswer, ComplaintKind};
use domain::date::{Date, Timestamp};
use domain::person::PersonalLine;

use super::super::ComplaintBody;
use super::Example;

pub(super) fn examples() -> Vec<Example> {
    vec![
        Example::newest("complaint.v1", complaint()),
        Example::newest("complaint.v1.open", ComplaintBody { answer: None, ..complaint() }),
    ]
}

fn complaint() -> ComplaintBody<'static> {
    let line = |text: &str| PersonalLine::kept(text.into());
    let answer = ComplaintAnswer {
        answered_on: Date::constant(2026, 11, 20),
        noted_at: Timestamp::UNIX_EPOCH,
        upheld: true,
        text: line("a"),
    };
    ComplaintBody {
        kind: ComplaintKind::Refund,
        received_on: Date::constant(2026, 11, 18),
        from: Cow::Owned(line("f")),
        text: Cow::Owned(line("t")),
        answer: Some(Cow::Owned(answer)),
    }
}
