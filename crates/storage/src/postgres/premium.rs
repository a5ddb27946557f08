//! Premiums of proposals and their receipts. A change of books is a transaction of several statements, which begins by holding
//! the premiums that it changes; a draw on a deposit is a part of the proposal's one statement.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, ProposalId, Uuid};
use domain::money::Rupees;
use domain::premium::{BooksAct, BooksFault, KeptDecision, Posting, ProposalPremium, Receipt};
use service::storage::jobs::JobKind;
use service::storage::premiums::{
    AccountBalance, DecisionKept, LedgerLine, Premiums, ReceiptKept, ReceiptLine,
};
use service::storage::{NewEvent, StorageError};

use super::Postgres;
use super::act::Act;
use super::column::{Group, Value, get, get_coded, get_id, get_instant, id, most as at_most, uuid, values};
use super::connections::Fault;
use super::ledger::post;
use super::transaction::Transaction;
use super::{event, policy};
use crate::codes::Coded;
use crate::fields::Fields;
use crate::rows::counted::{day_number, numbered_day};
use crate::rows::event::EventRow;
use crate::rows::premium::{ActRow, BooksChange, Found, LedgerRow, Row};
use crate::rows::proposal::ActRows;
use crate::seal::Seal;

/// The rule that no deposit is below nought unless it is guaranteed.
const NEVER_BELOW_NOUGHT: &str = "deposit_never_below_nought";

/// A draw on a deposit as columns of a statement: none or one.
#[derive(Default)]
pub(super) struct DrawColumns<'a> {
    at: Vec<i64>,
    entries: Vec<i16>,
    debits: Vec<i16>,
    credits: Vec<i16>,
    amounts: Vec<i64>,
    insurers: Vec<Uuid>,
    deposits: Vec<&'a str>,
    guaranteed: Vec<bool>,
}

impl<'a> DrawColumns<'a> {
    pub(super) fn of(act: Option<&'a ActRow>) -> Self {
        let Some(ActRow::Draw { row, guaranteed }) = act else { return DrawColumns::default() };
        DrawColumns {
            at: vec![row.at],
            entries: vec![row.entry],
            debits: vec![row.debit],
            credits: vec![row.credit],
            amounts: vec![row.amount],
            insurers: vec![uuid(row.insurer)],
            deposits: row.deposit.as_deref().into_iter().collect(),
            guaranteed: vec![*guaranteed],
        }
    }
}

impl Group for DrawColumns<'_> {
    fn values(&self) -> Vec<Value<'_>> {
        values![
            self.at,
            self.entries,
            self.debits,
            self.credits,
            self.amounts,
            self.insurers,
            self.deposits,
            self.guaranteed
        ]
        .to_vec()
    }
}

/// How a proposal's act with its premium went.
pub(super) enum Paid<T> {
    Done(T),
    /// The premium was not received, or its deposit has too little; nothing was done.
    Due,
    /// The policy that is renewed was changed meanwhile; nothing was done.
    RenewedChanged,
}

async fn lock(
    within: &Transaction,
    seal: &Seal,
    of: PartnerId,
    proposals: &[ProposalId],
) -> Result<Vec<ProposalPremium>, StorageError> {
    let lock = include_str!("../../sql/premiums/lock.postgres.sql");
    let proposals: Vec<Uuid> = proposals.iter().map(|proposal| id(*proposal)).collect();
    let found = within.execute(lock, values![id(of), proposals]).await?;
    found.rows.iter().map(|row| Found::columns(Fields::of(row))?.open(seal)).collect()
}

async fn add(within: &Transaction, row: &Row) -> Result<bool, Fault> {
    let add = include_str!("../../sql/premiums/add.sql");
    Ok(within
        .execute(
            add,
            values![
                uuid(row.of),
                uuid(row.proposal),
                row.line,
                uuid(row.insurer),
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
                row.proof,
            ],
        )
        .await?
        .changed
        == 1)
}

async fn change(within: &Transaction, seal: &Seal, premium: &ProposalPremium) -> Result<(), StorageError> {
    let row = Row::of(seal, premium)?;
    let change = include_str!("../../sql/premiums/change.sql");
    within
        .execute(
            change,
            values![
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
                uuid(row.of),
                uuid(row.proposal),
            ],
        )
        .await?;
    Ok(())
}

/// Makes the job that issues a policy due.
async fn wake(
    within: &Transaction,
    of: PartnerId,
    proposal: ProposalId,
    kind: JobKind,
    due: i64,
) -> Result<(), Fault> {
    let wake = include_str!("../../sql/jobs/wake.sql");
    within.execute(wake, values![id(of), i16::from(kind.code()), id(proposal), due]).await.map(|_| ())
}

/// Does what happens to a premium behind the statement of its proposal's act. `false`: it was not received.
async fn act_on(within: &Transaction, act: &ActRow) -> Result<bool, StorageError> {
    match act {
        // It is a part of the statement.
        ActRow::Draw { .. } => {}
        ActRow::Owe(row) => {
            if !add(within, row).await? {
                return Err(StorageError::Refused("a second premium of one proposal".into()));
            }
            if let Some((kind, due)) = row.job() {
                let wake = include_str!("../../sql/jobs/wake.sql");
                within.execute(wake, values![uuid(row.of), kind, uuid(row.proposal), due]).await?;
            }
        }
        ActRow::Books { seal, of, proposal, at, how } => {
            let Some(mut premium) = lock(within, seal, *of, &[*proposal]).await?.pop() else {
                return Ok(*how == BooksChange::Release);
            };
            let Some(postings) = how.to(&mut premium, *at) else { return Ok(false) };
            change(within, seal, &premium).await?;
            post(within, &LedgerRow::of_premium(&premium, &postings, *at, None)).await?;
        }
    }
    Ok(true)
}

/// Keeps one receipt. Where it is not kept, what it wrote is to be undone.
async fn keep_receipt(
    within: &Transaction,
    seal: &Seal,
    receipt: &Receipt,
) -> Result<ReceiptKept, StorageError> {
    let (of, at) = (id(receipt.partner), receipt.at.as_microsecond());
    let (day, amount) = (day_number(receipt.received_on), receipt.amount.paise());
    let keep = include_str!("../../sql/receipts/add.sql");
    let by = i16::from(receipt.by.code());
    let reference = receipt.reference.as_str();
    if within.execute(keep, values![of, reference, at, by, day, amount]).await?.changed == 0 {
        let lines = include_str!("../../sql/receipts/lines.sql");
        let rows = within.execute(lines, values![of, receipt.reference.as_str()]).await?.rows;
        let line = |row: &tokio_postgres::Row| {
            Ok((get_id(row, 0)?, Rupees::from_paise(get(row, 1)?), get_coded(row, 2)?))
        };
        let lines = rows.iter().map(line).collect::<Result<Vec<_>, StorageError>>()?;
        return Ok(ReceiptKept::of_twin(receipt, lines));
    }
    let proposals: Vec<ProposalId> = receipt.lines.iter().map(|(proposal, _)| *proposal).collect();
    let mut premiums = lock(within, seal, receipt.partner, &proposals).await?;
    let (mut outcomes, mut not_owed, mut postings) = (Vec::new(), Vec::new(), Vec::new());
    for (proposal, amount) in &receipt.lines {
        let premium = premiums.iter_mut().find(|premium| premium.proposal == *proposal);
        let Some(premium) = premium.filter(|premium| premium.takes_receipts()) else {
            not_owed.push(*proposal);
            continue;
        };
        let (outcome, posting) = premium.receive(receipt, *amount);
        let reference = Some(reference);
        postings.extend(LedgerRow::of_premium(premium, &[posting], receipt.at, reference));
        outcomes.push((*proposal, outcome));
    }
    if !not_owed.is_empty() {
        return Ok(ReceiptKept::NotOwed(not_owed));
    }
    for premium in &premiums {
        change(within, seal, premium).await?;
        if premium.is_ready() {
            let kind = JobKind::Premium(premium.line);
            wake(within, receipt.partner, premium.proposal, kind, seal.due(receipt.at)).await?;
        }
    }
    post(within, &postings).await?;
    let add_lines = include_str!("../../sql/receipts/add_lines.postgres.sql");
    let amounts: Vec<i64> = receipt.lines.iter().map(|(_, amount)| amount.paise()).collect();
    let proposals: Vec<Uuid> = proposals.into_iter().map(id).collect();
    let codes: Vec<i16> = outcomes.iter().map(|(_, outcome)| outcome.code().into()).collect();
    within.execute(add_lines, values![of, receipt.reference.as_str(), proposals, amounts, codes]).await?;
    Ok(ReceiptKept::New(outcomes))
}

impl Postgres {
    /// Does a proposal's act, with what happens to its premium and the policy that is renewed. `false`: somebody was first, and
    /// nothing was done.
    pub(super) async fn write_act(
        &self,
        act: &Act,
        values: &[Value<'_>],
        rows: &ActRows,
    ) -> Result<Result<Paid<bool>, Fault>, StorageError> {
        let premium = rows.premium.as_ref().filter(|premium| !matches!(premium, ActRow::Draw { .. }));
        let done = match (premium, &rows.renewed) {
            (None, None) => self.connections.act(act, values).await,
            (premium, renewed) => {
                let within = match Transaction::begin(&self.connections).await {
                    Ok(within) => within,
                    Err(fault) => return Ok(Err(fault)),
                };
                match within.act(act, values).await {
                    Ok(false) => {
                        within.undo().await?;
                        return Ok(Ok(Paid::Done(false)));
                    }
                    Ok(true) => {
                        if let Some(renewed) = renewed
                            && !policy::renew(&within, renewed).await?
                        {
                            within.undo().await?;
                            return Ok(Ok(Paid::RenewedChanged));
                        }
                        if let Some(premium) = premium
                            && !act_on(&within, premium).await?
                        {
                            within.undo().await?;
                            return Ok(Ok(Paid::Due));
                        }
                        event::note(&within, &rows.events).await?;
                        within.commit().await.map(|()| true)
                    }
                    Err(fault) => Err(fault),
                }
            }
        };
        Ok(match done {
            Err(fault) if fault.breaks(NEVER_BELOW_NOUGHT) => Ok(Paid::Due),
            done => done.map(Paid::Done),
        })
    }
}

#[async_trait]
impl Premiums for Postgres {
    async fn premium(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Option<ProposalPremium>, StorageError> {
        let read = include_str!("../../sql/premiums/read.sql");
        let found = self.connections.read_one(read, values![id(of), id(proposal)]).await?;
        found.map(|row| Found::columns(Fields::of(&row))?.open(&self.seal)).transpose()
    }

    async fn premiums_of(
        &self,
        of: PartnerId,
        proposals: &[ProposalId],
    ) -> Result<Vec<ProposalPremium>, StorageError> {
        if proposals.is_empty() {
            return Ok(Vec::new());
        }
        let proposals: Vec<Uuid> = proposals.iter().map(|proposal| id(*proposal)).collect();
        let read = include_str!("../../sql/premiums/of_proposals.postgres.sql");
        let rows = self.connections.read(read, values![id(of), proposals]).await?;
        rows.iter().map(|row| Found::columns(Fields::of(row))?.open(&self.seal)).collect()
    }

    async fn open_premiums(&self, most: usize) -> Result<Vec<ProposalPremium>, StorageError> {
        let list = include_str!("../../sql/premiums/list_open.sql");
        let rows = self.connections.read(list, values![at_most(most)]).await?;
        rows.iter().map(|row| Found::columns(Fields::of(row))?.open(&self.seal)).collect()
    }

    async fn receipts_of(
        &self,
        of: PartnerId,
        proposal: ProposalId,
    ) -> Result<Vec<ReceiptLine>, StorageError> {
        let list = include_str!("../../sql/receipts/of_proposal.sql");
        let rows = self.connections.read(list, values![id(of), id(proposal)]).await?;
        let line = |row: &tokio_postgres::Row| {
            Ok(ReceiptLine {
                reference: get(row, 0)?,
                at: get_instant(row, 1)?,
                by: get_coded(row, 2)?,
                amount: Rupees::from_paise(get(row, 3)?),
                outcome: get_coded(row, 4)?,
                received_on: numbered_day(get(row, 5)?)?,
            })
        };
        rows.iter().map(line).collect()
    }

    async fn keep_receipts(
        &self,
        receipts: &[(Receipt, Vec<NewEvent>)],
    ) -> Result<Vec<ReceiptKept>, StorageError> {
        let within = Transaction::begin(&self.connections).await?;
        let (mut kept, mut noted) = (Vec::new(), Vec::new());
        for (receipt, events) in receipts {
            let outcome = keep_receipt(&within, &self.seal, receipt).await?;
            noted.extend(EventRow::of_receipt(&self.seal, receipt.partner, events, &outcome)?);
            kept.push(outcome);
        }
        match kept.iter().any(ReceiptKept::is_new) && kept.iter().all(ReceiptKept::is_kept) {
            true => {
                event::note(&within, &noted).await?;
                within.commit().await?;
            }
            false => within.undo().await?,
        }
        Ok(kept)
    }

    async fn keep_decision(
        &self,
        premium: &ProposalPremium,
        decision: &KeptDecision,
    ) -> Result<DecisionKept, StorageError> {
        let (of, proposal) = (premium.partner, premium.proposal);
        let within = Transaction::begin(&self.connections).await?;
        let mut waiting = premium.clone();
        waiting.decision = Some(decision.clone());
        waiting.changed(decision.at);
        if !add(&within, &Row::of(&self.seal, &waiting)?).await? {
            let there = lock(&within, &self.seal, of, &[proposal]).await?.pop();
            waiting = match there {
                Some(there) if there.decision.is_none() && there.waits() => there,
                there => {
                    within.undo().await?;
                    let kept = there.and_then(|there| there.decision);
                    return Ok(kept.map_or(DecisionKept::Overtaken, DecisionKept::Already));
                }
            };
            waiting.decision = Some(decision.clone());
            waiting.changed(decision.at);
            change(&within, &self.seal, &waiting).await?;
        }
        if waiting.deposit.is_some() {
            let kind = JobKind::Premium(waiting.line);
            wake(&within, of, proposal, kind, self.seal.due(decision.at)).await?;
        }
        within.commit().await?;
        Ok(DecisionKept::Kept)
    }

    async fn forget_decision(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let within = Transaction::begin(&self.connections).await?;
        let Some(mut premium) = lock(&within, &self.seal, of, &[proposal]).await?.pop() else {
            return Ok(());
        };
        if premium.deposit.is_some() {
            let end = include_str!("../../sql/premiums/end_waiting.sql");
            within.execute(end, values![id(of), id(proposal)]).await?;
        } else {
            premium.decision = None;
            premium.changed(at);
            change(&within, &self.seal, &premium).await?;
        }
        Ok(within.commit().await?)
    }

    async fn change_books(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        act: BooksAct,
        reference: &str,
        at: Timestamp,
    ) -> Result<Option<Result<ProposalPremium, BooksFault>>, StorageError> {
        let within = Transaction::begin(&self.connections).await?;
        let Some(mut premium) = lock(&within, &self.seal, of, &[proposal]).await?.pop() else {
            return Ok(None);
        };
        if let Some(entry) = act.payment() {
            let noted = include_str!("../../sql/ledger/noted.sql");
            let entry = i16::from(entry.code());
            let found = within.execute(noted, values![id(of), id(proposal), entry, reference]).await?;
            let noted: Option<i64> = found.rows.first().map_or(Ok(None), |row| get(row, 0))?;
            if let Some(noted) = noted {
                within.undo().await?;
                return Ok(Some(act.again(Rupees::from_paise(noted)).map(|()| premium)));
            }
        }
        let postings = match premium.books.act(act) {
            Ok(postings) => postings,
            Err(refused) => {
                within.undo().await?;
                return Ok(Some(Err(refused)));
            }
        };
        premium.changed(at);
        change(&within, &self.seal, &premium).await?;
        post(&within, &LedgerRow::of_premium(&premium, &postings, at, Some(reference))).await?;
        if premium.is_ready() {
            wake(&within, of, proposal, JobKind::Premium(premium.line), self.seal.due(at)).await?;
        }
        within.commit().await?;
        Ok(Some(Ok(premium)))
    }

    async fn ledger_of(&self, of: PartnerId, proposal: ProposalId) -> Result<Vec<LedgerLine>, StorageError> {
        let list = include_str!("../../sql/ledger/of_proposal.sql");
        let rows = self.connections.read(list, values![id(of), id(proposal)]).await?;
        let line = |row: &tokio_postgres::Row| {
            Ok(LedgerLine {
                at: get_instant(row, 0)?,
                posting: Posting {
                    entry: get_coded(row, 1)?,
                    debit: get_coded(row, 2)?,
                    credit: get_coded(row, 3)?,
                    amount: Rupees::from_paise(get(row, 4)?),
                },
                reference: get(row, 5)?,
            })
        };
        rows.iter().map(line).collect()
    }

    async fn account_balances(&self) -> Result<Vec<AccountBalance>, StorageError> {
        let rows = self.connections.read(include_str!("../../sql/ledger/balances.sql"), values![]).await?;
        let balance = |row: &tokio_postgres::Row| {
            Ok(AccountBalance {
                insurer: get_id(row, 0)?,
                account: get_coded(row, 1)?,
                balance: Rupees::from_paise(get(row, 2)?),
            })
        };
        rows.iter().map(balance).collect()
    }
}
