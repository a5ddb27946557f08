//! Encoding of statements and of answers to them, in the encrypted body of their rows.

use std::borrow::Cow;

use domain::date::Date;
use domain::id::InsurerId;
use domain::money::Rupees;
use domain::premium::PaymentReference;
use domain::statement::{CommissionDue, StatementFile};

use super::record::record;

/// Encrypted part of a statement: the fields that have no column of their own. `insurer` is set only if the
/// statement is for an insurer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StatementBody<'s> {
    pub(crate) insurer: Option<InsurerId>,
    pub(crate) subject: String,
    pub(crate) rows: u64,
    pub(crate) totals: Vec<Total>,
    pub(crate) files: Cow<'s, [StatementFile]>,
    /// Commission due to the partner, by insurer. `None` if no commission is due.
    pub(crate) dues: Option<Cow<'s, [CommissionDue]>>,
    pub(crate) payment: Option<PaymentBody>,
}

/// Payment of a statement. The time at which the payment was noted is a column instead.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PaymentBody {
    pub(crate) reference: PaymentReference,
    pub(crate) paid_on: Date,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Total {
    pub(crate) name: String,
    pub(crate) amount: Rupees,
}

/// Encrypted part of an insurer's answer to a line of a statement: the fields that have no column of their
/// own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct AnswerBody {
    pub(crate) number: Option<String>,
    pub(crate) reason: Option<String>,
}

record! {
    StatementBody<'_> { 0: insurer, 1: subject, 2: rows, 3: totals, 4: files, 5: dues, 6: payment }
    CommissionDue { 0: insurer, 1: amount }
    PaymentBody { 0: reference, 1: paid_on }
    Total { 0: name, 1: amount }
    StatementFile { 0: format, 1: bytes, 2: hash }
    AnswerBody { 0: number, 1: reason }
}
