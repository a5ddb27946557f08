//! Health quotes with the outcomes of their asks.

use async_trait::async_trait;
use domain::health_quote::{HealthQuote, Outcome};
use domain::id::{PartnerId, QuoteId};
use rusqlite::{Connection, OptionalExtension, params};
use service::storage::jobs::{JobKind, Lease};
use service::storage::lists::{ListStart, Page, Selection};
use service::storage::{HealthQuotes, Kept, KeyedResponse, NewEvent, StorageError};

use super::list;
use super::row::{by, fault};
use super::writer::Act;
use super::{Sqlite, count, event, job, kept_response, tag};
use crate::codes::Coded;
use crate::rows::counted::{Count, Counted};
use crate::rows::event::EventRow;
use crate::rows::health_quote::{self, Found, seal_outcome, seal_outcomes};
use crate::rows::list::List;
use crate::rows::position::Listed;
use crate::rows::{self, id_bytes};

/// The list of quotes. Outcomes of single asks are read beside it.
pub(super) const LIST: List = List::health_quotes("quote_id, created_at, body, outcome");

#[async_trait]
impl HealthQuotes for Sqlite {
    async fn keep_health_quote(
        &self,
        quote: &HealthQuote,
        response: Option<&KeyedResponse>,
    ) -> Result<Kept, StorageError> {
        let row = health_quote::Row::of(&self.seal, quote)?;
        let response = rows::kept_response::Row::of_response(&self.seal, quote.partner, response)?;
        self.writer
            .decide(move |to| {
                if !kept_response::is_first(to, response.as_ref())? {
                    return Ok(Act::Undo(Kept::Twin));
                }
                let keep = include_str!("../../sql/health_quotes/keep.sqlite.sql");
                let mut keep = to.prepare_cached(keep).map_err(fault)?;
                keep.execute(params![
                    id_bytes(row.of),
                    row.id,
                    row.created_at.as_microsecond(),
                    row.session.map(id_bytes),
                    row.body
                ])
                .map_err(fault)?;
                let count = Count { kind: Counted::HealthQuotes, session: row.session, at: row.created_at };
                count::add(to, row.of, count)?;
                tag::add(to, &row.tags)?;
                let kind = JobKind::Recommendation.code().into();
                job::begin(to, row.of, kind, row.id, row.due)?;
                Ok(Act::Keep(Kept::New))
            })
            .await
    }

    async fn health_quote(&self, of: PartnerId, id: QuoteId) -> Result<Option<HealthQuote>, StorageError> {
        self.readers.read(|from| {
            let mut found = find(from, of, id)?;
            if found.as_ref().is_some_and(|found| found.outcome.is_none()) {
                // It may be finished between two reads; in one transaction both see the same moment.
                let moment = from.unchecked_transaction().map_err(fault)?;
                found = find(&moment, of, id)?;
                found = found.map(|found| with_outcomes(&moment, of, found)).transpose()?;
            }
            found.map(|found| found.open(&self.seal, of)).transpose()
        })
    }

    async fn keep_outcomes(
        &self,
        lease: &Lease,
        ask: usize,
        outcomes: &[Outcome],
    ) -> Result<bool, StorageError> {
        let lease = *lease;
        let subject = *lease.job.subject.as_bytes();
        let body = seal_outcomes(&self.seal, lease.job.of, subject, ask, outcomes)?;
        self.writer
            .decide(move |to| {
                if !job::is_held(to, &lease)? {
                    return Ok(Act::Undo(false));
                }
                let keep = include_str!("../../sql/health_quotes/keep_outcomes.sqlite.sql");
                let mut keep = to.prepare_cached(keep).map_err(fault)?;
                keep.execute(params![id_bytes(lease.job.of), subject, ask as i64, body]).map_err(fault)?;
                Ok(Act::Keep(true))
            })
            .await
    }

    async fn finish_health_quote(
        &self,
        lease: &Lease,
        quote: &HealthQuote,
        event: &NewEvent,
    ) -> Result<bool, StorageError> {
        let lease = *lease;
        let events = EventRow::all(&self.seal, quote.partner, std::slice::from_ref(event))?;
        let (of, id) = (id_bytes(quote.partner), id_bytes(quote.id));
        let outcome = seal_outcome(&self.seal, quote)?;
        self.writer
            .decide(move |to| {
                if !job::end(to, &lease)? {
                    return Ok(Act::Undo(false));
                }
                let finish = include_str!("../../sql/health_quotes/finish.sqlite.sql");
                let mut finish = to.prepare_cached(finish).map_err(fault)?;
                finish.execute(params![outcome, of, id]).map_err(fault)?;
                let drop = include_str!("../../sql/health_quotes/drop_outcomes.sqlite.sql");
                to.prepare_cached(drop).and_then(|mut drop| drop.execute(params![of, id])).map_err(fault)?;
                event::note(to, &events)?;
                Ok(Act::Keep(true))
            })
            .await
    }

    async fn health_quotes(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<HealthQuote>, StorageError> {
        self.readers.read(|reader| {
            let moment = reader.unchecked_transaction().map_err(fault)?;
            let page = list::page::<Found>(&moment, &self.seal, &LIST, of, &which, start, most)?;
            page.try_map(|found| with_outcomes(&moment, of, found)?.open(&self.seal, of))
        })
    }
}

fn find(from: &Connection, of: PartnerId, id: QuoteId) -> Result<Option<Found>, StorageError> {
    let read = include_str!("../../sql/health_quotes/read.sqlite.sql");
    let mut read = from.prepare_cached(read).map_err(fault)?;
    read.query_row(params![id_bytes(of), id_bytes(id)], by(Found::columns)).optional().map_err(fault)
}

/// A row with the outcomes there are, where the quote is not finished.
pub(super) fn with_outcomes(
    from: &Connection,
    of: PartnerId,
    mut found: Found,
) -> Result<Found, StorageError> {
    if found.outcome.is_none() {
        let read = include_str!("../../sql/health_quotes/read_outcomes.sqlite.sql");
        let mut read = from.prepare_cached(read).map_err(fault)?;
        let outcomes =
            read.query_map(params![id_bytes(of), id_bytes(found.id)], |row| Ok((row.get(0)?, row.get(1)?)));
        found.outcomes = outcomes.map_err(fault)?.collect::<Result<_, _>>().map_err(fault)?;
    }
    Ok(found)
}
