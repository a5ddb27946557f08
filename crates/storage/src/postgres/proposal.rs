//! Embedded proposals with the moves that they made.

use domain::id::{PartnerId, ProposalId};
use domain::proposal::{Move, Proposal, ProposalStatus};
use domain::quote::EmbeddedQuote;
use service::storage::jobs::JobKind;
use service::storage::{Kept, Moved, ProposalAct, ProposalLine, StorageError};

use super::Postgres;
use super::answer::{self, Once};
use super::column::{get, get_id, get_instant, get_optional_id, get_word, id, most as at_most, uuid, values};
use super::{moves, policy};
use crate::rows::embedded_quote::open as open_quote;
use crate::rows::proposal::{ActRows, Found, MOVES, Row};

fn columns(row: &tokio_postgres::Row) -> Result<Found, StorageError> {
    Ok(Found {
        status: get_word(ProposalStatus::ALL, row, 0)?,
        created_at: get_instant(row, 1)?,
        changed_at: get_instant(row, 2)?,
        body: get(row, 3)?,
    })
}

impl Postgres {
    pub(super) async fn keep_new_proposal(
        &self,
        proposal: &Proposal,
        act: ProposalAct<'_>,
    ) -> Result<Kept, StorageError> {
        let row = Row::of(&self.seal, proposal)?;
        let act = ActRows::of(&self.seal, proposal.partner, proposal.id, act)?;
        let keep = include_str!("../../sql/proposals/keep.postgres.sql");
        let answers = answer::Columns::of(act.answer.as_ref());
        let moves = moves::Columns::of(&act.moves, |status| status as i16);
        let policy = policy::Columns::of(act.policy.as_ref());
        let due: Vec<i64> = act.ask_insurer.iter().map(|due| due.as_microsecond()).collect();
        loop {
            let said = self
                .connections
                .write(
                    keep,
                    values![
                        uuid(row.of),
                        uuid(row.id),
                        row.status as i16,
                        row.created_at,
                        row.changed_at,
                        row.body,
                        answers.of,
                        answers.keys,
                        answers.kept_at,
                        answers.bodies,
                        moves.at,
                        moves.by,
                        moves.from,
                        moves.to,
                        moves.reasons,
                        policy.ids,
                        policy.numbers,
                        policy.insurer_numbers,
                        policy.checks,
                        policy.bodies,
                        policy.certificates,
                        JobKind::Decision as i16,
                        due,
                        uuid(row.quote),
                    ],
                )
                .await;
            match self.once(said, act.answer.as_ref()).await? {
                Once::Done(_) => return Ok(Kept::New),
                Once::Twin => return Ok(Kept::Twin),
                Once::Again => {}
            }
        }
    }

    pub(super) async fn move_kept_proposal(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        from: ProposalStatus,
        act: ProposalAct<'_>,
    ) -> Result<Moved, StorageError> {
        let act = ActRows::of(&self.seal, of, proposal, act)?;
        let Some(last) = act.moves.last() else { return Ok(Moved::Lost) };
        let move_along = include_str!("../../sql/proposals/move.postgres.sql");
        let answers = answer::Columns::of(act.answer.as_ref());
        let moves = moves::Columns::of(&act.moves, |status| status as i16);
        let policy = policy::Columns::of(act.policy.as_ref());
        let due: Vec<i64> = act.ask_insurer.iter().map(|due| due.as_microsecond()).collect();
        loop {
            let said = self
                .connections
                .write(
                    move_along,
                    values![
                        id(of),
                        id(proposal),
                        last.to as i16,
                        last.at.as_microsecond(),
                        from as i16,
                        answers.of,
                        answers.keys,
                        answers.kept_at,
                        answers.bodies,
                        moves.at,
                        moves.by,
                        moves.from,
                        moves.to,
                        moves.reasons,
                        policy.ids,
                        policy.numbers,
                        policy.insurer_numbers,
                        policy.checks,
                        policy.bodies,
                        policy.certificates,
                        JobKind::Decision as i16,
                        due,
                        act.ask_insurer.is_none() && act.decides(),
                    ],
                )
                .await;
            match self.once(said, act.answer.as_ref()).await? {
                Once::Again => {}
                Once::Twin => return Ok(Moved::Twin),
                Once::Done(said) if said.rows.is_empty() => {
                    return self.lost_or_twin(of, act.answer.as_ref()).await;
                }
                Once::Done(_) => return Ok(Moved::Won),
            }
        }
    }

    /// Who loses a move to a request with its own key is a twin.
    async fn lost_or_twin(
        &self,
        of: PartnerId,
        answer: Option<&crate::rows::answer::Row>,
    ) -> Result<Moved, StorageError> {
        let Some(answer) = answer else { return Ok(Moved::Lost) };
        let read = include_str!("../../sql/answers/read.sql");
        let found =
            self.connections.read_one(read, values![id(of), &answer.key[..], answer.over_before()]).await?;
        Ok(if found.is_some() { Moved::Twin } else { Moved::Lost })
    }

    pub(super) async fn read_proposal(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<Proposal>, StorageError> {
        let read = include_str!("../../sql/proposals/read.sql");
        let found = self.connections.read_one(read, values![id(of), id(proposal)]).await?;
        found.map(|row| columns(&row)?.open(&self.seal, of, proposal)).transpose()
    }

    pub(super) async fn read_proposal_with_quote(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<(Proposal, Option<EmbeddedQuote>)>, StorageError> {
        let read = include_str!("../../sql/proposals/read_with_quote.sql");
        let found = self.connections.read_one(read, values![id(of), id(proposal)]).await?;
        let Some(row) = found else { return Ok(None) };
        let proposal = columns(&row)?.open(&self.seal, of, proposal)?;
        let quote = match (get_optional_id(&row, 4)?, get::<Option<&[u8]>>(&row, 5)?) {
            (Some(quote), Some(body)) => Some(open_quote(&self.seal, of, quote, body)?),
            _ => self.read_quote(of, proposal.request.quote).await?,
        };
        Ok(Some((proposal, quote)))
    }

    pub(super) async fn read_partner_of(
        &self,
        proposal: ProposalId,
    ) -> Result<Option<PartnerId>, StorageError> {
        let read = include_str!("../../sql/proposals/partner_of.sql");
        let found = self.connections.read_one(read, values![id(proposal)]).await?;
        found.map(|row| get_id(&row, 0)).transpose()
    }

    pub(super) async fn list_proposals(
        &self,
        of: PartnerId,
        wanted: Option<ProposalStatus>,
        most: usize,
    ) -> Result<Vec<ProposalLine>, StorageError> {
        let list = include_str!("../../sql/proposals/list.sql");
        let wanted = wanted.map(|status| status as i16);
        let rows = self.connections.read(list, values![id(of), wanted, at_most(most)]).await?;
        let line = |row: &tokio_postgres::Row| {
            Ok(ProposalLine {
                id: get_id(row, 0)?,
                partner: of,
                status: get_word(ProposalStatus::ALL, row, 1)?,
                created_at: get_instant(row, 2)?,
                changed_at: get_instant(row, 3)?,
            })
        };
        rows.iter().map(line).collect()
    }

    pub(super) async fn list_moves(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Vec<Move>, StorageError> {
        let list = include_str!("../../sql/moves/list.sql");
        let rows = self.connections.read(list, values![id(of), id(proposal)]).await?;
        let made = |row| moves::columns(ProposalStatus::ALL, row)?.open(&self.seal, MOVES, of, proposal);
        rows.iter().map(made).collect()
    }
}
