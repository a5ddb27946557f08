//! The installation as a whole: its store, address, clock.

use std::sync::Arc;
use std::time::Duration;

use domain::date::{Date, Timestamp, day_of};
use domain::id::{EventId, Uuid};
use domain::money::Rupees;
use domain::operator::Operator;

use crate::shared::Shared;
use crate::storage::{Fact, StorageError, StoreServer};

/// Largest accepted difference between the clocks of processes and their database.
pub const CLOCK_TOLERANCE: Duration = Duration::from_secs(5);

/// Watches the store as a whole, and knows the base URL and the time.
pub struct InstallationService {
    pub(crate) shared: Arc<Shared>,
}

/// State of a store.
pub struct Condition {
    pub store_id: String,
    pub partners: usize,
    /// Jobs that are not finished.
    pub jobs: u64,
    /// Server of the store, with the seconds by which our clock is ahead of the server's. `None` if the store
    /// has no server.
    pub server: Option<(StoreServer, f64)>,
    /// Age of the oldest event that an endpoint has not accepted yet.
    pub oldest_pending: Option<Duration>,
}

impl InstallationService {
    /// Checks that the store can be read.
    ///
    /// # Errors
    /// [`StorageError`] that names the cause.
    pub async fn ready(&self) -> Result<(), StorageError> {
        self.shared.storage.ready().await
    }

    /// State of the store.
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
            server: self.server().await?,
            oldest_pending: self.oldest_pending().await?,
        })
    }

    /// Server of the store, with the seconds by which our clock is ahead of the server's.
    async fn server(&self) -> Result<Option<(StoreServer, f64)>, StorageError> {
        let before = self.shared.clock.now();
        let Some(server) = self.shared.storage.server().await? else { return Ok(None) };
        let after = self.shared.clock.now();
        // The server read its clock between `before` and `after`.
        let ours = i64::midpoint(before.as_microsecond(), after.as_microsecond());
        Ok(Some((server, (ours - server.now.as_microsecond()) as f64 / 1e6)))
    }

    async fn oldest_pending(&self) -> Result<Option<Duration>, StorageError> {
        let oldest = self.shared.storage.oldest_pending().await?;
        let now = u64::try_from(self.shared.clock.now().as_millisecond()).unwrap_or_default();
        // An id begins with its time in milliseconds.
        let since = |id: EventId| now.saturating_sub(u64::try_from(id.uuid().as_u128() >> 80).unwrap_or(now));
        Ok(oldest.map(|id| Duration::from_millis(since(id))))
    }

    /// Updates the store's metrics, warns if our clock differs from the database's, and saves the current
    /// time.
    ///
    /// # Errors
    /// [`StorageError`].
    pub async fn watch(&self) -> Result<(), StorageError> {
        if let Some((server, ahead)) = self.server().await? {
            metrics::gauge!("covernote_database_sessions").set(server.sessions as f64);
            metrics::gauge!("covernote_database_sessions_limit").set(server.most_sessions as f64);
            metrics::gauge!("covernote_clock_ahead_seconds").set(ahead);
            if ahead.abs() > CLOCK_TOLERANCE.as_secs_f64() {
                tracing::warn!(
                    "this machine's clock is {ahead:.1} seconds ahead of the database's clock: correct one of them"
                );
            }
        }
        let oldest = self.oldest_pending().await?.map_or(0.0, |since| since.as_secs_f64());
        metrics::gauge!("covernote_webhook_oldest_pending_seconds").set(oldest);
        // Also where no process delivers: then every event waits.
        let now = self.shared.clock.now();
        let lanes = self.shared.storage.lanes(now).await?;
        let oldest = lanes.iter().filter_map(|lane| lane.first_due).min().filter(|due| *due < now);
        let age = oldest.map_or(0.0, |due| now.duration_since(due).as_secs_f64());
        metrics::gauge!("covernote_webhook_oldest_undelivered_seconds").set(age);
        self.shared.storage.remember(Fact::LastSeen, &self.shared.clock.now().to_string()).await
    }

    /// Clock time of the process that last watched the store. `None` if the store has a server, because other
    /// processes may use it too.
    ///
    /// # Errors
    /// [`StorageError`].
    pub async fn seen_alone(&self) -> Result<Option<Timestamp>, StorageError> {
        if self.shared.storage.server().await?.is_some() {
            return Ok(None);
        }
        let seen = self.shared.storage.remembered(Fact::LastSeen).await?;
        Ok(seen.and_then(|text| text.parse().ok()))
    }

    /// Corrects jobs and deliveries that were postponed while the clock was ahead by `by`: makes them due
    /// earlier. Returns their number.
    ///
    /// # Errors
    /// [`StorageError`].
    pub async fn bring_forward(&self, by: Duration) -> Result<u64, StorageError> {
        self.shared.storage.bring_forward(by, self.shared.clock.now()).await
    }

    /// Creates the store's partitions for the coming months.
    ///
    /// # Errors
    /// [`StorageError`]. Nothing is lost then: records without their own partition are stored in a common
    /// one.
    pub async fn make_months(&self) -> Result<(), StorageError> {
        self.shared.storage.make_months(self.shared.clock.now()).await
    }

    /// Waits until the store can no longer write at all; the process must then end. If that does not happen,
    /// it waits forever.
    pub async fn store_is_lost(&self) -> StorageError {
        self.shared.storage.is_lost().await
    }

    /// Amount above which a payment needs a second operator's approval. `None` if no server has started yet.
    ///
    /// # Errors
    /// [`StorageError`].
    pub async fn approval_above(&self) -> Result<Option<Rupees>, StorageError> {
        let text = self.shared.storage.remembered(Fact::ApprovalAbove).await?;
        Ok(text.and_then(|text| text.parse().ok()).map(|rupees: u32| Rupees::whole(rupees.into())))
    }

    /// Saves this amount, in whole rupees.
    ///
    /// # Errors
    /// [`StorageError`].
    pub async fn set_approval_above(&self, rupees: u32) -> Result<(), StorageError> {
        self.shared.storage.remember(Fact::ApprovalAbove, &rupees.to_string()).await
    }

    /// Saves the base URL, for commands that get no base URL as an option.
    ///
    /// # Errors
    /// [`StorageError`].
    pub async fn remember_base_url(&self) -> Result<(), StorageError> {
        self.shared.storage.remember(Fact::BaseUrl, &self.shared.settings.base_url).await
    }

    /// Closes the store as the last step of the process, so that all data is moved to its final place.
    ///
    /// # Errors
    /// [`StorageError`]. Nothing is lost then: the next start completes the move.
    pub async fn close(&self) -> Result<(), StorageError> {
        self.shared.storage.close().await
    }

    /// Operator that runs this service and sells the insurance, if known.
    pub fn operator(&self) -> Option<&Arc<Operator>> {
        self.shared.settings.operator.as_ref()
    }

    /// Base URL that partners call, without a slash at its end.
    pub fn base_url(&self) -> &str {
        &self.shared.settings.base_url
    }

    /// Path of the base URL, without a slash at its end. Usually empty.
    pub fn base_path(&self) -> &str {
        path_of(&self.shared.settings.base_url)
    }

    pub fn now(&self) -> Timestamp {
        self.shared.clock.now()
    }

    /// Today in Asia/Kolkata, by which dates and ages are judged (D25).
    pub fn today(&self) -> Date {
        day_of(self.shared.clock.now())
    }

    /// Unique id for one request.
    pub fn request_id(&self) -> Uuid {
        self.shared.ids.uuid()
    }
}

/// Path of a URL, without a slash at its end.
fn path_of(address: &str) -> &str {
    let (_, behind) = address.split_once("://").unwrap_or_default();
    behind.find('/').map_or("", |at| behind[at..].trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_the_base_address_is_the_part_after_its_host() {
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
