//! Database rows of health quotes, with the outcomes of their asks (requests to insurers).

use crate::records::row::row;
use async_trait::async_trait;
use domain::date::Timestamp;
use domain::health_quote::{HealthQuote, Outcome};
use domain::id::{PartnerId, QuoteId, SessionId};
use ports::storage::jobs::{JobKind, Lease};
use ports::storage::lists::{ListStart, Page, Selection};
use ports::storage::{HealthQuotes, Identified, Kept, KeyedResponse, NewEvent, Result, StorageError};

use super::bound::Bound;
use super::counted::{Count, Counted, count, day_number_of};
use super::event::{self, EventRow};
use super::list::List;
use super::tag::TagRow;
use super::{id_bytes, job, kept_response, tag};
use crate::audit::UPKEEP;
use crate::body::{AskBody, HealthOutcomeBody, HealthQuoteBody, decode, encode};
use crate::engine::Engine;
use crate::fields::{Coded, FromRow, RowFields, values};
use crate::operation::{Operation, Read, sql};
use crate::postgres::quotes::NewHealthQuote;
use crate::seal::Seal;
use crate::store::{Store, unless_changed};

const TABLE: &str = "health_quotes";
const OUTCOME: &str = "health_quotes.outcome";
const OUTCOMES: &str = "health_outcomes";

row! {
    /// Quote as stored in its row.
    Row {
        partner_id: PartnerId,
        quote_id: QuoteId,
        created_at: Timestamp,
    } free {
        body: Vec<u8>,
        outcome: Option<Vec<u8>>,
    }
}

/// New quote with what is written together with it.
struct NewQuote {
    row: Row,
    /// When the job that prices the quote is due, in microseconds.
    due: i64,
    session: Option<SessionId>,
    tags: Vec<TagRow>,
}

impl NewQuote {
    fn of(seal: &Seal, quote: &HealthQuote) -> Result<Self> {
        let HealthQuote { partner: partner_id, id: quote_id, created_at, .. } = *quote;
        let mut row = Row { partner_id, quote_id, created_at, body: Vec::new(), outcome: None };
        row.body = seal.seal(TABLE, &row.bound(), &encode(&HealthQuoteBody::of(quote)))?;
        let (kind, id) = (Identified::HealthQuote, id_bytes(quote_id));
        Ok(NewQuote {
            row,
            due: seal.due(created_at),
            session: quote.request.session,
            tags: TagRow::all(seal, partner_id, kind, id, &quote.identifiers())?,
        })
    }

    /// Converts the quote to the form in which PostgreSQL writes quotes in groups.
    fn grouped(self) -> NewHealthQuote {
        let Row { partner_id, quote_id, created_at, body, .. } = self.row;
        NewHealthQuote {
            of: id_bytes(partner_id),
            id: id_bytes(quote_id),
            created_at: created_at.as_microsecond(),
            session: self.session.map(id_bytes),
            body,
            job: (JobKind::Recommendation.code(), self.due),
            counted: (Counted::HealthQuotes.code(), day_number_of(created_at)),
            tags: self.tags.into_iter().map(|tag| (tag.tag, tag.named)).collect(),
        }
    }
}

/// Encrypts the outcomes of one ask (request to an insurer).
pub(crate) fn seal_outcomes(
    seal: &Seal,
    of: PartnerId,
    quote: [u8; 16],
    ask: usize,
    outcomes: &[Outcome],
) -> Result<Vec<u8>> {
    seal.seal(OUTCOMES, bound_to(of, quote, ask).as_ref(), &encode(&AskBody { outcomes: outcomes.into() }))
}

/// Decrypts the outcomes of one ask (request to an insurer).
pub(crate) fn open_outcomes(
    seal: &Seal,
    of: PartnerId,
    quote: [u8; 16],
    ask: usize,
    sealed: &[u8],
) -> Result<Vec<Outcome>> {
    let body: AskBody<'_> = decode(&seal.open(OUTCOMES, bound_to(of, quote, ask).as_ref(), sealed)?)?;
    Ok(body.outcomes.into_owned())
}

/// Encrypts the outcomes of all asks (requests to insurers) of a quote.
///
/// # Errors
/// [`StorageError::Refused`] if the quote has an ask without an outcome.
pub(crate) fn seal_outcome(seal: &Seal, quote: &HealthQuote) -> Result<Vec<u8>> {
    let outcome = HealthOutcomeBody::of(quote).ok_or_else(|| {
        StorageError::Refused("a quote cannot be finished while requests to insurers are open".into())
    })?;
    let bound = bound(quote.partner, quote.id, quote.created_at);
    seal.seal(OUTCOME, bound.as_ref(), &encode(&outcome))
}

/// Columns to which a quote's encrypted outcome is bound, so that a change of a column is detected. The session
/// is not among them, because it is also in the body.
fn bound(of: PartnerId, id: QuoteId, created_at: Timestamp) -> Bound {
    Bound::row(of, &id_bytes(id)).number(created_at.as_microsecond())
}

/// Columns to which the encrypted outcome of an ask is bound, so that a change of a column is detected.
fn bound_to(of: PartnerId, quote: [u8; 16], ask: usize) -> Bound {
    Bound::row(of, &quote).number(ask as i64)
}

/// Quote that was read, with the bodies still encrypted.
pub(crate) struct Found {
    pub(crate) row: Row,
    /// Outcomes of single asks (requests to insurers) with the asks' indexes, if the quote is not finished.
    pub(crate) outcomes: Vec<(u32, Vec<u8>)>,
}

impl FromRow for Found {
    const COLUMNS: &'static [&'static str] = Row::COLUMNS;

    fn columns(row: RowFields<'_>) -> Result<Self> {
        Ok(Found { row: Row::columns(row)?, outcomes: Vec::new() })
    }
}

impl Found {
    /// Adds one row of the statement that reads a quote. The first row has the quote. Every row may have the
    /// outcome of one ask.
    fn join(found: &mut Option<Self>, row: RowFields<'_>) -> Result<()> {
        match found {
            Some(found) => found.add_outcome(row),
            None => found.insert(Found::columns(row)?).add_outcome(row),
        }
    }

    fn add_outcome(&mut self, row: RowFields<'_>) -> Result<()> {
        if let Some(ask) = row.named("ask")? {
            self.outcomes.push((ask, row.named("outcomes")?));
        }
        Ok(())
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<HealthQuote> {
        let (bound, outcomes) = (self.row.bound(), self.outcomes);
        let Row { partner_id: of, quote_id: id, created_at, mut body, outcome } = self.row;
        let body: HealthQuoteBody = decode(seal.open_here(TABLE, &bound, &mut body)?)?;
        let mut quote = body.into_quote(id, of, created_at);
        if let Some(mut outcome) = outcome {
            let outcome: HealthOutcomeBody = decode(seal.open_here(OUTCOME, &bound, &mut outcome)?)?;
            outcome.finish(&mut quote)?;
            return Ok(quote);
        }
        for (ask, sealed) in outcomes {
            let ask = ask as usize;
            let outcomes = open_outcomes(seal, of, id_bytes(id), ask, &sealed)?;
            let ask = quote.asks.get_mut(ask);
            let ask = ask.ok_or_else(|| {
                StorageError::Damaged(
                    "the outcomes of a quote belong to an insurer request that does not exist".into(),
                )
            })?;
            ask.outcomes = Some(outcomes);
        }
        Ok(quote)
    }
}

/// Writes a quote, its tags, the job that prices it, and its counts.
fn keep(to: &mut dyn Operation, NewQuote { row, due, session, tags }: &NewQuote) {
    let Row { partner_id: of, quote_id: id, created_at, body, .. } = row;
    to.execute(sql!("health_quotes/add"), values![of, id, created_at, session, body]);
    tag::add(to, tags);
    job::begin(to, id_bytes(*of), JobKind::Recommendation.code().into(), id_bytes(*id), *due);
    count(to, *of, &[Count { kind: Counted::HealthQuotes, session: *session, at: *created_at }]);
}

/// Statement that reads a quote with the outcomes that are stored so far.
fn read(of: PartnerId, quote: QuoteId) -> Read<'static> {
    (sql!("health_quotes/read"), values![of, quote].to_vec())
}

impl Store {
    /// Quote with the outcomes that are stored so far. `is_late`: it may come from a standby.
    async fn find_health_quote(
        &self,
        of: PartnerId,
        id: QuoteId,
        is_late: bool,
    ) -> Result<Option<HealthQuote>> {
        let mut found = None;
        let mut each = |_, row: RowFields<'_>| Found::join(&mut found, row);
        self.engine.read_together(&[read(of, id)], is_late, &mut each).await?;
        found.map(|found| found.open(&self.seal)).transpose()
    }
}

#[async_trait]
impl HealthQuotes for Store {
    async fn keep_health_quote(&self, quote: &HealthQuote, response: Option<&KeyedResponse>) -> Result<Kept> {
        let row = NewQuote::of(&self.seal, quote)?;
        let response = kept_response::Row::of_response(&self.seal, quote.partner, response)?;
        if let (Engine::Postgres(engine), None) = (&self.engine, &response) {
            // Quotes that arrive together are written with one statement.
            return engine.keep_health_quote(row.grouped()).await.map(|()| Kept::New);
        }
        let kept = self.act(UPKEEP, (row, response), |(row, response), to| {
            Box::pin(async move {
                kept_response::keep(to, response.as_ref());
                keep(to, row);
                Ok(())
            })
        });
        kept_response::unless_twin(kept.await)
    }

    async fn health_quote(&self, of: PartnerId, id: QuoteId) -> Result<Option<HealthQuote>> {
        self.find_health_quote(of, id, false).await
    }

    async fn health_quote_of_late(&self, of: PartnerId, id: QuoteId) -> Result<Option<HealthQuote>> {
        match self.find_health_quote(of, id, true).await? {
            // A standby may not have the quote yet.
            None => self.find_health_quote(of, id, false).await,
            found => Ok(found),
        }
    }

    async fn keep_outcomes(&self, lease: &Lease, ask: usize, outcomes: &[Outcome]) -> Result<bool> {
        let body = seal_outcomes(&self.seal, lease.job.of, *lease.job.subject.as_bytes(), ask, outcomes)?;
        let kept = self.act(UPKEEP, (*lease, ask, body), |(lease, ask, body), to| {
            Box::pin(async move {
                job::hold(to, lease);
                let values = values![lease.job.of, lease.job.subject, ask, body];
                to.execute(sql!("health_quotes/keep_outcomes"), values);
                Ok(())
            })
        });
        unless_changed(kept.await)
    }

    async fn finish_health_quote(
        &self,
        lease: &Lease,
        quote: &HealthQuote,
        event: &NewEvent,
    ) -> Result<bool> {
        let events = EventRow::all(&self.seal, quote.partner, std::slice::from_ref(event))?;
        let given = (*lease, quote.partner, quote.id, seal_outcome(&self.seal, quote)?, events);
        let finished = self.act(UPKEEP, given, |(lease, of, id, outcome, events), to| {
            Box::pin(async move {
                job::end(to, lease);
                to.execute(sql!("health_quotes/finish"), values![outcome, of, id]);
                to.execute(sql!("health_quotes/drop_outcomes"), values![of, id]);
                event::note(to, events);
                Ok(())
            })
        });
        unless_changed(finished.await)
    }

    async fn health_quotes(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<HealthQuote>> {
        let mut page: Page<Found> = self.page(&List::health_quotes(), of, which, start, most).await?;
        let open: Vec<&mut Found> =
            page.records.iter_mut().filter(|found| found.row.outcome.is_none()).collect();
        if !open.is_empty() {
            // Unfinished quotes are read again with their outcomes, because they may have been finished
            // meanwhile.
            let reads: Vec<_> = open.iter().map(|found| read(of, found.row.quote_id)).collect();
            let mut anew: Vec<Option<Found>> = open.iter().map(|_| None).collect();
            let mut each = |place: usize, row: RowFields<'_>| Found::join(&mut anew[place], row);
            self.engine.read_together(&reads, true, &mut each).await?;
            for (found, anew) in open.into_iter().zip(anew) {
                // A quote that was removed meanwhile is shown as it was listed.
                if let Some(anew) = anew {
                    *found = anew;
                }
            }
        }
        page.try_map(|found| found.open(&self.seal))
    }
}
