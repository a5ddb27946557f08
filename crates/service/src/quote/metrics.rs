//! Metrics of quotes by line and insurer, without those of test partners.

use domain::id::{InsurerId, PartnerId};
use domain::line::LineOfBusiness;

use crate::shared::Shared;

/// Counts a saved quote.
pub(super) fn count_quote(shared: &Shared, of: PartnerId, line: LineOfBusiness) {
    if !shared.partner_clock.is_test(of) {
        metrics::counter!("covernote_quotes_total", "line" => line.word()).increment(1);
    }
}

/// Counts the variants of a finished quote, by whether the variant has a price.
pub(super) fn count_variants(
    shared: &Shared,
    of: PartnerId,
    line: LineOfBusiness,
    variants: impl Iterator<Item = (InsurerId, bool)>,
) {
    if shared.partner_clock.is_test(of) {
        return;
    }
    for (insurer, is_priced) in variants {
        let outcome = if is_priced { "priced" } else { "not_priced" };
        metrics::counter!("covernote_quoted_variants_total", "line" => line.word(), "insurer" => insurer.to_string(), "outcome" => outcome)
            .increment(1);
    }
}
