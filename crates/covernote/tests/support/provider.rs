//! An OpenID Connect identity provider that tests may make hostile.

use std::collections::HashMap;
use std::net::TcpListener;
use std::sync::{Arc, Mutex, PoisonError};

use aws_lc_rs::digest::{SHA256, digest};
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use axum::extract::{Form, State};
use axum::http::HeaderMap;
use axum::routing::{get, post};
use axum::{Json, Router};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use operators::ProviderSettings;
use serde_json::{Value, json};

/// Changes the head and the claims of an ID token before it is signed.
pub type Twist = fn(&mut Value, &mut Value);

pub struct TestProvider {
    pub issuer: String,
    key: EcdsaKeyPair,
    /// Present time in seconds, and the change to the next tokens.
    now: Mutex<(i64, Twist)>,
    /// Way in which its clients authenticate, and purpose of its key.
    usual: Mutex<(&'static str, &'static str)>,
}

impl TestProvider {
    /// Starts a provider whose clock is at an instant in seconds.
    pub fn start(now: i64) -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.set_nonblocking(true).expect("set");
        let issuer = format!("http://{}", listener.local_addr().expect("bound"));
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_FIXED_SIGNING).expect("a key");
        let provider = Arc::new(TestProvider {
            issuer,
            key,
            now: Mutex::new((now, |_, _| {})),
            usual: Mutex::new(("client_secret_basic", "sig")),
        });
        let routes = Router::new()
            .route("/.well-known/openid-configuration", get(metadata))
            .route("/jwks", get(keys))
            .route("/token", post(token))
            .with_state(provider.clone());
        let listener = tokio::net::TcpListener::from_std(listener).expect("a listener");
        tokio::spawn(async move { axum::serve(listener, routes).await });
        provider
    }

    pub fn settings(&self) -> ProviderSettings {
        ProviderSettings {
            issuer: self.issuer.clone(),
            client_id: "covernote".into(),
            client_secret: Some("a secret & more".into()),
        }
    }

    pub fn twists(&self, twist: Twist) {
        self.now.lock().unwrap_or_else(PoisonError::into_inner).1 = twist;
    }

    /// From now on, clients must authenticate in this way, and the provider's key has this purpose.
    pub fn changes(&self, method: &'static str, purpose: &'static str) {
        *self.usual.lock().unwrap_or_else(PoisonError::into_inner) = (method, purpose);
    }

    fn usual(&self) -> (&'static str, &'static str) {
        *self.usual.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn signed(&self, subject: &str, nonce: &str) -> String {
        let (now, twist) = *self.now.lock().unwrap_or_else(PoisonError::into_inner);
        let mut head = json!({ "alg": "ES256", "kid": "one" });
        let mut claims = json!({
            "iss": self.issuer, "sub": subject, "aud": "covernote", "nonce": nonce, "iat": now, "exp": now + 300,
        });
        twist(&mut head, &mut claims);
        let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let text = format!("{}.{}", part(&head), part(&claims));
        let signature = match head["alg"].as_str() {
            Some("none") => Vec::new(),
            // A signature that anybody with the public key can make.
            Some("HS256") => {
                let key =
                    aws_lc_rs::hmac::Key::new(aws_lc_rs::hmac::HMAC_SHA256, self.key.public_key().as_ref());
                aws_lc_rs::hmac::sign(&key, text.as_bytes()).as_ref().to_vec()
            }
            _ => self.key.sign(&SystemRandom::new(), text.as_bytes()).expect("signed").as_ref().to_vec(),
        };
        format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature))
    }
}

type On = State<Arc<TestProvider>>;

async fn metadata(State(provider): On) -> Json<Value> {
    let at = |path: &str| format!("{}{path}", provider.issuer);
    Json(json!({
        "issuer": provider.issuer, "authorization_endpoint": at("/authorize"), "token_endpoint": at("/token"),
        "jwks_uri": at("/jwks"), "token_endpoint_auth_methods_supported": [provider.usual().0],
    }))
}

async fn keys(State(provider): On) -> Json<Value> {
    let point = provider.key.public_key().as_ref();
    let part = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
    Json(json!({ "keys": [{
        "kty": "EC", "crv": "P-256", "kid": "one", "use": provider.usual().1, "x": part(&point[1..33]), "y": part(&point[33..]),
    }]}))
}

/// Issues the tokens for a code, which contains subject, nonce and challenge. The verifier must match the
/// challenge.
async fn token(
    State(provider): On,
    headers: HeaderMap,
    Form(form): Form<HashMap<String, String>>,
) -> Json<Value> {
    let (in_header, in_body) = (headers.contains_key("authorization"), form.contains_key("client_secret"));
    let wanted = provider.usual().0 == "client_secret_post";
    if (in_header, in_body) != (!wanted, wanted) {
        return Json(json!({ "error": "invalid_client" }));
    }
    let parts: Vec<&str> = form["code"].split('~').collect();
    let [subject, nonce, challenge] = parts[..] else { return Json(json!({ "error": "invalid_grant" })) };
    let hashed = URL_SAFE_NO_PAD.encode(digest(&SHA256, form["code_verifier"].as_bytes()));
    match hashed == challenge {
        true => Json(json!({ "token_type": "Bearer", "id_token": provider.signed(subject, nonce) })),
        false => Json(json!({ "error": "invalid_grant" })),
    }
}
