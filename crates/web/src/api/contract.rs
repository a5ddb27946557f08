//! The contract's endpoints by path and method: most requests find theirs here. The router has all of them as well, and
//! whatever is not found here is the router's: another method, a path with escapes, a page, a path that there is not.
//!
//! The router boxes what it calls, clones the box and what it shares for every request, and keeps the path's parts as
//! texts of its own: that was a tenth of the instructions of a short read.

use std::collections::HashMap;

use axum::http::{Method, Request};
use matchit::Router;

use super::endpoint::{Answering, Endpoint};
use crate::path::PathParameters;

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
    pub(super) fn of(endpoints: &[&'static Endpoint]) -> Self {
        let mut at_paths: HashMap<&'static str, AtPath> = HashMap::new();
        for endpoint in endpoints {
            let path = ContractPath {
                path: endpoint.path,
                documented: endpoint.documented_path().leak(),
                is_deprecated: endpoint.deprecated,
            };
            let at = at_paths.entry(endpoint.path).or_insert_with(|| AtPath { path, by_method: Vec::new() });
            at.path.is_deprecated |= endpoint.deprecated;
            at.by_method.push((endpoint.method.method(), (endpoint.handler)()));
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
    pub(crate) fn find<B>(&'static self, request: &Request<B>) -> Option<Found> {
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
