//! The store as a whole: whether it works, what the installation remembers about itself, catalogue versions.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::quote::CatalogueHash;
use rusqlite::{OptionalExtension, params};
use service::storage::{Fact, Installation, Partners, StorageError};

use super::Sqlite;
use super::row::fault;

#[async_trait]
impl Installation for Sqlite {
    async fn ready(&self) -> Result<(), StorageError> {
        self.writer.ready().await?;
        self.revision().await.map(|_| ())
    }

    async fn is_lost(&self) -> StorageError {
        self.writer.is_over().await
    }

    async fn close(&self) -> Result<(), StorageError> {
        self.writer.close().await
    }

    async fn remember(&self, fact: Fact, value: &str) -> Result<(), StorageError> {
        let (remember, value) = (include_str!("../../sql/facts/remember.sql"), value.to_owned());
        self.writer
            .keep(move |to| to.execute(remember, params![fact.word(), value]).map(|_| ()).map_err(fault))
            .await
    }

    async fn remembered(&self, fact: Fact) -> Result<Option<String>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/facts/read.sql");
            from.query_row(read, [fact.word()], |row| row.get(0)).optional().map_err(fault)
        })
    }

    async fn keep_catalogue(
        &self,
        hash: CatalogueHash,
        canonical: &[u8],
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let (keep, files) = (include_str!("../../sql/catalogues/keep.sql"), canonical.to_vec());
        self.writer
            .keep(move |to| {
                to.execute(keep, params![hash.0, files, at.as_microsecond()]).map(|_| ()).map_err(fault)
            })
            .await
    }

    async fn newest_catalogue(&self) -> Result<Option<CatalogueHash>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/catalogues/newest.sql");
            let found: Option<[u8; 32]> =
                from.query_row(read, (), |row| row.get(0)).optional().map_err(fault)?;
            Ok(found.map(CatalogueHash))
        })
    }

    async fn catalogue(&self, hash: CatalogueHash) -> Result<Option<Vec<u8>>, StorageError> {
        self.readers.read(|from| {
            let read = include_str!("../../sql/catalogues/read.sql");
            from.query_row(read, [hash.0], |row| row.get(0)).optional().map_err(fault)
        })
    }
}
