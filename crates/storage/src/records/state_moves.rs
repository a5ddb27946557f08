//! Database rows of moves (status changes) for records that have the same states in every line of business,
//! such as policies or claims.
//!
//! A move's reason may be personal data, so it is encrypted.

use domain::id::PartnerId;
use domain::proposal::{Actor, Move};
use ports::storage::Result;

use super::bound::Bound;
use super::moves::{FoundMove, MoveRow};
use super::reason::{open_reason, seal_reason};
use crate::codes::{Coded, unknown_code};
use crate::seal::Seal;

/// Columns to which a move's encrypted reason is bound, so that a change of a column is detected.
fn bound(of: PartnerId, subject: &[u8; 16], at: i64, by: Actor, from: Option<i16>, to: i16) -> Bound {
    Bound::row(of, subject).number(at).number(i16::from(by.code())).optional(from.map(i64::from)).number(to)
}

/// Rows for the moves (status changes) of a record, with encrypted reasons. `table`: table of the moves.
pub(crate) fn seal_state_moves<S: Coded>(
    seal: &Seal,
    table: &str,
    of: PartnerId,
    subject: [u8; 16],
    moves: &[Move<S>],
) -> Result<Vec<MoveRow>> {
    let sealed = |made: &Move<S>| {
        let (at, by) = (made.at.as_microsecond(), made.by);
        let (from, to) = (made.from.map(|from| from.code().into()), made.to.code().into());
        let bound = bound(of, &subject, at, by, from, to);
        let reason = seal_reason(seal, table, bound, made.reason.as_ref())?;
        Ok(MoveRow { at, by: by.code().into(), from, to, reason })
    };
    moves.iter().map(sealed).collect()
}

impl FoundMove {
    pub(crate) fn open<S: Coded>(
        self,
        seal: &Seal,
        table: &str,
        of: PartnerId,
        subject: [u8; 16],
    ) -> Result<Move<S>> {
        let FoundMove { at, by, from, to, reason } = self;
        let bound = bound(of, &subject, at.as_microsecond(), by, from, to);
        let state = |code: i16| u8::try_from(code).ok().and_then(S::from_code).ok_or_else(unknown_code);
        let reason = open_reason(seal, table, bound, reason.as_deref())?;
        Ok(Move { at, by, from: from.map(state).transpose()?, to: state(to)?, reason })
    }
}
