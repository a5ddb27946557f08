//! Rows of moves, of proposals of either family. A reason may be personal and is sealed.

use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId};
use domain::person::PersonalLine;
use domain::proposal::{Actor, Move};
use service::storage::StorageError;

use super::id_bytes;
use super::reason::{open_reason, seal_reason};
use crate::seal::Seal;

/// A move between statuses of a family.
pub(crate) struct MoveRow<S> {
    pub(crate) at: Timestamp,
    pub(crate) by: Actor,
    pub(crate) from: Option<S>,
    pub(crate) to: S,
    pub(crate) reason: Option<Vec<u8>>,
}

impl<S: Copy> MoveRow<S> {
    /// Moves of a proposal, for a family's table.
    pub(crate) fn all(
        seal: &Seal,
        table: &str,
        of: PartnerId,
        id: ProposalId,
        moves: &[Move<S>],
    ) -> Result<Vec<Self>, StorageError> {
        let row = |made: &Move<S>| {
            let reason = seal_reason(seal, table, &bound_to(of, id), made.reason.as_ref())?;
            Ok(MoveRow { at: made.at, by: made.by, from: made.from, to: made.to, reason })
        };
        moves.iter().map(row).collect()
    }

    /// Opens a move of a proposal, from a family's table.
    pub(crate) fn open(
        self,
        seal: &Seal,
        table: &str,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Move<S>, StorageError> {
        let reason = open_move_reason(seal, table, of, id, self.reason)?;
        Ok(Move { at: self.at, by: self.by, from: self.from, to: self.to, reason })
    }
}

/// Opens the reason of a move.
pub(crate) fn open_move_reason(
    seal: &Seal,
    table: &str,
    of: PartnerId,
    id: ProposalId,
    sealed: Option<Vec<u8>>,
) -> Result<Option<PersonalLine>, StorageError> {
    open_reason(seal, table, &bound_to(of, id), sealed)
}

/// What a move's reason is bound to.
fn bound_to(of: PartnerId, id: ProposalId) -> Vec<u8> {
    [id_bytes(of), id_bytes(id)].concat()
}
