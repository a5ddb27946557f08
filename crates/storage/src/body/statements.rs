//! Statements and answers to them in bodies.

use std::borrow::Cow;

use domain::id::InsurerId;
use domain::money::Rupees;
use domain::statement::StatementFile;

use super::record::record;

/// A statement without what its row has. `insurer`: an insurer's, where it is neither a partner's nor the operator's own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct StatementBody<'s> {
    pub(crate) insurer: Option<InsurerId>,
    pub(crate) subject: String,
    pub(crate) rows: u64,
    pub(crate) totals: Vec<Total>,
    pub(crate) files: Cow<'s, [StatementFile]>,
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
    StatementBody<'_> { 0: insurer, 1: subject, 2: rows, 3: totals, 4: files }
    Total { 0: name, 1: amount }
    StatementFile { 0: format, 1: bytes, 2: hash }
    AnswerBody { 0: number, 1: reason }
}
