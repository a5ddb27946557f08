//! What the use cases need of a store for its keys.

use async_trait::async_trait;
use domain::date::Timestamp;

use super::StorageError;
use crate::keys::{Key, KeyPurpose};

/// Keys of a store.
#[async_trait]
pub trait Keys: Send + Sync {
    /// Every key, unwrapped, retired ones included.
    async fn keys(&self) -> Result<Vec<Key>, StorageError>;

    /// Adds a key, unless `most` of its purpose are live already: then `None`. Its number is the next free one.
    async fn add_key(
        &self,
        purpose: KeyPurpose,
        secret: [u8; 32],
        created_at: Timestamp,
        active_from: Timestamp,
        most: usize,
    ) -> Result<Option<Key>, StorageError>;

    /// Retires a key. `false`: it is unknown or retired already.
    async fn retire_key(&self, number: u32, at: Timestamp) -> Result<bool, StorageError>;
}
