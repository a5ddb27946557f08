//! Health quotes with the outcomes of their asks.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::health_quote::{HealthQuote, Outcome};
use domain::id::{PartnerId, QuoteId};
use rusqlite::{Connection, OptionalExtension, Row, params};
use service::storage::health_quotes::{HealthQuotes, Tag, TagKind, Tagged, Tags};
use service::storage::jobs::{Job, JobKind, Lease};
use service::storage::lists::{From, Page, Place, Selection};
use service::storage::{Kept, Once, StorageError};

use super::count::Counted;
use super::list::{self, Listed, Statements};
use super::row::{fault, id, id_bytes, instant};
use super::writer::Act;
use super::{Sqlite, answer, count, job};
use crate::body::{HealthOutcomeBody, HealthQuoteBody, decode, encode};
use crate::seal::Seal;

const TABLE: &str = "health_quotes";
const OUTCOME: &str = "health_quotes.outcome";
const OUTCOMES: &str = "health_outcomes";
const VERSION: u8 = 1;

#[async_trait]
impl HealthQuotes for Sqlite {
    async fn keep_health_quote(
        &self,
        quote: &HealthQuote,
        tags: Tags,
        once: Option<&Once>,
    ) -> Result<Kept, StorageError> {
        let (of, id) = (quote.partner, id_bytes(quote.id));
        let body = self.seal.seal(TABLE, &id, &encode(VERSION, &HealthQuoteBody::of(quote)))?;
        let answer = answer::Row::of_once(&self.seal, of, once)?;
        let (created_at, session) = (quote.created_at, quote.request.session);
        let job = Job { kind: JobKind::Recommendation, of, subject: quote.id.uuid() };
        self.writer
            .decide(move |to| {
                if !answer::is_first(to, answer.as_ref())? {
                    return Ok(Act::Undo(Kept::Twin));
                }
                let mut keep =
                    to.prepare_cached(include_str!("../../sql/health_quotes/keep.sql")).map_err(fault)?;
                let tag = |tag: Option<Tag>| tag.map(|Tag(bytes)| bytes);
                keep.execute(params![
                    id_bytes(of),
                    id,
                    created_at.as_microsecond(),
                    session.map(id_bytes),
                    tag(tags.lead),
                    tag(tags.user),
                    body
                ])
                .map_err(fault)?;
                count::add(to, Counted::Quotes, of, session, created_at)?;
                job::add(to, &job, created_at)?;
                Ok(Act::Keep(Kept::New))
            })
            .await
    }

    async fn health_quote(&self, of: PartnerId, id: QuoteId) -> Result<Option<HealthQuote>, StorageError> {
        self.readers.read(|from| {
            // The quote may be finished between two reads; in one transaction both see the same moment.
            let moment = from.unchecked_transaction().map_err(fault)?;
            let mut read =
                moment.prepare_cached(include_str!("../../sql/health_quotes/read.sql")).map_err(fault)?;
            let found = read.query_row(params![id_bytes(of), id_bytes(id)], Found::columns);
            let found = found.optional().map_err(fault)?;
            found.map(|found| open(&moment, &self.seal, of, found)).transpose()
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
        let body = encode(VERSION, &outcomes.to_vec());
        let body = self.seal.seal(OUTCOMES, &outcomes_row(subject, ask), &body)?;
        self.writer
            .decide(move |to| {
                if !job::is_held(to, &lease)? {
                    return Ok(Act::Undo(false));
                }
                let keep = include_str!("../../sql/health_quotes/keep_outcomes.sql");
                let mut keep = to.prepare_cached(keep).map_err(fault)?;
                keep.execute(params![id_bytes(lease.job.of), subject, ask as i64, body]).map_err(fault)?;
                Ok(Act::Keep(true))
            })
            .await
    }

    async fn finish_health_quote(&self, lease: &Lease, quote: &HealthQuote) -> Result<bool, StorageError> {
        let lease = *lease;
        let (of, id) = (id_bytes(quote.partner), id_bytes(quote.id));
        let outcome = HealthOutcomeBody::of(quote)
            .ok_or_else(|| StorageError::Refused("a quote with open asks cannot be finished".into()))?;
        let outcome = self.seal.seal(OUTCOME, &id, &encode(VERSION, &outcome))?;
        self.writer
            .decide(move |to| {
                if !job::end(to, &lease)? {
                    return Ok(Act::Undo(false));
                }
                let finish = include_str!("../../sql/health_quotes/finish.sql");
                let mut finish = to.prepare_cached(finish).map_err(fault)?;
                finish.execute(params![outcome, of, id]).map_err(fault)?;
                let drop = include_str!("../../sql/health_quotes/drop_outcomes.sql");
                to.prepare_cached(drop).and_then(|mut drop| drop.execute(params![of, id])).map_err(fault)?;
                Ok(Act::Keep(true))
            })
            .await
    }

    async fn health_quotes(
        &self,
        of: PartnerId,
        which: Selection,
        from: From,
        most: usize,
    ) -> Result<Page<HealthQuote>, StorageError> {
        self.readers.read(|reader| {
            let moment = reader.unchecked_transaction().map_err(fault)?;
            let page = list::page::<Found>(&moment, of, which, from, most)?;
            page.try_map(|found| open(&moment, &self.seal, of, found))
        })
    }

    async fn tagged_quotes(
        &self,
        kind: TagKind,
        Tag(tag): Tag,
        most: usize,
    ) -> Result<Vec<Tagged>, StorageError> {
        let statement = match kind {
            TagKind::Lead => include_str!("../../sql/health_quotes/by_lead.sql"),
            TagKind::User => include_str!("../../sql/health_quotes/by_user.sql"),
        };
        self.readers.read(|from| {
            let mut list = from.prepare_cached(statement).map_err(fault)?;
            let tagged = |row: &Row<'_>| {
                Ok(Tagged { partner: id(row, 0)?, id: id(row, 1)?, created_at: instant(row, 2)? })
            };
            let found = list.query_map(params![tag, most as i64], tagged).map_err(fault)?;
            found.collect::<Result<_, _>>().map_err(fault)
        })
    }
}

/// What sealed outcomes of an ask are bound to.
fn outcomes_row(quote: [u8; 16], ask: usize) -> Vec<u8> {
    [&quote[..], &(ask as u64).to_be_bytes()].concat()
}

/// A row's columns before its bodies are opened.
pub(super) struct Found {
    id: QuoteId,
    created_at: Timestamp,
    body: Vec<u8>,
    outcome: Option<Vec<u8>>,
}

impl Listed for Found {
    const STATEMENTS: Statements = Statements {
        older_of_days: include_str!("../../sql/health_quotes/older_of_days.sql"),
        newer_of_days: include_str!("../../sql/health_quotes/newer_of_days.sql"),
        older_of_session: include_str!("../../sql/health_quotes/older_of_session.sql"),
        newer_of_session: include_str!("../../sql/health_quotes/newer_of_session.sql"),
    };
    const COUNTED: Counted = Counted::Quotes;

    fn columns(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Found { id: id(row, 0)?, created_at: instant(row, 1)?, body: row.get(2)?, outcome: row.get(3)? })
    }

    fn place(&self) -> Place {
        Place { created_at: self.created_at, id: self.id.uuid() }
    }
}

/// Opens a row; of a quote that is not finished also the outcomes there are.
pub(super) fn open(
    from: &Connection,
    seal: &Seal,
    of: PartnerId,
    found: Found,
) -> Result<HealthQuote, StorageError> {
    let Found { id, created_at, body, outcome } = found;
    let row = id_bytes(id);
    let body: HealthQuoteBody = decode(VERSION, &seal.open(TABLE, &row, &body)?)?;
    let mut quote = body.into_quote(id, of, created_at);
    match outcome {
        Some(outcome) => {
            let outcome: HealthOutcomeBody = decode(VERSION, &seal.open(OUTCOME, &row, &outcome)?)?;
            outcome.finish(&mut quote)?;
        }
        None => {
            let read = include_str!("../../sql/health_quotes/read_outcomes.sql");
            let mut read = from.prepare_cached(read).map_err(fault)?;
            let mut rows = read.query(params![id_bytes(of), row]).map_err(fault)?;
            while let Some(found) = rows.next().map_err(fault)? {
                let ask: u32 = found.get(0).map_err(fault)?;
                let ask = ask as usize;
                let sealed: Vec<u8> = found.get(1).map_err(fault)?;
                let outcomes = open_outcomes(seal, row, ask, &sealed)?;
                let ask = quote.asks.get_mut(ask);
                let ask =
                    ask.ok_or_else(|| StorageError::Damaged("outcomes of an ask that there is not".into()))?;
                ask.outcomes = Some(outcomes);
            }
        }
    }
    Ok(quote)
}

/// Opens what came of one ask.
pub(super) fn open_outcomes(
    seal: &Seal,
    quote: [u8; 16],
    ask: usize,
    sealed: &[u8],
) -> Result<Vec<Outcome>, StorageError> {
    decode(VERSION, &seal.open(OUTCOMES, &outcomes_row(quote, ask), sealed)?)
}
