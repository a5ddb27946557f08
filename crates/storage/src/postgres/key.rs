//! Keys, wrapped by the keyring.

use std::collections::BTreeSet;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::Uuid;
use service::clock::Random;
use service::keys::{Key, KeyPurpose};
use service::storage::keys::{Renewed, RowProgress};
use service::storage::{Keys, StorageError};
use tokio_postgres::Row;

use super::Postgres;
use super::column::{Column, Value, get, get_number, read, values};
use super::transaction::Transaction;
use crate::fields::Fields;
use crate::keyring::Keyring;
use crate::resealing::{Cell, KeyType, Replacement, SealedColumn, SealedRows, reseal};
use crate::rows::key::Found;
use crate::seal::{Seal, wrap};

pub(super) const LIST: &str = include_str!("../../sql/keys/list.sql");

/// Unwraps the rows of [`LIST`].
pub(super) fn open(rows: &[Row], keyring: &Keyring) -> Result<Vec<Key>, StorageError> {
    rows.iter()
        .filter_map(|row| Found::columns(Fields::of(row)).and_then(|found| found.open(keyring)).transpose())
        .collect()
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

/// One column of the keys of rows, as the value of a statement.
enum KeyColumn {
    Ids(Vec<Uuid>),
    Numbers(Vec<i32>),
    Bytes(Vec<Vec<u8>>),
}

impl KeyColumn {
    fn of<'a>(kind: KeyType, cells: impl Iterator<Item = &'a Cell>) -> Self {
        let bytes = |cell: &Cell| match cell {
            Cell::Bytes(bytes) => bytes.clone(),
            Cell::Null | Cell::Number(_) => Vec::new(),
        };
        let number = |cell: &Cell| match cell {
            Cell::Number(number) => i32::try_from(*number).unwrap_or(i32::MAX),
            Cell::Null | Cell::Bytes(_) => 0,
        };
        match kind {
            KeyType::Id => {
                KeyColumn::Ids(cells.map(|cell| Uuid::from_slice(&bytes(cell)).unwrap_or_default()).collect())
            }
            KeyType::Number => KeyColumn::Numbers(cells.map(number).collect()),
            KeyType::Bytes => KeyColumn::Bytes(cells.map(bytes).collect()),
        }
    }

    /// All of it.
    fn value(&self) -> Value<'_> {
        match self {
            KeyColumn::Ids(ids) => ids.value(),
            KeyColumn::Numbers(numbers) => numbers.value(),
            KeyColumn::Bytes(bytes) => bytes.value(),
        }
    }

    /// The value of the only row.
    fn first(&self) -> Option<Value<'_>> {
        match self {
            KeyColumn::Ids(ids) => ids.first().map(Column::value),
            KeyColumn::Numbers(numbers) => numbers.first().map(Column::value),
            KeyColumn::Bytes(bytes) => bytes.first().map(Column::value),
        }
    }
}

#[async_trait]
impl SealedRows for Postgres {
    fn seal(&self) -> &Seal {
        &self.seal
    }

    async fn count(&self, statement: &str) -> Result<u64, StorageError> {
        let found = self.connections.read_one(statement, values![]).await?;
        found.map_or(Ok(0), |row| get::<i64>(&row, 0).map(i64::unsigned_abs))
    }

    async fn page(
        &self,
        column: &'static SealedColumn,
        after: Option<&[Cell]>,
    ) -> Result<Vec<Vec<Cell>>, StorageError> {
        let rows = match after {
            None => self.connections.read(&column.first_page(), values![]).await?,
            Some(cells) => {
                let key = column.key.iter().zip(cells);
                let key: Vec<KeyColumn> =
                    key.map(|((_, kind), cell)| KeyColumn::of(*kind, std::iter::once(cell))).collect();
                let values: Vec<Value<'_>> = key.iter().filter_map(KeyColumn::first).collect();
                self.connections.read(&column.next_page(), &values).await?
            }
        };
        read(&rows, |row| (0..column.columns()).map(|at| row.get(at)).collect())
    }

    async fn replace(
        &self,
        column: &'static SealedColumn,
        rows: Vec<Replacement>,
    ) -> Result<u64, StorageError> {
        let heads: Vec<&[u8]> = rows.iter().map(|row| row.head.as_slice()).collect();
        let sealed: Vec<&[u8]> = rows.iter().map(|row| row.sealed.as_slice()).collect();
        let key = column.key.iter().enumerate();
        let key: Vec<KeyColumn> =
            key.map(|(at, (_, kind))| KeyColumn::of(*kind, rows.iter().map(|row| &row.key[at]))).collect();
        let mut values = vec![sealed.value(), heads.value()];
        values.extend(key.iter().map(KeyColumn::value));
        Ok(self.connections.write(&column.replace_many(), &values).await?.changed)
    }
}

#[async_trait]
impl Keys for Postgres {
    async fn keys(&self) -> Result<Vec<Key>, StorageError> {
        let rows = self.connections.read(LIST, values![]).await?;
        let keys = match open(&rows, &self.keyring.current()) {
            // Perhaps it was wrapped anew with a key that the keyring has got meanwhile.
            Err(fault @ StorageError::Damaged(_)) => {
                let keyring = self.keyring.read_again().map_err(|_| fault)?;
                open(&rows, &keyring)?
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
        let change = self.begin_change().await?;
        let keyring = self.keyring.current();
        let there = open(&change.execute(LIST, values![]).await?.rows, &keyring)?;
        let live = there.iter().filter(|key| key.purpose == purpose && key.retired_at.is_none());
        if live.count() >= most {
            return Ok(None);
        }
        let random = self.random.as_ref();
        let key = add(&change, &keyring, random, purpose, secret, created_at, active_from).await?;
        change.commit().await?;
        Ok(Some(key))
    }

    async fn reseal(&self, progress: &mut RowProgress<'_>) -> Result<Renewed, StorageError> {
        reseal(self, progress).await
    }

    async fn retag(&self, progress: &mut RowProgress<'_>) -> Result<Renewed, StorageError> {
        self.make_tags_anew(progress).await
    }

    async fn rewrap(&self) -> Result<u64, StorageError> {
        let change = self.begin_change().await?;
        let (keyring, mut changed) = (self.keyring.current(), 0);
        for row in &change.execute(LIST, values![]).await?.rows {
            let found = Found::columns(Fields::of(row))?;
            if let Some(wrapped) = found.rewrapped(&keyring, self.random.as_ref())? {
                let rewrap = include_str!("../../sql/keys/rewrap.sql");
                changed += change.execute(rewrap, values![wrapped, found.number as i32]).await?.changed;
            }
        }
        change.commit().await?;
        Ok(changed)
    }

    async fn wrapping_keys(&self) -> Result<BTreeSet<u32>, StorageError> {
        let rows = self.connections.read(LIST, values![]).await?;
        rows.iter().map(|row| Found::columns(Fields::of(row))?.wrapping_key()).collect()
    }

    async fn retire_key(&self, number: u32, at: Timestamp) -> Result<bool, StorageError> {
        let change = self.begin_change().await?;
        let retire = include_str!("../../sql/keys/retire.sql");
        let outcome = change.execute(retire, values![at.as_microsecond(), number as i32]).await?;
        change.commit().await?;
        Ok(outcome.changed == 1)
    }
}
