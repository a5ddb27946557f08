//! Sessions (D37).

use async_trait::async_trait;
use domain::id::{PartnerId, SessionId};
use domain::session::Session;
use service::storage::{Kept, Once as Answer, Sessions, StorageError};

use super::Postgres;
use super::answer::{self, Once};
use super::column::{Group, get, get_instant, id, uuid, values};
use crate::rows;
use crate::rows::session::{Row, open};

#[async_trait]
impl Sessions for Postgres {
    async fn keep_session(&self, session: &Session, once: Option<&Answer>) -> Result<Kept, StorageError> {
        let row = Row::of(&self.seal, session)?;
        let answer = rows::answer::Row::of_once(&self.seal, session.partner, once)?;
        let keep = include_str!("../../sql/sessions/keep.postgres.sql");
        let answers = answer::Columns::of(answer.as_ref());
        let (of, id) = (uuid(row.of), uuid(row.id));
        let values = [values![of, id, row.created_at, row.body].to_vec(), answers.values()].concat();
        loop {
            let kept = self.connections.write(keep, &values).await;
            match self.once(kept, answer.as_ref()).await? {
                Once::Done(_) => return Ok(Kept::New),
                Once::Twin => return Ok(Kept::Twin),
                Once::Again => {}
            }
        }
    }

    async fn session(&self, of: PartnerId, session: SessionId) -> Result<Option<Session>, StorageError> {
        let read = include_str!("../../sql/sessions/read.sql");
        let found = self.connections.read_one(read, values![id(of), id(session)]).await?;
        found.map(|row| open(&self.seal, of, session, get_instant(&row, 0)?, get(&row, 1)?)).transpose()
    }
}
