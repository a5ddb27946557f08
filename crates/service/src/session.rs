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

    /// Whether a partner has a session.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn has_session(&self, of: PartnerId, id: SessionId) -> Result<bool, Error> {
        Ok(self.storage.session(of, id).await?.is_some())
    }
}
