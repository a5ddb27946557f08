//! Embedded proposals with the moves that they made.

use domain::id::{PartnerId, ProposalId};
use domain::proposal::{Actor, Move, Proposal, ProposalStatus};
use domain::quote::EmbeddedQuote;
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::{Kept, Moved, ProposalLine, StorageError};

use super::row::{fault, id, instant, optional_id, status, word};
use super::writer::Act;
use super::{answer, embedded_quote, job, policy};
use crate::rows::embedded_quote::open as open_quote;
use crate::rows::id_bytes;
use crate::rows::moves::MoveRow;
use crate::rows::proposal::{ActRows, Found, MOVES, Row, decision_job};
use crate::seal::Seal;

pub(super) fn keep(to: &Connection, proposal: &Row, act: &ActRows) -> Result<Act<Kept>, StorageError> {
    if !answer::is_first(to, act.answer.as_ref())? {
        return Ok(Act::Undo(Kept::Twin));
    }
    let Row { of, id, status, created_at, changed_at, body, quote } = proposal;
    let mut keep = to.prepare_cached(include_str!("../../sql/proposals/keep.sqlite.sql")).map_err(fault)?;
    keep.execute(params![of, id, *status as i64, created_at, changed_at, body, quote]).map_err(fault)?;
    add_moves(to, *of, *id, &act.moves)?;
    act.policy.as_ref().map_or(Ok(()), |policy| policy::keep(to, policy))?;
    if let Some(due) = act.ask_insurer {
        job::add(to, &decision_job(*of, *id), due)?;
    }
    Ok(Act::Keep(Kept::New))
}

fn add_moves(
    to: &Connection,
    of: [u8; 16],
    id: [u8; 16],
    moves: &[MoveRow<ProposalStatus>],
) -> Result<(), StorageError> {
    let mut next = to.prepare_cached(include_str!("../../sql/moves/next_place.sqlite.sql")).map_err(fault)?;
    let first: i64 = next.query_row(params![of, id], |row| row.get(0)).map_err(fault)?;
    let mut add = to.prepare_cached(include_str!("../../sql/moves/add.sqlite.sql")).map_err(fault)?;
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
    let mut move_row =
        to.prepare_cached(include_str!("../../sql/proposals/move.sqlite.sql")).map_err(fault)?;
    let values = params![last.to as i64, last.at.as_microsecond(), of, id, from as i64];
    if move_row.execute(values).map_err(fault)? == 0 {
        return Ok(Act::Undo(Moved::Lost));
    }
    add_moves(to, of, id, &act.moves)?;
    act.policy.as_ref().map_or(Ok(()), |policy| policy::keep(to, policy))?;
    match act.ask_insurer {
        Some(due) => job::add(to, &decision_job(of, id), due)?,
        None if act.decides() => job::end_for(to, &decision_job(of, id))?,
        None => {}
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
    let found = read.query_row(params![id_bytes(of), id_bytes(id)], columns).optional().map_err(fault)?;
    found.map(|found| found.open(seal, of, id)).transpose()
}

fn columns(row: &rusqlite::Row<'_>) -> rusqlite::Result<Found> {
    Ok(Found {
        status: status(row, 0)?,
        created_at: instant(row, 1)?,
        changed_at: instant(row, 2)?,
        body: row.get(3)?,
    })
}

pub(super) fn read_with_quote(
    from: &Connection,
    seal: &Seal,
    of: PartnerId,
    id: ProposalId,
) -> Result<Option<(Proposal, Option<EmbeddedQuote>)>, StorageError> {
    let read = include_str!("../../sql/proposals/read_with_quote.sql");
    let mut read = from.prepare_cached(read).map_err(fault)?;
    let both = |row: &rusqlite::Row<'_>| {
        Ok((columns(row)?, optional_id(row, 4)?, row.get::<_, Option<Vec<u8>>>(5)?))
    };
    let found = read.query_row(params![id_bytes(of), id_bytes(id)], both).optional().map_err(fault)?;
    let Some((found, quote, body)) = found else { return Ok(None) };
    let proposal = found.open(seal, of, id)?;
    let quote = match (quote, body) {
        (Some(quote), Some(body)) => Some(open_quote(seal, of, quote, &body)?),
        _ => embedded_quote::read(from, seal, of, proposal.request.quote)?,
    };
    Ok(Some((proposal, quote)))
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
        let from: Option<i64> = row.get(3).map_err(fault)?;
        let made = MoveRow {
            at: instant(row, 1).map_err(fault)?,
            by: word(Actor::ALL, row, 2).map_err(fault)?,
            from: from.map(|_| status(row, 3)).transpose().map_err(fault)?,
            to: status(row, 4).map_err(fault)?,
            reason: row.get(5).map_err(fault)?,
        };
        moves.push(made.open(seal, MOVES, of, id)?);
    }
    Ok(moves)
}
