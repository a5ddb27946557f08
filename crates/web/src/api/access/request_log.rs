//! `/v1/requests`: the partner's requests and their results (D100).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::id::Uuid;
use domain::text::FromText;
use serde::Serialize;
use service::partner::request_log::{RequestPosition, RequestQuery};
use service::storage::lists::Beyond;
use service::storage::request_log::LoggedRequest;
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Verb, answered_by};
use crate::api::common::list::{Position, UncountedEnds, beyond, limit};
use crate::app::App;
use crate::caller::{Business, Caller};
use crate::error::{Problem, Result};
use crate::query::Query;
use crate::reader::Fields;
use crate::response::json;
use crate::shape::{Instant, describe, described, text};

pub(super) static LIST: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/requests",
    id: "listRequests",
    tag: "Operation",
    summary: "List your requests",
    description: "Lists your authenticated requests of the last 7 days, at most 10,000, newest first. Each request has its route, status, error code, duration and id. Bodies, ids in paths and queries are not stored. A request is listed one second after its response.",
    access: Access::Scope(Scope::Business),
    query: Some(|| describe(request_parameters)),
    gives: Gives::json::<RequestList>(200, "A page of requests."),
    handler: || answered_by(list),
    ..Endpoint::PLAIN
};

/// Lists the partner's requests.
async fn list(State(app): State<App>, caller: Caller<Business>, query: Query) -> Result<Response> {
    let (asked, faults) = query.read(request_parameters);
    if !faults.0.is_empty() {
        return Err(Problem::invalid(faults));
    }
    let page = app.service.request_log.list(caller.partner, &asked).await?;
    let ends = page.requests.first().zip(page.requests.last()).map(|(first, last)| (first.0, last.0));
    let ends = UncountedEnds::of(asked.from, page.has_more, ends);
    let requests = page.requests.iter().map(|(_, request)| RequestShown::of(request)).collect();
    Ok(json(StatusCode::OK, &RequestList { requests, ends }))
}

/// Reads the query parameters of the list. Invalid parameters are left out; `fields` records their faults.
fn request_parameters(fields: &mut Fields<'_>) -> RequestQuery {
    let since = described::<Instant>("Only requests answered at or after this instant.");
    let until = described::<Instant>("Only requests answered before this instant.");
    let status = described::<StatusRange>(
        "Only requests with this response status, such as 503, or of this class, such as 4xx.",
    );
    let (since, until) =
        (fields.optional("since", since).flatten(), fields.optional("until", until).flatten());
    let status = fields.optional("status", status).flatten();
    let from = match beyond(fields, text::<LogCursor>) {
        None => None,
        Some(Beyond::After(cursor)) => Some(Beyond::After(cursor.0)),
        Some(Beyond::Before(cursor)) => Some(Beyond::Before(cursor.0)),
    };
    RequestQuery {
        since: since.map(|since| since.0),
        until: until.map(|until| until.0),
        status: status.map(|status| status.0),
        from,
        most: limit(fields).unwrap_or(service::list::PAGE).into(),
    }
}

/// An HTTP status or a class of statuses, as first and last status.
struct StatusRange((u16, u16));

impl FromText for StatusRange {
    const WANTED: &'static str = "a status such as 503, or a class such as 4xx";
    const PATTERN: Option<&'static str> = Some("^([1-5][0-9]{2}|[1-5]xx)$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let other = "text that is not a status";
        let number = |digits: &str| digits.parse::<u16>().ok().filter(|_| digits.len() == text.len().min(3));
        let range = match text.strip_suffix("xx") {
            Some(class) if class.len() == 1 => {
                class.parse::<u16>().ok().map(|class| (class * 100, class * 100 + 99))
            }
            _ => number(text).filter(|_| text.len() == 3).map(|status| (status, status)),
        };
        range.filter(|(least, _)| (100..600).contains(least)).map(StatusRange).ok_or(other)
    }
}

/// The log is ordered from the newest request to the oldest.
impl Position for RequestPosition {
    fn beside(self, towards_end: bool) -> Self {
        let RequestPosition { batch, nth } = self;
        match (towards_end, nth) {
            (false, _) => RequestPosition { batch, nth: nth.saturating_add(1) },
            (true, 0) => {
                RequestPosition { batch: Uuid::from_u128(batch.as_u128().saturating_sub(1)), nth: usize::MAX }
            }
            (true, _) => RequestPosition { batch, nth: nth - 1 },
        }
    }

    fn cursor(self) -> String {
        format!("{}-{}", self.batch.simple(), self.nth)
    }
}

/// Parsed cursor of a page of the request log.
struct LogCursor(RequestPosition);

impl FromText for LogCursor {
    const WANTED: &'static str = "a cursor from a page of this list";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let parsed = text.split_once('-').and_then(|(batch, nth)| {
            let batch = Uuid::try_parse(batch).ok().filter(|_| batch.len() == 32)?;
            Some(RequestPosition { batch, nth: nth.parse().ok()? })
        });
        parsed.map(LogCursor).ok_or("text that is not a cursor")
    }
}

/// A page of requests.
#[derive(Serialize, ToSchema)]
pub(crate) struct RequestList {
    /// Requests of this page, newest first.
    requests: Vec<RequestShown>,
    #[serde(flatten)]
    ends: UncountedEnds,
}

/// One of your requests, with its result.
#[derive(Serialize, ToSchema)]
#[schema(as = LoggedRequest)]
pub(crate) struct RequestShown {
    /// Time of the response.
    #[schema(format = "date-time")]
    at: String,
    /// HTTP method of the request.
    #[schema(example = "POST")]
    method: String,
    /// Path of the operation, with parameter names instead of values.
    #[schema(example = "/v1/embedded/proposal/{proposal_id}/status")]
    route: String,
    /// HTTP status of the response.
    #[schema(example = 200)]
    status: u16,
    /// Error code of the response. `null` if the response is not an error.
    #[schema(required = true, example = "V4000")]
    code: Option<String>,
    /// Time that the server needed for the request, in milliseconds.
    #[schema(example = 1.25)]
    duration_ms: f64,
    /// Value of the response's `X-Request-Id`.
    request_id: String,
}

impl RequestShown {
    fn of(request: &LoggedRequest) -> Self {
        RequestShown {
            at: request.at.to_string(),
            method: request.method.clone().into_owned(),
            route: request.route.clone().into_owned(),
            status: request.status,
            code: request.code.as_ref().map(|code| code.clone().into_owned()),
            duration_ms: f64::from(request.micros) / 1000.0,
            request_id: request.id.simple().to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_filter_is_one_status_or_a_class_such_as_4xx() {
        let range = |text: &str| StatusRange::from_text(text).map(|range| range.0).ok();
        assert_eq!(range("503"), Some((503, 503))); // D100
        assert_eq!(range("4xx"), Some((400, 499)));
        for bad in ["", "5", "50", "5000", "6xx", "xx", "44xx", "099", "-xx", "+50", "4XX"] {
            assert_eq!(range(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_written_log_position_is_read_unchanged_and_malformed_ones_are_refused() {
        let position = RequestPosition { batch: Uuid::from_u128(7), nth: 12 };
        assert_eq!(LogCursor::from_text(&position.cursor()).map(|read| read.0), Ok(position));
        for bad in
            ["", "x", "1-2", "-", "00000000000000000000000000000007", "00000000000000000000000000000007-x"]
        {
            assert!(LogCursor::from_text(bad).is_err(), "{bad}");
        }
    }
}
