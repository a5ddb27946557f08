//! Shared state and limits of all handlers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use domain::id::Uuid;
use domain::operator::Operator;
use service::Service;

use crate::admission::{Admission, Client};
use crate::arrivals::Arrivals;
use crate::audit::Audit;
use crate::counts::Counts;
use crate::journey_limit::JourneyLimit;
use crate::journey_site::JourneySite;
use crate::metrics::RequestMetrics;
use crate::openapi_file::DocumentFile;
use crate::peer::TrustedProxies;
use crate::site_facts;
use crate::template::Template;
use crate::template_cache::{CreditTemplates, TemplateCache};

/// Limits that keep one client from using all shared resources.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Largest request body, in bytes. The API's contract says 1 MiB.
    pub body_bytes: usize,
    /// Longest time for a request's body to arrive.
    pub body_deadline: Duration,
    /// Longest time for a request's header to arrive.
    pub header_deadline: Duration,
    /// Longest time between two requests on a connection.
    pub idle_deadline: Duration,
    /// Longest time for a client to read the bytes that were sent to it.
    pub write_deadline: Duration,
    /// Longest time to process a request, including the arrival of its body.
    pub request_deadline: Duration,
    /// Maximum number of concurrent requests. Further requests get status 503.
    pub requests: usize,
    /// Maximum number of connections at once. On further connections, only probes are answered.
    pub connections: usize,
    /// Maximum number of connections from one address at once. On further connections, only probes are
    /// answered.
    pub connections_per_address: usize,
    /// Proxies whose `X-Forwarded-For` is trusted.
    pub trusted_proxies: TrustedProxies,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            body_bytes: 1024 * 1024,
            body_deadline: Duration::from_secs(10),
            header_deadline: Duration::from_secs(10),
            idle_deadline: Duration::from_secs(75),
            write_deadline: Duration::from_secs(30),
            request_deadline: Duration::from_secs(30),
            requests: 256,
            connections: 8192,
            connections_per_address: 2048,
            trusted_proxies: TrustedProxies::default(),
        }
    }
}

/// State of the HTTP side, shared by all requests.
///
/// Each connection has its own outer `Arc`, so that its requests do not change a reference count that all
/// processors share.
#[derive(Clone)]
pub struct App(Arc<Handle>);

/// State handle that the requests of one connection share. It points to the state that all connections share.
struct Handle(Arc<Shared>);

/// State behind an [`App`].
pub struct Shared {
    pub(crate) service: Arc<Service>,
    pub(crate) limits: Limits,
    pub(crate) admission: Admission,
    pub(crate) arrivals: Arrivals,
    /// Number of page requests that wait for new prices, by journey.
    pub(crate) waiting_pages: Counts<Uuid>,
    /// Number of quote requests that wait for insurers, by client.
    pub(crate) waiting_quotes: Counts<Client>,
    pub(crate) pricing_limit: JourneyLimit,
    pub(crate) form_limit: JourneyLimit,
    pub(crate) metrics: RequestMetrics,
    /// JSON templates for the items of credit-protection quotes.
    pub(crate) credit_templates: TemplateCache<CreditTemplates>,
    /// JSON templates for the items of recommendations.
    pub(crate) recommended_templates: TemplateCache<Template>,
    /// JSON templates for the items of stored health quotes.
    pub(crate) stored_templates: TemplateCache<Template>,
    pub(crate) developer_site: docsite::Site,
    /// The OpenAPI document, made when it is first read.
    pub(crate) document: OnceLock<DocumentFile>,
    journey: Option<JourneySite>,
    draining: AtomicBool,
    pub(crate) audit: OnceLock<Arc<dyn Audit>>,
}

impl App {
    /// Creates the HTTP side of a service. `journey` is the site of the hosted pages, if this server serves
    /// them.
    pub fn new(service: Arc<Service>, limits: Limits, journey: Option<JourneySite>) -> Self {
        App(Arc::new(Handle(Arc::new(Shared {
            admission: Admission::of(limits.requests),
            arrivals: Arrivals::default(),
            waiting_pages: Counts::default(),
            waiting_quotes: Counts::default(),
            pricing_limit: JourneyLimit::of_prices(),
            form_limit: JourneyLimit::of_forms(),
            metrics: RequestMetrics::default(),
            credit_templates: TemplateCache::default(),
            recommended_templates: TemplateCache::default(),
            stored_templates: TemplateCache::default(),
            developer_site: site_facts::site(
                service.installation.base_url(),
                journey.as_ref().map(|site| site.address.as_str()),
            ),
            document: OnceLock::new(),
            draining: AtomicBool::new(false),
            audit: OnceLock::new(),
            service,
            limits,
            journey,
        }))))
    }

    /// The same state with a separate outer `Arc`, for a new connection.
    pub(crate) fn of_connection(&self) -> Self {
        App(Arc::new(Handle(Arc::clone(&self.0.0))))
    }

    /// Sets the receiver of audit lines. Only the first call has an effect.
    pub fn audit_to(&self, audit: Arc<dyn Audit>) {
        let _ = self.audit.set(audit);
    }

    /// Operator that sells the insurance, if known.
    pub(crate) fn operator(&self) -> Option<Arc<Operator>> {
        self.service.installation.operator().cloned()
    }

    /// Site of the hosted journey, if this server serves it.
    pub(crate) fn journey(&self) -> Option<&JourneySite> {
        self.journey.as_ref()
    }

    /// Marks the process as stopping: `/readyz` answers 503 from now on.
    pub fn drain(&self) {
        self.draining.store(true, Ordering::Release);
    }

    pub(crate) fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Acquire)
    }
}

impl std::ops::Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0.0
    }
}
