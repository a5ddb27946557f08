//! HTTP messages as whole values.

use hyper::header::{HeaderMap, HeaderName, HeaderValue};

/// Longest body of a message that is read, in bytes.
pub(crate) const LONGEST: usize = 64 * 1024 * 1024;

/// Headers that are not forwarded, because they belong to one connection or follow from the body.
const OF_A_CONNECTION: [&str; 11] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// HTTP method, such as `GET`.
    pub method: String,
    /// Full URL, including the query.
    pub url: String,
    /// Headers. `host` and `content-length` are added when the request is sent.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    /// Headers of the response, without those that belong to the connection.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    /// Value of a header. `name` must be in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// Whether the status is from 200 to 299.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Value of a header. `name` must be in lower case.
pub(crate) fn header<'h>(headers: &'h [(String, String)], name: &str) -> Option<&'h str> {
    headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Headers of a received message that are forwarded. A header whose value is not text is left out.
pub(crate) fn passed_on(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |(name, value): (&HeaderName, &HeaderValue)| {
        let value = value.to_str().ok()?;
        (!OF_A_CONNECTION.contains(&name.as_str())).then(|| (name.as_str().to_owned(), value.to_owned()))
    };
    headers.iter().filter_map(text).collect()
}

/// Converts headers to the form in which they are sent. Invalid headers are left out.
pub(crate) fn sent(headers: &[(String, String)]) -> HeaderMap {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            map.append(name, value);
        }
    }
    map
}
