//! What several commands print of an endpoint and its deliveries.

use domain::date::Timestamp;
use domain::webhook::{Delivery, WantedEvents, WebhookEndpoint};
use serde_json::Value;
use web::api::shown;

use super::record::for_operator;
use crate::output;

pub(super) fn types_of(endpoint: &WebhookEndpoint) -> Vec<&'static str> {
    match &endpoint.wanted {
        WantedEvents::All => vec!["*"],
        WantedEvents::Types(types) => types.iter().map(|kind| kind.word()).collect(),
    }
}

/// An endpoint with its partner.
pub(super) fn to_json(endpoint: &WebhookEndpoint) -> Value {
    for_operator(shown::webhook_endpoint(endpoint), endpoint.partner, &[])
}

/// A delivery without what its endpoint answered.
pub(super) fn delivery_to_json(delivery: &Delivery) -> Value {
    let mut printed = shown::delivery(delivery);
    for attempt in printed["attempts"].as_array_mut().into_iter().flatten() {
        attempt.as_object_mut().map(|attempt| attempt.remove("answer"));
    }
    printed
}

/// When a delivery was last attempted, and the status of its answer.
pub(super) fn last(delivery: &Delivery) -> Option<(Timestamp, Option<u16>)> {
    delivery.attempts.last().map(|attempt| (attempt.at, attempt.status))
}

pub(super) fn print_deliveries(deliveries: &[Delivery]) {
    let row = |delivery: &Delivery| {
        vec![
            delivery.event.to_string(),
            delivery.state.to_string(),
            delivery.tries.to_string(),
            last(delivery).map_or(String::new(), |(at, _)| at.to_string()),
            last(delivery).map_or(String::new(), |(_, status)| {
                status.map_or("no answer".to_owned(), |status| status.to_string())
            }),
            delivery.due_at.map_or(String::new(), |due| due.to_string()),
        ]
    };
    output::table(
        &["event_id", "status", "tries", "last attempt", "answered", "next attempt"],
        deliveries.iter().map(row).collect(),
    );
}
