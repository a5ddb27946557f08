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
use aws_lc_rs::aead::{AES_256_GCM_SIV, Aad, LessSafeKey, Nonce, UnboundKey};
use domain::date::Timestamp;
use ports::clock::{Clock, Random};
use ports::keys::{Hasher, Key, KeyPurpose};
use ports::storage::{Result, StorageError};
use smallvec::SmallVec;

use crate::audit::AuditKey;
use crate::keyring::Keyring;

const VERSION: u8 = 2;
const NONCE: usize = 12;
/// Bytes before the ciphertext.
pub(crate) const HEAD: usize = 1 + 4 + NONCE;
const TAG: usize = 16;

/// A key that seals and opens.
pub(crate) struct SealingKey {
    number: u32,
    /// From when on it seals. Until then it only opens, so that every process has read it before.
    active_from: Timestamp,
    key: LessSafeKey,
}

impl SealingKey {
    pub(crate) fn of(number: u32, secret: &[u8; 32], active_from: Timestamp) -> Self {
        let key = UnboundKey::new(&AES_256_GCM_SIV, secret).expect("a key of 32 bytes");
        SealingKey { number, active_from, key: LessSafeKey::new(key) }
    }

    /// Seals, and names the key in the envelope.
    pub(crate) fn seal(&self, random: &dyn Random, bound_to: &[u8], plain: &[u8]) -> Result<Vec<u8>> {
        let mut nonce = [0; NONCE];
        random.fill(&mut nonce);
        let mut sealed = Vec::with_capacity(HEAD + plain.len() + TAG);
        sealed.push(VERSION);
        sealed.extend_from_slice(&self.number.to_be_bytes());
        sealed.extend_from_slice(&nonce);
        sealed.extend_from_slice(plain);
        let nonce = Nonce::assume_unique_for_key(nonce);
        let tag = self
            .key
            .seal_in_place_separate_tag(nonce, Aad::from(bound_to), &mut sealed[HEAD..])
            .map_err(|_| StorageError::Refused("a body could not be sealed".into()))?;
        sealed.extend_from_slice(tag.as_ref());
        Ok(sealed)
    }

    /// Opens what [`key_number`] has found to be an envelope, where it lies.
    pub(crate) fn open<'s>(&self, bound_to: &[u8], sealed: &'s mut [u8]) -> Result<&'s [u8]> {
        let nonce: [u8; NONCE] =
            sealed[5..HEAD].try_into().expect("the head's length: checked by key_number");
        let nonce = Nonce::assume_unique_for_key(nonce);
        let opened = self.key.open_in_place(nonce, Aad::from(bound_to), &mut sealed[HEAD..]);
        opened.map(|opened| &*opened).map_err(|_| {
            StorageError::Damaged("a sealed body does not open: another key, or changed bytes".into())
        })
    }
}

/// The number of the key that an envelope names.
pub(crate) fn key_number(sealed: &[u8]) -> Result<u32> {
    match sealed {
        [VERSION, a, b, c, d, rest @ ..] if rest.len() >= NONCE => Ok(u32::from_be_bytes([*a, *b, *c, *d])),
        _ => Err(StorageError::Damaged("a sealed body has no envelope that we know".into())),
    }
}

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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Always the same bytes.
    struct Always([u8; NONCE]);

    impl Random for Always {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.copy_from_slice(&self.0[..bytes.len()]);
        }
    }

    fn key_of(secret: [u8; 32]) -> SealingKey {
        SealingKey::of(7, &secret, Timestamp::UNIX_EPOCH)
    }

    fn differences(one: &[u8], other: &[u8]) -> Vec<u8> {
        one.iter().zip(other).map(|(one, other)| one ^ other).collect()
    }

    proptest! {
        #[test]
        fn a_body_opens_as_it_was_sealed(
            secret: [u8; 32],
            drawn: [u8; NONCE],
            row: [u8; 16],
            plain in prop::collection::vec(any::<u8>(), 0..1000),
        ) {
            let key = key_of(secret);
            let mut sealed = key.seal(&Always(drawn), &row, &plain).expect("sealed");
            prop_assert_eq!(key_number(&sealed).expect("an envelope"), 7);
            prop_assert_eq!(sealed.len(), HEAD + plain.len() + TAG);
            prop_assert_eq!(key.open(&row, &mut sealed).expect("opened"), plain);
        }

        #[test]
        fn a_nonce_that_comes_twice_gives_nothing_away(
            drawn: [u8; NONCE],
            plain in prop::collection::vec(any::<u8>(), 32..100),
            at: prop::sample::Index,
        ) {
            let key = key_of([1; 32]);
            let body = |row: &[u8], plain: &[u8]| {
                let sealed = key.seal(&Always(drawn), row, plain).expect("sealed");
                sealed[HEAD..HEAD + plain.len()].to_vec()
            };
            let mut other = plain.clone();
            other[at.index(plain.len())] ^= 1;
            let (first, second) = (body(b"row", &plain), body(b"row", &other));
            prop_assert_ne!(differences(&first, &second), differences(&plain, &other));
            prop_assert_ne!(&first, &body(b"another row", &plain));
            prop_assert_eq!(&first, &body(b"row", &plain));
        }

        #[test]
        fn what_was_changed_does_not_open(
            secret: [u8; 32],
            plain in prop::collection::vec(any::<u8>(), 0..100),
            at: prop::sample::Index,
        ) {
            let key = key_of(secret);
            let mut sealed = key.seal(&Always([9; NONCE]), b"row", &plain).expect("sealed");
            prop_assert!(key.open(b"another", &mut sealed.clone()).is_err());
            prop_assert!(key_of([0; 32]).open(b"row", &mut sealed.clone()).is_err() || secret == [0; 32]);
            let body = sealed.len() - 5;
            sealed[5 + at.index(body)] ^= 1;
            prop_assert!(key.open(b"row", &mut sealed).is_err());
        }
    }

    #[test]
    fn what_is_too_short_does_not_open() {
        let key = key_of([1; 32]);
        let sealed = key.seal(&Always([9; NONCE]), b"row", b"").expect("sealed");
        assert_eq!(sealed.len(), HEAD + TAG);
        for length in HEAD..sealed.len() {
            assert!(key.open(b"row", &mut sealed.clone()[..length]).is_err());
        }
    }
}
