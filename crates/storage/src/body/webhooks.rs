//! Encoding of webhook endpoints and deliveries, in the encrypted body of their rows.

use domain::date::Timestamp;
use domain::event::EventType;
use domain::webhook::{DeliveryAttempt, DisabledBy, SigningSecret};

use super::record::record;

/// Encrypted part of a webhook endpoint: the fields that have no column of their own.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct EndpointBody {
    pub(crate) url: String,
    pub(crate) description: Option<String>,
    /// Event types that the endpoint receives. `None` if it receives all.
    pub(crate) types: Option<Vec<EventType>>,
    pub(crate) secrets: Vec<SigningSecret>,
    pub(crate) disabled: Option<(DisabledBy, Timestamp)>,
}

/// Encrypted part of a webhook delivery: its latest attempts.
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
