//! Authentication both ways: what shows who asks, and the judgement of what came.

use std::fmt::Write;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::{digest, hmac};
use axum::http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use domain::date::Timestamp;
use rating::Authentication;
use service::insurer::Told;

use crate::secret::{Secret, SecretFile, Secrets};

/// Header with the second of the signature, counted from 1970.
pub(crate) const TIMESTAMP: HeaderName = HeaderName::from_static("covernote-timestamp");

/// Header with the signature.
pub(crate) const SIGNATURE: HeaderName = HeaderName::from_static("covernote-signature");

/// Seconds that a signature may be away from our clock, either way.
const TOLERANCE: u64 = 300;

/// What a signature begins with: its version.
const VERSION: &str = "v1=";

/// How two servers show each other who they are, with the secret that they share.
#[derive(Debug)]
pub(crate) struct Credentials {
    pub(crate) authentication: Authentication,
    pub(crate) source: Source,
}

/// Where the secret is from.
#[derive(Debug)]
pub(crate) enum Source {
    File(SecretFile),
    Given(Secrets),
}

/// What is signed.
#[derive(Clone, Copy)]
pub(crate) struct Message<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) body: &'a [u8],
}

impl Credentials {
    fn secrets(&self) -> Result<Secrets, String> {
        match &self.source {
            Source::File(file) => file.secrets(),
            Source::Given(secrets) => Ok(secrets.clone()),
        }
    }

    /// Adds the headers that show who we are.
    ///
    /// # Errors
    /// Why there is no secret to show it with.
    pub(crate) fn sign(
        &self,
        message: Message<'_>,
        now: Timestamp,
        to: &mut HeaderMap,
    ) -> Result<(), String> {
        let secrets = self.secrets()?;
        let secret = secrets.shown();
        match self.authentication {
            Authentication::Bearer => {
                let mut value = HeaderValue::try_from(format!("Bearer {}", secret.as_str()))
                    .expect("plain ASCII: judged when it was read");
                value.set_sensitive(true);
                to.insert(AUTHORIZATION, value);
            }
            Authentication::Hmac => {
                let second = now.as_second().to_string();
                let signature = format!("{VERSION}{}", hex(mac(secret, &second, message).as_ref()));
                to.insert(SIGNATURE, HeaderValue::try_from(signature).expect("hexadecimal digits"));
                to.insert(TIMESTAMP, HeaderValue::try_from(second).expect("digits"));
            }
        }
        Ok(())
    }

    /// Whether what was told shows that it comes from one who knows the secret.
    pub(crate) fn is_good(&self, told: &Told<'_>) -> bool {
        let Ok(secrets) = self.secrets() else { return false };
        match self.authentication {
            Authentication::Bearer => bearer_is_good(&secrets, told),
            Authentication::Hmac => signature_is_good(&secrets, told).is_some(),
        }
    }
}

fn bearer_is_good(secrets: &Secrets, told: &Told<'_>) -> bool {
    let Some((scheme, shown)) = told.authorization.and_then(|header| header.split_once(' ')) else {
        return false;
    };
    // Digests are of one length, so that the comparison tells nothing of the secret's.
    let digest = |text: &str| digest::digest(&digest::SHA256, text.as_bytes());
    let shown = digest(shown);
    let same =
        |secret: &Secret| verify_slices_are_equal(digest(secret.as_str()).as_ref(), shown.as_ref()).is_ok();
    scheme.eq_ignore_ascii_case("bearer") && secrets.accepted().any(same)
}

/// `None` unless the signature is fresh and right.
fn signature_is_good(secrets: &Secrets, told: &Told<'_>) -> Option<()> {
    let second = told.timestamp?;
    let at = second.parse::<i64>().ok()?;
    if told.now.as_second().abs_diff(at) > TOLERANCE {
        return None;
    }
    let signature = read_hex(told.signature?.strip_prefix(VERSION)?)?;
    let message = Message { method: told.method, path: told.path, body: told.body };
    let right = |secret: &Secret| hmac::verify(&key(secret), &signed(second, message), &signature).is_ok();
    secrets.accepted().any(right).then_some(())
}

fn key(secret: &Secret) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, secret.as_str().as_bytes())
}

/// What is signed, as bytes: `{timestamp}.{METHOD}.{path}.{body}`.
fn signed(second: &str, Message { method, path, body }: Message<'_>) -> Vec<u8> {
    [second.as_bytes(), b".", method.as_bytes(), b".", path.as_bytes(), b".", body].concat()
}

fn mac(secret: &Secret, second: &str, message: Message<'_>) -> hmac::Tag {
    hmac::sign(&key(secret), &signed(second, message))
}

/// Bytes as hexadecimal digits, small letters.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The bytes of hexadecimal digits. Capitals are refused: a signature has one written form.
fn read_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    text.as_bytes().chunks(2).map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = br#"{"proposal_id":"pro_1"}"#;
    const NOW: i64 = 1_795_000_000;

    fn credentials(authentication: Authentication) -> Credentials {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("secret");
        std::fs::write(&path, "0123456789abcdef\nfedcba9876543210\n").expect("written");
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600))
            .expect("permitted");
        let file = SecretFile::at(path);
        Credentials { authentication, source: Source::Given(file.secrets().expect("good")) }
    }

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).expect("in range")
    }

    fn headers(credentials: &Credentials) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let message = Message { method: "POST", path: "/v1/x", body: BODY };
        credentials.sign(message, at(NOW), &mut headers).expect("signed");
        headers
    }

    fn told(headers: &HeaderMap) -> Told<'_> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().expect("ASCII"));
        Told {
            authorization: text(AUTHORIZATION),
            timestamp: text(TIMESTAMP),
            signature: text(SIGNATURE),
            method: "POST",
            path: "/v1/x",
            body: BODY,
            now: at(NOW),
        }
    }

    #[test]
    fn a_signature_is_the_one_that_the_document_shows() {
        let secret = Secret::known("an-example-secret-of-ours");
        let message = Message { method: "POST", path: "/v1/credit/prices", body: b"{}" };
        let shown = "43ebf5bfa8dbbcb452d5b37fe8cc511a2624aa9b1ca2d6c25fb33a6a1c7a7034"; // made with openssl
        assert_eq!(hex(mac(&secret, "1795000000", message).as_ref()), shown);
    }

    #[test]
    fn every_changed_byte_of_what_is_signed_is_noticed() {
        let credentials = credentials(Authentication::Hmac);
        let headers = headers(&credentials);
        let good = told(&headers);
        assert!(credentials.is_good(&good));
        type Put = fn(&mut Told<'_>, &'static [u8]);
        let parts: [(&str, Put); 5] = [
            (std::str::from_utf8(BODY).expect("text"), |told, changed| told.body = changed),
            ("/v1/x", |told, changed| told.path = std::str::from_utf8(changed).expect("ASCII")),
            ("POST", |told, changed| told.method = std::str::from_utf8(changed).expect("ASCII")),
            (good.timestamp.expect("there"), |told, changed| {
                told.timestamp = std::str::from_utf8(changed).ok()
            }),
            (good.signature.expect("there"), |told, changed| {
                told.signature = std::str::from_utf8(changed).ok()
            }),
        ];
        for (part, put) in parts {
            for place in 0..part.len() {
                let mut changed = part.as_bytes().to_vec();
                changed[place] ^= 1;
                let mut told = good;
                put(&mut told, changed.leak());
                assert!(!credentials.is_good(&told), "byte {place} of {part}");
            }
        }
    }

    #[test]
    fn a_signature_is_good_for_300_seconds_either_way() {
        let credentials = credentials(Authentication::Hmac);
        let headers = headers(&credentials);
        for (away, good) in [(0, true), (300, true), (-300, true), (301, false), (-301, false)] {
            assert_eq!(credentials.is_good(&Told { now: at(NOW + away), ..told(&headers) }), good, "{away}");
        }
        let never = [None, Some(""), Some("-"), Some("9223372036854775807"), Some("-9223372036854775808")];
        assert!(
            never
                .iter()
                .all(|timestamp| !credentials.is_good(&Told { timestamp: *timestamp, ..told(&headers) }))
        );
    }

    #[test]
    fn a_bearer_is_either_secret_of_the_file_and_nothing_else() {
        let credentials = credentials(Authentication::Bearer);
        let headers = headers(&credentials);
        assert!(credentials.is_good(&told(&headers)));
        for good in ["Bearer 0123456789abcdef", "bearer fedcba9876543210"] {
            assert!(credentials.is_good(&Told { authorization: Some(good), ..told(&headers) }), "{good}");
        }
        for bad in
            ["", "Bearer", "Bearer ", "Bearer 0123456789abcdeF", "Basic 0123456789abcdef", "0123456789abcdef"]
        {
            assert!(!credentials.is_good(&Told { authorization: Some(bad), ..told(&headers) }), "{bad}");
        }
        assert!(!credentials.is_good(&Told { authorization: None, ..told(&headers) }));
    }
}
