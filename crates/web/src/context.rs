//! Facts about a request while it is processed: client address, partner, permit.

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, Method};
use domain::id::PartnerId;

use crate::admission::{Client, Permit, Share};
use crate::app::App;
use crate::audit::{AuditEvent, Audited};
use crate::error::{Problem, Result};
use crate::peer::Peer;

/// Maximum number of requests of one client that can wait for insurers at once.
const MOST_WAITING: usize = 1024;

/// Facts about a request, stored as an extension of the request.
#[derive(Clone)]
pub(crate) struct RequestContext(Arc<Context>);

struct Context {
    /// Network address of the client.
    peer: Peer,
    partner: OnceLock<PartnerId>,
    audited: OnceLock<Audited>,
    share: OnceLock<Arc<Share>>,
    permit: Mutex<Option<Permit>>,
    refused: AtomicBool,
}

impl RequestContext {
    /// Context of a new request.
    pub(crate) fn new(app: &App, extensions: &Extensions, headers: &HeaderMap) -> Self {
        // The connection adds the peer. Requests without a connection have none.
        let peer = extensions.get().copied().unwrap_or(Peer::UNKNOWN);
        RequestContext(Arc::new(Context {
            peer: app.limits.trusted_proxies.client(peer, headers),
            partner: OnceLock::new(),
            audited: OnceLock::new(),
            share: OnceLock::new(),
            permit: Mutex::new(None),
            refused: AtomicBool::new(false),
        }))
    }

    /// Context that was stored with this request.
    pub(crate) fn of(extensions: &Extensions) -> RequestContext {
        extensions.get::<RequestContext>().expect("put there by the outermost layer").clone()
    }

    /// Records the partner, for the request's permit and its log line.
    pub(crate) fn set_partner(&self, partner: PartnerId) {
        let _ = self.0.partner.set(partner);
    }

    /// Partner of the request, if known.
    pub(crate) fn partner(&self) -> Option<PartnerId> {
        self.0.partner.get().copied()
    }

    /// Records the event for the request's audit line. Only the first call has an effect.
    pub(crate) fn set_audited(&self, event: AuditEvent, partner: Option<PartnerId>, record: Option<String>) {
        let _ = self.0.audited.set(Audited { event, partner, record });
    }

    /// Event recorded for the audit line, if any.
    pub(crate) fn audited(&self) -> Option<&Audited> {
        self.0.audited.get()
    }

    /// Network address of the client.
    pub(crate) fn peer(&self) -> Peer {
        self.0.peer
    }

    /// Client whose limits apply to the request: the partner if known, otherwise the address.
    pub(crate) fn client(&self) -> Client {
        self.partner().map_or(Client::Peer(self.0.peer), Client::Partner)
    }

    /// What the client uses of the limits now. The client is looked up only once, so the partner must be
    /// recorded before.
    pub(crate) fn share(&self, app: &App) -> &Arc<Share> {
        self.0.share.get_or_init(|| app.admission.share(self.client()))
    }

    /// Gets a permit for a request that has arrived completely. The partner must be recorded before. A second
    /// call does nothing.
    ///
    /// # Errors
    /// E5030 if the server is overloaded.
    pub(crate) async fn admit(&self, app: &App) -> Result<()> {
        if self.permit().is_some() {
            return Ok(());
        }
        match app.admission.admit(self.share(app)).await {
            Ok(permit) => {
                *self.permit() = Some(permit);
                Ok(())
            }
            Err(refused) => {
                self.0.refused.store(true, Ordering::Relaxed);
                Err(refused)
            }
        }
    }

    /// Runs `work`, which waits for insurers. The request has no permit meanwhile.
    ///
    /// # Errors
    /// E5030 if too many requests of this client already wait for insurers, or no permit is free afterwards.
    pub(crate) async fn while_insurers_work<T>(&self, app: &App, work: impl Future<Output = T>) -> Result<T> {
        let _counted = app.waiting_quotes.add(self.client(), MOST_WAITING).ok_or_else(Problem::overloaded)?;
        self.without_permit(app, work).await
    }

    /// Runs `work`, which waits for something other than this machine. The request has no permit meanwhile.
    ///
    /// # Errors
    /// E5030 if no permit is free afterwards.
    pub(crate) async fn without_permit<T>(&self, app: &App, work: impl Future<Output = T>) -> Result<T> {
        self.permit().take();
        let done = work.await;
        let permit = app.admission.admit_again(self.share(app)).await?;
        *self.permit() = Some(permit);
        Ok(done)
    }

    /// Frees the permit before the response is complete, because no more work follows.
    pub(crate) fn give_back(&self) {
        self.permit().take();
    }

    /// Whether the request was refused because it got no permit.
    pub(crate) fn is_refused(&self) -> bool {
        self.0.refused.load(Ordering::Relaxed)
    }

    fn permit(&self) -> std::sync::MutexGuard<'_, Option<Permit>> {
        self.0.permit.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FromRequestParts<App> for RequestContext {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Infallible> {
        Ok(RequestContext::of(&parts.extensions))
    }
}

/// Extractor that gets a permit for the request. It counts for the partner if known, otherwise for the
/// address.
pub(crate) struct Admitted;

impl FromRequestParts<App> for Admitted {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        RequestContext::of(&parts.extensions).admit(app).await?;
        Ok(Admitted)
    }
}

/// Whether requests with this method have no body.
pub(crate) fn has_no_body(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}
