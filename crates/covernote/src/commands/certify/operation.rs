//! Finds the API operation that a request calls.

use serde_json::Value;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Operation {
    /// Method and path, such as `GET /v1/policies/{policy_id}`.
    pub(super) name: String,
    /// Whether the operation only reads.
    pub(super) is_read: bool,
    /// Whether the operation takes an idempotency key.
    pub(super) takes_key: bool,
}

/// Operation that issues tokens.
const TOKEN: &str = "POST /v1/auth/token";

impl Operation {
    /// Whether the operation issues tokens.
    pub(super) fn is_token(&self) -> bool {
        self.name == TOKEN
    }
}

/// All operations of the partners' API.
pub(super) struct Operations(Vec<Operation>);

impl Operations {
    /// Reads the operations from the OpenAPI document.
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
        // An exact path takes precedence over a path template.
        let exact = self.0.iter().find(|operation| operation.name == called);
        exact.or_else(|| self.0.iter().find(|operation| fits(&operation.name, &called)))
    }
}

/// Whether a called path matches a path template. Both texts begin with the method, such as `GET
/// /v1/policies/{policy_id}`.
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
    fn a_request_is_matched_to_the_operation_with_its_method_and_path() {
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
