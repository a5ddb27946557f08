//! Moves of proposals, as columns of a statement and as rows of one.

use service::storage::StorageError;
use tokio_postgres::Row;

use super::column::{Group, Value, get, get_coded, get_instant, values};
use crate::rows::moves::{Found, MoveRow};

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

/// A row of a list of moves.
pub(super) fn columns(row: &Row) -> Result<Found, StorageError> {
    Ok(Found {
        at: get_instant(row, 0)?,
        by: get_coded(row, 1)?,
        from: get(row, 2)?,
        to: get(row, 3)?,
        reason: get(row, 4)?,
    })
}
