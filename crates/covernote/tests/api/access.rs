//! Access to every endpoint that needs a bearer token (interface, Authentication; D1 to D5, D43).

use std::time::Duration;

use aws_lc_rs::hmac;
use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, UnparsedPublicKey};
use domain::access::Scopes;
use serde_json::{Value, json};
use service::keys::KeyPurpose;
use service::partner::PartnerChange;

use crate::support::{Answer, App, Customer, Partner, Setup, bodies};

/// A well-formed id of no proposal.
const UNKNOWN_PROPOSAL: &str = "pro_01m5vvw3xreqg9aaa1afd2xg99";

/// Path of an endpoint that needs a bearer token, refuses an unknown id, and changes nothing.
const STATUS: &str = "/v1/embedded/proposal/pro_01m5vvw3xreqg9aaa1afd2xg99/status";

/// An endpoint that needs a bearer token, with unknown ids in its path.
struct Protected {
    method: String,
    path: String,
    /// The scope that the endpoint declares in the OpenAPI document.
    scope: String,
}

/// Every endpoint that needs a bearer token, as the OpenAPI document declares it (D1, D2).
async fn protected(app: &App) -> Vec<Protected> {
    let document = app.get_without_bearer("/openapi.json").await.json();
    let mut found = Vec::new();
    for (path, operations) in document["paths"].as_object().expect("paths") {
        for (method, operation) in operations.as_object().expect("operations") {
            let security = operation["security"].as_array().expect("a list");
            let Some(requirement) = security.first() else { continue };
            let scopes = requirement["bearer"].as_array().expect("scopes");
            assert_eq!((security.len(), scopes.len()), (1, 1), "{method} {path} declares one scope");
            let path = path
                .replace("{proposal_id}", UNKNOWN_PROPOSAL)
                .replace("{quote_id}", "quo_01m5vvw3xreqg9aaa1afd2xg99")
                .replace("{policy_id}", "pol_01m5vvw3xreqg9aaa1afd2xg99")
                .replace("{claim_id}", "clm_01m5vvw3xreqg9aaa1afd2xg99")
                .replace("{statement_id}", "stm_01m5vvw3xreqg9aaa1afd2xg99")
                .replace("{document_id}", "doc_01m5vvw3xreqg9aaa1afd2xg99")
                .replace("{event_id}", "evt_01m5vvw3xreqg9aaa1afd2xg99")
                .replace("{endpoint_id}", "whe_01m5vvw3xreqg9aaa1afd2xg99");
            assert!(!path.contains('{'), "{path} needs an id that names nothing");
            found.push(Protected { method: method.to_uppercase(), path, scope: text(&scopes[0]) });
        }
    }
    assert!(found.len() >= 13, "{} endpoints", found.len());
    found
}

const ALL_SCOPES: [&str; 8] = [
    "business.session",
    "business",
    "business.quote.read",
    "business.quote.write",
    "business.proposal.read",
    "business.proposal.write",
    "business.policy.write",
    "business.webhook",
];

// Tokens that the tests read and build themselves.

/// The three parts of a JWT.
pub(crate) struct Jwt {
    pub(crate) header: Value,
    pub(crate) claims: Value,
    pub(crate) signature: Vec<u8>,
    /// The header as base64url text, which the signature covers.
    header_text: String,
    signed: String,
}

impl Jwt {
    pub(crate) fn of(token: &str) -> Jwt {
        let parts: Vec<&str> = token.split('.').collect();
        let [header, claims, signature] = parts[..] else { panic!("{} parts", parts.len()) };
        let read = |part| serde_json::from_slice(&from_base64url(part)).expect("JSON");
        Jwt {
            header: read(header),
            claims: read(claims),
            signature: from_base64url(signature),
            header_text: header.to_owned(),
            signed: format!("{header}.{claims}"),
        }
    }

    /// Whether a public key of a key set verifies the signature.
    pub(crate) fn is_signed_by(&self, key: &Value) -> bool {
        let public = from_base64url(key["x"].as_str().expect("text"));
        UnparsedPublicKey::new(&ED25519, public).verify(self.signed.as_bytes(), &self.signature).is_ok()
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

pub(crate) fn base64url(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word =
            chunk.iter().enumerate().fold(0_u32, |word, (at, byte)| word | u32::from(*byte) << (16 - 8 * at));
        for place in 0..=chunk.len() {
            text.push(char::from(ALPHABET[(word >> (18 - 6 * place)) as usize & 63]));
        }
    }
    text
}

pub(crate) fn from_base64url(text: &str) -> Vec<u8> {
    let (mut word, mut bits, mut bytes) = (0_u32, 0, Vec::new());
    for letter in text.bytes() {
        let value = ALPHABET.iter().position(|one| *one == letter).expect("base64url without padding");
        word = word << 6 | value as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((word >> bits) as u8);
        }
    }
    bytes
}

/// Signs tokens with the key of the service, or with a stranger's.
struct Pen(Ed25519KeyPair);

impl Pen {
    async fn of(app: &App) -> Pen {
        let keys = app.service.keys.keys().await.expect("keys");
        let key = keys.iter().find(|key| key.purpose == KeyPurpose::Signing).expect("a signing key");
        Pen(Ed25519KeyPair::from_seed_unchecked(&key.secret).expect("a seed"))
    }

    fn of_a_stranger() -> Pen {
        Pen(Ed25519KeyPair::from_seed_unchecked(&[7; 32]).expect("a seed"))
    }

    fn sign(&self, header: &str, claims: &Value) -> String {
        let signed = format!("{header}.{}", base64url(claims.to_string().as_bytes()));
        format!("{signed}.{}", base64url(self.0.sign(signed.as_bytes()).as_ref()))
    }

    fn sign_under(&self, header: &Value, claims: &Value) -> String {
        self.sign(&base64url(header.to_string().as_bytes()), claims)
    }
}

fn with(mut object: Value, field: &str, value: Value) -> Value {
    object[field] = value;
    object
}

fn without(mut object: Value, field: &str) -> Value {
    object.as_object_mut().expect("an object").remove(field);
    object
}

/// Sends a request that passes the bearer check, but is refused for its body or id, so that nothing is
/// created.
async fn try_with(app: &App, method: &str, path: &str, authorization: &[&str]) -> Answer {
    let mut request = app.request(method, path).header("content-type", "application/json");
    for header in authorization {
        request = request.header("authorization", *header);
    }
    app.send(request.body(r#"{"metadata":7}"#)).await
}

async fn try_token(app: &App, token: &str) -> Answer {
    try_with(app, "GET", STATUS, &[&format!("Bearer {token}")]).await
}

/// Checks that the bearer token was accepted: only the id is refused.
#[track_caller]
fn is_taken(answer: &Answer) {
    answer.is_refused(404, "R4040");
}

#[track_caller]
pub(crate) fn is_unauthenticated(answer: &Answer) {
    answer.is_refused(401, "A4001");
    assert_eq!(answer.json()["title"], "Invalid Authentication Credentials");
    let challenge = answer.header("www-authenticate").expect("a challenge");
    assert!(challenge == "Bearer" || challenge.starts_with("Bearer "), "{challenge}");
}

#[track_caller]
fn needs_scope(answer: &Answer, scope: &str) {
    answer.is_refused(403, "A4030");
    let object = answer.json();
    assert_eq!(object["title"], "Insufficient Permission");
    assert!(object["detail"].as_str().expect("text").contains(scope), "{}", answer.text);
    let challenge = format!(r#"Bearer error="insufficient_scope", scope="{scope}""#);
    assert_eq!(answer.header("www-authenticate"), Some(challenge.as_str()));
}

#[tokio::test]
async fn every_protected_endpoint_refuses_a_missing_or_malformed_bearer() {
    // D1
    let app = App::start().await;
    let token = app.partner().token.clone();
    let basic = format!("Basic {token}");
    let joined = format!("Bearer{token}");
    let listed = format!("Bearer {token}, Bearer {token}");
    let two_tokens = format!("Bearer {token} {token}");
    let bad: &[&[&str]] = &[
        &[],
        &[""],
        &["Bearer"],
        &["Bearer "],
        &[&token],
        &[&basic],
        &[&joined],
        &[&listed],
        &[&two_tokens],
        &["Bearer nonsense"],
        &["Bearer a.b.c"],
        &["Bearer .."],
        &["Bearer null"],
    ];
    for Protected { method, path, .. } in protected(&app).await {
        for authorization in bad {
            let answer = try_with(&app, &method, &path, authorization).await;
            is_unauthenticated(&answer);
            assert_eq!(answer.json()["instance"], path);
        }
        let bytes: &[u8] = b"Bearer \xfc\xff";
        let request = app.request(&method, &path).header("authorization", bytes);
        is_unauthenticated(&app.send(request).await);
    }
}

#[tokio::test]
async fn the_bearer_scheme_is_accepted_in_upper_and_lower_case() {
    // D1; RFC 9110, 11.1
    let app = App::start().await;
    let token = app.partner().token.clone();
    for scheme in ["Bearer", "bearer", "BEARER"] {
        is_taken(&try_with(&app, "GET", STATUS, &[&format!("{scheme} {token}")]).await);
    }
}

#[tokio::test]
async fn a_request_with_two_authorization_headers_is_unauthenticated() {
    // D1
    let app = App::start().await;
    let good = format!("Bearer {}", app.partner().token);
    for pair in [[good.as_str(), good.as_str()], [&good, "Bearer x"], ["Bearer x", &good]] {
        is_unauthenticated(&try_with(&app, "GET", STATUS, &pair).await);
    }
}

#[tokio::test]
async fn open_endpoints_answer_without_a_bearer_token_and_ignore_an_invalid_one() {
    // D1
    let app = App::start().await;
    let id = app.has_proposal("COMPLETED").await;
    let download = app.download_path(&id).await;
    for path in ["/livez", "/readyz", "/.well-known/jwks.json", "/openapi.json", "/docs/", &download] {
        for request in [app.request("GET", path), app.request("GET", path).bearer_auth("nonsense")] {
            let answer = app.send(request).await;
            assert_eq!(answer.status, 200, "{path}: {}", answer.text);
        }
    }
    let answer = app.get_without_bearer("/certificate/nonsense").await;
    assert_eq!(answer.status, 404, "unknown, not unauthenticated: {}", answer.text);
}

#[tokio::test]
async fn an_access_token_is_valid_for_exactly_one_hour() {
    // interface, Authentication 3; D4
    let app = App::start().await;
    let token = app.partner().token.clone();
    app.clock.advance(Duration::from_millis(3_599_999));
    is_taken(&try_token(&app, &token).await);
    app.clock.advance(Duration::from_millis(1));
    for Protected { method, path, .. } in protected(&app).await {
        is_unauthenticated(&try_with(&app, &method, &path, &[&format!("Bearer {token}")]).await);
    }
}

#[tokio::test]
async fn a_token_is_accepted_if_its_time_of_issue_is_at_most_60_seconds_in_the_future() {
    // D129
    let app = App::start().await;
    let jwt = Jwt::of(&app.partner().token);
    let ours = Pen::of(&app).await;
    let issued = jwt.claims["iat"].as_i64().expect("seconds");
    let ahead = |seconds: i64| {
        let claims = with(jwt.claims.clone(), "iat", json!(issued + seconds));
        ours.sign(&jwt.header_text, &with(claims, "exp", json!(issued + seconds + 3600)))
    };
    is_taken(&try_token(&app, &ahead(60)).await);
    is_unauthenticated(&try_token(&app, &ahead(61)).await);
}

#[tokio::test]
async fn a_token_with_a_foreign_signature_or_a_wrong_or_missing_claim_is_refused() {
    // D4
    let app = App::start().await;
    let genuine = app.partner().token.clone();
    let jwt = Jwt::of(&genuine);
    let (header, claims) = (jwt.header_text.as_str(), jwt.claims.clone());
    let ours = Pen::of(&app).await;
    assert_eq!(ours.sign(header, &claims).split('.').count(), 3);
    is_taken(&try_token(&app, &ours.sign(header, &claims)).await);

    let other = app.new_partner("Other Lender").await;
    let forged = [
        ("a stranger's signature", Pen::of_a_stranger().sign(header, &claims)),
        (
            "another issuer",
            ours.sign(header, &with(claims.clone(), "iss", json!("https://elsewhere.example"))),
        ),
        ("no issuer", ours.sign(header, &without(claims.clone(), "iss"))),
        (
            "another audience",
            ours.sign(header, &with(claims.clone(), "aud", json!("https://elsewhere.example"))),
        ),
        ("no audience", ours.sign(header, &without(claims.clone(), "aud"))),
        ("no expiry", ours.sign(header, &without(claims.clone(), "exp"))),
        ("expiry that is text", ours.sign(header, &with(claims.clone(), "exp", json!("9999999999")))),
        ("no subject", ours.sign(header, &without(claims.clone(), "sub"))),
        (
            "a subject that is nobody",
            ours.sign(header, &with(claims.clone(), "sub", json!("par_01m5x05ptgfjfs46bmzda3qkxv"))),
        ),
        (
            "a subject that is no partner's id",
            ours.sign(header, &with(claims.clone(), "sub", json!(UNKNOWN_PROPOSAL))),
        ),
        ("no scope", ours.sign(header, &without(claims.clone(), "scope"))),
        ("an unknown scope", ours.sign(header, &with(claims.clone(), "scope", json!("everything")))),
        ("claims that are no object", ours.sign(header, &json!([1, 2]))),
        ("an expired one", ours.sign(header, &with(claims.clone(), "exp", json!(claims["iat"])))),
    ];
    for (what, token) in forged {
        let answer = try_token(&app, &token).await;
        assert_eq!(answer.status, 401, "{what}: {}", answer.text);
        is_unauthenticated(&answer);
    }

    // Another partner's claims with the signature of these claims.
    let stolen = base64url(with(claims, "sub", json!(other.id.to_string())).to_string().as_bytes());
    let (_, signature) = genuine.rsplit_once('.').expect("three parts");
    is_unauthenticated(&try_token(&app, &format!("{header}.{stolen}.{signature}")).await);
}

#[tokio::test]
async fn a_token_whose_jwt_header_differs_from_ours_is_refused_even_if_our_key_signed_it() {
    // D4; RFC 8725, RFC 9068 section 4
    let app = App::start().await;
    let jwt = Jwt::of(&app.partner().token);
    let (header, claims) = (jwt.header.clone(), jwt.claims.clone());
    let ours = Pen::of(&app).await;
    let keys = app.get_without_bearer("/.well-known/jwks.json").await.json();
    let public = keys["keys"][0]["x"].as_str().expect("text").to_owned();
    for bad in [
        with(header.clone(), "alg", json!("none")),
        with(header.clone(), "alg", json!("None")),
        with(header.clone(), "alg", json!("ES256")),
        without(header.clone(), "alg"),
        with(header.clone(), "typ", json!("JWT")),
        without(header.clone(), "typ"),
        with(header.clone(), "kid", json!("another")),
        with(header.clone(), "kid", json!("../../etc/passwd")),
        with(header.clone(), "kid", Value::Null),
        without(header.clone(), "kid"),
        with(header.clone(), "crit", json!(["exp"])),
        with(header.clone(), "jku", json!("https://elsewhere.example/jwks.json")),
        with(header.clone(), "jwk", json!({ "kty": "OKP", "crv": "Ed25519", "x": public })),
        with(header.clone(), "extra", json!(true)),
        json!([]),
        json!("header"),
    ] {
        for pen in [&ours, &Pen::of_a_stranger()] {
            let answer = try_token(&app, &pen.sign_under(&bad, &claims)).await;
            assert_eq!(answer.status, 401, "{bad}: {}", answer.text);
        }
        // Unsigned.
        let head = base64url(bad.to_string().as_bytes());
        let body = base64url(claims.to_string().as_bytes());
        is_unauthenticated(&try_token(&app, &format!("{head}.{body}.")).await);
    }
    // HS256, with a public text as the secret.
    for (secret, typ) in
        [(from_base64url(&public), "at+jwt"), (public.clone().into_bytes(), "at+jwt"), (Vec::new(), "JWT")]
    {
        let head = with(with(header.clone(), "alg", json!("HS256")), "typ", json!(typ));
        for head in [base64url(head.to_string().as_bytes()), jwt.header_text.clone()] {
            let signed = format!("{head}.{}", base64url(claims.to_string().as_bytes()));
            let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &secret), signed.as_bytes());
            let token = format!("{signed}.{}", base64url(tag.as_ref()));
            is_unauthenticated(&try_token(&app, &token).await);
        }
    }
}

#[tokio::test]
async fn a_shortened_lengthened_or_otherwise_changed_token_is_refused() {
    // D4
    let app = App::start().await;
    let token = app.partner().token.clone();
    is_taken(&try_token(&app, &token).await);
    let (signed, signature) = token.rsplit_once('.').expect("three parts");
    let (header, claims) = signed.split_once('.').expect("two parts");
    for bad in [
        token[..token.len() - 1].to_owned(),
        token[..token.len() - 10].to_owned(),
        format!("{signed}."),
        signed.to_owned(),
        header.to_owned(),
        format!("{header}."),
        format!(".{claims}.{signature}"),
        format!("{header}..{signature}"),
        format!("{token}."),
        format!("{token}.x"),
        format!("{token}.{signature}"),
        format!("{token}="),
        format!("{token}=="),
        format!("{token}A"),
        format!("{signed}.{}", "A".repeat(86)),
        format!("{signed}.{}", signature.chars().rev().collect::<String>()),
        token.to_uppercase(),
        format!("{header}.{}{claims}.{signature}", "A".repeat(5000)),
    ] {
        is_unauthenticated(&try_token(&app, &bad).await);
    }
}

#[tokio::test]
async fn a_bearer_token_of_one_mebibyte_is_refused_and_the_server_keeps_answering() {
    // D1, D10
    let app = App::start().await;
    let request = app.request("GET", STATUS).bearer_auth("a".repeat(1024 * 1024));
    // The server may close the connection while the request is still being sent. Then there is no answer.
    if let Ok(response) = request.send().await {
        let status = response.status().as_u16();
        assert!(matches!(status, 401 | 431), "{status}");
    }
    is_taken(&try_token(&app, &app.partner().token).await);
}

#[tokio::test]
async fn each_endpoint_accepts_its_own_scope_or_business_and_a_refusal_names_the_missing_scope() {
    // D2
    let app = App::start().await;
    let partner = app.partner().clone();
    let mut sets: Vec<Vec<&str>> = ALL_SCOPES.iter().map(|scope| vec![*scope]).collect();
    sets.push(vec!["business.quote.read", "business.proposal.read", "business.session"]);
    sets.push(vec!["business.quote.write", "business.proposal.read"]);
    sets.push(vec!["business.quote.read", "business.quote.write", "business.proposal.write"]);
    let protected = protected(&app).await;
    for set in sets {
        let token = app.token_of(&partner, &set).await;
        for Protected { method, path, scope: needed } in &protected {
            let answer = try_with(&app, method, path, &[&format!("Bearer {token}")]).await;
            if set.contains(&needed.as_str()) || set.contains(&"business") {
                let wanted = match (method.as_str(), path.rsplit('/').next()) {
                    // Only these can be listed without a filter (D31, D81, D85, D91, D95, D99, D100).
                    (
                        "GET",
                        Some(
                            "policies" | "claims" | "statements" | "renewals" | "events" | "endpoints"
                            | "requests" | "options",
                        ),
                    ) => &[200][..],
                    // JSON is not a paper (D83).
                    ("POST", Some("documents")) => &[415],
                    _ => &[400, 404],
                };
                assert!(wanted.contains(&answer.status), "{set:?} at {path}: {}", answer.text);
            } else {
                needs_scope(&answer, needed);
                assert_eq!(answer.json()["instance"], *path);
            }
        }
    }
}

#[tokio::test]
async fn a_revoked_scope_no_longer_works_with_tokens_that_were_issued_before() {
    // D2
    let app = App::start().await;
    let scopes = App::scopes(&["business.quote.write", "business.proposal.read"]);
    let mut partner = app.new_partner_with("Narrow Lender", scopes, 100).await;
    partner.token = app.token_of(&partner, &["business.quote.write", "business.proposal.read"]).await;
    let quote = app.as_partner(&partner, "POST", "/v1/embedded/quote", Some(bodies::quote())).await;
    assert_eq!(quote.status, 200, "{}", quote.text);

    let revoke = PartnerChange { revoke: App::scopes(&["business.quote.write"]), ..PartnerChange::default() };
    app.change(&partner, revoke).await;
    let quote = app.as_partner(&partner, "POST", "/v1/embedded/quote", Some(bodies::quote())).await;
    needs_scope(&quote, "business.quote.write");
    is_taken(&try_token(&app, &partner.token).await);
    app.ask_token(&partner, &["business.quote.write"]).await.is_refused(403, "A4030");

    let grant = PartnerChange { grant: App::scopes(&["business.quote.write"]), ..PartnerChange::default() };
    app.change(&partner, grant).await;
    let quote = app.as_partner(&partner, "POST", "/v1/embedded/quote", Some(bodies::quote())).await;
    assert_eq!(quote.status, 200, "{}", quote.text);
}

#[tokio::test]
async fn a_token_does_not_gain_scopes_that_its_partner_is_granted_later() {
    // D2
    let app = App::start().await;
    let mut partner = app.new_partner_with("Growing Lender", Scopes::NONE, 100).await;
    partner.token = app.token_of(&partner, &[]).await;
    let grant = PartnerChange { grant: App::scopes(&["business"]), ..PartnerChange::default() };
    app.change(&partner, grant).await;
    needs_scope(&try_token(&app, &partner.token).await, "business.proposal.read");
}

#[tokio::test]
async fn tokens_of_a_disabled_partner_stay_refused_after_it_is_enabled_again() {
    // D5
    let app = App::start().await;
    let partner = app.new_partner("Paused Lender").await;
    is_taken(&try_token(&app, &partner.token).await);
    app.change(&partner, PartnerChange { enabled: Some(false), ..PartnerChange::default() }).await;
    for Protected { method, path, .. } in protected(&app).await {
        is_unauthenticated(&try_with(&app, &method, &path, &[&format!("Bearer {}", partner.token)]).await);
    }
    is_taken(&try_token(&app, &app.partner().token).await);
    app.change(&partner, PartnerChange { enabled: Some(true), ..PartnerChange::default() }).await;
    is_unauthenticated(&try_token(&app, &partner.token).await);
    app.clock.advance(Duration::from_millis(1));
    is_taken(&try_token(&app, &app.token_of(&partner, &["business"]).await).await);
}

#[tokio::test]
async fn all_tokens_of_a_partner_can_be_ended() {
    // D5
    let app = App::start().await;
    let partner = app.new_partner("Careful Lender").await;
    app.change(&partner, PartnerChange { end_tokens: true, ..PartnerChange::default() }).await;
    is_unauthenticated(&try_token(&app, &partner.token).await);
    is_taken(&try_token(&app, &app.partner().token).await);
    app.clock.advance(Duration::from_millis(1));
    is_taken(&try_token(&app, &app.token_of(&partner, &["business"]).await).await);
}

#[tokio::test]
async fn revoking_a_secret_can_end_its_own_tokens_but_not_those_of_another_secret() {
    // D5
    let app = App::start().await;
    let first = app.partner().clone();
    let added = app.service.partners.add_secret(&first.client_id).await.expect("a second secret");
    let second = Partner { client_secret: added.client_secret, ..first.clone() };
    let (of_first, of_second) =
        (app.token_of(&first, &["business"]).await, app.token_of(&second, &["business"]).await);
    app.service.partners.revoke_secret(&first.client_id, 1, false).await.expect("revoked");
    is_taken(&try_token(&app, &of_first).await);
    app.service.partners.revoke_secret(&first.client_id, 1, true).await.expect("its tokens ended");
    is_unauthenticated(&try_token(&app, &of_first).await);
    is_taken(&try_token(&app, &of_second).await);
    let again = app.service.partners.revoke_secret(&first.client_id, 1, true).await;
    assert!(matches!(again, Err(service::Error::Unknown { .. })), "there is nothing left to do");
}

#[tokio::test]
async fn a_session_token_that_opened_a_journey_is_refused_as_a_bearer_token() {
    // D2
    let app = Setup::health().start().await;
    let token = app.token_of(app.partner(), &["business.session"]).await;
    let session = async |token: &str| {
        let request = app.request("POST", "/v1/business/session").bearer_auth(token).json(&json!({}));
        app.send(request).await
    };
    assert_eq!(session(&token).await.status, 201);
    let other = app.another_process(&rating::Files::sample()).await;
    let other_knows = async |token: &str| other.tokens.check_bearer(token).await.is_ok();
    assert!(other_knows(&token).await);
    let customer = Customer::new(&app);
    assert_eq!(customer.get(&format!("/health?session_token={token}")).await.at, "/health/who");
    is_unauthenticated(&session(&token).await);
    other.shared.used_tokens.refresh().await.expect("read");
    assert!(!other_knows(&token).await, "another process knows after its next look");
}

#[tokio::test]
async fn a_partner_can_have_two_live_secrets_and_a_revoked_secret_gets_no_token() {
    // D5
    let app = App::start().await;
    let first = app.partner().clone();
    let added = app.service.partners.add_secret(&first.client_id).await.expect("a second secret");
    let second = Partner { client_secret: added.client_secret, ..first.clone() };
    assert_ne!(first.client_secret, second.client_secret);
    for partner in [&first, &second] {
        assert_eq!(app.ask_token(partner, &[]).await.status, 200);
    }
    let third = app.service.partners.add_secret(&first.client_id).await;
    assert!(matches!(third, Err(service::Error::Conflict(_))), "a third live secret");

    let token = app.token_of(&first, &["business"]).await;
    app.service.partners.revoke_secret(&first.client_id, 1, false).await.expect("revoked");
    is_unauthenticated(&app.ask_token(&first, &[]).await);
    assert_eq!(app.ask_token(&second, &[]).await.status, 200);
    is_taken(&try_token(&app, &token).await);
    assert!(app.service.partners.add_secret(&first.client_id).await.is_ok(), "there is room for one again");
}

#[tokio::test]
async fn a_client_secret_has_256_bits_and_is_not_stored() {
    // D5
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let secrets = [&app.partner().client_secret, &other.client_secret];
    assert_ne!(secrets[0], secrets[1]);
    let stored = app.store.bytes(app.folder.path());
    for secret in secrets {
        let bytes = from_base64url(secret);
        assert_eq!(bytes.len(), 32);
        for kept in [secret.as_bytes(), bytes.as_slice()] {
            assert!(!stored.windows(kept.len()).any(|window| window == kept), "the secret is stored");
        }
    }
}

async fn key_ids(app: &App) -> Vec<String> {
    let keys = app.get_without_bearer("/.well-known/jwks.json").await.json();
    let keys = keys["keys"].as_array().expect("a list");
    keys.iter().map(|key| key["kid"].as_str().expect("text").to_owned()).collect()
}

fn key_id(token: &str) -> String {
    Jwt::of(token).header["kid"].as_str().expect("text").to_owned()
}

#[tokio::test]
async fn tokens_of_the_old_signing_key_are_accepted_until_the_key_is_retired() {
    // D4
    let app = App::start().await;
    let partner = app.partner().clone();
    let old = partner.token.clone();
    let before = key_ids(&app).await;
    assert_eq!(before, [key_id(&old)]);
    let old_number = app.service.keys.keys().await.expect("keys").into_iter();
    let old_number = old_number.filter(|key| key.purpose == KeyPurpose::Signing).map(|key| key.number).min();
    let old_number = old_number.expect("a signing key");

    let new = app.service.keys.rotate(KeyPurpose::Signing).await.expect("a second key");
    let both = key_ids(&app).await;
    assert_eq!(both.len(), 2, "a new key is known before it signs");
    assert!(both.contains(&before[0]));
    assert_eq!(key_id(&app.token_of(&partner, &["business"]).await), before[0], "not yet");
    assert!(app.service.keys.rotate(KeyPurpose::Signing).await.is_err(), "a third live key");

    app.clock.advance(Duration::from_secs(75));
    let fresh = app.token_of(&partner, &["business"]).await;
    assert_ne!(key_id(&fresh), before[0]);
    assert!(both.contains(&key_id(&fresh)));
    for token in [&old, &fresh] {
        is_taken(&try_token(&app, token).await);
    }

    let too_early = app.service.keys.retire(old_number, false).await;
    assert!(matches!(too_early, Err(service::Error::Conflict(_))), "its tokens are out");
    assert!(app.service.keys.retire(new.number, true).await.is_err(), "never the newest");
    is_taken(&try_token(&app, &old).await);

    app.service.keys.retire(old_number, true).await.expect("forced");
    assert_eq!(key_ids(&app).await, [key_id(&fresh)]);
    is_unauthenticated(&try_token(&app, &old).await);
    is_taken(&try_token(&app, &fresh).await);
}

#[tokio::test]
async fn a_signing_key_can_be_retired_only_after_its_last_token_has_expired() {
    // D4
    let app = App::start().await;
    let keys = app.service.keys.keys().await.expect("keys");
    let old = keys.iter().find(|key| key.purpose == KeyPurpose::Signing).expect("a signing key").number;
    app.service.keys.rotate(KeyPurpose::Signing).await.expect("a second key");
    app.clock.advance(Duration::from_secs(75 + 3599));
    assert!(app.service.keys.retire(old, false).await.is_err(), "one second too early");
    app.clock.advance(Duration::from_secs(1));
    app.service.keys.retire(old, false).await.expect("retired");
    let token = app.token_of(app.partner(), &["business"]).await;
    is_taken(&try_token(&app, &token).await);
    assert!(app.service.keys.rotate(KeyPurpose::Signing).await.is_ok(), "there is room for one again");
}

#[tokio::test]
async fn a_request_for_another_partners_proposal_is_answered_like_one_for_an_unknown_id() {
    // D3
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    for status in ["DRAFT", "COMPLETED"] {
        let id = app.has_proposal(status).await;
        for (method, tail, body) in [
            ("GET", "/status", None),
            ("PATCH", "", Some(json!({ "status": "PENDING" }))),
            ("PATCH", "", Some(json!({ "status": "REJECTED" }))),
            ("PATCH", "", Some(json!({ "status": "nonsense" }))),
        ] {
            let path = |id: &str| format!("/v1/embedded/proposal/{id}{tail}");
            let foreign = app.as_partner(&other, method, &path(&id), body.clone()).await;
            let unknown = app.as_partner(&other, method, &path(UNKNOWN_PROPOSAL), body.clone()).await;
            assert_eq!(foreign.status, unknown.status);
            assert_eq!(foreign.text.replace(&id, UNKNOWN_PROPOSAL), unknown.text);
            let headers = |answer: &Answer| {
                let names = answer.headers.keys().map(|name| name.as_str().to_owned());
                names.collect::<std::collections::BTreeSet<_>>()
            };
            assert_eq!(headers(&foreign), headers(&unknown));
            if body != Some(json!({ "status": "nonsense" })) {
                foreign.is_refused(404, "R4040");
                assert!(foreign.json()["detail"].as_str().expect("text").contains(&id));
            }
        }
        assert_eq!(app.status_of(&id).await, status, "it stands as it stood");
    }
}

#[tokio::test]
async fn every_id_of_another_partner_is_answered_like_an_unknown_id() {
    // D3, D46: every kind of id at every path that has an id
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let embedded = app.has_quote().await;
    let health = app.has_health_quote(bodies::recommendation()).await;
    let job = app.finished_recommendation(&health).await;
    let mut ids = vec![health, app.has_session().await, app.partner().id.to_string()];
    ids.push(app.has_proposal("COMPLETED").await);
    ids.extend(app.imports_proposals(vec![bodies::imported_proposal()]).await);
    ids.extend(app.imports_policies(vec![bodies::imported_policy()]).await);
    ids.extend(
        [&embedded["quote_id"], &embedded["recommendations"][0]["recommendation_id"], &job["id"]].map(text),
    );
    for id in &ids {
        let unknown = format!("{}_01m5vvw3xreqg9aaa1afd2xg99", &id[..3]);
        for (method, path, body) in [
            ("GET", "/v1/embedded/proposal/{id}/status", None),
            ("PATCH", "/v1/embedded/proposal/{id}", Some(json!({ "status": "REJECTED" }))),
            ("GET", "/v1/business/health/recommendation/{id}", None),
            ("GET", "/v1/business/health/quotes/{id}", None),
            ("GET", "/v1/business/health/proposals/{id}", None),
            ("GET", "/v1/business/health/policies/{id}", None),
        ] {
            let at = |id: &str| path.replace("{id}", id);
            let foreign = app.as_partner(&other, method, &at(id), body.clone()).await;
            let nobodys = app.as_partner(&other, method, &at(&unknown), body.clone()).await;
            foreign.is_refused(404, "R4040");
            assert_eq!(foreign.text.replace(id, &unknown), nobodys.text, "{method} {path}");
        }
        let propose = |quote: &str| bodies::proposal(&json!(quote), &embedded["quote_id"], "DRAFT");
        let in_session = |session: &str| bodies::with(bodies::recommendation(), "session_id", json!(session));
        for (path, body) in [
            ("/v1/embedded/proposal", &propose as &dyn Fn(&str) -> Value),
            ("/v1/business/health/recommendation", &in_session),
        ] {
            let foreign = app.as_partner(&other, "POST", path, Some(body(id))).await;
            let nobodys = app.as_partner(&other, "POST", path, Some(body(&unknown))).await;
            foreign.is_refused(400, "V4000");
            assert_eq!(foreign.text, nobodys.text, "{path}");
        }
        for records in ["quotes", "proposals", "policies"] {
            let list = |session: &str| format!("/v1/business/health/{records}?session_id={session}");
            let foreign = app.as_partner(&other, "GET", &list(id), None).await;
            let nobodys = app.as_partner(&other, "GET", &list(&unknown), None).await;
            assert_eq!((foreign.status, foreign.text.replace(id, &unknown)), (200, nobodys.text));
        }
    }
    assert_eq!(app.status_of(&ids[3]).await, "COMPLETED", "it stands as it stood");
}

fn text(value: &Value) -> String {
    value.as_str().expect("text").to_owned()
}

#[tokio::test]
async fn a_proposal_on_another_partners_quote_is_refused_like_one_on_an_unknown_quote() {
    // D3, D24
    let app = App::start().await;
    let other = app.new_partner("Other Lender").await;
    let body = app.has_proposal_body("DRAFT").await;
    let unknown = bodies::with(body.clone(), "quote_id", json!("quo_01m5vvw3xreqg9aaa1afd2xg99"));
    let foreign = app.as_partner(&other, "POST", "/v1/embedded/proposal", Some(body)).await;
    let unknown = app.as_partner(&other, "POST", "/v1/embedded/proposal", Some(unknown)).await;
    foreign.has_faults_on(&["quote_id"]);
    assert_eq!(foreign.text, unknown.text);
    assert_eq!(app.rows_of("proposals"), 0);
}
