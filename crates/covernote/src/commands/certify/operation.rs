//! The operations of the API, by the requests that call them.

use serde_json::Value;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Operation {
    /// Method and path, such as `GET /v1/policies/{policy_id}`.
    pub(super) name: String,
    /// Whether it only reads.
    pub(super) is_read: bool,
    /// Whether it takes an idempotency key.
    pub(super) takes_key: bool,
}

/// How a token is asked for.
const TOKEN: &str = "POST /v1/auth/token";

impl Operation {
    /// Whether it gives a token.
    pub(super) fn is_token(&self) -> bool {
        self.name == TOKEN
    }
}

/// Every operation of the document.
pub(super) struct Operations(Vec<Operation>);

impl Operations {
    /// Reads the OpenAPI document.
    pub(super) fn of(document: &Value) -> Self {
        let methods = ["get", "post", "patch", "put", "delete"];
        let paths = document["paths"].as_object().into_iter().flatten();
        let all = paths.flat_map(|(path, item)| {
            let present = methods.into_iter().filter(|method| item[*method].is_object());
            present.map(move |method| {
                let parameters = item[method]["parameters"].as_array();
                let takes_key = parameters.into_iter().flatten().any(|one| one["name"] == "Idempotency-Key");
                let name = format!("{} {path}", method.to_uppercase());
                Operation { name, is_read: method == "get", takes_key }
            })
        });
        Operations(all.collect())
    }

    /// The operation that a request calls.
    pub(super) fn find(&self, method: &str, target: &str) -> Option<&Operation> {
        let called = format!("{method} {}", target.split('?').next().unwrap_or_default());
        // A path without an id goes before one with an id at the same place.
        let exact = self.0.iter().find(|operation| operation.name == called);
        exact.or_else(|| self.0.iter().find(|operation| fits(&operation.name, &called)))
    }
}

/// Whether a request is of a path with names of ids in it.
fn fits(named: &str, called: &str) -> bool {
    let (mut named, mut called) = (named.split('/'), called.split('/'));
    loop {
        match (named.next(), called.next()) {
            (None, None) => return true,
            (Some(name), Some(part)) if name == part || name.starts_with('{') && !part.is_empty() => {}
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_of_the_operation_whose_path_it_has() {
        let operations = Operations::of(&web::api::document());
        let name = |method: &str, target: &str| {
            operations.find(method, target).map(|operation| (operation.name.as_str(), operation.takes_key))
        };
        assert_eq!(name("POST", "/v1/auth/token"), Some((TOKEN, false)));
        assert_eq!(name("POST", "/v1/embedded/proposal"), Some(("POST /v1/embedded/proposal", true)));
        let status = "GET /v1/embedded/proposal/{proposal_id}/status";
        assert_eq!(name("GET", "/v1/embedded/proposal/pro_1/status?a=b"), Some((status, false)));
        assert_eq!(name("GET", "/v1/nothing"), None);
        assert_eq!(name("GET", "/v1/policies/"), None);
    }
}
