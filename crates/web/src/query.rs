//! Query parameters. They are read and described for OpenAPI in the same way as the fields of a body (D11,
//! D13).

use axum::extract::FromRequestParts;
use axum::extract::rejection::QueryRejection;
use axum::http::request::Parts;
use serde_json::{Map, Value, json};
use service::Faults;

use crate::app::App;
use crate::error::{Problem, Result};
use crate::marker::TWICE;
use crate::reader::{Fields, read_object};

/// Maximum number of parameters in a query.
const MOST: usize = 100;

/// Query parameters, each as text.
pub(crate) struct Query {
    parameters: Map<String, Value>,
}

impl FromRequestParts<App> for Query {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let pairs: Result<axum::extract::Query<Vec<(String, String)>>, QueryRejection> =
            axum::extract::Query::from_request_parts(parts, app).await;
        let Ok(axum::extract::Query(pairs)) = pairs else {
            let message = "Must be name=value pairs joined by &.";
            return Err(Problem::fault("query", message));
        };
        let mut query = Query { parameters: Map::new() };
        if pairs.len() > MOST {
            return Err(Problem::fault("query", "Must have at most 100 parameters."));
        }
        for (name, value) in pairs {
            // A repeated parameter is a fault if it is read. Unknown ones are ignored, even if repeated
            // (D12).
            if let Some(first) = query.parameters.get_mut(&name) {
                *first = json!({ TWICE: null });
            } else {
                query.parameters.insert(name, value.into());
            }
        }
        Ok(query)
    }
}

impl Query {
    /// Reads the query parameters with `read`. Continues after a fault, so that one response has all faults
    /// (D11).
    pub(crate) fn read<T>(self, read: impl FnOnce(&mut Fields<'_>) -> T) -> (T, Faults) {
        read_object(&self.parameters, read)
    }
}
