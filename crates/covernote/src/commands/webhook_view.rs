//! What several commands print of an endpoint and its deliveries.

use domain::date::Timestamp;
use domain::webhook::{Delivery, WantedEvents, WebhookEndpoint};
use serde_json::{Value, json};

use crate::output;

pub(super) fn types_of(endpoint: &WebhookEndpoint) -> Vec<&'static str> {
    match &endpoint.wanted {
        WantedEvents::All => vec!["*"],
        WantedEvents::Types(types) => types.iter().map(|kind| kind.word()).collect(),
    }
}

pub(super) fn to_json(endpoint: &WebhookEndpoint) -> Value {
    json!({
        "endpoint_id": endpoint.id.to_string(), "partner_id": endpoint.partner.to_string(), "url": endpoint.url,
        "description": endpoint.description, "types": types_of(endpoint), "status": endpoint.state.word(),
        "disabled_by": endpoint.disabled.map(|(by, _)| by.word()),
        "disabled_at": endpoint.disabled.map(|(_, at)| at.to_string()),
        "created_at": endpoint.created_at.to_string(), "failures": endpoint.health.failures,
        "failing_since": endpoint.health.failing_since.map(|since| since.to_string()),
    })
}

/// A delivery without what its endpoint answered.
pub(super) fn delivery_to_json(delivery: &Delivery) -> Value {
    json!({
        "event_id": delivery.event.to_string(), "status": delivery.state.word(),
        "next_attempt_at": delivery.due_at.map(|due| due.to_string()), "tries": delivery.tries,
        "last_attempt_at": last(delivery).map(|(at, _)| at.to_string()),
        "last_status_code": last(delivery).and_then(|(_, status)| status),
    })
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
