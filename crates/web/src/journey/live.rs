//! Live progress: the list of plans again whenever prices came in, as server-sent events.

use std::convert::Infallible;
use std::time::Duration;

use askama::Template;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use domain::health_quote::JobStatus;
use futures_util::stream;
use tokio::time::{Instant, sleep};

use super::form::Form;
use super::plans::PlanList;
use super::visitor::Visitor;
use crate::app::App;

/// How often it is looked whether prices came in.
const LOOK: Duration = Duration::from_millis(300);

/// How long one answer goes on; the browser asks again by itself.
const LONGEST: Duration = Duration::from_secs(25);

/// Where an answer stands.
struct Watch {
    app: App,
    visitor: Visitor,
    form: Form,
    until: Instant,
    told: Option<usize>,
    over: bool,
}

/// Events `list` with the page's list, and `done` after the last of them.
pub(crate) async fn get(State(app): State<App>, visitor: Visitor, parts: Parts) -> Response {
    if visitor.journey.answers.quote.is_none() {
        // No event source asks again after this.
        return StatusCode::NO_CONTENT.into_response();
    }
    let form = Form::of(parts.uri.query().unwrap_or_default().as_bytes());
    let watch = Watch { app, visitor, form, until: Instant::now() + LONGEST, told: None, over: false };
    let events = stream::unfold(watch, |mut watch| async move {
        let event = watch.next().await?;
        Some((Ok::<Event, Infallible>(event), watch))
    });
    Sse::new(events).into_response()
}

impl Watch {
    /// The next event; `None` once there is nothing more to tell, or when the time is over or the server leaves.
    async fn next(&mut self) -> Option<Event> {
        let quote = self.visitor.journey.answers.quote?;
        while !self.over && Instant::now() < self.until && !self.app.is_draining() {
            let shown = self.app.service.health_quote(self.visitor.partner.id, quote).await.ok()?;
            let done = shown.quote.completed_variants();
            self.over = shown.quote.status() == JobStatus::Success;
            if self.over || self.told != Some(done) {
                self.told = Some(done);
                let Visitor { words, journey, .. } = &self.visitor;
                let list = PlanList::of(*words, &shown, &journey.answers.family, &self.form);
                let name = if self.over { "done" } else { "list" };
                return Some(Event::default().event(name).data(list.render().ok()?));
            }
            sleep(LOOK).await;
        }
        None
    }
}
