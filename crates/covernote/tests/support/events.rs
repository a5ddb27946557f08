//! Checks every event of a test against the contract's OpenAPI document (D95).

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use domain::event::Event;
use domain::id::PartnerId;
use jsonschema::Validator;
use serde_json::{Value, json};
use service::Service;
use service::storage::events::EventQuery;
use service::storage::{Storage, StorageError};

/// The OpenAPI document.
static DOCUMENT: LazyLock<Value> = LazyLock::new(web::api::document);

/// Checks that an event matches the description of its type, without further fields.
#[track_caller]
pub fn is_as_described(event: &Event) {
    static JUDGES: Mutex<Option<HashMap<&'static str, Validator>>> = Mutex::new(None);
    let kind = event.kind.word();
    let told: Value = serde_json::from_slice(&web::event::body(event, false)).expect("JSON");
    let mut judges = JUDGES.lock().unwrap_or_else(PoisonError::into_inner);
    let judge = judges.get_or_insert_default().entry(kind).or_insert_with(|| judge_of(kind));
    let faults: Vec<String> =
        judge.iter_errors(&told).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
    assert!(faults.is_empty(), "{faults:#?}\n{told:#}");
}

fn judge_of(kind: &str) -> Validator {
    let operation = &DOCUMENT["x-webhooks"][kind]["post"];
    let body = &operation["requestBody"]["content"]["application/json"]["schema"];
    assert!(body.is_object(), "{kind} is not described");
    let data = &operation["x-data"];
    let closed = json!({ "allOf": [data], "unevaluatedProperties": false });
    let schema = json!({
        "allOf": [body, { "properties": { "data": closed } }],
        "unevaluatedProperties": false,
        "components": DOCUMENT["components"],
    });
    jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema")
}

/// Every event of every partner in a store, oldest first. Partners whose rows a test has damaged are left
/// out.
pub async fn all(service: &Service, storage: &dyn Storage) -> Vec<Event> {
    let mut events = Vec::new();
    for record in service.partners.all().await.unwrap_or_default() {
        events.extend(of(storage, record.partner.id).await.unwrap_or_default());
    }
    events
}

/// Every event of a partner, oldest first.
pub async fn of(storage: &dyn Storage, partner: PartnerId) -> Result<Vec<Event>, StorageError> {
    let query = EventQuery { most: 100_000, ..EventQuery::default() };
    let mut events = storage.events(partner, &query).await?.events;
    events.reverse();
    Ok(events)
}

/// Checks that each record's events are numbered without a gap. The numbers begin at 1 if no event was
/// removed by age.
#[track_caller]
pub fn are_counted_without_gaps(events: &[Event], nothing_was_forgotten: bool) {
    let mut counts: HashMap<_, u64> = HashMap::new();
    let mut ordered: Vec<&Event> = events.iter().collect();
    ordered.sort_by_key(|event| event.sequence);
    for event in ordered {
        let first = if nothing_was_forgotten { 1 } else { event.sequence };
        let next = counts.entry((event.partner, event.subject)).or_insert(first);
        assert_eq!(event.sequence, *next, "{} of {}", event.kind, event.subject);
        *next += 1;
    }
}
