//! Keys of the audit trail.

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use domain::date::Timestamp;
use ports::keys::{Hasher, Key, KeyPurpose};

use crate::sealing_key::SealingKey;

/// Start of the associated data with which a reason is encrypted. Slot and number of the entry follow.
pub(crate) const REASON: &[u8] = b"covernote.audit.reason";

/// Audit key. Hasher, encryption key and signer are derived from its one secret.
pub(crate) struct AuditKey {
    pub(crate) number: u32,
    pub(crate) active_from: Timestamp,
    pub(crate) hasher: Hasher,
    pub(crate) sealing: SealingKey,
    signer: Ed25519KeyPair,
}

impl AuditKey {
    /// All audit keys among `keys`, including retired keys, because the entries that they hashed remain.
    pub(crate) fn among(keys: &[Key]) -> Vec<Self> {
        let mut all: Vec<AuditKey> = keys
            .iter()
            .filter(|key| key.purpose == KeyPurpose::Audit)
            .map(|key| {
                let hasher = Hasher::of(key);
                let (sealing, signing) = (hasher.hash(&[REASON]), hasher.hash(&[b"covernote.audit.head"]));
                AuditKey {
                    number: key.number,
                    active_from: key.active_from,
                    hasher,
                    sealing: SealingKey::of(key.number, &sealing, key.active_from),
                    signer: Ed25519KeyPair::from_seed_unchecked(&signing).expect("a seed of 32 bytes"),
                }
            })
            .collect();
        all.sort_by_key(|key| key.number);
        all
    }

    /// Signs the head (the last entry) of an audit chain.
    pub(crate) fn sign(&self, head: &[u8]) -> Vec<u8> {
        self.signer.sign(head).as_ref().to_vec()
    }

    /// Public key that verifies the signatures of audit heads.
    pub(crate) fn public_key(&self) -> &[u8] {
        self.signer.public_key().as_ref()
    }
}
