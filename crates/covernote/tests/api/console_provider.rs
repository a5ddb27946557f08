//! Sign-in with an identity provider (D123).

use std::sync::Arc;
use std::time::Duration;

use domain::team::Role;
use reqwest::header::{COOKIE, LOCATION, SET_COOKIE};
use reqwest::redirect::Policy;
use serde_json::{Value, json};
use url::Url;

use crate::support::App;
use crate::support::console::{Authenticator, Console};
use crate::support::provider::{TestProvider, Twist};

struct Site {
    app: App,
    provider: Arc<TestProvider>,
    console: Console,
    http: reqwest::Client,
}

/// What a browser takes to the identity provider: its cookie and the query parameters.
struct Sent {
    cookie: String,
    state: String,
    nonce: String,
    challenge: String,
}

/// Answer of the console to a browser: status, session cookie, page.
type Answer = (u16, String, String);

impl Site {
    async fn new() -> Site {
        let app = App::start().await;
        let provider = TestProvider::start(app.service.team.now().as_second());
        let console = Console::start_with(&app.service, Some(provider.settings()));
        let http = reqwest::Client::builder().redirect(Policy::none()).build().expect("a client");
        Site { app, provider, console, http }
    }

    async fn get(&self, path: &str, cookie: &str) -> reqwest::Response {
        let request = self.http.get(format!("{}{path}", self.console.base)).header(COOKIE, cookie);
        request.send().await.expect("an answer")
    }

    /// Opens the console's redirect to the provider.
    async fn goes(&self, query: &str, session: &str) -> Sent {
        let answer = self.get(&format!("/provider?{query}"), session).await;
        assert_eq!(answer.status(), 303, "{query}");
        let header = |name| answer.headers()[name].to_str().expect("text").to_owned();
        let url = Url::parse(&header(LOCATION)).expect("an address");
        let value = |name: &str| {
            let found = url.query_pairs().find(|(known, _)| known == name);
            found.unwrap_or_else(|| panic!("no {name} in {url}")).1.into_owned()
        };
        assert!(url.as_str().starts_with(&format!("{}/authorize?", self.provider.issuer)), "{url}");
        assert_eq!((value("response_type"), value("code_challenge_method")), ("code".into(), "S256".into()));
        assert_eq!(value("redirect_uri"), format!("{}/provider/return", self.console.base));
        let cookie = header(SET_COOKIE);
        assert!(cookie.contains("HttpOnly; SameSite=Lax"), "{cookie}");
        Sent {
            cookie: cookie.split(';').next().expect("one").to_owned(),
            state: value("state"),
            nonce: value("nonce"),
            challenge: value("code_challenge"),
        }
    }

    /// Returns from the provider as a person whom it knows.
    async fn comes_back(&self, sent: &Sent, subject: &str) -> Answer {
        let code = format!("{subject}~{}~{}", sent.nonce, sent.challenge);
        self.returns(&[("code", &code), ("state", &sent.state)], &sent.cookie).await
    }

    async fn returns(&self, query: &[(&str, &str)], cookie: &str) -> Answer {
        let mut url = Url::parse(&format!("{}/provider/return", self.console.base)).expect("an address");
        url.query_pairs_mut().extend_pairs(query);
        let answer = self.http.get(url).header(COOKIE, cookie).send().await.expect("an answer");
        let cookies = answer.headers().get_all(SET_COOKIE).iter();
        let session = cookies.filter_map(|value| value.to_str().ok()).find_map(|cookie| {
            let pair = cookie.split(';').next()?;
            pair.starts_with("covernote=").then(|| pair.to_owned())
        });
        let status = answer.status().as_u16();
        (status, session.unwrap_or_default(), answer.text().await.expect("text"))
    }

    /// An operator accepts an invitation with the provider. Returns the session.
    async fn has_joined(&self, name: &str, role: Role, subject: &str) -> String {
        let link = self.console.invites(&self.app, name, &[role]).await;
        let link = link.rsplit('/').next().expect("a part").to_owned();
        let sent = self.goes(&format!("link={link}"), "").await;
        let (status, session, page) = self.comes_back(&sent, subject).await;
        assert_eq!(status, 200, "{page}");
        session
    }
}

fn token(session: &str) -> &str {
    session.split_once('=').expect("a cookie").1
}

#[tokio::test]
async fn an_operator_can_join_and_sign_in_with_the_provider_but_cannot_confirm_acts_with_it() {
    let site = Site::new().await;
    let first = site.has_joined("Meera", Role::Support, "meera-1").await;
    let (status, page) = site.console.get(&format!("{}/account", site.console.base), &first).await;
    assert!(status == 200 && page.contains("You can also sign in with"), "{page}");
    let sent = site.goes("next=/device", "").await;
    let (status, session, page) = site.comes_back(&sent, "meera-1").await;
    assert_eq!(status, 200, "{page}");
    assert!(page.contains("url=/device"), "it goes on where it began: {page}");
    let find = json!({ "mobile": "9876543210" });
    assert_eq!(site.console.act("POST", "/persons/search", token(&session), &find).await.0, 200);
    let admin = site.has_joined("Arjun", Role::Admin, "arjun-1").await;
    let invite = json!({ "name": "Kiran", "roles": ["read"] });
    let (status, refused) = site.console.act("POST", "/operators", token(&admin), &invite).await;
    assert!(status == 403 && refused["detail"].to_string().contains("passkey"), "{refused}");
}

#[tokio::test]
async fn an_operator_with_a_passkey_can_link_a_provider_identity_and_no_other_operator_can_use_it() {
    let site = Site::new().await;
    let passkey = &mut Authenticator::new(&site.console);
    let session = site.console.has_operator(&site.app, "Meera", &[Role::Support], passkey).await;
    let sent = site.goes("links_account=true", &session).await;
    let (status, none, page) = site.comes_back(&sent, "meera-1").await;
    assert_eq!((status, none.as_str()), (200, ""), "{page}");
    let (status, _, page) = site.comes_back(&sent, "meera-1").await;
    assert!(status == 400 && page.contains("already used or has expired"), "a replay: {page}");
    let again = site.goes("", "").await;
    assert_eq!(site.comes_back(&again, "meera-1").await.0, 200, "they sign in");
    let link = site.console.invites(&site.app, "Arjun", &[Role::Support]).await;
    let link = link.rsplit('/').next().expect("a part").to_owned();
    let sent = site.goes(&format!("link={link}"), "").await;
    let (status, _, page) = site.comes_back(&sent, "meera-1").await;
    assert!(status == 400 && page.contains("Meera already has this identity"), "{page}");
    site.app.clock.advance(Duration::from_secs(301));
    let answer = site.get("/provider?links_account=true", &session).await;
    assert_eq!(
        answer.headers()[LOCATION],
        "/account/passkey",
        "a session that is not confirmed links nothing"
    );
}

#[tokio::test]
async fn a_provider_that_accepts_client_secret_post_gets_the_client_secret_in_the_body() {
    let site = Site::new().await;
    site.provider.changes("client_secret_post", "sig");
    site.has_joined("Meera", Role::Support, "meera-1").await;
}

#[tokio::test]
async fn a_recovery_invalidates_a_provider_identity_link_that_was_already_begun() {
    let site = Site::new().await;
    let passkey = &mut Authenticator::new(&site.console);
    let session = site.console.has_operator(&site.app, "Meera", &[Role::Support], passkey).await;
    let begun = site.goes("links_account=true", &session).await;
    site.app.service.team.recover("Meera").await.expect("recovered");
    let (status, _, page) = site.comes_back(&begun, "intruder").await;
    assert!(status == 400 && page.contains("already used or has expired"), "{page}");
}

#[tokio::test]
async fn the_provider_signs_in_no_unknown_identity_and_no_operator_who_left_or_was_recovered() {
    let site = Site::new().await;
    let comes = async |subject: &str| {
        let sent = site.goes("", "").await;
        site.comes_back(&sent, subject).await
    };
    let (status, session, page) = comes("stranger").await;
    assert!(status == 400 && session.is_empty() && page.contains("No operator has this identity"), "{page}");
    site.has_joined("Meera", Role::Support, "meera-1").await;
    site.has_joined("Arjun", Role::Support, "arjun-1").await;
    site.app.service.team.end("Meera").await.expect("ended");
    site.app.service.team.recover("Arjun").await.expect("recovered");
    for subject in ["meera-1", "arjun-1"] {
        assert_eq!(comes(subject).await.0, 400, "{subject}");
    }
}

#[tokio::test]
async fn a_forged_foreign_or_expired_provider_response_signs_nobody_in() {
    let site = Site::new().await;
    site.has_joined("Meera", Role::Admin, "meera-1").await;
    let twists: [(&str, Twist); 13] = [
        ("another issuer", |_, claims| claims["iss"] = "https://evil.example".into()),
        ("another client", |_, claims| claims["aud"] = "another".into()),
        ("several clients", |_, claims| claims["aud"] = json!(["covernote", "another"])),
        ("one client, for another one", |_, claims| claims["azp"] = "another".into()),
        ("a token that is valid from tomorrow on", |_, claims| {
            claims["nbf"] = json!(claims["iat"].as_i64().expect("a number") + 86_400)
        }),
        ("another nonce", |_, claims| claims["nonce"] = "old".into()),
        ("no nonce", |_, claims| claims["nonce"] = Value::Null),
        ("no signature", |head, _| head["alg"] = "none".into()),
        ("a secret that everybody has", |head, _| head["alg"] = "HS256".into()),
        ("another algorithm", |head, _| head["alg"] = "RS256".into()),
        ("another key", |head, _| head["kid"] = "two".into()),
        ("an old token", |_, claims| claims["exp"] = 1.into()),
        ("a token of tomorrow", |_, claims| {
            claims["iat"] = json!(claims["iat"].as_i64().expect("a number") + 3600)
        }),
    ];
    for (what, twist) in twists {
        site.provider.twists(twist);
        let sent = site.goes("", "").await;
        let (status, session, page) = site.comes_back(&sent, "meera-1").await;
        assert_eq!((status, session.as_str()), (400, ""), "{what}: {page}");
        assert!(page.contains("did not sign you in"), "{what}: {page}");
    }
    site.provider.twists(|_, _| {});
    site.provider.changes("client_secret_basic", "enc");
    let (status, _, page) = site.comes_back(&site.goes("", "").await, "meera-1").await;
    assert!(status == 400 && page.contains("did not sign you in"), "a key for encryption: {page}");
    site.provider.changes("client_secret_basic", "sig");
    let (one, other) = (site.goes("", "").await, site.goes("", "").await);
    let code = |sent: &Sent| format!("meera-1~{}~{}", sent.nonce, sent.challenge);
    let all = [
        (
            "the state of another browser",
            code(&one),
            other.state.clone(),
            one.cookie.clone(),
            "already used or has expired",
        ),
        ("no cookie", code(&one), one.state.clone(), String::new(), "already used or has expired"),
        (
            "a cookie that was changed",
            code(&one),
            one.state.clone(),
            format!("{}x", one.cookie),
            "already used or has expired",
        ),
        (
            "the code of another browser",
            code(&other),
            one.state.clone(),
            one.cookie.clone(),
            "did not sign you in",
        ),
    ];
    for (what, code, state, cookie, said) in all {
        let (status, session, page) = site.returns(&[("code", &code), ("state", &state)], &cookie).await;
        assert!(status == 400 && session.is_empty() && page.contains(said), "{what}: {page}");
    }
    let other_provider = [("code", &*code(&one)), ("state", &*one.state), ("iss", "https://evil.example")];
    assert_eq!(site.returns(&other_provider, &one.cookie).await.0, 400);
    let refused = [("error", "access_denied"), ("state", &*one.state)];
    assert_eq!(site.returns(&refused, &one.cookie).await.0, 400);
    site.app.clock.advance(Duration::from_secs(301));
    assert_eq!(site.comes_back(&one, "meera-1").await.0, 400, "it took too long");
}

#[tokio::test]
async fn an_unreachable_provider_is_reported_and_a_provider_without_https_is_refused() {
    let app = App::start().await;
    let provider = TestProvider::start(app.service.team.now().as_second());
    let mut settings = provider.settings();
    settings.issuer = "http://127.0.0.1:1".into();
    let console = Console::start_with(&app.service, Some(settings.clone()));
    let (status, page) = console.get(&format!("{}/provider", console.base), "").await;
    assert!(status == 400 && page.contains("cannot be reached"), "{page}");
    settings.issuer = "http://id.example".into();
    let serving = operators::Serving {
        provider: Some(settings),
        ..crate::support::console::serving("http://localhost")
    };
    let refused = operators::console(app.service.clone(), serving, web::Limits::default()).err();
    assert_eq!(refused.as_deref(), Some("http://id.example must be https, or http on this machine"));
}
