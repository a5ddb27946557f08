//! Rows of journeys, found by the hash of what the browser's cookie holds (D38).

use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use domain::journey::Journey;
use service::storage::StorageError;

use super::id_bytes;
use crate::body::{JourneyBody, decode_rewritten, encode_rewritten};
use crate::seal::Seal;

pub(crate) const TABLE: &str = "journeys";

/// A journey.
pub(crate) struct Row {
    pub(crate) of: [u8; 16],
    pub(crate) id: [u8; 16],
    pub(crate) token: [u8; 16],
    pub(crate) cookie: [u8; 32],
    pub(crate) seen_at: i64,
    pub(crate) version: u32,
    pub(crate) body: Vec<u8>,
}

impl Row {
    pub(crate) fn of(seal: &Seal, journey: &Journey) -> Result<Self, StorageError> {
        let id = *journey.id.as_bytes();
        let body = encode_rewritten(&JourneyBody::of(journey), journey.as_read.as_deref())?;
        Ok(Row {
            of: id_bytes(journey.partner),
            id,
            token: *journey.token.as_bytes(),
            cookie: journey.cookie,
            seen_at: journey.seen_at.as_microsecond(),
            version: journey.version,
            body: seal.seal(TABLE, &id, &body)?,
        })
    }

    /// The version that this one replaces.
    pub(crate) fn before(&self) -> u32 {
        self.version.wrapping_sub(1)
    }
}

/// A journey's columns before its body is opened.
pub(crate) struct Found {
    pub(crate) partner: PartnerId,
    pub(crate) id: Uuid,
    pub(crate) token: Uuid,
    pub(crate) seen_at: Timestamp,
    pub(crate) version: u32,
    pub(crate) body: Vec<u8>,
}

impl Found {
    pub(crate) fn open(self, seal: &Seal, cookie: [u8; 32]) -> Result<Journey, StorageError> {
        let Found { partner, id, token, seen_at, version, body } = self;
        let (body, as_read): (JourneyBody, _) = decode_rewritten(&seal.open(TABLE, id.as_bytes(), &body)?)?;
        Ok(Journey {
            id,
            partner,
            session: body.session,
            token,
            cookie,
            opened_at: body.opened_at,
            seen_at,
            version,
            language: body.language,
            user: body.user,
            return_url: body.return_url,
            answers: body.answers,
            as_read,
        })
    }
}
