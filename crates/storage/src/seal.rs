//! Sealing: XChaCha20-Poly1305, the table and the row's bound columns as associated data.
//!
//! A sealed body is one byte of version, four of key number, 24 of nonce, then the ciphertext with its tag.
//!
//! A nonce is the keyed hash of random bytes, of what the body is bound to, and of the body. Random bytes alone would come
//! twice where a running machine is cloned. So would these nonces, but only for the same body of the same row, whose
//! ciphertext is then the same and tells nothing.
//!
//! XChaCha20-Poly1305 is ChaCha20-Poly1305 under a key of the message's own, which HChaCha20 makes of the key and the nonce's
//! first 16 bytes (draft-irtf-cfrg-xchacha). So aws-lc's assembly does the work, at a third of the time.

use std::sync::{Arc, PoisonError, RwLock};

use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::hmac;
use chacha20::{R20, hchacha};
use domain::date::Timestamp;
use service::clock::{Clock, Random};
use service::keys::{Key, KeyPurpose};
use service::storage::StorageError;

use crate::keyring::Keyring;

const VERSION: u8 = 1;
const NONCE: usize = 24;
/// Bytes before the ciphertext.
pub(crate) const HEAD: usize = 1 + 4 + NONCE;
const TAG: usize = 16;

/// The key of one message, and what is left of its nonce.
fn of_message(key: &[u8; 32], nonce: &[u8; NONCE]) -> (LessSafeKey, Nonce) {
    let (first, last) = nonce.split_first_chunk::<16>().expect("a nonce is longer");
    let own = hchacha::<R20>(key.into(), first.into());
    let own = UnboundKey::new(&CHACHA20_POLY1305, &own).expect("a key of 32 bytes");
    let mut rest = [0; 12];
    rest[4..].copy_from_slice(last);
    (LessSafeKey::new(own), Nonce::assume_unique_for_key(rest))
}

/// A key that seals, with the key of its nonces.
struct SealingKey {
    number: u32,
    /// From when on it seals. Until then it only opens, so that every process has read it before.
    active_from: Timestamp,
    secret: [u8; 32],
    nonces: hmac::Key,
}

impl SealingKey {
    fn of(number: u32, secret: [u8; 32], active_from: Timestamp) -> Self {
        // A key of its own, so that one secret does not serve two algorithms.
        let nonces = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &secret), b"covernote nonces");
        SealingKey { number, active_from, secret, nonces: hmac::Key::new(hmac::HMAC_SHA256, nonces.as_ref()) }
    }

    fn nonce(&self, random: &dyn Random, bound_to: &[u8], plain: &[u8]) -> [u8; NONCE] {
        let mut drawn = [0; NONCE];
        random.fill(&mut drawn);
        let mut nonce = hmac::Context::with_key(&self.nonces);
        nonce.update(&drawn);
        nonce.update(&(bound_to.len() as u64).to_be_bytes());
        nonce.update(bound_to);
        nonce.update(plain);
        *nonce.sign().as_ref().first_chunk().expect("HMAC-SHA256 is 32 bytes")
    }

    /// Seals, and names the key in the envelope.
    fn seal(&self, random: &dyn Random, bound_to: &[u8], plain: &[u8]) -> Result<Vec<u8>, StorageError> {
        let nonce = self.nonce(random, bound_to, plain);
        let mut sealed = Vec::with_capacity(HEAD + plain.len() + TAG);
        sealed.push(VERSION);
        sealed.extend_from_slice(&self.number.to_be_bytes());
        sealed.extend_from_slice(&nonce);
        sealed.extend_from_slice(plain);
        let (key, nonce) = of_message(&self.secret, &nonce);
        let tag = key
            .seal_in_place_separate_tag(nonce, Aad::from(bound_to), &mut sealed[HEAD..])
            .map_err(|_| StorageError::Refused("a body could not be sealed".into()))?;
        sealed.extend_from_slice(tag.as_ref());
        Ok(sealed)
    }
}

/// The number of the key that an envelope names.
pub(crate) fn key_number(sealed: &[u8]) -> Result<u32, StorageError> {
    match sealed {
        [VERSION, a, b, c, d, rest @ ..] if rest.len() >= NONCE => Ok(u32::from_be_bytes([*a, *b, *c, *d])),
        _ => Err(StorageError::Damaged("a sealed body has no envelope that we know".into())),
    }
}

fn open_with(key: &[u8; 32], bound_to: &[u8], sealed: &[u8]) -> Result<Vec<u8>, StorageError> {
    let nonce: [u8; NONCE] = sealed[5..HEAD].try_into().expect("the head's length: checked by key_number");
    let (key, nonce) = of_message(key, &nonce);
    let mut plain = sealed[HEAD..].to_vec();
    let opened = key.open_in_place(nonce, Aad::from(bound_to), &mut plain);
    let length = opened.map(|opened| opened.len()).map_err(|_| {
        StorageError::Damaged("a sealed body does not open: another key, or changed bytes".into())
    })?;
    plain.truncate(length);
    Ok(plain)
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
) -> Result<Vec<u8>, StorageError> {
    let (wrapping, key) = keyring.newest();
    SealingKey::of(wrapping, *key, Timestamp::UNIX_EPOCH).seal(random, &wrapped_for(number), secret)
}

/// Unwraps a key of the store.
pub(crate) fn unwrap(keyring: &Keyring, number: u32, wrapped: &[u8]) -> Result<[u8; 32], StorageError> {
    let other =
        || StorageError::Damaged("the keyring does not open this store: it belongs to another one".into());
    let key = keyring.key(key_number(wrapped)?).ok_or_else(other)?;
    let plain = open_with(key, &wrapped_for(number), wrapped);
    plain.map_err(|_| other())?.try_into().map_err(|_| other())
}

/// The data keys, the time by which one of them seals, and a source of random bytes.
pub(crate) struct Seal {
    keys: RwLock<Arc<Vec<SealingKey>>>,
    clock: Arc<dyn Clock>,
    random: Arc<dyn Random>,
}

impl Seal {
    pub(crate) fn new(keys: &[Key], clock: Arc<dyn Clock>, random: Arc<dyn Random>) -> Self {
        let seal = Seal { keys: RwLock::default(), clock, random };
        seal.learn(keys);
        seal
    }

    /// Takes over the data keys, the newest last.
    pub(crate) fn learn(&self, keys: &[Key]) {
        let data = keys.iter().filter(|key| key.purpose == KeyPurpose::Data);
        let mut known: Vec<_> =
            data.map(|key| SealingKey::of(key.number, key.secret, key.active_from)).collect();
        known.sort_by_key(|key| key.number);
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(known);
    }

    fn keys(&self) -> Arc<Vec<SealingKey>> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The key that seals now.
    fn active<'k>(&self, keys: &'k [SealingKey]) -> Result<&'k SealingKey, StorageError> {
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
    pub(crate) fn seal(&self, table: &str, row: &[u8], plain: &[u8]) -> Result<Vec<u8>, StorageError> {
        let keys = self.keys();
        self.active(&keys)?.seal(self.random.as_ref(), &[table.as_bytes(), &[0], row].concat(), plain)
    }

    /// Seals a body again, where another key than the one that seals now has sealed it.
    pub(crate) fn reseal(
        &self,
        table: &str,
        row: &[u8],
        sealed: &[u8],
    ) -> Result<Option<Vec<u8>>, StorageError> {
        if key_number(sealed)? == self.active(&self.keys())?.number {
            return Ok(None);
        }
        self.seal(table, row, &self.open(table, row, sealed)?).map(Some)
    }

    /// Opens a body of this table and row.
    pub(crate) fn open(&self, table: &str, row: &[u8], sealed: &[u8]) -> Result<Vec<u8>, StorageError> {
        let number = key_number(sealed)?;
        let keys = self.keys();
        // Another process may have made it, or it was forgotten: whoever knows it can answer.
        let unknown = || StorageError::Away(format!("the data key {number} is unknown to this process"));
        let key = keys.iter().find(|key| key.number == number).ok_or_else(unknown)?;
        open_with(&key.secret, &[table.as_bytes(), &[0], row].concat(), sealed)
    }
}

#[cfg(test)]
mod tests {
    use chacha20poly1305::aead::{Aead, KeyInit, Payload};
    use chacha20poly1305::{XChaCha20Poly1305, XNonce};
    use proptest::prelude::*;

    use super::*;

    /// Always the same bytes.
    struct Always([u8; NONCE]);

    impl Random for Always {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.copy_from_slice(&self.0[..bytes.len()]);
        }
    }

    proptest! {
        #[test]
        fn a_body_is_sealed_as_another_library_seals_it(
            key: [u8; 32],
            drawn: [u8; NONCE],
            row: [u8; 16],
            plain in prop::collection::vec(any::<u8>(), 0..1000),
        ) {
            let theirs = XChaCha20Poly1305::new((&key).into());
            let aad = [b"quotes\0".as_slice(), &row].concat();
            let sealed = SealingKey::of(7, key, Timestamp::UNIX_EPOCH).seal(&Always(drawn), &aad, &plain).expect("sealed");
            let nonce: [u8; NONCE] = sealed[5..HEAD].try_into().expect("a nonce");
            let text = theirs.encrypt(&XNonce::from(nonce), Payload { msg: &plain, aad: &aad }).expect("sealed");
            prop_assert_eq!(key_number(&sealed).expect("an envelope"), 7);
            prop_assert_eq!(&sealed[HEAD..], text.as_slice());
            prop_assert_eq!(open_with(&key, &aad, &sealed).expect("opened"), plain);
        }

        #[test]
        fn random_bytes_that_come_twice_give_two_nonces_for_two_bodies(
            drawn: [u8; NONCE],
            row: [u8; 4],
            plain in prop::collection::vec(any::<u8>(), 1..100),
        ) {
            let key = SealingKey::of(1, [1; 32], Timestamp::UNIX_EPOCH);
            let nonce = |row: &[u8], plain: &[u8]| key.nonce(&Always(drawn), row, plain);
            let first = nonce(&row, &plain);
            prop_assert_eq!(first, nonce(&row, &plain));
            prop_assert_ne!(first, nonce(&row, &plain[1..]));
            prop_assert_ne!(first, nonce(&row[1..], &plain));
            // Nor may a row and its body run together.
            prop_assert_ne!(first, nonce(&[&row[..], &plain[..1]].concat(), &plain[1..]));
        }

        #[test]
        fn what_was_changed_does_not_open(
            key: [u8; 32],
            plain in prop::collection::vec(any::<u8>(), 0..100),
            at: prop::sample::Index,
        ) {
            let mut sealed = SealingKey::of(1, key, Timestamp::UNIX_EPOCH).seal(&Always([9; NONCE]), b"row", &plain).expect("sealed");
            prop_assert!(open_with(&key, b"another", &sealed).is_err());
            prop_assert!(open_with(&[0; 32], b"row", &sealed).is_err() || key == [0; 32]);
            let body = sealed.len() - 5;
            sealed[5 + at.index(body)] ^= 1;
            prop_assert!(open_with(&key, b"row", &sealed).is_err());
        }
    }

    #[test]
    fn what_is_too_short_does_not_open() {
        let sealed = SealingKey::of(1, [1; 32], Timestamp::UNIX_EPOCH)
            .seal(&Always([9; NONCE]), b"row", b"")
            .expect("sealed");
        assert_eq!(sealed.len(), HEAD + TAG);
        for length in HEAD..sealed.len() {
            assert!(open_with(&[1; 32], b"row", &sealed[..length]).is_err());
        }
    }
}
