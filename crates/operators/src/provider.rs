//! Sign-in by an identity provider: OpenID Connect Core 1.0, by code with a proof key (RFC 7636).
//!
//! The provider's keys are read at each sign-in, so that a change of them needs no restart.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::http::{Request, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::date::Timestamp;
use domain::team::Identity;
use http_client::{Client, Connecting};
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

/// Algorithms that a provider may sign with. None of them takes a secret that the client has as well.
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

/// Most bytes of an answer of the provider.
const MOST_BYTES: usize = 1 << 20;

/// Longest wait for an answer of the provider.
const DEADLINE: Duration = Duration::from_secs(10);

/// How long the provider's metadata are believed.
const METADATA_KEPT: Duration = Duration::from_secs(300);

/// How far ahead of ours the provider's clock may be, in seconds.
const LEEWAY: i64 = 60;

/// The identity provider, as the operator of the installation knows it.
#[derive(Debug, Clone)]
pub struct ProviderSettings {
    /// Its address, as its tokens name it: https, or http on this machine.
    pub issuer: String,
    pub client_id: String,
    /// None for a public client.
    pub client_secret: Option<String>,
}

/// What the browser keeps while its user is at the provider.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Waiting {
    pub(crate) state: String,
    pub(crate) nonce: String,
    /// The proof key: only its hash goes to the provider with the browser.
    pub(crate) verifier: String,
    /// The invitation that is accepted; empty: none.
    pub(crate) link: String,
    /// The path to go on with.
    pub(crate) next: String,
    /// The generation of the operator who is signed in: if it is another one at the return, their access was recovered meanwhile.
    pub(crate) generation: u32,
}

/// Why a sign-in failed. It is logged, and not shown.
type Refused = String;

/// The provider's addresses, by its metadata.
#[derive(Clone, Deserialize)]
struct Metadata {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
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
    nonce: Option<String>,
    aud: Value,
    azp: Option<String>,
}

pub(crate) struct Provider {
    settings: ProviderSettings,
    client: Client,
    redirect_uri: String,
    /// The metadata and when they were read: strangers can begin to sign in, and the provider is not asked for each.
    known: Mutex<Option<(Instant, Metadata)>>,
}

impl Provider {
    /// The provider for the console at an origin.
    ///
    /// # Errors
    /// A sentence about its address.
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

    /// What the provider is called on a button.
    pub(crate) fn name(&self) -> &str {
        self.settings.issuer.split("://").last().unwrap_or_default().trim_end_matches('/')
    }

    /// Where the browser goes to sign in.
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

    /// Who signed in, by the code with which the provider sent the browser back.
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
            return Err(format!("it calls itself {}", metadata.issuer));
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
        let form = serde_urlencoded::to_string([
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", &self.redirect_uri),
            ("client_id", client_id),
            ("code_verifier", &waiting.verifier),
        ]);
        let mut request = Request::post(secure(&metadata.token_endpoint)?.as_str())
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .header(header::ACCEPT, "application/json");
        if let Some(secret) = client_secret {
            // RFC 6749, section 2.3.1: both are encoded as a form is.
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
                false => Err(format!("it answered {}", answer.status)),
            }
        };
        let body = tokio::time::timeout(DEADLINE, body).await;
        let body = body.map_err(|_| format!("{path}: no answer within {DEADLINE:?}"))?;
        let body = body.map_err(|why| format!("{path}: {why}"))?;
        serde_json::from_slice(&body.bytes).map_err(|cause| format!("{path}: {cause}"))
    }

    /// Judges an ID token (OpenID Connect Core 1.0, section 3.1.3.7).
    fn judge(&self, token: &str, keys: &JwkSet, nonce: &str, now: Timestamp) -> Result<Identity, Refused> {
        let ProviderSettings { issuer, client_id, .. } = &self.settings;
        let head = decode_header(token).map_err(said)?;
        if !ALGORITHMS.contains(&head.alg) {
            return Err(format!("the ID token is signed with {:?}", head.alg));
        }
        let key = match (&head.kid, &keys.keys[..]) {
            (Some(kid), _) => keys.find(kid),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        let key = DecodingKey::from_jwk(key.ok_or("no key of the provider has signed the ID token")?);
        let mut rules = Validation::new(head.alg);
        rules.set_issuer(&[issuer]);
        rules.set_audience(&[client_id]);
        rules.set_required_spec_claims(&["iss", "aud", "exp", "sub"]);
        // The times are judged by our own clock.
        rules.validate_exp = false;
        let claims: Claims = decode(token, &key.map_err(said)?, &rules).map_err(said)?.claims;
        let now = now.as_second();
        let is_for_others = claims.aud.as_array().is_some_and(|all| all.len() > 1);
        if is_for_others && claims.azp.as_ref() != Some(client_id) {
            return Err("the ID token is for another client".to_owned());
        }
        if now >= claims.exp || claims.iat > now + LEEWAY {
            return Err("the ID token is not of this time".to_owned());
        }
        if claims.nonce.as_deref() != Some(nonce) || claims.sub.is_empty() {
            return Err("the ID token is of another sign-in".to_owned());
        }
        Ok(Identity { issuer: issuer.clone(), subject: claims.sub })
    }
}

fn get(address: &str) -> Result<Request<Bytes>, Refused> {
    Request::get(secure(address)?.as_str()).body(Bytes::new()).map_err(said)
}

/// Refuses an address over which others could read what is sent: it must be https, or http on this machine.
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
