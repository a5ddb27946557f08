//! Sign-in by an identity provider: OpenID Connect Core 1.0, authorization code flow with PKCE (RFC 7636).
//!
//! Each sign-in reads the provider's keys, so a key change needs no restart.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::{Request, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::date::Timestamp;
use domain::team::Identity;
use http_client::{Client, Connecting};
use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

/// Accepted signature algorithms of ID tokens. All are asymmetric, so only the provider has a key that can
/// sign.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];

/// Most bytes of a response of the provider.
const MOST_BYTES: usize = 1 << 20;

/// Longest wait for a response of the provider.
const DEADLINE: Duration = Duration::from_secs(10);

/// How long the provider's metadata is cached.
const METADATA_KEPT: Duration = Duration::from_secs(300);

/// Most seconds by which the provider's clock may be ahead of this service's clock.
const LEEWAY: i64 = 60;

/// Settings of the identity provider.
#[derive(Debug, Clone)]
pub struct ProviderSettings {
    /// Address of the provider, exactly as in its tokens: https, or http on this machine.
    pub issuer: String,
    pub client_id: String,
    /// `None` for a public client.
    pub client_secret: Option<String>,
}

/// State of a sign-in, stored in the browser while the user is at the provider.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Waiting {
    pub(crate) state: String,
    pub(crate) nonce: String,
    /// PKCE code verifier. The redirect to the provider contains only the hash of it.
    pub(crate) verifier: String,
    /// Text of the invitation link to accept. Empty if there is no invitation.
    pub(crate) link: String,
    /// Path to open after the sign-in.
    pub(crate) next: String,
    /// Generation of the signed-in operator's secrets. If it has changed when the browser returns, all
    /// secrets of the operator were revoked meanwhile.
    pub(crate) generation: u32,
}

/// Reason of a failed sign-in. It is logged, but not shown to the user.
type Refused = String;

/// Addresses in the provider's metadata.
#[derive(Clone, Deserialize)]
struct Metadata {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    /// How a client may authenticate. If missing, by HTTP Basic.
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

impl Metadata {
    /// Whether the client's secret must be in the body, because the provider does not accept HTTP Basic.
    fn takes_secret_in_body(&self) -> bool {
        let has = |method: &str| {
            let methods = self.token_endpoint_auth_methods_supported.iter().flatten();
            methods.into_iter().any(|there| there == method)
        };
        has("client_secret_post") && !has("client_secret_basic")
    }
}

#[derive(Deserialize)]
struct Tokens {
    id_token: String,
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
    exp: i64,
    iat: i64,
    nbf: Option<i64>,
    nonce: Option<String>,
    aud: Value,
    azp: Option<String>,
}

pub(crate) struct Provider {
    settings: ProviderSettings,
    client: Client,
    redirect_uri: String,
    /// Cached metadata, and when it was read. The cache is needed because anybody can begin a sign-in, and
    /// not every one must call the provider.
    known: Mutex<Option<(Instant, Metadata)>>,
}

impl Provider {
    /// Provider for the console at an origin.
    ///
    /// # Errors
    /// If the provider's address is invalid: a sentence that says why.
    pub(crate) fn of(settings: ProviderSettings, origin: &str) -> Result<Self, String> {
        let issuer = secure(&settings.issuer)?;
        let connecting = Connecting::usual();
        let client = match issuer.scheme() {
            "https" => Client::trusting(connecting)?,
            _ => Client::trusting_nobody(connecting),
        };
        Ok(Provider {
            settings,
            client,
            redirect_uri: format!("{origin}/provider/return"),
            known: Mutex::default(),
        })
    }

    /// Name of the provider on a button: its address without the scheme.
    pub(crate) fn name(&self) -> &str {
        self.settings.issuer.split("://").last().unwrap_or_default().trim_end_matches('/')
    }

    /// Address to which the browser is redirected to sign in.
    pub(crate) async fn begin(&self, waiting: &Waiting, challenge: &str) -> Result<String, Refused> {
        let mut url = secure(&self.metadata().await?.authorization_endpoint)?;
        url.query_pairs_mut().extend_pairs([
            ("response_type", "code"),
            ("scope", "openid"),
            ("client_id", &self.settings.client_id),
            ("redirect_uri", &self.redirect_uri),
            ("state", &waiting.state),
            ("nonce", &waiting.nonce),
            ("code_challenge", challenge),
            ("code_challenge_method", "S256"),
        ]);
        Ok(url.into())
    }

    /// Exchanges the authorization code for the identity of the user who signed in.
    pub(crate) async fn finish(
        &self,
        waiting: &Waiting,
        code: &str,
        now: Timestamp,
    ) -> Result<Identity, Refused> {
        let metadata = self.metadata().await?;
        let tokens: Tokens = self.read(self.token_request(&metadata, waiting, code)?).await?;
        let keys: JwkSet = self.read(get(&metadata.jwks_uri)?).await?;
        self.judge(&tokens.id_token, &keys, &waiting.nonce, now)
    }

    async fn metadata(&self) -> Result<Metadata, Refused> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some((_, metadata)) = known.filter(|(read, _)| read.elapsed() < METADATA_KEPT) {
            return Ok(metadata);
        }
        let issuer = self.settings.issuer.trim_end_matches('/');
        let metadata: Metadata =
            self.read(get(&format!("{issuer}/.well-known/openid-configuration"))?).await?;
        if metadata.issuer != self.settings.issuer {
            return Err(format!("the provider's metadata names another issuer, {}", metadata.issuer));
        }
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = Some((Instant::now(), metadata.clone()));
        Ok(metadata)
    }

    fn token_request(
        &self,
        metadata: &Metadata,
        waiting: &Waiting,
        code: &str,
    ) -> Result<Request<Bytes>, Refused> {
        let ProviderSettings { client_id, client_secret, .. } = &self.settings;
        let (in_body, in_header) = match client_secret {
            Some(secret) if metadata.takes_secret_in_body() => (Some(secret), None),
            secret => (None, secret.as_ref()),
        };
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", &self.redirect_uri),
            ("client_id", client_id),
            ("code_verifier", &waiting.verifier),
        ];
        form.extend(in_body.map(|secret| ("client_secret", secret.as_str())));
        let form = serde_urlencoded::to_string(form);
        let mut request = Request::post(secure(&metadata.token_endpoint)?.as_str())
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ACCEPT, "application/json");
        if let Some(secret) = in_header {
            // RFC 6749, section 2.3.1: both are form-encoded.
            let encode =
                |text: &str| url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>();
            let pair = STANDARD.encode(format!("{}:{}", encode(client_id), encode(secret)));
            request = request.header(header::AUTHORIZATION, format!("Basic {pair}"));
        }
        request.body(form.map_err(said)?.into()).map_err(said)
    }

    async fn read<T: serde::de::DeserializeOwned>(&self, request: Request<Bytes>) -> Result<T, Refused> {
        let path = request.uri().path().to_owned();
        let body = async {
            let answer = self.client.send(request).await?;
            match answer.status.is_success() {
                true => answer.body(MOST_BYTES).await,
                false => Err(format!("the provider answered {}", answer.status)),
            }
        };
        let body = tokio::time::timeout(DEADLINE, body).await;
        let body = body.map_err(|_| format!("{path}: no answer within {DEADLINE:?}"))?;
        let body = body.map_err(|why| format!("{path}: {why}"))?;
        serde_json::from_slice(&body.bytes).map_err(|cause| format!("{path}: {cause}"))
    }

    /// Validates an ID token (OpenID Connect Core 1.0, section 3.1.3.7).
    fn judge(&self, token: &str, keys: &JwkSet, nonce: &str, now: Timestamp) -> Result<Identity, Refused> {
        let ProviderSettings { issuer, client_id, .. } = &self.settings;
        let head = decode_header(token).map_err(said)?;
        if !ALGORITHMS.contains(&head.alg) {
            return Err(format!("the ID token is signed with {:?}", head.alg));
        }
        let is_for_encryption = |key: &Jwk| key.common.public_key_use == Some(PublicKeyUse::Encryption);
        let key = match (&head.kid, &keys.keys[..]) {
            (Some(kid), _) => keys.find(kid),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        let key = key.filter(|key| !is_for_encryption(key));
        let key =
            DecodingKey::from_jwk(key.ok_or("the provider has no key for the signature of the ID token")?);
        let mut rules = Validation::new(head.alg);
        rules.set_issuer(&[issuer]);
        rules.set_audience(&[client_id]);
        rules.set_required_spec_claims(&["iss", "aud", "exp", "sub"]);
        // The times are checked below, by the clock of this service.
        rules.validate_exp = false;
        let claims: Claims = decode(token, &key.map_err(said)?, &rules).map_err(said)?.claims;
        let now = now.as_second();
        let is_for_others = claims.aud.as_array().is_some_and(|all| all.len() > 1);
        let is_foreign = match &claims.azp {
            Some(azp) => azp != client_id,
            None => is_for_others,
        };
        if is_foreign {
            return Err("the ID token is for another client".to_owned());
        }
        if now >= claims.exp || claims.iat.max(claims.nbf.unwrap_or_default()) > now + LEEWAY {
            return Err("the ID token has expired, or is not valid yet".to_owned());
        }
        if claims.nonce.as_deref() != Some(nonce) || claims.sub.is_empty() {
            return Err("the ID token belongs to another sign-in".to_owned());
        }
        Ok(Identity { issuer: issuer.clone(), subject: claims.sub })
    }
}

fn get(address: &str) -> Result<Request<Bytes>, Refused> {
    Request::get(secure(address)?.as_str()).body(Bytes::new()).map_err(said)
}

/// Parses an address that must be https, or http on this machine. Otherwise, others could read the
/// connection.
fn secure(address: &str) -> Result<Url, String> {
    let url = Url::parse(address).map_err(|cause| format!("{address}: {cause}"))?;
    let is_here = ["localhost", "127.0.0.1", "[::1]"].contains(&url.host_str().unwrap_or_default());
    match url.scheme() == "https" || url.scheme() == "http" && is_here {
        true => Ok(url),
        false => Err(format!("{address} must be https, or http on this machine")),
    }
}

fn said(fault: impl std::fmt::Display) -> Refused {
    fault.to_string()
}
