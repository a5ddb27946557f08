//! Verifies quotes. If a quote is unfinished, also verifies the stored result of each request to an insurer.

use domain::id::{PartnerId, QuoteId, kind};
use ports::storage::Identified;

use super::{Look, named};
use crate::fields::{FromRow, values};
use crate::records::{embedded_quote, health_quote, id_bytes};

pub(super) fn embedded(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/embedded_quotes.sql");
    look.rows("embedded_quotes", statement, named::<kind::Quote>("quote_id"), |row, found| {
        let (quote, of): (QuoteId, PartnerId) = (row.get(0)?, row.get(2)?);
        if let Some(quote) = found.read(embedded_quote::open(found.seal, of, quote, row.get(1)?)) {
            found.names(quote.catalogue);
        }
        Ok(())
    });
}

pub(super) fn health(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/health_quotes.sql");
    look.rows("health_quotes", statement, named::<kind::Quote>("quote_id"), |row, found| {
        let mut quote = health_quote::Found::columns(row)?;
        let (of, id) = (quote.row.partner_id, quote.row.quote_id);
        if quote.row.outcome.is_none() {
            let outcomes = include_str!("../../sql/verify/outcomes_of_quote.sql");
            found.from.find(outcomes, values![of, id], &mut |row| {
                quote.outcomes.push((row.get(0)?, row.get(1)?));
                Ok(())
            })?;
            // A job whose quote is finished is reported when jobs are verified.
            found.there("its job", row.named("has_job")?);
        }
        if let Some(quote) = found.read(quote.open(found.seal)) {
            found.names(quote.catalogue);
            // Quotes from before version 9 of the schema have no tags for their customers.
            let by = quote.platform_identifiers();
            found.must_be_found_by(of, Identified::HealthQuote, quote.id, &by)?;
        }
        Ok(())
    });
}

pub(super) fn health_outcomes(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/health_outcomes.sql");
    look.rows("health_outcomes", statement, named::<kind::Quote>("quote_id"), |row, found| {
        let (quote, ask, of): (QuoteId, u32, PartnerId) = (row.get(0)?, row.get(1)?, row.get(3)?);
        found.read(health_quote::open_outcomes(found.seal, of, id_bytes(quote), ask as usize, row.get(2)?));
        found.there("unfinished quote of the outcomes", row.get(4)?);
        Ok(())
    });
}
