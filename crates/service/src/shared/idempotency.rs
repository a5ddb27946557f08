//! Idempotency: the first response to an idempotency key is stored for a day and replayed (D36).
//!
//! A use case makes a value. Its caller renders the response from that value. One storage call saves both.

use std::sync::Arc;

use domain::date::Timestamp;
use domain::id::PartnerId;

use crate::clock::Clock;
use crate::error::{Error, Result};
use crate::keys::{Hasher, KeyPurpose};
use crate::shared::directory::Directory;
use crate::storage::responses::{IdempotencyKeyHash, KEPT_FOR, StoredResponse};
use crate::storage::{Kept, KeyedResponse, Responses, StorageError};

/// Time of the oldest stored responses that are still replayed.
fn oldest_kept(now: Timestamp) -> Timestamp {
    now - std::time::Duration::from_secs(KEPT_FOR.unsigned_abs())
}

/// Request with an idempotency key. It may repeat an earlier request.
#[derive(Debug, Clone, Copy)]
pub struct Attempt {
    of: PartnerId,
    named: Named,
    /// Hashes of the same request with the store's previous key, if that key is still accepted.
    before: Option<Named>,
}

/// Keyed hashes of a request: of its idempotency key, and of its body.
#[derive(Debug, Clone, Copy)]
struct Named {
    key: IdempotencyKeyHash,
    body: [u8; 32],
}

impl Attempt {
    /// Response to this request, made at `at`. It is saved in one transaction with the record that the
    /// request creates.
    pub fn response(self, bytes: Vec<u8>, at: Timestamp) -> KeptResponse {
        let response = StoredResponse { body: self.named.body, bytes, kept_at: at };
        KeptResponse { attempt: self, keyed: KeyedResponse { key: self.named.key, response } }
    }
}

/// New record that is not saved yet.
pub trait Draft {
    /// When the record was made.
    fn at(&self) -> Timestamp;
}

/// Response to save under the idempotency key of its request.
#[derive(Debug, Clone)]
pub struct KeptResponse {
    attempt: Attempt,
    keyed: KeyedResponse,
}

impl KeptResponse {
    /// The response in the form in which it is stored.
    pub(crate) fn keyed(&self) -> &KeyedResponse {
        &self.keyed
    }

    /// Owner and key of the response.
    pub(crate) fn row(&self) -> (PartnerId, &KeyedResponse) {
        (self.attempt.of, &self.keyed)
    }
}

/// Result of a use case whose request may repeat an earlier request with the same idempotency key.
#[derive(Debug)]
#[must_use]
pub enum Outcome<T> {
    /// The value is saved, with its response if the request has an idempotency key.
    New(T),
    /// Another request with the same idempotency key was first. Nothing was saved. These are the bytes of the
    /// earlier response.
    Replayed(Vec<u8>),
}

impl<T> Outcome<T> {
    /// Value of a request without an idempotency key, which repeats no other.
    ///
    /// # Errors
    /// [`Error::Internal`] if it is a repetition.
    pub fn saved(self) -> Result<T> {
        match self {
            Outcome::New(value) => Ok(value),
            Outcome::Replayed(_) => {
                Err(Error::Internal("a request without an idempotency key was replayed".into()))
            }
        }
    }

    /// Bytes of the earlier response, if another request was first.
    pub fn replayed(self) -> Option<Vec<u8>> {
        match self {
            Outcome::New(_) => None,
            Outcome::Replayed(bytes) => Some(bytes),
        }
    }
}

/// Old responses that are removed in one transaction.
const FORGOTTEN_AT_ONCE: usize = 500;

/// Saves the first response to an idempotency key, and replays it.
pub struct Idempotency {
    pub(crate) storage: Arc<dyn Responses>,
    pub(crate) directory: Arc<Directory>,
    pub(crate) clock: Arc<dyn Clock>,
}

impl Idempotency {
    /// Makes an [`Attempt`] from the idempotency key, method, path and body of a request.
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

    /// Bytes of the response to an earlier request with the same key, if there was such a request within the
    /// last day.
    ///
    /// # Errors
    /// [`Error::KeyReused`] if that request had another body.
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

    /// Whether an identical request was answered already.
    ///
    /// # Errors
    /// The errors of [`Idempotency::replay`].
    pub(crate) async fn has_kept(&self, response: &KeptResponse) -> Result<bool> {
        Ok(self.replay(response.attempt).await?.is_some())
    }

    /// Replaces the bytes of a response that was stored empty, because it was not known yet.
    ///
    /// # Errors
    /// [`StorageError`] if the store cannot be reached.
    pub async fn complete(&self, response: &KeptResponse) -> Result<(), StorageError> {
        let (of, keyed) = response.row();
        self.storage.complete_response(of, keyed).await
    }

    /// Removes stored responses that are older than a day (D36). Returns their number.
    ///
    /// # Errors
    /// [`StorageError`] if the store cannot be reached.
    pub async fn forget_old(&self) -> Result<usize, StorageError> {
        let before = oldest_kept(self.clock.now());
        let mut forgotten = 0;
        loop {
            // A few at a time, so that requests can write in between.
            let some = self.storage.forget_kept_responses(before, FORGOTTEN_AT_ONCE).await?;
            forgotten += some;
            if some < FORGOTTEN_AT_ONCE {
                return Ok(forgotten);
            }
        }
    }

    /// Result of saving a value with its response: the value, or the response of the earlier request with the
    /// same key.
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
        let attempt =
            attempt.ok_or_else(|| Error::Internal("a repeated request has no idempotency key".into()))?;
        let earlier = self.replay(attempt).await?;
        earlier.ok_or_else(|| Error::Internal("the stored response to a repeated request is missing".into()))
    }
}
