//! Moves of proposals, as columns of a statement and as rows of one.

use super::column::{Group, Value, values};
use crate::rows::moves::MoveRow;

/// Moves as columns of a statement.
#[derive(Default)]
pub(super) struct Columns<'a> {
    at: Vec<i64>,
    by: Vec<i16>,
    from: Vec<Option<i16>>,
    to: Vec<i16>,
    reasons: Vec<Option<&'a [u8]>>,
}

impl<'a> Columns<'a> {
    pub(super) fn of(moves: &'a [MoveRow]) -> Self {
        let mut columns = Columns::default();
        for made in moves {
            columns.at.push(made.at);
            columns.by.push(made.by);
            columns.from.push(made.from);
            columns.to.push(made.to);
            columns.reasons.push(made.reason.as_deref());
        }
        columns
    }
}

impl Group for Columns<'_> {
    fn values(&self) -> Vec<Value<'_>> {
        values![self.at, self.by, self.from, self.to, self.reasons].to_vec()
    }
}
