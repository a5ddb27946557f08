//! Rows of moves. A reason may be personal and is sealed.

use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId};
use domain::line::Line;
use domain::person::PersonalLine;
use domain::proposal::{Actor, Move};
use service::storage::StorageError;

use super::id_bytes;
use super::line::StoredLine;
use super::reason::{open_reason, seal_reason};
use crate::codes::{Coded, unknown_code};
use crate::seal::Seal;

const TABLE: &str = "moves";

/// A move, its words by their codes.
pub(crate) struct MoveRow {
    pub(crate) at: i64,
    pub(crate) by: i16,
    pub(crate) from: Option<i16>,
    pub(crate) to: i16,
    pub(crate) reason: Option<Vec<u8>>,
}

/// Seals the moves of a proposal.
pub(crate) fn seal_moves<L: StoredLine>(
    seal: &Seal,
    of: PartnerId,
    id: ProposalId,
    moves: &[Move<L::Status>],
) -> Result<Vec<MoveRow>, StorageError> {
    let row = |made: &Move<L::Status>| {
        Ok(MoveRow {
            at: made.at.as_microsecond(),
            by: made.by.code().into(),
            from: made.from.map(|from| from.code().into()),
            to: made.to.code().into(),
            reason: seal_reason(seal, TABLE, &bound_to(of, id), made.reason.as_ref())?,
        })
    };
    moves.iter().map(row).collect()
}

/// A move's columns before its reason is opened.
pub(crate) struct Found {
    pub(crate) at: Timestamp,
    pub(crate) by: Actor,
    pub(crate) from: Option<i16>,
    pub(crate) to: i16,
    pub(crate) reason: Option<Vec<u8>>,
}

impl Found {
    pub(crate) fn open<L: StoredLine>(
        self,
        seal: &Seal,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Move<L::Status>, StorageError> {
        let reason = open_move_reason(seal, of, id, self.reason)?;
        let from = self.from.map(status::<L>).transpose()?;
        Ok(Move { at: self.at, by: self.by, from, to: status::<L>(self.to)?, reason })
    }
}

/// A status of a line by its code.
pub(crate) fn status<L: StoredLine>(code: i16) -> Result<<L as Line>::Status, StorageError> {
    u8::try_from(code).ok().and_then(Coded::from_code).ok_or_else(unknown_code)
}

/// Opens the reason of a move.
pub(crate) fn open_move_reason(
    seal: &Seal,
    of: PartnerId,
    id: ProposalId,
    sealed: Option<Vec<u8>>,
) -> Result<Option<PersonalLine>, StorageError> {
    open_reason(seal, TABLE, &bound_to(of, id), sealed)
}

/// What a move's reason is bound to.
fn bound_to(of: PartnerId, id: ProposalId) -> Vec<u8> {
    [id_bytes(of), id_bytes(id)].concat()
}
