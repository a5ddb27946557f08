//! Fast lookup of the API's endpoints by path and method. The axum router knows these endpoints, too. It gets
//! the requests that are not found here: other methods, paths with escapes, pages and unknown paths.
//!
//! The axum router is slower: it boxes each call, clones the box and its shared state for every request, and
//! copies the path's parts. For a short read, that took a tenth of all instructions.

use std::collections::HashMap;

use axum::extract::Request;
use axum::http::{self, Method};
use axum::response::Response;
use futures_util::future::BoxFuture;
use matchit::Router;

use crate::app::App;
use crate::path::PathParameters;

/// Handler of an endpoint. It finds the [`PathParameters`] in the request's extensions.
pub(crate) type Answering = Box<dyn Fn(Request, App) -> BoxFuture<'static, Response> + Send + Sync>;

/// Path of an endpoint, for the router and for the OpenAPI document.
#[derive(Clone, Copy)]
pub(crate) struct ContractPath {
    /// Pattern that request paths must match. The log and the metrics use it, too.
    pub(crate) path: &'static str,
    /// The same path as the OpenAPI document writes it.
    pub(crate) documented: &'static str,
    pub(crate) is_deprecated: bool,
}

/// Lookup table of all endpoints.
pub(crate) struct Contract {
    by_path: Router<AtPath>,
    paths: HashMap<&'static str, ContractPath>,
}

struct AtPath {
    path: ContractPath,
    by_method: Vec<(Method, Answering)>,
}

/// Endpoint that a request's path and method match.
pub(crate) struct MatchedEndpoint {
    pub(crate) path: ContractPath,
    pub(crate) answering: &'static Answering,
    pub(crate) parameters: PathParameters,
}

impl Contract {
    pub(crate) fn of(endpoints: impl Iterator<Item = (ContractPath, Method, Answering)>) -> Self {
        let mut at_paths: HashMap<&'static str, AtPath> = HashMap::new();
        for (path, method, answering) in endpoints {
            let at = at_paths.entry(path.path).or_insert_with(|| AtPath { path, by_method: Vec::new() });
            at.path.is_deprecated |= path.is_deprecated;
            at.by_method.push((method, answering));
        }
        let paths = at_paths.iter().map(|(path, at)| (*path, at.path)).collect();
        let mut by_path = Router::new();
        for (path, at) in at_paths {
            by_path.insert(path, at).expect("the router takes the same paths");
        }
        Contract { by_path, paths }
    }

    /// Path of the endpoint whose pattern the router matched. `None` if `matched` is not a pattern of the
    /// API.
    pub(crate) fn path(&self, matched: &str) -> Option<ContractPath> {
        self.paths.get(matched).copied()
    }

    /// Endpoint that the request's path and method match, if any.
    pub(crate) fn find<B>(&'static self, request: &http::Request<B>) -> Option<MatchedEndpoint> {
        let path = request.uri().path();
        if path.contains('%') {
            return None;
        }
        let matched = self.by_path.at(path).ok()?;
        let AtPath { path, by_method } = matched.value;
        let (_, answering) = by_method.iter().find(|(method, _)| method == request.method())?;
        let parameters = matched.params.iter().map(|(name, text)| (name.into(), text.to_owned())).collect();
        Some(MatchedEndpoint { path: *path, answering, parameters: PathParameters(parameters) })
    }
}
