//! The installation as a whole: its store, its address, its time.

use std::sync::Arc;
use std::time::Duration;

use domain::date::{Date, Timestamp, day_of};
use domain::id::{EventId, Uuid};
use domain::operator::Operator;

use crate::shared::Shared;
use crate::storage::{Fact, StorageError, StoreServer};

/// How far the clocks of processes and of their database may be apart.
pub const CLOCK_TOLERANCE: Duration = Duration::from_secs(5);

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
    /// The server of the store, with how far our clock is ahead of it, in seconds. `None` if it has none.
    pub server: Option<(StoreServer, f64)>,
    /// How long the oldest event waits that some endpoint has still to take.
    pub oldest_pending: Option<Duration>,
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
            server: self.server().await?,
            oldest_pending: self.oldest_pending().await?,
        })
    }

    /// The server of the store, with how far our clock is ahead of its own, in seconds.
    async fn server(&self) -> Result<Option<(StoreServer, f64)>, StorageError> {
        let before = self.shared.clock.now();
        let Some(server) = self.shared.storage.server().await? else { return Ok(None) };
        let after = self.shared.clock.now();
        // It looked at its clock somewhere in between.
        let ours = i64::midpoint(before.as_microsecond(), after.as_microsecond());
        Ok(Some((server, (ours - server.now.as_microsecond()) as f64 / 1e6)))
    }

    async fn oldest_pending(&self) -> Result<Option<Duration>, StorageError> {
        let oldest = self.shared.storage.oldest_pending().await?;
        let now = u64::try_from(self.shared.clock.now().as_millisecond()).unwrap_or_default();
        // An id begins with its time.
        let since = |id: EventId| now.saturating_sub(u64::try_from(id.uuid().as_u128() >> 80).unwrap_or(now));
        Ok(oldest.map(|id| Duration::from_millis(since(id))))
    }

    /// Notes for monitoring how the store is, warns of a clock that differs from the database's, and remembers what time it is.
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
                    "the clock is {ahead:.1} seconds ahead of the database's: correct one of them"
                );
            }
        }
        let oldest = self.oldest_pending().await?.map_or(0.0, |since| since.as_secs_f64());
        metrics::gauge!("covernote_webhook_oldest_pending_seconds").set(oldest);
        self.shared.storage.remember(Fact::LastSeen, &self.shared.clock.now().to_string()).await
    }

    /// What time it was by the clock of the process that watched the store last, if the store has no server, so that this process is
    /// the only one.
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

    /// Makes jobs and deliveries due earlier that a clock put off which was ahead by so much. Returns how many.
    ///
    /// # Errors
    /// [`StorageError`].
    pub async fn bring_forward(&self, by: Duration) -> Result<u64, StorageError> {
        self.shared.storage.bring_forward(by, self.shared.clock.now()).await
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
