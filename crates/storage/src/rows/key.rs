//! Rows of keys, wrapped by the keyring.

use domain::date::Timestamp;
use service::clock::Random;
use service::keys::{Key, KeyPurpose};
use service::storage::StorageError;

use crate::fields::Fields;
use crate::keyring::Keyring;
use crate::seal::{key_number, unwrap, wrap};

/// A key's columns before it is unwrapped.
pub(crate) struct Found {
    pub(crate) number: u32,
    pub(crate) purpose: String,
    pub(crate) wrapped: Vec<u8>,
    pub(crate) created_at: Timestamp,
    pub(crate) active_from: Timestamp,
    pub(crate) retired_at: Option<Timestamp>,
}

impl Found {
    /// A key's columns.
    pub(crate) fn columns(row: Fields<'_>) -> Result<Self, StorageError> {
        Ok(Found {
            number: row.get(0)?,
            purpose: row.get(1)?,
            wrapped: row.get(2)?,
            created_at: row.get(3)?,
            active_from: row.get(4)?,
            retired_at: row.get(5)?,
        })
    }
}

impl Found {
    /// The wrapping key that opens it.
    pub(crate) fn wrapping_key(&self) -> Result<u32, StorageError> {
        key_number(&self.wrapped)
    }

    /// The key wrapped with the newest wrapping key, where it was wrapped with another. Keys of purposes that this
    /// program does not know are wrapped like all.
    pub(crate) fn rewrapped(
        &self,
        keyring: &Keyring,
        random: &dyn Random,
    ) -> Result<Option<Vec<u8>>, StorageError> {
        if self.wrapping_key()? == keyring.newest().0 {
            return Ok(None);
        }
        let secret = unwrap(keyring, self.number, &self.wrapped)?;
        wrap(keyring, random, self.number, &secret).map(Some)
    }

    /// The key, unless it serves what this program does not do: a newer one may keep such.
    pub(crate) fn open(self, keyring: &Keyring) -> Result<Option<Key>, StorageError> {
        let Some(purpose) = KeyPurpose::of_word(&self.purpose) else { return Ok(None) };
        Ok(Some(Key {
            number: self.number,
            purpose,
            secret: unwrap(keyring, self.number, &self.wrapped)?,
            created_at: self.created_at,
            active_from: self.active_from,
            retired_at: self.retired_at,
        }))
    }
}

/// The purposes that no live key serves.
pub(crate) fn missing(there: &[Key]) -> impl Iterator<Item = KeyPurpose> + '_ {
    let is_served =
        |purpose: KeyPurpose| there.iter().any(|key| key.purpose == purpose && key.retired_at.is_none());
    KeyPurpose::ALL.iter().copied().filter(move |purpose| !is_served(*purpose))
}
