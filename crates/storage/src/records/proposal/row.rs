//! Database rows of proposals, with all rows that are written in the same transaction.

use std::sync::Arc;

use domain::date::Timestamp;
use domain::id::{Id, Kind, PartnerId, ProposalId, SessionId, kind};
use domain::line::{ProposalState, QuotedVariant};
use domain::person::PersonalLine;
use domain::proposal::{Actor, Move, Proposal};
use ports::storage::policies::PolicyAct;
use ports::storage::{Identified, ProposalAct, RenewedPolicy, Result, SaleCount};

use super::super::bound::Bound;
use super::super::counted::{Count, Counted};
use super::super::event::EventRow;
use super::super::line::StoredLine;
use super::super::moves::{MoveRow, seal_moves, status};
use super::super::reason::{open_reason, seal_reason};
use super::super::tag::TagRow;
use super::super::{id_bytes, journey, kept_response, policy, premium, short_hash};
use crate::body::ProposalBody;
use crate::codes::Coded;
use crate::fields::{FromRow, RowFields};
use crate::seal::Seal;

const TABLE: &str = "proposals";
const REASON: &str = "proposals.reason";

pub(crate) struct Row {
    pub(crate) of: PartnerId,
    pub(crate) id: [u8; 16],
    pub(crate) line: i16,
    pub(crate) status: i16,
    pub(crate) created_at: i64,
    pub(crate) changed_at: i64,
    pub(crate) session: Option<SessionId>,
    /// Quote and variant from which the proposal was made.
    pub(crate) quoted: ([u8; 16], [u8; 16]),
    pub(crate) insurer_reference: Option<String>,
    pub(crate) reason: Option<Vec<u8>>,
    pub(crate) body: Vec<u8>,
    pub(crate) count: Count,
    pub(crate) tags: Vec<TagRow>,
}

impl Row {
    pub(crate) fn of<L: StoredLine>(seal: &Seal, proposal: &Proposal<L>) -> Result<Self> {
        let id = id_bytes(proposal.id);
        let (session, at) = (proposal.session, proposal.created_at);
        Ok(Row {
            of: proposal.partner,
            id,
            line: L::LINE.code().into(),
            status: proposal.status.code().into(),
            created_at: at.as_microsecond(),
            changed_at: proposal.changed_at.as_microsecond(),
            session,
            quoted: quoted(L::quoted(&proposal.application)),
            insurer_reference: proposal.insurer_reference.clone(),
            reason: seal_reason(
                seal,
                REASON,
                standing::<L>(proposal.partner, proposal.id, proposal.status, proposal.changed_at),
                proposal.reason.as_ref(),
            )?,
            body: seal.seal(TABLE, bound(proposal).as_ref(), &L::encode_proposal(proposal))?,
            count: Count { kind: Counted::Proposals(L::LINE), session, at },
            tags: TagRow::all(
                seal,
                proposal.partner,
                Identified::Proposal(L::LINE),
                id,
                &proposal.identifiers(),
            )?,
        })
    }
}

/// Column values for a quote and a variant. An id that another system created is replaced by its hash.
fn quoted(by: QuotedVariant<'_>) -> ([u8; 16], [u8; 16]) {
    fn column<K: Kind>(text: &str) -> [u8; 16] {
        text.parse::<Id<K>>().map_or_else(|_| short_hash(text.as_bytes()), id_bytes)
    }
    match by {
        QuotedVariant::Here(quote, variant) => (id_bytes(quote), id_bytes(variant)),
        QuotedVariant::Elsewhere { quote, variant } => {
            (column::<kind::Quote>(quote), column::<kind::Variant>(variant))
        }
    }
}

/// Columns to which a proposal's encrypted body is bound: the columns that never change. Quote and variant
/// are not among them, because they are also in the body.
fn bound_to<L: StoredLine>(
    of: PartnerId,
    id: ProposalId,
    created_at: Timestamp,
    session: Option<SessionId>,
    insurer_reference: Option<&str>,
) -> Bound {
    Bound::row(of, &id_bytes(id))
        .number(i16::from(L::LINE.code()))
        .number(created_at.as_microsecond())
        .bytes(session.map(id_bytes).as_ref().map(|id| &id[..]))
        .bytes(insurer_reference.map(str::as_bytes))
}

fn bound<L: StoredLine>(proposal: &Proposal<L>) -> Bound {
    let Proposal { partner, id, created_at, session, insurer_reference, .. } = proposal;
    bound_to::<L>(*partner, *id, *created_at, *session, insurer_reference.as_deref())
}

/// Columns to which a proposal's encrypted reason is bound, such as the current status. The reason is
/// encrypted again at each status change.
fn standing<L: StoredLine>(of: PartnerId, id: ProposalId, status: L::Status, changed_at: Timestamp) -> Bound {
    Bound::row(of, &id_bytes(id))
        .number(i16::from(L::LINE.code()))
        .number(i16::from(status.code()))
        .number(changed_at.as_microsecond())
}

/// History of an imported proposal: one move (status change) to the status that it was imported with.
pub(crate) fn imported<L: StoredLine>(proposal: &Proposal<L>) -> Move<L::Status> {
    Move {
        at: proposal.created_at,
        by: Actor::Operator,
        from: None,
        to: proposal.status,
        reason: proposal.reason.clone(),
    }
}

/// All rows that are written together with a proposal's row.
pub(crate) struct ActRows {
    pub(crate) moves: Vec<MoveRow>,
    /// Encrypted reason of the last move (status change), for the proposal's own row.
    pub(crate) reason: Option<Vec<u8>>,
    pub(crate) policy: Option<policy::Row>,
    /// Groups of sales in which the policy is counted.
    pub(crate) sales: Vec<SaleCount>,
    /// Change of the policy that this proposal renews, if any.
    pub(crate) renewed: Option<policy::Change>,
    pub(crate) job: JobRow,
    pub(crate) response: Option<kept_response::Row>,
    pub(crate) journey: Option<journey::Row>,
    pub(crate) premium: Option<premium::ActRow>,
    pub(crate) events: Vec<EventRow>,
}

/// What happens to the job that asks the insurer about a proposal.
pub(crate) struct JobRow {
    pub(crate) kind: i16,
    /// When the new job is due, in microseconds. `None` if no job is added.
    pub(crate) due: Option<i64>,
    /// Whether to remove the job, because the proposal is decided and the insurer need not be asked.
    pub(crate) ends: bool,
    /// Whether the change of the proposal decides it.
    pub(crate) decides: bool,
}

impl ActRows {
    pub(crate) fn of<L: StoredLine>(
        seal: &Arc<Seal>,
        of: PartnerId,
        id: ProposalId,
        act: ProposalAct<'_, L>,
    ) -> Result<Self> {
        let last = act.moves.last();
        let reason = last.and_then(|last| last.reason.as_ref());
        let decided = last.is_some_and(|last| last.to.is_final());
        Ok(ActRows {
            moves: seal_moves::<L>(seal, of, id, act.moves)?,
            reason: match last {
                None => None,
                Some(last) => seal_reason(seal, REASON, standing::<L>(of, id, last.to, last.at), reason)?,
            },
            policy: act.issue.map(|issue| policy::Row::issued(seal, issue)).transpose()?,
            sales: act.sales.to_vec(),
            renewed: match act.issue.and_then(|issue| issue.renewed.as_deref()) {
                None => None,
                Some(RenewedPolicy { policy, moves }) => {
                    let moved = PolicyAct { moves, ..PolicyAct::default() };
                    Some(policy::Change::of(seal, policy, moved)?)
                }
            },
            job: JobRow {
                kind: L::LINE.code().into(),
                due: act.ask_insurer.map(|at| seal.due(at)),
                ends: act.ask_insurer.is_none() && decided,
                decides: decided,
            },
            response: kept_response::Row::of_response(seal, of, act.response)?,
            journey: act.journey.map(|journey| journey::Row::of(seal, journey)).transpose()?,
            premium: act.premium.map(|act| premium::ActRow::of(seal, of, id, act)).transpose()?,
            events: EventRow::all(seal, of, act.events)?,
        })
    }
}

/// Columns of a proposal, with the body still encrypted.
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

impl FromRow for Found {
    fn columns(row: RowFields<'_>) -> Result<Self> {
        Ok(Found {
            id: row.get(0)?,
            created_at: row.get(1)?,
            changed_at: row.get(2)?,
            status: row.get(3)?,
            session: row.get(4)?,
            insurer_reference: row.get(5)?,
            reason: row.get(6)?,
            body: row.get(7)?,
        })
    }
}

/// Decrypted parts of a proposal, with its status.
struct Unsealed<L: StoredLine> {
    status: L::Status,
    reason: Option<PersonalLine>,
    /// Decrypted body, not decoded yet.
    body: Vec<u8>,
}

impl Found {
    pub(crate) fn open<L: StoredLine>(self, seal: &Seal, of: PartnerId) -> Result<Proposal<L>> {
        let Unsealed { status, reason, body } = self.unseal::<L>(seal, of)?;
        let ProposalBody { premium, application, reference } = L::decode_proposal(&body)?;
        Ok(Proposal {
            id: self.id,
            partner: of,
            session: self.session,
            status,
            created_at: self.created_at,
            changed_at: self.changed_at,
            premium,
            reason,
            insurer_reference: self.insurer_reference,
            reference,
            application: application.into_owned(),
        })
    }

    /// Status of the proposal. The body is decrypted to refuse a row that was changed without the keyring,
    /// but it is not decoded.
    pub(crate) fn status<L: StoredLine>(&self, seal: &Seal, of: PartnerId) -> Result<L::Status> {
        self.unseal::<L>(seal, of).map(|unsealed| unsealed.status)
    }

    fn unseal<L: StoredLine>(&self, seal: &Seal, of: PartnerId) -> Result<Unsealed<L>> {
        let status = status::<L>(self.status)?;
        let standing = standing::<L>(of, self.id, status, self.changed_at);
        let reason = open_reason(seal, REASON, standing, self.reason.as_deref())?;
        let reference = self.insurer_reference.as_deref();
        let bound = bound_to::<L>(of, self.id, self.created_at, self.session, reference);
        Ok(Unsealed { status, reason, body: seal.open(TABLE, bound.as_ref(), &self.body)? })
    }
}
