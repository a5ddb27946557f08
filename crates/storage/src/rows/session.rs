//! Rows of sessions (D37).

use domain::date::Timestamp;
use domain::id::{PartnerId, SessionId};
use domain::session::Session;
use service::storage::StorageError;

use super::bound::Bound;
use super::id_bytes;
use crate::body::{SessionBody, decode, encode};
use crate::seal::Seal;

const TABLE: &str = "sessions";

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
            body: seal.seal(
                TABLE,
                bound(session.partner, session.id, session.created_at).as_ref(),
                &encode(&body),
            )?,
        })
    }
}

/// What a session is bound to.
fn bound(of: PartnerId, id: SessionId, created_at: Timestamp) -> Bound {
    Bound::row(of, &id_bytes(id)).number(created_at.as_microsecond())
}

/// Opens a session's body.
pub(crate) fn open(
    seal: &Seal,
    of: PartnerId,
    id: SessionId,
    created_at: Timestamp,
    sealed: &[u8],
) -> Result<Session, StorageError> {
    let body: SessionBody = decode(&seal.open(TABLE, bound(of, id, created_at).as_ref(), sealed)?)?;
    Ok(Session { id, partner: of, created_at, metadata: body.metadata.into_iter().collect() })
}
