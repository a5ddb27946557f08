//! Rotation of the store's keys (D4, D59).
//!
//! A new key is accepted at once. It is used for new work a little later, when every process has read it. The
//! previous key is still accepted. Rows that depend on the previous key (encrypted bodies and search tags)
//! are rewritten with the new key, one by one, while servers run. Tokens and addresses that were issued with
//! the previous key expire by themselves.

use std::sync::Arc;
use std::time::Duration;

use crate::error::{Error, Result};
use crate::keys::{Key, KeyPurpose};
use crate::shared::Shared;
use crate::shared::used_tokens::LIFETIME;
use crate::storage::keys::{Renewed, RowProgress};

/// Most keys of one purpose that can be live at once.
pub const MOST_LIVE: usize = 2;

/// Interval between checks of the clock while a new key waits for its first use.
const LOOK: Duration = Duration::from_millis(200);

const DAY: Duration = Duration::from_secs(24 * 3600);

/// Adds, renews and retires the keys of the store, and the keys that wrap them.
pub struct KeyService {
    pub(crate) shared: Arc<Shared>,
}

/// Delay before a new key is first used, so that every process has read it. Signing keys wait longer, because
/// a partner may cache the public keys for a minute.
const fn notice(purpose: KeyPurpose) -> Duration {
    match purpose {
        KeyPurpose::Signing => Duration::from_secs(75),
        KeyPurpose::Data
        | KeyPurpose::Address
        | KeyPurpose::Idempotency
        | KeyPurpose::Cursor
        | KeyPurpose::Lookup
        | KeyPurpose::Audit => Duration::from_secs(10),
    }
}

/// How long tokens, addresses, cursors and stored responses made with an old key stay valid after the first
/// use of the next key.
const fn out_for(purpose: KeyPurpose) -> Duration {
    match purpose {
        KeyPurpose::Signing => Duration::from_secs(LIFETIME.unsigned_abs()),
        // Addresses of status pages live longest.
        KeyPurpose::Address => crate::access::status_page::LIFETIME,
        KeyPurpose::Idempotency | KeyPurpose::Cursor => DAY,
        KeyPurpose::Data | KeyPurpose::Lookup | KeyPurpose::Audit => Duration::ZERO,
    }
}

impl KeyService {
    /// Every key of the store, oldest first.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn keys(&self) -> Result<Vec<Key>> {
        let mut keys = self.shared.storage.keys().await?;
        keys.sort_by_key(|key| key.number);
        Ok(keys)
    }

    /// Adds a key. The new key is used once every process has read it. The previous key is accepted until it
    /// is retired, so that tokens and rows made with it stay valid (D4).
    ///
    /// # Errors
    /// [`Error::Conflict`] if two keys of the purpose are live already.
    pub async fn rotate(&self, purpose: KeyPurpose) -> Result<Key> {
        let mut secret = [0; 32];
        self.shared.random.fill(&mut secret);
        let now = self.shared.clock.now();
        let active_from = now + notice(purpose);
        let added = self.shared.storage.add_key(purpose, secret, now, active_from, MOST_LIVE).await?;
        let two = || format!("two {} keys are live already; retire the older one first", purpose.word());
        let key = added.ok_or_else(|| Error::conflict(two()))?;
        self.shared.directory.refresh().await?;
        Ok(key)
    }

    /// Newest key of the purpose, if its rotation is unfinished because some rows still depend on an older
    /// key. `None` if only one key is live.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn unfinished(&self, purpose: KeyPurpose) -> Result<Option<Key>> {
        let live: Vec<Key> = self.live(purpose).await?;
        Ok(if live.len() > 1 { live.into_iter().next_back() } else { None })
    }

    /// Waits until the key is in use, renews every row that depends on an older key, then retires the older
    /// keys. If a call is interrupted, the next call continues the work.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn renew(&self, key: &Key, progress: &mut RowProgress<'_>) -> Result<Renewed> {
        while self.shared.clock.now() < key.active_from {
            tokio::time::sleep(LOOK).await;
        }
        self.shared.directory.refresh().await?;
        let mut all = Renewed::default();
        loop {
            let renewed = match key.purpose {
                KeyPurpose::Lookup => self.shared.storage.retag(progress).await?,
                _ => self.shared.storage.reseal(progress).await?,
            };
            all.changed += renewed.changed;
            let is_done = renewed.changed == 0 || renewed.unreadable > 0;
            all = Renewed { changed: all.changed, ..renewed };
            if is_done {
                break;
            }
        }
        if all.unreadable == 0 {
            for older in self.live(key.purpose).await?.iter().filter(|older| older.number < key.number) {
                self.shared.storage.retire_key(older.number, self.shared.clock.now()).await?;
            }
            self.shared.directory.refresh().await?;
        }
        Ok(all)
    }

    /// Seals bank references that versions before D134 stored unencrypted. Returns the number of sealed
    /// references.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn seal_references(&self) -> Result<u64> {
        Ok(self.shared.storage.seal_references().await?)
    }

    /// Writes the proofs of rows that an earlier version wrote without them. Returns how many rows changed.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn prove_rows(&self) -> Result<u64> {
        Ok(self.shared.storage.prove_rows().await?)
    }

    async fn live(&self, purpose: KeyPurpose) -> Result<Vec<Key>> {
        let keys = self.keys().await?;
        Ok(keys.into_iter().filter(|key| key.purpose == purpose && key.retired_at.is_none()).collect())
    }

    /// Retires a key: every item made with the key is refused from now on. Without `force`, a newer key must
    /// have been in use for longer than these items are valid.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] if items made with the key may still be valid, or rows still
    /// depend on the key.
    pub async fn retire(&self, number: u32, force: bool) -> Result<KeyPurpose> {
        let now = self.shared.clock.now();
        let keys = self.keys().await?;
        let is_it = |key: &&Key| key.number == number && key.retired_at.is_none();
        let Some(purpose) = keys.iter().find(is_it).map(|key| key.purpose) else {
            return Err(Error::Unknown { what: "live key", id: number.to_string() });
        };
        let word = purpose.word();
        let live = self.live(purpose).await?;
        let Some(newer) = live.iter().find(|key| key.number > number) else {
            return Err(Error::conflict(format!(
                "this is the newest {word} key; add another with 'keys rotate {word}' first"
            )));
        };
        if purpose.has_rows() {
            return Err(Error::conflict(format!(
                "rows of the store depend on this {word} key; 'keys rotate {word}' renews them, then retires the key"
            )));
        }
        let free = newer.active_from + out_for(purpose);
        if now < free && !force {
            return Err(Error::conflict(format!(
                "data made with this {word} key, such as tokens or signed addresses, may be valid until {free}; wait until then, or add --force to make it invalid now"
            )));
        }
        self.shared.storage.retire_key(number, now).await?;
        self.shared.directory.refresh().await?;
        Ok(purpose)
    }

    /// Wraps every key of the store with the newest key of the keyring. Returns the number of re-wrapped
    /// keys.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn rewrap(&self) -> Result<u64> {
        Ok(self.shared.storage.rewrap().await?)
    }

    /// Numbers of the keyring's keys that are needed to read the keys of the store.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn wrapping_keys(&self) -> Result<std::collections::BTreeSet<u32>> {
        Ok(self.shared.storage.wrapping_keys().await?)
    }
}
