//! Embedded quotes.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, QuoteId};
use domain::quote::EmbeddedQuote;
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::{EmbeddedQuotes, Kept, KeyedResponse, StorageError};

use super::event::forget_made_before;
use super::row::fault;
use super::writer::Act;
use super::{Sqlite, kept_response};
use crate::rows::embedded_quote::{Row, open};
use crate::rows::{self, id_bytes};

/// Keeps a quote by one statement.
fn keep(to: &Connection, quote: &Row) -> Result<Kept, StorageError> {
    let mut keep =
        to.prepare_cached(include_str!("../../sql/embedded_quotes/keep.sqlite.sql")).map_err(fault)?;
    keep.execute(params![quote.of, quote.id, quote.body]).map_err(fault)?;
    Ok(Kept::New)
}

/// Keeps a quote with its response, unless another request with the same key was first.
fn keep_once(
    to: &Connection,
    quote: &Row,
    response: &rows::kept_response::Row,
) -> Result<Act<Kept>, StorageError> {
    if !kept_response::is_first(to, Some(response))? {
        return Ok(Act::Undo(Kept::Twin));
    }
    keep(to, quote).map(Act::Keep)
}

#[async_trait]
impl EmbeddedQuotes for Sqlite {
    async fn keep_embedded_quote(
        &self,
        quote: &EmbeddedQuote,
        response: Option<&KeyedResponse>,
    ) -> Result<Kept, StorageError> {
        let row = Row::of(&self.seal, quote)?;
        match rows::kept_response::Row::of_response(&self.seal, quote.partner, response)? {
            Some(response) => self.writer.decide(move |to| keep_once(to, &row, &response)).await,
            None => self.writer.keep_by_one_statement(move |to| keep(to, &row)).await,
        }
    }

    async fn embedded_quote(
        &self,
        of: PartnerId,
        id: QuoteId,
    ) -> Result<Option<EmbeddedQuote>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/embedded_quotes/read.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            let sealed = read.query_row(params![id_bytes(of), id_bytes(id)], |row| row.get(0)).optional();
            let sealed: Option<Vec<u8>> = sealed.map_err(fault)?;
            sealed.map(|sealed| open(&self.seal, of, id, &sealed)).transpose()
        })
    }

    async fn forget_embedded_quotes(&self, before: Timestamp, most: usize) -> Result<bool, StorageError> {
        let forget = include_str!("../../sql/embedded_quotes/forget.sqlite.sql");
        forget_made_before(&self.writer, forget, before, most).await
    }
}
