//! Keys, wrapped by the keyring.

use domain::date::Timestamp;
use rusqlite::{Connection, params};
use service::clock::Random;
use service::keys::{Key, KeyPurpose};
use service::storage::StorageError;

use super::revision;
use super::row::{fault, instant, optional_instant};
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

pub(super) fn retire(to: &Connection, number: u32, at: Timestamp) -> Result<bool, StorageError> {
    let retire = include_str!("../../sql/keys/retire.sql");
    let changed = to.execute(retire, params![at.as_microsecond(), number]).map_err(fault)?;
    revision::raise(to)?;
    Ok(changed == 1)
}
