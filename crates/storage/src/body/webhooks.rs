//! Endpoints and deliveries in bodies.

use domain::date::Timestamp;
use domain::event::EventType;
use domain::webhook::{DeliveryAttempt, DisabledBy, SigningSecret};

use super::record::record;

/// An endpoint without what its row has.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EndpointBody {
    pub(crate) url: String,
    pub(crate) description: Option<String>,
    /// None: every type.
    pub(crate) types: Option<Vec<EventType>>,
    pub(crate) secrets: Vec<SigningSecret>,
    pub(crate) disabled: Option<(DisabledBy, Timestamp)>,
}

/// The latest attempts of a delivery.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct DeliveryBody {
    pub(crate) attempts: Vec<DeliveryAttempt>,
}

record! {
    EndpointBody { 0: url, 1: description, 2: types, 3: secrets, 4: disabled }
    SigningSecret { 0: bytes, 1: since, 2: until }
    DeliveryBody { 0: attempts }
    DeliveryAttempt { 0: at, 1: millis, 2: status, 3: answer }
}
