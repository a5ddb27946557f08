//! Database rows of embedded quotes.

use std::borrow::Cow;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, QuoteId};
use domain::quote::EmbeddedQuote;
use ports::storage::{EmbeddedQuotes, Kept, KeyedResponse, Result};

use super::bound::Bound;
use super::{id_bytes, kept_response};
use crate::audit::UPKEEP;
use crate::body::{QuoteBody, decode, encode};
use crate::engine::Engine;
use crate::fields::{RowFields, values};
use crate::operation::{Months, sql};
use crate::postgres::quotes::NewQuote as Row;
use crate::seal::Seal;
use crate::store::Store;

const TABLE: &str = "embedded_quotes";

impl Row {
    pub(crate) fn of(seal: &Seal, quote: &EmbeddedQuote) -> Result<Self> {
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

/// Columns to which a quote's encrypted body is bound, so that a change of a column is detected.
fn bound(of: PartnerId, id: QuoteId) -> Bound {
    Bound::row(of, &id_bytes(id))
}

/// Decrypts an embedded quote.
pub(crate) fn open(seal: &Seal, of: PartnerId, id: QuoteId, sealed: &[u8]) -> Result<EmbeddedQuote> {
    let body: QuoteBody<'_> = decode(&seal.open(TABLE, bound(of, id).as_ref(), sealed)?)?;
    let QuoteBody { created_at, request, catalogue, items } = body;
    let (request, items) = (request.into_owned(), items.into_owned());
    Ok(EmbeddedQuote { id, partner: of, created_at, request, catalogue, items })
}

#[async_trait]
impl EmbeddedQuotes for Store {
    async fn keep_embedded_quote(
        &self,
        quote: &EmbeddedQuote,
        response: Option<&KeyedResponse>,
    ) -> Result<Kept> {
        let row = Row::of(&self.seal, quote)?;
        let Some(response) = kept_response::Row::of_response(&self.seal, quote.partner, response)? else {
            return match &self.engine {
                // Quotes that arrive together are written with one statement.
                Engine::Postgres(engine) => engine.keep_embedded_quote(row).await,
                Engine::Sqlite(_) => self
                    .write(sql!("embedded_quotes/add"), values![row.of, row.id, row.body])
                    .await
                    .map(|_| ()),
            }
            .map(|()| Kept::New);
        };
        let kept = self.act(UPKEEP, (row, response), |(row, response), to| {
            Box::pin(async move {
                kept_response::keep(to, Some(response));
                to.execute(sql!("embedded_quotes/add"), values![row.of, row.id, row.body]);
                Ok(())
            })
        });
        kept_response::unless_twin(kept.await)
    }

    async fn embedded_quote(&self, of: PartnerId, id: QuoteId) -> Result<Option<EmbeddedQuote>> {
        let quote = |row: RowFields<'_>| open(&self.seal, of, id, row.get(0)?);
        self.first(sql!("embedded_quotes/read"), values![of, id], quote).await
    }

    async fn forget_embedded_quotes(&self, before: Timestamp, most: usize) -> Result<bool> {
        self.engine.forget_months(Months::Quotes, before, most).await
    }
}
