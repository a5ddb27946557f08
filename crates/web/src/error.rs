//! The error object, and the one table of its codes (interface, Errors; D10).

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::access::Scope;
use domain::date::Timestamp;
use serde::Serialize;
use service::storage::StorageError;
use service::{Conflict, ConflictReason, Error, Faults};
use utoipa::ToSchema;

/// Declares the codes, each with its status and title, in the contract's order.
macro_rules! error_table {
    ($($code:ident $status:literal $title:literal;)*) => {
        /// A code of the contract.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Code { $(#[doc = concat!($status, " ", $title)] $code),* }

        impl Code {
            /// The value of `type`.
            pub const fn word(self) -> &'static str {
                match self { $(Code::$code => stringify!($code)),* }
            }

            /// The value of `title`.
            pub const fn title(self) -> &'static str {
                match self { $(Code::$code => $title),* }
            }

            /// The number of the HTTP status that it comes with.
            pub const fn number(self) -> u16 {
                match self { $(Code::$code => $status),* }
            }

            /// The HTTP status that it comes with.
            pub fn status(self) -> StatusCode {
                StatusCode::from_u16(self.number()).expect("a status of the table")
            }
        }

        /// Every code, in the order of the contract.
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

/// The error object of every answer with status 400 or above.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErrorObject<'a> {
    /// Error code.
    r#type: &'a str,
    /// Short description.
    title: &'a str,
    /// Detailed message; may be empty.
    detail: &'a str,
    /// Path of the request that failed.
    instance: &'a str,
    /// On validation errors alone: every fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    additional_info: Option<Vec<Info<'a>>>,
    /// Of S4090 alone: why it conflicts with how things stand.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(pattern = "^(STATE|AMOUNT_CHANGED|CHANGED_MEANWHILE|MADE_BEFORE|NOT_OFFERED|LIMIT_REACHED)$")]
    reason: Option<&'static str>,
}

/// One fault of what came in.
#[derive(Serialize, ToSchema)]
pub(crate) struct Info<'a> {
    /// Path of the field, or the name of the query parameter.
    #[schema(example = "proposer.first_name")]
    field: &'a str,
    /// What the value must be.
    message: &'a str,
}

/// What a request gets, or why it is refused.
pub(crate) type Result<T, E = Problem> = std::result::Result<T, E>;

/// Why a request is refused; its path is not yet known.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Its code.
    pub code: Code,
    detail: String,
    faults: Option<Faults>,
    headers: Vec<(HeaderName, HeaderValue)>,
    /// Why it conflicts with how things stand, for programs: of S4090 alone.
    pub reason: Option<&'static str>,
    /// What went wrong inside: for the log, and for the operator.
    pub cause: Option<String>,
}

/// Seconds after which a token may be asked for again, as the contract's sentence advises.
const TOKEN_RETRY_AFTER: u64 = 60;

/// Seconds after which a shed or failed request may be tried again.
const RETRY_AFTER: u64 = 1;

impl Problem {
    /// One that says what is wrong.
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

    /// Something unexpected: nothing to the caller, the cause to the log.
    pub fn unexpected(cause: impl Into<String>) -> Self {
        Problem { cause: Some(cause.into()), ..Problem::new(Code::E5000, "") }
    }

    pub(crate) fn unavailable(detail: impl Into<String>, cause: impl Into<String>) -> Self {
        Problem { cause: Some(cause.into()), ..Problem::new(Code::E5030, detail) }.retry_after(RETRY_AFTER)
    }

    /// More requests are at work than may be: nothing failed, and nothing was begun.
    pub(crate) fn overloaded() -> Self {
        let detail = "There is more work than can be done just now. Please try again.";
        Problem::new(Code::E5030, detail).retry_after(RETRY_AFTER)
    }

    /// Somebody asked for something more often than they may.
    pub(crate) fn too_often(detail: impl Into<String>, retry_after: u64) -> Self {
        Problem::new(Code::A4290, detail).retry_after(retry_after)
    }

    /// Refuses a caller without valid credentials. `challenge` says which ones are accepted.
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

    /// The sentence that says what is wrong.
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// The same with its cause as its detail, for who runs this service.
    pub fn with_cause(mut self) -> Self {
        if let Some(cause) = &self.cause {
            self.detail.clone_from(cause);
        }
        self
    }

    /// The answer to a request at a path.
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

    /// Adds the headers for what the error object does not say: when to try again, or what is wanted of a bearer.
    pub(crate) fn add_headers(&self, response: &mut Response) {
        for (name, value) in &self.headers {
            response.headers_mut().insert(name, value.clone());
        }
    }
}

impl IntoResponse for Problem {
    /// Leaves the error object to the outermost layer, which knows the path.
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
                "The service cannot store or read just now. Please try again.",
                fault.to_string(),
            ),
            StorageError::Damaged(_) | StorageError::Refused(_) => Problem::unexpected(fault.to_string()),
        }
    }
}

impl From<Error> for Problem {
    /// Gives each error of the service its code.
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
                // Rounded up: who asks at that second gets one.
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
                "an insurer whose price is needed gave no answer",
            ),
            Error::Conflict(Conflict { reason, detail }) => {
                Problem { reason: Some(reason.word()), ..Problem::new(Code::S4090, detail) }
            }
            Error::TooLarge(what) => Problem::new(Code::V4130, what),
            Error::OtherType(told) => Problem::new(
                Code::V4150,
                format!("The first bytes are not those of {told}: send the file under its own type."),
            ),
            Error::Infected => {
                Problem::fault("body", "The operator's scanner refuses this file: send another one.")
            }
            Error::KeyReused => {
                let detail =
                    "This Idempotency-Key came before with another body; a new request needs a new key.";
                Problem::new(Code::V4220, detail)
            }
            Error::LinkExpired => Problem::new(
                Code::R4100,
                "This download address is older than 10 minutes; the proposal's status gives a fresh one.",
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
