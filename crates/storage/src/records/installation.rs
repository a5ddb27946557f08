//! The store as a whole: whether it works, what the installation remembers about itself, catalogue versions.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::quote::CatalogueHash;
use ports::storage::{Fact, Installation, Result, StorageError};

use crate::act::sql;
use crate::audit::on;
use crate::engine::Engine;
use crate::fields::values;
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
        match fact {
            Fact::Catalogue => {
                self.change(on("catalogue.announce", value), remember, values).await.map(|_| ())
            }
            Fact::BaseUrl | Fact::RunningCatalogue | Fact::LastRemoval | Fact::StoreId => {
                self.write(remember, values).await.map(|_| ())
            }
        }
    }

    async fn remembered(&self, fact: Fact) -> Result<Option<String>> {
        self.first(sql!("facts/read"), values![fact.word()], |row| row.get(0)).await
    }

    async fn keep_catalogue(&self, hash: CatalogueHash, canonical: &[u8], at: Timestamp) -> Result<()> {
        let change = on("catalogue.keep", hash);
        self.change(change, sql!("catalogues/keep"), values![hash.0, canonical, at]).await.map(|_| ())
    }

    async fn newest_catalogue(&self) -> Result<Option<CatalogueHash>> {
        self.first(sql!("catalogues/newest"), values![], |row| row.get(0).map(CatalogueHash)).await
    }

    async fn catalogue(&self, hash: CatalogueHash) -> Result<Option<Vec<u8>>> {
        self.first(sql!("catalogues/read"), values![hash.0], |row| row.get(0)).await
    }
}
