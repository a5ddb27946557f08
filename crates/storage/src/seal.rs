//! Sealing: XChaCha20-Poly1305 with random nonces, the table and the row's id as associated data.
//!
//! A sealed body is one byte of version, four of key number, 24 of nonce, then the ciphertext with its tag.

use std::sync::{Arc, PoisonError, RwLock};

use chacha20poly1305::aead::{AeadInOut, KeyInit};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use service::clock::Chance;
use service::keys::{Key, KeyPurpose};
use service::storage::StorageError;

use crate::keyring::Keyring;

const VERSION: u8 = 1;
const NONCE: usize = 24;
const HEAD: usize = 1 + 4 + NONCE;
const TAG: usize = 16;

/// Seals under one key, named by its number in the envelope.
fn seal_under(
    key: &XChaCha20Poly1305,
    number: u32,
    chance: &dyn Chance,
    bound_to: &[&[u8]],
    plain: &[u8],
) -> Result<Vec<u8>, StorageError> {
    let mut nonce = [0; NONCE];
    chance.fill(&mut nonce);
    let mut sealed = Vec::with_capacity(HEAD + plain.len() + TAG);
    sealed.push(VERSION);
    sealed.extend_from_slice(&number.to_be_bytes());
    sealed.extend_from_slice(&nonce);
    sealed.extend_from_slice(plain);
    let text = &mut sealed[HEAD..];
    let tag = key
        .encrypt_inout_detached(&XNonce::from(nonce), &bound_to.concat(), text.into())
        .map_err(|_| StorageError::Refused("a body could not be sealed".into()))?;
    sealed.extend_from_slice(&tag);
    Ok(sealed)
}

/// The number of the key that an envelope names.
fn key_number(sealed: &[u8]) -> Result<u32, StorageError> {
    match sealed {
        [VERSION, a, b, c, d, rest @ ..] if rest.len() >= NONCE => Ok(u32::from_be_bytes([*a, *b, *c, *d])),
        _ => Err(StorageError::Damaged("a sealed body has no envelope that we know".into())),
    }
}

fn open_with(key: &XChaCha20Poly1305, bound_to: &[&[u8]], sealed: &[u8]) -> Result<Vec<u8>, StorageError> {
    let nonce: [u8; NONCE] = sealed[5..HEAD].try_into().expect("the head's length: checked by key_number");
    let mut plain = sealed[HEAD..].to_vec();
    key.decrypt_in_place(&XNonce::from(nonce), &bound_to.concat(), &mut plain).map_err(|_| {
        StorageError::Damaged("a sealed body does not open: another key, or changed bytes".into())
    })?;
    Ok(plain)
}

/// Wraps a key of the store under the keyring.
pub(crate) fn wrap(
    keyring: &Keyring,
    chance: &dyn Chance,
    number: u32,
    secret: &[u8; 32],
) -> Result<Vec<u8>, StorageError> {
    let (wrapping, key) = keyring.newest();
    seal_under(
        &XChaCha20Poly1305::new(key.into()),
        wrapping,
        chance,
        &[b"keys", &number.to_be_bytes()],
        secret,
    )
}

/// Unwraps a key of the store.
pub(crate) fn unwrap(keyring: &Keyring, number: u32, wrapped: &[u8]) -> Result<[u8; 32], StorageError> {
    let other =
        || StorageError::Damaged("the keyring does not open this store: it belongs to another one".into());
    let key = keyring.key(key_number(wrapped)?).ok_or_else(other)?;
    let plain = open_with(&XChaCha20Poly1305::new(key.into()), &[b"keys", &number.to_be_bytes()], wrapped);
    plain.map_err(|_| other())?.try_into().map_err(|_| other())
}

/// The data keys, and the chance that nonces come from.
pub(crate) struct Seal {
    keys: RwLock<Arc<Vec<(u32, XChaCha20Poly1305)>>>,
    chance: Arc<dyn Chance>,
}

impl Seal {
    pub(crate) fn new(keys: &[Key], chance: Arc<dyn Chance>) -> Self {
        let seal = Seal { keys: RwLock::default(), chance };
        seal.learn(keys);
        seal
    }

    /// Takes over the data keys, the newest last.
    pub(crate) fn learn(&self, keys: &[Key]) {
        let data = keys.iter().filter(|key| key.purpose == KeyPurpose::Data);
        let mut known: Vec<_> =
            data.map(|key| (key.number, XChaCha20Poly1305::new((&key.secret).into()))).collect();
        known.sort_by_key(|(number, _)| *number);
        *self.keys.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(known);
    }

    fn keys(&self) -> Arc<Vec<(u32, XChaCha20Poly1305)>> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Seals a body, bound to its table and row.
    pub(crate) fn seal(&self, table: &str, row: &[u8], plain: &[u8]) -> Result<Vec<u8>, StorageError> {
        let keys = self.keys();
        let (number, key) =
            keys.last().ok_or_else(|| StorageError::Damaged("there is no data key".into()))?;
        seal_under(key, *number, self.chance.as_ref(), &[table.as_bytes(), &[0], row], plain)
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
