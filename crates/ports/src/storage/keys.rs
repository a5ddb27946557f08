//! Store operations for encryption keys.

use std::collections::BTreeSet;

use async_trait::async_trait;
use domain::date::Timestamp;

use super::Result;
use crate::keys::{Key, KeyPurpose};

/// Progress callback while rows are sealed or hashed again: rows done, and rows in total.
pub type RowProgress<'a> = dyn FnMut(u64, u64) + Send + 'a;

/// Result of encrypting (sealing) or hashing all rows again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Renewed {
    /// Number of rows read. A row with two encrypted columns counts twice.
    pub rows: u64,
    /// Number of changed rows.
    pub changed: u64,
    /// Number of rows that cannot be read. These rows stay unchanged.
    pub unreadable: u64,
    /// The first 100 unreadable rows, one line each.
    pub listed: Vec<String>,
}

/// Maximum number of unreadable rows to list. The others are only counted.
const MOST_LISTED: usize = 100;

impl Renewed {
    /// Adds an unreadable row.
    pub fn note_unreadable(&mut self, line: String) {
        self.unreadable += 1;
        if self.listed.len() < MOST_LISTED {
            self.listed.push(line);
        }
    }
}

#[async_trait]
pub trait Keys: Send + Sync {
    /// All keys, unwrapped, including retired ones.
    async fn keys(&self) -> Result<Vec<Key>>;

    /// Adds a key with the next free number. `None`: there are `most` live keys of this purpose already.
    async fn add_key(
        &self,
        purpose: KeyPurpose,
        secret: [u8; 32],
        created_at: Timestamp,
        active_from: Timestamp,
        most: usize,
    ) -> Result<Option<Key>>;

    /// Encrypts all personal data again with the current data key, page by page, while other processes read
    /// and write. If this is interrupted, the next call continues.
    async fn reseal(&self, progress: &mut RowProgress<'_>) -> Result<Renewed>;

    /// Computes all search hashes again with the current key, page by page, while other processes read and
    /// write.
    async fn retag(&self, progress: &mut RowProgress<'_>) -> Result<Renewed>;

    /// Encrypts bank references that a version before D134 stored in plain text. Returns the number of
    /// references.
    async fn seal_references(&self) -> Result<u64>;

    /// Writes the proofs of rows that an earlier version wrote without them. Returns how many rows changed. It can
    /// be interrupted and repeated.
    async fn prove_rows(&self) -> Result<u64>;

    /// Wraps all keys with the newest wrapping key of the keyring. Returns the number of keys that were
    /// rewrapped.
    async fn rewrap(&self) -> Result<u64>;

    /// Numbers of the wrapping keys that are needed to read the store's keys.
    async fn wrapping_keys(&self) -> Result<BTreeSet<u32>>;

    /// Retires a key. `false`: the key is unknown, or already retired.
    async fn retire_key(&self, number: u32, at: Timestamp) -> Result<bool>;
}
