//! Access tokens: issued to partners, checked at every request (interface §1, Authentication; D4 to D7, D48).

use std::sync::Arc;

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::access::{Scope, Scopes};
use domain::id::{PartnerId, Uuid};
use domain::partner::Partner;
use domain::text::FromText;
use quick_cache::sync::Cache;
use serde::{Deserialize, Serialize};

use crate::acting::{self, Allowance};
use crate::clock::millisecond_of;
use crate::error::{Error, Result};
use crate::shared::Shared;
use crate::shared::token_key::{TokenKey, header_of};
use crate::shared::used_tokens::LIFETIME;
use crate::storage::{PartnerRecord, TokenCount};

/// Longest token that is checked, in bytes.
const LONGEST: usize = 4096;

/// Seconds that the clocks of two processes may differ before a token counts as issued in the future.
const CLOCK_SKEW: i64 = 60;

/// Most tokens in the cache of tokens with a valid signature.
const REMEMBERED: usize = 10_000;

/// Caller that sent a valid bearer token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caller {
    pub partner: PartnerId,
    /// Scopes of the token, without those that the operator has revoked since.
    pub scopes: Scopes,
}

impl Caller {
    /// Checks that the token has the scope of an operation (D2).
    ///
    /// # Errors
    /// [`Error::ScopeNeeded`].
    pub fn needs(&self, scope: Scope) -> Result<()> {
        if self.scopes.grants(scope) { Ok(()) } else { Err(Error::ScopeNeeded(scope)) }
    }
}

/// Request of an authenticated partner for a token.
pub struct TokenRequest {
    /// End user on the partner's platform, for the claim `user_id`.
    pub user_id: Option<String>,
    /// Requested scopes. If empty, the token gets the default scopes (D48).
    pub scopes: Scopes,
}

pub struct AccessToken {
    /// Id of the token, its claim `jti`.
    pub id: Uuid,
    /// Signed token, as a JWT.
    pub token: String,
    /// Seconds until the token expires.
    pub expires_in: i64,
}

/// Claims of a token (RFC 9068).
#[derive(Debug, Serialize, Deserialize)]
struct Claims {
    iss: String,
    sub: String,
    aud: String,
    client_id: String,
    iat: i64,
    exp: i64,
    jti: String,
    scope: String,
    /// Number of the partner's secret for which the token was issued.
    secret_number: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_id: Option<String>,
}

/// Partner that authenticated with valid credentials.
pub struct Authenticated {
    pub partner: Partner,
    /// Number of the secret that the partner used.
    pub secret: u32,
}

/// Public key for partners that check tokens themselves.
pub struct PublicKey {
    /// Key id, as in the token's header.
    pub kid: String,
    /// The key's 32 bytes in base64url.
    pub x: String,
}

/// Claims of a token whose signature is valid.
#[derive(Clone, Copy)]
struct Vouched {
    partner: PartnerId,
    /// Id of the token, which contains the millisecond of its issue.
    id: Uuid,
    secret: u32,
    scopes: Scopes,
    issued: i64,
    expires: i64,
}

impl Vouched {
    /// Whether the token was revoked, with its secret or with all tokens of the partner (D5).
    fn is_ended(&self, record: &PartnerRecord) -> bool {
        let millisecond = millisecond_of(self.id);
        let with_all = record.partner.tokens_ended_at;
        let with_secret = record.secrets.iter().find(|secret| secret.number == self.secret);
        with_all.is_some_and(|ended| millisecond <= ended.as_millisecond())
            || with_secret.is_none_or(|secret| secret.tokens_ended)
    }
}

/// Facts of a token that this service issued.
pub(crate) struct TokenFacts {
    pub(crate) partner: Partner,
    pub(crate) id: Uuid,
    pub(crate) scopes: Scopes,
    /// Whether the token has expired or was revoked.
    pub(crate) expired: bool,
    pub(crate) user_id: Option<String>,
}

/// Cache of tokens whose signature is valid. All other checks are made at every request. Only tokens of this
/// service enter the cache, so that an attacker cannot choose colliding entries.
pub(crate) struct SignatureCache(Cache<Box<str>, Vouched>);

impl SignatureCache {
    pub(crate) fn new() -> Self {
        SignatureCache(Cache::new(REMEMBERED))
    }
}

/// SHA-256 of a client secret. The store holds only this hash of a secret (D5).
pub fn secret_hash(secret: &str) -> [u8; 32] {
    sha256(secret.as_bytes())
}

fn sha256(bytes: &[u8]) -> [u8; 32] {
    digest(&SHA256, bytes).as_ref().try_into().expect("SHA-256 is 32 bytes")
}

/// Issues and checks tokens.
pub struct TokenService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) signatures: SignatureCache,
}

impl TokenService {
    /// Checks credentials. An unknown client and a wrong secret are refused after the same time.
    ///
    /// # Errors
    /// [`Error::WrongCredentials`], also for a disabled partner.
    pub async fn authenticate(&self, client_id: &str, client_secret: &str) -> Result<Authenticated> {
        let hash = secret_hash(client_secret);
        let of = |(record, secret): (Arc<PartnerRecord>, u32)| Authenticated {
            partner: record.partner.clone(),
            secret,
        };
        if let Some(found) = self.shared.directory.known().authenticated(client_id, &hash) {
            return Ok(of(found));
        }
        // The store may have a new partner or secret that this process has not read yet. Every refusal
        // refreshes, so that its duration does not tell an unknown client from a wrong secret.
        self.shared.directory.refresh().await?;
        self.shared.directory.known().authenticated(client_id, &hash).map(of).ok_or(Error::WrongCredentials)
    }

    /// Checks that the operator enabled these scopes for the partner (D7).
    ///
    /// # Errors
    /// [`Error::ScopeNotEnabled`] with the first scope that is not enabled.
    pub fn may_ask_for(&self, partner: &Partner, scopes: Scopes) -> Result<()> {
        let missing = scopes.iter().find(|scope| !partner.allowed().grants(*scope));
        missing.map_or(Ok(()), |scope| Err(Error::ScopeNotEnabled(scope)))
    }

    /// Issues a token to an authenticated partner.
    ///
    /// # Errors
    /// [`Error::ScopeNotEnabled`] (D7), [`Error::TooManyTokens`] (D6).
    pub async fn issue_token(&self, to: &Authenticated, request: &TokenRequest) -> Result<AccessToken> {
        let Authenticated { partner, secret } = to;
        let scopes = if request.scopes == Scopes::NONE { Scopes::default_of_all() } else { request.scopes };
        self.may_ask_for(partner, scopes)?;
        let now = self.shared.clock.now();
        let id = self.shared.ids.uuid();
        let issued = now.as_second();
        let claims = Claims {
            iss: self.shared.settings.base_url.to_string(),
            sub: partner.id.to_string(),
            aud: self.shared.settings.base_url.to_string(),
            client_id: partner.client_id.clone(),
            iat: issued,
            exp: issued + LIFETIME,
            jti: id.to_string(),
            scope: scopes.to_string(),
            secret_number: *secret,
            user_id: request.user_id.clone(),
        };
        let key = self.shared.directory.known().signing_key(now).cloned();
        let key = key.ok_or_else(|| Error::Internal("there is no active signing key".into()))?;
        let token = jsonwebtoken::encode(&header_of(&key.kid), &claims, &key.sign);
        let token =
            token.map_err(|fault| Error::Internal(format!("a token could not be signed: {fault}")))?;
        // Count last, so that a failure does not use up the allowance.
        let counted = self.shared.storage.count_token(partner.id, now, partner.tokens_per_hour).await?;
        let (left, free_at) = match counted {
            TokenCount::Counted { left, free_at } => (left, free_at),
            TokenCount::Exhausted { free_at } => (0, free_at),
        };
        acting::allow(Allowance {
            name: "tokens",
            most: partner.tokens_per_hour.into(),
            window: 3600,
            left: left.into(),
            resets_in: free_at.duration_since(now).as_secs().max(0).unsigned_abs() + 1,
        });
        match counted {
            TokenCount::Counted { .. } => Ok(AccessToken { id, token, expires_in: LIFETIME }),
            TokenCount::Exhausted { free_at } => Err(Error::TooManyTokens { free_at }),
        }
    }

    /// Checks a bearer token. The signature is checked once per process, everything else at every request
    /// (D4, D5).
    ///
    /// # Errors
    /// [`Error::RefusedBearer`].
    pub async fn check_bearer(&self, token: &str) -> Result<Caller> {
        let refused = Err(Error::RefusedBearer("this service did not issue the token"));
        if token.len() > LONGEST {
            return refused;
        }
        let Some((header, _)) = token.split_once('.') else { return refused };
        if self.shared.directory.known().token_key(header).is_none() {
            // The store may have a new key that this process has not read yet (D4).
            self.shared.directory.refresh().await?;
        }
        let known = self.shared.directory.known();
        let Some(key) = known.token_key(header) else { return refused };
        let Some(vouched) = self.vouched_before(key, token) else {
            return refused;
        };
        let now = self.shared.clock.now().as_second();
        if now >= vouched.expires {
            return Err(Error::RefusedBearer("the token has expired"));
        }
        if vouched.issued > now + CLOCK_SKEW {
            return refused;
        }
        let record = known.record(vouched.partner).filter(|record| record.partner.enabled);
        let record = record.ok_or(Error::RefusedBearer("the partner is disabled"))?;
        if vouched.is_ended(record) {
            return Err(Error::RefusedBearer("the token was revoked"));
        }
        if vouched.scopes == Scopes::default_of_all() && self.shared.used_tokens.contains(vouched.id) {
            return Err(Error::RefusedBearer("the token has already opened a journey"));
        }
        let partner = &record.partner;
        let caller = Caller { partner: partner.id, scopes: vouched.scopes.within(partner.allowed()) };
        if partner.is_test() {
            drop(known);
            // Another process may have moved the partner's clock.
            self.shared.directory.refresh().await?;
        }
        Ok(caller)
    }

    /// Claims of a token, or `None` if its signature is invalid. Verifies the signature if the token is not in
    /// the cache.
    fn vouched_before(&self, key: &TokenKey, token: &str) -> Option<Vouched> {
        let known = self.signatures.0.get(token);
        known
            .or_else(|| vouch(key, token).inspect(|vouched| self.signatures.0.insert(token.into(), *vouched)))
    }

    /// Facts of a token that this service issued, even if it has expired or its partner is disabled. The
    /// journey tells customers what is wrong with their token (D38).
    ///
    /// # Errors
    /// [`Error::RefusedBearer`] for any other text; [`Error::Storage`].
    pub(crate) async fn read_token(&self, token: &str) -> Result<TokenFacts> {
        let refused = || Error::RefusedBearer("this service did not issue the token");
        let (header, _) = token.split_once('.').filter(|_| token.len() <= LONGEST).ok_or_else(refused)?;
        if self.shared.directory.known().token_key(header).is_none() {
            self.shared.directory.refresh().await?;
        }
        let known = self.shared.directory.known();
        let key = known.token_key(header).ok_or_else(refused)?;
        let claims = jsonwebtoken::decode::<Claims>(token, &key.check, &key.validation);
        let claims = claims.map_err(|_| refused())?.claims;
        let vouched = claims.vouched().ok_or_else(refused)?;
        let now = self.shared.clock.now().as_second();
        if vouched.issued > now + CLOCK_SKEW {
            return Err(refused());
        }
        let record = known.record(vouched.partner).ok_or_else(refused)?;
        Ok(TokenFacts {
            partner: record.partner.clone(),
            id: vouched.id,
            scopes: vouched.scopes,
            expired: now >= vouched.expires || vouched.is_ended(record),
            user_id: claims.user_id,
        })
    }

    /// Public keys of all live signing keys, oldest first.
    pub fn public_keys(&self) -> Vec<PublicKey> {
        let known = self.shared.directory.known();
        let mut keys: Vec<_> = known.token_keys.iter().collect();
        keys.sort_by_key(|key| key.number());
        keys.iter()
            .map(|key| PublicKey { kid: key.kid.clone(), x: URL_SAFE_NO_PAD.encode(&key.public) })
            .collect()
    }
}

/// Checks a token's signature, issuer and audience, then reads its claims.
fn vouch(key: &TokenKey, token: &str) -> Option<Vouched> {
    let claims = jsonwebtoken::decode::<Claims>(token, &key.check, &key.validation).ok()?.claims;
    claims.vouched()
}

impl Claims {
    fn vouched(&self) -> Option<Vouched> {
        let scopes = self.scope.split(' ').map(Scope::from_text).collect::<Result<Scopes, _>>().ok()?;
        Some(Vouched {
            partner: self.sub.parse().ok()?,
            id: self.jti.parse().ok()?,
            secret: self.secret_number,
            scopes,
            issued: self.iat,
            expires: self.exp,
        })
    }
}
