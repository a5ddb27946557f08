//! Rows of journeys, found by the hash of what the browser's cookie holds (D38).

use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use domain::journey::Journey;
use service::storage::StorageError;
use service::storage::journeys::OldJourney;

use super::bound::Bound;
use super::id_bytes;
use crate::body::{JourneyBody, decode_rewritten, encode_rewritten};
use crate::fields::Fields;
use crate::seal::Seal;

const TABLE: &str = "journeys";

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
            body: seal.seal(
                TABLE,
                bound(journey.partner, journey.id, journey.token, &journey.cookie).as_ref(),
                &body,
            )?,
        })
    }

    /// The version that this one replaces.
    pub(crate) fn before(&self) -> u32 {
        self.version.wrapping_sub(1)
    }
}

/// What a journey is bound to. When its customer was seen, and its version, change without its body being judged.
fn bound(of: PartnerId, id: Uuid, token: Uuid, cookie: &[u8; 32]) -> Bound {
    Bound::row(of, id.as_bytes()).bytes(Some(token.as_bytes())).bytes(Some(cookie))
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
    /// A journey's columns.
    pub(crate) fn columns(row: Fields<'_>) -> Result<Self, StorageError> {
        Ok(Found {
            partner: row.get(0)?,
            id: row.get(1)?,
            token: row.get(2)?,
            seen_at: row.get(3)?,
            version: row.get(4)?,
            body: row.get(5)?,
        })
    }
}

impl Found {
    /// A journey that nobody may be able to read any more.
    pub(crate) fn old(self, seal: &Seal, cookie: [u8; 32]) -> OldJourney {
        let (partner, id, version) = (self.partner, self.id, self.version);
        let journey = self.open(seal, cookie);
        if let Err(fault) = &journey {
            tracing::warn!(partner.id = %partner, "a journey that ends cannot be read: {fault}");
        }
        OldJourney { partner, id, version, journey: journey.ok() }
    }

    pub(crate) fn open(self, seal: &Seal, cookie: [u8; 32]) -> Result<Journey, StorageError> {
        let Found { partner, id, token, seen_at, version, body } = self;
        let body = seal.open(TABLE, bound(partner, id, token, &cookie).as_ref(), &body)?;
        let (body, as_read): (JourneyBody, _) = decode_rewritten(&body)?;
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::id::{SessionId, Uuid};
    use domain::journey::Answers;
    use domain::language::Language;
    use domain::person::HomePincode;
    use service::clock::{Clock, Random};
    use service::keys::{Key, KeyPurpose};

    use super::*;

    struct Zeros;

    impl Random for Zeros {
        fn fill(&self, bytes: &mut [u8]) {
            bytes.fill(0);
        }
    }

    impl Clock for Zeros {
        fn now(&self) -> Timestamp {
            Timestamp::UNIX_EPOCH
        }
    }

    fn seal() -> Seal {
        let key = Key {
            number: 1,
            purpose: KeyPurpose::Data,
            secret: [7; 32],
            created_at: Timestamp::UNIX_EPOCH,
            active_from: Timestamp::UNIX_EPOCH,
            retired_at: None,
        };
        Seal::new(&[key], Arc::new(Zeros), Arc::new(Zeros))
    }

    fn opened() -> Journey {
        Journey {
            id: Uuid::from_u128(1),
            partner: PartnerId::from_uuid(Uuid::from_u128(2)),
            session: SessionId::from_uuid(Uuid::from_u128(3)),
            token: Uuid::from_u128(4),
            cookie: [5; 32],
            opened_at: Timestamp::UNIX_EPOCH,
            seen_at: Timestamp::UNIX_EPOCH,
            version: 1,
            language: Language::English,
            user: None,
            return_url: None,
            answers: Answers::default(),
            as_read: None,
        }
    }

    fn read(seal: &Seal, plain: &[u8]) -> Journey {
        let Journey { id, partner, token, seen_at, version, cookie, .. } = opened();
        let body = seal.seal(TABLE, bound(partner, id, token, &cookie).as_ref(), plain).expect("sealed");
        Found { partner, id, token, seen_at, version, body }.open(seal, cookie).expect("readable")
    }

    fn written(seal: &Seal, journey: &Journey) -> Vec<u8> {
        let row = Row::of(seal, journey).expect("written");
        let Journey { id, partner, token, cookie, .. } = journey;
        seal.open(TABLE, bound(*partner, *id, *token, cookie).as_ref(), &row.body).expect("opened")
    }

    #[test]
    fn what_a_newer_program_keeps_in_a_journey_outlives_a_change() {
        let seal = seal();
        let mut plain = written(&seal, &opened());
        assert!(read(&seal, &plain) == opened(), "nothing is carried along where nothing is unknown");
        // One more field behind those of today, which is a number.
        plain[1] += 1;
        plain.push(5);
        let mut journey = read(&seal, &plain);
        journey.answers.pincode = Some(HomePincode::kept("560038".into()));
        let changed = written(&seal, &journey);
        assert_eq!(changed.last(), Some(&5));
        assert!(read(&seal, &changed).answers == journey.answers);
    }
}
