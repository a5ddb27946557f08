//! Outcomes of pricing one row of a chart.

use domain::money::Premium;

/// The outcome of pricing a row.
pub(super) type RowOutcome = Result<Premium, Refusal>;

/// Why a row has no price.
pub(super) struct Refusal {
    /// The chart's word for it, or the sentence where charts have no word.
    pub(super) word: String,
    pub(super) sentence: String,
}
