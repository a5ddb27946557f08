//! What the use cases need of a store for its keys.

use std::collections::BTreeSet;

use async_trait::async_trait;
use domain::date::Timestamp;

use super::Result;
use crate::keys::{Key, KeyPurpose};

/// What is told while rows are sealed or tagged anew: how many were looked at, of how many.
pub type RowProgress<'a> = dyn FnMut(u64, u64) + Send + 'a;

/// What sealing or tagging anew came to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Renewed {
    /// Rows that were looked at: a row with two sealed columns counts twice.
    pub rows: u64,
    /// Those that were changed.
    pub changed: u64,
    /// Those that cannot be read, and were left as they are.
    pub unreadable: u64,
    /// The first hundred of these, a line each.
    pub listed: Vec<String>,
}

/// Unreadable rows that are listed; of more, only their number is.
const MOST_LISTED: usize = 100;

impl Renewed {
    /// Notes a row that cannot be read.
    pub fn note_unreadable(&mut self, line: String) {
        self.unreadable += 1;
        if self.listed.len() < MOST_LISTED {
            self.listed.push(line);
        }
    }
}

/// Keys of a store.
#[async_trait]
pub trait Keys: Send + Sync {
    /// Every key, unwrapped, retired ones included.
    async fn keys(&self) -> Result<Vec<Key>>;

    /// Adds a key, unless `most` of its purpose are live already: then `None`. Its number is the next free one.
    async fn add_key(
        &self,
        purpose: KeyPurpose,
        secret: [u8; 32],
        created_at: Timestamp,
        active_from: Timestamp,
        most: usize,
    ) -> Result<Option<Key>>;

    /// Seals everything under the data key that seals now, page by page, while others read and write. What it leaves
    /// behind when it is stopped is whole: the next call goes on.
    async fn reseal(&self, progress: &mut RowProgress<'_>) -> Result<Renewed>;

    /// Makes every hash by which records are found anew, under the key that is used now, page by page, while others read and
    /// write.
    async fn retag(&self, progress: &mut RowProgress<'_>) -> Result<Renewed>;

    /// Seals the bank references that a version before D134 wrote in clear. Returns how many there were.
    async fn seal_references(&self) -> Result<u64>;

    /// Wraps every key with the newest wrapping key of the keyring. Returns how many were wrapped with another.
    async fn rewrap(&self) -> Result<u64>;

    /// The numbers of the wrapping keys without which some key of the store cannot be read.
    async fn wrapping_keys(&self) -> Result<BTreeSet<u32>>;

    /// Retires a key. `false`: it is unknown or retired already.
    async fn retire_key(&self, number: u32, at: Timestamp) -> Result<bool>;
}
