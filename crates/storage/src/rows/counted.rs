//! What is counted for lists, by whole days in Asia/Kolkata and by session (D33).

use domain::date::{Date, Timestamp, day_of};
use domain::id::SessionId;
use domain::line::LineOfBusiness;

/// What is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    HealthQuotes,
    Proposals(LineOfBusiness),
    Policies(LineOfBusiness),
}

/// One record more.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Count {
    pub(crate) kind: Counted,
    pub(crate) session: Option<SessionId>,
    pub(crate) at: Timestamp,
}

/// A day as counts write it: `20261120`.
pub(crate) fn day_number(day: Date) -> i32 {
    i32::from(day.year()) * 10_000 + i32::from(day.month()) * 100 + i32::from(day.day())
}

/// The day on which something made at an instant is counted.
pub(crate) fn day_number_of(at: Timestamp) -> i32 {
    day_number(day_of(at))
}
