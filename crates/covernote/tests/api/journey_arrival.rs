//! Arriving on the hosted journey: tokens, cookies, languages, headers, and every dead end
//! (interface §14, Limits; D1, D2, D3, D10, D13, D37, D38).

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use serde_json::json;
use service::partner::PartnerChange;

use crate::support::bodies;
use crate::support::customer::{COVER, DETAILS, PLACE, WHO};
use crate::support::health::PLAIN;
use crate::support::page::Page;
use crate::support::{App, Customer, Setup};

/// Checks that the page says in both languages why the journey cannot continue.
#[track_caller]
fn is_dead_end(page: &Page, status: u16, english: &str, hindi: &str) {
    assert_eq!(page.status(), status, "{}", page.answer.text);
    assert_eq!(page.answer.header("content-type"), Some("text/html; charset=utf-8"));
    assert!(page.location().is_none());
    let (first, second) = if page.language() == "hi" { (hindi, english) } else { (english, hindi) };
    assert_eq!(page.heading(), first);
    assert!(page.title().starts_with(first), "{}", page.title());
    assert_eq!(page.whole().texts("h2"), [second]);
    let id = page.answer.header("x-request-id").expect("an id");
    assert_eq!(id.len(), 32, "{id}");
}

#[track_caller]
fn is_wrong(page: &Page) {
    is_dead_end(page, 403, "This link does not open anything", "यह लिंक नहीं खुलता");
}

#[track_caller]
fn is_used(page: &Page) {
    is_dead_end(page, 410, "This link was already used", "यह लिंक पहले ही इस्तेमाल हो चुका है");
}

#[track_caller]
fn is_expired(page: &Page) {
    is_dead_end(page, 410, "This link is too old", "यह लिंक पुराना हो चुका है");
}

#[track_caller]
fn is_over(page: &Page) {
    is_dead_end(page, 410, "Your visit is over", "आपकी विज़िट समाप्त हो गई है");
}

#[track_caller]
fn is_disabled(page: &Page) {
    let (english, hindi) =
        ("Health insurance is not available here at the moment", "यहाँ अभी स्वास्थ्य बीमा उपलब्ध नहीं है");
    is_dead_end(page, 403, english, hindi);
}

#[track_caller]
fn is_missing(page: &Page) {
    is_dead_end(page, 404, "There is no such page", "ऐसा कोई पेज नहीं है");
}

/// A browser without a cookie opens an address and follows the redirects.
async fn opened(app: &App, address: &str) -> Page {
    Customer::new(app).get(address).await
}

// The token.

#[tokio::test]
async fn a_token_opens_a_journey_and_a_redirect_removes_it_from_the_address() {
    // interface §14; D38
    let app = Setup::health().start().await;
    let customer = Customer::new(&app);
    let address = app.journey_address(app.partner()).await;
    let (_, token) = address.split_once('=').expect("a token");
    let answered = customer.get_once(&address).await;
    assert_eq!(answered.status(), 303);
    assert_eq!(answered.location(), Some("health/start?new=1"), "relative: a proxy may stand in front");
    assert_eq!(answered.answer.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(answered.answer.header("cache-control"), Some("no-store"));
    assert_eq!(answered.answer.text, "");
    let cookie = answered.answer.header("set-cookie").expect("a cookie").to_owned();
    let (pair, attributes) = cookie.split_once("; ").expect("attributes");
    assert_eq!(attributes, "Path=/; Max-Age=86400; HttpOnly; SameSite=Lax", "plain http, on loopback alone");
    let secret = pair.strip_prefix("covernote=").expect("its name");
    assert_eq!(secret.len(), 43, "256 bits: {secret}");
    let page = customer.follow(answered).await;
    assert_eq!((page.status(), page.at.as_str()), (200, "/health/who"));
    assert_eq!(page.heading(), "Who should be covered?");
    let said = format!("{} {:?} {}", page.answer.text, page.answer.headers, page.at);
    assert!(!said.contains(token) && !said.contains(secret), "neither token nor cookie is in a page");
    page.shows("through Test Lender");
}

/// Collects the log of a test.
#[derive(Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    /// Collects everything that this thread logs from this level on, until the guard is dropped.
    pub(crate) fn from_level(level: tracing::Level) -> (Log, tracing::subscriber::DefaultGuard) {
        // With a single subscriber, tracing decides only once for each log statement, on the first thread
        // that reaches it. That may be another test's thread. With a second subscriber, tracing asks each
        // time.
        static SECOND_SUBSCRIBER: LazyLock<tracing::Dispatch> =
            LazyLock::new(|| tracing::Dispatch::new(tracing::subscriber::NoSubscriber::new()));
        LazyLock::force(&SECOND_SUBSCRIBER);
        let log = Log::default();
        let written = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(level)
            .with_ansi(false)
            .with_writer(move || written.clone())
            .finish();
        (log, tracing::subscriber::set_default(subscriber))
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.0.lock().expect("nobody panicked").clone()).expect("text")
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panicked").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn no_token_cookie_proof_or_answer_is_in_a_log() {
    // D38: the token is checked and used up, is not in the address any more, and never in the log
    let (log, _logging) = Log::from_level(tracing::Level::TRACE);
    let app = Setup::health().start().await;
    let address = app.journey_address(app.partner()).await;
    let (_, token) = address.split_once('=').expect("a token");
    let customer = Customer::new(&app);
    assert_eq!(customer.get(&address).await.name(), "who");
    assert_eq!(opened(&app, &address).await.status(), 410);
    assert_eq!(opened(&app, &format!("{address}x")).await.status(), 403);
    customer.answers(WHO, PLACE, COVER).await;
    customer.chooses(PLAIN, 1).await;
    assert_eq!(customer.fills("details", DETAILS).await.name(), "review");
    let status = customer.applies().await;
    let said = log.text();
    assert!(said.contains("a journey was opened") && said.contains("/health/status/{code}"), "{said}");
    let cookie = customer.cookie().expect("a cookie");
    let proof = customer.proof().await;
    let (_, signature) = token.rsplit_once('.').expect("three parts");
    for secret in [
        token,
        signature,
        cookie.split_once('=').expect("a value").1,
        &proof,
        status.name(),
        "Asha",
        "9876543210",
        "asha.rao",
        "MG Road",
        "560038",
    ] {
        assert!(!said.contains(secret), "{secret}: {said}");
    }
}

#[tokio::test]
async fn a_token_is_also_accepted_under_the_older_spelling_of_its_parameter() {
    // D38
    let app = Setup::health().start().await;
    let address = app.journey_address(app.partner()).await.replace("session_token", "session-token");
    assert_eq!(opened(&app, &address).await.at, "/health/who");
    is_used(&opened(&app, &address).await);
}

#[tokio::test]
async fn a_used_token_opens_nothing_in_another_browser() {
    // D38
    let app = Setup::health().start().await;
    let address = app.journey_address(app.partner()).await;
    assert_eq!(opened(&app, &address).await.status(), 200);
    is_used(&opened(&app, &address).await);
    let other = Customer::arrived(&app).await;
    let held = other.cookie();
    is_used(&other.get(&address).await);
    assert_eq!(other.cookie(), held, "who has a journey keeps it");
    assert_eq!(other.get("/health").await.name(), "who");
    assert_eq!(app.rows_of("journeys"), 2);
}

#[tokio::test]
async fn the_browser_that_used_a_token_may_open_it_again_and_resumes_its_journey() {
    // D38: an iframe's reload
    let app = Setup::health().start().await;
    let address = app.journey_address(app.partner()).await;
    let customer = Customer::new(&app);
    assert_eq!(customer.get(&address).await.name(), "who");
    customer.fills("who", WHO).await;
    let held = customer.cookie();
    assert_eq!(customer.get(&address).await.at, "/health/place");
    customer.fills("place", PLACE).await;
    app.clock.advance(Duration::from_secs(2 * 3600));
    assert_eq!(customer.get(&address).await.at, "/health/cover", "also when the token's hour is over");
    assert_eq!(customer.cookie(), held);
    assert_eq!(app.rows_of("journeys"), 1);
}

#[tokio::test]
async fn the_address_without_a_token_resumes_the_journey_of_the_browser() {
    // D38
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    customer.fills("who", WHO).await;
    assert_eq!(customer.get("/health").await.at, "/health/place");
    assert_eq!(customer.get("/health?session_token=").await.at, "/health/place");
    is_wrong(&opened(&app, "/health").await);
}

#[tokio::test]
async fn a_new_token_starts_a_new_journey_in_the_same_browser() {
    // crates/docsite/pages/journey.md, The token
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    customer.fills("who", WHO).await;
    let held = customer.cookie();
    let page = customer.get(&app.journey_address(app.partner()).await).await;
    assert_eq!((page.at.as_str(), page.value("self").as_str()), ("/health/who", ""));
    assert_ne!(customer.cookie(), held);
    assert_eq!(app.rows_of("sessions"), 2, "each journey has a session of its own");
}

#[tokio::test]
async fn a_token_opens_a_journey_for_an_hour_and_no_longer() {
    // interface, Limits; D38
    let app = Setup::health().start().await;
    let (last, late) = (app.journey_address(app.partner()).await, app.journey_address(app.partner()).await);
    app.clock.advance(Duration::from_secs(3599));
    assert_eq!(opened(&app, &last).await.status(), 200);
    app.clock.advance(Duration::from_secs(1));
    is_expired(&opened(&app, &late).await);
    is_used(&opened(&app, &last).await);
    assert_eq!(app.rows_of("journeys"), 1);
}

#[tokio::test]
async fn a_forged_foreign_or_missing_token_opens_no_journey() {
    // D4, D38
    let app = Setup::health().start().await;
    let elsewhere = Setup::health().start().await;
    let ours = app.journey_address(app.partner()).await;
    let (path, token) = ours.split_once('=').expect("a token");
    let parts: Vec<&str> = token.split('.').collect();
    let foreign = elsewhere.token_of(elsewhere.partner(), &["business.session"]).await;
    let foreign_parts: Vec<&str> = foreign.split('.').collect();
    let unsigned = format!("{}.{}.", parts[0], parts[1]);
    let grafted = format!("{}.{}.{}", parts[0], foreign_parts[1], parts[2]);
    let swapped = format!("{}.{}.{}", parts[0], parts[1], foreign_parts[2]);
    let cut = &token[..token.len() - 1];
    let long = "x".repeat(20_000);
    for wrong in [
        &foreign, &unsigned, &grafted, &swapped, cut, &long, "x", "..", "a.b.c", "%00", "%FF", "ses_1", "%20",
    ] {
        is_wrong(&opened(&app, &format!("{path}={wrong}")).await);
    }
    for missing in ["/health", "/health?", "/health?session_token=", "/health?token=x"] {
        is_wrong(&opened(&app, missing).await);
    }
    assert_eq!((app.rows_of("journeys"), app.rows_of("sessions")), (0, 0));
    assert_eq!(opened(&app, &ours).await.status(), 200, "it was not used up");
}

#[tokio::test]
async fn a_token_opens_a_journey_only_if_its_single_scope_is_business_session() {
    // D2
    let app = Setup::health().start().await;
    let read = app.token_of(app.partner(), &["business.quote.read"]).await;
    is_wrong(&opened(&app, &format!("/health?session_token={read}")).await);
    for more in
        [&["business"][..], &["business", "business.session"], &["business.session", "business.quote.read"]]
    {
        let token = app.token_of(app.partner(), more).await;
        is_wrong(&opened(&app, &format!("/health?session_token={token}")).await);
    }
    let session = app.token_of(app.partner(), &["business.session"]).await;
    assert_eq!(opened(&app, &format!("/health?session_token={session}")).await.status(), 200);
}

#[tokio::test]
async fn a_disabled_partners_token_opens_nothing() {
    // D38; crates/docsite/pages/journey.md, When it does not work
    let app = Setup::health().start().await;
    let address = app.journey_address(app.partner()).await;
    let enabled = |enabled| PartnerChange { enabled: Some(enabled), ..PartnerChange::default() };
    app.change(app.partner(), enabled(false)).await;
    let page = opened(&app, &address).await;
    is_disabled(&page);
    page.shows("Test Lender does not offer health insurance at the moment");
    assert_eq!(app.rows_of("journeys"), 0);
    // D5: a disabled partner's tokens stay invalid, and it gets new ones.
    app.change(app.partner(), enabled(true)).await;
    is_expired(&opened(&app, &address).await);
    app.clock.advance(Duration::from_millis(1));
    assert_eq!(opened(&app, &app.journey_address(app.partner()).await).await.status(), 200);
}

#[tokio::test]
async fn disabling_a_partner_blocks_its_customers_journeys_until_it_is_enabled_again() {
    // D38
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    customer.fills("who", WHO).await;
    customer.proof().await;
    let enabled = |enabled| PartnerChange { enabled: Some(enabled), ..PartnerChange::default() };
    app.change(app.partner(), enabled(false)).await;
    for page in ["start", "who", "place", "cover", "plans", "events", "details", "review"] {
        is_disabled(&customer.get(page).await);
    }
    is_disabled(&customer.post("place", PLACE).await);
    app.change(app.partner(), enabled(true)).await;
    assert_eq!(customer.get("start").await.at, "/health/place", "nothing was taken meanwhile");
}

#[tokio::test]
async fn head_and_prefetch_requests_do_not_use_up_a_token() {
    // D38: HEAD and prefetch
    let app = Setup::health().start().await;
    let address = app.journey_address(app.partner()).await;
    let customer = Customer::new(&app);
    let head = customer.send(customer.request("HEAD", &address)).await;
    assert_eq!((head.status(), head.answer.header("set-cookie")), (200, None));
    for (name, value) in [
        ("sec-purpose", "prefetch"),
        ("sec-purpose", "prefetch;prerender"),
        ("purpose", "prefetch"),
        ("x-purpose", "preview"),
        ("x-moz", "prefetch"),
    ] {
        let ahead = customer.send(customer.request("GET", &address).header(name, value)).await;
        assert_eq!((ahead.status(), ahead.answer.header("set-cookie")), (503, None), "{name}: {value}");
        assert_eq!(ahead.answer.header("cache-control"), Some("no-store"));
    }
    assert_eq!(app.rows_of("journeys"), 0);
    assert_eq!(customer.get(&address).await.at, "/health/who");
}

#[tokio::test]
async fn a_token_works_for_api_calls_until_it_opens_a_journey() {
    // crates/docsite/pages/journey.md, The token
    let app = Setup::health().start().await;
    let address = app.journey_address(app.partner()).await;
    let (_, token) = address.split_once('=').expect("a token");
    let session = app.request("POST", "/v1/business/session").bearer_auth(token).json(&json!({}));
    let session = app.send(session).await;
    assert_eq!(session.status, 201, "{}", session.text);
    let id = session.json()["session_id"].as_str().expect("an id").to_owned();
    assert_eq!(opened(&app, &format!("{address}&session_id={id}")).await.at, "/health/who");
    let session = app.request("POST", "/v1/business/session").bearer_auth(token).json(&json!({}));
    assert_eq!(app.send(session).await.status, 401, "but the journey used it up for them (D2)");
}

#[tokio::test]
async fn only_one_of_sixteen_simultaneous_arrivals_with_one_token_opens_a_journey() {
    // D38
    let app = Setup::health().start().await;
    let address = app.journey_address(app.partner()).await;
    let mut arrivals = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let (customer, address) = (Customer::new(&app), address.clone());
        arrivals.spawn(async move { customer.get_once(&address).await });
    }
    let answers = arrivals.join_all().await;
    let (opened, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|page| page.status() == 303);
    assert_eq!((opened.len(), refused.len()), (1, 15));
    refused.iter().for_each(is_used);
    assert_eq!((app.rows_of("journeys"), app.rows_of("sessions")), (1, 1));
}

// The session.

#[tokio::test]
async fn a_link_with_an_unknown_or_foreign_session_is_refused_without_using_up_its_token() {
    // D3, D37
    let app = Setup::health().start().await;
    let other = app.new_partner("Other Lender").await;
    let foreign = app.has_session_of(&other).await;
    let own = app.has_session().await;
    let address = app.journey_address(app.partner()).await;
    for wrong in [foreign.as_str(), "ses_01m5vvw3xreqg9aaa1afd2xg99", "ses_", "17", &own[..29]] {
        is_wrong(&opened(&app, &format!("{address}&session_id={wrong}")).await);
    }
    assert_eq!(app.rows_of("journeys"), 0);
    let right = format!("{address}&session_id={own}");
    assert_eq!(opened(&app, &right).await.at, "/health/who", "the token was not used up");
    assert_eq!(app.rows_of("sessions"), 2, "the named one is used, and none begun");
}

#[tokio::test]
async fn the_journey_opens_a_new_session_if_the_address_names_none() {
    // D13, D37
    let app = Setup::health().start().await;
    for query in ["", "&session_id=", "&session_id=%20"] {
        Customer::arrived_with(&app, query).await;
    }
    assert_eq!(app.rows_of("sessions"), 3);
}

#[tokio::test]
async fn the_link_back_to_the_partner_leads_only_to_a_registered_address() {
    // D37, D38; crates/docsite/pages/journey.md, The address
    let first = "https://app.example/done";
    let second = "https://app.example/insurance/done?from=journey";
    for (registered, asked, leads_to) in [
        (&[first, second][..], second, Some(second)),
        (&[first, second], first, Some(first)),
        (&[first, second], "", Some(first)),
        (&[first, second], "https://app.example/done/", Some(first)),
        (&[first, second], "https://evil.example/", Some(first)),
        (&[first, second], "javascript:alert(1)", Some(first)),
        (&[], first, None),
        (&[], "https://evil.example/", None),
    ] {
        let app = Setup::health().start().await;
        app.registers(&[], registered).await;
        let session = app.has_session().await;
        let asked: String = url::form_urlencoded::byte_serialize(asked.as_bytes()).collect();
        let query = format!("&session_id={session}&return_url={asked}");
        let customer = Customer::arrived_with(&app, &query).await;
        customer.answers(WHO, PLACE, COVER).await;
        customer.chooses(PLAIN, 1).await;
        customer.fills("details", DETAILS).await;
        let page = customer.applies().await;
        match leads_to {
            Some(address) => {
                let join = if address.contains('?') { '&' } else { '?' };
                let back = page.link("Back to Test Lender");
                assert_eq!(back, format!("{address}{join}session_id={session}"));
            }
            None => page.lacks("Back to"),
        }
    }
}

// The language.

#[tokio::test]
async fn the_language_comes_from_the_address_or_else_from_the_browser() {
    // crates/docsite/pages/journey.md, The address
    let app = Setup::health().start().await;
    for (accepts, query, language) in [
        (None, "", "en"),
        (None, "&lang=hi", "hi"),
        (Some("hi-IN,hi;q=0.9,en;q=0.8"), "", "hi"),
        (Some("hi-IN"), "&lang=en", "en"),
        (Some("ta,en;q=0.5"), "&lang=xx", "en"),
        (Some("hi"), "&lang=", "hi"),
    ] {
        let customer = Customer::speaking(&app, accepts);
        let page = customer.get(&format!("{}{query}", app.journey_address(app.partner()).await)).await;
        assert_eq!(page.at, "/health/who");
        assert_eq!(page.language(), language, "{accepts:?} {query}");
        let heading = if language == "hi" {
            "किसके लिए बीमा चाहिए?"
        } else {
            "Who should be covered?"
        };
        assert_eq!(page.heading(), heading);
        let page = customer.get("who").await;
        assert_eq!(page.language(), language, "and it stays");
    }
}

#[tokio::test]
async fn an_error_page_shows_the_visitors_language_first() {
    // D38
    let app = Setup::health().start().await;
    let hindi = Customer::speaking(&app, Some("hi-IN"));
    for path in ["/health", "/health/who", "/health/nothing", "/health/status/x"] {
        let page = hindi.get(path).await;
        assert_eq!(page.language(), "hi", "{path}");
        let second = page.whole().all("section").next().expect("the other language");
        assert_eq!(second.attribute("lang"), Some("en"));
    }
    let page = opened(&app, "/health?lang=hi").await;
    assert_eq!(page.language(), "hi");
    is_wrong(&page);
}

// Headers.

/// The directives of a page's Content-Security-Policy.
fn policy(page: &Page) -> BTreeMap<String, String> {
    let policy = page.answer.header("content-security-policy").expect("a policy");
    let directives = policy.split(';').map(|directive| directive.trim().split_once(' ').expect("a source"));
    directives.map(|(name, sources)| (name.to_owned(), sources.to_owned())).collect()
}

#[track_caller]
fn is_guarded(page: &Page) {
    let policy = policy(page);
    let all = page.answer.header("content-security-policy").expect("a policy");
    assert!(!all.contains("unsafe") && !all.contains('*') && !all.contains("http:"), "{all}");
    for (directive, sources) in [
        ("default-src", "'none'"),
        ("script-src", "'self'"),
        ("style-src", "'self'"),
        ("form-action", "'self'"),
        ("base-uri", "'none'"),
    ] {
        assert_eq!(policy[directive], sources, "{}", page.at);
    }
    for (header, value) in [
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
        ("x-robots-tag", "noindex, nofollow"),
        ("content-type", "text/html; charset=utf-8"),
    ] {
        assert_eq!(page.answer.header(header), Some(value), "{} {header}", page.at);
    }
    assert!(page.answer.header("x-request-id").is_some());
    let html = &page.answer.text;
    assert!(!html.contains(" style=") && !html.contains("<style") && !html.contains(" onclick"), "{html}");
    for script in page.whole().all("script") {
        assert!(script.attribute("src").is_some() && script.text().is_empty(), "no script in a page");
    }
    for address in page.whole().elements().filter(|element| matches!(element.name, "link" | "script" | "img"))
    {
        let address = address.attribute("href").or(address.attribute("src")).expect("an address");
        assert!(!address.contains("//"), "nothing is loaded from anybody else: {address}");
    }
}

/// Every page that a customer of the tests' catalogue can see.
async fn every_page(app: &App) -> Vec<Page> {
    let customer = Customer::arrived(app).await;
    let mut pages = vec![customer.get("who").await, customer.post("who", &[]).await];
    customer.fills("who", WHO).await;
    pages.extend([customer.get("place").await, customer.post("place", &[]).await]);
    customer.fills("place", PLACE).await;
    pages.extend([customer.get("cover").await, customer.post("cover", &[]).await]);
    customer.fills("cover", COVER).await;
    pages.extend([
        customer.all_plans().await,
        customer.get("compare").await,
        customer.get(&format!("plan?v={PLAIN}")).await,
        customer.chooses(PLAIN, 1).await,
        customer.post("details", &[]).await,
        customer.fills("details", DETAILS).await,
        customer.post("review", &[]).await,
        customer.sends("review", &[("proof", "forged")]).await,
        customer.applies().await,
        customer.get("nothing").await,
        customer.send(customer.request("DELETE", "who")).await,
    ]);
    pages
}

#[tokio::test]
async fn every_page_has_strict_security_headers_and_only_registered_origins_may_frame_it() {
    // crates/docsite/pages/journey.md, Page, tab or frame; strict policy, no-referrer, no-store
    let app = Setup::health().start().await;
    let origins = ["https://app.example", "https://www.app.example:8443"];
    app.registers(&origins, &[]).await;
    for page in every_page(&app).await {
        is_guarded(&page);
        if page.status() < 400 || matches!(page.status(), 403 | 422) {
            assert_eq!(policy(&page)["frame-ancestors"], origins.join(" "), "{}", page.at);
        }
    }
    let address = app.journey_address(app.partner()).await;
    assert_eq!(opened(&app, &address).await.status(), 200);
    let used = opened(&app, &address).await;
    is_guarded(&used);
    assert_eq!(policy(&used)["frame-ancestors"], origins.join(" "), "the partner's customer sees why");
    for path in ["/health", "/health/who", "/health/nothing", "/health/status/x", "/health/start?new=1"] {
        is_guarded(&opened(&app, path).await);
    }
}

#[tokio::test]
async fn pages_of_a_partner_without_origins_cannot_be_framed() {
    // crates/docsite/pages/journey.md, What the operator registers
    let app = Setup::health().start().await;
    for page in every_page(&app).await {
        is_guarded(&page);
        if page.status() < 400 || matches!(page.status(), 403 | 422) {
            assert_eq!(policy(&page)["frame-ancestors"], "'none'", "{}", page.at);
        }
    }
}

// Dead ends.

#[tokio::test]
async fn an_unknown_address_below_the_journey_gets_an_html_page_with_404() {
    // D10: pages made for people answer with a page
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    for path in [
        "/health/",
        "/health/nothing",
        "/health/who/",
        "/health/who/more",
        "/health/status",
        "/health/status/",
        "/health/status/x",
        "/health/status/x/certificate",
        "/health/%00",
    ] {
        is_missing(&customer.get(path).await);
        is_missing(&opened(&app, path).await);
    }
    app.get_without_bearer("/healthy").await.is_refused(404, "R4040");
}

#[tokio::test]
async fn an_unsupported_method_gets_an_html_page_with_405_and_the_allow_header() {
    // D10: R4050
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    for (method, path, allow) in [
        ("PUT", "who", "GET,HEAD,POST"),
        ("DELETE", "review", "GET,HEAD,POST"),
        ("POST", "plans", "GET,HEAD"),
        ("PATCH", "/health", "GET,HEAD"),
        ("POST", "/health", "GET,HEAD"),
    ] {
        let page = customer.send(customer.request(method, path)).await;
        is_dead_end(&page, 405, "Something went wrong here", "यहाँ कुछ गड़बड़ हो गई");
        let mut allowed: Vec<&str> = page.answer.header("allow").expect("Allow").split(',').collect();
        allowed.sort_unstable();
        assert_eq!(allowed.join(","), allow, "{method} {path}");
    }
}

#[tokio::test]
async fn a_form_that_is_too_large_is_refused_and_changes_nothing() {
    // D10: V4130
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    let padding = "x".repeat(64 * 1024);
    let page = customer.post_once("who", &[("self", "34"), ("padding", &padding)]).await;
    is_dead_end(&page, 413, "Something went wrong here", "यहाँ कुछ गड़बड़ हो गई");
    assert_eq!(customer.get("who").await.value("self"), "");
    assert_eq!(customer.get("start").await.name(), "who");
}

#[tokio::test]
async fn if_the_store_is_unavailable_the_page_has_status_503_and_a_retry_after_header() {
    // D10: E5030 with Retry-After
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    let proof = customer.proof().await;
    let address = app.journey_address(app.partner()).await;
    let locked = app.store.locks();
    for page in [
        opened(&app, &address).await,
        customer.sends("who", &[("proof", proof.as_str()), ("self", "34")]).await,
    ] {
        is_dead_end(&page, 503, "Something went wrong here", "यहाँ कुछ गड़बड़ हो गई");
        assert_eq!(page.answer.header("retry-after"), Some("1"));
        page.shows(page.answer.header("x-request-id").expect("an id"));
    }
    drop(locked);
    assert_eq!(opened(&app, &address).await.status(), 200, "the token was not used up");
    assert_eq!(customer.fills("who", WHO).await.name(), "place");
}

#[tokio::test]
async fn the_page_of_an_internal_error_shows_the_request_id_but_not_the_cause() {
    // D10: a 500 leaks nothing
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    app.store.damages("journeys");
    let page = customer.get("who").await;
    is_dead_end(&page, 500, "Something went wrong here", "यहाँ कुछ गड़बड़ हो गई");
    page.shows(page.answer.header("x-request-id").expect("an id"));
    for word in ["sqlite", "postgres", "journeys", "sealed", "damaged"] {
        page.lacks(word);
    }
}

#[tokio::test]
async fn a_browser_that_does_not_keep_the_cookie_gets_a_page_that_says_so() {
    // D38; crates/docsite/pages/journey.md, When it does not work
    let app = Setup::health().start().await;
    let customer = Customer::new(&app);
    let answered = customer.get_once(&app.journey_address(app.partner()).await).await;
    customer.has_cookie(None);
    let page = customer.follow(answered).await;
    is_dead_end(&page, 403, "Your browser does not keep our cookie", "आपके ब्राउज़र में हमारी कुकी सेव नहीं हो रही");
}

#[tokio::test]
async fn without_a_journey_every_page_says_that_the_visit_is_over() {
    // D38
    let app = Setup::health().start().await;
    for cookie in [None, Some("covernote="), Some("covernote=forged"), Some("other=1")] {
        let customer = Customer::new(&app);
        customer.has_cookie(cookie);
        for page in [
            "start", "who", "place", "cover", "plans", "events", "compare", "plan", "details", "price",
            "review",
        ] {
            is_over(&customer.get(page).await);
        }
        for page in ["who", "place", "cover", "choose", "details", "price", "review", "again"] {
            is_over(&customer.sends(page, &[("proof", "x"), ("self", "34")]).await);
        }
    }
}

#[tokio::test]
async fn answers_are_kept_for_a_day_after_the_last_visit() {
    // crates/docsite/pages/journey.md, Coming back
    let app = Setup::health().start().await;
    let (seldom, daily) = (Customer::arrived(&app).await, Customer::arrived(&app).await);
    for customer in [&seldom, &daily] {
        customer.fills("who", WHO).await;
    }
    app.clock.advance(Duration::from_secs(24 * 3600));
    assert_eq!(daily.get("who").await.value("self"), "34");
    app.clock.advance(Duration::from_secs(1));
    is_over(&seldom.get("who").await);
    app.clock.advance(Duration::from_secs(24 * 3600 - 2));
    assert_eq!(app.service.journeys.forget_old().await.expect("there"), 1, "and deleted");
    assert_eq!(daily.get("start").await.name(), "place");
    is_over(&seldom.get("who").await);
}

#[tokio::test]
async fn a_visit_after_several_hours_renews_the_cookie_for_24_hours() {
    // crates/docsite/pages/journey.md, Coming back: 24 hours after the last visit, not after the first
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    let held = customer.cookie().expect("a cookie");
    let again = customer.get_once("who").await;
    assert_eq!(again.answer.header("set-cookie"), None, "not with every page");
    app.clock.advance(Duration::from_secs(20 * 3600));
    let later = customer.get_once("who").await;
    let renewed = later.answer.header("set-cookie").expect("renewed");
    assert_eq!(renewed, format!("{held}; Path=/; Max-Age=86400; HttpOnly; SameSite=Lax"));
}

#[tokio::test]
async fn answers_survive_half_an_hour_of_inactivity_and_a_server_restart() {
    let app = Setup::health().start().await;
    let customer = Customer::chose(&app, PLAIN).await;
    customer.fills("details", DETAILS).await;
    app.clock.advance(Duration::from_secs(30 * 60));
    assert_eq!(customer.get("details").await.value("name"), "Asha Rao");
    let restarted = app.serves(app.another_process(&Setup::health().catalogue).await);
    let customer = customer.moved_to(&restarted.base);
    for (page, field, value) in [
        ("who", "self", "34"),
        ("place", "pincode", "560038"),
        ("cover", "sum", "1000000"),
        ("details", "name", "Asha Rao"),
    ] {
        assert_eq!(customer.get(page).await.value(field), value);
    }
    assert_eq!(customer.get("start").await.name(), "review");
    let page = customer.applies().await;
    assert_eq!(page.heading(), "Your application is being reviewed");
}

#[tokio::test]
async fn the_journey_ignores_the_headers_authorization_and_idempotency_key() {
    // D1, D36
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    let proof = customer.proof().await;
    let request = customer.request("POST", "who").bearer_auth("x").header("idempotency-key", "k");
    let page = customer.send(request.body(format!("proof={proof}&self=34"))).await;
    assert_eq!((page.status(), page.location()), (303, Some("place")));
    assert_eq!(app.post("/v1/embedded/quote", bodies::quote()).await.status, 200);
}
