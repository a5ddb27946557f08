//! Rows of sessions (D37).

use domain::date::Timestamp;
use domain::id::{PartnerId, SessionId};
use domain::session::Session;
use service::storage::StorageError;

use super::id_bytes;
use crate::body::{SessionBody, decode, encode};
use crate::seal::Seal;

pub(crate) const TABLE: &str = "sessions";

/// A session.
pub(crate) struct Row {
    pub(crate) of: [u8; 16],
    pub(crate) id: [u8; 16],
    pub(crate) created_at: i64,
    pub(crate) body: Vec<u8>,
}

impl Row {
    pub(crate) fn of(seal: &Seal, session: &Session) -> Result<Self, StorageError> {
        let id = id_bytes(session.id);
        let body = SessionBody { metadata: session.metadata.clone().into_iter().collect() };
        Ok(Row {
            of: id_bytes(session.partner),
            id,
            created_at: session.created_at.as_microsecond(),
            body: seal.seal(TABLE, &id, &encode(&body))?,
        })
    }
}

/// Opens a session's body.
pub(crate) fn open(
    seal: &Seal,
    of: PartnerId,
    id: SessionId,
    created_at: Timestamp,
    sealed: &[u8],
) -> Result<Session, StorageError> {
    let body: SessionBody = decode(&seal.open(TABLE, &id_bytes(id), sealed)?)?;
    Ok(Session { id, partner: of, created_at, metadata: body.metadata.into_iter().collect() })
}
