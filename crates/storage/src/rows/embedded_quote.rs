//! Rows of embedded quotes.

use std::borrow::Cow;

use domain::id::{PartnerId, QuoteId};
use domain::quote::EmbeddedQuote;
use service::storage::StorageError;

use super::bound::Bound;
use super::id_bytes;
use crate::body::{QuoteBody, decode, encode};
use crate::seal::Seal;

const TABLE: &str = "embedded_quotes";

/// A quote.
pub(crate) struct Row {
    pub(crate) of: [u8; 16],
    pub(crate) id: [u8; 16],
    pub(crate) body: Vec<u8>,
}

impl Row {
    pub(crate) fn of(seal: &Seal, quote: &EmbeddedQuote) -> Result<Self, StorageError> {
        let body = QuoteBody {
            created_at: quote.created_at,
            request: Cow::Borrowed(&quote.request),
            catalogue: quote.catalogue,
            items: Cow::Borrowed(&quote.items),
        };
        let id = id_bytes(quote.id);
        Ok(Row {
            of: id_bytes(quote.partner),
            id,
            body: seal.seal(TABLE, bound(quote.partner, quote.id).as_ref(), &encode(&body))?,
        })
    }
}

/// What a quote is bound to.
fn bound(of: PartnerId, id: QuoteId) -> Bound {
    Bound::row(of, &id_bytes(id))
}

/// Opens a quote's body.
pub(crate) fn open(
    seal: &Seal,
    of: PartnerId,
    id: QuoteId,
    sealed: &[u8],
) -> Result<EmbeddedQuote, StorageError> {
    let body: QuoteBody<'_> = decode(&seal.open(TABLE, bound(of, id).as_ref(), sealed)?)?;
    let QuoteBody { created_at, request, catalogue, items } = body;
    let (request, items) = (request.into_owned(), items.into_owned());
    Ok(EmbeddedQuote { id, partner: of, created_at, request, catalogue, items })
}
