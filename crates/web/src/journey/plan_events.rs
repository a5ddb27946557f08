//! Server-sent events: send the list of plans again whenever new prices arrive.

use std::convert::Infallible;
use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use domain::health_quote::JobStatus;
use domain::vocabulary;
use futures_util::stream;
use tokio::time::{Instant, sleep};

use super::form::Form;
use super::plan_list::PlanList;
use super::visitor::Visitor;
use crate::app::App;

/// Time between two reads of the quote.
const POLL_INTERVAL: Duration = Duration::from_millis(300);

/// Maximum duration of one response. The browser then connects again by itself.
const LONGEST: Duration = Duration::from_secs(25);

vocabulary! {
    /// Name of a server-sent event. The page's script listens to it.
    ListEvent, "one of list, done" {
        /// The list of plans, while prices are missing.
        List = "list",
        /// The complete list of plans. No event follows.
        Done = "done",
    }
}

/// State of one response with server-sent events.
struct Watch {
    app: App,
    visitor: Visitor,
    form: Form,
    until: Instant,
    /// Number of complete variants in the last event that was sent.
    sent: Option<usize>,
    is_complete: bool,
}

/// Sends the list of plans in an event `list` whenever new prices arrive. The last event is `done`.
pub(crate) async fn get(State(app): State<App>, visitor: Visitor, parts: Parts) -> Response {
    if visitor.journey.answers.quote.is_none() {
        // With this status, the browser does not connect again.
        return StatusCode::NO_CONTENT.into_response();
    }
    let form = Form::parse(parts.uri.query().unwrap_or_default().as_bytes());
    let watch = Watch { app, visitor, form, until: Instant::now() + LONGEST, sent: None, is_complete: false };
    let events = stream::unfold(watch, |mut watch| async move {
        let event = watch.next().await?;
        Some((Ok::<Event, Infallible>(event), watch))
    });
    Sse::new(events).into_response()
}

impl Watch {
    /// Next event. `None` after the last event, after [`LONGEST`], or while the server shuts down.
    async fn next(&mut self) -> Option<Event> {
        let quote = self.visitor.journey.answers.quote?;
        while !self.is_complete && Instant::now() < self.until && !self.app.is_draining() {
            let shown = self.app.service.health_quotes.find(self.visitor.partner.id, quote).await.ok()?;
            let done = shown.quote.completed_variants();
            self.is_complete = shown.quote.status() == JobStatus::Success;
            if self.is_complete || self.sent != Some(done) {
                self.sent = Some(done);
                let Visitor { words, journey, .. } = &self.visitor;
                let list = PlanList::of(words, &shown, &journey.answers.family, &self.form);
                let event = if self.is_complete { ListEvent::Done } else { ListEvent::List };
                return Some(Event::default().event(event.word()).data(list.render().ok()?));
            }
            sleep(POLL_INTERVAL).await;
        }
        None
    }
}
