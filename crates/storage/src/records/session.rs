//! Database rows of customers' sessions (D37).

use crate::records::row::{ToRow, row};
use std::collections::BTreeMap;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, SessionId};
use domain::session::Session;
use ports::storage::{Identified, Kept, KeyedResponse, Result, Sessions};

use super::tag::{self, TagRow};
use super::{id_bytes, kept_response};
use crate::audit::UPKEEP;
use crate::body::{SessionBody, decode, encode};
use crate::fields::{FromRow, RowFields, values};
use crate::operation::{Operation, sql};
use crate::seal::Seal;
use crate::store::Store;

const TABLE: &str = "sessions";

row! {
    /// Session as stored in its row.
    Row in "sessions/keep" {
        partner_id: PartnerId,
        session_id: SessionId,
        created_at: Timestamp,
    } free {
        body: Vec<u8>,
    }
}

impl Row {
    fn of(
        seal: &Seal,
        (partner_id, session_id, created_at): (PartnerId, SessionId, Timestamp),
        metadata: &BTreeMap<String, String>,
    ) -> Result<Self> {
        let mut row = Row { partner_id, session_id, created_at, body: Vec::new() };
        let body = SessionBody { metadata: metadata.clone().into_iter().collect() };
        row.body = seal.seal(TABLE, &row.bound(), &encode(&body))?;
        Ok(row)
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<Session> {
        let body: SessionBody = decode(&seal.open(TABLE, &self.bound(), &self.body)?)?;
        let Row { partner_id: partner, session_id: id, created_at, .. } = self;
        Ok(Session { id, partner, created_at, metadata: body.metadata.into_iter().collect() })
    }

    /// Row of a session without its metadata, for an erasure.
    pub(crate) fn emptied(seal: &Seal, of: PartnerId, id: SessionId, created_at: Timestamp) -> Result<Self> {
        Row::of(seal, (of, id, created_at), &BTreeMap::new())
    }

    /// Overwrites the session's metadata.
    pub(crate) fn overwrite(&self, to: &mut dyn Operation) {
        to.execute(sql!("sessions/empty"), values![self.body, self.partner_id, self.session_id]);
    }
}

/// New session with the tags by which it is found.
pub(crate) struct NewSession {
    row: Row,
    tags: Vec<TagRow>,
}

impl NewSession {
    pub(crate) fn of(seal: &Seal, session: &Session) -> Result<Self> {
        let Session { id, partner, created_at, metadata } = session;
        Ok(NewSession {
            row: Row::of(seal, (*partner, *id, *created_at), metadata)?,
            tags: TagRow::all(seal, *partner, Identified::Session, id_bytes(*id), &session.identifiers())?,
        })
    }
}

/// Writes a new session.
pub(crate) fn keep(to: &mut dyn Operation, NewSession { row, tags }: &NewSession) {
    to.execute(sql!("sessions/keep"), &row.values());
    tag::add(to, tags);
}

#[async_trait]
impl Sessions for Store {
    async fn keep_session(&self, session: &Session, response: Option<&KeyedResponse>) -> Result<Kept> {
        let response = kept_response::Row::of_response(&self.seal, session.partner, response)?;
        let given = (NewSession::of(&self.seal, session)?, response);
        let kept = self.act(UPKEEP, given, |(row, response), to| {
            Box::pin(async move {
                kept_response::keep(to, response.as_ref());
                keep(to, row);
                Ok(())
            })
        });
        kept_response::unless_twin(kept.await)
    }

    async fn session(&self, of: PartnerId, id: SessionId) -> Result<Option<Session>> {
        let session = |row: RowFields<'_>| Row::columns(row)?.open(&self.seal);
        self.first(sql!("sessions/read"), values![of, id], session).await
    }
}
