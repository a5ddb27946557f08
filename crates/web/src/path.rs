//! Ids in paths. A malformed id is an unknown one: 404 (D54), after every other check of the request (D43).

use std::borrow::Cow;
use std::convert::Infallible;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use domain::id::{Id, Kind};
use service::Error;

use crate::app::App;
use crate::error::{Problem, Result};

/// The parts of a path that its route names, each with its name: an extension of the request.
#[derive(Clone, Default)]
pub(crate) struct PathParameters(pub(crate) Vec<(Cow<'static, str>, String)>);

impl PathParameters {
    /// Those of a request that the router matched. Bytes that are not UTF-8 name nothing.
    pub(crate) async fn routed(parts: &mut Parts) -> Self {
        let Ok(parameters) = RawPathParams::from_request_parts(parts, &()).await else {
            return PathParameters::default();
        };
        let owned = |(name, text): (&str, &str)| (name.to_owned().into(), text.to_owned());
        PathParameters(parameters.iter().map(owned).collect())
    }

    /// Takes them off a request.
    pub(crate) fn of(parts: &mut Parts) -> Self {
        parts.extensions.remove().unwrap_or_default()
    }
}

/// A part of the path as text. Bytes that are not UTF-8 become the empty text, which names nothing.
pub(crate) struct PathText(pub(crate) String);

impl FromRequestParts<App> for PathText {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Infallible> {
        Ok(PathText(PathParameters::of(parts).0.pop().map(|(_, text)| text).unwrap_or_default()))
    }
}

/// An id in the path, well formed or not.
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
    /// The id that a part of the path is.
    pub(crate) fn of(text: String) -> Self {
        PathId { id: text.parse().ok(), text }
    }
}

/// Longest id that a message repeats.
const LONGEST_NAMED: usize = 64;

impl<K> PathId<K> {
    /// The id, where it is well formed.
    ///
    /// # Errors
    /// R4040, the same as for a well-formed id that is unknown.
    pub(crate) fn known(self, what: &'static str) -> Result<Id<K>> {
        let PathId { id, text } = self;
        id.ok_or_else(|| {
            let plain = text.len() <= LONGEST_NAMED
                && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
            Error::Unknown { what, id: if plain { text } else { String::new() } }.into()
        })
    }
}

/// Two ids in the path, each well formed or not.
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
    /// The ids, where both are well formed.
    ///
    /// # Errors
    /// R4040 for the first that is not.
    pub(crate) fn known(self, first: &'static str, second: &'static str) -> Result<(Id<A>, Id<B>)> {
        Ok((self.0.known(first)?, self.1.known(second)?))
    }
}
