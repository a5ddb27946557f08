//! Signatures of Standard Webhooks 1.0: HMAC-SHA256 of id, time and body.

use aws_lc_rs::hmac::{HMAC_SHA256, Key, sign as hmac_sign, verify as hmac_verify};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// Version of the signature scheme, with which every signature begins.
const VERSION: &str = "v1,";

/// Most seconds that a message's time may be before or after the receiver's clock.
pub const TOLERANCE: i64 = 300;

fn content(id: &str, timestamp: i64, body: &[u8]) -> Vec<u8> {
    [id.as_bytes(), b".", timestamp.to_string().as_bytes(), b".", body].concat()
}

/// Value of the header `webhook-signature`. It has a signature for each valid secret, separated by spaces.
/// `timestamp` is in seconds since 1970.
pub fn signatures(secrets: &[Vec<u8>], id: &str, timestamp: i64, body: &[u8]) -> String {
    let content = content(id, timestamp, body);
    let signed = secrets.iter().map(|secret| {
        let tag = hmac_sign(&Key::new(HMAC_SHA256, secret), &content);
        format!("{VERSION}{}", STANDARD.encode(tag.as_ref()))
    });
    signed.collect::<Vec<_>>().join(" ")
}

/// Why a received message is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Forged {
    /// No signature in the header matches this secret.
    Signature,
    /// The message's time differs from the receiver's clock by more than [`TOLERANCE`] seconds.
    Time,
}

/// Checks a message in the same way as its receiver. `now` is in seconds since 1970.
///
/// # Errors
/// [`Forged`] if the message must be refused.
pub fn verify(
    secret: &[u8],
    id: &str,
    timestamp: i64,
    header: &str,
    body: &[u8],
    now: i64,
) -> Result<(), Forged> {
    if (now - timestamp).abs() > TOLERANCE {
        return Err(Forged::Time);
    }
    let (key, content) = (Key::new(HMAC_SHA256, secret), content(id, timestamp, body));
    let tags = header
        .split(' ')
        .filter_map(|one| one.strip_prefix(VERSION))
        .filter_map(|tag| STANDARD.decode(tag).ok());
    let mut tags = tags.filter(|tag| hmac_verify(&key, &content, tag).is_ok());
    tags.next().map(|_| ()).ok_or(Forged::Signature)
}

#[cfg(test)]
mod tests {
    use service::access::signing_secret::{secret_of, secret_text};

    use super::*;

    /// Secret of a test vector, which is from the library of the specification's authors.
    const SECRET: &str = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    const ID: &str = "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk";
    const AT: i64 = 1_649_367_553;
    const BODY: &[u8] = br#"{"email":"test@example.com","username":"test_user"}"#;
    const SIGNED: &str = "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=";

    #[test]
    fn the_signature_equals_the_test_vector_of_the_specification() {
        let secret = secret_of(SECRET).expect("a secret");
        assert_eq!(signatures(std::slice::from_ref(&secret), ID, AT, BODY), SIGNED);
        assert_eq!(secret_text(&secret), SECRET);
    }

    #[test]
    fn a_signature_is_valid_under_either_live_secret_for_300_seconds() {
        let (first, second, third) = (vec![1; 32], vec![2; 32], vec![3; 32]);
        let header = signatures(&[first.clone(), second.clone()], ID, AT, BODY);
        assert_eq!(header.split(' ').count(), 2);
        assert_eq!(verify(&first, ID, AT, &header, BODY, AT + 300), Ok(()));
        assert_eq!(verify(&second, ID, AT, &header, BODY, AT - 300), Ok(()));
        assert_eq!(verify(&third, ID, AT, &header, BODY, AT), Err(Forged::Signature));
        assert_eq!(verify(&first, ID, AT, &header, BODY, AT + 301), Err(Forged::Time));
        assert_eq!(verify(&first, "msg_other", AT, &header, BODY, AT), Err(Forged::Signature));
        assert_eq!(verify(&first, ID, AT, &header, b"{}", AT), Err(Forged::Signature));
        assert_eq!(verify(&first, ID, AT, "v1a,abc", BODY, AT), Err(Forged::Signature));
    }
}
