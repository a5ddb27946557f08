//! Keys that sign and check access tokens, derived from the store's keys (D4).

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::date::Timestamp;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};

use crate::keys::Key;
use crate::storage::StorageError;

/// A live key pair that signs and checks tokens.
pub(crate) struct TokenKey {
    number: u32,
    active_from: Timestamp,
    header: String,
    pub(crate) kid: String,
    pub(crate) public: Vec<u8>,
    pub(crate) sign: EncodingKey,
    pub(crate) check: DecodingKey,
    pub(crate) validation: Validation,
}

impl TokenKey {
    pub(crate) fn of(key: &Key, issuer: &str) -> Result<Self, StorageError> {
        let bad = |what: &str| StorageError::Damaged(format!("signing key {} {what}", key.number));
        let pair =
            Ed25519KeyPair::from_seed_unchecked(&key.secret).map_err(|_| bad("is not an Ed25519 seed"))?;
        let pkcs8 = pair.to_pkcs8().map_err(|_| bad("cannot be encoded"))?;
        let public = pair.public_key().as_ref().to_vec();
        let thumbprint = digest(&SHA256, &public);
        let kid = URL_SAFE_NO_PAD.encode(&thumbprint.as_ref()[..9]);
        let sign = EncodingKey::from_ed_der(pkcs8.as_ref());
        let check = DecodingKey::from_ed_components(&URL_SAFE_NO_PAD.encode(&public))
            .map_err(|_| bad("has no valid public key"))?;
        let probe = jsonwebtoken::encode(&header_of(&kid), &(), &sign).map_err(|_| bad("cannot sign"))?;
        let (header, _) = probe.split_once('.').ok_or_else(|| bad("cannot sign"))?;
        let mut validation = Validation::new(Algorithm::EdDSA);
        // The service checks the expiry at every request by its own clock. The library would read the system
        // clock.
        validation.validate_exp = false;
        validation.leeway = 0;
        validation.set_issuer(&[issuer]);
        validation.set_audience(&[issuer]);
        validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
        let header = header.to_owned();
        Ok(TokenKey {
            number: key.number,
            active_from: key.active_from,
            header,
            kid,
            public,
            sign,
            check,
            validation,
        })
    }

    /// Header, the first part of every token that the key signs. A token with another header is refused. So
    /// one comparison checks `alg`, `typ`, `kid` and every other header field (RFC 8725).
    pub(crate) fn header(&self) -> &str {
        &self.header
    }

    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    pub(crate) fn active_from(&self) -> Timestamp {
        self.active_from
    }
}

pub(crate) fn header_of(kid: &str) -> Header {
    let mut header = Header::new(Algorithm::EdDSA);
    header.typ = Some("at+jwt".to_owned());
    header.kid = Some(kid.to_owned());
    header
}
