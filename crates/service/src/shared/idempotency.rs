//! Idempotency: the first response to a key is kept for a day and replayed (D36).
//!
//! A use case makes a value, whoever called it renders the response from that value, and one storage call keeps both.

use std::sync::Arc;

use domain::date::Timestamp;
use domain::id::PartnerId;

use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::keys::{Hasher, KeyPurpose};
use crate::shared::directory::Directory;
use crate::storage::responses::{IdempotencyKeyHash, KEPT_FOR, StoredResponse};
use crate::storage::{Kept, KeyedResponse, Responses, StorageError};

/// The instant before which a kept response's day is over.
fn oldest_kept(now: Timestamp) -> Timestamp {
    now - std::time::Duration::from_secs(KEPT_FOR.unsigned_abs())
}

/// A request under an idempotency key, which may have come before.
#[derive(Debug, Clone, Copy)]
pub struct Attempt {
    of: PartnerId,
    named: Named,
    /// The same by the key of the store that was used before, where that one is still accepted.
    before: Option<Named>,
}

/// An idempotency key and a body by their keyed hashes.
#[derive(Debug, Clone, Copy)]
struct Named {
    key: IdempotencyKeyHash,
    body: [u8; 32],
}

impl Attempt {
    /// What keeps the response to this attempt, made at `at`, in the transaction of what the response tells of.
    pub fn response(self, bytes: Vec<u8>, at: Timestamp) -> KeptResponse {
        let response = StoredResponse { body: self.named.body, bytes, kept_at: at };
        KeptResponse { attempt: self, keyed: KeyedResponse { key: self.named.key, response } }
    }
}

/// Something that was made and is not kept yet.
pub trait Draft {
    /// When it was made.
    fn at(&self) -> Timestamp;
}

/// A response to keep under the key of its attempt.
#[derive(Debug, Clone)]
pub struct KeptResponse {
    attempt: Attempt,
    keyed: KeyedResponse,
}

impl KeptResponse {
    /// As the store takes it.
    pub(crate) fn keyed(&self) -> &KeyedResponse {
        &self.keyed
    }
}

/// How a use case ended that may have come before under the same idempotency key.
#[derive(Debug)]
#[must_use]
pub enum Outcome<T> {
    /// The value is kept, with its response where a key came.
    New(T),
    /// Another request with the same key was first: these are the bytes of its response, and nothing was kept.
    Replayed(Vec<u8>),
}

impl<T> Outcome<T> {
    /// The bytes of the earlier response, where another request was first.
    pub fn replayed(self) -> Option<Vec<u8>> {
        match self {
            Outcome::New(_) => None,
            Outcome::Replayed(bytes) => Some(bytes),
        }
    }
}

/// Old responses dropped in one transaction.
const FORGOTTEN_AT_ONCE: usize = 500;

/// Keeps the first response to a key, and replays it.
pub struct Idempotency {
    pub(crate) storage: Arc<dyn Responses>,
    pub(crate) directory: Arc<Directory>,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Idempotency {
    /// Names an attempt by its key, method, path and body.
    pub fn attempt(&self, of: PartnerId, key: &str, method: &str, path: &str, body: &[u8]) -> Attempt {
        let name = |hasher: &Hasher| Named {
            key: IdempotencyKeyHash(hasher.hash(&[method.as_bytes(), path.as_bytes(), key.as_bytes()])),
            body: hasher.hash(&[body]),
        };
        let now = self.directory.hasher(KeyPurpose::Idempotency);
        let all = self.directory.hashers(KeyPurpose::Idempotency);
        let before = all.iter().find(|other| !Arc::ptr_eq(other, &now));
        Attempt { of, named: name(&now), before: before.map(|before| name(before)) }
    }

    /// The bytes of the response to an earlier request with the same key, if there was one within the day.
    ///
    /// # Errors
    /// [`Error::KeyReused`] when its body was another.
    pub async fn replay(&self, attempt: Attempt) -> Result<Option<Vec<u8>>> {
        let since = oldest_kept(self.clock.now());
        for Named { key, body } in [Some(attempt.named), attempt.before].into_iter().flatten() {
            match self.storage.kept_response(attempt.of, key, since).await? {
                None => {}
                Some(kept) if kept.body == body => return Ok(Some(kept.bytes)),
                Some(_) => return Err(Error::KeyReused),
            }
        }
        Ok(None)
    }

    /// Drops kept responses whose day is over (D36). Returns how many.
    ///
    /// # Errors
    /// [`StorageError`] when the store is away.
    pub async fn forget_old(&self) -> Result<usize, StorageError> {
        let before = oldest_kept(self.clock.now());
        let mut forgotten = 0;
        loop {
            // A few at a time, so that requests' writes get in between.
            let some = self.storage.forget_kept_responses(before, FORGOTTEN_AT_ONCE).await?;
            forgotten += some;
            if some < FORGOTTEN_AT_ONCE {
                return Ok(forgotten);
            }
        }
    }

    /// The outcome of keeping a value with its response: the value, or the response of the twin that was first.
    pub(crate) async fn outcome<T>(
        &self,
        kept: Kept,
        value: T,
        response: Option<KeptResponse>,
    ) -> Result<Outcome<T>> {
        match kept {
            Kept::New => Ok(Outcome::New(value)),
            Kept::Twin => {
                let attempt = response.map(|response| response.attempt);
                self.response_of_twin(attempt).await.map(Outcome::Replayed)
            }
        }
    }

    async fn response_of_twin(&self, attempt: Option<Attempt>) -> Result<Vec<u8>> {
        let attempt = attempt.ok_or_else(|| Error::Internal("a twin without an idempotency key".into()))?;
        let earlier = self.replay(attempt).await?;
        earlier.ok_or_else(|| Error::Internal("a twin's response is gone".into()))
    }
}
