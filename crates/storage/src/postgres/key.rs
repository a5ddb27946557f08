//! Keys, wrapped by the keyring.

use async_trait::async_trait;
use domain::date::Timestamp;
use service::clock::Random;
use service::keys::{Key, KeyPurpose};
use service::storage::{Keys, StorageError};
use tokio_postgres::Row;

use super::Postgres;
use super::column::{get, get_instant, get_number, get_optional_instant, values};
use super::transaction::Transaction;
use crate::keyring::Keyring;
use crate::rows::key::Found;
use crate::seal::wrap;

pub(super) const LIST: &str = include_str!("../../sql/keys/list.sql");

/// Unwraps the rows of [`LIST`].
pub(super) fn open(rows: &[Row], keyring: &Keyring) -> Result<Vec<Key>, StorageError> {
    let mut keys = Vec::new();
    for row in rows {
        let found = Found {
            number: get_number(row, 0)?,
            purpose: get(row, 1)?,
            wrapped: get(row, 2)?,
            created_at: get_instant(row, 3)?,
            active_from: get_instant(row, 4)?,
            retired_at: get_optional_instant(row, 5)?,
        };
        keys.extend(found.open(keyring)?);
    }
    Ok(keys)
}

/// Adds a key under the next free number.
pub(super) async fn add(
    to: &Transaction,
    keyring: &Keyring,
    random: &dyn Random,
    purpose: KeyPurpose,
    secret: [u8; 32],
    created_at: Timestamp,
    active_from: Timestamp,
) -> Result<Key, StorageError> {
    let next = to.execute(include_str!("../../sql/keys/next_number.sql"), values![]).await?.rows;
    let number = next.first().map_or(Ok(1), |row| get_number(row, 0))?;
    let wrapped = wrap(keyring, random, number, &secret)?;
    let add = include_str!("../../sql/keys/add.sql");
    to.execute(
        add,
        values![
            number as i32,
            purpose.word(),
            wrapped,
            created_at.as_microsecond(),
            active_from.as_microsecond(),
        ],
    )
    .await?;
    Ok(Key { number, purpose, secret, created_at, active_from, retired_at: None })
}

#[async_trait]
impl Keys for Postgres {
    async fn keys(&self) -> Result<Vec<Key>, StorageError> {
        let keys = open(&self.connections.read(LIST, values![]).await?, &self.keyring)?;
        self.seal.learn(&keys);
        Ok(keys)
    }

    async fn add_key(
        &self,
        purpose: KeyPurpose,
        secret: [u8; 32],
        created_at: Timestamp,
        active_from: Timestamp,
        most: usize,
    ) -> Result<Option<Key>, StorageError> {
        let change = self.begin_change().await?;
        let there = open(&change.execute(LIST, values![]).await?.rows, &self.keyring)?;
        let live = there.iter().filter(|key| key.purpose == purpose && key.retired_at.is_none());
        if live.count() >= most {
            return Ok(None);
        }
        let (keyring, random) = (&self.keyring, self.random.as_ref());
        let key = add(&change, keyring, random, purpose, secret, created_at, active_from).await?;
        change.commit().await?;
        Ok(Some(key))
    }

    async fn retire_key(&self, number: u32, at: Timestamp) -> Result<bool, StorageError> {
        let change = self.begin_change().await?;
        let retire = include_str!("../../sql/keys/retire.sql");
        let outcome = change.execute(retire, values![at.as_microsecond(), number as i32]).await?;
        change.commit().await?;
        Ok(outcome.changed == 1)
    }
}
