//! Database rows of the store's keys, which are wrapped by keys of the keyring.

use std::collections::BTreeSet;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::text::FromText;
use ports::clock::Random;
use ports::keys::{Key, KeyPurpose};
use ports::storage::keys::{Renewed, RowProgress};
use ports::storage::{Keys, Result, StorageError};

use super::partner::raise_revision;
use super::resealing::reseal;
use crate::audit::on;
use crate::fields::{RowFields, Value, values};
use crate::keyring::Keyring;
use crate::operation::{Guard, sql};
use crate::seal::{unwrap, wrap};
use crate::sealing_key::key_number;
use crate::store::{Store, unless_changed};

/// Columns of a store's key that is still wrapped.
pub(crate) struct Found {
    pub(crate) number: u32,
    pub(crate) purpose: String,
    pub(crate) wrapped: Vec<u8>,
    pub(crate) created_at: Timestamp,
    pub(crate) active_from: Timestamp,
    pub(crate) retired_at: Option<Timestamp>,
}

impl Found {
    pub(crate) fn columns(row: RowFields<'_>) -> Result<Self> {
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
    /// Number of the wrapping key that unwraps this key.
    pub(crate) fn wrapping_key(&self) -> Result<u32> {
        key_number(&self.wrapped)
    }

    /// This key, wrapped again with the newest wrapping key. `None` if the newest one wraps it already. Works
    /// also for keys whose purpose this program does not know.
    pub(crate) fn rewrapped(&self, keyring: &Keyring, random: &dyn Random) -> Result<Option<Vec<u8>>> {
        if self.wrapping_key()? == keyring.newest().0 {
            return Ok(None);
        }
        let secret = unwrap(keyring, self.number, &self.wrapped)?;
        wrap(keyring, random, self.number, &secret).map(Some)
    }

    /// Unwrapped key. `None` if this program does not know its purpose, because a newer one added the key.
    pub(crate) fn open(self, keyring: &Keyring) -> Result<Option<Key>> {
        let Ok(purpose) = KeyPurpose::from_text(&self.purpose) else { return Ok(None) };
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

/// Purposes for which none of the keys is live.
pub(crate) fn missing(there: &[Key]) -> impl Iterator<Item = KeyPurpose> + '_ {
    let is_served =
        |purpose: KeyPurpose| there.iter().any(|key| key.purpose == purpose && key.retired_at.is_none());
    KeyPurpose::ALL.iter().copied().filter(move |purpose| !is_served(*purpose))
}

/// Unwraps the keys of all rows. Keys with an unknown purpose are left out.
pub(crate) fn open_all(rows: Vec<Found>, keyring: &Keyring) -> Result<Vec<Key>> {
    rows.into_iter().filter_map(|found| found.open(keyring).transpose()).collect()
}

/// Key that is added to the store.
pub(crate) struct NewKey {
    pub(crate) purpose: KeyPurpose,
    pub(crate) secret: [u8; 32],
    pub(crate) created_at: Timestamp,
    pub(crate) active_from: Timestamp,
}

impl NewKey {
    /// Random key for a purpose that has no key yet.
    pub(crate) fn random(purpose: KeyPurpose, random: &dyn Random, now: Timestamp) -> Self {
        let mut secret = [0; 32];
        random.fill(&mut secret);
        NewKey { purpose, secret, created_at: now, active_from: now }
    }

    /// Values of the new key's row.
    pub(crate) fn values<'a>(&'a self, number: u32, wrapped: &'a [u8]) -> [Value<'a>; 5] {
        *values![number, self.purpose.word(), wrapped, self.created_at, self.active_from]
    }
}

#[async_trait]
impl Keys for Store {
    async fn keys(&self) -> Result<Vec<Key>> {
        let read = || self.all(sql!("keys/list"), values![], Found::columns);
        let keys = match open_all(read().await?, &self.keyring.current()) {
            // The key may have been wrapped with a new wrapping key that the keyring has now.
            Err(fault @ StorageError::Damaged(_)) => {
                let keyring = self.keyring.read_again().map_err(|_| fault)?;
                open_all(read().await?, &keyring)?
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
    ) -> Result<Option<Key>> {
        let key = NewKey { purpose, secret, created_at, active_from };
        let given = (self.keyring.current(), self.random.clone(), key, most);
        let added = self.act(on("key.add", purpose.word()), given, |(keyring, random, key, most), to| {
            Box::pin(async move {
                raise_revision(to);
                let there = open_all(to.all(sql!("keys/list"), values![], Found::columns).await?, keyring)?;
                let is_live = |there: &&Key| there.purpose == key.purpose && there.retired_at.is_none();
                if there.iter().filter(is_live).count() >= *most {
                    to.undo();
                    return Ok(None);
                }
                let number =
                    to.first(sql!("keys/next_number"), values![], |row| row.get(0)).await?.unwrap_or(1);
                let wrapped = wrap(keyring, random.as_ref(), number, &key.secret)?;
                to.execute(sql!("keys/add"), &key.values(number, &wrapped));
                let NewKey { purpose, secret, created_at, active_from } = *key;
                Ok(Some(Key { number, purpose, secret, created_at, active_from, retired_at: None }))
            })
        });
        Ok(added.await?)
    }

    async fn reseal(&self, progress: &mut RowProgress<'_>) -> Result<Renewed> {
        reseal(self, progress).await
    }

    async fn retag(&self, progress: &mut RowProgress<'_>) -> Result<Renewed> {
        let mut done = self.make_tags_anew(progress).await?;
        self.make_references_anew(&mut done, progress).await?;
        Ok(done)
    }

    async fn seal_references(&self) -> Result<u64> {
        let mut done = Renewed::default();
        if self.number(sql!("references/count_unsealed"), values![]).await? > 0 {
            self.make_references_anew(&mut done, &mut |_, _| {}).await?;
        }
        Ok(done.changed)
    }

    async fn prove_rows(&self) -> Result<u64> {
        self.prove_older_rows().await
    }

    async fn rewrap(&self) -> Result<u64> {
        let rewrapped = self.act(
            on("key.rewrap", "keys"),
            (self.keyring.current(), self.random.clone()),
            |(keyring, random), to| {
                Box::pin(async move {
                    raise_revision(to);
                    let mut changed = 0;
                    for found in to.all(sql!("keys/list"), values![], Found::columns).await? {
                        if let Some(wrapped) = found.rewrapped(keyring, random.as_ref())? {
                            to.execute(sql!("keys/rewrap"), values![wrapped, found.number]);
                            changed += 1;
                        }
                    }
                    Ok(changed)
                })
            },
        );
        Ok(rewrapped.await?)
    }

    async fn wrapping_keys(&self) -> Result<BTreeSet<u32>> {
        let found = self.all(sql!("keys/list"), values![], |row| Found::columns(row)?.wrapping_key()).await?;
        Ok(found.into_iter().collect())
    }

    async fn retire_key(&self, number: u32, at: Timestamp) -> Result<bool> {
        let retired = self.act(on("key.retire", number), (number, at), |(number, at), to| {
            Box::pin(async move {
                raise_revision(to);
                to.require(sql!("keys/retire"), values![at, number], Guard::Version);
                Ok(())
            })
        });
        unless_changed(retired.await)
    }
}
