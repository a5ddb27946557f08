//! Proposals with their moves (status changes): operations on the store.

mod row;

use async_trait::async_trait;
use domain::id::{PartnerId, ProposalId, QuoteId, VariantId};
use domain::line::{LineOfBusiness, ProposalState};
use domain::proposal::{Move, Proposal};
use ports::storage::lists::{ListStart, Page, Selection};
use ports::storage::{
    ImportEnd, Moved, ProposalAct, ProposalLine, ProposalOwners, Proposals, Proposed, Records, Result,
    SaleCount, Sales,
};

use super::counted::{Count, count};
use super::import::Imported;
use super::line::StoredLine;
use super::list::List;
use super::moves::{MoveRow, status};
use super::{event, id_bytes, job, journey, kept_response, personal_data, policy, premium, tag};
use crate::audit::on;
use crate::fields::{Coded, FromRow, RowFields, Value, values};
use crate::operation::{Guard, Operation, Read, Statement, Stop, sql};
use crate::store::Store;

pub(crate) use row::*;

/// Writes what belongs to a new or changed proposal: its moves (status changes), its policy, the change of a
/// renewed policy, its premium, its events, and the job that asks the insurer.
async fn go_with(to: &mut dyn Operation, act: &ActRows, of: PartnerId, id: [u8; 16]) -> Result<(), Stop> {
    for made in &act.moves {
        made.add(to);
    }
    for SaleCount { bucket, sales } in &act.sales {
        to.require(sql!("sale_counts/add"), values![of, *bucket as i16, *sales], Guard::Sale);
    }
    if let Some(policy) = &act.policy {
        policy::keep(to, policy);
    }
    if let Some(renewed) = &act.renewed {
        policy::change(to, renewed, Guard::Renewed);
    }
    match act.job.due {
        Some(due) => job::begin(to, id_bytes(of), act.job.kind, id, due),
        None if act.job.ends => job::end_for(to, id_bytes(of), act.job.kind, id),
        None => {}
    }
    if act.job.decides {
        to.execute(sql!("premiums/end_waiting"), values![of, id]);
    }
    if let Some(premium) = &act.premium {
        premium::act(to, premium).await?;
    }
    event::note(to, &act.events);
    Ok(())
}

/// Writes a new proposal, with all rows that belong to it.
async fn keep(to: &mut dyn Operation, proposal: &NewProposal, act: &ActRows) -> Result<(), Stop> {
    kept_response::keep(to, act.response.as_ref());
    to.require(sql!("proposals/keep"), &proposal.values(None), Guard::Taken);
    tag::add(to, &proposal.tags);
    if let Some(journey) = &act.journey {
        journey::change(to, journey);
    }
    let Row { partner_id: of, proposal_id: id, .. } = proposal.row;
    count(to, of, &[proposal.count]);
    go_with(to, act, of, id_bytes(id)).await
}

/// Moves a proposal from the status `from` to the next one. If the proposal has another status, the operation
/// stops.
async fn move_along(
    to: &mut dyn Operation,
    of: PartnerId,
    id: [u8; 16],
    from: i16,
    act: &ActRows,
) -> Result<(), Stop> {
    kept_response::keep(to, act.response.as_ref());
    if let Some(NewProposal { row, quoted: [quote, variant], tags, .. }) = act.replaced.as_deref() {
        let values = values![row.body, quote, variant, of, id, act.job.kind, from];
        to.require(sql!("proposals/replace"), values, Guard::Version);
        personal_data::delete(to, personal_data::TAGS, "$2", &vec![values![of, id].to_vec()]);
        tag::add(to, tags);
    }
    match (act.moves.last(), &act.replaced) {
        (Some(last), _) => {
            let values = values![last.to_status, last.moved_at, act.reason, of, id, act.job.kind, from];
            to.require(sql!("proposals/move"), values, Guard::Version);
        }
        (None, Some(_)) => {}
        (None, None) => return Err(Stop::Guard(Guard::Version)),
    }
    go_with(to, act, of, id).await
}

#[async_trait]
impl<L: StoredLine> Proposals<L> for Store {
    async fn keep_proposal(&self, proposal: &Proposal<L>, act: ProposalAct<'_, L>) -> Result<Proposed> {
        let row = NewProposal::of(&self.seal, proposal)?;
        let ([quote, variant], of) = (row.quoted, proposal.partner);
        let act = ActRows::of(&self.seal, proposal.partner, proposal.id, act)?;
        let kept = self
            .act(on("proposal.keep", proposal.id), (row, act), |(row, act), to| Box::pin(keep(to, row, act)));
        match kept.await {
            Ok(()) => Ok(Proposed::New),
            Err(Stop::Guard(Guard::Response)) => Ok(Proposed::Twin),
            Err(Stop::Guard(Guard::Journey)) => Ok(Proposed::JourneyChanged),
            Err(Stop::Guard(Guard::Premium)) => Ok(Proposed::PremiumDue),
            Err(Stop::Guard(Guard::Renewed)) => Ok(Proposed::RenewedChanged),
            Err(Stop::Guard(Guard::Sale)) => Ok(Proposed::SoldMeanwhile),
            Err(stop @ Stop::Guard(Guard::Taken)) => {
                let active = sql!("proposals/active");
                let active = self.first(active, values![of, quote, variant], |row| row.get(0)).await?;
                // `None`: the proposal's id already exists, or the other proposal is no longer active.
                active.map_or_else(|| Err(stop.into()), |active| Ok(Proposed::AlreadyActive(active)))
            }
            Err(stop) => Err(stop.into()),
        }
    }

    async fn move_proposal(
        &self,
        of: PartnerId,
        id: ProposalId,
        from: L::Status,
        act: ProposalAct<'_, L>,
    ) -> Result<Moved> {
        let act = ActRows::of(&self.seal, of, id, act)?;
        let given = (of, id_bytes(id), i16::from(from.code()), act);
        let moved = self.act(on("proposal.move", id), given, |(of, id, from, act), to| {
            Box::pin(move_along(to, *of, *id, *from, act))
        });
        match moved.await {
            Ok(()) => Ok(Moved::Won),
            Err(Stop::Guard(Guard::Response)) => Ok(Moved::Twin),
            Err(Stop::Guard(Guard::Premium)) => Ok(Moved::PremiumDue),
            Err(Stop::Guard(Guard::Sale)) => Ok(Moved::SoldMeanwhile),
            Err(Stop::Guard(Guard::Version | Guard::Renewed)) => Ok(Moved::Lost),
            Err(stop) => Err(stop.into()),
        }
    }

    async fn proposal(&self, of: PartnerId, id: ProposalId) -> Result<Option<Proposal<L>>> {
        let open = |row: RowFields<'_>| Row::columns(row)?.open::<L>(&self.seal);
        self.first(sql!("proposals/read"), values![of, id, L::LINE], open).await
    }

    async fn proposal_status(&self, of: PartnerId, id: ProposalId) -> Result<Option<L::Status>> {
        let status = |row: RowFields<'_>| Row::columns(row)?.status::<L>(&self.seal);
        self.first(sql!("proposals/read"), values![of, id, L::LINE], status).await
    }

    async fn history(&self, of: PartnerId, id: ProposalId) -> Result<Vec<Move<L::Status>>> {
        let open = |row: RowFields<'_>| MoveRow::columns(row)?.open::<L>(&self.seal);
        self.all(sql!("moves/list"), values![of, id, L::LINE], open).await
    }

    async fn proposals(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<Proposal<L>>> {
        let page: Page<Row> = self.page(&List::proposals(L::LINE), of, which, start, most).await?;
        page.try_map(|found| found.open::<L>(&self.seal))
    }

    async fn proposal_lines(
        &self,
        of: PartnerId,
        wanted: Option<L::Status>,
        most: usize,
    ) -> Result<Vec<ProposalLine>> {
        let line = |row: RowFields<'_>| {
            Ok(ProposalLine {
                id: row.get(0)?,
                line: L::LINE,
                partner: of,
                status: status::<L>(row.get(1)?)?.word(),
                created_at: row.get(2)?,
                changed_at: row.get(3)?,
            })
        };
        let values = values![of, L::LINE, wanted.map(Coded::code), most];
        self.all(sql!("proposals/list"), values, line).await
    }

    async fn import_proposals(&self, records: Records<Proposal<L>>) -> Result<ImportEnd> {
        let seal = self.seal.clone();
        let given = move |proposal: Result<Proposal<L>>| {
            let proposal = proposal?;
            let born = MoveRow::all::<L>(&seal, proposal.partner, proposal.id, &[imported(&proposal)])?;
            Ok(GivenProposal { proposal: NewProposal::of(&seal, &proposal)?, born })
        };
        self.import(Box::new(records.map(given))).await
    }
}

/// Imported proposal, with the move (status change) that begins its history.
struct GivenProposal {
    proposal: NewProposal,
    born: Vec<MoveRow>,
}

impl Imported for GivenProposal {
    const ADD: Statement<'static> = sql!("proposals/keep");

    fn values(&self, import: i64) -> Vec<Value<'_>> {
        self.proposal.values(Some(import))
    }

    fn goes_with(&self, to: &mut dyn Operation) {
        self.born.iter().for_each(|made| made.add(to));
        tag::add(to, &self.proposal.tags);
    }

    fn counted(&self) -> (PartnerId, Count) {
        (self.proposal.row.partner_id, self.proposal.count)
    }
}

#[async_trait]
impl Sales for Store {
    async fn sales(
        &self,
        of: PartnerId,
        buckets: &[u16],
        (quote, variant): (QuoteId, VariantId),
        most: usize,
    ) -> Result<(Vec<SaleCount>, Vec<ProposalId>)> {
        let count = |bucket: &u16| (sql!("sale_counts/read"), values![of, *bucket as i16].to_vec());
        let mut reads: Vec<Read<'_>> = buckets.iter().map(count).collect();
        reads.push((sql!("proposals/sold"), values![of, quote, variant, most].to_vec()));
        let mut counts: Vec<SaleCount> =
            buckets.iter().map(|&bucket| SaleCount { bucket, sales: 0 }).collect();
        let mut sold = Vec::new();
        let mut each = |nth: usize, row: RowFields<'_>| {
            match counts.get_mut(nth) {
                Some(count) => count.sales = row.get(0)?,
                None => sold.push(row.get(0)?),
            }
            Ok(())
        };
        self.engine.read_together(&reads, false, &mut each).await?;
        Ok((counts, sold))
    }
}

#[async_trait]
impl ProposalOwners for Store {
    async fn owner_of_proposal(&self, proposal: ProposalId) -> Result<Option<(PartnerId, LineOfBusiness)>> {
        self.first(sql!("proposals/owner_of"), values![proposal], FromRow::columns).await
    }
}
