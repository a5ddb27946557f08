//! Health proposals with the moves that they made.

use async_trait::async_trait;
use domain::health_proposal::{HealthProposal, HealthProposalStatus};
use domain::id::{PartnerId, ProposalId};
use domain::journey::Journey;
use domain::proposal::{Actor, Move};
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::StorageError;
use service::storage::health_proposals::{
    HealthAct, HealthProposalLine, HealthProposals, ImportEnd, Proposed, Records,
};
use service::storage::lists::{From, Page, Selection};

use super::list::{self, Listed, Statements};
use super::row::{fault, id, instant, optional_id, word};
use super::writer::Act;
use super::{Sqlite, count, health_policy, job, journey};
use crate::rows::counted::Counted;
use crate::rows::health_proposal::{ActRows, Found, MOVES, Row, born, decision_job};
use crate::rows::moves::MoveRow;
use crate::rows::{self, id_bytes};

/// Inserts a proposal and counts it. `false`: its id is taken, or another one is active.
fn keep(to: &Connection, proposal: &Row) -> Result<bool, StorageError> {
    let keep = include_str!("../../sql/health_proposals/keep.sqlite.sql");
    let mut keep = to.prepare_cached(keep).map_err(fault)?;
    let values = params![
        proposal.of,
        proposal.id,
        proposal.status as i64,
        proposal.created_at.as_microsecond(),
        proposal.changed_at,
        proposal.session.map(id_bytes),
        proposal.chosen.map(|(quote, _)| quote),
        proposal.chosen.map(|(_, variant)| variant),
        proposal.insurer_reference,
        proposal.reason,
        proposal.body
    ];
    if keep.execute(values).map_err(fault)? == 0 {
        return Ok(false);
    }
    count::add(to, Counted::Proposals, proposal.partner(), proposal.session, proposal.created_at)?;
    Ok(true)
}

/// Writes the moves, the policy where there is one, and begins or ends the job that asks the insurer.
fn write(to: &Connection, act: &ActRows, of: [u8; 16], id: [u8; 16]) -> Result<(), StorageError> {
    let next = include_str!("../../sql/health_moves/next_place.sqlite.sql");
    let mut next = to.prepare_cached(next).map_err(fault)?;
    let first: i64 = next.query_row(params![of, id], |row| row.get(0)).map_err(fault)?;
    let mut add = to.prepare_cached(include_str!("../../sql/health_moves/add.sqlite.sql")).map_err(fault)?;
    for (place, made) in (first..).zip(&act.moves) {
        let from = made.from.map(|status| status as i64);
        let at = made.at.as_microsecond();
        add.execute(params![of, id, place, at, made.by as i64, from, made.to as i64, made.reason])
            .map_err(fault)?;
    }
    if let Some(policy) = &act.policy
        && !health_policy::keep(to, policy)?
    {
        return Err(StorageError::Refused("a second policy of one proposal or number".into()));
    }
    match act.ask_insurer {
        Some(due) => job::add(to, &decision_job(of, id), due),
        None if act.decides() => job::end_for(to, &decision_job(of, id)),
        None => Ok(()),
    }
}

impl Listed for Found {
    const STATEMENTS: Statements = Statements {
        older_of_days: include_str!("../../sql/health_proposals/older_of_days.sqlite.sql"),
        newer_of_days: include_str!("../../sql/health_proposals/newer_of_days.sqlite.sql"),
        older_of_session: include_str!("../../sql/health_proposals/older_of_session.sqlite.sql"),
        newer_of_session: include_str!("../../sql/health_proposals/newer_of_session.sqlite.sql"),
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
        let journey = rows::journey::Row::of(&self.seal, journey)?;
        self.writer
            .decide(move |to| {
                if !keep(to, &row)? {
                    let (quote, variant) = row.chosen.unwrap_or_default();
                    let active = include_str!("../../sql/health_proposals/active.sql");
                    let mut active = to.prepare_cached(active).map_err(fault)?;
                    let active = active.query_row(params![row.of, quote, variant], |row| id(row, 0));
                    return Ok(Act::Undo(Proposed::AlreadyActive(active.map_err(fault)?)));
                }
                if !journey::change(to, &journey)? {
                    return Ok(Act::Undo(Proposed::JourneyChanged));
                }
                write(to, &act, row.of, row.id)?;
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
            found.map_err(fault)?.map(|found| found.open(&self.seal, of)).transpose()
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
            page.try_map(|found| found.open(&self.seal, of))
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
                let move_row = include_str!("../../sql/health_proposals/move.sqlite.sql");
                let mut move_row = to.prepare_cached(move_row).map_err(fault)?;
                let values = params![to_status as i64, at.as_microsecond(), act.reason, of, id, from as i64];
                if move_row.execute(values).map_err(fault)? == 0 {
                    return Ok(Act::Undo(false));
                }
                write(to, &act, of, id)?;
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
                let made = MoveRow {
                    at: instant(row, 1).map_err(fault)?,
                    by: word(Actor::ALL, row, 2).map_err(fault)?,
                    from: from.map(|_| status(3)).transpose().map_err(fault)?,
                    to: status(4).map_err(fault)?,
                    reason: row.get(5).map_err(fault)?,
                };
                moves.push(made.open(&self.seal, MOVES, of, id)?);
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
                    let kept = keep(to, &Row::of(&seal, &proposal)?)?;
                    if kept {
                        let act = HealthAct { moves: &[born(&proposal)], ..HealthAct::default() };
                        let act = ActRows::of(&seal, proposal.partner, proposal.id, act)?;
                        write(to, &act, id_bytes(proposal.partner), id_bytes(proposal.id))?;
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
