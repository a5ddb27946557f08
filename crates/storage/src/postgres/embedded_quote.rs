//! Embedded quotes, kept in groups.

use std::collections::{BTreeMap, HashSet};

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, QuoteId, Uuid};
use domain::quote::EmbeddedQuote;
use futures_util::future::join_all;
use service::storage::{EmbeddedQuotes, Kept, KeyedResponse, StorageError};

use super::batch::{Batched, KeptRecords, taken};
use super::column::{Column, Group, get, id, uuid, values};
use super::connections::{Connections, Fault};
use super::kept_response::{Columns, KeyOutcome};
use super::{Postgres, month};
use crate::rows;
use crate::rows::embedded_quote::{Row, open};

impl Batched for Row {
    fn id(&self) -> Uuid {
        uuid(self.id)
    }

    async fn keep(group: &[&Self], connections: &Connections, _slot: i16) -> Result<KeptRecords, Fault> {
        match connections.is_spread {
            false => keep(group, None, connections).await,
            true => keep_by_partner(group, connections).await.map(KeptRecords::These),
        }
    }
}

/// Most quotes in one statement where tables are spread.
const MOST_ON_A_NODE: usize = 64;

/// Keeps a group where tables are spread: the quotes of each partner by inserts that its node takes as they are. A statement
/// that gets rows by an array is executed by the coordinator, which sends them on and commits twice.
async fn keep_by_partner(group: &[&Row], connections: &Connections) -> Result<HashSet<Uuid>, Fault> {
    let mut partners: BTreeMap<[u8; 16], Vec<&Row>> = BTreeMap::new();
    for quote in group {
        partners.entry(quote.of).or_default().push(quote);
    }
    let mut inserts = Vec::new();
    for quotes in partners.values() {
        let mut rest = quotes.as_slice();
        while !rest.is_empty() {
            // Each number of rows is a text of its own, which every connection prepares: so there are seven of them.
            let rows = MOST_ON_A_NODE.min(1 << rest.len().ilog2());
            let (insert, others) = rest.split_at(rows);
            inserts.push(insert_on_node(insert, connections));
            rest = others;
        }
    }
    let mut kept = HashSet::with_capacity(group.len());
    for inserted in join_all(inserts).await {
        kept.extend(inserted?);
    }
    Ok(kept)
}

/// Quotes of one partner. One that is there already with the same body was kept by this process just before: it comes back too.
async fn insert_on_node(quotes: &[&Row], connections: &Connections) -> Result<Vec<Uuid>, Fault> {
    let rows: Vec<String> =
        (0..quotes.len()).map(|nth| format!("($1, ${}, ${})", 2 * nth + 2, 2 * nth + 3)).collect();
    let insert =
        include_str!("../../sql/embedded_quotes/keep_on_node.citus.sql").replace("{rows}", &rows.join(", "));
    let of = uuid(quotes.first().map_or([0; 16], |quote| quote.of));
    let columns: Vec<(Uuid, &[u8])> =
        quotes.iter().map(|quote| (uuid(quote.id), quote.body.as_slice())).collect();
    let mut values = values![of].to_vec();
    values.extend(columns.iter().flat_map(|(id, body)| [id.value(), body.value()]));
    Ok(connections.write(&insert, &values).await?.rows.iter().map(|row| row.get(0)).collect())
}

/// Keeps a group. Several are kept as if no id were taken: where one is, nothing is kept, and the group is taken apart.
async fn keep(
    group: &[&Row],
    response: Option<&rows::kept_response::Row>,
    connections: &Connections,
) -> Result<KeptRecords, Fault> {
    let of: Vec<Uuid> = group.iter().map(|quote| uuid(quote.of)).collect();
    let ids: Vec<Uuid> = group.iter().map(|quote| uuid(quote.id)).collect();
    let bodies: Vec<&[u8]> = group.iter().map(|quote| quote.body.as_slice()).collect();
    let quotes = values![of, ids, bodies];
    if response.is_none() && group.len() > 1 {
        let keep = include_str!("../../sql/embedded_quotes/keep_group.postgres.sql");
        return connections.write(keep, quotes).await.map(|_| KeptRecords::All);
    }
    let keep = include_str!("../../sql/embedded_quotes/keep.postgres.sql");
    let responses = Columns::of(response);
    let kept = connections.write(keep, &[quotes.to_vec(), responses.values()].concat()).await?;
    Ok(KeptRecords::These(kept.rows.iter().map(|row| row.get(0)).collect()))
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
                KeyOutcome::Done(KeptRecords::These(kept)) if kept.is_empty() => return Err(taken()),
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

    async fn forget_embedded_quotes(&self, before: Timestamp, most: usize) -> Result<bool, StorageError> {
        month::QUOTES.forget(&self.connections, before, most).await
    }
}
