//! `covernote webhook`: endpoints to which events are delivered, for the operator (D96).

use std::fs;
use std::path::Path;
use std::time::Duration;

use domain::date::Timestamp;
use domain::event::EventType;
use domain::id::{EventId, PartnerId, WebhookEndpointId};
use domain::text::FromText;
use domain::webhook::{Delivery, DeliveryState, DisabledBy, WantedEvents, WebhookEndpoint};
use serde_json::{Value, json};
use service::Service;
use service::access::signing_secret::{secret_of, secret_text};
use service::clock::Clock;
use service::event::webhook::{EndpointChange, NewEndpoint};
use webhooks::signature::{Forged, TOLERANCE, verify};

use super::webhook_view::{delivery_to_json, print_deliveries, to_json, types_of};
use super::{on_store, webhook_show};
use crate::cli::{DeliveryStatus, EndpointStatus, Webhook, WebhookVerb};
use crate::failure::{Failure, Result};
use crate::output;
use crate::wiring::SystemClock;

pub(super) fn run(Webhook { verb, flags }: Webhook) -> Result<()> {
    if let WebhookVerb::Verify { secret, id, timestamp, signature, body, any_age } = verb {
        return judge(&secret, &id, timestamp, &signature, &body, any_age);
    }
    on_store(&flags, async |service| match verb {
        WebhookVerb::List { partner, json } => {
            list(&endpoints(&service, partner.as_deref()).await?, json);
            Ok(())
        }
        WebhookVerb::Show { id, most, json } => {
            let endpoint = find(&service, &id).await?;
            let page = service.webhooks.deliveries(endpoint.partner, endpoint.id, None, None, most).await?;
            webhook_show::show(&endpoint, &page.deliveries, SystemClock.now(), json);
            Ok(())
        }
        WebhookVerb::Add { partner, url, types, description, json } => {
            let of = service.partners.find(&partner).await?.partner.id;
            let new = NewEndpoint { url, description, wanted: wanted(&types)? };
            show_secret(&service.webhooks.add(of, new).await?, json);
            Ok(())
        }
        WebhookVerb::Set { id, status } => {
            let endpoint = find(&service, &id).await?;
            let enabled = Some(status == EndpointStatus::Enabled);
            let change = EndpointChange { enabled, ..EndpointChange::default() };
            let by = DisabledBy::Operator;
            let changed = service.webhooks.change(endpoint.partner, endpoint.id, &change, by).await?;
            output::message(&format!("{id} is {}", changed.state));
            Ok(())
        }
        WebhookVerb::Remove { id } => {
            let endpoint = find(&service, &id).await?;
            service.webhooks.remove(endpoint.partner, endpoint.id).await?;
            output::message(&format!("{id} is removed"));
            Ok(())
        }
        WebhookVerb::Rotate { id, overlap_hours, json } => {
            let endpoint = find(&service, &id).await?;
            let overlap = Duration::from_hours(overlap_hours.into());
            show_secret(&service.webhooks.rotate(endpoint.partner, endpoint.id, overlap).await?, json);
            Ok(())
        }
        WebhookVerb::Ping { id } => {
            let endpoint = find(&service, &id).await?;
            let event = service.webhooks.ping(endpoint.partner, endpoint.id).await?;
            output::message(&format!("{event} is on its way to {id}"));
            Ok(())
        }
        WebhookVerb::Deliveries { id, status, most, json } => {
            let endpoint = find(&service, &id).await?;
            let (of, state) = (endpoint.partner, status.map(state_of));
            let page = service.webhooks.deliveries(of, endpoint.id, state, None, most).await?;
            list_deliveries(&page.deliveries, json);
            Ok(())
        }
        WebhookVerb::Retry { id, event } => {
            let endpoint = find(&service, &id).await?;
            service.webhooks.retry(endpoint.partner, endpoint.id, read_event(&event)?).await?;
            output::message(&format!("{event} is on its way to {id}"));
            Ok(())
        }
        WebhookVerb::Recover { id, since } => {
            let endpoint = find(&service, &id).await?;
            let bad =
                || Failure::BadData(format!("--since: {since:?} is no instant such as 2026-11-20T00:00:00Z"));
            let from: Timestamp = since.parse().map_err(|_| bad())?;
            let count = service.webhooks.recover(endpoint.partner, endpoint.id, from).await?;
            output::message(&format!("{count} events are on their way to {id}"));
            Ok(())
        }
        WebhookVerb::Verify { .. } => Ok(()),
    })
}

/// The endpoints of a partner, or of every one.
async fn endpoints(service: &Service, of: Option<&str>) -> Result<Vec<WebhookEndpoint>> {
    let partners: Vec<PartnerId> = match of {
        Some(named) => vec![service.partners.find(named).await?.partner.id],
        None => service.partners.all().await?.into_iter().map(|record| record.partner.id).collect(),
    };
    let mut found = Vec::new();
    for partner in partners {
        found.extend(service.webhooks.list(partner).await?);
    }
    Ok(found)
}

/// The endpoint of an id, whosever it is.
async fn find(service: &Service, id: &str) -> Result<WebhookEndpoint> {
    let wanted: Option<WebhookEndpointId> = id.parse().ok();
    let found = endpoints(service, None).await?.into_iter().find(|endpoint| Some(endpoint.id) == wanted);
    found.ok_or_else(|| service::Error::Unknown { what: "endpoint", id: id.to_owned() }.into())
}

fn read_event(id: &str) -> Result<EventId> {
    id.parse().map_err(|_| service::Error::Unknown { what: "delivery", id: id.to_owned() }.into())
}

fn wanted(types: &[String]) -> Result<WantedEvents> {
    if types.len() == 1 && types[0] == "*" {
        return Ok(WantedEvents::All);
    }
    let read = types.iter().map(|word| {
        EventType::from_text(word)
            .map_err(|_| Failure::BadData(format!("--type: {word:?} is no type of events, nor * alone")))
    });
    let mut types: Vec<EventType> = read.collect::<Result<_, _>>()?;
    types.sort_unstable();
    types.dedup();
    Ok(WantedEvents::Types(types))
}

const fn state_of(status: DeliveryStatus) -> DeliveryState {
    match status {
        DeliveryStatus::Pending => DeliveryState::Pending,
        DeliveryStatus::Delivered => DeliveryState::Delivered,
        DeliveryStatus::Failed => DeliveryState::Failed,
    }
}

fn list(endpoints: &[WebhookEndpoint], as_json: bool) {
    if as_json {
        output::json(&json!({ "endpoints": endpoints.iter().map(to_json).collect::<Vec<_>>() }));
        return;
    }
    let row = |endpoint: &WebhookEndpoint| {
        let why = endpoint.disabled.map_or(String::new(), |(by, _)| format!(" by {by}"));
        let failing = endpoint.health.failing_since;
        vec![
            endpoint.id.to_string(),
            endpoint.partner.to_string(),
            endpoint.url.clone(),
            types_of(endpoint).join(" "),
            format!("{}{why}", endpoint.state),
            failing.map_or(String::new(), |since| format!("takes nothing since {since}")),
        ]
    };
    output::table(
        &["endpoint_id", "partner_id", "url", "types", "status", ""],
        endpoints.iter().map(row).collect(),
    );
}

fn show_secret(endpoint: &WebhookEndpoint, as_json: bool) {
    let secret = endpoint.secrets.first().map(|secret| secret_text(&secret.bytes)).unwrap_or_default();
    if as_json {
        let mut printed = to_json(endpoint);
        printed["secret"] = secret.into();
        output::json(&printed);
        return;
    }
    output::data(&format!("endpoint_id  {}\nsecret       {secret}", endpoint.id));
    output::message("The secret is shown this once.");
}

fn list_deliveries(deliveries: &[Delivery], as_json: bool) {
    if as_json {
        let shown: Vec<Value> = deliveries.iter().map(delivery_to_json).collect();
        output::json(&json!({ "deliveries": shown }));
        return;
    }
    print_deliveries(deliveries);
}

/// Judges a message as its receiver does.
fn judge(secret: &str, id: &str, timestamp: i64, signature: &str, body: &Path, any_age: bool) -> Result<()> {
    let secret = secret_of(secret)
        .ok_or_else(|| Failure::BadData("--secret: it is not whsec_ and base64".to_owned()))?;
    let body = fs::read(body).map_err(|cause| Failure::Failed(format!("{}: {cause}", body.display())))?;
    let now = if any_age { timestamp } else { SystemClock.now().as_second() };
    match verify(&secret, id, timestamp, signature, &body, now) {
        Ok(()) => {
            output::message("The message is genuine.");
            Ok(())
        }
        Err(Forged::Signature) => Err(Failure::BadData(
            "The message is not signed with this secret: the body must be the bytes as they came, before any JSON is read.".into(),
        )),
        Err(Forged::Time) => Err(Failure::BadData(format!(
            "The message is more than {TOLERANCE} seconds away from this machine's clock."
        ))),
    }
}
