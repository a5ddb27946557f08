//! Sealing: encryption of bodies with AES-256-GCM-SIV (RFC 8452). The associated data are the table and the
//! row's columns to which the body is bound.
//!
//! Records whose content is sealed are found by keyed hashes (HMAC-SHA256). A sealed body is one byte of
//! version, four of key number, 12 of nonce, then the ciphertext with its authentication tag.
//!
//! Nonces are random and need not be unique. If one repeats, for example because a running machine was
//! cloned, only the same body of the same row gives the same ciphertext. Nothing else is revealed. Other
//! modes of AES would then reveal the difference of the bodies and the authentication key.

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

/// Associated data of a body's encryption: its table, and columns of its row.
fn bound_to(table: &str, row: &[u8]) -> SmallVec<[u8; 160]> {
    let mut bytes = SmallVec::new();
    bytes.extend_from_slice(table.as_bytes());
    bytes.push(0);
    bytes.extend_from_slice(row);
    bytes
}

/// Associated data with which a key of the store is wrapped: its number.
fn wrapped_for(number: u32) -> Vec<u8> {
    [b"keys".as_slice(), &number.to_be_bytes()].concat()
}

/// Wraps a key of the store with the keyring's newest wrapping key.
pub(crate) fn wrap(
    keyring: &Keyring,
    random: &dyn Random,
    number: u32,
    secret: &[u8; 32],
) -> Result<Vec<u8>> {
    let (wrapping, key) = keyring.newest();
    SealingKey::of(wrapping, key, Timestamp::UNIX_EPOCH).seal(random, &wrapped_for(number), secret)
}

/// Unwraps a key of the store with a wrapping key of the keyring.
pub(crate) fn unwrap(keyring: &Keyring, number: u32, wrapped: &[u8]) -> Result<[u8; 32]> {
    let other = || {
        StorageError::Damaged(
            "the keyring does not open this store: the keyring belongs to another store".into(),
        )
    };
    let wrapping = key_number(wrapped)?;
    let key = keyring.key(wrapping).ok_or_else(other)?;
    let key = SealingKey::of(wrapping, key, Timestamp::UNIX_EPOCH);
    let mut wrapped = wrapped.to_vec();
    let plain = key.open(&wrapped_for(number), &mut wrapped);
    plain.map_err(|_| other())?.try_into().map_err(|_| other())
}

/// Live look-up key, which makes the hashes by which records are found.
struct LookupKey {
    /// Time from which the key makes the hashes of new records.
    active_from: Timestamp,
    hasher: Hasher,
}

/// Keys of the store, with a clock, which selects the active key, and a source of random bytes.
///
/// The keys are read without a lock, because every request encrypts or decrypts bodies.
pub(crate) struct Seal {
    keys: ArcSwap<Vec<SealingKey>>,
    /// Live look-up keys, newest first.
    lookups: ArcSwap<Vec<LookupKey>>,
    /// Audit keys, oldest first.
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

    /// Replaces the known keys by those of `keys`: all data keys, the live look-up keys, and all audit keys.
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

    /// Audit keys, oldest first.
    pub(crate) fn audit_keys(&self) -> Arc<Vec<AuditKey>> {
        self.audit.load_full()
    }

    /// Time of the machine's clock, not of a test partner's clock.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock.now()
    }

    pub(crate) fn random(&self) -> &dyn Random {
        self.random.as_ref()
    }

    /// Due time, in microseconds, of a job that is added at the instant `at` and should run at once. A test
    /// partner's clock may be ahead of the machine's clock, so the earlier time is used.
    pub(crate) fn due(&self, at: Timestamp) -> i64 {
        at.min(self.clock.now()).as_microsecond()
    }

    /// Hash for a new record, by which the record is found later.
    pub(crate) fn hash(&self, parts: &[&[u8]]) -> Result<[u8; 32]> {
        let lookups = self.lookups.load();
        let active = match lookups.as_slice() {
            // Most stores have one key, so the clock is not read.
            [only] => Some(only),
            all => {
                let now = self.clock.now();
                all.iter().find(|key| key.active_from <= now).or(all.last())
            }
        };
        let none = || StorageError::Damaged("the store has no look-up key".into());
        Ok(active.ok_or_else(none)?.hasher.hash(parts))
    }

    /// Hashes by which an existing record may be found, one for each live look-up key.
    pub(crate) fn hashes(&self, parts: &[&[u8]]) -> Vec<[u8; 32]> {
        self.lookups.load().iter().map(|key| key.hasher.hash(parts)).collect()
    }

    /// Data key that encrypts now.
    fn active<'k>(&self, keys: &'k [SealingKey]) -> Result<&'k SealingKey> {
        match keys {
            [] => Err(StorageError::Damaged("the store has no data key".into())),
            // Most stores have one key, so the clock is not read.
            [only] => Ok(only),
            [oldest, ..] => {
                let now = self.clock.now();
                Ok(keys.iter().rev().find(|key| key.active_from <= now).unwrap_or(oldest))
            }
        }
    }

    /// Encrypts a body, bound to its table and to the columns `row`.
    pub(crate) fn seal(&self, table: &str, row: &[u8], plain: &[u8]) -> Result<Vec<u8>> {
        let keys = self.keys.load();
        self.active(&keys)?.seal(self.random.as_ref(), &bound_to(table, row), plain)
    }

    /// Encrypts a body again with the active data key. `None` if the active key encrypted it already.
    pub(crate) fn reseal(&self, table: &str, row: &[u8], sealed: &[u8]) -> Result<Option<Vec<u8>>> {
        if key_number(sealed)? == self.active(&self.keys.load())?.number {
            return Ok(None);
        }
        self.seal(table, row, &self.open(table, row, sealed)?).map(Some)
    }

    /// Decrypts a body that is bound to this table and to the columns `row`.
    pub(crate) fn open(&self, table: &str, row: &[u8], sealed: &[u8]) -> Result<Vec<u8>> {
        let mut bytes = sealed.to_vec();
        let length = self.open_here(table, row, &mut bytes)?.len();
        bytes.copy_within(HEAD..HEAD + length, 0);
        bytes.truncate(length);
        Ok(bytes)
    }

    /// Like [`Seal::open`], but decrypts in place, to read many bodies without copies. If the decryption
    /// fails, the bytes in `sealed` are unusable.
    pub(crate) fn open_here<'s>(&self, table: &str, row: &[u8], sealed: &'s mut [u8]) -> Result<&'s [u8]> {
        let number = key_number(sealed)?;
        let keys = self.keys.load();
        // Another process may have made the key, or it was retired. A process that knows the key can answer.
        let unknown = || StorageError::Away(format!("the data key {number} is unknown to this process"));
        let key = keys.iter().find(|key| key.number == number).ok_or_else(unknown)?;
        key.open(&bound_to(table, row), sealed)
    }
}
