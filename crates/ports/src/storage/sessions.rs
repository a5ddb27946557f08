//! Store operations for sessions (D37).

use async_trait::async_trait;
use domain::id::{PartnerId, SessionId};
use domain::session::Session;

use super::{Kept, KeyedResponse, Result};

#[async_trait]
pub trait Sessions: Send + Sync {
    /// Stores a new session, with its response if the request has an idempotency key.
    async fn keep_session(&self, session: &Session, response: Option<&KeyedResponse>) -> Result<Kept>;

    async fn session(&self, of: PartnerId, id: SessionId) -> Result<Option<Session>>;
}
