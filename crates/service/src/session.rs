//! Sessions: opened by a partner, named by its quotes (D37).

use std::collections::BTreeMap;

use domain::id::{PartnerId, SessionId};
use domain::session::Session;

use crate::Service;
use crate::error::Error;
use crate::idempotency::{Answered, Answering};

impl Service {
    /// Opens a session.
    ///
    /// # Errors
    /// [`Error::Storage`] when it could not be kept: then there is none.
    pub async fn open_session(
        &self,
        of: PartnerId,
        metadata: BTreeMap<String, String>,
        answering: Answering<'_, Session>,
    ) -> Result<Answered, Error> {
        let now = self.clock.now();
        let session = Session { id: self.ids.make_at(now), partner: of, created_at: now, metadata };
        let (bytes, once) = answering.answer(&session, now);
        let kept = self.storage.keep_session(&session, once.as_ref()).await?;
        self.settle(kept, bytes, answering.attempt()).await
    }

    /// What a partner wanted to remember of a session; nothing where there is no such session (D50).
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn session_metadata(
        &self,
        of: PartnerId,
        named: &str,
    ) -> Result<BTreeMap<String, String>, Error> {
        let Ok(id) = named.parse::<SessionId>() else { return Ok(BTreeMap::new()) };
        let session = self.storage.session(of, id).await?;
        Ok(session.map(|session| session.metadata).unwrap_or_default())
    }

    /// Whether a partner has a session.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn has_session(&self, of: PartnerId, id: SessionId) -> Result<bool, Error> {
        Ok(self.storage.session(of, id).await?.is_some())
    }
}
