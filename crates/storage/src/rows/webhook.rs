//! Rows of endpoints and of deliveries (D96). Addresses, secrets and what endpoints answered are sealed.

use domain::date::Timestamp;
use domain::id::{EventId, PartnerId, Uuid, WebhookEndpointId};
use domain::webhook::{
    Delivery, DeliveryState, EndpointHealth, EndpointState, WantedEvents, WebhookEndpoint,
};
use service::storage::StorageError;
use service::storage::webhooks::{ATTEMPTS_KEPT, Held, Sent};

use super::bound::Bound;
use super::id_bytes;
use crate::body::{DeliveryBody, EndpointBody, decode, encode};
use crate::codes::Coded;
use crate::fields::Fields;
use crate::seal::Seal;

const ENDPOINTS: &str = "webhook_endpoints";
const DELIVERIES: &str = "deliveries";

/// The code of every type.
const ALL_TYPES: i16 = 0;

/// An endpoint.
pub(crate) struct EndpointRow {
    pub(crate) of: PartnerId,
    pub(crate) id: WebhookEndpointId,
    pub(crate) created_at: i64,
    pub(crate) state: i16,
    pub(crate) version: i32,
    pub(crate) body: Vec<u8>,
    /// The types that it asks for while it is enabled.
    pub(crate) types: Vec<i16>,
}

impl EndpointRow {
    pub(crate) fn of(seal: &Seal, endpoint: &WebhookEndpoint) -> Result<Self, StorageError> {
        let WebhookEndpoint {
            id,
            partner,
            created_at,
            url,
            description,
            wanted,
            secrets,
            state,
            disabled,
            version,
            health: _,
        } = endpoint;
        let body = EndpointBody {
            url: url.clone(),
            description: description.clone(),
            types: match wanted {
                WantedEvents::All => None,
                WantedEvents::Types(types) => Some(types.clone()),
            },
            secrets: secrets.clone(),
            disabled: *disabled,
        };
        let types = match (state, wanted) {
            (EndpointState::Disabled, _) => Vec::new(),
            (EndpointState::Enabled, WantedEvents::All) => vec![ALL_TYPES],
            (EndpointState::Enabled, WantedEvents::Types(types)) => {
                types.iter().map(|kind| kind.code().into()).collect()
            }
        };
        let bound = endpoint_bound(*partner, *id, *created_at, *state, *version);
        Ok(EndpointRow {
            of: *partner,
            id: *id,
            created_at: created_at.as_microsecond(),
            state: state.code().into(),
            version: *version as i32,
            body: seal.seal(ENDPOINTS, bound.as_ref(), &encode(&body))?,
            types,
        })
    }
}

fn endpoint_bound(
    of: PartnerId,
    id: WebhookEndpointId,
    created_at: Timestamp,
    state: EndpointState,
    version: u32,
) -> Bound {
    Bound::row(of, &id_bytes(id))
        .number(created_at.as_microsecond())
        .number(i16::from(state.code()))
        .number(version)
}

/// An endpoint's columns before its body is opened.
pub(crate) struct FoundEndpoint {
    pub(crate) of: PartnerId,
    pub(crate) id: WebhookEndpointId,
    pub(crate) created_at: Timestamp,
    pub(crate) state: EndpointState,
    pub(crate) version: u32,
    pub(crate) health: EndpointHealth,
    pub(crate) body: Vec<u8>,
}

impl FoundEndpoint {
    /// An endpoint's columns.
    pub(crate) fn columns(row: Fields<'_>) -> Result<Self, StorageError> {
        Ok(FoundEndpoint {
            of: row.get(0)?,
            id: row.get(1)?,
            created_at: row.get(2)?,
            state: row.coded(3)?,
            version: row.get(4)?,
            health: health(row.from(5))?,
            body: row.get(8)?,
        })
    }
}

/// How deliveries went of late.
pub(crate) fn health(row: Fields<'_>) -> Result<EndpointHealth, StorageError> {
    Ok(EndpointHealth { failures: row.get(0)?, failing_since: row.get(1)?, rests_until: row.get(2)? })
}

impl FoundEndpoint {
    pub(crate) fn open(self, seal: &Seal) -> Result<WebhookEndpoint, StorageError> {
        let FoundEndpoint { of, id, created_at, state, version, health, body } = self;
        let bound = endpoint_bound(of, id, created_at, state, version);
        let EndpointBody { url, description, types, secrets, disabled } =
            decode(&seal.open(ENDPOINTS, bound.as_ref(), &body)?)?;
        Ok(WebhookEndpoint {
            id,
            partner: of,
            created_at,
            url,
            description,
            wanted: types.map_or(WantedEvents::All, WantedEvents::Types),
            secrets,
            state,
            disabled,
            version,
            health,
        })
    }
}

impl FoundEndpoint {
    /// The same, for those who look at many: one that does not open is left out with an error in the log, and the others go on.
    pub(crate) fn open_or_skip(self, seal: &Seal) -> Option<WebhookEndpoint> {
        let id = self.id;
        let opened = self.open(seal);
        opened
            .inspect_err(|fault| tracing::error!(endpoint.id = %id, "nothing is delivered to {id}: {fault}"))
            .ok()
    }
}

fn delivery_bound(of: PartnerId, endpoint: WebhookEndpointId, event: EventId) -> Bound {
    Bound::row(of, &id_bytes(endpoint)).bytes(Some(&id_bytes(event)))
}

/// A delivery's columns before its body is opened.
pub(crate) struct FoundDelivery {
    pub(crate) of: PartnerId,
    pub(crate) endpoint: WebhookEndpointId,
    pub(crate) event: EventId,
    pub(crate) state: DeliveryState,
    pub(crate) due_at: Option<Timestamp>,
    pub(crate) tries: u32,
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) lease: u32,
}

impl FoundDelivery {
    /// A delivery's columns.
    pub(crate) fn columns(row: Fields<'_>) -> Result<Self, StorageError> {
        Ok(FoundDelivery {
            of: row.get(0)?,
            endpoint: row.get(1)?,
            event: row.get(2)?,
            state: row.coded(3)?,
            due_at: row.get(4)?,
            tries: row.get(5)?,
            body: row.get(6)?,
            lease: row.get(7)?,
        })
    }
}

impl FoundDelivery {
    pub(crate) fn open(self, seal: &Seal) -> Result<Delivery, StorageError> {
        let FoundDelivery { of, endpoint, event, state, due_at, tries, body, lease: _ } = self;
        let attempts = match body {
            None => Vec::new(),
            Some(body) => {
                let body = seal.open(DELIVERIES, delivery_bound(of, endpoint, event).as_ref(), &body)?;
                decode::<DeliveryBody>(&body)?.attempts
            }
        };
        Ok(Delivery { endpoint, event, state, due_at, tries, attempts })
    }
}

impl FoundDelivery {
    /// A delivery that an owner holds now. One that does not open is left out with an error in the log.
    pub(crate) fn held_or_skipped(self, seal: &Seal, owner: Uuid) -> Option<Held> {
        let (of, event, lease) = (self.of, self.event, self.lease);
        let opened = self.open(seal);
        let opened = opened
            .inspect_err(|fault| tracing::error!(event.id = %event, "{event} is not delivered: {fault}"));
        Some(Held { of, delivery: opened.ok()?, owner, lease })
    }
}

/// A delivery after another attempt.
pub(crate) struct AttemptRow {
    pub(crate) state: i16,
    pub(crate) due_at: Option<i64>,
    pub(crate) tries: i32,
    pub(crate) body: Vec<u8>,
    pub(crate) is_taken: bool,
    pub(crate) at: i64,
    pub(crate) rests_after: i32,
    pub(crate) rests_until: i64,
}

impl AttemptRow {
    pub(crate) fn of(seal: &Seal, held: &Held, sent: &Sent) -> Result<Self, StorageError> {
        let Delivery { endpoint, event, tries, attempts, .. } = &held.delivery;
        let skipped = (attempts.len() + 1).saturating_sub(ATTEMPTS_KEPT);
        let attempts = attempts.iter().skip(skipped).chain([&sent.attempt]).cloned().collect();
        let bound = delivery_bound(held.of, *endpoint, *event);
        Ok(AttemptRow {
            state: sent.state.code().into(),
            due_at: sent.due_at.map(Timestamp::as_microsecond),
            tries: *tries as i32 + 1,
            body: seal.seal(DELIVERIES, bound.as_ref(), &encode(&DeliveryBody { attempts }))?,
            is_taken: sent.attempt.is_taken(),
            at: sent.attempt.at.as_microsecond(),
            rests_after: sent.rests.0 as i32,
            rests_until: sent.rests.1.as_microsecond(),
        })
    }
}
