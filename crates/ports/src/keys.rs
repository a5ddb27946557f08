//! Encryption keys of the store (D4).

use aws_lc_rs::hmac;
use domain::date::Timestamp;
use domain::vocabulary;

vocabulary! {
    /// What a key of the store is for.
    KeyPurpose, "one of data, signing, address, idempotency, cursor, lookup, audit" {
        /// Encrypts (seals) personal data.
        Data = "data",
        /// Signs access tokens.
        Signing = "signing",
        /// Signs download URLs.
        Address = "address",
        /// Hashes idempotency keys and bodies.
        Idempotency = "idempotency",
        /// Authenticates list cursors.
        Cursor = "cursor",
        /// Hashes the identifiers by which records are found.
        Lookup = "lookup",
        /// Chains the entries of the audit trail, signs the ends of the chains, and encrypts operators' reasons.
        Audit = "audit",
    }
}

impl KeyPurpose {
    /// Whether stored rows depend on keys of this purpose. Such rows are renewed after a new key replaces the
    /// old one.
    pub const fn has_rows(self) -> bool {
        matches!(self, KeyPurpose::Data | KeyPurpose::Lookup)
    }
}

/// An unwrapped key. `Debug` hides its secret.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    /// Number among the store's keys, from 1.
    pub number: u32,
    pub purpose: KeyPurpose,
    /// Secret of 256 bits.
    pub secret: [u8; 32],
    pub created_at: Timestamp,
    /// Time from which the key is used for new work. Before that, the key is only accepted. So every process
    /// knows the key before the first token is signed with it.
    pub active_from: Timestamp,
    /// When the key was retired. `None` if the key is still in use.
    pub retired_at: Option<Timestamp>,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Key({} {})", self.purpose.word(), self.number)
    }
}

/// HMAC-SHA256 hasher. Make it once per key: preparing the key takes half the time of a short hash.
pub struct Hasher(hmac::Key);

impl Hasher {
    pub fn of(key: &Key) -> Self {
        Hasher(hmac::Key::new(hmac::HMAC_SHA256, &key.secret))
    }

    /// Hash of the parts. Before each part, its length is hashed, so that different splits give different
    /// hashes.
    pub fn hash(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut context = hmac::Context::with_key(&self.0);
        for part in parts {
            context.update(&(part.len() as u64).to_be_bytes());
            context.update(part);
        }
        let tag = context.sign();
        tag.as_ref().try_into().expect("HMAC-SHA256 is 32 bytes")
    }
}
