//! Sessions: visits of customers on a partner's platform. The partner opens a session and names it in its
//! quote requests (D37).

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::id::{PartnerId, SessionId};
use domain::session::Session;

use crate::error::Result;
use crate::shared::Shared;
use crate::shared::idempotency::{KeptResponse, Outcome};

/// Opens and finds sessions.
pub struct SessionService {
    pub(crate) shared: Arc<Shared>,
}

impl SessionService {
    /// Makes a new session without saving it.
    pub fn make(&self, of: PartnerId, metadata: BTreeMap<String, String>) -> Session {
        let now = self.shared.clock.now();
        Session { id: self.shared.ids.make_at(now), partner: of, created_at: now, metadata }
    }

    /// Saves a session, in one transaction with its response if the request has an idempotency key.
    ///
    /// # Errors
    /// [`crate::Error::Storage`] if the session was not saved.
    pub async fn keep(&self, session: Session, response: Option<KeptResponse>) -> Result<Outcome<Session>> {
        let response_kept = response.as_ref().map(KeptResponse::keyed);
        let kept = self.shared.storage.keep_session(&session, response_kept).await?;
        self.shared.idempotency.outcome(kept, session, response).await
    }

    /// Metadata that a partner gave to a session. Empty if the session does not exist (D50).
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn metadata(&self, of: PartnerId, named: &str) -> Result<BTreeMap<String, String>> {
        let Ok(id) = named.parse::<SessionId>() else { return Ok(BTreeMap::new()) };
        let session = self.shared.storage.session(of, id).await?;
        Ok(session.map(|session| session.metadata).unwrap_or_default())
    }

    /// Whether a partner has a session.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn exists(&self, of: PartnerId, id: SessionId) -> Result<bool> {
        Ok(self.shared.storage.session(of, id).await?.is_some())
    }
}
