//! Requests and responses as wholes.

use hyper::header::{HeaderMap, HeaderName, HeaderValue};

/// Longest body that is read.
pub(crate) const LONGEST: usize = 64 * 1024 * 1024;

/// Headers that are about one connection, or that follow from the body. They are not passed on.
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

/// A request to a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// Its method, such as `GET`.
    pub method: String,
    /// Where to, with its query.
    pub url: String,
    /// Headers beside `host` and `content-length`.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    pub status: u16,
    /// Its headers, without those of the connection.
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Response {
    /// A header by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// Whether its status is one of success.
    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// A header by its name in lower case.
pub(crate) fn header<'h>(headers: &'h [(String, String)], name: &str) -> Option<&'h str> {
    headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// The headers that are passed on, of those that came. A value that is no text is left out.
pub(crate) fn passed_on(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |(name, value): (&HeaderName, &HeaderValue)| {
        let value = value.to_str().ok()?;
        (!OF_A_CONNECTION.contains(&name.as_str())).then(|| (name.as_str().to_owned(), value.to_owned()))
    };
    headers.iter().filter_map(text).collect()
}

/// Headers as they are sent. One that is not valid is left out.
pub(crate) fn sent(headers: &[(String, String)]) -> HeaderMap {
    let mut map = HeaderMap::new();
    for (name, value) in headers {
        if let (Ok(name), Ok(value)) = (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            map.append(name, value);
        }
    }
    map
}
