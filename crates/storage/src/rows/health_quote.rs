//! Rows of health quotes with the outcomes of their asks.

use domain::date::Timestamp;
use domain::health_quote::{HealthQuote, Outcome};
use domain::id::{PartnerId, QuoteId};
use service::storage::lists::ListPosition;
use service::storage::{Identified, StorageError};

use super::bound::Bound;
use super::id_bytes;
use super::position::Listed;
use super::tag::TagRow;
use crate::body::{AskBody, HealthOutcomeBody, HealthQuoteBody, decode, encode};
use crate::fields::Fields;
use crate::seal::Seal;

const TABLE: &str = "health_quotes";
const OUTCOME: &str = "health_quotes.outcome";
const OUTCOMES: &str = "health_outcomes";

/// A quote.
pub(crate) struct Row {
    pub(crate) of: PartnerId,
    pub(crate) id: [u8; 16],
    pub(crate) created_at: Timestamp,
    /// When its job is due.
    pub(crate) due: i64,
    pub(crate) session: Option<domain::id::SessionId>,
    pub(crate) body: Vec<u8>,
    pub(crate) tags: Vec<TagRow>,
}

impl Row {
    pub(crate) fn of(seal: &Seal, quote: &HealthQuote) -> Result<Self, StorageError> {
        let id = id_bytes(quote.id);
        Ok(Row {
            of: quote.partner,
            id,
            created_at: quote.created_at,
            due: seal.due(quote.created_at),
            session: quote.request.session,
            tags: TagRow::all(seal, quote.partner, Identified::HealthQuote, id, &quote.identifiers())?,
            body: seal.seal(
                TABLE,
                bound(quote.partner, quote.id, quote.created_at).as_ref(),
                &encode(&HealthQuoteBody::of(quote)),
            )?,
        })
    }
}

/// What came of one ask, sealed.
pub(crate) fn seal_outcomes(
    seal: &Seal,
    of: PartnerId,
    quote: [u8; 16],
    ask: usize,
    outcomes: &[Outcome],
) -> Result<Vec<u8>, StorageError> {
    seal.seal(OUTCOMES, bound_to(of, quote, ask).as_ref(), &encode(&AskBody { outcomes: outcomes.into() }))
}

/// Opens what came of one ask.
pub(crate) fn open_outcomes(
    seal: &Seal,
    of: PartnerId,
    quote: [u8; 16],
    ask: usize,
    sealed: &[u8],
) -> Result<Vec<Outcome>, StorageError> {
    let body: AskBody<'_> = decode(&seal.open(OUTCOMES, bound_to(of, quote, ask).as_ref(), sealed)?)?;
    Ok(body.outcomes.into_owned())
}

/// What came of all of a quote's asks, sealed.
///
/// # Errors
/// [`StorageError::Refused`] while asks are open.
pub(crate) fn seal_outcome(seal: &Seal, quote: &HealthQuote) -> Result<Vec<u8>, StorageError> {
    let outcome = HealthOutcomeBody::of(quote)
        .ok_or_else(|| StorageError::Refused("a quote with open asks cannot be finished".into()))?;
    let bound = bound(quote.partner, quote.id, quote.created_at);
    seal.seal(OUTCOME, bound.as_ref(), &encode(&outcome))
}

/// What a quote and its outcome are bound to. Its session is in its body, too.
fn bound(of: PartnerId, id: QuoteId, created_at: Timestamp) -> Bound {
    Bound::row(of, &id_bytes(id)).number(created_at.as_microsecond())
}

/// What sealed outcomes of an ask are bound to.
fn bound_to(of: PartnerId, quote: [u8; 16], ask: usize) -> Bound {
    Bound::row(of, &quote).number(ask as i64)
}

/// A quote's columns before its bodies are opened.
pub(crate) struct Found {
    pub(crate) id: QuoteId,
    pub(crate) created_at: Timestamp,
    pub(crate) body: Vec<u8>,
    pub(crate) outcome: Option<Vec<u8>>,
    /// What came of single asks, by their place, where the quote is not finished.
    pub(crate) outcomes: Vec<(u32, Vec<u8>)>,
}

impl Listed for Found {
    fn columns(row: Fields<'_>) -> Result<Self, StorageError> {
        Ok(Found {
            id: row.get(0)?,
            created_at: row.get(1)?,
            body: row.get(2)?,
            outcome: row.get(3)?,
            outcomes: Vec::new(),
        })
    }

    fn position(&self) -> ListPosition {
        ListPosition { created_at: self.created_at, id: self.id.uuid() }
    }
}

impl Found {
    pub(crate) fn open(self, seal: &Seal, of: PartnerId) -> Result<HealthQuote, StorageError> {
        let Found { id, created_at, mut body, outcome, outcomes } = self;
        let (row, bound) = (id_bytes(id), bound(of, id, created_at));
        let body: HealthQuoteBody = decode(seal.open_here(TABLE, bound.as_ref(), &mut body)?)?;
        let mut quote = body.into_quote(id, of, created_at);
        if let Some(mut outcome) = outcome {
            let outcome: HealthOutcomeBody =
                decode(seal.open_here(OUTCOME, bound.as_ref(), &mut outcome)?)?;
            outcome.finish(&mut quote)?;
            return Ok(quote);
        }
        for (ask, sealed) in outcomes {
            let ask = ask as usize;
            let outcomes = open_outcomes(seal, of, row, ask, &sealed)?;
            let ask = quote.asks.get_mut(ask);
            let ask =
                ask.ok_or_else(|| StorageError::Damaged("outcomes of an ask that there is not".into()))?;
            ask.outcomes = Some(outcomes);
        }
        Ok(quote)
    }
}
