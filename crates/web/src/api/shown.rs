//! Records as the JSON of the API, for commands that print JSON.

use domain::statement::Statement;
use domain::webhook::{Delivery, WebhookEndpoint};
use serde::Serialize;
use serde_json::{Value, to_value};

use super::statement::StatementSummary;
use super::webhook::EndpointShown;
use super::webhook::delivery::DeliveryShown;

fn shown(answer: &impl Serialize) -> Value {
    to_value(answer).expect("an answer of ours serialises")
}

/// A statement as `GET /v1/statements` shows it in the list.
pub fn statement(statement: &Statement) -> Value {
    shown(&StatementSummary::of(statement))
}

/// A webhook endpoint as `GET /v1/webhooks/endpoints/{endpoint_id}` returns it.
pub fn webhook_endpoint(endpoint: &WebhookEndpoint) -> Value {
    shown(&EndpointShown::of(endpoint))
}

/// A delivery as `GET /v1/webhooks/endpoints/{endpoint_id}/deliveries` lists it.
pub fn delivery(delivery: &Delivery) -> Value {
    shown(&DeliveryShown::of(delivery))
}
