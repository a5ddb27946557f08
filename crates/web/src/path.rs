//! Ids in paths. A malformed id gets status 404, like an unknown id (D54). It is reported only after every
//! other check of the request (D43).

use std::borrow::Cow;
use std::convert::Infallible;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use domain::id::{Id, Kind};
use service::Error;

use crate::app::App;
use crate::error::{Problem, Result};

/// Names and values of the path's parameters, stored as an extension of the request.
#[derive(Clone, Default)]
pub(crate) struct PathParameters(pub(crate) Vec<(Cow<'static, str>, String)>);

impl PathParameters {
    /// Parameters that the axum router found in the request's path. Empty if the path is not UTF-8.
    pub(crate) async fn routed(parts: &mut Parts) -> Self {
        let Ok(parameters) = RawPathParams::from_request_parts(parts, &()).await else {
            return PathParameters::default();
        };
        let owned = |(name, text): (&str, &str)| (name.to_owned().into(), text.to_owned());
        PathParameters(parameters.iter().map(owned).collect())
    }

    /// Takes the parameters out of a request's extensions.
    pub(crate) fn of(parts: &mut Parts) -> Self {
        parts.extensions.remove().unwrap_or_default()
    }
}

/// Last path parameter as text. Empty if the parameter is not UTF-8, because then it matches no record.
pub(crate) struct PathText(pub(crate) String);

impl FromRequestParts<App> for PathText {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Infallible> {
        Ok(PathText(PathParameters::of(parts).0.pop().map(|(_, text)| text).unwrap_or_default()))
    }
}

/// Id from the path, valid or not.
pub(crate) struct PathId<K> {
    id: Option<Id<K>>,
    text: String,
}

impl<K: Kind + Send> FromRequestParts<App> for PathId<K> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let Ok(PathText(text)) = PathText::from_request_parts(parts, app).await;
        Ok(PathId::of(text))
    }
}

impl<K: Kind> PathId<K> {
    pub(crate) fn of(text: String) -> Self {
        PathId { id: text.parse().ok(), text }
    }
}

/// Maximum length of an id that an error message repeats, in characters.
const LONGEST_NAMED: usize = 64;

impl<K> PathId<K> {
    /// Returns the id, if it is valid.
    ///
    /// # Errors
    /// R4040, the same as for a valid id that is unknown.
    pub(crate) fn known(self, what: &'static str) -> Result<Id<K>> {
        let PathId { id, text } = self;
        id.ok_or_else(|| {
            let plain = text.len() <= LONGEST_NAMED
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
            Error::Unknown { what, id: if plain { text } else { String::new() } }.into()
        })
    }
}

/// Two ids from the path, valid or not.
pub(crate) struct PathIds<A, B>(PathId<A>, PathId<B>);

impl<A: Kind + Send, B: Kind + Send> FromRequestParts<App> for PathIds<A, B> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        let mut texts = PathParameters::of(parts).0.into_iter().map(|(_, text)| text);
        let (first, second) = (texts.next().unwrap_or_default(), texts.next().unwrap_or_default());
        Ok(PathIds(PathId::of(first), PathId::of(second)))
    }
}

impl<A, B> PathIds<A, B> {
    /// Returns both ids, if they are valid.
    ///
    /// # Errors
    /// R4040 for the first invalid id.
    pub(crate) fn known(self, first: &'static str, second: &'static str) -> Result<(Id<A>, Id<B>)> {
        Ok((self.0.known(first)?, self.1.known(second)?))
    }
}
