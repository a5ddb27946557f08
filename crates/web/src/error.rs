//! The error object, and the table of its codes (interface, Errors; D10).

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::access::Scope;
use domain::date::Timestamp;
use serde::Serialize;
use service::storage::StorageError;
use service::{Conflict, ConflictReason, Error, Fault, Faults};
use utoipa::ToSchema;

/// Declares the error codes with status and title, in the order of the API's contract.
macro_rules! error_table {
    ($($code:ident $status:literal $title:literal;)*) => {
        /// Error code of the API.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Code { $(#[doc = concat!($status, " ", $title)] $code),* }

        impl Code {
            /// Value of `type` in the error object.
            pub const fn word(self) -> &'static str {
                match self { $(Code::$code => stringify!($code)),* }
            }

            /// Value of `title` in the error object.
            pub const fn title(self) -> &'static str {
                match self { $(Code::$code => $title),* }
            }

            /// HTTP status of the code, as a number.
            pub const fn number(self) -> u16 {
                match self { $(Code::$code => $status),* }
            }

            /// HTTP status of the code.
            pub fn status(self) -> StatusCode {
                StatusCode::from_u16(self.number()).expect("a status of the table")
            }
        }

        /// All error codes, in the order of the API's contract.
        pub const CODES: &[Code] = &[$(Code::$code),*];
    };
}

error_table! {
    V4000 400 "Validation Error";
    S4000 400 "Invalid State";
    A4001 401 "Invalid Authentication Credentials";
    A4030 403 "Insufficient Permission";
    R4040 404 "Resource Not Found";
    R4050 405 "Method Not Allowed";
    S4090 409 "Conflict";
    R4100 410 "Link Expired";
    V4130 413 "Payload Too Large";
    V4150 415 "Unsupported Media Type";
    V4220 422 "Idempotency Key Reused";
    A4290 429 "Rate Limit Exceeded";
    E5000 500 "An unexpected error occurred";
    E5030 503 "Service Unavailable";
}

/// Error object of every response with status 400 or above.
#[derive(Serialize, ToSchema)]
pub struct ErrorObject<'a> {
    /// Error code, such as `V4000`.
    r#type: &'a str,
    /// Title of the error code.
    title: &'a str,
    /// Detailed message. Can be empty.
    detail: &'a str,
    /// Path of the request that failed.
    instance: &'a str,
    /// Only for validation errors: every invalid field.
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_info: Option<Vec<Info<'a>>>,
    /// Only for S4090: reason of the conflict.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^(STATE|AMOUNT_CHANGED|CHANGED_MEANWHILE|MADE_BEFORE|NOT_OFFERED|LIMIT_REACHED)$")]
    reason: Option<&'static str>,
}

/// An invalid field of the request.
#[derive(Serialize, ToSchema)]
pub(crate) struct Info<'a> {
    /// Path of the invalid field in the body, or name of the query parameter.
    #[schema(example = "proposer.first_name")]
    field: &'a str,
    /// Message that says what the value must be.
    message: &'a str,
}

/// Result of handling a request.
pub(crate) type Result<T, E = Problem> = std::result::Result<T, E>;

/// Error for the caller. The outermost layer adds the path of the request.
#[derive(Debug, Clone)]
pub struct Problem {
    pub code: Code,
    detail: String,
    faults: Option<Faults>,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// Only for S4090: machine-readable reason of the conflict.
    pub reason: Option<&'static str>,
    /// Internal cause, for the log and the operator.
    pub cause: Option<String>,
}

/// Seconds until a token can be requested again, as in the message of the API's contract.
const TOKEN_RETRY_AFTER: u64 = 60;

/// Seconds after which a refused or failed request can be repeated.
const RETRY_AFTER: u64 = 1;

impl Problem {
    /// Faults of the request's fields, if these are the problem.
    pub fn faults(&self) -> &[Fault] {
        self.faults.as_ref().map_or(&[], |faults| &faults.0)
    }

    /// Error with a message for the caller.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        let reason = (code == Code::S4090).then_some(ConflictReason::State.word());
        Problem { code, detail: detail.into(), faults: None, reason, headers: Vec::new(), cause: None }
    }

    pub(crate) fn invalid(faults: Faults) -> Self {
        let count = faults.0.len();
        let detail =
            if count == 1 { "One field is invalid.".into() } else { format!("{count} fields are invalid.") };
        Problem { faults: Some(faults), ..Problem::new(Code::V4000, detail) }
    }

    pub(crate) fn fault(field: impl Into<String>, message: impl Into<String>) -> Self {
        Problem::invalid(Faults::one(field, message))
    }

    /// Unexpected error. The caller sees no details; the cause is logged.
    pub fn unexpected(cause: impl Into<String>) -> Self {
        Problem { cause: Some(cause.into()), ..Problem::new(Code::E5000, "") }
    }

    pub(crate) fn unavailable(detail: impl Into<String>, cause: impl Into<String>) -> Self {
        Problem { cause: Some(cause.into()), ..Problem::new(Code::E5030, detail) }.retry_after(RETRY_AFTER)
    }

    /// Error if the server is overloaded. The request was not processed.
    pub(crate) fn overloaded() -> Self {
        let detail = "The service is overloaded. Please try again.";
        Problem::new(Code::E5030, detail).retry_after(RETRY_AFTER)
    }

    /// Error if the caller reached a rate limit. `retry_after` is in seconds.
    pub(crate) fn too_often(detail: impl Into<String>, retry_after: u64) -> Self {
        Problem::new(Code::A4290, detail).retry_after(retry_after)
    }

    /// Error if the caller has no valid credentials. `challenge` names the accepted kind of credentials.
    pub fn unauthenticated(challenge: &'static str, detail: impl Into<String>) -> Self {
        Problem::new(Code::A4001, detail).with(header::WWW_AUTHENTICATE, HeaderValue::from_static(challenge))
    }

    pub(crate) fn not_found_at_path() -> Self {
        Problem::new(Code::R4040, "There is nothing at this path.")
    }

    fn with(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.push((name, value));
        self
    }

    fn retry_after(self, seconds: u64) -> Self {
        self.with(header::RETRY_AFTER, HeaderValue::from(seconds))
    }

    /// Message for the caller.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// Uses the internal cause as message, for the operator.
    pub fn with_cause(mut self) -> Self {
        if let Some(cause) = &self.cause {
            self.detail.clone_from(cause);
        }
        self
    }

    /// Response with the error object. `instance` is the path of the request.
    pub fn answer(&self, instance: &str) -> Response {
        let faults = self.faults.as_ref();
        let info = faults.map(|faults| {
            faults.0.iter().map(|fault| Info { field: &fault.field, message: &fault.message }).collect()
        });
        let object = ErrorObject {
            r#type: self.code.word(),
            title: self.code.title(),
            detail: &self.detail,
            instance,
            additional_info: info,
            reason: self.reason,
        };
        let body = serde_json::to_vec(&object).expect("strings alone");
        let json = (header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        let mut response = (self.code.status(), [json], body).into_response();
        self.add_headers(&mut response);
        response
    }

    /// Adds headers for facts that the error object lacks: `Retry-After` and `WWW-Authenticate`.
    pub(crate) fn add_headers(&self, response: &mut Response) {
        for (name, value) in &self.headers {
            response.headers_mut().insert(name, value.clone());
        }
    }
}

impl IntoResponse for Problem {
    /// Response without the error object. The outermost layer adds the object, because it knows the path.
    fn into_response(self) -> Response {
        let mut response = self.code.status().into_response();
        response.extensions_mut().insert(self);
        response
    }
}

impl From<StorageError> for Problem {
    fn from(fault: StorageError) -> Self {
        match fault {
            StorageError::Away(_) => Problem::unavailable(
                "The service cannot read or write its data now. Please try again.",
                fault.to_string(),
            ),
            StorageError::Damaged(_) | StorageError::Refused(_) | StorageError::Rehearsed => {
                Problem::unexpected(fault.to_string())
            }
        }
    }
}

impl From<Error> for Problem {
    /// Maps each error of the service to its error code.
    fn from(error: Error) -> Self {
        match error {
            Error::Invalid(faults) => Problem::invalid(faults),
            Error::WrongCredentials => Problem::unauthenticated(
                "Bearer",
                "The client_id or client_secret is wrong, or the partner is disabled.",
            ),
            Error::RefusedBearer(why) => Problem::unauthenticated(
                r#"Bearer error="invalid_token""#,
                format!("The bearer token is refused: {why}."),
            ),
            Error::ScopeNeeded(scope) => insufficient_scope(scope),
            Error::ScopeNotEnabled(scope) => Problem::new(
                Code::A4030,
                format!("The scope {scope} is not enabled for this partner; ask the operator."),
            ),
            Error::NotPermitted(why) => Problem::new(Code::A4030, why),
            Error::TooManyTokens { free_at } => {
                // Rounded up, so that a token is available at that second.
                let from =
                    Timestamp::from_second(free_at.as_second() + i64::from(free_at.subsec_nanosecond() > 0));
                let from = from.unwrap_or(free_at);
                let detail = format!(
                    "Too many tokens were generated in the last hour. Please retry in 60 seconds, and use each token for its whole hour. Tokens are available again from {from}."
                );
                Problem::new(Code::A4290, detail).retry_after(TOKEN_RETRY_AFTER)
            }
            Error::LimitReached { limit, retry_after } => {
                Problem::new(Code::A4290, limit).retry_after(retry_after)
            }
            Error::Unknown { what, id } if id.is_empty() => {
                Problem::new(Code::R4040, format!("There is no such {what}."))
            }
            Error::Unknown { what, id } => {
                Problem::new(Code::R4040, format!("The {what} {id} was not found."))
            }
            Error::Refused(refused) => Problem::new(Code::S4000, refused.to_string()),
            broken @ Error::AgainstRules(_) => {
                Problem::new(Code::S4000, format!("The policy cannot be issued. {broken}"))
            }
            Error::NotEndorsable(why) => Problem::new(Code::S4000, why.to_string()),
            Error::NotRenewable(why) => Problem::new(Code::S4000, why.to_string()),
            Error::NotCancellable(why) => Problem::new(Code::S4000, why.to_string()),
            due @ Error::PremiumDue(_) => Problem::new(Code::S4000, due.to_string()),
            Error::InsurerUnavailable => Problem::unavailable(
                "The insurer that prices this cover did not answer. Please try again.",
                "an insurer that must calculate a price did not answer",
            ),
            Error::Conflict(Conflict { reason, detail }) => {
                Problem { reason: Some(reason.word()), ..Problem::new(Code::S4090, detail) }
            }
            Error::TooLarge(what) => Problem::new(Code::V4130, what),
            Error::OtherType(told) => Problem::new(
                Code::V4150,
                format!("The first bytes of the file do not match {told}: send the file's own Content-Type."),
            ),
            Error::Infected => {
                Problem::fault("body", "The operator's virus scanner refuses this file: send another file.")
            }
            Error::KeyReused => {
                let detail =
                    "This Idempotency-Key was used with another body. Send a new key for a new request.";
                Problem::new(Code::V4220, detail)
            }
            Error::LinkExpired => Problem::new(
                Code::R4100,
                "This download address is older than 10 minutes. Request a new one.",
            ),
            Error::Storage(fault) => fault.into(),
            Error::Internal(cause) => Problem::unexpected(cause),
        }
    }
}

fn insufficient_scope(scope: Scope) -> Problem {
    let challenge = format!(r#"Bearer error="insufficient_scope", scope="{scope}""#);
    let challenge = HeaderValue::from_str(&challenge).expect("a scope is plain ASCII");
    Problem::new(Code::A4030, format!("This operation needs the scope {scope}."))
        .with(header::WWW_AUTHENTICATE, challenge)
}
