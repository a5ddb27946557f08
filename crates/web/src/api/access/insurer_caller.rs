//! The insurer that calls: it shows itself as this service does when it asks the insurer.

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

/// What an insurer's call shows of itself.
pub(crate) struct InsurerCall {
    /// The ids in the path, by their names.
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
    /// The insurer that calls.
    ///
    /// # Errors
    /// A4001: an unknown insurer gets the same response as one whose secret is wrong, and a caller that is not the insurer
    /// learns nothing about the faults of the body (D43).
    pub(crate) fn check(&self, app: &App, body: &Result<Body>) -> Result<InsurerId> {
        self.is_of(app, body.as_ref().map_or(&[][..], Body::bytes))
    }

    /// An id in the path, well formed or not.
    pub(crate) fn id<K: Kind>(&self, name: &str) -> PathId<K> {
        let named = self.ids.0.iter().find(|(known, _)| known == name);
        PathId::of(named.map(|(_, text)| text.clone()).unwrap_or_default())
    }

    /// The insurer that calls, with a body of these bytes.
    ///
    /// # Errors
    /// As of [`InsurerCall::check`].
    pub(crate) fn is_of(&self, app: &App, body: &[u8]) -> Result<InsurerId> {
        let text = |name: &str| self.headers.get(name).and_then(|value| value.to_str().ok());
        // A proxy may have removed the prefix of our paths from the address that insurers call.
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
            Problem::unauthenticated("Bearer", "This is not how an insurer of this service shows who it is.")
        })?;
        acting::identify(Actor::Insurer(caller));
        Ok(caller)
    }
}
