//! Carrying an event to a partner's server: what is sent and what comes back, whoever carries it (D96).

use std::time::Duration;

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::id::EventId;

/// An event on its way.
#[derive(Clone)]
pub struct Parcel {
    /// The address of the partner's endpoint.
    pub url: String,
    /// Every live secret of the endpoint: the message is signed with each.
    pub secrets: Vec<Vec<u8>>,
    pub id: EventId,
    /// When it is sent.
    pub at: Timestamp,
    /// What is sent: JSON.
    pub body: Vec<u8>,
}

/// What a server answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Carried {
    pub status: u16,
    /// How long it asks us to wait.
    pub retry_after: Option<Duration>,
    /// The beginning of its body, as text.
    pub answer: String,
}

/// Carries events.
#[async_trait]
pub trait Carrier: std::fmt::Debug + Send + Sync {
    /// Judges the address of an endpoint before it is kept, without looking its name up.
    ///
    /// # Errors
    /// What is wrong with it, as a sentence.
    fn judge(&self, url: &str) -> Result<(), String>;

    /// Sends an event once.
    ///
    /// # Errors
    /// Why there was no answer, for the partner to read: it never says what is inside of the operator's network.
    async fn carry(&self, parcel: &Parcel) -> Result<Carried, String>;
}
