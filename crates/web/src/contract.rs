//! The contract's endpoints by path and method: most requests find theirs here. The router has all of them as well, and
//! whatever is not found here is the router's: another method, a path with escapes, a page, a path that there is not.
//!
//! The router boxes what it calls, clones the box and what it shares for every request, and keeps the path's parts as
//! texts of its own: that was a tenth of the instructions of a short read.

use std::collections::HashMap;

use axum::extract::Request;
use axum::http::{self, Method};
use axum::response::Response;
use futures_util::future::BoxFuture;
use matchit::Router;

use crate::app::App;
use crate::path::PathParameters;

/// Answers the requests of an endpoint, with their [`PathParameters`] among their extensions.
pub(crate) type Answering = Box<dyn Fn(Request, App) -> BoxFuture<'static, Response> + Send + Sync>;

/// A path of the contract, as the log, the metrics and the document call it.
#[derive(Clone, Copy)]
pub(crate) struct ContractPath {
    /// As it is matched.
    pub(crate) path: &'static str,
    /// As the document writes it.
    pub(crate) documented: &'static str,
    pub(crate) is_deprecated: bool,
}

/// The endpoints.
pub(crate) struct Contract {
    by_path: Router<AtPath>,
    paths: HashMap<&'static str, ContractPath>,
}

struct AtPath {
    path: ContractPath,
    by_method: Vec<(Method, Answering)>,
}

/// The endpoint of a request.
pub(crate) struct Found {
    pub(crate) path: ContractPath,
    pub(crate) answering: &'static Answering,
    pub(crate) parameters: PathParameters,
}

impl Contract {
    /// Of endpoints by path and method.
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

    /// What is known of a path that the router matched.
    pub(crate) fn path(&self, matched: &str) -> Option<ContractPath> {
        self.paths.get(matched).copied()
    }

    /// The endpoint of a request.
    pub(crate) fn find<B>(&'static self, request: &http::Request<B>) -> Option<Found> {
        let path = request.uri().path();
        if path.contains('%') {
            return None;
        }
        let matched = self.by_path.at(path).ok()?;
        let AtPath { path, by_method } = matched.value;
        let (_, answering) = by_method.iter().find(|(method, _)| method == request.method())?;
        let parameters = matched.params.iter().map(|(name, text)| (name.into(), text.to_owned())).collect();
        Some(Found { path: *path, answering, parameters: PathParameters(parameters) })
    }
}
