//! Quotes, kept in groups.

use std::collections::HashSet;

use domain::id::Uuid;
use ports::storage::Result;

use super::Postgres;
use super::batch::{Batched, KeptRecords};
use super::column::{Column, get};
use super::connections::{Connections, Executed};
use super::fault::Fault;
use crate::fields::ToValue;

/// A quote of credit protection.
pub(crate) struct NewQuote {
    pub(crate) of: [u8; 16],
    pub(crate) id: [u8; 16],
    pub(crate) body: Vec<u8>,
}

/// A health quote with its job and what is counted.
pub(crate) struct NewHealthQuote {
    pub(crate) of: [u8; 16],
    pub(crate) id: [u8; 16],
    /// In microseconds.
    pub(crate) created_at: i64,
    pub(crate) session: Option<[u8; 16]>,
    pub(crate) body: Vec<u8>,
    /// The kind of its job, and when that is due.
    pub(crate) job: (u8, i64),
    /// What is counted on which day.
    pub(crate) counted: (u8, i32),
    /// Tags, each with what is sealed of it.
    pub(crate) tags: Vec<([u8; 16], Vec<u8>)>,
}

/// An array of ids.
fn ids<'a>(ids: impl Iterator<Item = [u8; 16]>) -> Column<'a> {
    Column::Ids(ids.map(|id| Some(Uuid::from_bytes(id))).collect())
}

/// Which ids a statement gave.
fn kept(executed: &Executed) -> KeptRecords {
    let ids = executed.rows.iter().filter_map(|row| get(row, 0).ok());
    KeptRecords::These(ids.collect::<HashSet<Uuid>>())
}

impl Batched for NewQuote {
    fn id(&self) -> Uuid {
        Uuid::from_bytes(self.id)
    }

    /// Several are kept as if no id were taken: where one is, nothing is kept, and the group is taken apart.
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
        // Of one kind, all have the same.
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
    /// Keeps a quote with whatever comes at once.
    pub(crate) async fn keep_embedded_quote(&self, quote: NewQuote) -> Result<()> {
        self.embedded_quotes.keep(quote).await
    }

    /// Keeps a quote with its job and its counts, with whatever comes at once.
    pub(crate) async fn keep_health_quote(&self, quote: NewHealthQuote) -> Result<()> {
        self.health_quotes.keep(quote).await
    }
}
