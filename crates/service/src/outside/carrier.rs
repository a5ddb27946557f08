//! Interface for sending events to partners' servers (D96).

use std::time::Duration;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::EventId;

/// Event to send.
#[derive(Clone)]
pub struct Parcel {
    /// URL of the partner's endpoint.
    pub url: String,
    /// Every live secret of the endpoint. The message gets a signature with each secret.
    pub secrets: Vec<Vec<u8>>,
    pub id: EventId,
    /// Time of sending.
    pub at: Timestamp,
    /// The event as JSON text.
    pub body: Vec<u8>,
}

/// Response of a partner's server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    pub status: u16,
    /// Wait that the server requests with `Retry-After`.
    pub retry_after: Option<Duration>,
    /// Beginning of the response body, as text.
    pub answer: String,
}

/// Sends events to partners' servers.
#[async_trait]
pub trait Carrier: std::fmt::Debug + Send + Sync {
    /// Checks the URL of an endpoint before it is saved, without a DNS lookup.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    fn judge(&self, url: &str) -> Result<(), String>;

    /// Sends an event once.
    ///
    /// # Errors
    /// Why there was no response, for the partner to read. It reveals nothing inside the operator's network.
    async fn carry(&self, parcel: &Parcel) -> Result<Carried, String>;
}
