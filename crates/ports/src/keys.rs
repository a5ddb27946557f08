//! Keys of the store: what each is for, and which is in force (D4).

use aws_lc_rs::hmac;
use domain::date::Timestamp;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum KeyPurpose {
    /// Seals personal data.
    Data,
    /// Signs tokens.
    Signing,
    /// Signs download addresses.
    Address,
    /// Hashes idempotency keys and bodies.
    Idempotency,
    /// Authenticates the cursors of lists.
    Cursor,
    /// Hashes what records can be looked up by.
    Lookup,
    /// Chains the entries of the audit trail, signs its heads, and seals its reasons.
    Audit,
}

impl KeyPurpose {
    /// Every purpose.
    pub const ALL: &'static [KeyPurpose] = &[
        KeyPurpose::Data,
        KeyPurpose::Signing,
        KeyPurpose::Address,
        KeyPurpose::Idempotency,
        KeyPurpose::Cursor,
        KeyPurpose::Lookup,
        KeyPurpose::Audit,
    ];

    pub const fn word(self) -> &'static str {
        match self {
            KeyPurpose::Data => "data",
            KeyPurpose::Signing => "signing",
            KeyPurpose::Address => "address",
            KeyPurpose::Idempotency => "idempotency",
            KeyPurpose::Cursor => "cursor",
            KeyPurpose::Lookup => "lookup",
            KeyPurpose::Audit => "audit",
        }
    }

    /// Whether rows of the store depend on a key of this purpose, which are renewed when it turns over.
    pub const fn has_rows(self) -> bool {
        matches!(self, KeyPurpose::Data | KeyPurpose::Lookup)
    }

    /// The purpose of a word.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|purpose| purpose.word() == word)
    }
}

/// A key, unwrapped. Its secret does not print.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    /// Counts the store's keys from 1.
    pub number: u32,
    /// What it is for.
    pub purpose: KeyPurpose,
    /// 256 secret bits.
    pub secret: [u8; 32],
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it is used for new work; until then it is only accepted, so that every process knows it
    /// before the first token signed with it.
    pub active_from: Timestamp,
    /// When it was retired, where it was.
    pub retired_at: Option<Timestamp>,
}

impl std::fmt::Debug for Key {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "Key({} {})", self.purpose.word(), self.number)
    }
}

/// Makes keyed hashes (HMAC-SHA256). Made once from a key, since half of a short hash is what the key alone needs.
pub struct Hasher(hmac::Key);

impl Hasher {
    /// The hasher of a key.
    pub fn of(key: &Key) -> Self {
        Hasher(hmac::Key::new(hmac::HMAC_SHA256, &key.secret))
    }

    /// The hash of parts, each preceded by its length so that parts cannot run together.
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
