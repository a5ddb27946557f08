//! Keys of the store that turn over (D4, D59).
//!
//! A new key is accepted at once and used for new work a little later, when every process has read it. The one before goes
//! on being accepted. What lies in the store under the old key, sealed bodies and tags, is renewed row by row while
//! servers run; what is out with partners and customers, such as tokens and addresses, ends by itself.

use std::sync::Arc;
use std::time::Duration;

use crate::error::{Error, Result};
use crate::keys::{Key, KeyPurpose};
use crate::shared::Shared;
use crate::shared::used_tokens::LIFETIME;
use crate::storage::keys::{Renewed, RowProgress};

/// Keys of a purpose that can be live at once.
pub const MOST_LIVE: usize = 2;

/// Longest time between two looks at the clock while a key is waited for.
const LOOK: Duration = Duration::from_millis(200);

const DAY: Duration = Duration::from_secs(24 * 3600);

/// Adds, renews and retires the keys of the store, and the keys that wrap them.
pub struct KeyService {
    pub(crate) shared: Arc<Shared>,
}

/// How long a new key waits for its first use, so that every process has read it by then. A signing key waits longer: a partner may
/// cache the public keys for a minute.
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

/// How long something may be out that was made with a key, after the next key was first used.
const fn out_for(purpose: KeyPurpose) -> Duration {
    match purpose {
        KeyPurpose::Signing => Duration::from_secs(LIFETIME.unsigned_abs()),
        // Pages of an application's status are the addresses that live longest.
        KeyPurpose::Address => crate::access::status_page::LIFETIME,
        KeyPurpose::Idempotency | KeyPurpose::Cursor => DAY,
        KeyPurpose::Data | KeyPurpose::Lookup | KeyPurpose::Audit => Duration::ZERO,
    }
}

impl KeyService {
    /// Every key of the store, oldest first, without its secret's use.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn keys(&self) -> Result<Vec<Key>> {
        let mut keys = self.shared.storage.keys().await?;
        keys.sort_by_key(|key| key.number);
        Ok(keys)
    }

    /// Adds a key. It is used once everybody knows it; the one before goes on being accepted until it is retired, so
    /// that nothing is refused (D4).
    ///
    /// # Errors
    /// [`Error::Conflict`] when two of the purpose are live already.
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

    /// The key of a rotation whose rows are not all renewed yet: the newest of two that are live.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn unfinished(&self, purpose: KeyPurpose) -> Result<Option<Key>> {
        let live: Vec<Key> = self.live(purpose).await?;
        Ok(if live.len() > 1 { live.into_iter().next_back() } else { None })
    }

    /// Renews every row that depends on an older key than this one, once it is used, and retires the older ones. What it
    /// leaves behind when it is stopped is whole, and the next call goes on.
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

    /// Seals the bank references that a version before D134 wrote in clear. Returns how many there were.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn seal_references(&self) -> Result<u64> {
        Ok(self.shared.storage.seal_references().await?)
    }

    async fn live(&self, purpose: KeyPurpose) -> Result<Vec<Key>> {
        let keys = self.keys().await?;
        Ok(keys.into_iter().filter(|key| key.purpose == purpose && key.retired_at.is_none()).collect())
    }

    /// Retires a key: what was made with it is refused from now on. Unless forced, only once a newer key has been used
    /// for longer than anything that was made with it lives.
    ///
    /// # Errors
    /// [`Error::Unknown`], [`Error::Conflict`] when something of it may still be out, or rows depend on it.
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
                "rows of the store depend on it; 'keys rotate {word}' renews them and retires it"
            )));
        }
        let free = newer.active_from + out_for(purpose);
        if now < free && !force {
            return Err(Error::conflict(format!(
                "what was made with this {word} key may be out until {free}; wait, or say --force to refuse it"
            )));
        }
        self.shared.storage.retire_key(number, now).await?;
        self.shared.directory.refresh().await?;
        Ok(purpose)
    }

    /// Wraps every key of the store with the newest key of the keyring. Returns how many were wrapped with another.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn rewrap(&self) -> Result<u64> {
        Ok(self.shared.storage.rewrap().await?)
    }

    /// The numbers of the keyring's keys without which some key of the store cannot be read.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn wrapping_keys(&self) -> Result<std::collections::BTreeSet<u32>> {
        Ok(self.shared.storage.wrapping_keys().await?)
    }
}
