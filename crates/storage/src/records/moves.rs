//! Database rows of moves (status changes). A move's reason may be personal data, so it is encrypted.

use crate::records::row::{ToRow, row};
use domain::date::Timestamp;
use domain::id::{Id, Kind, PartnerId, ProposalId, Uuid};
use domain::line::{Line, LineOfBusiness};
use domain::proposal::{Actor, Move};
use ports::storage::Result;

use super::line::StoredLine;
use super::reason::{open_reason, seal_reason};
use crate::fields::{Coded, unknown_code};
use crate::operation::{Operation, Statement, sql};
use crate::seal::Seal;

const TABLE: &str = "moves";

row! {
    /// Move (status change) of a proposal as stored in its row, with codes for the statuses.
    MoveRow in "moves/add" {
        partner_id: PartnerId,
        proposal_id: ProposalId,
        line: LineOfBusiness,
        moved_at: Timestamp,
        moved_by: Actor,
        from_status: Option<i16>,
        to_status: i16,
    } free {
        reason: Option<Vec<u8>>,
    }
}

impl MoveRow {
    /// Rows for the moves (status changes) of a proposal.
    pub(crate) fn all<L: StoredLine>(
        seal: &Seal,
        partner_id: PartnerId,
        proposal_id: ProposalId,
        moves: &[Move<L::Status>],
    ) -> Result<Vec<Self>> {
        let row = |made: &Move<L::Status>| {
            let mut row = MoveRow {
                partner_id,
                proposal_id,
                line: L::LINE,
                moved_at: made.at,
                moved_by: made.by,
                from_status: made.from.map(|from| from.code().into()),
                to_status: made.to.code().into(),
                reason: None,
            };
            row.reason = seal_reason(seal, TABLE, row.bound(), made.reason.as_ref())?;
            Ok(row)
        };
        moves.iter().map(row).collect()
    }

    pub(crate) fn open<L: StoredLine>(self, seal: &Seal) -> Result<Move<L::Status>> {
        let reason = open_reason(seal, TABLE, self.bound(), self.reason.as_deref())?;
        let from = self.from_status.map(status::<L>).transpose()?;
        Ok(Move { at: self.moved_at, by: self.moved_by, from, to: status::<L>(self.to_status)?, reason })
    }

    pub(crate) fn add(&self, to: &mut dyn Operation) {
        to.execute(sql!("moves/add"), &self.values());
    }
}

/// Proposal status of a line of business, from the status's code.
pub(crate) fn status<L: StoredLine>(code: i16) -> Result<<L as Line>::Status> {
    u8::try_from(code).ok().and_then(Coded::from_code).ok_or_else(unknown_code)
}

row! {
    /// Move (status change) of a record that has the same states in every line of business, such as a policy
    /// or a claim.
    StateMoveRow {
        partner_id: PartnerId,
        record_id: Uuid,
        moved_at: Timestamp,
        moved_by: Actor,
        from_state: Option<i16>,
        to_state: i16,
    } free {
        reason: Option<Vec<u8>>,
    }
}

impl StateMoveRow {
    /// Rows for the moves (status changes) of a record. `table`: table of the moves.
    pub(crate) fn all<S: Coded, K: Kind>(
        seal: &Seal,
        table: &str,
        partner_id: PartnerId,
        record: Id<K>,
        moves: &[Move<S>],
    ) -> Result<Vec<Self>> {
        let row = |made: &Move<S>| {
            let mut row = StateMoveRow {
                partner_id,
                record_id: record.uuid(),
                moved_at: made.at,
                moved_by: made.by,
                from_state: made.from.map(|from| from.code().into()),
                to_state: made.to.code().into(),
                reason: None,
            };
            row.reason = seal_reason(seal, table, row.bound(), made.reason.as_ref())?;
            Ok(row)
        };
        moves.iter().map(row).collect()
    }

    pub(crate) fn open<S: Coded>(self, seal: &Seal, table: &str) -> Result<Move<S>> {
        let state = |code: i16| u8::try_from(code).ok().and_then(S::from_code).ok_or_else(unknown_code);
        let reason = open_reason(seal, table, self.bound(), self.reason.as_deref())?;
        let (from, to) = (self.from_state.map(state).transpose()?, state(self.to_state)?);
        Ok(Move { at: self.moved_at, by: self.moved_by, from, to, reason })
    }

    /// Writes the move. `add`: statement that inserts a move into the table for that kind of record.
    pub(crate) fn add(&self, to: &mut dyn Operation, add: Statement<'_>) {
        to.execute(add, &self.values());
    }
}
