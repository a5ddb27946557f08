//! Moves of proposals of either family, as columns of a statement and as rows of one.

use domain::proposal::Actor;
use service::storage::StorageError;
use tokio_postgres::Row;

use super::column::{get, get_instant, get_optional_word, get_word};
use crate::rows::moves::MoveRow;

/// Moves as columns of a statement.
#[derive(Default)]
pub(super) struct Columns<'a> {
    pub(super) at: Vec<i64>,
    pub(super) by: Vec<i16>,
    pub(super) from: Vec<Option<i16>>,
    pub(super) to: Vec<i16>,
    pub(super) reasons: Vec<Option<&'a [u8]>>,
}

impl<'a> Columns<'a> {
    /// `place` gives a status' place in the contract's list.
    pub(super) fn of<S: Copy>(moves: &'a [MoveRow<S>], place: fn(S) -> i16) -> Self {
        let mut columns = Columns::default();
        for made in moves {
            columns.at.push(made.at.as_microsecond());
            columns.by.push(made.by as i16);
            columns.from.push(made.from.map(place));
            columns.to.push(place(made.to));
            columns.reasons.push(made.reason.as_deref());
        }
        columns
    }
}

/// A row of a list of moves between these statuses.
pub(super) fn columns<S: Copy>(all: &[S], row: &Row) -> Result<MoveRow<S>, StorageError> {
    Ok(MoveRow {
        at: get_instant(row, 1)?,
        by: get_word(Actor::ALL, row, 2)?,
        from: get_optional_word(all, row, 3)?,
        to: get_word(all, row, 4)?,
        reason: get(row, 5)?,
    })
}
