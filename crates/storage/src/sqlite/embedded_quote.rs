//! Embedded quotes.

use domain::id::{PartnerId, QuoteId};
use domain::quote::EmbeddedQuote;
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::{Kept, StorageError};

use super::answer;
use super::row::{fault, id_bytes};
use super::writer::Act;
use crate::body::{QuoteBody, decode, encode};
use crate::seal::Seal;

pub(super) const TABLE: &str = "embedded_quotes";
/// Version 2 knows refusals in an insurer's own words.
pub(super) const VERSION: u8 = 2;

/// A quote as it lies in the table.
pub(super) struct Row {
    of: [u8; 16],
    id: [u8; 16],
    body: Vec<u8>,
}

impl Row {
    pub(super) fn of(seal: &Seal, quote: &EmbeddedQuote) -> Result<Self, StorageError> {
        let body = QuoteBody {
            created_at: quote.created_at,
            request: quote.request.clone(),
            catalogue: quote.catalogue,
            items: quote.items.clone(),
        };
        let id = id_bytes(quote.id);
        Ok(Row { of: id_bytes(quote.partner), id, body: seal.seal(TABLE, &id, &encode(VERSION, &body))? })
    }
}

pub(super) fn keep(
    to: &Connection,
    quote: &Row,
    answer: Option<&answer::Row>,
) -> Result<Act<Kept>, StorageError> {
    if !answer::is_first(to, answer)? {
        return Ok(Act::Undo(Kept::Twin));
    }
    let mut keep = to.prepare_cached(include_str!("../../sql/embedded_quotes/keep.sql")).map_err(fault)?;
    keep.execute(params![quote.of, quote.id, quote.body]).map_err(fault)?;
    Ok(Act::Keep(Kept::New))
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
    let Some(sealed) = sealed else { return Ok(None) };
    let body: QuoteBody = decode(VERSION, &seal.open(TABLE, &id_bytes(id), &sealed)?)?;
    let QuoteBody { created_at, request, catalogue, items } = body;
    Ok(Some(EmbeddedQuote { id, partner: of, created_at, request, catalogue, items }))
}
