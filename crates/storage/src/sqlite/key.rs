//! Keys, wrapped by the keyring.

use async_trait::async_trait;
use domain::date::Timestamp;
use rusqlite::{Connection, params};
use service::clock::Random;
use service::keys::{Key, KeyPurpose};
use service::storage::{Keys, StorageError};

use super::row::{fault, instant, optional_instant};
use super::{Sqlite, revision};
use crate::keyring::Keyring;
use crate::rows::key::Found;
use crate::seal::wrap;

pub(super) fn all(from: &Connection, keyring: &Keyring) -> Result<Vec<Key>, StorageError> {
    let mut list = from.prepare_cached(include_str!("../../sql/keys/list.sql")).map_err(fault)?;
    let mut rows = list.query(()).map_err(fault)?;
    let mut keys = Vec::new();
    while let Some(row) = rows.next().map_err(fault)? {
        let found = Found {
            number: row.get(0).map_err(fault)?,
            purpose: row.get(1).map_err(fault)?,
            wrapped: row.get(2).map_err(fault)?,
            created_at: instant(row, 3).map_err(fault)?,
            active_from: instant(row, 4).map_err(fault)?,
            retired_at: optional_instant(row, 5).map_err(fault)?,
        };
        keys.extend(found.open(keyring)?);
    }
    Ok(keys)
}

pub(super) fn add(
    to: &Connection,
    keyring: &Keyring,
    random: &dyn Random,
    purpose: KeyPurpose,
    secret: [u8; 32],
    created_at: Timestamp,
    active_from: Timestamp,
) -> Result<Key, StorageError> {
    let next = include_str!("../../sql/keys/next_number.sql");
    let number: u32 = to.query_row(next, (), |row| row.get(0)).map_err(fault)?;
    let wrapped = wrap(keyring, random, number, &secret)?;
    let values =
        params![number, purpose.word(), wrapped, created_at.as_microsecond(), active_from.as_microsecond()];
    to.execute(include_str!("../../sql/keys/add.sql"), values).map_err(fault)?;
    revision::raise(to)?;
    Ok(Key { number, purpose, secret, created_at, active_from, retired_at: None })
}

fn retire(to: &Connection, number: u32, at: Timestamp) -> Result<bool, StorageError> {
    let retire = include_str!("../../sql/keys/retire.sql");
    let changed = to.execute(retire, params![at.as_microsecond(), number]).map_err(fault)?;
    revision::raise(to)?;
    Ok(changed == 1)
}

#[async_trait]
impl Keys for Sqlite {
    async fn keys(&self) -> Result<Vec<Key>, StorageError> {
        let keys = self.readers.read(|from| all(from, &self.keyring))?;
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
        let (keyring, random) = (self.keyring.clone(), self.random.clone());
        let add = move |to: &Connection| {
            let there = all(to, &keyring)?;
            let live = there.iter().filter(|key| key.purpose == purpose && key.retired_at.is_none());
            if live.count() >= most {
                return Ok(None);
            }
            add(to, &keyring, random.as_ref(), purpose, secret, created_at, active_from).map(Some)
        };
        self.writer.keep(add).await
    }

    async fn retire_key(&self, number: u32, at: Timestamp) -> Result<bool, StorageError> {
        self.writer.keep(move |to| retire(to, number, at)).await
    }
}
