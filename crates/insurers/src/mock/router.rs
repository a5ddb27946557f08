//! Routes of the mock insurer, behind the middleware that decides how each request is answered.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum::http::{HeaderName, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use service::insurer::IncomingMessage;

use super::answer::{GoodAnswer, Refusal};
use super::behaviour::{Action, pseudo_random};
use super::{State as Shared, handlers, malformed};
use crate::protocol::{
    CREDIT_PRICES, HEALTH_PRICES, HEALTH_PROPOSALS, POLICY_NOTICES, POLICY_REQUESTS, PROPOSALS,
};
use crate::signature::{SIGNATURE, TIMESTAMP};

/// Largest request body, in bytes. A partner's body has at most 1 MiB, and this service adds data of the
/// quote to a proposal.
const LARGEST: usize = 4 * 1024 * 1024;

/// Numbers of requests to a mock insurer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestCounts {
    /// All requests that arrived so far, whether accepted or not.
    pub asked: usize,
    /// Requests in flight now.
    pub in_flight: usize,
    /// Most requests that were in flight at the same time.
    pub most_in_flight: usize,
}

/// Atomic counters from which [`RequestCounts`] are read.
#[derive(Default)]
pub(super) struct Counters {
    asked: AtomicUsize,
    in_flight: AtomicUsize,
    most_in_flight: AtomicUsize,
}

impl Counters {
    pub(super) fn read(&self) -> RequestCounts {
        let read = |counter: &AtomicUsize| counter.load(Ordering::SeqCst);
        RequestCounts {
            asked: read(&self.asked),
            in_flight: read(&self.in_flight),
            most_in_flight: read(&self.most_in_flight),
        }
    }

    fn enter(self: &Arc<Self>) -> InFlight {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let now = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_in_flight.fetch_max(now, Ordering::SeqCst);
        InFlight(self.clone())
    }
}

/// A request in flight, until it is answered or its client disconnects.
struct InFlight(Arc<Counters>);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::SeqCst);
    }
}

fn refuse(status: StatusCode, why: &str) -> Response {
    Refusal(status, why.to_owned()).into_response()
}

pub(super) fn router(state: Arc<Shared>) -> Router {
    Router::new()
        .route(CREDIT_PRICES, post(handlers::credit_prices))
        .route(HEALTH_PRICES, post(handlers::health_prices))
        .route(PROPOSALS, post(handlers::submit))
        .route(HEALTH_PROPOSALS, post(handlers::submit_health))
        .route(&format!("{PROPOSALS}/{{proposal_id}}/decision"), get(handlers::decision))
        .route(POLICY_NOTICES, post(handlers::notice))
        .route(POLICY_REQUESTS, post(handlers::request))
        .fallback(async || refuse(StatusCode::NOT_FOUND, "There is nothing at this path."))
        .layer(from_fn_with_state(state.clone(), guard))
        .with_state(state)
}

/// Middleware for every request: checks authentication, then applies the scripted behaviour.
async fn guard(State(state): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let _in_flight = state.counts.enter();
    let (head, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, LARGEST).await else {
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, "The body is larger than 4 MiB or incomplete.");
    };
    if !is_authenticated(&state, &head, &body) {
        return refuse(StatusCode::UNAUTHORIZED, "The secret is missing or wrong.");
    }
    let behaviour = state.behaviour.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let action = behaviour.action(pseudo_random(state.sequence.fetch_add(1, Ordering::SeqCst)));
    tokio::time::sleep(behaviour.latency).await;
    match action {
        Action::Fail => refuse(
            StatusCode::SERVICE_UNAVAILABLE,
            "This mock insurer is set to fail a percentage of requests.",
        ),
        Action::Hang => std::future::pending().await,
        Action::Answer => next.run(Request::from_parts(head, body.into())).await,
        Action::Corrupt(kind) => {
            let mut response = next.run(Request::from_parts(head, body.into())).await;
            match response.extensions_mut().remove::<GoodAnswer>() {
                Some(GoodAnswer(good)) => malformed::corrupt(kind, &good),
                None => response,
            }
        }
    }
}

/// Whether a request is authenticated. Always true if the mock insurer has no secret.
fn is_authenticated(state: &Shared, head: &Parts, body: &Bytes) -> bool {
    let Some(credentials) = &state.credentials else { return true };
    let text = |name: HeaderName| head.headers.get(name).and_then(|value| value.to_str().ok());
    credentials.verify(&IncomingMessage {
        authorization: text(AUTHORIZATION),
        timestamp: text(TIMESTAMP),
        signature: text(SIGNATURE),
        method: head.method.as_str(),
        path: head.uri.path(),
        body,
        now: state.clock.now(),
    })
}
