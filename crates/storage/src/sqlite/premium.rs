//! Premiums of proposals and their receipts.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId};
use domain::money::Rupees;
use domain::premium::{
    BooksAct, BooksFault, KeptDecision, Posting, ProposalPremium, Receipt, ReceiptOutcome,
};
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::jobs::JobKind;
use service::storage::premiums::{
    AccountBalance, DecisionKept, LedgerLine, Premiums, ReceiptKept, ReceiptLine,
};
use service::storage::{NewEvent, StorageError};

use super::ledger::post;
use super::row::{by, coded, day, fault, id, instant};
use super::writer::Act;
use super::{Sqlite, event, job};
use crate::codes::Coded;
use crate::rows::counted::day_number;
use crate::rows::event::EventRow;
use crate::rows::id_bytes;
use crate::rows::premium::{ActRow, BooksChange, Found, LedgerRow, Row};
use crate::seal::Seal;

fn read(
    from: &Connection,
    seal: &Seal,
    of: PartnerId,
    proposal: ProposalId,
) -> Result<Option<ProposalPremium>, StorageError> {
    let mut read = from.prepare_cached(include_str!("../../sql/premiums/read.sql")).map_err(fault)?;
    let found = read.query_row(params![id_bytes(of), id_bytes(proposal)], by(Found::columns)).optional();
    found.map_err(fault)?.map(|found| found.open(seal)).transpose()
}

fn add(to: &Connection, row: &Row) -> Result<bool, StorageError> {
    let mut add = to.prepare_cached(include_str!("../../sql/premiums/add.sql")).map_err(fault)?;
    let values = params![
        row.of,
        row.proposal,
        row.line,
        row.insurer,
        row.route,
        row.deposit,
        row.due,
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
        row.created_at,
        row.changed_at,
        row.settled,
        row.proof
    ];
    Ok(add.execute(values).map_err(fault)? == 1)
}

fn change(to: &Connection, seal: &Seal, premium: &ProposalPremium) -> Result<(), StorageError> {
    let row = Row::of(seal, premium)?;
    let mut change = to.prepare_cached(include_str!("../../sql/premiums/change.sql")).map_err(fault)?;
    let values = params![
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
        row.of,
        row.proposal
    ];
    change.execute(values).map(|_| ()).map_err(fault)
}

/// Makes the job that issues a policy due.
fn wake(
    to: &Connection,
    of: PartnerId,
    proposal: ProposalId,
    kind: JobKind,
    due: i64,
) -> Result<(), StorageError> {
    job::begin_anew(to, id_bytes(of), kind.code().into(), id_bytes(proposal), due)
}

/// Does what happens to a premium in the transaction of its proposal's act. `false`: it was not received, or its deposit
/// has too little, and the whole act is to be undone.
pub(super) fn act(to: &Connection, act: &ActRow) -> Result<bool, StorageError> {
    match act {
        ActRow::Draw { row, guaranteed } => {
            let mut draw =
                to.prepare_cached(include_str!("../../sql/deposits/draw.sqlite.sql")).map_err(fault)?;
            let values = params![row.amount, guaranteed, row.insurer, row.deposit];
            if draw.execute(values).map_err(fault)? == 0 {
                return Ok(false);
            }
            post(to, std::slice::from_ref(row))?;
        }
        ActRow::Owe(row) => {
            if !add(to, row)? {
                return Err(StorageError::Refused("a second premium of one proposal".into()));
            }
            if let Some((kind, due)) = row.job() {
                job::begin_anew(to, row.of, kind, row.proposal, due)?;
            }
        }
        ActRow::Books { seal, of, proposal, at, how } => {
            let Some(mut premium) = read(to, seal, *of, *proposal)? else {
                return Ok(*how == BooksChange::Release);
            };
            let Some(postings) = how.to(&mut premium, *at) else { return Ok(false) };
            change(to, seal, &premium)?;
            post(to, &LedgerRow::of_premium(&premium, &postings, *at, None))?;
        }
    }
    Ok(true)
}

/// Ends the waiting of a proposal for its deposit, once it is decided.
pub(super) fn end_waiting(to: &Connection, of: PartnerId, proposal: [u8; 16]) -> Result<(), StorageError> {
    let mut end = to.prepare_cached(include_str!("../../sql/premiums/end_waiting.sql")).map_err(fault)?;
    end.execute(params![id_bytes(of), proposal]).map(|_| ()).map_err(fault)
}

/// What came of each line of a receipt that was kept.
fn lines_of(
    from: &Connection,
    receipt: &Receipt,
) -> Result<Vec<(ProposalId, Rupees, ReceiptOutcome)>, StorageError> {
    let mut lines = from.prepare_cached(include_str!("../../sql/receipts/lines.sql")).map_err(fault)?;
    let line = |row: &rusqlite::Row<'_>| {
        Ok((id(row, 0)?, Rupees::from_paise(row.get(1)?), coded::<ReceiptOutcome>(row, 2)?))
    };
    let found = lines
        .query_map(params![id_bytes(receipt.partner), receipt.reference.as_str()], line)
        .map_err(fault)?;
    found.collect::<Result<_, _>>().map_err(fault)
}

/// Keeps one receipt. Where it is not kept, what it wrote is to be undone.
fn keep_receipt(to: &Connection, seal: &Seal, receipt: &Receipt) -> Result<ReceiptKept, StorageError> {
    let mut keep = to.prepare_cached(include_str!("../../sql/receipts/add.sql")).map_err(fault)?;
    let (of, at) = (id_bytes(receipt.partner), receipt.at.as_microsecond());
    let values = params![
        of,
        receipt.reference.as_str(),
        at,
        receipt.by.code(),
        day_number(receipt.received_on),
        receipt.amount.paise()
    ];
    if keep.execute(values).map_err(fault)? == 0 {
        return Ok(ReceiptKept::of_twin(receipt, lines_of(to, receipt)?));
    }
    let mut add_line =
        to.prepare_cached(include_str!("../../sql/receipts/add_line.sqlite.sql")).map_err(fault)?;
    let (mut outcomes, mut not_owed) = (Vec::new(), Vec::new());
    for (proposal, amount) in &receipt.lines {
        let premium = read(to, seal, receipt.partner, *proposal)?;
        let Some(mut premium) = premium.filter(ProposalPremium::takes_receipts) else {
            not_owed.push(*proposal);
            continue;
        };
        let (outcome, posting) = premium.receive(receipt, *amount);
        change(to, seal, &premium)?;
        post(to, &LedgerRow::of_premium(&premium, &[posting], receipt.at, Some(receipt.reference.as_str())))?;
        let values =
            params![of, receipt.reference.as_str(), id_bytes(*proposal), amount.paise(), outcome.code()];
        add_line.execute(values).map_err(fault)?;
        if premium.is_ready() {
            wake(to, receipt.partner, *proposal, JobKind::Premium(premium.line), seal.due(receipt.at))?;
        }
        outcomes.push((*proposal, outcome));
    }
    Ok(match not_owed.is_empty() {
        true => ReceiptKept::New(outcomes),
        false => ReceiptKept::NotOwed(not_owed),
    })
}

fn keep_decision(
    to: &Connection,
    seal: &Seal,
    premium: &ProposalPremium,
    decision: &KeptDecision,
) -> Result<DecisionKept, StorageError> {
    let (of, proposal) = (premium.partner, premium.proposal);
    let mut waiting = match read(to, seal, of, proposal)? {
        None => premium.clone(),
        Some(premium) => match premium.decision {
            Some(kept) => return Ok(DecisionKept::Already(kept)),
            None if !premium.waits() => return Ok(DecisionKept::Overtaken),
            None => premium,
        },
    };
    waiting.decision = Some(decision.clone());
    waiting.changed(decision.at);
    if !add(to, &Row::of(seal, &waiting)?)? {
        change(to, seal, &waiting)?;
    }
    if waiting.deposit.is_some() {
        wake(to, of, proposal, JobKind::Premium(waiting.line), seal.due(decision.at))?;
    }
    Ok(DecisionKept::Kept)
}

#[async_trait]
impl Premiums for Sqlite {
    async fn premium(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<ProposalPremium>, StorageError> {
        self.readers.read(|from| read(from, &self.seal, of, proposal))
    }

    async fn premiums_of(
        &self,
        of: PartnerId,
        proposals: &[ProposalId],
    ) -> Result<Vec<ProposalPremium>, StorageError> {
        self.readers.read(|from| {
            let found = proposals.iter().map(|proposal| read(from, &self.seal, of, *proposal));
            found.filter_map(Result::transpose).collect()
        })
    }

    async fn open_premiums(&self, most: usize) -> Result<Vec<ProposalPremium>, StorageError> {
        self.readers.read(|from| {
            let mut list =
                from.prepare_cached(include_str!("../../sql/premiums/list_open.sql")).map_err(fault)?;
            let found = list.query_map(params![most as i64], by(Found::columns)).map_err(fault)?;
            found.map(|found| found.map_err(fault)?.open(&self.seal)).collect()
        })
    }

    async fn receipts_of(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Vec<ReceiptLine>, StorageError> {
        self.readers.read(|from| {
            let mut list =
                from.prepare_cached(include_str!("../../sql/receipts/of_proposal.sql")).map_err(fault)?;
            let line = |row: &rusqlite::Row<'_>| {
                Ok(ReceiptLine {
                    reference: row.get(0)?,
                    at: instant(row, 1)?,
                    by: coded(row, 2)?,
                    amount: Rupees::from_paise(row.get(3)?),
                    outcome: coded(row, 4)?,
                    received_on: day(row, 5)?,
                })
            };
            let found = list.query_map(params![id_bytes(of), id_bytes(proposal)], line).map_err(fault)?;
            found.collect::<Result<_, _>>().map_err(fault)
        })
    }

    async fn keep_receipts(
        &self,
        receipts: &[(Receipt, Vec<NewEvent>)],
    ) -> Result<Vec<ReceiptKept>, StorageError> {
        let (seal, receipts) = (self.seal.clone(), receipts.to_vec());
        self.writer
            .decide(move |to| {
                let mut kept = Vec::new();
                for (receipt, events) in &receipts {
                    let outcome = keep_receipt(to, &seal, receipt)?;
                    event::note(to, &EventRow::of_receipt(&seal, receipt.partner, events, &outcome)?)?;
                    kept.push(outcome);
                }
                Ok(match kept.iter().all(ReceiptKept::is_kept) {
                    true => Act::Keep(kept),
                    false => Act::Undo(kept),
                })
            })
            .await
    }

    async fn keep_decision(
        &self,
        premium: &ProposalPremium,
        decision: &KeptDecision,
    ) -> Result<DecisionKept, StorageError> {
        let (seal, premium, decision) = (self.seal.clone(), premium.clone(), decision.clone());
        self.writer.keep(move |to| keep_decision(to, &seal, &premium, &decision)).await
    }

    async fn forget_decision(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let seal = self.seal.clone();
        self.writer
            .keep(move |to| {
                let Some(mut premium) = read(to, &seal, of, proposal)? else { return Ok(()) };
                if premium.deposit.is_some() {
                    return end_waiting(to, of, id_bytes(proposal));
                }
                premium.decision = None;
                premium.changed(at);
                change(to, &seal, &premium)
            })
            .await
    }

    async fn change_books(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        act: BooksAct,
        reference: &str,
        at: Timestamp,
    ) -> Result<Option<Result<ProposalPremium, BooksFault>>, StorageError> {
        let (seal, reference) = (self.seal.clone(), reference.to_owned());
        self.writer
            .keep(move |to| {
                let Some(mut premium) = read(to, &seal, of, proposal)? else { return Ok(None) };
                if let Some(entry) = act.payment() {
                    let noted = include_str!("../../sql/ledger/noted.sql");
                    let mut noted = to.prepare_cached(noted).map_err(fault)?;
                    let values = params![id_bytes(of), id_bytes(proposal), entry.code(), reference];
                    let noted: Option<i64> = noted.query_row(values, |row| row.get(0)).map_err(fault)?;
                    if let Some(noted) = noted {
                        return Ok(Some(act.again(Rupees::from_paise(noted)).map(|()| premium)));
                    }
                }
                let postings: Vec<Posting> = match premium.books.act(act) {
                    Ok(postings) => postings,
                    Err(refused) => return Ok(Some(Err(refused))),
                };
                premium.changed(at);
                change(to, &seal, &premium)?;
                post(to, &LedgerRow::of_premium(&premium, &postings, at, Some(&reference)))?;
                if premium.is_ready() {
                    wake(to, of, proposal, JobKind::Premium(premium.line), seal.due(at))?;
                }
                Ok(Some(Ok(premium)))
            })
            .await
    }

    async fn ledger_of(&self, of: PartnerId, proposal: ProposalId) -> Result<Vec<LedgerLine>, StorageError> {
        self.readers.read(|from| {
            let mut list =
                from.prepare_cached(include_str!("../../sql/ledger/of_proposal.sql")).map_err(fault)?;
            let line = |row: &rusqlite::Row<'_>| {
                Ok(LedgerLine {
                    at: instant(row, 0)?,
                    posting: Posting {
                        entry: coded(row, 1)?,
                        debit: coded(row, 2)?,
                        credit: coded(row, 3)?,
                        amount: Rupees::from_paise(row.get(4)?),
                    },
                    reference: row.get(5)?,
                })
            };
            let found = list.query_map(params![id_bytes(of), id_bytes(proposal)], line).map_err(fault)?;
            found.collect::<Result<_, _>>().map_err(fault)
        })
    }

    async fn account_balances(&self) -> Result<Vec<AccountBalance>, StorageError> {
        self.readers.read(|from| {
            let mut list =
                from.prepare_cached(include_str!("../../sql/ledger/balances.sql")).map_err(fault)?;
            let balance = |row: &rusqlite::Row<'_>| {
                Ok(AccountBalance {
                    insurer: id(row, 0)?,
                    account: coded(row, 1)?,
                    balance: Rupees::from_paise(row.get(2)?),
                })
            };
            let found = list.query_map((), balance).map_err(fault)?;
            found.collect::<Result<_, _>>().map_err(fault)
        })
    }
}
