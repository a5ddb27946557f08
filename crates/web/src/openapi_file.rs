//! Serves an OpenAPI document, serialised and compressed once, with an `ETag`.

use std::io::Write;

use aws_lc_rs::digest::{SHA256, digest};
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

/// Clients may reuse the document for 300 seconds.
const CACHED: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// A document, uncompressed and as gzip.
pub struct DocumentFile {
    plain: Form,
    compressed: Form,
}

/// The document in one encoding, with its `ETag`.
struct Form {
    bytes: Bytes,
    etag: String,
}

impl DocumentFile {
    pub fn of(document: &Value) -> Self {
        let bytes = serde_json::to_vec(document).expect("a document of ours serialises");
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(&bytes).expect("memory takes bytes");
        let compressed = encoder.finish().expect("memory takes bytes");
        DocumentFile { plain: Form::of(bytes), compressed: Form::of(compressed) }
    }

    /// Response to a request with these headers: the document, or status 304 if the client already has it.
    pub fn answer(&self, asked: &HeaderMap) -> Response {
        let is_compressed = takes_gzip(asked);
        let form = if is_compressed { &self.compressed } else { &self.plain };
        let is_known = asked.get_all(header::IF_NONE_MATCH).iter().any(|known| matches(known, &form.etag));
        let mut response = match is_known {
            true => StatusCode::NOT_MODIFIED.into_response(),
            false => {
                let json = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
                (json, form.bytes.clone()).into_response()
            }
        };
        let headers = response.headers_mut();
        headers.insert(header::CACHE_CONTROL, CACHED);
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
        headers.extend(HeaderValue::try_from(&form.etag).map(|tag| (header::ETAG, tag)));
        if is_compressed && !is_known {
            headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

impl Form {
    fn of(bytes: Vec<u8>) -> Self {
        let hash = digest(&SHA256, &bytes);
        let hash: String = hash.as_ref()[..12].iter().map(|byte| format!("{byte:02x}")).collect();
        Form { bytes: bytes.into(), etag: format!("\"{hash}\"") }
    }
}

/// Whether `Accept-Encoding` allows gzip.
fn takes_gzip(asked: &HeaderMap) -> bool {
    let lines = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
    lines.flat_map(|line| line.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=");
        let is_refused = weight.is_some_and(|weight| weight.trim_matches(['0', '.']).is_empty());
        name.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

/// Whether `If-None-Match` has this entity tag.
pub(crate) fn matches(known: &HeaderValue, etag: &str) -> bool {
    let Ok(known) = known.to_str() else { return false };
    let mut tags = known.split(',').map(|tag| tag.trim().trim_start_matches("W/"));
    tags.any(|tag| tag == "*" || tag == etag)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_if_none_match_header_matches_if_one_of_its_etags_matches() {
        for (known, is_it) in
            [("\"a\"", true), ("W/\"a\"", true), ("\"b\", \"a\"", true), ("*", true), ("\"b\"", false)]
        {
            assert_eq!(matches(&HeaderValue::from_static(known), "\"a\""), is_it, "{known}");
        }
    }

    #[test]
    fn gzip_is_used_only_if_the_request_accepts_it() {
        for (told, takes) in [
            ("gzip", true),
            ("br, GZIP;q=0.5", true),
            ("gzip; q=1.0", true),
            ("gzip;q=0", false),
            ("gzip;q=0.000, br", false),
            ("identity", false),
            ("", false),
        ] {
            let asked = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(told))]);
            assert_eq!(takes_gzip(&asked), takes, "{told}");
        }
    }
}
