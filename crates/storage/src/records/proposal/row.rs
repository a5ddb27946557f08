//! Database rows of proposals, with all rows that are written in the same transaction.

use crate::records::row::{ToRow, row};
use std::sync::Arc;

use domain::date::Timestamp;
use domain::id::{Id, Kind, PartnerId, ProposalId, SessionId, kind};
use domain::line::{LineOfBusiness, ProposalState, QuotedVariant};
use domain::person::PersonalLine;
use domain::proposal::{Actor, Move, Proposal};
use ports::storage::policies::PolicyAct;
use ports::storage::{Identified, ProposalAct, RenewedPolicy, Result, SaleCount};

use super::super::bound::Bound;
use super::super::counted::{Count, Counted};
use super::super::event::EventRow;
use super::super::line::StoredLine;
use super::super::moves::{MoveRow, status};
use super::super::reason::{open_reason, seal_reason};
use super::super::tag::TagRow;
use super::super::{id_bytes, journey, kept_response, policy, premium, short_hash};
use crate::body::ProposalBody;
use crate::fields::{Coded, Value, values};
use crate::seal::Seal;

const TABLE: &str = "proposals";
const REASON: &str = "proposals.reason";

row! {
    /// Proposal as stored in its row.
    Row in "proposals/keep" {
        partner_id: PartnerId,
        proposal_id: ProposalId,
        line: LineOfBusiness,
        created_at: Timestamp,
        session_id: Option<SessionId>,
        insurer_reference: Option<String>,
    } free {
        status: i16,
        changed_at: Timestamp,
        /// Encrypted reason of the last move (status change). Each move encrypts it again.
        reason: Option<Vec<u8>>,
        body: Vec<u8>,
    }
}

/// New proposal with what is written together with it.
pub(crate) struct NewProposal {
    pub(crate) row: Row,
    /// Quote and variant from which the proposal was made. They are also in the body.
    pub(crate) quoted: [[u8; 16]; 2],
    pub(crate) count: Count,
    pub(crate) tags: Vec<TagRow>,
}

impl NewProposal {
    pub(crate) fn of<L: StoredLine>(seal: &Seal, proposal: &Proposal<L>) -> Result<Self> {
        let Proposal { partner: of, id, created_at, session, changed_at, .. } = *proposal;
        let standing = standing::<L>(of, id, proposal.status, changed_at);
        let mut row = Row {
            partner_id: of,
            proposal_id: id,
            line: L::LINE,
            created_at,
            session_id: session,
            insurer_reference: proposal.insurer_reference.clone(),
            status: proposal.status.code().into(),
            changed_at,
            reason: seal_reason(seal, REASON, standing, proposal.reason.as_ref())?,
            body: Vec::new(),
        };
        row.body = seal.seal(TABLE, &row.bound(), &L::encode_proposal(proposal))?;
        let (kind, by) = (Identified::Proposal(L::LINE), proposal.identifiers());
        Ok(NewProposal {
            row,
            quoted: quoted(L::quoted(&proposal.application)),
            count: Count { kind: Counted::Proposals(L::LINE), session, at: created_at },
            tags: TagRow::all(seal, of, kind, id_bytes(id), &by)?,
        })
    }

    /// Column values of a new proposal. `import`: the import that stages it, if any.
    pub(crate) fn values(&self, import: Option<i64>) -> Vec<Value<'_>> {
        let [quote, variant] = &self.quoted;
        [&self.row.values()[..], values![quote, variant, import]].concat()
    }
}

/// Column values for a quote and a variant. An id that another system created is replaced by its hash.
pub(crate) fn quoted(by: QuotedVariant<'_>) -> [[u8; 16]; 2] {
    fn column<K: Kind>(text: &str) -> [u8; 16] {
        text.parse::<Id<K>>().map_or_else(|_| short_hash(text.as_bytes()), id_bytes)
    }
    match by {
        QuotedVariant::Here(quote, variant) => [id_bytes(quote), id_bytes(variant)],
        QuotedVariant::Elsewhere { quote, variant } => {
            [column::<kind::Quote>(quote), column::<kind::Variant>(variant)]
        }
    }
}

/// Columns to which a proposal's encrypted reason is bound, such as the current status.
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
    pub(crate) policy: Option<policy::PolicyRows>,
    /// Groups of sales in which the policy is counted.
    pub(crate) sales: Vec<SaleCount>,
    /// Change of the policy that this proposal renews, if any.
    pub(crate) renewed: Option<policy::Change>,
    pub(crate) job: JobRow,
    pub(crate) response: Option<kept_response::Row>,
    pub(crate) journey: Option<journey::Row>,
    pub(crate) premium: Option<premium::ActRow>,
    pub(crate) events: Vec<EventRow>,
    /// New content of a draft.
    pub(crate) replaced: Option<Box<NewProposal>>,
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
            moves: MoveRow::all::<L>(seal, of, id, act.moves)?,
            reason: match last {
                None => None,
                Some(last) => seal_reason(seal, REASON, standing::<L>(of, id, last.to, last.at), reason)?,
            },
            policy: act.issue.map(|issue| policy::PolicyRows::issued(seal, issue)).transpose()?,
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
            replaced: act
                .replaced
                .map(|proposal| NewProposal::of(seal, proposal).map(Box::new))
                .transpose()?,
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

impl Row {
    pub(crate) fn open<L: StoredLine>(self, seal: &Seal) -> Result<Proposal<L>> {
        let Unsealed { status, reason, body } = self.unseal::<L>(seal)?;
        let ProposalBody { premium, application, reference } = L::decode_proposal(&body)?;
        Ok(Proposal {
            id: self.proposal_id,
            partner: self.partner_id,
            session: self.session_id,
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
    pub(crate) fn status<L: StoredLine>(&self, seal: &Seal) -> Result<L::Status> {
        self.unseal::<L>(seal).map(|unsealed| unsealed.status)
    }

    fn unseal<L: StoredLine>(&self, seal: &Seal) -> Result<Unsealed<L>> {
        let status = status::<L>(self.status)?;
        let standing = standing::<L>(self.partner_id, self.proposal_id, status, self.changed_at);
        let reason = open_reason(seal, REASON, standing, self.reason.as_deref())?;
        Ok(Unsealed { status, reason, body: seal.open(TABLE, &self.bound(), &self.body)? })
    }
}
