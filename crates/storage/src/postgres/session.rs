//! Sessions (D37).

use async_trait::async_trait;
use domain::id::{PartnerId, SessionId};
use domain::session::Session;
use service::storage::{Kept, KeyedResponse, Sessions, StorageError};

use super::Postgres;
use super::column::{Group, get, get_instant, id, uuid, values};
use super::kept_response::{self, KeyOutcome};
use crate::rows;
use crate::rows::session::{Row, open};

#[async_trait]
impl Sessions for Postgres {
    async fn keep_session(
        &self,
        session: &Session,
        response: Option<&KeyedResponse>,
    ) -> Result<Kept, StorageError> {
        let row = Row::of(&self.seal, session)?;
        let response = rows::kept_response::Row::of_response(&self.seal, session.partner, response)?;
        let keep = include_str!("../../sql/sessions/keep.postgres.sql");
        let responses = kept_response::Columns::of(response.as_ref());
        let (of, id) = (uuid(row.of), uuid(row.id));
        let values = [values![of, id, row.created_at, row.body].to_vec(), responses.values()].concat();
        loop {
            let kept = self.connections.write(keep, &values).await;
            match self.key_outcome(kept, response.as_ref()).await? {
                KeyOutcome::Done(_) => return Ok(Kept::New),
                KeyOutcome::Twin => return Ok(Kept::Twin),
                KeyOutcome::Again => {}
            }
        }
    }

    async fn session(&self, of: PartnerId, session: SessionId) -> Result<Option<Session>, StorageError> {
        let read = include_str!("../../sql/sessions/read.sql");
        let found = self.connections.read_one(read, values![id(of), id(session)]).await?;
        found.map(|row| open(&self.seal, of, session, get_instant(&row, 0)?, get(&row, 1)?)).transpose()
    }
}
