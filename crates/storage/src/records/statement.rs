//! Database rows of statements, of the parts of their files, and of insurers' answers to them.

use crate::records::row::{ToRow, row};
use std::borrow::Cow;
use std::time::Duration;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, PolicyId, StatementId, Uuid};
use domain::policy::{Policy, PolicyNumber};
use domain::policy_state::PolicyState;
use domain::quote::CatalogueHash;
use domain::statement::{Month, Recipient, RowKey, Statement, StatementKind, StatementPayment, Transaction};
use ports::storage::statements::{
    AnswerKept, ClosedMonth, CommissionPosting, MonthBegun, MonthRun, PartPosition, PolicyEndorsed,
    PolicyMoved, RowAnswer,
};
use ports::storage::{NewEvent, Result, Statements};

use super::bound::Bound;
use super::event::{self, EventRow};
use super::id_bytes;
use super::policy::Row as PolicyRow;
use super::premium::{LedgerRow, LineOf, post};
use super::proof::prove;
use crate::audit::on;
use crate::body::{AnswerBody, PaymentBody, StatementBody, Total, decode, encode};
use crate::fields::{Coded, FromRow, RowFields, may_be_text, values};
use crate::operation::{Guard, sql};
use crate::seal::Seal;
use crate::store::{Store, unless_changed};

const TABLE: &str = "statements";
const MONTHS: &str = "statement_months";
const PARTS: &str = "statement_parts";
const ANSWERS: &str = "statement_answers";

/// Zero id, used instead of the partner for statements that have no partner.
fn nobody() -> PartnerId {
    PartnerId::from_uuid(Uuid::nil())
}

/// Partner in the statement's row: the given partner, or the zero id for a statement without a partner.
pub(crate) fn owner(of: Option<PartnerId>) -> PartnerId {
    of.unwrap_or_else(nobody)
}

row! {
    /// Statement as stored in its row. The partner is zero if the statement has none.
    Row in "statements/add" {
        partner_id: PartnerId,
        statement_id: StatementId,
        month: Month,
        kind: StatementKind,
        number: String,
        made_at: Timestamp,
        paid_at: Option<Timestamp>,
    } free {
        body: Vec<u8>,
    }
}

impl Row {
    pub(crate) fn of(seal: &Seal, statement: &Statement) -> Result<Self> {
        let (of, insurer) = match statement.recipient {
            Recipient::Partner(partner) => (partner, None),
            Recipient::Insurer(insurer) => (nobody(), Some(insurer)),
            Recipient::Operator => (nobody(), None),
        };
        let mut row = Row {
            partner_id: of,
            statement_id: statement.id,
            month: statement.month,
            kind: statement.kind,
            number: statement.number.clone(),
            made_at: statement.made_at,
            paid_at: statement.paid.as_ref().map(|paid| paid.noted_at),
            body: Vec::new(),
        };
        let payment = |paid: &StatementPayment| PaymentBody {
            reference: paid.reference.clone(),
            paid_on: paid.paid_on,
        };
        let total = |(name, amount): &(String, _)| Total { name: name.clone(), amount: *amount };
        let body = StatementBody {
            insurer,
            subject: statement.subject.clone(),
            rows: statement.rows,
            totals: statement.totals.iter().map(total).collect(),
            files: Cow::Borrowed(&statement.files),
            dues: Some(Cow::Borrowed(&statement.dues[..])).filter(|dues| !dues.is_empty()),
            payment: statement.paid.as_ref().map(payment),
        };
        row.body = seal.seal(TABLE, &row.bound(), &encode(&body))?;
        Ok(row)
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<Statement> {
        let body = seal.open(TABLE, &self.bound(), &self.body)?;
        let StatementBody { insurer, subject, rows, totals, files, dues, payment } = decode(&body)?;
        let recipient = match (self.partner_id == nobody(), insurer) {
            (false, _) => Recipient::Partner(self.partner_id),
            (true, Some(insurer)) => Recipient::Insurer(insurer),
            (true, None) => Recipient::Operator,
        };
        let total = |Total { name, amount }| (name, amount);
        let paid = |(PaymentBody { reference, paid_on }, noted_at)| StatementPayment {
            reference,
            paid_on,
            noted_at,
        };
        Ok(Statement {
            id: self.statement_id,
            month: self.month,
            kind: self.kind,
            recipient,
            subject,
            made_at: self.made_at,
            rows,
            totals: totals.into_iter().map(total).collect(),
            files: files.into_owned(),
            dues: dues.map_or_else(Vec::new, Cow::into_owned),
            paid: payment.zip(self.paid_at).map(paid),
            number: self.number,
        })
    }
}

/// Columns to which an encrypted part of a statement's file is bound, so that a change of a column is
/// detected.
fn part_bound(part: PartPosition) -> Bound {
    Bound::row(owner(part.of), &id_bytes(part.statement)).number(part.file.code()).number(part.number)
}

pub(crate) fn seal_part(seal: &Seal, part: PartPosition, bytes: &[u8]) -> Result<Vec<u8>> {
    seal.seal(PARTS, part_bound(part).as_ref(), bytes)
}

pub(crate) fn open_part(seal: &Seal, part: PartPosition, sealed: &[u8]) -> Result<Vec<u8>> {
    seal.open(PARTS, part_bound(part).as_ref(), sealed)
}

row! {
    /// Insurer's answer to a line of a statement, as stored in its row. The partner is zero.
    AnswerRow in "statement_answers/add" {
        partner_id: PartnerId,
        statement_id: StatementId,
        policy_id: PolicyId,
        kind: Transaction,
        nth: u16,
        answered_at: Timestamp,
        accepted: bool,
    } free {
        body: Vec<u8>,
    }
}

impl AnswerRow {
    pub(crate) fn of(seal: &Seal, statement: StatementId, answer: &RowAnswer, at: Timestamp) -> Result<Self> {
        let RowKey { policy, transaction, nth } = answer.key;
        let mut row = AnswerRow {
            partner_id: nobody(),
            statement_id: statement,
            policy_id: policy,
            kind: transaction,
            nth,
            answered_at: at,
            accepted: answer.accepted,
            body: Vec::new(),
        };
        let body = AnswerBody {
            number: answer.number.as_ref().map(ToString::to_string),
            reason: answer.reason.clone(),
        };
        row.body = seal.seal(ANSWERS, &row.bound(), &encode(&body))?;
        Ok(row)
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<RowAnswer> {
        let AnswerBody { number, reason } = decode(&seal.open(ANSWERS, &self.bound(), &self.body)?)?;
        Ok(RowAnswer {
            key: RowKey { policy: self.policy_id, transaction: self.kind, nth: self.nth },
            accepted: self.accepted,
            number: number.map(PolicyNumber::kept),
            reason,
        })
    }
}

impl LedgerRow {
    /// Ledger lines for movements of commission.
    pub(crate) fn of_commissions(
        seal: &Seal,
        postings: &[CommissionPosting],
        at: Timestamp,
    ) -> Result<Vec<Self>> {
        let row = |CommissionPosting { posting, insurer, partner, reference }: &CommissionPosting| {
            let of = LineOf { partner: Some(*partner), reference: Some(reference), ..LineOf::default() };
            LedgerRow::new(seal, posting, *insurer, at, of)
        };
        postings.iter().map(row).collect()
    }
}

/// Longest time to remove the file parts that a killed run for a month left behind. Their statements may have
/// a million lines.
const CLEARED_WITHIN: Duration = Duration::from_secs(600);

/// Proof of a month's columns: its run, and when and with which catalogue version it was closed.
fn prove_month(seal: &Seal, run: MonthRun, closed: Option<(Timestamp, CatalogueHash)>) -> Result<Vec<u8>> {
    let (at, catalogue) = closed.map(|(at, catalogue)| (at, catalogue.0)).unzip();
    let bound = Bound::of(values![Uuid::from_u128(run.number), run.month, at, catalogue]);
    prove(seal, MONTHS, &bound, None)
}

/// Reads when a month's statements were closed, and with which catalogue version.
fn closed(row: RowFields<'_>) -> Result<ClosedMonth> {
    Ok(ClosedMonth { at: row.get(0)?, catalogue: CatalogueHash(row.get(1)?) })
}

fn moved(row: RowFields<'_>) -> Result<PolicyMoved> {
    Ok(PolicyMoved { at: row.get(0)?, partner: row.get(1)?, policy: row.get(2)? })
}

#[async_trait]
impl Statements for Store {
    async fn begin_month(&self, run: MonthRun, at: Timestamp) -> Result<MonthBegun> {
        let given = (run, at, prove_month(&self.seal, run, None)?);
        let begun = self.act_patiently(
            CLEARED_WITHIN,
            on("month.begin", run.month),
            given,
            |(run, at, proof), to| {
                Box::pin(async move {
                    let month = run.month;
                    let values = values![Uuid::from_u128(run.number), month, at, proof];
                    to.require(sql!("statement_months/begin"), values, Guard::Version);
                    to.execute(sql!("statement_parts/drop_of_month"), values![month]);
                    Ok(())
                })
            },
        );
        if unless_changed(begun.await)? {
            return Ok(MonthBegun::Begun);
        }
        let closed = self.month_closed(run.month).await?;
        Ok(MonthBegun::Closed(closed.map_or(Timestamp::default(), |closed| closed.at)))
    }

    async fn add_statement_part(&self, run: MonthRun, part: PartPosition, bytes: &[u8]) -> Result<bool> {
        let sealed = seal_part(&self.seal, part, bytes)?;
        let (of, file, number) = (owner(part.of), part.file, part.number);
        let (month, run) = (run.month, Uuid::from_u128(run.number));
        let values = values![of, part.statement, file, number, sealed, month, run];
        Ok(self.write(sql!(locked "statement_parts/add"), values).await? > 0)
    }

    async fn close_month(
        &self,
        run: MonthRun,
        catalogue: CatalogueHash,
        statements: &[Statement],
        postings: &[CommissionPosting],
        events: &[(PartnerId, NewEvent)],
        at: Timestamp,
    ) -> Result<bool> {
        let rows: Vec<Row> =
            statements.iter().map(|statement| Row::of(&self.seal, statement)).collect::<Result<_, _>>()?;
        let postings = LedgerRow::of_commissions(&self.seal, postings, at)?;
        let events = EventRow::of_partners(&self.seal, events)?;
        let proof = prove_month(&self.seal, run, Some((at, catalogue)))?;
        let given = (run, catalogue, rows, postings, events, at, proof);
        let closed = self.act_patiently(
            CLEARED_WITHIN,
            on("month.close", run.month),
            given,
            |(run, catalogue, rows, postings, events, at, proof), to| {
                Box::pin(async move {
                    let values = values![at, catalogue.0, proof, run.month, Uuid::from_u128(run.number)];
                    to.require(sql!("statement_months/close"), values, Guard::Version);
                    for row in rows {
                        to.execute(sql!("statements/add"), &row.values());
                    }
                    post(to, postings);
                    event::note(to, events);
                    Ok(())
                })
            },
        );
        unless_changed(closed.await)
    }

    async fn month_closed(&self, month: Month) -> Result<Option<ClosedMonth>> {
        self.first(sql!("statement_months/read"), values![month], closed).await
    }

    async fn statements_of_months(&self, first: Month, last: Month, most: usize) -> Result<Vec<Statement>> {
        let values = values![first, last, most];
        self.all(sql!("statements/of_months"), values, |row| Row::columns(row)?.open(&self.seal)).await
    }

    async fn statements_of(&self, of: PartnerId, most: usize) -> Result<Vec<Statement>> {
        let open = |row: RowFields<'_>| Row::columns(row)?.open(&self.seal);
        self.all(sql!("statements/of_partner"), values![of, most], open).await
    }

    async fn statement(&self, of: PartnerId, id: StatementId) -> Result<Option<Statement>> {
        self.first(sql!("statements/read"), values![of, id], |row| Row::columns(row)?.open(&self.seal)).await
    }

    async fn statement_numbered(&self, number: &str) -> Result<Option<Statement>> {
        if !may_be_text(number) {
            return Ok(None);
        }
        let open = |row: RowFields<'_>| Row::columns(row)?.open(&self.seal);
        self.first(sql!("statements/numbered"), values![number], open).await
    }

    async fn pay_statement(
        &self,
        paid: &Statement,
        postings: &[CommissionPosting],
        events: &[(PartnerId, NewEvent)],
        at: Timestamp,
    ) -> Result<bool> {
        let postings = LedgerRow::of_commissions(&self.seal, postings, at)?;
        let given = (Row::of(&self.seal, paid)?, postings, EventRow::of_partners(&self.seal, events)?);
        let paid = self.act(on("statement.pay", paid.id), given, |(row, postings, events), to| {
            Box::pin(async move {
                let values = values![row.paid_at, row.body, row.partner_id, row.statement_id];
                to.require(sql!("statements/pay"), values, Guard::Version);
                post(to, postings);
                event::note(to, events);
                Ok(())
            })
        });
        unless_changed(paid.await)
    }

    async fn statement_part(&self, part: PartPosition) -> Result<Option<Vec<u8>>> {
        let values = values![owner(part.of), part.statement, part.file, part.number];
        let open = |row: RowFields<'_>| open_part(&self.seal, part, row.get(0)?);
        self.first(sql!("statement_parts/read"), values, open).await
    }

    async fn add_test_statement(
        &self,
        statement: &Statement,
        parts: &[(PartPosition, Vec<u8>)],
        event: (PartnerId, NewEvent),
    ) -> Result<bool> {
        let sealed =
            |(part, bytes): &(PartPosition, Vec<u8>)| Ok((*part, seal_part(&self.seal, *part, bytes)?));
        let parts: Vec<_> = parts.iter().map(sealed).collect::<Result<_>>()?;
        let events = EventRow::of_partners(&self.seal, &[event])?;
        let added = self.act(
            on("statement.add", statement.id),
            (Row::of(&self.seal, statement)?, parts, events),
            |(row, parts, events), to| {
                Box::pin(async move {
                    to.require(sql!("statements/add_once"), &row.values(), Guard::Taken);
                    for (part, sealed) in parts {
                        let Row { partner_id, statement_id, .. } = row;
                        let values = values![partner_id, statement_id, part.file, part.number, sealed];
                        to.execute(sql!("statement_parts/add_of_test"), values);
                    }
                    event::note(to, events);
                    Ok(())
                })
            },
        );
        unless_changed(added.await)
    }

    async fn policies_moved(
        &self,
        to: PolicyState,
        within: (Timestamp, Timestamp),
        of: Option<PartnerId>,
        after: Option<PolicyMoved>,
        most: usize,
    ) -> Result<Vec<PolicyMoved>> {
        // Begins after every status change of the previous microsecond.
        let (at, partner, policy) = match after {
            Some(moved) => (moved.at.as_microsecond(), id_bytes(moved.partner), id_bytes(moved.policy)),
            None => (within.0.as_microsecond() - 1, [0xff; 16], [0xff; 16]),
        };
        let values = values![to, within.1, at, partner, policy, of, most];
        self.all(sql!("policy_moves/moved"), values, moved).await
    }

    async fn policies_endorsed(
        &self,
        within: (Timestamp, Timestamp),
        of: Option<PartnerId>,
        after: Option<PolicyEndorsed>,
        most: usize,
    ) -> Result<Vec<PolicyEndorsed>> {
        // Begins after every endorsement of the previous microsecond.
        let (at, partner, policy, nth) = match after {
            Some(PolicyEndorsed { moved, nth }) => {
                (moved.at.as_microsecond(), id_bytes(moved.partner), id_bytes(moved.policy), nth.into())
            }
            None => (within.0.as_microsecond() - 1, [0xff; 16], [0xff; 16], i32::MAX),
        };
        let values = values![within.1, at, partner, policy, nth, of, most];
        let endorsed = |row: RowFields<'_>| Ok(PolicyEndorsed { moved: moved(row)?, nth: row.get(3)? });
        self.all(sql!("replaced_certificates/replaced"), values, endorsed).await
    }

    async fn keep_answer(
        &self,
        statement: StatementId,
        answers: &[RowAnswer],
        numbered: &[Policy],
        at: Timestamp,
    ) -> Result<AnswerKept> {
        let row = |answer| AnswerRow::of(&self.seal, statement, answer, at);
        let answers: Vec<AnswerRow> = answers.iter().map(row).collect::<Result<_, _>>()?;
        let next = |policy: &Policy| {
            PolicyRow::of(&self.seal, &Policy { version: policy.version + 1, ..policy.clone() })
        };
        let numbered: Vec<PolicyRow> = numbered.iter().map(next).collect::<Result<_, _>>()?;
        let given = (answers, numbered);
        let kept = self.act_patiently(
            CLEARED_WITHIN,
            on("statement.answer", statement),
            given,
            |(answers, numbered), to| {
                Box::pin(async move {
                    for answer in answers {
                        to.require(sql!("statement_answers/add"), &answer.values(), Guard::Taken);
                    }
                    for PolicyRow { partner_id, policy_id, insurer_number, version, body, .. } in numbered {
                        let values = values![insurer_number, body, partner_id, policy_id, version - 1];
                        to.require(sql!("policies/number"), values, Guard::Version);
                    }
                    Ok(())
                })
            },
        );
        Ok(if unless_changed(kept.await)? { AnswerKept::Done } else { AnswerKept::Lost })
    }

    async fn rejected_rows(&self, most: usize) -> Result<Vec<(PolicyId, Timestamp)>> {
        self.all(sql!("statement_answers/rejected"), values![most], FromRow::columns).await
    }

    async fn answers(&self, statement: StatementId) -> Result<Vec<RowAnswer>> {
        let open = |row: RowFields<'_>| AnswerRow::columns(row)?.open(&self.seal);
        self.all(sql!("statement_answers/list"), values![nobody(), statement], open).await
    }
}
