//! Encoding of batches of logged requests, in the encrypted body of their rows.

use std::borrow::Cow;

use ports::storage::request_log::LoggedRequest;

use super::record::record;

/// A partner's logged HTTP requests, oldest first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RequestsBody<'a> {
    pub(crate) requests: Cow<'a, [LoggedRequest]>,
}

record! {
    RequestsBody<'_> { 0: requests }
    LoggedRequest { 0: at, 1: method, 2: route, 3: status, 4: code, 5: micros, 6: id }
}
