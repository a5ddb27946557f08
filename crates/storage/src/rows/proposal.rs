//! Rows of embedded proposals with the moves that they made.

use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId, Uuid};
use domain::proposal::{Proposal, ProposalStatus};
use service::storage::jobs::{Job, JobKind};
use service::storage::{ProposalAct, StorageError};

use super::moves::MoveRow;
use super::{answer, id_bytes, policy};
use crate::body::{ProposalBody, decode, encode};
use crate::seal::Seal;

pub(crate) const TABLE: &str = "proposals";
pub(crate) const MOVES: &str = "moves";

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
            body: seal.seal(TABLE, &id, &encode(&body))?,
            quote: id_bytes(proposal.request.quote),
        })
    }
}

/// What goes with a proposal's row.
pub(crate) struct ActRows {
    pub(crate) moves: Vec<MoveRow<ProposalStatus>>,
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
            moves: MoveRow::all(seal, MOVES, of, id, act.moves)?,
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
        let ProposalBody { variant, premium, request } = decode(&seal.open(TABLE, &id_bytes(id), &body)?)?;
        Ok(Proposal { id, partner: of, status, created_at, changed_at, variant, premium, request })
    }
}
