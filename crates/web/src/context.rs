//! What is known of a request while it is processed: where it comes from, whose it is, its permit.

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

/// Requests of one client that wait for insurers at once.
const MOST_WAITING: usize = 1024;

/// An extension of every request.
#[derive(Clone)]
pub(crate) struct RequestContext(Arc<Context>);

struct Context {
    /// The client's address, where the request came over the network.
    peer: Peer,
    partner: OnceLock<PartnerId>,
    audited: OnceLock<Audited>,
    share: OnceLock<Arc<Share>>,
    permit: Mutex<Option<Permit>>,
    refused: AtomicBool,
}

impl RequestContext {
    /// Of a request that just came.
    pub(crate) fn new(app: &App, extensions: &Extensions, headers: &HeaderMap) -> Self {
        // What came over the network says from where.
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

    /// Of a request that is being processed.
    pub(crate) fn of(extensions: &Extensions) -> RequestContext {
        extensions.get::<RequestContext>().expect("put there by the outermost layer").clone()
    }

    /// Notes whose request it is, for its share and its log line.
    pub(crate) fn set_partner(&self, partner: PartnerId) {
        let _ = self.0.partner.set(partner);
    }

    /// Whose request it is, where that is known.
    pub(crate) fn partner(&self) -> Option<PartnerId> {
        self.0.partner.get().copied()
    }

    /// Notes what the request's audit line tells. The first note counts.
    pub(crate) fn set_audited(&self, event: AuditEvent, partner: Option<PartnerId>, record: Option<String>) {
        let _ = self.0.audited.set(Audited { event, partner, record });
    }

    /// What was noted for the audit line.
    pub(crate) fn audited(&self) -> Option<&Audited> {
        self.0.audited.get()
    }

    /// The client's address.
    pub(crate) fn peer(&self) -> Peer {
        self.0.peer
    }

    /// Whose share the request is part of.
    pub(crate) fn client(&self) -> Client {
        self.partner().map_or(Client::Peer(self.0.peer), Client::Partner)
    }

    /// What its sender has at the moment. It is looked up once as much is known of the sender as there will be.
    pub(crate) fn share(&self, app: &App) -> &Arc<Share> {
        self.0.share.get_or_init(|| app.admission.share(self.client()))
    }

    /// Admits the request: it is complete, and as much is known of its sender as there will be. A second call does
    /// nothing.
    ///
    /// # Errors
    /// E5030 where more is at work than may be.
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

    /// Does something that waits for insurers and not for this machine. The permit is given back meanwhile.
    ///
    /// # Errors
    /// E5030 where too many requests of the same client wait already, or there is no permit afterwards.
    pub(crate) async fn while_insurers_work<T>(&self, app: &App, work: impl Future<Output = T>) -> Result<T> {
        let _counted = app.waiting_quotes.add(self.client(), MOST_WAITING).ok_or_else(Problem::overloaded)?;
        self.without_permit(app, work).await
    }

    /// Does something that waits for something else than this machine. The permit is given back meanwhile.
    ///
    /// # Errors
    /// E5030 where there is no permit afterwards.
    pub(crate) async fn without_permit<T>(&self, app: &App, work: impl Future<Output = T>) -> Result<T> {
        self.permit().take();
        let done = work.await;
        let permit = app.admission.admit_again(self.share(app)).await?;
        *self.permit() = Some(permit);
        Ok(done)
    }

    /// Gives the permit back before the end: nothing more is done for the request.
    pub(crate) fn give_back(&self) {
        self.permit().take();
    }

    /// Whether the request was not admitted.
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

/// Admits a request that shows no credentials, at its address's share.
pub(crate) struct Admitted;

impl FromRequestParts<App> for Admitted {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        RequestContext::of(&parts.extensions).admit(app).await?;
        Ok(Admitted)
    }
}

/// Whether a request is complete with its header.
pub(crate) fn has_no_body(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD)
}
