//! Embedded proposals with the moves that they made.

use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId, Uuid};
use domain::person::PersonalLine;
use domain::proposal::{Actor, Move, Proposal, ProposalStatus};
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::jobs::{Job, JobKind};
use service::storage::{Kept, Moved, ProposalAct, ProposalLine, StorageError};

use super::row::{fault, id, id_bytes, instant, status, word};
use super::writer::Act;
use super::{answer, job, policy};
use crate::body::{ProposalBody, decode, encode};
use crate::seal::Seal;

pub(super) const TABLE: &str = "proposals";
pub(super) const VERSION: u8 = 1;

/// A proposal as it lies in the table.
pub(super) struct Row {
    of: [u8; 16],
    id: [u8; 16],
    status: ProposalStatus,
    created_at: i64,
    changed_at: i64,
    body: Vec<u8>,
}

impl Row {
    pub(super) fn of(seal: &Seal, proposal: &Proposal) -> Result<Self, StorageError> {
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
        })
    }
}

/// A move as it lies in the table. Its reason may be personal and is sealed.
struct MoveRow {
    at: Timestamp,
    by: Actor,
    from: Option<ProposalStatus>,
    to: ProposalStatus,
    reason: Option<Vec<u8>>,
}

/// What goes with a proposal's row, as it lies in the tables.
pub(super) struct ActRows {
    moves: Vec<MoveRow>,
    policy: Option<policy::Row>,
    ask_insurer: Option<Timestamp>,
    answer: Option<answer::Row>,
}

impl ActRows {
    pub(super) fn of(
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
}

/// The job that asks the insurer of a proposal.
fn decision_job(of: [u8; 16], id: [u8; 16]) -> Job {
    let of = PartnerId::from_uuid(Uuid::from_bytes(of));
    Job { kind: JobKind::Decision, of, subject: Uuid::from_bytes(id) }
}

impl MoveRow {
    fn all(seal: &Seal, of: PartnerId, id: ProposalId, moves: &[Move]) -> Result<Vec<Self>, StorageError> {
        let row = |made: &Move| {
            let reason = made.reason.as_ref();
            let reason =
                reason.map(|reason| seal.seal("moves", &reason_row(of, id), reason.reveal().as_bytes()));
            Ok(MoveRow {
                at: made.at,
                by: made.by,
                from: made.from,
                to: made.to,
                reason: reason.transpose()?,
            })
        };
        moves.iter().map(row).collect()
    }
}

/// What a reason is bound to.
fn reason_row(of: PartnerId, id: ProposalId) -> Vec<u8> {
    [id_bytes(of), id_bytes(id)].concat()
}

pub(super) fn keep(to: &Connection, proposal: &Row, act: &ActRows) -> Result<Act<Kept>, StorageError> {
    if !answer::is_first(to, act.answer.as_ref())? {
        return Ok(Act::Undo(Kept::Twin));
    }
    let Row { of, id, status, created_at, changed_at, body } = proposal;
    let mut keep = to.prepare_cached(include_str!("../../sql/proposals/keep.sql")).map_err(fault)?;
    keep.execute(params![of, id, *status as i64, created_at, changed_at, body]).map_err(fault)?;
    add_moves(to, *of, *id, &act.moves)?;
    act.policy.as_ref().map_or(Ok(()), |policy| policy::keep(to, policy))?;
    if let Some(due) = act.ask_insurer {
        job::add(to, &decision_job(*of, *id), due)?;
    }
    Ok(Act::Keep(Kept::New))
}

fn add_moves(to: &Connection, of: [u8; 16], id: [u8; 16], moves: &[MoveRow]) -> Result<(), StorageError> {
    let mut next = to.prepare_cached(include_str!("../../sql/moves/next_place.sql")).map_err(fault)?;
    let first: i64 = next.query_row(params![of, id], |row| row.get(0)).map_err(fault)?;
    let mut add = to.prepare_cached(include_str!("../../sql/moves/add.sql")).map_err(fault)?;
    for (place, made) in (first..).zip(moves) {
        let from = made.from.map(|status| status as i64);
        let at = made.at.as_microsecond();
        add.execute(params![of, id, place, at, made.by as i64, from, made.to as i64, made.reason])
            .map_err(fault)?;
    }
    Ok(())
}

pub(super) fn move_along(
    to: &Connection,
    of: PartnerId,
    id: ProposalId,
    from: ProposalStatus,
    act: &ActRows,
) -> Result<Act<Moved>, StorageError> {
    let Some(last) = act.moves.last() else { return Ok(Act::Undo(Moved::Lost)) };
    let (of, id) = (id_bytes(of), id_bytes(id));
    if !answer::is_first(to, act.answer.as_ref())? {
        return Ok(Act::Undo(Moved::Twin));
    }
    let mut move_row = to.prepare_cached(include_str!("../../sql/proposals/move.sql")).map_err(fault)?;
    let values = params![last.to as i64, last.at.as_microsecond(), of, id, from as i64];
    if move_row.execute(values).map_err(fault)? == 0 {
        return Ok(Act::Undo(Moved::Lost));
    }
    add_moves(to, of, id, &act.moves)?;
    act.policy.as_ref().map_or(Ok(()), |policy| policy::keep(to, policy))?;
    match (act.ask_insurer, last.to) {
        (Some(due), _) => job::add(to, &decision_job(of, id), due)?,
        // Decided: nobody is to be asked any more.
        (None, ProposalStatus::Completed | ProposalStatus::Rejected) => {
            job::end_for(to, &decision_job(of, id))?;
        }
        (None, ProposalStatus::Draft | ProposalStatus::Pending) => {}
    }
    Ok(Act::Keep(Moved::Won))
}

pub(super) fn read(
    from: &Connection,
    seal: &Seal,
    of: PartnerId,
    id: ProposalId,
) -> Result<Option<Proposal>, StorageError> {
    let mut read = from.prepare_cached(include_str!("../../sql/proposals/read.sql")).map_err(fault)?;
    let columns = |row: &rusqlite::Row<'_>| {
        Ok((status(row, 0)?, instant(row, 1)?, instant(row, 2)?, row.get::<_, Vec<u8>>(3)?))
    };
    let found = read.query_row(params![id_bytes(of), id_bytes(id)], columns).optional().map_err(fault)?;
    let Some((status, created_at, changed_at, sealed)) = found else { return Ok(None) };
    let ProposalBody { variant, premium, request } =
        decode(VERSION, &seal.open(TABLE, &id_bytes(id), &sealed)?)?;
    Ok(Some(Proposal { id, partner: of, status, created_at, changed_at, variant, premium, request }))
}

pub(super) fn partner_of(from: &Connection, id: ProposalId) -> Result<Option<PartnerId>, StorageError> {
    let mut read = from.prepare_cached(include_str!("../../sql/proposals/partner_of.sql")).map_err(fault)?;
    read.query_row(params![id_bytes(id)], |row| super::row::id(row, 0)).optional().map_err(fault)
}

pub(super) fn list(
    from: &Connection,
    of: PartnerId,
    wanted: Option<ProposalStatus>,
    most: usize,
) -> Result<Vec<ProposalLine>, StorageError> {
    let mut list = from.prepare_cached(include_str!("../../sql/proposals/list.sql")).map_err(fault)?;
    let line = |row: &rusqlite::Row<'_>| {
        Ok(ProposalLine {
            id: id(row, 0)?,
            partner: of,
            status: status(row, 1)?,
            created_at: instant(row, 2)?,
            changed_at: instant(row, 3)?,
        })
    };
    let wanted = wanted.map(|status| status as i64);
    let lines = list.query_map(params![id_bytes(of), wanted, most as i64], line).map_err(fault)?;
    lines.collect::<Result<_, _>>().map_err(fault)
}

pub(super) fn history(
    from: &Connection,
    seal: &Seal,
    of: PartnerId,
    id: ProposalId,
) -> Result<Vec<Move>, StorageError> {
    let mut list = from.prepare_cached(include_str!("../../sql/moves/list.sql")).map_err(fault)?;
    let mut rows = list.query(params![id_bytes(of), id_bytes(id)]).map_err(fault)?;
    let mut moves = Vec::new();
    while let Some(row) = rows.next().map_err(fault)? {
        let sealed: Option<Vec<u8>> = row.get(5).map_err(fault)?;
        let reason = sealed.map(|sealed| open_reason(seal, of, id, &sealed)).transpose()?;
        let from: Option<i64> = row.get(3).map_err(fault)?;
        moves.push(Move {
            at: instant(row, 1).map_err(fault)?,
            by: word(Actor::ALL, row, 2).map_err(fault)?,
            from: from.map(|_| status(row, 3)).transpose().map_err(fault)?,
            to: status(row, 4).map_err(fault)?,
            reason,
        });
    }
    Ok(moves)
}

pub(super) fn open_reason(
    seal: &Seal,
    of: PartnerId,
    id: ProposalId,
    sealed: &[u8],
) -> Result<PersonalLine, StorageError> {
    let plain = seal.open("moves", &reason_row(of, id), sealed)?;
    let text = String::from_utf8(plain).map_err(|_| StorageError::Damaged("a reason is no text".into()))?;
    Ok(PersonalLine::kept(text))
}
