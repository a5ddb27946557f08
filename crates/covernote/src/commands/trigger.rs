//! `covernote trigger`: an event on demand, for a test partner (D97).

use domain::event::EventType;
use domain::text::FromText;
use serde_json::{Value, json};

use super::block_on;
use super::partner_api::PartnerApi;
use crate::cli::Trigger;
use crate::failure::{Failure, Result};
use crate::output;

pub(super) fn run(trigger: Trigger) -> Result<()> {
    let Some(event) = &trigger.event else {
        list(trigger.json);
        return Ok(());
    };
    let kind = triggered().find(|kind| kind.word() == event).ok_or_else(|| unknown(event))?;
    let mut api = PartnerApi::new(&trigger.access, &["business"])?;
    let answer = block_on(async {
        api.needs_test_partner("trigger").await?;
        let body = json!({ "type": kind.word() });
        Ok(api.call_patiently("POST", "/v1/sandbox/webhooks/fire", Some(&body)).await?)
    })?;
    let answer: Value = serde_json::from_slice(&answer).unwrap_or_default();
    if trigger.json {
        output::json(&answer["payload"]);
    } else {
        output::data(answer["payload"]["event_id"].as_str().unwrap_or_default());
    }
    Ok(())
}

/// Types of events that the command can trigger.
fn triggered() -> impl Iterator<Item = EventType> {
    EventType::ALL.iter().copied().filter(|kind| *kind != EventType::EndpointPing)
}

fn list(as_json: bool) {
    if as_json {
        let types = triggered().map(|kind| json!({ "type": kind.word(), "description": kind.told() }));
        output::json(&json!({ "types": types.collect::<Vec<_>>() }));
        return;
    }
    let rows = triggered().map(|kind| vec![kind.word().to_owned(), kind.told().to_owned()]);
    output::table(&["type", "what happened"], rows.collect());
}

fn unknown(word: &str) -> Failure {
    let why = match EventType::from_text(word) {
        Ok(_) => "is sent by another command: covernote webhook ping",
        Err(_) => "is not a type of event",
    };
    let types: Vec<&str> = triggered().map(EventType::word).collect();
    Failure::BadData(format!("{word} {why}. The types are:\n{}", types.join("\n")))
}
