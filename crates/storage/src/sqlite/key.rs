//! Keys, wrapped by the keyring.

use std::collections::BTreeSet;

use async_trait::async_trait;
use domain::date::Timestamp;
use rusqlite::types::Value;
use rusqlite::{Connection, params, params_from_iter};
use service::clock::Random;
use service::keys::{Key, KeyPurpose};
use service::storage::keys::{Renewed, RowProgress};
use service::storage::{Keys, StorageError};

use super::row::{by, fault};
use super::{Sqlite, revision};
use crate::keyring::Keyring;
use crate::resealing::{Cell, Replacement, SealedColumn, SealedRows, reseal};
use crate::rows::key::Found;
use crate::seal::{Seal, wrap};

pub(super) fn all(from: &Connection, keyring: &Keyring) -> Result<Vec<Key>, StorageError> {
    rows(from)?.into_iter().filter_map(|found| found.open(keyring).transpose()).collect()
}

/// Every key as it lies in its row.
fn rows(from: &Connection) -> Result<Vec<Found>, StorageError> {
    let mut list = from.prepare_cached(include_str!("../../sql/keys/list.sql")).map_err(fault)?;
    let found = list.query_map((), by(Found::columns)).map_err(fault)?;
    found.map(|found| found.map_err(fault)).collect()
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

fn values(cells: &[Cell]) -> impl Iterator<Item = Value> + '_ {
    cells.iter().map(|cell| match cell {
        Cell::Null => Value::Null,
        Cell::Number(number) => Value::Integer(*number),
        Cell::Bytes(bytes) => Value::Blob(bytes.clone()),
    })
}

/// A page of rows with a sealed column.
fn sealed_rows(
    from: &Connection,
    column: &SealedColumn,
    after: Option<&[Cell]>,
) -> rusqlite::Result<Vec<Vec<Cell>>> {
    let statement = if after.is_some() { column.next_page() } else { column.first_page() };
    let mut page = from.prepare_cached(&statement)?;
    let rows = page.query_map(
        params_from_iter(values(after.unwrap_or_default())),
        by(|row| (0..column.columns()).map(|at| row.get(at)).collect()),
    )?;
    rows.collect()
}

/// Replaces what is sealed, where it was not changed meanwhile. Returns how often.
fn replace(to: &Connection, column: &SealedColumn, rows: &[Replacement]) -> rusqlite::Result<u64> {
    let mut replace = to.prepare_cached(&column.replace_one())?;
    let mut replaced = 0;
    for Replacement { key, head, sealed } in rows {
        let given = [Value::Blob(sealed.clone()), Value::Blob(head.clone())];
        replaced += replace.execute(params_from_iter(given.into_iter().chain(values(key))))? as u64;
    }
    Ok(replaced)
}

fn count(from: &Connection, statement: &str) -> Result<u64, StorageError> {
    from.query_row(statement, (), |row| row.get::<_, i64>(0)).map(i64::unsigned_abs).map_err(fault)
}

#[async_trait]
impl SealedRows for Sqlite {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    async fn count(&self, statement: &str) -> Result<u64, StorageError> {
        self.readers.read(|from| count(from, statement))
    }

    async fn page(
        &self,
        column: &'static SealedColumn,
        after: Option<&[Cell]>,
    ) -> Result<Vec<Vec<Cell>>, StorageError> {
        self.readers.read(|from| sealed_rows(from, column, after).map_err(fault))
    }

    async fn replace(
        &self,
        column: &'static SealedColumn,
        rows: Vec<Replacement>,
    ) -> Result<u64, StorageError> {
        self.writer.keep(move |to| replace(to, column, &rows).map_err(fault)).await
    }
}

#[async_trait]
impl Keys for Sqlite {
    async fn keys(&self) -> Result<Vec<Key>, StorageError> {
        let keys = self.readers.read(|from| all(from, &self.keyring.current()));
        let keys = match keys {
            // Perhaps it was wrapped anew with a key that the keyring has got meanwhile.
            Err(fault @ StorageError::Damaged(_)) => {
                let keyring = self.keyring.read_again().map_err(|_| fault)?;
                self.readers.read(|from| all(from, &keyring))?
            }
            keys => keys?,
        };
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
        let (keyring, random) = (self.keyring.current(), self.random.clone());
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

    async fn reseal(&self, progress: &mut RowProgress<'_>) -> Result<Renewed, StorageError> {
        reseal(self, progress).await
    }

    async fn retag(&self, progress: &mut RowProgress<'_>) -> Result<Renewed, StorageError> {
        self.make_tags_anew(progress).await
    }

    async fn rewrap(&self) -> Result<u64, StorageError> {
        let (keyring, random) = (self.keyring.current(), self.random.clone());
        let rewrap = move |to: &Connection| {
            let mut changed = 0;
            for found in rows(to)? {
                if let Some(wrapped) = found.rewrapped(&keyring, random.as_ref())? {
                    let rewrap = include_str!("../../sql/keys/rewrap.sql");
                    changed += to.execute(rewrap, params![wrapped, found.number]).map_err(fault)? as u64;
                }
            }
            revision::raise(to)?;
            Ok(changed)
        };
        self.writer.keep(rewrap).await
    }

    async fn wrapping_keys(&self) -> Result<BTreeSet<u32>, StorageError> {
        self.readers.read(|from| rows(from)?.iter().map(Found::wrapping_key).collect())
    }

    async fn retire_key(&self, number: u32, at: Timestamp) -> Result<bool, StorageError> {
        self.writer.keep(move |to| retire(to, number, at)).await
    }
}
