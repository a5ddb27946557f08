//! Limits for the forms of pages outside the contract, which anybody may send: size, time to arrive, and the number that
//! arrives from one address at once.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;

use crate::admission::{Admission, Client};
use crate::app::Limits;
use crate::arrivals::Arrivals;
use crate::body::collect;
use crate::context::has_no_body;
use crate::deadline::within;
use crate::error::{Code, Problem, Result};
use crate::peer::Peer;

/// The limits, with what arrives now. The size is [`Limits::body_bytes`].
pub struct Forms {
    limits: Limits,
    admission: Admission,
    arrivals: Arrivals,
}

impl Forms {
    pub fn of(limits: Limits) -> Arc<Self> {
        Arc::new(Forms { admission: Admission::of(limits.requests), limits, arrivals: Arrivals::default() })
    }

    /// Middleware: receives the whole body before the page's handler runs. Sets the [`Peer`] of the request to the client
    /// behind trusted proxies.
    pub async fn receive(State(forms): State<Arc<Forms>>, request: Request, next: Next) -> Response {
        let path = request.uri().path().to_owned();
        match forms.received(request).await {
            Ok(request) => next.run(request).await,
            Err(refused) => refused.answer(&path),
        }
    }

    async fn received(&self, request: Request) -> Result<Request> {
        let peer = request.extensions().get().copied().unwrap_or(Peer::UNKNOWN);
        let peer = self.limits.trusted_proxies.client(peer, request.headers());
        let (mut parts, body) = request.into_parts();
        parts.extensions.insert(peer);
        if has_no_body(&parts.method) {
            return Ok(Request::from_parts(parts, Body::empty()));
        }
        let client = Client::Peer(peer);
        let arrival = self.arrivals.begin(client, &self.admission.share(client))?;
        let arriving = collect(body, arrival, 0, self.limits.body_bytes);
        let bytes = within(self.limits.body_deadline, arriving)
            .await
            .unwrap_or_else(|_| Err(Problem::new(Code::V4130, "The body took too long to arrive.")))?;
        Ok(Request::from_parts(parts, Body::from(bytes)))
    }
}
