//! Authenticates calls by insurers, with the same secret or signature that this service uses to call them.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, Uri, header};
use domain::id::{InsurerId, Kind, kind};
use service::acting::{self, Actor};
use service::insurer::IncomingMessage;

use crate::app::App;
use crate::body::Body;
use crate::error::{Problem, Result};
use crate::path::{PathId, PathParameters};

/// Parts of an HTTP request by an insurer that authenticate the insurer.
pub(crate) struct InsurerCall {
    /// Ids from the path, by parameter name.
    ids: PathParameters,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
}

impl FromRequestParts<App> for InsurerCall {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let ids = PathParameters::of(parts);
        let (method, uri) = (parts.method.clone(), parts.uri.clone());
        Ok(InsurerCall { ids, method, uri, headers: parts.headers.clone() })
    }
}

impl InsurerCall {
    /// Authenticates the insurer.
    ///
    /// # Errors
    /// A4001. The response is the same for an unknown insurer and for a wrong secret. An unauthenticated
    /// caller learns nothing about faults of the body (D43).
    pub(crate) fn check(&self, app: &App, body: &Result<Body>) -> Result<InsurerId> {
        self.is_of(app, body.as_ref().map_or(&[][..], Body::bytes))
    }

    /// Id from the path parameter with this name, valid or not.
    pub(crate) fn id<K: Kind>(&self, name: &str) -> PathId<K> {
        let named = self.ids.0.iter().find(|(known, _)| known == name);
        PathId::of(named.map(|(_, text)| text.clone()).unwrap_or_default())
    }

    /// Authenticates the insurer that sent this body, and returns the insurer's id.
    ///
    /// # Errors
    /// As for [`InsurerCall::check`].
    pub(crate) fn is_of(&self, app: &App, body: &[u8]) -> Result<InsurerId> {
        let text = |name: &str| self.headers.get(name).and_then(|value| value.to_str().ok());
        // A proxy may have removed our path prefix from the address that insurers call.
        let path = format!("{}{}", app.service.installation.base_path(), self.uri.path());
        let message = IncomingMessage {
            authorization: text(header::AUTHORIZATION.as_str()),
            timestamp: text("covernote-timestamp"),
            signature: text("covernote-signature"),
            method: self.method.as_str(),
            path: &path,
            body,
            now: app.service.installation.now(),
        };
        let known = self.id::<kind::Insurer>("insurer_id").known("insurer").ok();
        let caller = known.filter(|insurer| app.service.decisions.is_insurer(*insurer, &message));
        let caller = caller.ok_or_else(|| {
            Problem::unauthenticated("Bearer", "The insurer's secret or signature is missing or wrong.")
        })?;
        acting::identify(Actor::Insurer(caller));
        Ok(caller)
    }
}
