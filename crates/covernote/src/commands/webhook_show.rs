//! `covernote webhook show`: everything of one endpoint but the text of its secrets.

use domain::date::Timestamp;
use domain::webhook::{Delivery, SigningSecret, WebhookEndpoint};
use serde_json::{Value, json};

use super::webhook_view::{delivery_to_json, print_deliveries, to_json, types_of};
use crate::output;

/// Prints an endpoint with its newest deliveries.
pub(super) fn show(endpoint: &WebhookEndpoint, deliveries: &[Delivery], now: Timestamp, as_json: bool) {
    if as_json {
        let secret = |secret: &SigningSecret| {
            json!({
                "since": secret.since.to_string(), "until": secret.until.map(|until| until.to_string()),
                "age_days": age_in_days(secret, now),
            })
        };
        let mut shown = to_json(endpoint);
        shown["rests_until"] = resting(endpoint, now).map(|until| until.to_string()).into();
        shown["secrets"] = endpoint.live_secrets(now).map(secret).collect();
        shown["deliveries"] = deliveries.iter().map(delivery_to_json).collect::<Vec<Value>>().into();
        return output::json(&shown);
    }
    let (id, partner) = (endpoint.id, endpoint.partner);
    let why = endpoint.disabled.map_or(String::new(), |(by, at)| format!(" by {by} since {at}"));
    let mut lines = vec![
        format!("endpoint_id  {id}"),
        format!("partner_id   {partner}"),
        format!("url          {}", endpoint.url),
        format!("description  {}", endpoint.description.as_deref().unwrap_or_default()),
        format!("types        {}", types_of(endpoint).join(" ")),
        format!("created_at   {}", endpoint.created_at),
        format!("status       {}{why}", endpoint.state),
        format!("health       {}", health(endpoint, now)),
    ];
    lines.extend(endpoint.live_secrets(now).map(|secret| {
        let until = secret.until.map_or(String::new(), |until| format!(", signs until {until}"));
        format!("secret       {} days old, since {}{until}", age_in_days(secret, now), secret.since)
    }));
    output::data(&lines.iter().map(|line| line.trim_end()).collect::<Vec<_>>().join("\n"));
    if deliveries.is_empty() {
        return output::data("deliveries   none");
    }
    output::data("");
    print_deliveries(deliveries);
}

/// How deliveries went of late, as words.
fn health(endpoint: &WebhookEndpoint, now: Timestamp) -> String {
    let health = &endpoint.health;
    let Some(since) = health.failing_since else {
        return "the latest attempt was taken, or there was none".into();
    };
    let rests = resting(endpoint, now).map_or(String::new(), |until| format!(", rests until {until}"));
    format!("takes nothing since {since}, {} in a row{rests}", health.failures)
}

/// Until when nothing is sent to it.
fn resting(endpoint: &WebhookEndpoint, now: Timestamp) -> Option<Timestamp> {
    endpoint.health.rests_until.filter(|until| *until > now)
}

fn age_in_days(secret: &SigningSecret, now: Timestamp) -> i64 {
    now.duration_since(secret.since).as_hours().max(0) / 24
}
