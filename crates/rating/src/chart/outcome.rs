//! Outcome of pricing one row of a chart.

use domain::money::Premium;

pub(super) type RowOutcome = Result<Premium, Refusal>;

/// Why a row has no price.
pub(super) struct Refusal {
    /// Word for the column `refused` of the chart. If charts have no word for the reason, the sentence.
    pub(super) word: String,
    pub(super) sentence: String,
}
