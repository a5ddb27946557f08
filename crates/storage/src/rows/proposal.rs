//! Rows of embedded proposals with the moves that they made.

use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId, Uuid};
use domain::person::PersonalLine;
use domain::proposal::{Actor, Move, Proposal, ProposalStatus};
use service::storage::jobs::{Job, JobKind};
use service::storage::{ProposalAct, StorageError};

use super::reason::{open_reason, seal_reason};
use super::{answer, id_bytes, policy};
use crate::body::{ProposalBody, decode, encode};
use crate::seal::Seal;

pub(crate) const TABLE: &str = "proposals";
const MOVES: &str = "moves";
pub(crate) const VERSION: u8 = 1;

/// A proposal.
pub(crate) struct Row {
    pub(crate) of: [u8; 16],
    pub(crate) id: [u8; 16],
    pub(crate) status: ProposalStatus,
    pub(crate) created_at: i64,
    pub(crate) changed_at: i64,
    pub(crate) body: Vec<u8>,
    pub(crate) quote: [u8; 16],
}

impl Row {
    pub(crate) fn of(seal: &Seal, proposal: &Proposal) -> Result<Self, StorageError> {
        let body = ProposalBody {
            variant: proposal.variant,
            premium: proposal.premium,
            request: proposal.request.clone(),
        };
        let id = id_bytes(proposal.id);
        Ok(Row {
            of: id_bytes(proposal.partner),
            id,
            status: proposal.status,
            created_at: proposal.created_at.as_microsecond(),
            changed_at: proposal.changed_at.as_microsecond(),
            body: seal.seal(TABLE, &id, &encode(VERSION, &body))?,
            quote: id_bytes(proposal.request.quote),
        })
    }
}

/// A move. Its reason may be personal and is sealed.
pub(crate) struct MoveRow {
    pub(crate) at: Timestamp,
    pub(crate) by: Actor,
    pub(crate) from: Option<ProposalStatus>,
    pub(crate) to: ProposalStatus,
    pub(crate) reason: Option<Vec<u8>>,
}

impl MoveRow {
    fn all(seal: &Seal, of: PartnerId, id: ProposalId, moves: &[Move]) -> Result<Vec<Self>, StorageError> {
        let row = |made: &Move| {
            let reason = seal_reason(seal, MOVES, &bound_to(of, id), made.reason.as_ref())?;
            Ok(MoveRow { at: made.at, by: made.by, from: made.from, to: made.to, reason })
        };
        moves.iter().map(row).collect()
    }

    /// Opens a move of a proposal.
    pub(crate) fn open(self, seal: &Seal, of: PartnerId, id: ProposalId) -> Result<Move, StorageError> {
        let reason = open_move_reason(seal, of, id, self.reason)?;
        Ok(Move { at: self.at, by: self.by, from: self.from, to: self.to, reason })
    }
}

/// Opens the reason of a move.
pub(crate) fn open_move_reason(
    seal: &Seal,
    of: PartnerId,
    id: ProposalId,
    sealed: Option<Vec<u8>>,
) -> Result<Option<PersonalLine>, StorageError> {
    open_reason(seal, MOVES, &bound_to(of, id), sealed)
}

/// What a move's reason is bound to.
fn bound_to(of: PartnerId, id: ProposalId) -> Vec<u8> {
    [id_bytes(of), id_bytes(id)].concat()
}

/// What goes with a proposal's row.
pub(crate) struct ActRows {
    pub(crate) moves: Vec<MoveRow>,
    pub(crate) policy: Option<policy::Row>,
    pub(crate) ask_insurer: Option<Timestamp>,
    pub(crate) answer: Option<answer::Row>,
}

impl ActRows {
    pub(crate) fn of(
        seal: &Seal,
        of: PartnerId,
        id: ProposalId,
        act: ProposalAct<'_>,
    ) -> Result<Self, StorageError> {
        Ok(ActRows {
            moves: MoveRow::all(seal, of, id, act.moves)?,
            policy: act.issue.map(|issue| policy::Row::of(seal, issue)).transpose()?,
            ask_insurer: act.ask_insurer,
            answer: answer::Row::of_once(seal, of, act.once)?,
        })
    }

    /// Whether the last move decides: nobody is to be asked any more then.
    pub(crate) fn decides(&self) -> bool {
        match self.moves.last().map(|last| last.to) {
            Some(ProposalStatus::Completed | ProposalStatus::Rejected) => true,
            Some(ProposalStatus::Draft | ProposalStatus::Pending) | None => false,
        }
    }
}

/// The job that asks the insurer of a proposal.
pub(crate) fn decision_job(of: [u8; 16], id: [u8; 16]) -> Job {
    let of = PartnerId::from_uuid(Uuid::from_bytes(of));
    Job { kind: JobKind::Decision, of, subject: Uuid::from_bytes(id) }
}

/// A proposal's columns before its body is opened.
pub(crate) struct Found {
    pub(crate) status: ProposalStatus,
    pub(crate) created_at: Timestamp,
    pub(crate) changed_at: Timestamp,
    pub(crate) body: Vec<u8>,
}

impl Found {
    pub(crate) fn open(self, seal: &Seal, of: PartnerId, id: ProposalId) -> Result<Proposal, StorageError> {
        let Found { status, created_at, changed_at, body } = self;
        let ProposalBody { variant, premium, request } =
            decode(VERSION, &seal.open(TABLE, &id_bytes(id), &body)?)?;
        Ok(Proposal { id, partner: of, status, created_at, changed_at, variant, premium, request })
    }
}
