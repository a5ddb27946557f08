//! Signing keys as their operator changes them (D4).

use std::sync::Arc;
use std::time::Duration;

use crate::clock::{Clock, Random};
use crate::directory::Directory;
use crate::error::Error;
use crate::keys::{Key, KeyPurpose};
use crate::storage::Keys;
use crate::token::LIFETIME;

/// Signing keys that can be live at once (D4).
pub const LIVE_SIGNING_KEYS: usize = 2;

/// From a signing key's making to its first use: by then every process has read it, and nobody who kept the public
/// keys for the minute that their answer allows is without it.
const NOTICE: Duration = Duration::from_secs(75);

/// Adds and retires the keys that sign tokens.
pub struct SigningKeyService {
    pub(crate) storage: Arc<dyn Keys>,
    pub(crate) directory: Arc<Directory>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) random: Arc<dyn Random>,
}

impl SigningKeyService {
    /// Every key of the store, oldest first, without its secret's use.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn keys(&self) -> Result<Vec<Key>, Error> {
        let mut keys = self.storage.keys().await?;
        keys.sort_by_key(|key| key.number);
        Ok(keys)
    }

    /// Adds a signing key. It signs from 75 seconds on, when everybody knows it; the one before goes on
    /// being accepted until it is retired, so that no token is refused (D4).
    ///
    /// # Errors
    /// [`Error::Invalid`] when two are live already.
    pub async fn rotate(&self) -> Result<Key, Error> {
        let mut secret = [0; 32];
        self.random.fill(&mut secret);
        let now = self.clock.now();
        let active_from = now + NOTICE;
        let added =
            self.storage.add_key(KeyPurpose::Signing, secret, now, active_from, LIVE_SIGNING_KEYS).await?;
        let two = "two signing keys are live already; retire the older one first";
        let key = added.ok_or_else(|| Error::Conflict(two.into()))?;
        self.directory.refresh().await?;
        Ok(key)
    }

    /// Retires a signing key: its tokens are refused from now on. Unless forced, only once a newer key has
    /// signed for longer than any token lives.
    ///
    /// # Errors
    /// [`Error::Unknown`], [`Error::Invalid`] when tokens of it may still be out.
    pub async fn retire(&self, number: u32, force: bool) -> Result<(), Error> {
        let now = self.clock.now();
        let keys = self.keys().await?;
        let live: Vec<_> = keys.iter().filter(|key| is_live_signing(key)).collect();
        if !live.iter().any(|key| key.number == number) {
            return Err(Error::Unknown { what: "live signing key", id: number.to_string() });
        }
        let Some(newer) = live.iter().find(|key| key.number > number) else {
            return Err(Error::Conflict(
                "this is the newest signing key; add another with 'keys rotate' first".into(),
            ));
        };
        let free = newer.active_from + Duration::from_secs(LIFETIME.unsigned_abs());
        if now < free && !force {
            let message = format!(
                "tokens signed with this key may be out until {free}; wait, or say --force to refuse them"
            );
            return Err(Error::Conflict(message));
        }
        self.storage.retire_key(number, now).await?;
        Ok(self.directory.refresh().await?)
    }
}

fn is_live_signing(key: &Key) -> bool {
    key.purpose == KeyPurpose::Signing && key.retired_at.is_none()
}
