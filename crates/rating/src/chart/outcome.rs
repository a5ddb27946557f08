//! Outcomes of pricing a row of a chart.

use domain::money::Premium;

/// What came of pricing a row.
pub(super) type Came = Result<Premium, Refusal>;

/// Why a row has no price.
pub(super) struct Refusal {
    /// In the chart's word, or the sentence again where charts have no word for it.
    pub(super) word: String,
    pub(super) sentence: String,
}
