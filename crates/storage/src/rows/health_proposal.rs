//! Rows of health proposals with the moves that they made.

use domain::date::Timestamp;
use domain::health_proposal::{HealthProposal, HealthProposalStatus};
use domain::id::{PartnerId, ProposalId, SessionId, Uuid};
use domain::proposal::{Actor, Move};
use service::storage::StorageError;
use service::storage::health_proposals::HealthAct;
use service::storage::jobs::{Job, JobKind};
use service::storage::lists::Place;

use super::moves::MoveRow;
use super::place::Placed;
use super::reason::{open_reason, seal_reason};
use super::{health_policy, id_bytes};
use crate::body::{HealthProposalBody, decode, encode};
use crate::seal::Seal;

const TABLE: &str = "health_proposals";
const REASON: &str = "health_proposals.reason";
pub(crate) const MOVES: &str = "health_moves";

/// A proposal.
pub(crate) struct Row {
    pub(crate) of: [u8; 16],
    pub(crate) id: [u8; 16],
    pub(crate) status: HealthProposalStatus,
    pub(crate) created_at: Timestamp,
    pub(crate) changed_at: i64,
    pub(crate) session: Option<SessionId>,
    /// Quote and variant of one that the journey made.
    pub(crate) chosen: Option<([u8; 16], [u8; 16])>,
    pub(crate) insurer_reference: Option<String>,
    pub(crate) reason: Option<Vec<u8>>,
    pub(crate) body: Vec<u8>,
}

impl Row {
    pub(crate) fn of(seal: &Seal, proposal: &HealthProposal) -> Result<Self, StorageError> {
        let id = id_bytes(proposal.id);
        let chosen = proposal.journey().map(|made| &made.chosen);
        Ok(Row {
            of: id_bytes(proposal.partner),
            id,
            status: proposal.status,
            created_at: proposal.created_at,
            changed_at: proposal.changed_at.as_microsecond(),
            session: proposal.session,
            chosen: chosen.map(|chosen| (id_bytes(chosen.quote), id_bytes(chosen.variant))),
            insurer_reference: proposal.insurer_reference.clone(),
            reason: seal_reason(seal, REASON, &id, proposal.reason.as_ref())?,
            body: seal.seal(TABLE, &id, &encode(&HealthProposalBody::of(proposal)))?,
        })
    }

    /// Whose it is.
    pub(crate) fn partner(&self) -> PartnerId {
        PartnerId::from_uuid(Uuid::from_bytes(self.of))
    }
}

/// The history of an imported proposal, which begins and ends where the record says it stands.
pub(crate) fn born(proposal: &HealthProposal) -> Move<HealthProposalStatus> {
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
    pub(crate) moves: Vec<MoveRow<HealthProposalStatus>>,
    /// The reason of the last move, for the proposal's own row.
    pub(crate) reason: Option<Vec<u8>>,
    pub(crate) policy: Option<health_policy::Row>,
    pub(crate) ask_insurer: Option<Timestamp>,
}

impl ActRows {
    pub(crate) fn of(
        seal: &Seal,
        of: PartnerId,
        id: ProposalId,
        act: HealthAct<'_>,
    ) -> Result<Self, StorageError> {
        let last = act.moves.last().and_then(|last| last.reason.as_ref());
        Ok(ActRows {
            moves: MoveRow::all(seal, MOVES, of, id, act.moves)?,
            reason: seal_reason(seal, REASON, &id_bytes(id), last)?,
            policy: act.issue.map(|issue| health_policy::Row::issued(seal, issue)).transpose()?,
            ask_insurer: act.ask_insurer,
        })
    }

    /// Whether the last move decides: nobody is to be asked any more then.
    pub(crate) fn decides(&self) -> bool {
        self.moves.last().is_some_and(|last| last.to.is_final())
    }
}

/// The job that asks the insurer of a proposal.
pub(crate) fn decision_job(of: [u8; 16], id: [u8; 16]) -> Job {
    let of = PartnerId::from_uuid(Uuid::from_bytes(of));
    Job { kind: JobKind::HealthDecision, of, subject: Uuid::from_bytes(id) }
}

/// A proposal's columns before its body is opened.
pub(crate) struct Found {
    pub(crate) id: ProposalId,
    pub(crate) created_at: Timestamp,
    pub(crate) changed_at: Timestamp,
    pub(crate) status: HealthProposalStatus,
    pub(crate) session: Option<SessionId>,
    pub(crate) insurer_reference: Option<String>,
    pub(crate) reason: Option<Vec<u8>>,
    pub(crate) body: Vec<u8>,
}

impl Placed for Found {
    fn place(&self) -> Place {
        Place { created_at: self.created_at, id: self.id.uuid() }
    }
}

impl Found {
    pub(crate) fn open(self, seal: &Seal, of: PartnerId) -> Result<HealthProposal, StorageError> {
        let row = id_bytes(self.id);
        let body: HealthProposalBody = decode(&seal.open(TABLE, &row, &self.body)?)?;
        Ok(HealthProposal {
            id: self.id,
            partner: of,
            session: self.session,
            status: self.status,
            created_at: self.created_at,
            changed_at: self.changed_at,
            tenure: body.tenure,
            premium: body.premium,
            reason: open_reason(seal, REASON, &row, self.reason)?,
            insurer_reference: self.insurer_reference,
            origin: body.origin,
        })
    }
}
