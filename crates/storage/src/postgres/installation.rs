//! The store as a whole: whether it works, what the installation remembers about itself, catalogue versions.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::quote::CatalogueHash;
use service::storage::{Fact, Installation, StorageError};

use super::column::{get, values};
use super::{Postgres, month};

#[async_trait]
impl Installation for Postgres {
    async fn ready(&self) -> Result<(), StorageError> {
        self.readiness.of([&self.connections, &self.writers]).await
    }

    async fn make_months(&self, at: Timestamp) -> Result<(), StorageError> {
        month::make_ahead(&self.connections, at).await
    }

    async fn close(&self) -> Result<(), StorageError> {
        self.connections.close();
        self.standbys.close();
        Ok(())
    }

    async fn remember(&self, fact: Fact, value: &str) -> Result<(), StorageError> {
        let remember = include_str!("../../sql/facts/remember.sql");
        self.connections.write(remember, values![fact.word(), value]).await?;
        Ok(())
    }

    async fn remembered(&self, fact: Fact) -> Result<Option<String>, StorageError> {
        let read = include_str!("../../sql/facts/read.sql");
        let found = self.connections.read_one(read, values![fact.word()]).await?;
        found.map(|row| get(&row, 0)).transpose()
    }

    async fn keep_catalogue(
        &self,
        hash: CatalogueHash,
        canonical: &[u8],
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let keep = include_str!("../../sql/catalogues/keep.sql");
        self.connections.write(keep, values![&hash.0[..], canonical, at.as_microsecond()]).await?;
        Ok(())
    }

    async fn newest_catalogue(&self) -> Result<Option<CatalogueHash>, StorageError> {
        let read = include_str!("../../sql/catalogues/newest.sql");
        let found = self.connections.read_one(read, values![]).await?;
        let Some(row) = found else { return Ok(None) };
        let hash = get::<&[u8]>(&row, 0)?.try_into();
        let hash = hash.map_err(|_| StorageError::Damaged("a catalogue's hash has not 32 bytes".into()))?;
        Ok(Some(CatalogueHash(hash)))
    }

    async fn catalogue(&self, hash: CatalogueHash) -> Result<Option<Vec<u8>>, StorageError> {
        let read = include_str!("../../sql/catalogues/read.sql");
        let found = self.connections.read_one(read, values![&hash.0[..]]).await?;
        found.map(|row| get(&row, 0)).transpose()
    }
}
