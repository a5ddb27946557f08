//! Sessions: opened by a partner, named by its quotes (D37).

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::id::{PartnerId, SessionId};
use domain::session::Session;

use crate::error::Result;
use crate::shared::Shared;
use crate::shared::idempotency::{KeptResponse, Outcome};

/// Opens sessions and finds them again.
pub struct SessionService {
    pub(crate) shared: Arc<Shared>,
}

impl SessionService {
    /// A new session, not yet kept.
    pub fn make(&self, of: PartnerId, metadata: BTreeMap<String, String>) -> Session {
        let now = self.shared.clock.now();
        Session { id: self.shared.ids.make_at(now), partner: of, created_at: now, metadata }
    }

    /// Keeps a session, in one transaction with its response where an idempotency key came.
    ///
    /// # Errors
    /// [`crate::Error::Storage`] when it could not be kept: then there is none.
    pub async fn keep(&self, session: Session, response: Option<KeptResponse>) -> Result<Outcome<Session>> {
        let response_kept = response.as_ref().map(KeptResponse::keyed);
        let kept = self.shared.storage.keep_session(&session, response_kept).await?;
        self.shared.idempotency.outcome(kept, session, response).await
    }

    /// What a partner wanted to remember of a session; nothing where there is no such session (D50).
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
