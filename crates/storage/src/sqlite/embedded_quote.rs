//! Embedded quotes.

use domain::id::{PartnerId, QuoteId};
use domain::quote::EmbeddedQuote;
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::{Kept, StorageError};

use super::answer;
use super::row::fault;
use super::writer::Act;
use crate::rows::embedded_quote::{Row, open};
use crate::rows::{self, id_bytes};
use crate::seal::Seal;

/// Keeps a quote by one statement.
pub(super) fn keep(to: &Connection, quote: &Row) -> Result<Kept, StorageError> {
    let mut keep =
        to.prepare_cached(include_str!("../../sql/embedded_quotes/keep.sqlite.sql")).map_err(fault)?;
    keep.execute(params![quote.of, quote.id, quote.body]).map_err(fault)?;
    Ok(Kept::New)
}

/// Keeps a quote with its answer, unless another request with the same key was first.
pub(super) fn keep_once(
    to: &Connection,
    quote: &Row,
    answer: &rows::answer::Row,
) -> Result<Act<Kept>, StorageError> {
    if !answer::is_first(to, Some(answer))? {
        return Ok(Act::Undo(Kept::Twin));
    }
    keep(to, quote).map(Act::Keep)
}

pub(super) fn read(
    from: &Connection,
    seal: &Seal,
    of: PartnerId,
    id: QuoteId,
) -> Result<Option<EmbeddedQuote>, StorageError> {
    let mut read = from.prepare_cached(include_str!("../../sql/embedded_quotes/read.sql")).map_err(fault)?;
    let sealed: Option<Vec<u8>> =
        read.query_row(params![id_bytes(of), id_bytes(id)], |row| row.get(0)).optional().map_err(fault)?;
    sealed.map(|sealed| open(seal, of, id, &sealed)).transpose()
}
