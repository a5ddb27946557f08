//! Encoding of complaints, in the encrypted body of their rows.

use std::borrow::Cow;

use domain::complaint::{ComplaintAnswer, ComplaintKind};
use domain::date::Date;
use domain::person::PersonalLine;

use super::record::record;

/// Encrypted part of a complaint: the fields that have no column of their own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ComplaintBody<'c> {
    pub(crate) kind: ComplaintKind,
    pub(crate) received_on: Date,
    pub(crate) from: Cow<'c, PersonalLine>,
    pub(crate) text: Cow<'c, PersonalLine>,
    pub(crate) answer: Option<Cow<'c, ComplaintAnswer>>,
}

record! {
    ComplaintBody<'_> { 0: kind, 1: received_on, 2: from, 3: text, 4: answer }
    ComplaintAnswer { 0: answered_on, 1: noted_at, 2: upheld, 3: text }
}
