//! Premiums of proposals, with their receipts and the ledger: operations on the store.

mod row;

use crate::records::row::ToRow;
use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId};
use domain::money::Rupees;
use domain::premium::{
    BooksAct, BooksFault, Entry, KeptDecision, Posting, ProposalPremium, Receipt, ReceiptOutcome,
};
use domain::proposal::Actor;
use ports::storage::jobs::JobKind;
use ports::storage::premiums::{
    AccountBalance, DecisionKept, LedgerLine, Premiums, ReceiptKept, ReceiptLine, ReceiptReversed,
};
use ports::storage::{NewEvent, Result};

use super::bank_reference::{self, BankReference, OF_NO_PARTNER};
use super::event::{self, EventRow};
use super::{id_bytes, job};
use crate::audit::on;
use crate::fields::{Coded, FromRow, RowFields, values};
use crate::operation::{Guard, Operation, Stop, sql};
use crate::seal::Seal;
use crate::store::Store;

pub(crate) use row::*;

/// Adds lines to the ledger.
pub(crate) fn post(to: &mut dyn Operation, rows: &[LedgerRow]) {
    for row in rows {
        to.execute(sql!("ledger/add"), &row.values());
    }
}

/// Reads the premium of a proposal, and locks it until the operation ends.
async fn hold(
    to: &mut dyn Operation,
    seal: &Seal,
    of: PartnerId,
    proposal: ProposalId,
) -> Result<Option<ProposalPremium>, Stop> {
    to.first(sql!(locked "premiums/read"), values![of, proposal], |row| Row::columns(row)?.open(seal)).await
}

fn change(to: &mut dyn Operation, seal: &Seal, premium: &ProposalPremium) -> Result<(), Stop> {
    let row = Row::of(seal, premium)?;
    let values = values![
        row.unsettled,
        row.received,
        row.applied,
        row.refundable,
        row.refunded,
        row.held_here,
        row.held_since,
        row.ended,
        row.decided_by,
        row.decided_at,
        row.insurer_number,
        row.changed_at,
        row.settled,
        row.proof,
        row.partner_id,
        row.proposal_id,
    ];
    to.execute(sql!("premiums/change"), values);
    Ok(())
}

/// Makes the job due that issues the policy after the premium was received.
fn wake(to: &mut dyn Operation, premium: &ProposalPremium, due: i64) {
    let kind = JobKind::Premium(premium.line).code().into();
    job::begin_anew(to, id_bytes(premium.partner), kind, id_bytes(premium.proposal), due);
}

/// Changes the premium of a proposal as part of an operation on the proposal.
pub(crate) async fn act(to: &mut dyn Operation, act: &ActRow) -> Result<(), Stop> {
    match act {
        ActRow::Draw { row, guaranteed, proof } => {
            post(to, std::slice::from_ref(&**row));
            let values = values![row.amount, guaranteed, proof, row.insurer_id, row.deposit];
            to.execute_last(sql!("deposits/draw"), values, Some(Guard::Premium));
        }
        ActRow::Owe(row) => {
            to.require(sql!("premiums/add"), &row.values(), Guard::Taken);
            if let Some((kind, due)) = row.job() {
                let (of, proposal) = (id_bytes(row.partner_id), id_bytes(row.proposal_id));
                job::begin_anew(to, of, kind.code().into(), proposal, due.as_microsecond());
            }
        }
        ActRow::Books { seal, of, proposal, at, how } => {
            let premium = hold(to, seal, *of, *proposal).await?;
            let Some(mut premium) = premium else {
                return match how {
                    BooksChange::Release => Ok(()),
                    BooksChange::Apply | BooksChange::Bounce(_) => Err(Stop::Guard(Guard::Premium)),
                };
            };
            let postings = how.to(&mut premium, *at).ok_or(Stop::Guard(Guard::Premium))?;
            change(to, seal, &premium)?;
            post(to, &LedgerRow::of_premium(seal, &premium, &postings, *at, None)?);
        }
    }
    Ok(())
}

/// Writes one receipt, and applies it to the premiums that it pays. Unless the result is
/// [`ReceiptKept::New`], the caller must undo the operation.
async fn keep_receipt(to: &mut dyn Operation, seal: &Seal, receipt: &Receipt) -> Result<ReceiptKept, Stop> {
    let (of, plain) = (receipt.partner, receipt.reference.as_str());
    let row = ReceiptRow::of(seal, receipt)?;
    let [newest, before, unsealed] = BankReference::candidates(seal, id_bytes(of), plain);
    let twins = values![of, newest, before, unsealed];
    let is_twin = to.first(sql!("receipts/find"), twins, |row| row.get::<i64>(0)).await?.is_some();
    if is_twin || to.change(sql!("receipts/add"), &row.values()).await? == 0 {
        let line = FromRow::columns;
        let lines = to.all(sql!("receipts/lines"), twins, line).await?;
        return Ok(ReceiptKept::of_twin(receipt, lines));
    }
    let late = receipt.late || receipt.is_live && is_of_another(to, seal, receipt).await?;
    let receipt = &Receipt { late, ..receipt.clone() };
    let mut premiums = hold_all(to, seal, of, &receipt.lines).await?;
    premiums.retain(ProposalPremium::takes_receipts);
    let (mut outcomes, mut not_owed) = (Vec::new(), Vec::new());
    for (proposal, amount) in &receipt.lines {
        let Some(premium) = premiums.iter_mut().find(|premium| premium.proposal == *proposal) else {
            not_owed.push(*proposal);
            continue;
        };
        let (outcome, postings) = premium.receive(receipt, *amount);
        change(to, seal, premium)?;
        post(to, &LedgerRow::of_premium(seal, premium, &postings, receipt.at, Some(plain))?);
        let values = values![of, row.reference, proposal, amount, outcome];
        to.execute(sql!("receipts/add_line"), values);
        if premium.is_ready() {
            wake(to, premium, seal.due(receipt.at));
        }
        outcomes.push((*proposal, outcome));
    }
    Ok(match not_owed.is_empty() {
        true => ReceiptKept::New(outcomes),
        false => ReceiptKept::NotOwed(not_owed),
    })
}

/// Reads the premiums of a receipt's lines, and locks them until the operation ends. Every operation locks premiums
/// in the same order, so that no two wait for each other.
async fn hold_all(
    to: &mut dyn Operation,
    seal: &Seal,
    of: PartnerId,
    lines: &[(ProposalId, Rupees)],
) -> Result<Vec<ProposalPremium>, Stop> {
    let mut proposals: Vec<ProposalId> = lines.iter().map(|(proposal, _)| *proposal).collect();
    proposals.sort_unstable();
    let sets: Vec<_> = proposals.iter().map(|proposal| values![of, proposal].to_vec()).collect();
    let open = |row: RowFields<'_>| Row::columns(row)?.open(seal);
    to.all_of_each(sql!(locked "premiums/read"), &sets, open, false).await
}

/// Reverses a receipt. Unless the result is [`ReceiptReversed::Done`], the operation is undone.
async fn reverse_receipt(
    to: &mut dyn Operation,
    seal: &Seal,
    (of, plain): (PartnerId, &str),
    at: Timestamp,
) -> Result<ReceiptReversed, Stop> {
    let [newest, before, unsealed] = BankReference::candidates(seal, id_bytes(of), plain);
    let named = values![of, newest, before, unsealed];
    let lines: Vec<(ProposalId, Rupees, ReceiptOutcome)> =
        to.all(sql!("receipts/lines"), named, FromRow::columns).await?;
    let lines: Vec<(ProposalId, Rupees)> = lines.into_iter().map(|(id, amount, _)| (id, amount)).collect();
    for mut premium in hold_all(to, seal, of, &lines).await? {
        let of_line = values![of, premium.proposal, newest, before, unsealed];
        let posted: Vec<Posting> = to.all(sql!("ledger/of_receipt"), of_line, posting).await?;
        // Earlier payments with this reference were reversed.
        let made = posted.rsplit(|line| line.entry == Entry::Reversal).next().unwrap_or_default();
        let reversed = match premium.books.reverse(made) {
            Ok(reversed) => reversed,
            Err(fault) => {
                to.undo();
                return Ok(ReceiptReversed::Refused(premium.proposal, fault));
            }
        };
        premium.changed(at);
        change(to, seal, &premium)?;
        post(to, &LedgerRow::of_premium(seal, &premium, &reversed, at, Some(plain))?);
    }
    if lines.is_empty() {
        let reversed = to.first(sql!("ledger/reversed"), named, |row| row.get::<i64>(0)).await?;
        to.undo();
        return Ok(if reversed.is_some() { ReceiptReversed::Already } else { ReceiptReversed::Unknown });
    }
    to.execute(sql!("receipts/remove_lines"), named);
    to.execute(sql!("receipts/remove"), named);
    let [newest, before, unsealed] = BankReference::candidates(seal, OF_NO_PARTNER, plain);
    to.execute(sql!("payments/remove"), values![newest, before, unsealed, of.to_string()]);
    Ok(ReceiptReversed::Done(lines))
}

/// Posting of a ledger row that begins with entry, accounts and amount.
fn posting(row: RowFields<'_>) -> Result<Posting> {
    Ok(Posting { entry: row.get(0)?, debit: row.get(1)?, credit: row.get(2)?, amount: row.get(3)? })
}

/// Notes the bank reference of a receipt. Returns whether a partner reported it although it was noted for another
/// partner or for a claim or refund (D154).
async fn is_of_another(to: &mut dyn Operation, seal: &Seal, receipt: &Receipt) -> Result<bool, Stop> {
    let (plain, own) = (receipt.reference.as_str(), receipt.partner.to_string());
    let [newest, before, unsealed] = BankReference::candidates(seal, OF_NO_PARTNER, plain);
    let noted = values![newest, before, unsealed];
    let read = sql!("payments/read");
    let mut known: Option<String> = to.first(read, noted, |row| row.get(0)).await?;
    if known.is_none() {
        let reference = BankReference::new(seal, OF_NO_PARTNER, plain)?;
        let (hash, sealed, none) = (reference.hash, reference.sealed, None::<Rupees>);
        if to.change(sql!("payments/note"), values![hash, sealed, own, receipt.at, none, none]).await? == 0 {
            known = to.first(read, noted, |row| row.get(0)).await?;
        }
    }
    Ok(receipt.by == Actor::Partner && known.is_some_and(|known| known != own))
}

async fn keep_decision(
    to: &mut dyn Operation,
    seal: &Seal,
    premium: &ProposalPremium,
    decision: &KeptDecision,
) -> Result<DecisionKept, Stop> {
    let decided = |premium: &ProposalPremium| {
        let mut decided = premium.clone();
        decided.decision = Some(decision.clone());
        decided.changed(decision.at);
        decided
    };
    let mut waiting = decided(premium);
    if to.change(sql!("premiums/add"), &Row::of(seal, &waiting)?.values()).await? == 0 {
        let there = hold(to, seal, premium.partner, premium.proposal).await?;
        waiting = match there {
            Some(there) if there.decision.is_none() && there.waits() => decided(&there),
            there => {
                to.undo();
                let kept = there.and_then(|there| there.decision);
                return Ok(kept.map_or(DecisionKept::Overtaken, DecisionKept::Already));
            }
        };
        change(to, seal, &waiting)?;
    }
    if waiting.deposit.is_some() {
        wake(to, &waiting, seal.due(decision.at));
    }
    Ok(DecisionKept::Kept)
}

/// Change of the books of a premium (what it owes and has received).
struct NewBooks {
    of: PartnerId,
    proposal: ProposalId,
    act: BooksAct,
    reference: String,
    at: Timestamp,
}

async fn change_books(
    to: &mut dyn Operation,
    seal: &Seal,
    NewBooks { of, proposal, act, reference, at }: &NewBooks,
) -> Result<Option<Result<ProposalPremium, BooksFault>>, Stop> {
    let Some(mut premium) = hold(to, seal, *of, *proposal).await? else { return Ok(None) };
    if let Some(entry) = act.payment() {
        let [newest, before, unsealed] = BankReference::candidates(seal, id_bytes(*of), reference);
        let values = values![of, proposal, entry, newest, before, unsealed];
        let noted: Option<Option<i64>> = to.first(sql!("ledger/noted"), values, |row| row.get(0)).await?;
        if let Some(noted) = noted.flatten() {
            to.undo();
            return Ok(Some(act.again(Rupees::from_paise(noted)).map(|()| premium)));
        }
    }
    let postings = match premium.books.act(*act) {
        Ok(postings) => postings,
        Err(refused) => {
            to.undo();
            return Ok(Some(Err(refused)));
        }
    };
    premium.changed(*at);
    change(to, seal, &premium)?;
    post(to, &LedgerRow::of_premium(seal, &premium, &postings, *at, Some(reference))?);
    if premium.is_ready() {
        wake(to, &premium, seal.due(*at));
    }
    Ok(Some(Ok(premium)))
}

#[async_trait]
impl Premiums for Store {
    async fn premium(&self, of: PartnerId, proposal: ProposalId) -> Result<Option<ProposalPremium>> {
        let open = |row: RowFields<'_>| Row::columns(row)?.open(&self.seal);
        self.first(sql!("premiums/read"), values![of, proposal], open).await
    }

    async fn premiums_of(&self, of: PartnerId, proposals: &[ProposalId]) -> Result<Vec<ProposalPremium>> {
        let reads = proposals.iter().map(|proposal| (sql!("premiums/read"), values![of, proposal].to_vec()));
        let reads: Vec<_> = reads.collect();
        self.all_of(&reads, |row| Row::columns(row)?.open(&self.seal)).await
    }

    async fn open_premiums(&self, most: usize) -> Result<Vec<ProposalPremium>> {
        let open = |row: RowFields<'_>| Row::columns(row)?.open(&self.seal);
        self.all(sql!("premiums/list_open"), values![most], open).await
    }

    async fn paid_with(&self, of: &[PartnerId], reference: &str) -> Result<Vec<(Option<PartnerId>, String)>> {
        let mut found = Vec::new();
        for partner in of {
            let [newest, before, unsealed] =
                BankReference::candidates(&self.seal, id_bytes(*partner), reference);
            let proposal = |row: RowFields<'_>| Ok((Some(*partner), row.get::<ProposalId>(0)?.to_string()));
            let values = values![partner, newest, before, unsealed];
            found.extend(self.all(sql!("receipts/lines"), values, proposal).await?);
        }
        let [newest, before, unsealed] = BankReference::candidates(&self.seal, OF_NO_PARTNER, reference);
        let records = |row: RowFields<'_>| row.get::<String>(0);
        let noted = self.all(sql!("payments/read"), values![newest, before, unsealed], records).await?;
        let records = noted.iter().flat_map(|records| records.split(' '));
        // The payment of a partner's receipt is found above, by its proposals.
        let others = records.filter(|record| record.parse::<PartnerId>().is_err());
        found.extend(others.map(|record| (None, record.to_owned())));
        Ok(found)
    }

    async fn receipts_of(&self, of: PartnerId, proposal: ProposalId) -> Result<Vec<ReceiptLine>> {
        let line = |row: RowFields<'_>| {
            Ok(ReceiptLine {
                reference: bank_reference::Found::columns(row)?.open(&self.seal)?.unwrap_or_default(),
                at: row.get(2)?,
                by: row.get(3)?,
                amount: row.get(4)?,
                outcome: row.get(5)?,
                received_on: row.get(6)?,
            })
        };
        self.all(sql!("receipts/of_proposal"), values![of, proposal], line).await
    }

    async fn keep_receipts(&self, receipts: &[(Receipt, Vec<NewEvent>)]) -> Result<Vec<ReceiptKept>> {
        let kept = self.act(
            on("receipt.keep", paid_for(receipts)),
            (self.seal.clone(), receipts.to_vec()),
            |(seal, receipts), to| {
                Box::pin(async move {
                    let (mut kept, mut events) = (Vec::new(), Vec::new());
                    for (receipt, told) in receipts {
                        let outcome = keep_receipt(to, seal, receipt).await?;
                        events.extend(EventRow::of_receipt(seal, receipt.partner, told, &outcome)?);
                        kept.push(outcome);
                    }
                    event::note(to, &events);
                    if !kept.iter().all(ReceiptKept::is_kept) {
                        to.undo();
                    }
                    Ok(kept)
                })
            },
        );
        Ok(kept.await?)
    }

    async fn reverse_receipt(
        &self,
        of: PartnerId,
        reference: &str,
        at: Timestamp,
        events: &[NewEvent],
    ) -> Result<ReceiptReversed> {
        let events = EventRow::all(&self.seal, of, events)?;
        let given = (self.seal.clone(), of, reference.to_owned(), at, events);
        let reversed = self.act(on("receipt.reverse", of), given, |(seal, of, reference, at, events), to| {
            Box::pin(async move {
                let reversed = reverse_receipt(to, seal, (*of, reference), *at).await?;
                event::note(to, events);
                Ok(reversed)
            })
        });
        Ok(reversed.await?)
    }

    async fn receipt(&self, of: PartnerId, reference: &str) -> Result<Vec<(ProposalId, Rupees)>> {
        let [newest, before, unsealed] = BankReference::candidates(&self.seal, id_bytes(of), reference);
        let line = |row: RowFields<'_>| Ok((row.get(0)?, row.get(1)?));
        self.all(sql!("receipts/lines"), values![of, newest, before, unsealed], line).await
    }

    async fn keep_decision(
        &self,
        premium: &ProposalPremium,
        decision: &KeptDecision,
    ) -> Result<DecisionKept> {
        let given = (self.seal.clone(), premium.clone(), decision.clone());
        let kept =
            self.act(on("premium.decide", premium.proposal), given, |(seal, premium, decision), to| {
                Box::pin(keep_decision(to, seal, premium, decision))
            });
        Ok(kept.await?)
    }

    async fn forget_decision(&self, of: PartnerId, proposal: ProposalId, at: Timestamp) -> Result<()> {
        let forgotten = self.act(
            on("premium.forget_decision", proposal),
            (self.seal.clone(), of, proposal, at),
            |(seal, of, proposal, at), to| {
                Box::pin(async move {
                    let Some(mut premium) = hold(to, seal, *of, *proposal).await? else { return Ok(()) };
                    if premium.deposit.is_some() {
                        to.execute(sql!("premiums/end_waiting"), values![of, proposal]);
                        return Ok(());
                    }
                    premium.decision = None;
                    premium.changed(*at);
                    change(to, seal, &premium)
                })
            },
        );
        Ok(forgotten.await?)
    }

    async fn change_books(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        act: BooksAct,
        reference: &str,
        at: Timestamp,
    ) -> Result<Option<Result<ProposalPremium, BooksFault>>> {
        let books = NewBooks { of, proposal, act, reference: reference.to_owned(), at };
        let changed =
            self.act(on("premium.change", proposal), (self.seal.clone(), books), |(seal, books), to| {
                Box::pin(change_books(to, seal, books))
            });
        Ok(changed.await?)
    }

    async fn ledger_of(&self, of: PartnerId, proposal: ProposalId) -> Result<Vec<LedgerLine>> {
        let line = |row: RowFields<'_>| {
            Ok(LedgerLine {
                at: row.get(0)?,
                posting: posting(row.from(1))?,
                reference: bank_reference::Found::columns(row.from(5))?.open(&self.seal)?,
            })
        };
        self.all(sql!("ledger/of_proposal"), values![of, proposal], line).await
    }

    async fn account_balances(&self) -> Result<Vec<AccountBalance>> {
        let balance = |row: RowFields<'_>| {
            Ok(AccountBalance { insurer: row.get(0)?, account: row.get(1)?, balance: row.get(2)? })
        };
        self.all(sql!("ledger/balances"), values![], balance).await
    }
}

/// Subject of receipts in the audit trail: the only proposal that they pay for, or the number of proposals.
fn paid_for(receipts: &[(Receipt, Vec<NewEvent>)]) -> String {
    let mut proposals = receipts.iter().flat_map(|(receipt, _)| &receipt.lines).map(|(proposal, _)| proposal);
    match (proposals.next(), proposals.count()) {
        (Some(only), 0) => only.to_string(),
        (_, more) => format!("{} proposals", more + 1),
    }
}
