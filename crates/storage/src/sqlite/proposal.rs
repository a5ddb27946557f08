//! Proposals with the moves that they made.

use async_trait::async_trait;
use domain::id::{PartnerId, ProposalId};
use domain::line::LineOfBusiness;
use domain::proposal::{Move, Proposal};
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::lists::{ListStart, Page, Selection};
use service::storage::{
    ImportEnd, Moved, ProposalAct, ProposalLine, ProposalOwners, Proposals, Proposed, Records, StorageError,
};

use super::list;
use super::row::{by, coded, fault, id, instant};
use super::writer::Act;
use super::{Sqlite, count, event, import, job, journey, kept_response, policy, premium, tag};
use crate::codes::Coded;
use crate::rows::id_bytes;
use crate::rows::line::StoredLine;
use crate::rows::list::List;
use crate::rows::moves::{self, status};
use crate::rows::position::Listed;
use crate::rows::proposal::{ActRows, Found, Row, imported};
use crate::rows::state_moves::FoundMove;

/// Inserts a proposal and counts it. `false`: its id is taken, or another one is active.
fn insert(to: &Connection, proposal: &Row) -> Result<bool, StorageError> {
    let keep = include_str!("../../sql/proposals/keep.sqlite.sql");
    let mut keep = to.prepare_cached(keep).map_err(fault)?;
    let values = params![
        id_bytes(proposal.of),
        proposal.id,
        proposal.line,
        proposal.status,
        proposal.created_at,
        proposal.changed_at,
        proposal.session.map(id_bytes),
        proposal.quoted.0,
        proposal.quoted.1,
        proposal.insurer_reference,
        proposal.reason,
        proposal.body
    ];
    if keep.execute(values).map_err(fault)? == 0 {
        return Ok(false);
    }
    count::add(to, proposal.of, proposal.count)?;
    tag::add(to, &proposal.tags)?;
    Ok(true)
}

/// How the writing of an act went.
enum Written {
    /// It is written.
    Done,
    /// The premium is due, and all is to be undone.
    PremiumDue,
    /// The policy that is renewed was changed, and all is to be undone.
    RenewedChanged,
}

/// Writes the moves, the policy where there is one with the one that it renews, what happens to its premium, and begins or ends the
/// job that asks the insurer.
fn write(to: &Connection, act: &ActRows, of: PartnerId, id: [u8; 16]) -> Result<Written, StorageError> {
    let line = act.job.kind;
    let next = include_str!("../../sql/moves/next_sequence.sqlite.sql");
    let mut next = to.prepare_cached(next).map_err(fault)?;
    let first: i64 = next.query_row(params![id_bytes(of), id], |row| row.get(0)).map_err(fault)?;
    let mut add = to.prepare_cached(include_str!("../../sql/moves/add.sqlite.sql")).map_err(fault)?;
    for (sequence, made) in (first..).zip(&act.moves) {
        let values =
            params![id_bytes(of), id, line, sequence, made.at, made.by, made.from, made.to, made.reason];
        add.execute(values).map_err(fault)?;
    }
    if let Some(policy) = &act.policy
        && !policy::insert(to, policy)?
    {
        return Err(StorageError::Refused("a second policy of one proposal or number".into()));
    }
    if let Some(renewed) = &act.renewed
        && let Act::Undo(_) = policy::change_one(to, renewed)?
    {
        return Ok(Written::RenewedChanged);
    }
    if act.job.decides {
        premium::end_waiting(to, of, id)?;
    }
    if let Some(premium) = &act.premium
        && !premium::act(to, premium)?
    {
        return Ok(Written::PremiumDue);
    }
    match act.job.due {
        Some(due) => job::begin(to, of, act.job.kind, id, due)?,
        None if act.job.ends => job::end_for(to, of, act.job.kind, id)?,
        None => {}
    }
    event::note(to, &act.events)?;
    Ok(Written::Done)
}

/// Keeps a new proposal with what belongs to it.
fn keep(to: &Connection, proposal: &Row, act: &ActRows) -> Result<Act<Proposed>, StorageError> {
    if !kept_response::is_first(to, act.response.as_ref())? {
        return Ok(Act::Undo(Proposed::Twin));
    }
    if !insert(to, proposal)? {
        let taken = || StorageError::Refused("a second proposal of one id".into());
        return Ok(Act::Undo(Proposed::AlreadyActive(active(to, proposal)?.ok_or_else(taken)?)));
    }
    if let Some(journey) = &act.journey
        && !journey::change(to, journey)?
    {
        return Ok(Act::Undo(Proposed::JourneyChanged));
    }
    Ok(match write(to, act, proposal.of, proposal.id)? {
        Written::Done => Act::Keep(Proposed::New),
        Written::PremiumDue => Act::Undo(Proposed::PremiumDue),
        Written::RenewedChanged => Act::Undo(Proposed::RenewedChanged),
    })
}

/// The proposal that is active for a quote and a variant.
fn active(to: &Connection, proposal: &Row) -> Result<Option<ProposalId>, StorageError> {
    let (quote, variant) = proposal.quoted;
    let mut active = to.prepare_cached(include_str!("../../sql/proposals/active.sql")).map_err(fault)?;
    let values = params![id_bytes(proposal.of), quote, variant];
    active.query_row(values, |row| id(row, 0)).optional().map_err(fault)
}

/// Moves a proposal that is in a status.
fn move_along(
    to: &Connection,
    of: PartnerId,
    id: [u8; 16],
    from: i16,
    act: &ActRows,
) -> Result<Act<Moved>, StorageError> {
    let Some(last) = act.moves.last() else { return Ok(Act::Undo(Moved::Lost)) };
    if !kept_response::is_first(to, act.response.as_ref())? {
        return Ok(Act::Undo(Moved::Twin));
    }
    let mut change = to.prepare_cached(include_str!("../../sql/proposals/move.sqlite.sql")).map_err(fault)?;
    let values = params![last.to, last.at, act.reason, id_bytes(of), id, act.job.kind, from];
    if change.execute(values).map_err(fault)? == 0 {
        return Ok(Act::Undo(Moved::Lost));
    }
    Ok(match write(to, act, of, id)? {
        Written::Done => Act::Keep(Moved::Won),
        Written::PremiumDue => Act::Undo(Moved::PremiumDue),
        Written::RenewedChanged => Act::Undo(Moved::Lost),
    })
}

fn find<L: StoredLine>(
    from: &Connection,
    of: PartnerId,
    id: ProposalId,
) -> Result<Option<Found>, StorageError> {
    let mut read = from.prepare_cached(include_str!("../../sql/proposals/read.sql")).map_err(fault)?;
    let values = params![id_bytes(of), id_bytes(id), L::LINE.code()];
    read.query_row(values, by(Found::columns)).optional().map_err(fault)
}

#[async_trait]
impl<L: StoredLine> Proposals<L> for Sqlite {
    async fn keep_proposal(
        &self,
        proposal: &Proposal<L>,
        act: ProposalAct<'_, L>,
    ) -> Result<Proposed, StorageError> {
        let row = Row::of(&self.seal, proposal)?;
        let act = ActRows::of(&self.seal, proposal.partner, proposal.id, act)?;
        self.writer.decide(move |to| keep(to, &row, &act)).await
    }

    async fn move_proposal(
        &self,
        of: PartnerId,
        id: ProposalId,
        from: L::Status,
        act: ProposalAct<'_, L>,
    ) -> Result<Moved, StorageError> {
        let act = ActRows::of(&self.seal, of, id, act)?;
        self.writer.decide(move |to| move_along(to, of, id_bytes(id), from.code().into(), &act)).await
    }

    async fn proposal(&self, of: PartnerId, id: ProposalId) -> Result<Option<Proposal<L>>, StorageError> {
        self.readers
            .read(|from| find::<L>(from, of, id)?.map(|found| found.open::<L>(&self.seal, of)).transpose())
    }

    async fn proposal_status(
        &self,
        of: PartnerId,
        id: ProposalId,
    ) -> Result<Option<L::Status>, StorageError> {
        self.readers
            .read(|from| find::<L>(from, of, id)?.map(|found| found.status::<L>(&self.seal, of)).transpose())
    }

    async fn history(&self, of: PartnerId, id: ProposalId) -> Result<Vec<Move<L::Status>>, StorageError> {
        self.readers.read(|from| {
            let mut list = from.prepare_cached(include_str!("../../sql/moves/list.sql")).map_err(fault)?;
            let values = params![id_bytes(of), id_bytes(id), L::LINE.code()];
            let found = list.query_map(values, by(FoundMove::columns)).map_err(fault)?;
            found.map(|made| moves::open::<L>(made.map_err(fault)?, &self.seal, of, id)).collect()
        })
    }

    async fn proposals(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<Proposal<L>>, StorageError> {
        self.readers.read(|reader| {
            let moment = reader.unchecked_transaction().map_err(fault)?;
            let page =
                list::page::<Found>(&moment, &self.seal, &List::proposals(L::LINE), of, &which, start, most)?;
            page.try_map(|found| found.open::<L>(&self.seal, of))
        })
    }

    async fn proposal_lines(
        &self,
        of: PartnerId,
        wanted: Option<L::Status>,
        most: usize,
    ) -> Result<Vec<ProposalLine>, StorageError> {
        self.readers.read(|from| {
            let mut list =
                from.prepare_cached(include_str!("../../sql/proposals/list.sql")).map_err(fault)?;
            let wanted = wanted.map(Coded::code);
            let values = params![id_bytes(of), L::LINE.code(), wanted, most as i64];
            let mut rows = list.query(values).map_err(fault)?;
            let mut lines = Vec::new();
            while let Some(row) = rows.next().map_err(fault)? {
                lines.push(ProposalLine {
                    id: id(row, 0).map_err(fault)?,
                    line: L::LINE,
                    partner: of,
                    status: word::<L>(row.get(1).map_err(fault)?)?,
                    created_at: instant(row, 2).map_err(fault)?,
                    changed_at: instant(row, 3).map_err(fault)?,
                });
            }
            Ok(lines)
        })
    }

    async fn import_proposals(&self, records: Records<Proposal<L>>) -> Result<ImportEnd, StorageError> {
        let seal = self.seal.clone();
        self.writer
            .decide(move |to| {
                import::all(records, |proposal| {
                    let kept = insert(to, &Row::of(&seal, &proposal)?)?;
                    if kept {
                        let (of, id, moves) = (proposal.partner, proposal.id, [imported(&proposal)]);
                        let act = ActRows::of(&seal, of, id, ProposalAct::<L>::of(&moves))?;
                        write(to, &act, of, id_bytes(id))?;
                    }
                    Ok(kept)
                })
            })
            .await
    }
}

/// The contract's word for a status of a line.
fn word<L: StoredLine>(code: i16) -> Result<&'static str, StorageError> {
    status::<L>(code).map(domain::line::ProposalState::word)
}

#[async_trait]
impl ProposalOwners for Sqlite {
    async fn owner_of_proposal(
        &self,
        proposal: ProposalId,
    ) -> Result<Option<(PartnerId, LineOfBusiness)>, StorageError> {
        self.readers.read(|from| {
            let mut read =
                from.prepare_cached(include_str!("../../sql/proposals/owner_of.sql")).map_err(fault)?;
            let owner = |row: &rusqlite::Row<'_>| Ok((id(row, 0)?, coded(row, 1)?));
            read.query_row(params![id_bytes(proposal)], owner).optional().map_err(fault)
        })
    }
}
