//! What every handler shares.

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
use crate::peer::TrustedProxies;
use crate::site_facts;
use crate::template::Template;
use crate::template_cache::{CreditTemplates, TemplateCache};

/// Limits that keep one client from using up what all share.
#[derive(Debug, Clone)]
pub struct Limits {
    /// Largest body, in bytes. The contract's is 1 MiB.
    pub body_bytes: usize,
    /// Longest time for a body to arrive.
    pub body_deadline: Duration,
    /// Longest time for a request's header to arrive.
    pub header_deadline: Duration,
    /// Longest time between two requests of a connection.
    pub idle_deadline: Duration,
    /// Longest time for a client to take what was sent to it.
    pub write_deadline: Duration,
    /// Longest time that a request may take, the arrival of its body included.
    pub request_deadline: Duration,
    /// Requests that are worked on at once; one more is answered 503.
    pub requests: usize,
    /// Connections at once; on one more only probes are answered.
    pub connections: usize,
    /// Connections from one address at once; on one more only probes are answered.
    pub connections_per_address: usize,
    /// Proxies that note for whom they send a request.
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

/// The state of the HTTP side, shared by all requests.
///
/// Each connection has a handle of its own, so that no request changes a count that all processors share.
#[derive(Clone)]
pub struct App(Arc<Handle>);

/// What a connection's requests share, and with it what all do.
struct Handle(Arc<Shared>);

/// What an [`App`] shares.
pub struct Shared {
    pub(crate) service: Arc<Service>,
    pub(crate) limits: Limits,
    pub(crate) admission: Admission,
    pub(crate) arrivals: Arrivals,
    /// Pages that wait for more prices.
    pub(crate) waiting_pages: Counts<Uuid>,
    /// Quotes that wait for insurers.
    pub(crate) waiting_quotes: Counts<Client>,
    pub(crate) pricing_limit: JourneyLimit,
    pub(crate) form_limit: JourneyLimit,
    pub(crate) metrics: RequestMetrics,
    /// Templates of a credit-protection quote's items.
    pub(crate) credit_templates: TemplateCache<CreditTemplates>,
    /// Templates of a recommendation's items.
    pub(crate) recommended_templates: TemplateCache<Template>,
    /// Templates of a stored health quote's items.
    pub(crate) stored_templates: TemplateCache<Template>,
    pub(crate) developer_site: docsite::Site,
    journey: Option<JourneySite>,
    draining: AtomicBool,
    pub(crate) audit: OnceLock<Arc<dyn Audit>>,
}

impl App {
    /// The HTTP side of a service, with the journey's pages where it has an address.
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
            draining: AtomicBool::new(false),
            audit: OnceLock::new(),
            service,
            limits,
            journey,
        }))))
    }

    /// The same for a connection.
    pub(crate) fn of_connection(&self) -> Self {
        App(Arc::new(Handle(Arc::clone(&self.0.0))))
    }

    /// Sends audit lines there from now on. The first one counts.
    pub fn audit_to(&self, audit: Arc<dyn Audit>) {
        let _ = self.audit.set(audit);
    }

    /// Who sells the insurance, where that is known.
    pub(crate) fn operator(&self) -> Option<Arc<Operator>> {
        self.service.installation.operator().cloned()
    }

    /// The hosted journey, where there is one.
    pub(crate) fn journey(&self) -> Option<&JourneySite> {
        self.journey.as_ref()
    }

    /// Marks the process as stopping: `/readyz` is 503 from now on.
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
