//! What the use cases need of a store for sessions (D37).

use async_trait::async_trait;
use domain::id::{PartnerId, SessionId};
use domain::session::Session;

use super::{Kept, KeyedResponse, Result};

/// Sessions of a store.
#[async_trait]
pub trait Sessions: Send + Sync {
    /// Keeps a new session, with its answer where an idempotency key came.
    async fn keep_session(&self, session: &Session, response: Option<&KeyedResponse>) -> Result<Kept>;

    async fn session(&self, of: PartnerId, id: SessionId) -> Result<Option<Session>>;
}
