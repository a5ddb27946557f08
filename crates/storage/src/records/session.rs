//! Database rows of customers' sessions (D37).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, SessionId};
use domain::session::Session;
use ports::storage::{Identified, Kept, KeyedResponse, Result, Sessions};

use super::bound::Bound;
use super::tag::{self, TagRow};
use super::{id_bytes, kept_response};
use crate::audit::UPKEEP;
use crate::body::{SessionBody, decode, encode};
use crate::fields::{RowFields, values};
use crate::operation::{Operation, sql};
use crate::seal::Seal;
use crate::store::Store;

const TABLE: &str = "sessions";

pub(crate) struct Row {
    pub(crate) of: [u8; 16],
    pub(crate) id: [u8; 16],
    pub(crate) created_at: i64,
    pub(crate) body: Vec<u8>,
    pub(crate) tags: Vec<TagRow>,
}

impl Row {
    pub(crate) fn of(seal: &Seal, session: &Session) -> Result<Self> {
        let id = id_bytes(session.id);
        let body = SessionBody { metadata: session.metadata.clone().into_iter().collect() };
        Ok(Row {
            of: id_bytes(session.partner),
            id,
            created_at: session.created_at.as_microsecond(),
            body: seal.seal(
                TABLE,
                bound(session.partner, session.id, session.created_at).as_ref(),
                &encode(&body),
            )?,
            tags: TagRow::all(seal, session.partner, Identified::Session, id, &session.identifiers())?,
        })
    }
}

/// Columns to which a session's encrypted body is bound, so that a change of a column is detected.
fn bound(of: PartnerId, id: SessionId, created_at: Timestamp) -> Bound {
    Bound::row(of, &id_bytes(id)).number(created_at.as_microsecond())
}

/// Decrypts a session.
pub(crate) fn open(
    seal: &Seal,
    of: PartnerId,
    id: SessionId,
    created_at: Timestamp,
    sealed: &[u8],
) -> Result<Session> {
    let body: SessionBody = decode(&seal.open(TABLE, bound(of, id, created_at).as_ref(), sealed)?)?;
    Ok(Session { id, partner: of, created_at, metadata: body.metadata.into_iter().collect() })
}

/// Writes a new session.
pub(crate) fn keep(to: &mut dyn Operation, Row { of, id, created_at, body, tags }: &Row) {
    to.execute(sql!("sessions/keep"), values![of, id, created_at, body]);
    tag::add(to, tags);
}

/// Session without its metadata, for an erasure.
pub(crate) struct Emptied {
    of: PartnerId,
    id: SessionId,
    body: Vec<u8>,
}

impl Emptied {
    pub(crate) fn of(seal: &Seal, of: PartnerId, id: SessionId, created_at: Timestamp) -> Result<Self> {
        let empty = encode(&SessionBody { metadata: [].into_iter().collect() });
        Ok(Emptied { of, id, body: seal.seal(TABLE, bound(of, id, created_at).as_ref(), &empty)? })
    }

    /// Overwrites the session's metadata.
    pub(crate) fn write(&self, to: &mut dyn Operation) {
        to.execute(sql!("sessions/empty"), values![self.body, self.of, self.id]);
    }
}

#[async_trait]
impl Sessions for Store {
    async fn keep_session(&self, session: &Session, response: Option<&KeyedResponse>) -> Result<Kept> {
        let response = kept_response::Row::of_response(&self.seal, session.partner, response)?;
        let given = (Row::of(&self.seal, session)?, response);
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
        let session = |row: RowFields<'_>| open(&self.seal, of, id, row.get(0)?, row.get(1)?);
        self.first(sql!("sessions/read"), values![of, id], session).await
    }
}
