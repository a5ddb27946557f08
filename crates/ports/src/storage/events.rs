//! Store operations for events (D95).
//!
//! An event is stored in the transaction of the change that it reports: operations on other records take
//! events as parameters.

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::event::{Event, EventData, EventType};
use domain::id::{EventId, InsurerId, PartnerId, Uuid};
use domain::line::LineOfBusiness;
use domain::premium::ReceiptOutcome;

use super::Result;
use super::lists::Beyond;

/// A new event to store. The store gives it the next number among the events of the same record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    pub id: EventId,
    pub kind: EventType,
    pub at: Timestamp,
    /// Id of the record that changed.
    pub subject: Uuid,
    pub data: EventData,
    /// Sale to count in metrics. `None`: the event concerns no sale, or a test partner's sale.
    pub sale: Option<CountedSale>,
}

/// Labels of a sale in metrics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedSale {
    pub line: LineOfBusiness,
    /// Insurer of the product. `None` if the running catalogue no longer has the product.
    pub insurer: Option<InsurerId>,
}

impl NewEvent {
    /// Event of a payment, with the payment's outcome.
    #[must_use]
    pub fn of_outcome(&self, outcome: ReceiptOutcome) -> Self {
        let kind = match outcome {
            ReceiptOutcome::Matched => EventType::PremiumReceived,
            ReceiptOutcome::Mismatch | ReceiptOutcome::RefundDue => EventType::PremiumMismatch,
        };
        let data = EventData { status: Some(outcome.word().to_owned()), ..self.data.clone() };
        NewEvent { kind, data, ..self.clone() }
    }
}

/// Selection of events. The result is newest first, by event id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventQuery {
    /// Only events of this type.
    pub kind: Option<EventType>,
    /// Only events of this record.
    pub subject: Option<Uuid>,
    /// Only events made at this instant or later.
    pub since: Option<Timestamp>,
    /// Only events made before this instant.
    pub until: Option<Timestamp>,
    /// `true`: only events that some endpoint has not accepted yet. `false`: only events that no endpoint
    /// still has to accept. `None`: all events.
    pub undelivered: Option<bool>,
    /// Start of the page: before or after this event.
    pub from: Option<Beyond<EventId>>,
    /// Maximum number of events.
    pub most: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventPage {
    /// Events of the page, newest first.
    pub events: Vec<Event>,
    /// Whether more events match, in the direction of the query.
    pub has_more: bool,
}

impl EventPage {
    /// A page of at most `most` events. The query reads one event more than `most`, which shows whether there
    /// are more.
    pub fn of(mut found: Vec<Event>, most: usize) -> Self {
        let has_more = found.len() > most;
        found.truncate(most);
        EventPage { events: found, has_more }
    }
}

#[async_trait]
pub trait Events: Send + Sync {
    async fn event(&self, of: PartnerId, id: EventId) -> Result<Option<Event>>;

    async fn events(&self, of: PartnerId, query: &EventQuery) -> Result<EventPage>;

    /// Stores an event that changes no other record.
    async fn add_event(&self, of: PartnerId, event: &NewEvent) -> Result<()>;

    /// Deletes events that were made before an instant: at most `most`, or a whole month if the engine
    /// partitions events by month. A month with newer events is not deleted as a whole. `true`: some were
    /// deleted, there may be more.
    ///
    /// The event counters of the records stay, so that no sequence number occurs twice.
    async fn forget_events(&self, before: Timestamp, most: usize) -> Result<bool>;
}
