//! Rows of statements, of the parts of their files, and of insurers' answers to them.

use std::borrow::Cow;

use domain::date::Timestamp;
use domain::id::{PartnerId, PolicyId, StatementId, Uuid};
use domain::policy::PolicyNumber;
use domain::statement::{
    FileFormat, Month, Recipient, RowKey, Statement, StatementKind, StatementPayment, Transaction,
};
use service::storage::StorageError;
use service::storage::policies::AnyPolicy;
use service::storage::statements::{CommissionPosting, PartPosition, RowAnswer};

use super::bound::Bound;
use super::id_bytes;
use super::policy::Row as PolicyRow;
use super::premium::LedgerRow;
use crate::body::{AnswerBody, PaymentBody, StatementBody, Total, decode, encode};
use crate::codes::{Coded, unknown_code};
use crate::fields::Fields;
use crate::seal::Seal;

const TABLE: &str = "statements";
const PARTS: &str = "statement_parts";
const ANSWERS: &str = "statement_answers";

/// What stands for the partner of a statement that is not a partner's.
fn nobody() -> PartnerId {
    PartnerId::from_uuid(Uuid::nil())
}

/// The partner whose row it is; of a statement that is not a partner's, nought.
pub(crate) fn owner(of: Option<PartnerId>) -> PartnerId {
    of.unwrap_or_else(nobody)
}

/// A statement as it lies in its row.
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
    /// A statement's columns.
    pub(crate) fn columns(row: Fields<'_>) -> Result<Self, StorageError> {
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
    pub(crate) fn of(seal: &Seal, statement: &Statement) -> Result<Self, StorageError> {
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

    pub(crate) fn open(self, seal: &Seal) -> Result<Statement, StorageError> {
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

/// What a part of a file is bound to.
fn part_bound(part: PartPosition) -> Bound {
    Bound::row(owner(part.of), &id_bytes(part.statement)).number(part.file.code()).number(part.number)
}

pub(crate) fn seal_part(seal: &Seal, part: PartPosition, bytes: &[u8]) -> Result<Vec<u8>, StorageError> {
    seal.seal(PARTS, part_bound(part).as_ref(), bytes)
}

pub(crate) fn open_part(seal: &Seal, part: PartPosition, sealed: &[u8]) -> Result<Vec<u8>, StorageError> {
    seal.open(PARTS, part_bound(part).as_ref(), sealed)
}

/// What an insurer says of a row, as it lies in its row.
pub(crate) struct AnswerRow {
    pub(crate) policy: [u8; 16],
    pub(crate) kind: i16,
    pub(crate) nth: i16,
    pub(crate) answered_at: i64,
    pub(crate) accepted: bool,
    pub(crate) body: Vec<u8>,
}

impl AnswerRow {
    /// An answer's columns.
    pub(crate) fn columns(row: Fields<'_>) -> Result<Self, StorageError> {
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
    pub(crate) fn of(
        seal: &Seal,
        statement: StatementId,
        answer: &RowAnswer,
        at: Timestamp,
    ) -> Result<Self, StorageError> {
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

    pub(crate) fn open(self, seal: &Seal, statement: StatementId) -> Result<RowAnswer, StorageError> {
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

/// A policy that got an insurer's number.
pub(crate) struct NumberedRow {
    pub(crate) of: PartnerId,
    pub(crate) id: [u8; 16],
    pub(crate) number: Option<String>,
    pub(crate) body: Vec<u8>,
    /// The version that it replaces.
    pub(crate) before: u32,
}

impl NumberedRow {
    pub(crate) fn of(seal: &Seal, policy: &AnyPolicy) -> Result<Self, StorageError> {
        service::on_any_policy!(policy, policy => {
            let next = domain::policy::Policy { version: policy.version + 1, ..policy.as_ref().clone() };
            let (number, body) = PolicyRow::renumbered(seal, &next)?;
            Ok(NumberedRow { of: policy.partner, id: id_bytes(policy.id), number, body, before: policy.version })
        })
    }
}

impl LedgerRow {
    /// Movements of commission.
    pub(crate) fn of_commissions(postings: &[CommissionPosting], at: Timestamp) -> Vec<Self> {
        let row = |of: &CommissionPosting| LedgerRow {
            of: id_bytes(of.partner),
            reference: Some(of.reference.clone()),
            ..LedgerRow::new(&of.posting, of.insurer, at)
        };
        postings.iter().map(row).collect()
    }
}

/// The code of a format, as a column has it.
pub(crate) fn file_code(format: FileFormat) -> i16 {
    format.code().into()
}
