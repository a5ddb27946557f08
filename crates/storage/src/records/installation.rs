//! Operations on the store as a whole: health, facts about the store, catalogue versions.

use std::time::Duration;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::quote::CatalogueHash;
use ports::storage::{Fact, Installation, Result, StorageError, StoreServer};

use crate::audit::{UPKEEP, on};
use crate::engine::Engine;
use crate::fields::{RowFields, values};
use crate::operation::{Statement, sql};
use crate::store::Store;

#[async_trait]
impl Installation for Store {
    async fn ready(&self) -> Result<()> {
        match &self.engine {
            Engine::Sqlite(engine) => {
                engine.ready().await?;
                self.number(sql!("revision/read"), values![]).await.map(|_| ())
            }
            Engine::Postgres(engine) => engine.ready().await,
        }
    }

    async fn make_months(&self, at: Timestamp) -> Result<()> {
        match &self.engine {
            Engine::Sqlite(_) => Ok(()),
            Engine::Postgres(engine) => engine.make_months(at).await,
        }
    }

    async fn server(&self) -> Result<Option<StoreServer>> {
        let Engine::Postgres(_) = &self.engine else { return Ok(None) };
        let server = |row: RowFields<'_>| {
            Ok(StoreServer { now: row.get(0)?, sessions: row.get(1)?, most_sessions: row.get(2)? })
        };
        self.first(Statement::of(include_str!("../../sql/server/state.postgres.sql")), values![], server)
            .await
    }

    async fn bring_forward(&self, by: Duration, now: Timestamp) -> Result<u64> {
        let by = i64::try_from(by.as_micros()).unwrap_or(i64::MAX);
        let brought = self.act(UPKEEP, (by, now), |(by, now), to| {
            Box::pin(async move {
                // If the clocks of several processes were corrected together, only the first process does
                // this.
                let text = now.to_string();
                let seen = values![text, Fact::LastSeen.word()].to_vec();
                if to.all_of_each(sql!("facts/set_back"), &[seen], |_| Ok(()), true).await?.is_empty() {
                    return Ok(0);
                }
                to.execute(sql!("webhook_endpoints/bring_forward"), values![by, now]);
                let deliveries = to
                    .all_of_each(
                        sql!("deliveries/bring_forward"),
                        &[values![by, now].to_vec()],
                        |_| Ok(()),
                        true,
                    )
                    .await?;
                let jobs = to
                    .all_of_each(sql!("jobs/bring_forward"), &[values![by, now].to_vec()], |_| Ok(()), true)
                    .await?;
                Ok((deliveries.len() + jobs.len()) as u64)
            })
        });
        Ok(brought.await?)
    }

    async fn is_lost(&self) -> StorageError {
        match &self.engine {
            Engine::Sqlite(engine) => engine.is_lost().await,
            Engine::Postgres(_) => std::future::pending().await,
        }
    }

    async fn close(&self) -> Result<()> {
        match &self.engine {
            Engine::Sqlite(engine) => engine.close().await,
            Engine::Postgres(engine) => {
                engine.close();
                Ok(())
            }
        }
    }

    async fn remember(&self, fact: Fact, value: &str) -> Result<()> {
        let (remember, values) = (sql!("facts/remember"), values![fact.word(), value]);
        self.write(remember, values).await.map(|_| ())
    }

    async fn remembered(&self, fact: Fact) -> Result<Option<String>> {
        self.first(sql!("facts/read"), values![fact.word()], |row| row.get(0)).await
    }

    async fn keep_catalogue(&self, hash: CatalogueHash, canonical: &[u8], at: Timestamp) -> Result<()> {
        let change = on("catalogue.keep", hash);
        self.change(change, sql!("catalogues/keep"), values![hash.0, canonical, at]).await.map(|_| ())
    }

    async fn announce_catalogue(
        &self,
        hash: CatalogueHash,
        canonical: &[u8],
        at: Timestamp,
        announced: &str,
    ) -> Result<()> {
        let given = (hash, canonical.to_vec(), at, announced.to_owned());
        let done =
            self.act(on("catalogue.announce", announced), given, |(hash, canonical, at, announced), to| {
                Box::pin(async move {
                    to.execute(sql!("catalogues/keep"), values![hash.0, canonical, at]);
                    to.execute(sql!("facts/remember"), values![Fact::Catalogue.word(), announced]);
                    let approved = hash.to_string();
                    to.execute(sql!("facts/remember"), values![Fact::ApprovedCatalogue.word(), approved]);
                    Ok(())
                })
            });
        Ok(done.await?)
    }

    async fn newest_catalogue(&self) -> Result<Option<CatalogueHash>> {
        self.first(sql!("catalogues/newest"), values![], |row| row.get(0).map(CatalogueHash)).await
    }

    async fn catalogue(&self, hash: CatalogueHash) -> Result<Option<Vec<u8>>> {
        self.first(sql!("catalogues/read"), values![hash.0], |row| row.get(0)).await
    }
}
