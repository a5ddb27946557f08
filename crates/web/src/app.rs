//! What every handler shares.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use service::Service;

use crate::api::KnownForms;
use crate::journey::JourneySite;
use crate::measures::Measures;
use crate::places::Places;

/// Bounds that keep one client from taking what belongs to all.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Largest body, in bytes. The contract's is 1 MiB.
    pub body_bytes: usize,
    /// Longest time for a body to arrive.
    pub body_deadline: Duration,
    /// Longest time for a request's header to arrive.
    pub header_deadline: Duration,
    /// Longest time that a request may take, the arrival of its body included.
    pub request_deadline: Duration,
    /// Requests at work at once; one more is answered 503.
    pub requests: usize,
    /// Connections at once; one more is closed.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            body_bytes: 1024 * 1024,
            body_deadline: Duration::from_secs(10),
            header_deadline: Duration::from_secs(10),
            request_deadline: Duration::from_secs(30),
            requests: 256,
            connections: 8192,
        }
    }
}

/// The state of the HTTP side, shared by all requests.
#[derive(Clone)]
pub struct App(Arc<Shared>);

/// What an [`App`] stands for.
pub struct Shared {
    pub(crate) service: Arc<Service>,
    pub(crate) limits: Limits,
    pub(crate) places: Places,
    pub(crate) measures: Measures,
    pub(crate) forms: KnownForms,
    journey: Option<JourneySite>,
    draining: AtomicBool,
}

impl App {
    /// The HTTP side of a service, with the journey's pages where it has an address.
    pub fn new(service: Arc<Service>, limits: Limits, journey: Option<JourneySite>) -> Self {
        let places = Places::of(limits.requests);
        let (measures, forms) = (Measures::default(), KnownForms::default());
        let draining = AtomicBool::new(false);
        App(Arc::new(Shared { service, limits, places, measures, forms, journey, draining }))
    }

    /// The hosted journey, where there is one.
    pub(crate) fn journey(&self) -> Option<&JourneySite> {
        self.0.journey.as_ref()
    }

    /// From now on `/readyz` says that this process is leaving.
    pub fn drain(&self) {
        self.0.draining.store(true, Ordering::Release);
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.0.draining.load(Ordering::Acquire)
    }
}

impl std::ops::Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
