//! Database rows of moves (status changes) of proposals. A move's reason may be personal data, so it is
//! encrypted.

use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId};
use domain::line::Line;
use domain::proposal::{Actor, Move};
use ports::storage::Result;

use super::bound::Bound;
use super::id_bytes;
use super::line::StoredLine;
use super::reason::{open_reason, seal_reason};
use crate::codes::{Coded, unknown_code};
use crate::fields::{RowFields, values};
use crate::operation::{Operation, Statement};
use crate::seal::Seal;

const TABLE: &str = "moves";

/// Move (status change) as stored in its row, with codes for the statuses.
pub(crate) struct MoveRow {
    pub(crate) at: i64,
    pub(crate) by: i16,
    pub(crate) from: Option<i16>,
    pub(crate) to: i16,
    pub(crate) reason: Option<Vec<u8>>,
}

impl MoveRow {
    /// Writes the move (status change) of a record. `add`: statement that inserts a move into the table for
    /// that kind of record.
    pub(crate) fn add(&self, to: &mut dyn Operation, add: Statement<'_>, of: PartnerId, subject: [u8; 16]) {
        let MoveRow { at, by, from, to: state, reason } = self;
        to.execute(add, values![of, subject, at, by, from, state, reason]);
    }

    /// Columns to which a move's encrypted reason is bound, so that a change of a column is detected.
    fn bound<L: StoredLine>(&self, of: PartnerId, id: ProposalId) -> Bound {
        Bound::row(of, &id_bytes(id))
            .number(i16::from(L::LINE.code()))
            .number(self.at)
            .number(self.by)
            .optional(self.from.map(i64::from))
            .number(self.to)
    }
}

/// Columns of a move (status change), with the reason still encrypted.
pub(crate) struct FoundMove {
    pub(crate) at: Timestamp,
    pub(crate) by: Actor,
    pub(crate) from: Option<i16>,
    pub(crate) to: i16,
    pub(crate) reason: Option<Vec<u8>>,
}

impl FoundMove {
    pub(crate) fn columns(row: RowFields<'_>) -> Result<Self> {
        Ok(FoundMove {
            at: row.get(0)?,
            by: row.get(1)?,
            from: row.get(2)?,
            to: row.get(3)?,
            reason: row.get(4)?,
        })
    }
}

/// Rows for the moves (status changes) of a proposal, with encrypted reasons.
pub(crate) fn seal_moves<L: StoredLine>(
    seal: &Seal,
    of: PartnerId,
    id: ProposalId,
    moves: &[Move<L::Status>],
) -> Result<Vec<MoveRow>> {
    let row = |made: &Move<L::Status>| {
        let mut row = MoveRow {
            at: made.at.as_microsecond(),
            by: made.by.code().into(),
            from: made.from.map(|from| from.code().into()),
            to: made.to.code().into(),
            reason: None,
        };
        row.reason = seal_reason(seal, TABLE, row.bound::<L>(of, id), made.reason.as_ref())?;
        Ok(row)
    };
    moves.iter().map(row).collect()
}

/// Decrypts a move (status change) of a proposal.
pub(crate) fn open<L: StoredLine>(
    found: FoundMove,
    seal: &Seal,
    of: PartnerId,
    id: ProposalId,
) -> Result<Move<L::Status>> {
    let FoundMove { at, by, from, to, reason } = found;
    let row = MoveRow { at: at.as_microsecond(), by: by.code().into(), from, to, reason: None };
    let reason = open_reason(seal, TABLE, row.bound::<L>(of, id), reason.as_deref())?;
    let from = from.map(status::<L>).transpose()?;
    Ok(Move { at, by, from, to: status::<L>(to)?, reason })
}

/// Proposal status of a line of business, from the status's code.
pub(crate) fn status<L: StoredLine>(code: i16) -> Result<<L as Line>::Status> {
    u8::try_from(code).ok().and_then(Coded::from_code).ok_or_else(unknown_code)
}
