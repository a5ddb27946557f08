//! Embedded quotes, kept in groups.

use std::collections::HashSet;

use async_trait::async_trait;
use domain::id::{PartnerId, QuoteId, Uuid};
use domain::quote::EmbeddedQuote;
use service::storage::{EmbeddedQuotes, Kept, KeyedResponse, StorageError};

use super::Postgres;
use super::batch::{Batched, taken};
use super::column::{Group, get, id, uuid, values};
use super::connections::{Connections, Fault};
use super::kept_response::{Columns, KeyOutcome};
use crate::rows;
use crate::rows::embedded_quote::{Row, open};

impl Batched for Row {
    fn id(&self) -> Uuid {
        uuid(self.id)
    }

    async fn keep(group: &[&Self], connections: &Connections, _slot: i16) -> Result<HashSet<Uuid>, Fault> {
        keep(group, None, connections).await
    }
}

async fn keep(
    group: &[&Row],
    response: Option<&rows::kept_response::Row>,
    connections: &Connections,
) -> Result<HashSet<Uuid>, Fault> {
    let keep = include_str!("../../sql/embedded_quotes/keep.postgres.sql");
    let of: Vec<Uuid> = group.iter().map(|quote| uuid(quote.of)).collect();
    let ids: Vec<Uuid> = group.iter().map(|quote| uuid(quote.id)).collect();
    let bodies: Vec<&[u8]> = group.iter().map(|quote| quote.body.as_slice()).collect();
    let responses = Columns::of(response);
    let values = [values![of, ids, bodies].to_vec(), responses.values()].concat();
    Ok(connections.write(keep, &values).await?.rows.iter().map(|row| row.get(0)).collect())
}

#[async_trait]
impl EmbeddedQuotes for Postgres {
    async fn keep_embedded_quote(
        &self,
        quote: &EmbeddedQuote,
        response: Option<&KeyedResponse>,
    ) -> Result<Kept, StorageError> {
        let row = Row::of(&self.seal, quote)?;
        let Some(response) = rows::kept_response::Row::of_response(&self.seal, quote.partner, response)?
        else {
            return self.embedded_quotes.keep(row).await.map(|()| Kept::New);
        };
        // One with a key goes alone: a twin would undo the group.
        loop {
            let kept = keep(&[&row], Some(&response), &self.connections).await;
            match self.key_outcome(kept, Some(&response)).await? {
                KeyOutcome::Again => {}
                KeyOutcome::Twin => return Ok(Kept::Twin),
                KeyOutcome::Done(kept) if kept.is_empty() => return Err(taken()),
                KeyOutcome::Done(_) => return Ok(Kept::New),
            }
        }
    }

    async fn embedded_quote(
        &self,
        of: PartnerId,
        quote: QuoteId,
    ) -> Result<Option<EmbeddedQuote>, StorageError> {
        let read = include_str!("../../sql/embedded_quotes/read.sql");
        let found = self.connections.read_one(read, values![id(of), id(quote)]).await?;
        found.map(|row| open(&self.seal, of, quote, get(&row, 0)?)).transpose()
    }
}
