//! Sealing: AES-256-GCM-SIV (RFC 8452), the table and the row's bound columns as associated data; and the keyed hashes
//! (HMAC-SHA256) by which records are found that lie sealed.
//!
//! A sealed body is one byte of version, four of key number, 12 of nonce, then the ciphertext with its tag.
//!
//! Nonces are random, and need not be unique. Where one comes twice, since a running machine was cloned, only the same
//! body of the same row gives the same ciphertext, and nothing else is learned from it. Other modes would give away the
//! bodies' difference, and the key that authenticates.

use std::cmp::Reverse;
use std::sync::Arc;

use arc_swap::ArcSwap;
use domain::date::Timestamp;
use ports::clock::{Clock, Random};
use ports::keys::{Hasher, Key, KeyPurpose};
use ports::storage::{Result, StorageError};
use smallvec::SmallVec;

use crate::audit_key::AuditKey;
use crate::keyring::Keyring;
use crate::sealing_key::{HEAD, SealingKey, key_number};

/// What a body is bound to: its table, and columns of its row.
fn bound_to(table: &str, row: &[u8]) -> SmallVec<[u8; 160]> {
    let mut bytes = SmallVec::new();
    bytes.extend_from_slice(table.as_bytes());
    bytes.push(0);
    bytes.extend_from_slice(row);
    bytes
}

/// What a wrapped key is bound to.
fn wrapped_for(number: u32) -> Vec<u8> {
    [b"keys".as_slice(), &number.to_be_bytes()].concat()
}

/// Wraps a key of the store under the keyring.
pub(crate) fn wrap(
    keyring: &Keyring,
    random: &dyn Random,
    number: u32,
    secret: &[u8; 32],
) -> Result<Vec<u8>> {
    let (wrapping, key) = keyring.newest();
    SealingKey::of(wrapping, key, Timestamp::UNIX_EPOCH).seal(random, &wrapped_for(number), secret)
}

/// Unwraps a key of the store.
pub(crate) fn unwrap(keyring: &Keyring, number: u32, wrapped: &[u8]) -> Result<[u8; 32]> {
    let other =
        || StorageError::Damaged("the keyring does not open this store: it belongs to another one".into());
    let wrapping = key_number(wrapped)?;
    let key = keyring.key(wrapping).ok_or_else(other)?;
    let key = SealingKey::of(wrapping, key, Timestamp::UNIX_EPOCH);
    let mut wrapped = wrapped.to_vec();
    let plain = key.open(&wrapped_for(number), &mut wrapped);
    plain.map_err(|_| other())?.try_into().map_err(|_| other())
}

/// A live key that makes hashes by which records are found.
struct LookupKey {
    /// From when on it makes new ones.
    active_from: Timestamp,
    hasher: Hasher,
}

/// The data keys, the look-up keys, the time by which one of them is used, and a source of random bytes. The keys are read
/// without a lock: every body of every request is opened and sealed by them.
pub(crate) struct Seal {
    keys: ArcSwap<Vec<SealingKey>>,
    /// The newest first.
    lookups: ArcSwap<Vec<LookupKey>>,
    /// The oldest first.
    audit: ArcSwap<Vec<AuditKey>>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
}

impl Seal {
    pub(crate) fn new(keys: &[Key], clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        let seal = Seal {
            keys: ArcSwap::default(),
            lookups: ArcSwap::default(),
            audit: ArcSwap::default(),
            clock,
            random,
        };
        seal.learn(keys);
        seal
    }

    /// Takes over the data keys, the live look-up keys and the audit keys.
    pub(crate) fn learn(&self, keys: &[Key]) {
        let data = keys.iter().filter(|key| key.purpose == KeyPurpose::Data);
        let mut known: Vec<_> =
            data.map(|key| SealingKey::of(key.number, &key.secret, key.active_from)).collect();
        known.sort_by_key(|key| key.number);
        self.keys.store(Arc::new(known));
        let live = |key: &&Key| key.purpose == KeyPurpose::Lookup && key.retired_at.is_none();
        let mut live: Vec<&Key> = keys.iter().filter(live).collect();
        live.sort_by_key(|key| Reverse(key.number));
        let lookup = |key: &Key| LookupKey { active_from: key.active_from, hasher: Hasher::of(key) };
        let lookups = live.into_iter().map(lookup).collect();
        self.lookups.store(Arc::new(lookups));
        self.audit.store(Arc::new(AuditKey::among(keys)));
    }

    /// The audit keys, the oldest first.
    pub(crate) fn audit_keys(&self) -> Arc<Vec<AuditKey>> {
        self.audit.load_full()
    }

    /// The time by the machine's clock.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// The source of random bytes.
    pub(crate) fn random(&self) -> &dyn Random {
        self.random.as_ref()
    }

    /// When work is due that an act of an instant begins: at once. A test partner's acts go by a clock that is ahead, and
    /// machines by the time.
    pub(crate) fn due(&self, at: Timestamp) -> i64 {
        at.min(self.clock.now()).as_microsecond()
    }

    /// The hash by which a new record is found.
    pub(crate) fn hash(&self, parts: &[&[u8]]) -> Result<[u8; 32]> {
        let lookups = self.lookups.load();
        let active = match lookups.as_slice() {
            // Most stores have one, and need not look at the clock.
            [only] => Some(only),
            all => {
                let now = self.clock.now();
                all.iter().find(|key| key.active_from <= now).or(all.last())
            }
        };
        let none = || StorageError::Damaged("there is no look-up key".into());
        Ok(active.ok_or_else(none)?.hasher.hash(parts))
    }

    /// The hashes that a record may be found by, by every live key.
    pub(crate) fn hashes(&self, parts: &[&[u8]]) -> Vec<[u8; 32]> {
        self.lookups.load().iter().map(|key| key.hasher.hash(parts)).collect()
    }

    /// The key that seals now.
    fn active<'k>(&self, keys: &'k [SealingKey]) -> Result<&'k SealingKey> {
        match keys {
            [] => Err(StorageError::Damaged("there is no data key".into())),
            // Most stores have one, and need not look at the clock.
            [only] => Ok(only),
            [oldest, ..] => {
                let now = self.clock.now();
                Ok(keys.iter().rev().find(|key| key.active_from <= now).unwrap_or(oldest))
            }
        }
    }

    /// Seals a body, bound to its table and to columns of its row.
    pub(crate) fn seal(&self, table: &str, row: &[u8], plain: &[u8]) -> Result<Vec<u8>> {
        let keys = self.keys.load();
        self.active(&keys)?.seal(self.random.as_ref(), &bound_to(table, row), plain)
    }

    /// Seals a body again, where another key than the one that seals now has sealed it.
    pub(crate) fn reseal(&self, table: &str, row: &[u8], sealed: &[u8]) -> Result<Option<Vec<u8>>> {
        if key_number(sealed)? == self.active(&self.keys.load())?.number {
            return Ok(None);
        }
        self.seal(table, row, &self.open(table, row, sealed)?).map(Some)
    }

    /// Opens a body of this table and row.
    pub(crate) fn open(&self, table: &str, row: &[u8], sealed: &[u8]) -> Result<Vec<u8>> {
        let mut bytes = sealed.to_vec();
        let length = self.open_here(table, row, &mut bytes)?.len();
        bytes.copy_within(HEAD..HEAD + length, 0);
        bytes.truncate(length);
        Ok(bytes)
    }

    /// The same where it lies, for who reads many and copies none. Where it does not open, its bytes are of no more use.
    pub(crate) fn open_here<'s>(&self, table: &str, row: &[u8], sealed: &'s mut [u8]) -> Result<&'s [u8]> {
        let number = key_number(sealed)?;
        let keys = self.keys.load();
        // Another process may have made it, or it was forgotten: whoever knows it can answer.
        let unknown = || StorageError::Away(format!("the data key {number} is unknown to this process"));
        let key = keys.iter().find(|key| key.number == number).ok_or_else(unknown)?;
        key.open(&bound_to(table, row), sealed)
    }
}
