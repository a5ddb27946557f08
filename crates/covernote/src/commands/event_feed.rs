//! Reads a partner's new events, each once, oldest first, from the API's list, which has the newest event
//! first.

use std::collections::{BTreeSet, VecDeque};

use domain::id::EventId;
use serde_json::Value;

use super::partner_api::{CallError, PartnerApi};

/// Events per page.
const PAGE: usize = 100;

/// How much older than the newest known event a new event may be, in milliseconds by their ids. It can be
/// older, because changes at the same time may be listed in another order than their ids.
const LATE: u128 = 10_000;

/// A new event, with the content of its delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NewEvent {
    /// `evt_…`
    pub(super) id: EventId,
    /// Type, such as `policy.issued`.
    pub(super) kind: String,
    /// Id of the record that the event is about.
    pub(super) subject: String,
    /// Body of the event's delivery, byte for byte.
    pub(super) body: Vec<u8>,
}

/// Position of a reader in the list of events.
#[derive(Debug, Default)]
pub(super) struct EventFeed {
    /// Types of events to read. Empty: every type.
    types: Vec<String>,
    /// Events that were listed and may be listed again.
    seen: BTreeSet<EventId>,
    /// Events still to be read, oldest first.
    waiting: VecDeque<EventId>,
}

impl EventFeed {
    /// A reader of the events that are created from now on.
    ///
    /// # Errors
    /// [`CallError`] if the list cannot be read.
    pub(super) async fn from_now(api: &mut PartnerApi, types: Vec<String>) -> Result<Self, CallError> {
        let mut feed = EventFeed { types, ..EventFeed::default() };
        let newest = list(api, 1, None).await?.0.into_iter().next();
        if let Some((newest, _)) = newest {
            feed.seen.insert(newest);
            feed.look(api).await?;
            // Events that came between the two requests are newer than `newest`.
            feed.waiting.retain(|id| *id > newest);
        }
        Ok(feed)
    }

    /// Reads the list for new events. If the list cannot be read completely, nothing changes.
    ///
    /// # Errors
    /// [`CallError`] if the list cannot be read.
    pub(super) async fn look(&mut self, api: &mut PartnerApi) -> Result<(), CallError> {
        let oldest = self.seen.last().map_or(0, |newest| millis(*newest).saturating_sub(LATE));
        let (mut found, mut next) = (Vec::new(), None);
        loop {
            let (page, more) = list(api, PAGE, next).await?;
            next = page.last().map(|(id, _)| *id);
            let is_past = next.is_none_or(|last| millis(last) < oldest);
            found.extend(page.into_iter().filter(|(id, _)| millis(*id) >= oldest));
            if is_past || !more {
                break;
            }
        }
        found.retain(|(id, _)| self.seen.insert(*id));
        found.sort_unstable();
        let wanted = found.into_iter().filter(|(_, kind)| self.types.is_empty() || self.types.contains(kind));
        self.waiting.extend(wanted.map(|(id, _)| id));
        // Forgets ids that are too old for the next look.
        let known = self.seen.last().map_or(0, |newest| millis(*newest).saturating_sub(LATE));
        self.seen.retain(|id| millis(*id) >= known);
        Ok(())
    }

    /// Returns the next event. Skips an event that was removed meanwhile. If an event cannot be read, the
    /// following call reads it again.
    ///
    /// # Errors
    /// [`CallError`] if the event cannot be read.
    pub(super) async fn next(&mut self, api: &mut PartnerApi) -> Result<Option<NewEvent>, CallError> {
        while let Some(id) = self.waiting.front().copied() {
            let read = api.call("GET", &format!("/v1/events/{id}"), None).await;
            let answer = match read {
                Err(CallError::Refused { status: 404, .. }) => None,
                other => Some(other?),
            };
            self.waiting.pop_front();
            if let Some(answer) = answer {
                return Ok(Some(event(id, &answer)?));
            }
        }
        Ok(None)
    }
}

/// Reads a page of the list: event ids with their types, and whether older events follow.
async fn list(
    api: &mut PartnerApi,
    limit: usize,
    next: Option<EventId>,
) -> Result<(Vec<(EventId, String)>, bool), CallError> {
    let next = next.map(|id| format!("&next={id}")).unwrap_or_default();
    let answer = api.call("GET", &format!("/v1/events?limit={limit}{next}"), None).await?;
    let page: Value = serde_json::from_slice(&answer).map_err(|_| strange())?;
    let events = page["events"].as_array().ok_or_else(strange)?.iter().map(|event| {
        let id = event["id"].as_str().and_then(|id| id.parse().ok());
        Some((id?, event["type"].as_str()?.to_owned()))
    });
    Ok((events.collect::<Option<_>>().ok_or_else(strange)?, page["has_next"] == true))
}

/// Parses the answer to a request for one event. The body of the event's delivery is the object in the
/// answer's envelope, byte for byte.
fn event(id: EventId, answer: &[u8]) -> Result<NewEvent, CallError> {
    let read: Value = serde_json::from_slice(answer).map_err(|_| strange())?;
    let shown = &read["payload"];
    let inside = answer.strip_prefix(b"{\"payload\":").and_then(|rest| rest.strip_suffix(b"}"));
    let same =
        inside.filter(|bytes| serde_json::from_slice::<Value>(bytes).is_ok_and(|object| object == *shown));
    let body = same.map_or_else(|| shown.to_string().into_bytes(), <[u8]>::to_vec);
    let text = |value: &Value| value.as_str().map(str::to_owned).ok_or_else(strange);
    Ok(NewEvent { id, kind: text(&shown["type"])?, subject: text(&shown["data"]["id"])?, body })
}

fn strange() -> CallError {
    CallError::Away("the answer is not from covernote".into())
}

/// Creation time of an id, in milliseconds since 1970.
fn millis(id: EventId) -> u128 {
    id.uuid().as_u128() >> 80
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_read_from_the_list_has_its_payload_as_its_body() {
        let id = "evt_01m7vkfva0e00b9knj73gkymwg".parse().expect("an id");
        let inside = r#"{"type":"policy.issued","data":{"id":"pol_1","नाम":"é","amount":1.0}}"#;
        let read = event(id, format!(r#"{{"payload":{inside}}}"#).as_bytes()).expect("an event");
        assert_eq!((read.kind.as_str(), read.subject.as_str()), ("policy.issued", "pol_1"));
        assert_eq!(read.body, inside.as_bytes());
        // Other fields beside the payload, or other spaces, do not change the event.
        let spaced = format!(r#"{{ "payload": {inside}, "links": {{}} }}"#);
        let read = event(id, spaced.as_bytes()).expect("an event");
        let object = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).expect("JSON");
        assert_eq!(object(&read.body), object(inside.as_bytes()));
    }
}
