//! Database rows of statements, of the parts of their files, and of insurers' answers to them.

use std::borrow::Cow;
use std::time::Duration;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, PolicyId, StatementId, Uuid};
use domain::policy::PolicyNumber;
use domain::policy_state::PolicyState;
use domain::quote::CatalogueHash;
use domain::statement::{
    FileFormat, Month, Recipient, RowKey, Statement, StatementKind, StatementPayment, Transaction,
};
use ports::storage::policies::AnyPolicy;
use ports::storage::statements::{
    AnswerKept, ClosedMonth, CommissionPosting, MonthBegun, MonthRun, PartPosition, PolicyEndorsed,
    PolicyMoved, RowAnswer,
};
use ports::storage::{NewEvent, Result, Statements};

use super::bank_reference::BankReference;
use super::bound::Bound;
use super::event::{self, EventRow};
use super::id_bytes;
use super::policy::Row as PolicyRow;
use super::premium::{LedgerRow, post};
use crate::audit::on;
use crate::body::{AnswerBody, PaymentBody, StatementBody, Total, decode, encode};
use crate::codes::{Coded, unknown_code};
use crate::fields::{RowFields, Value, may_be_text, values};
use crate::operation::{Guard, sql};
use crate::seal::Seal;
use crate::store::{Store, unless_changed};

const TABLE: &str = "statements";
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

/// Statement as stored in its row.
pub(crate) struct Row {
    pub(crate) of: PartnerId,
    pub(crate) id: StatementId,
    pub(crate) month: i32,
    pub(crate) kind: i16,
    pub(crate) number: String,
    pub(crate) made_at: Timestamp,
    pub(crate) body: Vec<u8>,
    pub(crate) paid_at: Option<i64>,
}

impl Row {
    pub(crate) fn columns(row: RowFields<'_>) -> Result<Self> {
        Ok(Row {
            of: row.get(0)?,
            id: row.get(1)?,
            month: row.get(2)?,
            kind: row.get(3)?,
            number: row.get(4)?,
            made_at: row.get(5)?,
            body: row.get(6)?,
            paid_at: row.get(7)?,
        })
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
            of,
            id: statement.id,
            month: statement.month.number(),
            kind: statement.kind.code().into(),
            number: statement.number.clone(),
            made_at: statement.made_at,
            body: Vec::new(),
            paid_at: statement.paid.as_ref().map(|paid| paid.noted_at.as_microsecond()),
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
        row.body = seal.seal(TABLE, row.bound().as_ref(), &encode(&body))?;
        Ok(row)
    }

    fn bound(&self) -> Bound {
        Bound::row(self.of, &id_bytes(self.id))
            .number(self.month)
            .number(self.kind)
            .bytes(Some(self.number.as_bytes()))
            .number(self.made_at.as_microsecond())
            .optional(self.paid_at)
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<Statement> {
        let body = seal.open(TABLE, self.bound().as_ref(), &self.body)?;
        let StatementBody { insurer, subject, rows, totals, files, dues, payment } = decode(&body)?;
        let recipient = match (self.of == nobody(), insurer) {
            (false, _) => Recipient::Partner(self.of),
            (true, Some(insurer)) => Recipient::Insurer(insurer),
            (true, None) => Recipient::Operator,
        };
        let kind = u8::try_from(self.kind).ok().and_then(StatementKind::from_code);
        let total = |Total { name, amount }| (name, amount);
        let noted_at = self.paid_at.and_then(|at| Timestamp::from_microsecond(at).ok());
        let paid = |(PaymentBody { reference, paid_on }, noted_at)| StatementPayment {
            reference,
            paid_on,
            noted_at,
        };
        Ok(Statement {
            id: self.id,
            month: Month::from_number(self.month).ok_or_else(unknown_code)?,
            kind: kind.ok_or_else(unknown_code)?,
            recipient,
            subject,
            made_at: self.made_at,
            rows,
            totals: totals.into_iter().map(total).collect(),
            files: files.into_owned(),
            dues: dues.map_or_else(Vec::new, Cow::into_owned),
            paid: payment.zip(noted_at).map(paid),
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

/// Insurer's answer to a line of a statement, as stored in its row.
pub(crate) struct AnswerRow {
    pub(crate) policy: [u8; 16],
    pub(crate) kind: i16,
    pub(crate) nth: i16,
    pub(crate) answered_at: i64,
    pub(crate) accepted: bool,
    pub(crate) body: Vec<u8>,
}

impl AnswerRow {
    pub(crate) fn columns(row: RowFields<'_>) -> Result<Self> {
        Ok(AnswerRow {
            policy: row.get(0)?,
            kind: row.get(1)?,
            nth: row.get(2)?,
            answered_at: row.get(3)?,
            accepted: row.get(4)?,
            body: row.get(5)?,
        })
    }
}

impl AnswerRow {
    pub(crate) fn of(seal: &Seal, statement: StatementId, answer: &RowAnswer, at: Timestamp) -> Result<Self> {
        let mut row = AnswerRow {
            policy: id_bytes(answer.key.policy),
            kind: answer.key.transaction.code().into(),
            nth: i16::try_from(answer.key.nth).unwrap_or(i16::MAX),
            answered_at: at.as_microsecond(),
            accepted: answer.accepted,
            body: Vec::new(),
        };
        let body = AnswerBody {
            number: answer.number.as_ref().map(ToString::to_string),
            reason: answer.reason.clone(),
        };
        row.body = seal.seal(ANSWERS, row.bound(statement).as_ref(), &encode(&body))?;
        Ok(row)
    }

    fn bound(&self, statement: StatementId) -> Bound {
        Bound::row(nobody(), &id_bytes(statement))
            .bytes(Some(&self.policy))
            .number(self.kind)
            .number(self.nth)
            .number(self.answered_at)
            .number(self.accepted)
    }

    pub(crate) fn open(self, seal: &Seal, statement: StatementId) -> Result<RowAnswer> {
        let body = seal.open(ANSWERS, self.bound(statement).as_ref(), &self.body)?;
        let AnswerBody { number, reason } = decode(&body)?;
        let transaction = u8::try_from(self.kind).ok().and_then(Transaction::from_code);
        Ok(RowAnswer {
            key: RowKey {
                policy: PolicyId::from_uuid(Uuid::from_bytes(self.policy)),
                transaction: transaction.ok_or_else(unknown_code)?,
                nth: u16::try_from(self.nth).unwrap_or_default(),
            },
            accepted: self.accepted,
            number: number.map(PolicyNumber::kept),
            reason,
        })
    }
}

/// Policy that got its number from the insurer, by an answer to a statement.
pub(crate) struct NumberedRow {
    pub(crate) of: PartnerId,
    pub(crate) id: [u8; 16],
    pub(crate) number: Option<String>,
    pub(crate) body: Vec<u8>,
    /// Version of the policy that this change replaces.
    pub(crate) before: u32,
}

impl NumberedRow {
    pub(crate) fn of(seal: &Seal, policy: &AnyPolicy) -> Result<Self> {
        ports::on_any_policy!(policy, policy => {
            let next = domain::policy::Policy { version: policy.version + 1, ..policy.as_ref().clone() };
            let (number, body) = PolicyRow::renumbered(seal, &next)?;
            Ok(NumberedRow { of: policy.partner, id: id_bytes(policy.id), number, body, before: policy.version })
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
        let row = |of: &CommissionPosting| {
            let partner = id_bytes(of.partner);
            Ok(LedgerRow {
                of: partner,
                reference: Some(BankReference::new(seal, partner, &of.reference)?),
                ..LedgerRow::new(&of.posting, of.insurer, at)
            })
        };
        postings.iter().map(row).collect()
    }
}

/// Code of a file format, as a column stores it.
pub(crate) fn file_code(format: FileFormat) -> i16 {
    format.code().into()
}

/// Longest time to remove the file parts that a killed run for a month left behind. Their statements may have
/// a million lines.
const CLEARED_WITHIN: Duration = Duration::from_secs(600);

/// Reads when a month's statements were closed, and with which catalogue version.
fn closed(row: RowFields<'_>) -> Result<ClosedMonth> {
    Ok(ClosedMonth { at: row.get(0)?, catalogue: CatalogueHash(row.get(1)?) })
}

fn moved(row: RowFields<'_>) -> Result<PolicyMoved> {
    Ok(PolicyMoved { at: row.get(0)?, partner: row.get(1)?, policy: row.get(2)? })
}

impl Row {
    /// Column values of a new statement.
    fn values(&self) -> [Value<'_>; 7] {
        let Row { of, id, month, kind, number, made_at, body, .. } = self;
        *values![of, id, month, kind, number, made_at, body]
    }
}

#[async_trait]
impl Statements for Store {
    async fn begin_month(&self, run: MonthRun, at: Timestamp) -> Result<MonthBegun> {
        let begun =
            self.act_patiently(CLEARED_WITHIN, on("month.begin", run.month), (run, at), |(run, at), to| {
                Box::pin(async move {
                    let month = run.month.number();
                    let values = values![month, Uuid::from_u128(run.number), at];
                    to.require(sql!("statement_months/begin"), values, Guard::Version);
                    to.execute(sql!("statement_parts/drop_of_month"), values![month]);
                    Ok(())
                })
            });
        if unless_changed(begun.await)? {
            return Ok(MonthBegun::Begun);
        }
        let closed = self.month_closed(run.month).await?;
        Ok(MonthBegun::Closed(closed.map_or(Timestamp::default(), |closed| closed.at)))
    }

    async fn add_statement_part(&self, run: MonthRun, part: PartPosition, bytes: &[u8]) -> Result<bool> {
        let sealed = seal_part(&self.seal, part, bytes)?;
        let (of, file, number) = (owner(part.of), file_code(part.file), part.number);
        let (month, run) = (run.month.number(), Uuid::from_u128(run.number));
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
        let given = (run, catalogue, rows, postings, events, at);
        let closed = self.act_patiently(
            CLEARED_WITHIN,
            on("month.close", run.month),
            given,
            |(run, catalogue, rows, postings, events, at), to| {
                Box::pin(async move {
                    let values = values![at, catalogue.0, run.month.number(), Uuid::from_u128(run.number)];
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
        self.first(sql!("statement_months/read"), values![month.number()], closed).await
    }

    async fn statements_of_months(&self, first: Month, last: Month, most: usize) -> Result<Vec<Statement>> {
        let values = values![first.number(), last.number(), most];
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
                let values = values![row.paid_at, row.body, row.of, row.id];
                to.require(sql!("statements/pay"), values, Guard::Version);
                post(to, postings);
                event::note(to, events);
                Ok(())
            })
        });
        unless_changed(paid.await)
    }

    async fn statement_part(&self, part: PartPosition) -> Result<Option<Vec<u8>>> {
        let values = values![owner(part.of), part.statement, file_code(part.file), part.number];
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
                        let values = values![row.of, row.id, file_code(part.file), part.number, sealed];
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
        let values = values![to.code(), within.1, at, partner, policy, of, most];
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
        numbered: &[AnyPolicy],
        at: Timestamp,
    ) -> Result<AnswerKept> {
        let row = |answer| AnswerRow::of(&self.seal, statement, answer, at);
        let answers: Vec<AnswerRow> = answers.iter().map(row).collect::<Result<_, _>>()?;
        let numbered: Vec<NumberedRow> =
            numbered.iter().map(|policy| NumberedRow::of(&self.seal, policy)).collect::<Result<_, _>>()?;
        let given = (statement, answers, numbered);
        let kept = self.act_patiently(
            CLEARED_WITHIN,
            on("statement.answer", statement),
            given,
            |(statement, answers, numbered), to| {
                Box::pin(async move {
                    for AnswerRow { policy, kind, nth, answered_at, accepted, body } in answers {
                        let values =
                            values![nobody(), statement, policy, kind, nth, answered_at, accepted, body];
                        to.require(sql!("statement_answers/add"), values, Guard::Taken);
                    }
                    for NumberedRow { of, id, number, body, before } in numbered {
                        let values = values![number, body, of, id, before];
                        to.require(sql!("policies/number"), values, Guard::Version);
                    }
                    Ok(())
                })
            },
        );
        Ok(if unless_changed(kept.await)? { AnswerKept::Done } else { AnswerKept::Lost })
    }

    async fn answers(&self, statement: StatementId) -> Result<Vec<RowAnswer>> {
        let open = |row: RowFields<'_>| AnswerRow::columns(row)?.open(&self.seal, statement);
        self.all(sql!("statement_answers/list"), values![nobody(), statement], open).await
    }
}
