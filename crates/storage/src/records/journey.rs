//! Database rows of journeys. A journey is found by the hash of the browser's cookie (D38).

use crate::records::row::{ToRow, row};
use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::{PartnerId, Uuid};
use domain::journey::Journey;
use domain::session::Session;
use ports::storage::journeys::OldJourney;
use ports::storage::{Journeys, NewEvent, Result};

use super::event::{self, EventRow};
use super::session;
use crate::audit::UPKEEP;
use crate::body::{JourneyBody, decode_rewritten, encode_rewritten};
use crate::fields::{FromRow, RowFields, values};
use crate::operation::{Guard, Operation, sql};
use crate::seal::Seal;
use crate::store::{Store, unless_changed};

const TABLE: &str = "journeys";

row! {
    /// Journey as stored in its row.
    Row in "journeys/open" {
        partner_id: PartnerId,
        journey_id: Uuid,
        token_id: Uuid,
        cookie_hash: [u8; 32],
    } free {
        seen_at: Timestamp,
        version: u32,
        body: Vec<u8>,
    }
}

impl Row {
    pub(crate) fn of(seal: &Seal, journey: &Journey) -> Result<Self> {
        let body = encode_rewritten(&JourneyBody::of(journey), journey.as_read.as_deref())?;
        let mut row = Row {
            partner_id: journey.partner,
            journey_id: journey.id,
            token_id: journey.token,
            cookie_hash: journey.cookie,
            seen_at: journey.seen_at,
            version: journey.version,
            body: Vec::new(),
        };
        row.body = seal.seal(TABLE, &row.bound(), &body)?;
        Ok(row)
    }

    /// Version of the journey that this row replaces.
    pub(crate) fn before(&self) -> u32 {
        self.version.wrapping_sub(1)
    }

    /// Journey that is old enough to be removed. Its content is `None` if it cannot be read.
    pub(crate) fn old(self, seal: &Seal) -> OldJourney {
        let (partner, id, version) = (self.partner_id, self.journey_id, self.version);
        let journey = self.open(seal);
        if let Err(fault) = &journey {
            tracing::warn!(partner.id = %partner, "an old journey cannot be read: {fault}");
        }
        OldJourney { partner, id, version, journey: journey.ok() }
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<Journey> {
        let body = seal.open(TABLE, &self.bound(), &self.body)?;
        let (body, as_read): (JourneyBody, _) = decode_rewritten(&body)?;
        Ok(Journey {
            id: self.journey_id,
            partner: self.partner_id,
            session: body.session,
            token: self.token_id,
            cookie: self.cookie_hash,
            opened_at: body.opened_at,
            seen_at: self.seen_at,
            version: self.version,
            language: body.language,
            user: body.user,
            return_url: body.return_url,
            answers: body.answers,
            as_read,
        })
    }
}

/// Replaces the previous version of a journey. If another request changed the journey, the operation stops.
pub(crate) fn change(to: &mut dyn Operation, journey: &Row) {
    let Row { partner_id, journey_id, seen_at, version, body, .. } = journey;
    let values = values![seen_at, version, body, partner_id, journey_id, journey.before()];
    to.require(sql!("journeys/change"), values, Guard::Journey);
}

#[async_trait]
impl Journeys for Store {
    async fn open_journey(&self, journey: &Journey, begins: Option<&Session>) -> Result<bool> {
        let begins = begins.map(|session| session::NewSession::of(&self.seal, session)).transpose()?;
        let opened = self.act(UPKEEP, (Row::of(&self.seal, journey)?, begins), |(row, begins), to| {
            Box::pin(async move {
                to.require(sql!("journeys/open"), &row.values(), Guard::Taken);
                if let Some(begins) = begins {
                    session::keep(to, begins);
                }
                Ok(())
            })
        });
        unless_changed(opened.await)
    }

    async fn tokens_used(&self, since: Timestamp) -> Result<Vec<Uuid>> {
        self.all(sql!("journeys/tokens_used"), values![since], |row| row.get(0)).await
    }

    async fn journey(&self, cookie: [u8; 32]) -> Result<Option<Journey>> {
        let open = |row: RowFields<'_>| Row::columns(row)?.open(&self.seal);
        self.first(sql!("journeys/read"), values![cookie], open).await
    }

    async fn journey_opened_by(&self, of: PartnerId, token: Uuid) -> Result<Option<[u8; 32]>> {
        self.first(sql!("journeys/opened_by"), values![of, token], |row| row.get(0)).await
    }

    async fn change_journey(&self, journey: &Journey) -> Result<bool> {
        let changed = self.act(UPKEEP, Row::of(&self.seal, journey)?, |row, to| {
            Box::pin(async move {
                change(to, row);
                Ok(())
            })
        });
        unless_changed(changed.await)
    }

    async fn old_journeys(&self, before: Timestamp, most: usize) -> Result<Vec<OldJourney>> {
        let old = |row: RowFields<'_>| Ok(Row::columns(row)?.old(&self.seal));
        self.all(sql!("journeys/old"), values![before, most], old).await
    }

    async fn forget_journeys(&self, old: &[(OldJourney, Option<NewEvent>)]) -> Result<usize> {
        let row = |(old, event): &(OldJourney, Option<NewEvent>)| {
            let events = EventRow::all(&self.seal, old.partner, event.as_slice())?;
            Ok((old.partner, old.id, old.version, events))
        };
        let rows = old.iter().map(row).collect::<Result<Vec<_>>>()?;
        let forgotten = self.act(UPKEEP, rows, |rows, to| {
            Box::pin(async move {
                let sets: Vec<_> =
                    rows.iter().map(|(of, id, version, _)| values![of, id, version].to_vec()).collect();
                let forgotten = to.change_each(sql!("journeys/forget"), &sets).await?;
                for ((.., events), _) in rows.iter().zip(&forgotten).filter(|(_, forgotten)| **forgotten == 1)
                {
                    event::note(to, events);
                }
                Ok(forgotten.iter().sum::<u64>())
            })
        });
        Ok(forgotten.await? as usize)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use domain::id::{SessionId, Uuid};
    use domain::journey::Answers;
    use domain::language::Language;
    use domain::person::HomePincode;
    use ports::clock::{Clock, Random};
    use ports::keys::{Key, KeyPurpose};

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
        let mut row = Row::of(seal, &opened()).expect("written");
        row.body = seal.seal(TABLE, &row.bound(), plain).expect("sealed");
        row.open(seal).expect("readable")
    }

    fn written(seal: &Seal, journey: &Journey) -> Vec<u8> {
        let row = Row::of(seal, journey).expect("written");
        seal.open(TABLE, &row.bound(), &row.body).expect("opened")
    }

    #[test]
    fn a_change_of_a_journey_preserves_the_fields_of_a_newer_program() {
        let seal = seal();
        let mut plain = written(&seal, &opened());
        assert!(read(&seal, &plain) == opened(), "nothing is carried along where nothing is unknown");
        // One more field after today's. It is a number.
        plain[1] += 1;
        plain.push(5);
        let mut journey = read(&seal, &plain);
        journey.answers.pincode = Some(HomePincode::kept("560038".into()));
        let changed = written(&seal, &journey);
        assert_eq!(changed.last(), Some(&5));
        assert!(read(&seal, &changed).answers == journey.answers);
    }
}
