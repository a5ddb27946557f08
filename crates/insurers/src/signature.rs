//! Authentication between this service and an insurer: headers to send, and checks of received headers.

use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::{digest, hmac};
use axum::http::header::{AUTHORIZATION, HeaderMap, HeaderName, HeaderValue};
use domain::date::Timestamp;
use rating::Authentication;
use service::insurer::IncomingMessage;

use crate::secret::{Secret, SecretFile, Secrets, hex};

/// Header with the time of the signature, in seconds since 1970.
pub(crate) const TIMESTAMP: HeaderName = HeaderName::from_static("covernote-timestamp");

pub(crate) const SIGNATURE: HeaderName = HeaderName::from_static("covernote-signature");

/// Most seconds that a signature's time may be before or after the clock of the receiver.
const TOLERANCE: u64 = 300;

/// Version of the signature scheme, with which every signature begins.
const VERSION: &str = "v1=";

/// How this service and an insurer authenticate each other with their shared secret.
#[derive(Debug)]
pub(crate) struct Credentials {
    pub(crate) authentication: Authentication,
    pub(crate) source: SecretSource,
}

/// Where the secret comes from.
#[derive(Debug)]
pub(crate) enum SecretSource {
    File(SecretFile),
    Given(Secrets),
}

/// Parts of a message that are signed.
#[derive(Clone, Copy)]
pub(crate) struct Message<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) body: &'a [u8],
}

impl Credentials {
    fn secrets(&self) -> Result<Secrets, String> {
        match &self.source {
            SecretSource::File(file) => file.secrets(),
            SecretSource::Given(secrets) => Ok(secrets.clone()),
        }
    }

    /// Adds the headers that authenticate this service.
    ///
    /// # Errors
    /// The reason why the secret cannot be read.
    pub(crate) fn sign(
        &self,
        message: Message<'_>,
        now: Timestamp,
        to: &mut HeaderMap,
    ) -> Result<(), String> {
        let secrets = self.secrets()?;
        let secret = secrets.current();
        match self.authentication {
            Authentication::Bearer => {
                let mut value = HeaderValue::try_from(format!("Bearer {}", secret.as_str()))
                    .expect("plain ASCII: checked when the file was parsed");
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

    /// Whether a received message is authenticated with the shared secret.
    pub(crate) fn verify(&self, message: &IncomingMessage<'_>) -> bool {
        let Ok(secrets) = self.secrets() else { return false };
        match self.authentication {
            Authentication::Bearer => bearer_is_valid(&secrets, message),
            Authentication::Hmac => signature_is_valid(&secrets, message).is_some(),
        }
    }
}

fn bearer_is_valid(secrets: &Secrets, message: &IncomingMessage<'_>) -> bool {
    let Some((scheme, received)) = message.authorization.and_then(|header| header.split_once(' ')) else {
        return false;
    };
    // Digests have equal lengths, so the comparison does not reveal the secret's length.
    let digest = |text: &str| digest::digest(&digest::SHA256, text.as_bytes());
    let received = digest(received);
    let same = |secret: &Secret| {
        verify_slices_are_equal(digest(secret.as_str()).as_ref(), received.as_ref()).is_ok()
    };
    scheme.eq_ignore_ascii_case("bearer") && secrets.accepted().any(same)
}

/// `Some` if the signature is recent and valid, otherwise `None`.
fn signature_is_valid(secrets: &Secrets, message: &IncomingMessage<'_>) -> Option<()> {
    let second = message.timestamp?;
    let at = second.parse::<i64>().ok()?;
    if message.now.as_second().abs_diff(at) > TOLERANCE {
        return None;
    }
    let signature = read_hex(message.signature?.strip_prefix(VERSION)?)?;
    let message = Message { method: message.method, path: message.path, body: message.body };
    let matches = |secret: &Secret| hmac::verify(&key(secret), &signed(second, message), &signature).is_ok();
    secrets.accepted().any(matches).then_some(())
}

fn key(secret: &Secret) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, secret.as_str().as_bytes())
}

/// Bytes that are signed: `{timestamp}.{METHOD}.{path}.{body}`.
fn signed(second: &str, Message { method, path, body }: Message<'_>) -> Vec<u8> {
    [second.as_bytes(), b".", method.as_bytes(), b".", path.as_bytes(), b".", body].concat()
}

fn mac(secret: &Secret, second: &str, message: Message<'_>) -> hmac::Tag {
    hmac::sign(&key(secret), &signed(second, message))
}

/// Parses hexadecimal digits. Refuses upper case, so that each signature can be written in only one way.
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
        Credentials { authentication, source: SecretSource::Given(file.secrets().expect("good")) }
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

    fn describe(headers: &HeaderMap) -> IncomingMessage<'_> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().expect("ASCII"));
        IncomingMessage {
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
    fn the_signature_of_a_message_equals_the_documented_example() {
        let secret = Secret::known("an-example-secret-of-ours");
        let message = Message { method: "POST", path: "/v1/credit/prices", body: b"{}" };
        let expected = "43ebf5bfa8dbbcb452d5b37fe8cc511a2624aa9b1ca2d6c25fb33a6a1c7a7034"; // made with openssl
        assert_eq!(hex(mac(&secret, "1795000000", message).as_ref()), expected);
    }

    #[test]
    fn a_change_of_any_signed_byte_invalidates_the_signature() {
        let credentials = credentials(Authentication::Hmac);
        let headers = headers(&credentials);
        let good = describe(&headers);
        assert!(credentials.verify(&good));
        type Put = fn(&mut IncomingMessage<'_>, &'static [u8]);
        let parts: [(&str, Put); 5] = [
            (std::str::from_utf8(BODY).expect("text"), |message, changed| message.body = changed),
            ("/v1/x", |message, changed| message.path = std::str::from_utf8(changed).expect("ASCII")),
            ("POST", |message, changed| message.method = std::str::from_utf8(changed).expect("ASCII")),
            (good.timestamp.expect("there"), |message, changed| {
                message.timestamp = std::str::from_utf8(changed).ok()
            }),
            (good.signature.expect("there"), |message, changed| {
                message.signature = std::str::from_utf8(changed).ok()
            }),
        ];
        for (part, put) in parts {
            for index in 0..part.len() {
                let mut changed = part.as_bytes().to_vec();
                changed[index] ^= 1;
                let mut message = good;
                put(&mut message, changed.leak());
                assert!(!credentials.verify(&message), "byte {index} of {part}");
            }
        }
    }

    #[test]
    fn a_signature_is_valid_for_300_seconds_in_either_direction() {
        let credentials = credentials(Authentication::Hmac);
        let headers = headers(&credentials);
        for (away, good) in [(0, true), (300, true), (-300, true), (301, false), (-301, false)] {
            assert_eq!(
                credentials.verify(&IncomingMessage { now: at(NOW + away), ..describe(&headers) }),
                good,
                "{away}"
            );
        }
        let never = [None, Some(""), Some("-"), Some("9223372036854775807"), Some("-9223372036854775808")];
        assert!(never.iter().all(|timestamp| {
            !credentials.verify(&IncomingMessage { timestamp: *timestamp, ..describe(&headers) })
        }));
    }

    #[test]
    fn only_the_two_secrets_of_the_file_are_accepted_as_bearer_tokens() {
        let credentials = credentials(Authentication::Bearer);
        let headers = headers(&credentials);
        assert!(credentials.verify(&describe(&headers)));
        for good in ["Bearer 0123456789abcdef", "bearer fedcba9876543210"] {
            assert!(
                credentials.verify(&IncomingMessage { authorization: Some(good), ..describe(&headers) }),
                "{good}"
            );
        }
        for bad in
            ["", "Bearer", "Bearer ", "Bearer 0123456789abcdeF", "Basic 0123456789abcdef", "0123456789abcdef"]
        {
            assert!(
                !credentials.verify(&IncomingMessage { authorization: Some(bad), ..describe(&headers) }),
                "{bad}"
            );
        }
        assert!(!credentials.verify(&IncomingMessage { authorization: None, ..describe(&headers) }));
    }
}
