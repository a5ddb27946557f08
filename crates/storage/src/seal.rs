//! Sealing: XChaCha20-Poly1305 with random nonces, the table and the row's id as associated data.
//!
//! A sealed body is one byte of version, four of key number, 24 of nonce, then the ciphertext with its tag.
//!
//! XChaCha20-Poly1305 is ChaCha20-Poly1305 under a key of the message's own, which HChaCha20 makes of the key and the nonce's
//! first 16 bytes (draft-irtf-cfrg-xchacha). So aws-lc's assembly does the work, at a third of the time.

use std::sync::{Arc, PoisonError, RwLock};

use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use chacha20::{R20, hchacha};
use service::clock::Random;
use service::keys::{Key, KeyPurpose};
use service::storage::StorageError;

use crate::keyring::Keyring;

const VERSION: u8 = 1;
const NONCE: usize = 24;
const HEAD: usize = 1 + 4 + NONCE;
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

/// Seals under one key, named by its number in the envelope.
fn seal_under(
    key: &[u8; 32],
    number: u32,
    random: &dyn Random,
    bound_to: &[&[u8]],
    plain: &[u8],
) -> Result<Vec<u8>, StorageError> {
    let mut nonce = [0; NONCE];
    random.fill(&mut nonce);
    let mut sealed = Vec::with_capacity(HEAD + plain.len() + TAG);
    sealed.push(VERSION);
    sealed.extend_from_slice(&number.to_be_bytes());
    sealed.extend_from_slice(&nonce);
    sealed.extend_from_slice(plain);
    let (key, nonce) = of_message(key, &nonce);
    let tag = key
        .seal_in_place_separate_tag(nonce, Aad::from(bound_to.concat()), &mut sealed[HEAD..])
        .map_err(|_| StorageError::Refused("a body could not be sealed".into()))?;
    sealed.extend_from_slice(tag.as_ref());
    Ok(sealed)
}

/// The number of the key that an envelope names.
fn key_number(sealed: &[u8]) -> Result<u32, StorageError> {
    match sealed {
        [VERSION, a, b, c, d, rest @ ..] if rest.len() >= NONCE => Ok(u32::from_be_bytes([*a, *b, *c, *d])),
        _ => Err(StorageError::Damaged("a sealed body has no envelope that we know".into())),
    }
}

fn open_with(key: &[u8; 32], bound_to: &[&[u8]], sealed: &[u8]) -> Result<Vec<u8>, StorageError> {
    let nonce: [u8; NONCE] = sealed[5..HEAD].try_into().expect("the head's length: checked by key_number");
    let (key, nonce) = of_message(key, &nonce);
    let mut plain = sealed[HEAD..].to_vec();
    let opened = key.open_in_place(nonce, Aad::from(bound_to.concat()), &mut plain);
    let length = opened.map(|opened| opened.len()).map_err(|_| {
        StorageError::Damaged("a sealed body does not open: another key, or changed bytes".into())
    })?;
    plain.truncate(length);
    Ok(plain)
}

/// Wraps a key of the store under the keyring.
pub(crate) fn wrap(
    keyring: &Keyring,
    random: &dyn Random,
    number: u32,
    secret: &[u8; 32],
) -> Result<Vec<u8>, StorageError> {
    let (wrapping, key) = keyring.newest();
    seal_under(key, wrapping, random, &[b"keys", &number.to_be_bytes()], secret)
}

/// Unwraps a key of the store.
pub(crate) fn unwrap(keyring: &Keyring, number: u32, wrapped: &[u8]) -> Result<[u8; 32], StorageError> {
    let other =
        || StorageError::Damaged("the keyring does not open this store: it belongs to another one".into());
    let key = keyring.key(key_number(wrapped)?).ok_or_else(other)?;
    let plain = open_with(key, &[b"keys", &number.to_be_bytes()], wrapped);
    plain.map_err(|_| other())?.try_into().map_err(|_| other())
}

/// A data key with its number.
type DataKey = (u32, [u8; 32]);

/// The data keys, and the source of their nonces.
pub(crate) struct Seal {
    keys: RwLock<Arc<Vec<DataKey>>>,
    random: Arc<dyn Random>,
}

impl Seal {
    pub(crate) fn new(keys: &[Key], random: Arc<dyn Random>) -> Self {
        let seal = Seal { keys: RwLock::default(), random };
        seal.learn(keys);
        seal
    }

    /// Takes over the data keys, the newest last.
    pub(crate) fn learn(&self, keys: &[Key]) {
        let data = keys.iter().filter(|key| key.purpose == KeyPurpose::Data);
        let mut known: Vec<_> = data.map(|key| (key.number, key.secret)).collect();
        known.sort_by_key(|(number, _)| *number);
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(known);
    }

    fn keys(&self) -> Arc<Vec<DataKey>> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Seals a body, bound to its table and row.
    pub(crate) fn seal(&self, table: &str, row: &[u8], plain: &[u8]) -> Result<Vec<u8>, StorageError> {
        let keys = self.keys();
        let (number, key) =
            keys.last().ok_or_else(|| StorageError::Damaged("there is no data key".into()))?;
        seal_under(key, *number, self.random.as_ref(), &[table.as_bytes(), &[0], row], plain)
    }

    /// Opens a body of this table and row.
    pub(crate) fn open(&self, table: &str, row: &[u8], sealed: &[u8]) -> Result<Vec<u8>, StorageError> {
        let number = key_number(sealed)?;
        let keys = self.keys();
        let (_, key) = keys
            .iter()
            .find(|(known, _)| *known == number)
            .ok_or_else(|| StorageError::Damaged(format!("the data key {number} is unknown")))?;
        open_with(key, &[table.as_bytes(), &[0], row], sealed)
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
            nonce: [u8; NONCE],
            row: [u8; 16],
            plain in prop::collection::vec(any::<u8>(), 0..1000),
        ) {
            let theirs = XChaCha20Poly1305::new((&key).into());
            let aad = [b"quotes\0".as_slice(), &row].concat();
            let text = theirs.encrypt(&XNonce::from(nonce), Payload { msg: &plain, aad: &aad }).expect("sealed");
            let bound_to: [&[u8]; 3] = [b"quotes", &[0], &row];
            let sealed = seal_under(&key, 7, &Always(nonce), &bound_to, &plain).expect("sealed");
            prop_assert_eq!(key_number(&sealed).expect("an envelope"), 7);
            prop_assert_eq!(&sealed[5..HEAD], nonce.as_slice());
            prop_assert_eq!(&sealed[HEAD..], text.as_slice());
            prop_assert_eq!(open_with(&key, &bound_to, &sealed).expect("opened"), plain);
        }

        #[test]
        fn what_was_changed_does_not_open(
            key: [u8; 32],
            plain in prop::collection::vec(any::<u8>(), 0..100),
            at: prop::sample::Index,
        ) {
            let mut sealed = seal_under(&key, 1, &Always([9; NONCE]), &[b"row"], &plain).expect("sealed");
            prop_assert!(open_with(&key, &[b"another"], &sealed).is_err());
            prop_assert!(open_with(&[0; 32], &[b"row"], &sealed).is_err() || key == [0; 32]);
            let body = sealed.len() - 5;
            sealed[5 + at.index(body)] ^= 1;
            prop_assert!(open_with(&key, &[b"row"], &sealed).is_err());
        }
    }

    #[test]
    fn what_is_too_short_does_not_open() {
        let sealed = seal_under(&[1; 32], 1, &Always([9; NONCE]), &[b"row"], b"").expect("sealed");
        assert_eq!(sealed.len(), HEAD + TAG);
        for length in HEAD..sealed.len() {
            assert!(open_with(&[1; 32], &[b"row"], &sealed[..length]).is_err());
        }
    }
}
