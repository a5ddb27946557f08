//! Batches of logged requests in bodies.

use std::borrow::Cow;

use ports::storage::request_log::LoggedRequest;

use super::record::record;

/// Requests of a partner, oldest first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RequestsBody<'a> {
    pub(crate) requests: Cow<'a, [LoggedRequest]>,
}

record! {
    RequestsBody<'_> { 0: requests }
    LoggedRequest { 0: at, 1: method, 2: route, 3: status, 4: code, 5: micros, 6: id }
}
