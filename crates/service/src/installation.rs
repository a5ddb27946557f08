//! The installation as a whole: its store, its address, its time.

use std::sync::Arc;

use domain::date::{Date, Timestamp, day_of};
use domain::id::Uuid;
use domain::operator::Operator;

use crate::shared::Shared;
use crate::storage::{Fact, StorageError};

/// Looks after the store as a whole, and knows the address that others call and what time it is.
pub struct InstallationService {
    pub(crate) shared: Arc<Shared>,
}

/// What a store is and has.
pub struct Condition {
    pub store_id: String,
    pub partners: usize,
    /// Jobs that are not finished.
    pub jobs: u64,
}

impl InstallationService {
    /// Whether the store can be read; the reason where it cannot.
    ///
    /// # Errors
    /// [`StorageError`] naming what is wrong.
    pub async fn ready(&self) -> Result<(), StorageError> {
        self.shared.storage.ready().await
    }

    /// What the store is and has.
    ///
    /// # Errors
    /// [`StorageError`] if it cannot be read.
    pub async fn condition(&self) -> Result<Condition, StorageError> {
        let store = &self.shared.storage;
        store.ready().await?;
        Ok(Condition {
            store_id: store.remembered(Fact::StoreId).await?.unwrap_or_default(),
            partners: store.partners().await?.len(),
            jobs: store.count_jobs().await?.iter().map(|(_, jobs)| jobs).sum(),
        })
    }

    /// Makes room for records of the months to come.
    ///
    /// # Errors
    /// [`StorageError`]; nothing is lost then, and what has no room of its own has room elsewhere.
    pub async fn make_months(&self) -> Result<(), StorageError> {
        self.shared.storage.make_months(self.shared.clock.now()).await
    }

    /// Waits until the store can keep nothing any more whatever is tried: the process must end then. For ever where that
    /// does not come.
    pub async fn store_is_lost(&self) -> StorageError {
        self.shared.storage.is_lost().await
    }

    /// Remembers the address that partners call, for commands that are not told it.
    ///
    /// # Errors
    /// [`StorageError`].
    pub async fn remember_base_url(&self) -> Result<(), StorageError> {
        self.shared.storage.remember(Fact::BaseUrl, &self.shared.settings.base_url).await
    }

    /// Leaves the store whole in its final place, as the last thing before the process ends.
    ///
    /// # Errors
    /// [`StorageError`]; nothing is lost then, it is only brought into place at the next start.
    pub async fn close(&self) -> Result<(), StorageError> {
        self.shared.storage.close().await
    }

    /// Who runs this service and sells the insurance, where that is known.
    pub fn operator(&self) -> Option<&Arc<Operator>> {
        self.shared.settings.operator.as_ref()
    }

    /// The address that partners call, without a slash at its end.
    pub fn base_url(&self) -> &str {
        &self.shared.settings.base_url
    }

    /// What stands in front of our paths in the address that others call, without a slash at its end; mostly nothing.
    pub fn base_path(&self) -> &str {
        path_of(&self.shared.settings.base_url)
    }

    /// The present instant.
    pub fn now(&self) -> Timestamp {
        self.shared.clock.now()
    }

    /// The day of the request in Asia/Kolkata, by which dates and ages are judged (D25).
    pub fn today(&self) -> Date {
        day_of(self.shared.clock.now())
    }

    /// A name for one request, unlike any other's.
    pub fn request_id(&self) -> Uuid {
        self.shared.ids.uuid()
    }
}

/// The path of an address, without a slash at its end.
fn path_of(address: &str) -> &str {
    let (_, behind) = address.split_once("://").unwrap_or_default();
    behind.find('/').map_or("", |at| behind[at..].trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_an_address_is_what_stands_behind_its_host() {
        for (address, path) in [
            ("https://cover.example", ""),
            ("https://cover.example/", ""),
            ("http://127.0.0.1:8080", ""),
            ("https://cover.example/partners", "/partners"),
            ("https://cover.example/a/b/", "/a/b"),
        ] {
            assert_eq!(path_of(address), path, "{address}");
        }
    }
}
