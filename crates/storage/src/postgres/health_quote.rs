//! Health quotes with the outcomes of their asks, kept in groups.

use std::collections::HashSet;

use async_trait::async_trait;
use domain::health_quote::{HealthQuote, Outcome};
use domain::id::{PartnerId, QuoteId, Uuid};
use service::storage::jobs::{JobKind, Lease};
use service::storage::lists::{ListStart, Page, Selection};
use service::storage::{HealthQuotes, Kept, KeyedResponse, NewEvent, StorageError};

use super::batch::{Batched, KeptRecords, taken};
use super::column::{Group, get, id, uuid, values};
use super::connections::{Connections, Fault};
use super::event::act_with_events;
use super::kept_response::{Columns, KeyOutcome};
use super::list::FIRST;
use super::{Postgres, event, tag};
use crate::codes::Coded;
use crate::fields::Fields;
use crate::rows;
use crate::rows::counted::{Counted, day_number_of};
use crate::rows::event::EventRow;
use crate::rows::health_quote::{Found, Row, seal_outcome, seal_outcomes};
use crate::rows::list::List;
use crate::rows::position::Listed;

/// The list of quotes, whose rows bring the outcomes of their asks.
pub(super) const LIST: List = List::health_quotes(
    "quote_id, created_at, body, outcome, \
     array(select ask from health_outcomes as o where q.outcome is null and o.partner_id = $1 \
           and o.quote_id = q.quote_id order by ask) as asks, \
     array(select o.body from health_outcomes as o where q.outcome is null and o.partner_id = $1 \
           and o.quote_id = q.quote_id order by ask) as outcomes",
);

impl Batched for Row {
    fn id(&self) -> Uuid {
        uuid(self.id)
    }

    async fn keep(group: &[&Self], connections: &Connections, slot: i16) -> Result<KeptRecords, Fault> {
        keep(group, None, connections, slot).await.map(KeptRecords::These)
    }
}

async fn keep(
    group: &[&Row],
    response: Option<&rows::kept_response::Row>,
    connections: &Connections,
    slot: i16,
) -> Result<HashSet<Uuid>, Fault> {
    let keep = include_str!("../../sql/health_quotes/keep.postgres.sql");
    let responses = Columns::of(response);
    let of: Vec<Uuid> = group.iter().map(|quote| id(quote.of)).collect();
    let ids: Vec<Uuid> = group.iter().map(|quote| uuid(quote.id)).collect();
    let created_at: Vec<i64> = group.iter().map(|quote| quote.created_at.as_microsecond()).collect();
    let sessions: Vec<Option<Uuid>> = group.iter().map(|quote| quote.session.map(id)).collect();
    let bodies: Vec<&[u8]> = group.iter().map(|quote| quote.body.as_slice()).collect();
    let due: Vec<i64> = group.iter().map(|quote| quote.due).collect();
    let days: Vec<i32> = group.iter().map(|quote| day_number_of(quote.created_at)).collect();
    let tags = tag::Columns::of(group.iter().flat_map(|quote| &quote.tags));
    let job = i16::from(JobKind::Recommendation.code());
    let counted = i16::from(Counted::HealthQuotes.code());
    let values = [
        values![of, ids, created_at, sessions, bodies, days].to_vec(),
        values![job, counted, slot].to_vec(),
        responses.values(),
        tags.values(),
        values![due].to_vec(),
    ]
    .concat();
    Ok(connections.write(keep, &values).await?.rows.iter().map(|row| row.get(0)).collect())
}

/// A quote's columns from one on.
fn columns(row: &tokio_postgres::Row, first: usize) -> Result<Found, StorageError> {
    let asks: Vec<i32> = get(row, first + 4)?;
    let outcomes: Vec<Vec<u8>> = get(row, first + 5)?;
    let outcomes = asks.into_iter().map(i32::unsigned_abs).zip(outcomes).collect();
    Ok(Found { outcomes, ..Found::columns(Fields::of(row).from(first))? })
}

#[async_trait]
impl HealthQuotes for Postgres {
    async fn keep_health_quote(
        &self,
        quote: &HealthQuote,
        response: Option<&KeyedResponse>,
    ) -> Result<Kept, StorageError> {
        let row = Row::of(&self.seal, quote)?;
        let Some(response) = rows::kept_response::Row::of_response(&self.seal, quote.partner, response)?
        else {
            return self.health_quotes.keep(row).await.map(|()| Kept::New);
        };
        // One with a key goes alone: a twin would undo the group.
        loop {
            let kept = keep(&[&row], Some(&response), &self.connections, self.slot).await;
            match self.key_outcome(kept, Some(&response)).await? {
                KeyOutcome::Again => {}
                KeyOutcome::Twin => return Ok(Kept::Twin),
                KeyOutcome::Done(kept) if kept.is_empty() => return Err(taken()),
                KeyOutcome::Done(_) => return Ok(Kept::New),
            }
        }
    }

    async fn health_quote(&self, of: PartnerId, quote: QuoteId) -> Result<Option<HealthQuote>, StorageError> {
        let read = include_str!("../../sql/health_quotes/read.postgres.sql");
        let found = self.connections.read_one(read, values![id(of), id(quote)]).await?;
        found.map(|row| columns(&row, 0)?.open(&self.seal, of)).transpose()
    }

    async fn health_quote_of_late(
        &self,
        of: PartnerId,
        quote: QuoteId,
    ) -> Result<Option<HealthQuote>, StorageError> {
        let read = include_str!("../../sql/health_quotes/read.postgres.sql");
        let found = self.read_of_late(read, values![id(of), id(quote)]).await?;
        match found.first() {
            Some(row) => columns(row, 0)?.open(&self.seal, of).map(Some),
            // A standby may not have it yet.
            None => self.health_quote(of, quote).await,
        }
    }

    async fn keep_outcomes(
        &self,
        lease: &Lease,
        ask: usize,
        outcomes: &[Outcome],
    ) -> Result<bool, StorageError> {
        let Lease { job, owner, attempt, .. } = lease;
        let body = seal_outcomes(&self.seal, job.of, *job.subject.as_bytes(), ask, outcomes)?;
        let keep = include_str!("../../sql/health_quotes/keep_outcomes.postgres.sql");
        Ok(!self
            .connections
            .write(
                keep,
                values![
                    id(job.of),
                    i16::from(job.kind.code()),
                    job.subject,
                    *owner,
                    *attempt as i32,
                    ask as i32,
                    body
                ],
            )
            .await?
            .rows
            .is_empty())
    }

    async fn finish_health_quote(
        &self,
        lease: &Lease,
        quote: &HealthQuote,
        event: &NewEvent,
    ) -> Result<bool, StorageError> {
        let Lease { job, owner, attempt, .. } = lease;
        let outcome = seal_outcome(&self.seal, quote)?;
        let events = EventRow::all(&self.seal, quote.partner, std::slice::from_ref(event))?;
        let events = event::Columns::of(&events);
        let finish = act_with_events!("../../sql/health_quotes/finish.postgres.sql");
        let (of, kind, quote) = (id(job.of), i16::from(job.kind.code()), id(quote.id));
        let attempt = *attempt as i32;
        let values = values![of, kind, quote, *owner, attempt, outcome].to_vec();
        let values = [events.values(), values].concat();
        Ok(!self.connections.write(finish, &values).await?.rows.is_empty())
    }

    async fn health_quotes(
        &self,
        of: PartnerId,
        which: Selection,
        start: ListStart,
        most: usize,
    ) -> Result<Page<HealthQuote>, StorageError> {
        let open = |row: &tokio_postgres::Row| columns(row, FIRST)?.open(&self.seal, of);
        self.pages.health_quotes.read(self, of, which, start, most, open).await
    }
}
