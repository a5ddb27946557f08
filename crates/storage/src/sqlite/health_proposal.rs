//! Health proposals with the moves that they made.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::health_proposal::{HealthProposal, HealthProposalStatus};
use domain::id::{PartnerId, ProposalId, SessionId};
use domain::journey::Journey;
use domain::person::PersonalLine;
use domain::proposal::{Actor, Move};
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::StorageError;
use service::storage::health_proposals::{
    HealthAct, HealthProposalLine, HealthProposals, ImportEnd, Proposed, Records,
};
use service::storage::jobs::{Job, JobKind};
use service::storage::lists::{From, Page, Place, Selection};

use super::count::Counted;
use super::list::{self, Listed, Statements};
use super::row::{fault, id, id_bytes, instant, optional_id, word};
use super::writer::Act;
use super::{Sqlite, count, health_policy, job, journey};
use crate::body::{HealthProposalBody, decode, encode};
use crate::seal::Seal;

const TABLE: &str = "health_proposals";
const REASON: &str = "health_proposals.reason";
const MOVES: &str = "health_moves";
const VERSION: u8 = 1;

/// A proposal as it lies in the table.
struct Row {
    of: [u8; 16],
    id: [u8; 16],
    status: HealthProposalStatus,
    created_at: Timestamp,
    changed_at: i64,
    session: Option<SessionId>,
    /// Quote and variant of one that the journey made.
    chosen: Option<([u8; 16], [u8; 16])>,
    insurer_reference: Option<String>,
    reason: Option<Vec<u8>>,
    body: Vec<u8>,
}

impl Row {
    fn of(seal: &Seal, proposal: &HealthProposal) -> Result<Self, StorageError> {
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
            body: seal.seal(TABLE, &id, &encode(VERSION, &HealthProposalBody::of(proposal)))?,
        })
    }

    /// Inserts it and counts it. `false`: its id is taken, or another one is active.
    fn keep(&self, to: &Connection) -> Result<bool, StorageError> {
        let mut keep =
            to.prepare_cached(include_str!("../../sql/health_proposals/keep.sql")).map_err(fault)?;
        let values = params![
            self.of,
            self.id,
            self.status as i64,
            self.created_at.as_microsecond(),
            self.changed_at,
            self.session.map(id_bytes),
            self.chosen.map(|(quote, _)| quote),
            self.chosen.map(|(_, variant)| variant),
            self.insurer_reference,
            self.reason,
            self.body
        ];
        if keep.execute(values).map_err(fault)? == 0 {
            return Ok(false);
        }
        let of = PartnerId::from_uuid(domain::id::Uuid::from_bytes(self.of));
        count::add(to, Counted::Proposals, of, self.session, self.created_at)?;
        Ok(true)
    }
}

fn seal_reason(
    seal: &Seal,
    column: &str,
    row: &[u8],
    reason: Option<&PersonalLine>,
) -> Result<Option<Vec<u8>>, StorageError> {
    reason.map(|reason| seal.seal(column, row, reason.reveal().as_bytes())).transpose()
}

fn open_reason(
    seal: &Seal,
    column: &str,
    row: &[u8],
    sealed: Option<Vec<u8>>,
) -> Result<Option<PersonalLine>, StorageError> {
    let Some(sealed) = sealed else { return Ok(None) };
    let plain = seal.open(column, row, &sealed)?;
    let text = String::from_utf8(plain).map_err(|_| StorageError::Damaged("a reason is no text".into()))?;
    Ok(Some(PersonalLine::kept(text)))
}

/// Opens the reason of a move.
pub(super) fn open_move_reason(
    seal: &Seal,
    of: PartnerId,
    id: ProposalId,
    sealed: Option<Vec<u8>>,
) -> Result<Option<PersonalLine>, StorageError> {
    open_reason(seal, MOVES, &move_row(of, id), sealed)
}

/// A move as it lies in the table. Its reason may be personal and is sealed.
struct MoveRow {
    at: Timestamp,
    by: Actor,
    from: Option<HealthProposalStatus>,
    to: HealthProposalStatus,
    reason: Option<Vec<u8>>,
}

/// What goes with a proposal's row, as it lies in the tables.
struct ActRows {
    moves: Vec<MoveRow>,
    /// The reason of the last move, for the proposal's own row.
    reason: Option<Vec<u8>>,
    policy: Option<health_policy::Row>,
    ask_insurer: Option<Timestamp>,
}

impl ActRows {
    fn of(seal: &Seal, of: PartnerId, id: ProposalId, act: HealthAct<'_>) -> Result<Self, StorageError> {
        let row = |made: &Move<HealthProposalStatus>| {
            let reason = seal_reason(seal, MOVES, &move_row(of, id), made.reason.as_ref())?;
            Ok(MoveRow { at: made.at, by: made.by, from: made.from, to: made.to, reason })
        };
        let last = act.moves.last().and_then(|last| last.reason.as_ref());
        Ok(ActRows {
            moves: act.moves.iter().map(row).collect::<Result<_, StorageError>>()?,
            reason: seal_reason(seal, REASON, &id_bytes(id), last)?,
            policy: act.issue.map(|issue| health_policy::Row::issued(seal, issue)).transpose()?,
            ask_insurer: act.ask_insurer,
        })
    }

    /// Writes the moves, the policy where there is one, and begins or ends the job that asks the insurer.
    fn write(&self, to: &Connection, of: [u8; 16], id: [u8; 16]) -> Result<(), StorageError> {
        let mut next =
            to.prepare_cached(include_str!("../../sql/health_moves/next_place.sql")).map_err(fault)?;
        let first: i64 = next.query_row(params![of, id], |row| row.get(0)).map_err(fault)?;
        let mut add = to.prepare_cached(include_str!("../../sql/health_moves/add.sql")).map_err(fault)?;
        for (place, made) in (first..).zip(&self.moves) {
            let from = made.from.map(|status| status as i64);
            let at = made.at.as_microsecond();
            add.execute(params![of, id, place, at, made.by as i64, from, made.to as i64, made.reason])
                .map_err(fault)?;
        }
        if let Some(policy) = &self.policy
            && !policy.keep(to)?
        {
            return Err(StorageError::Refused("a second policy of one proposal or number".into()));
        }
        match (self.ask_insurer, self.moves.last()) {
            (Some(due), _) => job::add(to, &decision_job(of, id), due),
            // Decided: nobody is to be asked any more.
            (None, Some(last)) if last.to.is_final() => job::end_for(to, &decision_job(of, id)),
            (None, _) => Ok(()),
        }
    }
}

/// What a move's reason is bound to.
fn move_row(of: PartnerId, id: ProposalId) -> Vec<u8> {
    [id_bytes(of), id_bytes(id)].concat()
}

/// The job that asks the insurer of a proposal.
fn decision_job(of: [u8; 16], id: [u8; 16]) -> Job {
    let uuid = domain::id::Uuid::from_bytes;
    Job { kind: JobKind::HealthDecision, of: PartnerId::from_uuid(uuid(of)), subject: uuid(id) }
}

/// A row's columns before its body is opened.
pub(super) struct Found {
    id: ProposalId,
    created_at: Timestamp,
    changed_at: Timestamp,
    status: HealthProposalStatus,
    session: Option<SessionId>,
    insurer_reference: Option<String>,
    reason: Option<Vec<u8>>,
    body: Vec<u8>,
}

impl Listed for Found {
    const STATEMENTS: Statements = Statements {
        older_of_days: include_str!("../../sql/health_proposals/older_of_days.sql"),
        newer_of_days: include_str!("../../sql/health_proposals/newer_of_days.sql"),
        older_of_session: include_str!("../../sql/health_proposals/older_of_session.sql"),
        newer_of_session: include_str!("../../sql/health_proposals/newer_of_session.sql"),
    };
    const COUNTED: Counted = Counted::Proposals;

    fn columns(row: &rusqlite::Row<'_>) -> rusqlite::Result<Self> {
        Ok(Found {
            id: id(row, 0)?,
            created_at: instant(row, 1)?,
            changed_at: instant(row, 2)?,
            status: word(HealthProposalStatus::ALL, row, 3)?,
            session: optional_id(row, 4)?,
            insurer_reference: row.get(5)?,
            reason: row.get(6)?,
            body: row.get(7)?,
        })
    }

    fn place(&self) -> Place {
        Place { created_at: self.created_at, id: self.id.uuid() }
    }
}

pub(super) fn open(seal: &Seal, of: PartnerId, found: Found) -> Result<HealthProposal, StorageError> {
    let row = id_bytes(found.id);
    let body: HealthProposalBody = decode(VERSION, &seal.open(TABLE, &row, &found.body)?)?;
    Ok(HealthProposal {
        id: found.id,
        partner: of,
        session: found.session,
        status: found.status,
        created_at: found.created_at,
        changed_at: found.changed_at,
        tenure: body.tenure,
        premium: body.premium,
        reason: open_reason(seal, REASON, &row, found.reason)?,
        insurer_reference: found.insurer_reference,
        origin: body.origin,
    })
}

#[async_trait]
impl HealthProposals for Sqlite {
    async fn keep_health_proposal(
        &self,
        proposal: &HealthProposal,
        act: HealthAct<'_>,
        journey: &Journey,
    ) -> Result<Proposed, StorageError> {
        let row = Row::of(&self.seal, proposal)?;
        let act = ActRows::of(&self.seal, proposal.partner, proposal.id, act)?;
        let journey = journey::Row::of(&self.seal, journey)?;
        self.writer
            .decide(move |to| {
                if !row.keep(to)? {
                    let (quote, variant) = row.chosen.unwrap_or_default();
                    let active = include_str!("../../sql/health_proposals/active.sql");
                    let mut active = to.prepare_cached(active).map_err(fault)?;
                    let active = active.query_row(params![row.of, quote, variant], |row| id(row, 0));
                    return Ok(Act::Undo(Proposed::AlreadyActive(active.map_err(fault)?)));
                }
                if !journey.change(to)? {
                    return Ok(Act::Undo(Proposed::JourneyChanged));
                }
                act.write(to, row.of, row.id)?;
                Ok(Act::Keep(Proposed::New))
            })
            .await
    }

    async fn health_proposal(
        &self,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Option<HealthProposal>, StorageError> {
        self.readers.read(|from| {
            let mut read =
                from.prepare_cached(include_str!("../../sql/health_proposals/read.sql")).map_err(fault)?;
            let found = read.query_row(params![id_bytes(of), id_bytes(id)], Found::columns).optional();
            found.map_err(fault)?.map(|found| open(&self.seal, of, found)).transpose()
        })
    }

    async fn partner_of_health_proposal(&self, id: ProposalId) -> Result<Option<PartnerId>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/health_proposals/partner_of.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            read.query_row(params![id_bytes(id)], |row| super::row::id(row, 0)).optional().map_err(fault)
        })
    }

    async fn health_proposals(
        &self,
        of: PartnerId,
        which: Selection,
        from: From,
        most: usize,
    ) -> Result<Page<HealthProposal>, StorageError> {
        self.readers.read(|reader| {
            let moment = reader.unchecked_transaction().map_err(fault)?;
            let page = list::page::<Found>(&moment, of, which, from, most)?;
            page.try_map(|found| open(&self.seal, of, found))
        })
    }

    async fn health_proposal_lines(
        &self,
        of: PartnerId,
        status: Option<HealthProposalStatus>,
        most: usize,
    ) -> Result<Vec<HealthProposalLine>, StorageError> {
        self.readers.read(|from| {
            let mut list =
                from.prepare_cached(include_str!("../../sql/health_proposals/list.sql")).map_err(fault)?;
            let line = |row: &rusqlite::Row<'_>| {
                Ok(HealthProposalLine {
                    id: id(row, 0)?,
                    partner: of,
                    status: word(HealthProposalStatus::ALL, row, 1)?,
                    created_at: instant(row, 2)?,
                    changed_at: instant(row, 3)?,
                })
            };
            let status = status.map(|status| status as i64);
            let lines = list.query_map(params![id_bytes(of), status, most as i64], line).map_err(fault)?;
            lines.collect::<Result<_, _>>().map_err(fault)
        })
    }

    async fn move_health_proposal(
        &self,
        of: PartnerId,
        id: ProposalId,
        from: HealthProposalStatus,
        act: HealthAct<'_>,
    ) -> Result<bool, StorageError> {
        let Some(last) = act.moves.last() else { return Ok(false) };
        let (to_status, at) = (last.to, last.at);
        let act = ActRows::of(&self.seal, of, id, act)?;
        let (of, id) = (id_bytes(of), id_bytes(id));
        self.writer
            .decide(move |to| {
                let move_row = include_str!("../../sql/health_proposals/move.sql");
                let mut move_row = to.prepare_cached(move_row).map_err(fault)?;
                let values = params![to_status as i64, at.as_microsecond(), act.reason, of, id, from as i64];
                if move_row.execute(values).map_err(fault)? == 0 {
                    return Ok(Act::Undo(false));
                }
                act.write(to, of, id)?;
                Ok(Act::Keep(true))
            })
            .await
    }

    async fn health_history(
        &self,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Vec<Move<HealthProposalStatus>>, StorageError> {
        self.readers.read(|from| {
            let mut list =
                from.prepare_cached(include_str!("../../sql/health_moves/list.sql")).map_err(fault)?;
            let mut rows = list.query(params![id_bytes(of), id_bytes(id)]).map_err(fault)?;
            let mut moves = Vec::new();
            while let Some(row) = rows.next().map_err(fault)? {
                let status = |column| word(HealthProposalStatus::ALL, row, column);
                let from: Option<i64> = row.get(3).map_err(fault)?;
                let sealed: Option<Vec<u8>> = row.get(5).map_err(fault)?;
                moves.push(Move {
                    at: instant(row, 1).map_err(fault)?,
                    by: word(Actor::ALL, row, 2).map_err(fault)?,
                    from: from.map(|_| status(3)).transpose().map_err(fault)?,
                    to: status(4).map_err(fault)?,
                    reason: open_move_reason(&self.seal, of, id, sealed)?,
                });
            }
            Ok(moves)
        })
    }

    async fn import_health_proposals(
        &self,
        records: Records<HealthProposal>,
    ) -> Result<ImportEnd, StorageError> {
        let seal = self.seal.clone();
        self.writer
            .decide(move |to| {
                import(records, |proposal| {
                    let kept = Row::of(&seal, &proposal)?.keep(to)?;
                    // Its history begins and ends where the record says it stands.
                    let born = Move {
                        at: proposal.created_at,
                        by: Actor::Operator,
                        from: None,
                        to: proposal.status,
                        reason: proposal.reason.clone(),
                    };
                    if kept {
                        let act = HealthAct { moves: &[born], ..HealthAct::default() };
                        let act = ActRows::of(&seal, proposal.partner, proposal.id, act)?;
                        act.write(to, id_bytes(proposal.partner), id_bytes(proposal.id))?;
                    }
                    Ok(kept)
                })
            })
            .await
    }
}

/// Keeps records one after another, and undoes it all where one is taken.
pub(super) fn import<T>(
    records: Records<T>,
    mut keep: impl FnMut(T) -> Result<bool, StorageError>,
) -> Result<Act<ImportEnd>, StorageError> {
    let (mut kept, mut taken) = (0, Vec::new());
    for (place, record) in (0..).zip(records) {
        if keep(record?)? {
            kept += 1;
        } else {
            taken.push(place);
        }
    }
    Ok(if taken.is_empty() { Act::Keep(ImportEnd::Kept(kept)) } else { Act::Undo(ImportEnd::Taken(taken)) })
}
