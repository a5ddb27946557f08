//! Keys of the audit trail.

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use domain::date::Timestamp;
use ports::keys::{Hasher, Key, KeyPurpose};

use crate::sealing_key::SealingKey;

/// What a reason is sealed for, before its slot and number.
pub(crate) const REASON: &[u8] = b"covernote.audit.reason";

/// An audit key. All three uses come from its one secret.
pub(crate) struct AuditKey {
    pub(crate) number: u32,
    pub(crate) active_from: Timestamp,
    pub(crate) hasher: Hasher,
    pub(crate) sealing: SealingKey,
    signer: Ed25519KeyPair,
}

impl AuditKey {
    /// The audit keys among all, retired ones too: their entries stay.
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

    /// Signs the head of a chain.
    pub(crate) fn sign(&self, head: &[u8]) -> Vec<u8> {
        self.signer.sign(head).as_ref().to_vec()
    }

    /// The public half of what signs heads.
    pub(crate) fn public_key(&self) -> &[u8] {
        self.signer.public_key().as_ref()
    }
}
