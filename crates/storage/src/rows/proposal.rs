//! Rows of proposals with what is kept in the transaction of each act on them.

use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId, SessionId};
use domain::line::ProposalState;
use domain::proposal::{Actor, Move, Proposal};
use service::storage::lists::ListPosition;
use service::storage::{ProposalAct, StorageError};

use super::counted::{Count, Counted};
use super::line::StoredLine;
use super::moves::{MoveRow, seal_moves, status};
use super::position::Positioned;
use super::reason::{open_reason, seal_reason};
use super::{id_bytes, journey, kept_response, policy};
use crate::codes::Coded;
use crate::seal::Seal;

const TABLE: &str = "proposals";
const REASON: &str = "proposals.reason";

/// A proposal.
pub(crate) struct Row {
    pub(crate) of: PartnerId,
    pub(crate) id: [u8; 16],
    pub(crate) line: i16,
    pub(crate) status: i16,
    pub(crate) created_at: i64,
    pub(crate) changed_at: i64,
    pub(crate) session: Option<SessionId>,
    /// Quote and variant that it was made from.
    pub(crate) quoted: Option<([u8; 16], [u8; 16])>,
    pub(crate) insurer_reference: Option<String>,
    pub(crate) reason: Option<Vec<u8>>,
    pub(crate) body: Vec<u8>,
    pub(crate) count: Count,
}

impl Row {
    pub(crate) fn of<L: StoredLine>(seal: &Seal, proposal: &Proposal<L>) -> Result<Self, StorageError> {
        let id = id_bytes(proposal.id);
        let quoted = L::quoted(&proposal.application);
        let (session, at) = (proposal.session, proposal.created_at);
        Ok(Row {
            of: proposal.partner,
            id,
            line: L::LINE.code().into(),
            status: proposal.status.code().into(),
            created_at: at.as_microsecond(),
            changed_at: proposal.changed_at.as_microsecond(),
            session,
            quoted: quoted.map(|(quote, variant)| (id_bytes(quote), id_bytes(variant))),
            insurer_reference: proposal.insurer_reference.clone(),
            reason: seal_reason(seal, REASON, &id, proposal.reason.as_ref())?,
            body: seal.seal(TABLE, &id, &L::encode_proposal(proposal))?,
            count: Count { kind: Counted::Proposals(L::LINE), session, at },
        })
    }
}

/// The history of an imported proposal, which begins and ends where the record says it stands.
pub(crate) fn imported<L: StoredLine>(proposal: &Proposal<L>) -> Move<L::Status> {
    Move {
        at: proposal.created_at,
        by: Actor::Operator,
        from: None,
        to: proposal.status,
        reason: proposal.reason.clone(),
    }
}

/// What goes with a proposal's row.
pub(crate) struct ActRows {
    pub(crate) moves: Vec<MoveRow>,
    /// The reason of the last move, for the proposal's own row.
    pub(crate) reason: Option<Vec<u8>>,
    pub(crate) policy: Option<policy::Row>,
    pub(crate) job: JobRow,
    pub(crate) response: Option<kept_response::Row>,
    pub(crate) journey: Option<journey::Row>,
}

/// The job that asks the insurer of a proposal.
pub(crate) struct JobRow {
    pub(crate) kind: i16,
    /// When it is due, where it begins.
    pub(crate) due: Option<i64>,
    /// Whether it ends: the proposal is decided, and nobody is to be asked any more.
    pub(crate) ends: bool,
}

impl ActRows {
    pub(crate) fn of<L: StoredLine>(
        seal: &Seal,
        of: PartnerId,
        id: ProposalId,
        act: ProposalAct<'_, L>,
    ) -> Result<Self, StorageError> {
        let last = act.moves.last();
        let reason = last.and_then(|last| last.reason.as_ref());
        let decided = last.is_some_and(|last| last.to.is_final());
        Ok(ActRows {
            moves: seal_moves::<L>(seal, of, id, act.moves)?,
            reason: seal_reason(seal, REASON, &id_bytes(id), reason)?,
            policy: act.issue.map(|issue| policy::Row::issued(seal, issue)).transpose()?,
            job: JobRow {
                kind: L::LINE.code().into(),
                due: act.ask_insurer.map(Timestamp::as_microsecond),
                ends: act.ask_insurer.is_none() && decided,
            },
            response: kept_response::Row::of_response(seal, of, act.response)?,
            journey: act.journey.map(|journey| journey::Row::of(seal, journey)).transpose()?,
        })
    }
}

/// A proposal's columns before its body is opened.
pub(crate) struct Found {
    pub(crate) id: ProposalId,
    pub(crate) created_at: Timestamp,
    pub(crate) changed_at: Timestamp,
    pub(crate) status: i16,
    pub(crate) session: Option<SessionId>,
    pub(crate) insurer_reference: Option<String>,
    pub(crate) reason: Option<Vec<u8>>,
    pub(crate) body: Vec<u8>,
}

impl Positioned for Found {
    fn position(&self) -> ListPosition {
        ListPosition { created_at: self.created_at, id: self.id.uuid() }
    }
}

impl Found {
    pub(crate) fn open<L: StoredLine>(self, seal: &Seal, of: PartnerId) -> Result<Proposal<L>, StorageError> {
        let row = id_bytes(self.id);
        let (premium, application) = L::decode_proposal(&seal.open(TABLE, &row, &self.body)?)?;
        Ok(Proposal {
            id: self.id,
            partner: of,
            session: self.session,
            status: status::<L>(self.status)?,
            created_at: self.created_at,
            changed_at: self.changed_at,
            premium,
            reason: open_reason(seal, REASON, &row, self.reason)?,
            insurer_reference: self.insurer_reference,
            application,
        })
    }
}
