//! Example bodies of batches of logged requests, for the tests of released encodings.

use domain::date::Timestamp;
use domain::id::Uuid;
use ports::storage::request_log::LoggedRequest;

use super::super::RequestsBody;
use super::Example;

pub(super) fn examples() -> Vec<Example> {
    vec![Example::newest(
        "requests.v1",
        RequestsBody { requests: vec![request(None), request(Some("V4000"))].into() },
    )]
}

fn request(code: Option<&'static str>) -> LoggedRequest {
    LoggedRequest {
        at: Timestamp::UNIX_EPOCH,
        method: "POST".into(),
        route: "/v1/a".into(),
        status: if code.is_some() { 400 } else { 200 },
        code: code.map(Into::into),
        micros: 1500,
        id: Uuid::from_u128(0x0a),
    }
}
