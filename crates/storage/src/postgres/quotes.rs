//! Writes quotes in groups: one statement writes the quotes that arrive together.

use std::collections::HashSet;

use domain::id::Uuid;
use ports::storage::Result;

use super::Postgres;
use super::batch::{Batched, KeptRecords};
use super::column::{Column, get};
use super::connections::{Connections, Executed};
use super::fault::Fault;
use crate::fields::ToValue;

pub(crate) struct NewQuote {
    pub(crate) of: [u8; 16],
    pub(crate) id: [u8; 16],
    pub(crate) body: Vec<u8>,
}

/// New health quote, with the job that prices it, and with what is counted.
pub(crate) struct NewHealthQuote {
    pub(crate) of: [u8; 16],
    pub(crate) id: [u8; 16],
    /// Time of creation, in microseconds since 1970.
    pub(crate) created_at: i64,
    pub(crate) session: Option<[u8; 16]>,
    pub(crate) body: Vec<u8>,
    /// Job that prices the quote: its kind as a code, and when it is due, in microseconds.
    pub(crate) job: (u8, i64),
    /// Count to which the quote adds 1: its code, and the day as YYYYMMDD.
    pub(crate) counted: (u8, i32),
    /// Tags (hashes by which the quote is found), each with its encrypted identifier.
    pub(crate) tags: Vec<([u8; 16], Vec<u8>)>,
}

fn ids<'a>(ids: impl Iterator<Item = [u8; 16]>) -> Column<'a> {
    Column::Ids(ids.map(|id| Some(Uuid::from_bytes(id))).collect())
}

/// The records whose ids a statement returned, because they were written.
fn kept(executed: &Executed) -> KeptRecords {
    let ids = executed.rows.iter().filter_map(|row| get(row, 0).ok());
    KeptRecords::These(ids.collect::<HashSet<Uuid>>())
}

impl Batched for NewQuote {
    fn id(&self) -> Uuid {
        Uuid::from_bytes(self.id)
    }

    /// Writes a group on the assumption that every id is new. If an id exists, the statement fails and writes
    /// nothing. The caller then writes the records one by one.
    async fn keep(group: &[&Self], connections: &Connections, _slot: i16) -> Result<KeptRecords, Fault> {
        let columns = [
            ids(group.iter().map(|quote| quote.of)),
            ids(group.iter().map(|quote| quote.id)),
            Column::Bytes(group.iter().map(|quote| quote.body.as_slice()).collect()),
        ];
        if group.len() > 1 {
            let keep = include_str!("../../sql/embedded_quotes/keep_group.postgres.sql");
            return connections.write(keep, &columns).await.map(|_| KeptRecords::All);
        }
        let keep = include_str!("../../sql/embedded_quotes/keep.postgres.sql");
        Ok(kept(&connections.write(keep, &columns).await?))
    }
}

impl Batched for NewHealthQuote {
    fn id(&self) -> Uuid {
        Uuid::from_bytes(self.id)
    }

    async fn keep(group: &[&Self], connections: &Connections, slot: i16) -> Result<KeptRecords, Fault> {
        let tags =
            || group.iter().flat_map(|quote| quote.tags.iter().map(move |(tag, named)| (quote, tag, named)));
        // All quotes of a group have the same kind of job and the same kind of count.
        let Some(first) = group.first() else { return Ok(KeptRecords::All) };
        let columns = [
            ids(group.iter().map(|quote| quote.of)),
            ids(group.iter().map(|quote| quote.id)),
            Column::Numbers(group.iter().map(|quote| quote.created_at).collect()),
            Column::Ids(group.iter().map(|quote| quote.session.map(Uuid::from_bytes)).collect()),
            Column::Bytes(group.iter().map(|quote| quote.body.as_slice()).collect()),
            Column::Numbers(group.iter().map(|quote| quote.counted.1.into()).collect()),
            Column::Numbers(group.iter().map(|quote| quote.job.1).collect()),
            Column::One(first.job.0.to_value()),
            Column::One(first.counted.0.to_value()),
            Column::One(slot.to_value()),
            ids(tags().map(|(quote, ..)| quote.of)),
            ids(tags().map(|(quote, ..)| quote.id)),
            ids(tags().map(|(_, tag, _)| *tag)),
            Column::Bytes(tags().map(|(.., named)| named.as_slice()).collect()),
        ];
        let keep = include_str!("../../sql/health_quotes/keep.postgres.sql");
        Ok(kept(&connections.write(keep, &columns).await?))
    }
}

impl Postgres {
    /// Writes a quote, together with other quotes that arrive at the same time.
    pub(crate) async fn keep_embedded_quote(&self, quote: NewQuote) -> Result<()> {
        self.embedded_quotes.keep(quote).await
    }

    /// Writes a quote with its job and counts, together with other quotes that arrive at the same time.
    pub(crate) async fn keep_health_quote(&self, quote: NewHealthQuote) -> Result<()> {
        self.health_quotes.keep(quote).await
    }
}
