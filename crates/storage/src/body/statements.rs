//! Statements and answers to them in bodies.

use std::borrow::Cow;

use domain::date::Date;
use domain::id::InsurerId;
use domain::money::Rupees;
use domain::premium::PaymentReference;
use domain::statement::{CommissionDue, StatementFile};

use super::record::record;

/// A statement without what its row has. `insurer`: an insurer's, where it is neither a partner's nor the operator's own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StatementBody<'s> {
    pub(crate) insurer: Option<InsurerId>,
    pub(crate) subject: String,
    pub(crate) rows: u64,
    pub(crate) totals: Vec<Total>,
    pub(crate) files: Cow<'s, [StatementFile]>,
    /// None for a statement by which no partner is owed anything.
    pub(crate) dues: Option<Cow<'s, [CommissionDue]>>,
    pub(crate) payment: Option<PaymentBody>,
}

/// The payment of a statement, without the instant of its note, which is the row's.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PaymentBody {
    pub(crate) reference: PaymentReference,
    pub(crate) paid_on: Date,
}

/// A total with its name.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Total {
    pub(crate) name: String,
    pub(crate) amount: Rupees,
}

/// What an insurer says of a row, without what the answer's row has.
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
