//! What the use cases need of a store for events. An event is kept in the transaction of what it tells: the acts of the other nouns
//! take them along (D95).

use async_trait::async_trait;
use domain::date::Timestamp;
use domain::event::{Event, EventData, EventType};
use domain::id::{EventId, InsurerId, PartnerId, Uuid};
use domain::line::LineOfBusiness;
use domain::premium::ReceiptOutcome;

use super::Result;
use super::lists::Beyond;

/// An event that is not kept yet: the store counts it among those of its subject.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    pub id: EventId,
    /// What happened.
    pub kind: EventType,
    /// When.
    pub at: Timestamp,
    /// To what.
    pub subject: Uuid,
    /// What it tells.
    pub data: EventData,
    /// Sale for which metrics count it. `None`: it concerns no sale, or a test partner's.
    pub sale: Option<CountedSale>,
}

/// Sale as metrics label it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountedSale {
    pub line: LineOfBusiness,
    /// `None`: the running catalogue does not have the product any more.
    pub insurer: Option<InsurerId>,
}

impl NewEvent {
    /// The event of a payment once it is known what came of it.
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

/// Which events are asked for. Newest first, by their ids.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventQuery {
    /// Of this type alone.
    pub kind: Option<EventType>,
    /// Of this subject alone.
    pub subject: Option<Uuid>,
    /// Made at this instant or later.
    pub since: Option<Timestamp>,
    /// Made before this instant.
    pub until: Option<Timestamp>,
    /// Those that some endpoint has still to take, or none; all where nothing is said.
    pub undelivered: Option<bool>,
    /// Beyond this one; newest first.
    pub from: Option<Beyond<EventId>>,
    /// At most so many.
    pub most: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventPage {
    /// The events, newest first.
    pub events: Vec<Event>,
    /// Whether there are more, in the direction in which it was asked for.
    pub has_more: bool,
}

impl EventPage {
    /// A page of what was found when one more than it has was asked for.
    pub fn of(mut found: Vec<Event>, most: usize) -> Self {
        let has_more = found.len() > most;
        found.truncate(most);
        EventPage { events: found, has_more }
    }
}

/// Events of a store.
#[async_trait]
pub trait Events: Send + Sync {
    async fn event(&self, of: PartnerId, id: EventId) -> Result<Option<Event>>;

    /// A page of a partner's events.
    async fn events(&self, of: PartnerId, query: &EventQuery) -> Result<EventPage>;

    /// Keeps an event that nothing else is changed with.
    async fn add_event(&self, of: PartnerId, event: &NewEvent) -> Result<()>;

    /// Removes events that were made before an instant: at most so many at once, or a whole month of them where the engine
    /// divides them by months and no newer one is in it. Returns whether something was removed, so that there may be more.
    /// The counts of their subjects stay, so that no number comes twice.
    async fn forget_events(&self, before: Timestamp, most: usize) -> Result<bool>;
}
