//! The mock insurer's door: who may come in, how each is treated, and how many are inside.

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
use serde_json::{Value, json};
use service::insurer::Told;

use super::mood::{Treatment, throw};
use super::{State as Shared, desk, rubbish};
use crate::protocol::{CREDIT_PRICES, HEALTH_PRICES, HEALTH_PROPOSALS, PROPOSALS};
use crate::signature::{SIGNATURE, TIMESTAMP};

/// Bytes of a request's body, at most: what a partner sends is 1 MiB at most, and a proposal tells of its quote besides.
const LARGEST: usize = 4 * 1024 * 1024;

/// What a mock insurer was asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Requests that came, let in or not.
    pub asked: usize,
    /// Requests at work now.
    pub in_flight: usize,
    /// Requests at work at once, at most so far.
    pub most_in_flight: usize,
}

/// The counters behind a [`Tally`].
#[derive(Default)]
pub(super) struct Counters {
    asked: AtomicUsize,
    in_flight: AtomicUsize,
    most_in_flight: AtomicUsize,
}

impl Counters {
    pub(super) fn read(&self) -> Tally {
        let read = |counter: &AtomicUsize| counter.load(Ordering::SeqCst);
        Tally {
            asked: read(&self.asked),
            in_flight: read(&self.in_flight),
            most_in_flight: read(&self.most_in_flight),
        }
    }

    fn enter(self: &Arc<Self>) -> Inside {
        self.asked.fetch_add(1, Ordering::SeqCst);
        let inside = self.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        self.most_in_flight.fetch_max(inside, Ordering::SeqCst);
        Inside(self.clone())
    }
}

/// A request at work, until it is answered or hung up on.
struct Inside(Arc<Counters>);

impl Drop for Inside {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A right answer, before it is sent or spoilt.
#[derive(Clone)]
pub(super) struct Right(pub(super) Value);

impl IntoResponse for Right {
    fn into_response(self) -> Response {
        let mut response = answer(StatusCode::OK, &self.0);
        response.extensions_mut().insert(self);
        response
    }
}

/// A refusal with its reason.
pub(super) struct Refused(pub(super) StatusCode, pub(super) String);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        answer(self.0, &json!({ "error": self.1 }))
    }
}

/// A refusal, answered.
fn refuse(status: StatusCode, why: &str) -> Response {
    Refused(status, why.to_owned()).into_response()
}

fn answer(status: StatusCode, body: &Value) -> Response {
    (status, [("content-type", "application/json")], body.to_string()).into_response()
}

pub(super) fn router(state: Arc<Shared>) -> Router {
    Router::new()
        .route(CREDIT_PRICES, post(desk::credit_prices))
        .route(HEALTH_PRICES, post(desk::health_prices))
        .route(PROPOSALS, post(desk::submit))
        .route(HEALTH_PROPOSALS, post(desk::submit_health))
        .route(&format!("{PROPOSALS}/{{proposal_id}}/decision"), get(desk::decision))
        .fallback(async || refuse(StatusCode::NOT_FOUND, "There is nothing at this path."))
        .layer(from_fn_with_state(state.clone(), door))
        .with_state(state)
}

/// What every request goes through.
async fn door(State(state): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let _inside = state.tally.enter();
    let (head, body) = request.into_parts();
    let Ok(body) = axum::body::to_bytes(body, LARGEST).await else {
        return refuse(StatusCode::PAYLOAD_TOO_LARGE, "The body is larger than 1 MiB, or broke off.");
    };
    if !is_known(&state, &head, &body) {
        return refuse(StatusCode::UNAUTHORIZED, "The secret is missing or wrong.");
    }
    let mood = state.mood.lock().unwrap_or_else(PoisonError::into_inner).clone();
    let treatment = mood.treatment(throw(state.dice.fetch_add(1, Ordering::SeqCst)));
    tokio::time::sleep(mood.latency).await;
    match treatment {
        Treatment::Fail => {
            refuse(StatusCode::SERVICE_UNAVAILABLE, "This mock insurer was told to fail now and then.")
        }
        Treatment::Hang => std::future::pending().await,
        Treatment::Answer => next.run(Request::from_parts(head, body.into())).await,
        Treatment::Spoil(kind) => {
            let mut response = next.run(Request::from_parts(head, body.into())).await;
            match response.extensions_mut().remove::<Right>() {
                Some(Right(right)) => rubbish::spoil(kind, &right),
                None => response,
            }
        }
    }
}

/// Whether a request shows the secret, where one is wanted.
fn is_known(state: &Shared, head: &Parts, body: &Bytes) -> bool {
    let Some(credentials) = &state.credentials else { return true };
    let text = |name: HeaderName| head.headers.get(name).and_then(|value| value.to_str().ok());
    credentials.is_good(&Told {
        authorization: text(AUTHORIZATION),
        timestamp: text(TIMESTAMP),
        signature: text(SIGNATURE),
        method: head.method.as_str(),
        path: head.uri.path(),
        body,
        now: state.clock.now(),
    })
}
