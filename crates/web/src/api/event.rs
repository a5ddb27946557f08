//! `/v1/events`: events of the partner's records (D95).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::date::Timestamp;
use domain::event::{EventType, Subject};
use domain::id::kind;
use domain::text::FromText;
use serde::Serialize;
use service::storage::events::EventQuery;
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Verb, answered_by};
use crate::api::common::list::{UncountedEnds, beyond, limit};
use crate::app::App;
use crate::caller::{Caller, Webhook};
use crate::error::{Code, Problem, Result};
use crate::event::EventShown;
use crate::path::PathId;
use crate::query::Query;
use crate::reader::Fields;
use crate::response::{Payload, json};
use crate::shape::{IdText, Instant, describe, described};

/// Endpoints, in the order of the OpenAPI document.
pub(super) static ENDPOINTS: &[&Endpoint] = &[&LIST, &GET];

/// Default number of events in a page.
const PAGE: u8 = service::list::PAGE;

static LIST: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/events",
    id: "listEvents",
    tag: "Events",
    summary: "List events",
    description: "Lists the events of your quotes, proposals, policies, claims and statements in the last 30 days, newest first. Filter by type, by subject or by time.",
    access: Access::Scope(Scope::Webhook),
    query: Some(|| describe(event_parameters)),
    gives: Gives::json::<EventList>(200, "A page of events."),
    handler: || answered_by(list),
    ..Endpoint::PLAIN
};

/// Lists the partner's events.
async fn list(State(app): State<App>, caller: Caller<Webhook>, query: Query) -> Result<Response> {
    let (asked, faults) = query.read(event_parameters);
    if !faults.0.is_empty() {
        return Err(Problem::invalid(faults));
    }
    let page = app.service.events.list(caller.partner, &asked).await?;
    let is_test = app.service.events.is_test(caller.partner);
    let events: Vec<EventShown> = page.events.iter().map(|event| EventShown::of(event, is_test)).collect();
    let ends = page.events.first().zip(page.events.last()).map(|(first, last)| (first.id, last.id));
    let ends = UncountedEnds::of(asked.from, page.has_more, ends);
    Ok(json(StatusCode::OK, &EventList { events, ends }))
}

/// Reads the query parameters of the list. Invalid parameters are left out; `fields` records their faults.
fn event_parameters(fields: &mut Fields<'_>) -> EventQuery {
    let of_type = described::<EventType>("Only events of this type.");
    let about = "Only events about this record: id of a quote, proposal, policy, claim or statement.";
    let about = described::<Subject>(about);
    let kind = fields.optional("type", of_type).flatten();
    let subject = fields.optional("subject", about).flatten().map(|subject| subject.0);
    let since = instant(fields, "since", "Only events at or after this instant (RFC 3339).");
    let until = instant(fields, "until", "Only events before this instant (RFC 3339).");
    let delivered = described::<Delivered>(
        "`false`: events that an endpoint still has to accept or never accepted. `true`: all other events.",
    );
    let delivered = fields.optional("delivered", delivered).flatten();
    let undelivered = delivered.map(|Delivered(delivered)| !delivered);
    let from = beyond(fields, || {
        IdText::<kind::Event>::of("a cursor from a page of this list, evt_ and 26 characters")
    });
    let most = limit(fields).unwrap_or(PAGE).into();
    EventQuery { kind, subject, since, until, undelivered, from, most }
}

/// Filter value: whether every endpoint accepted the event.
struct Delivered(bool);

impl FromText for Delivered {
    const WANTED: &'static str = "true or false";
    const WORDS: &'static [&'static str] = &["true", "false"];

    fn from_text(text: &str) -> Result<Self, &'static str> {
        text.parse().map(Delivered).map_err(|_| "text that is neither")
    }
}

fn instant(fields: &mut Fields<'_>, name: &'static str, description: &'static str) -> Option<Timestamp> {
    fields.optional(name, described::<Instant>(description)).flatten().map(|instant| instant.0)
}

static GET: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/events/{event_id}",
    id: "getEvent",
    tag: "Events",
    summary: "Get an event",
    description: "Returns one event of the last 30 days, as it was delivered.",
    access: Access::Scope(Scope::Webhook),
    gives: Gives::payload::<EventShown>(200, "The event."),
    refuses: &[Code::R4040],
    handler: || answered_by(get),
    ..Endpoint::PLAIN
};

/// Shows one of the partner's events.
async fn get(State(app): State<App>, caller: Caller<Webhook>, id: PathId<kind::Event>) -> Result<Response> {
    let event = app.service.events.find(caller.partner, id.known("event")?).await?;
    Ok(json(
        StatusCode::OK,
        &Payload { payload: EventShown::of(&event, app.service.events.is_test(caller.partner)) },
    ))
}

/// A page of events.
#[derive(Serialize, ToSchema)]
pub(crate) struct EventList {
    /// Events of this page, newest first.
    events: Vec<EventShown>,
    #[serde(flatten)]
    ends: UncountedEnds,
}
