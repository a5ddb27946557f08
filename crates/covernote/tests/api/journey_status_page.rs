//! The address of an application's status page. It expires after 90 days, the proposer's date of birth gives
//! a new one, and the operator can end all addresses at once (D60).

use std::time::Duration;

use reqwest::Response;
use service::access::status_page::LIFETIME;

use crate::support::health::PLAIN;
use crate::support::page::Page;
use crate::support::{App, Customer, Setup};

/// The proposer of the tests' applications was born on 15 January 1992.
const BORN: [(&str, &str); 3] = [("born-day", "15"), ("born-month", "1"), ("born-year", "1992")];

/// An application, with the path of its status page.
async fn applied() -> (App, String) {
    let app = Setup::health().start().await;
    let page = Customer::reviews(&app, PLAIN).await.applies().await;
    assert_eq!(page.status(), 200, "{}", page.answer.text);
    let path = page.at;
    (app, path)
}

/// A device that has never opened the journey.
fn stranger(app: &App) -> Customer {
    Customer::new(app)
}

async fn gives(app: &App, path: &str, born: [(&str, &str); 3]) -> Page {
    let form: Vec<String> = born.iter().map(|(name, value)| format!("{name}={value}")).collect();
    let stranger = stranger(app);
    stranger.send(stranger.request("POST", path).body(form.join("&"))).await
}

#[tokio::test]
async fn an_address_opens_its_page_for_ninety_days() {
    let (app, path) = applied().await;
    app.clock.advance(LIFETIME - Duration::from_secs(1));
    let page = stranger(&app).get(&path).await;
    assert_eq!(page.status(), 200, "{}", page.answer.text);
    page.shows("Plain, Amrit Health (fictional)");
    app.clock.advance(Duration::from_secs(1));
    let page = stranger(&app).get(&path).await;
    assert_eq!(page.status(), 410);
    assert_eq!(page.heading(), "Is this your application?");
    page.lacks("Amrit");
    let page = stranger(&app).get(&format!("{path}?lang=hi")).await;
    assert_eq!(page.heading(), "क्या यह आपका आवेदन है?");
    // The certificate is not available there any more, either.
    let certificate = stranger(&app).get_once(&format!("{path}/certificate")).await;
    assert_eq!(certificate.status(), 303);
    assert_eq!(certificate.location(), Some(format!("../{}", page.name()).as_str()));
}

#[tokio::test]
async fn the_proposers_date_of_birth_gives_a_new_status_address_after_the_old_one_expired() {
    let (app, path) = applied().await;
    app.clock.advance(LIFETIME);
    let renewed = gives(&app, &path, BORN).await;
    assert_eq!(renewed.status(), 303, "{}", renewed.answer.text);
    let new = format!("/health/status/{}", renewed.location().expect("a new address"));
    assert_ne!(new, path);
    let page = stranger(&app).get(&new).await;
    assert_eq!(page.status(), 200);
    page.shows("Plain, Amrit Health (fictional)");
    assert_eq!(stranger(&app).get(&path).await.status(), 410, "the old one stays ended");
    // A late form, sent to an address that is still valid, redirects to the page.
    assert_eq!(gives(&app, &new, BORN).await.status(), 303);
}

#[tokio::test]
async fn after_five_wrong_dates_of_birth_all_further_attempts_are_refused_for_a_day() {
    let (app, path) = applied().await;
    app.clock.advance(LIFETIME);
    let other = [("born-day", "16"), ("born-month", "1"), ("born-year", "1992")];
    for _ in 0..5 {
        let page = gives(&app, &path, other).await;
        page.has_faults_on(&["born"]);
        page.shows("This is not the date of birth in the application");
    }
    for born in [other, BORN] {
        let page = gives(&app, &path, born).await;
        assert_eq!(page.status(), 429, "the right date neither");
        page.shows("Too many attempts");
    }
    app.clock.advance(Duration::from_secs(24 * 3600));
    assert_eq!(gives(&app, &path, BORN).await.status(), 303);
}

#[tokio::test]
async fn only_five_of_twenty_simultaneous_dates_of_birth_are_checked() {
    let (app, path) = applied().await;
    app.clock.advance(LIFETIME);
    let address = format!("{}{path}", app.base);
    let client = reqwest::Client::new();
    let tries = (0..20).map(|_| client.post(&address).body("born-day=16&born-month=1&born-year=1992").send());
    let answers: Vec<Response> = futures_util::future::try_join_all(tries).await.expect("answers");
    let judged = answers.iter().filter(|answer| answer.status() == 422).count();
    assert_eq!(judged, 5);
}

#[tokio::test]
async fn an_invalid_date_does_not_count_as_an_attempt() {
    let (app, path) = applied().await;
    app.clock.advance(LIFETIME);
    for _ in 0..6 {
        gives(&app, &path, [("born-day", "31"), ("born-month", "2"), ("born-year", "1992")])
            .await
            .has_faults_on(&["born"]);
    }
    assert_eq!(gives(&app, &path, BORN).await.status(), 303);
}

#[tokio::test]
async fn a_status_address_that_the_operator_ended_gets_404_and_a_later_address_works() {
    let (app, path) = applied().await;
    let code = path.rsplit('/').next().expect("one part");
    let (of, proposal) = app.service.status_pages.proposal_of(code).expect("a code of ours");
    app.service.status_pages.end(of, proposal).await.expect("ended");
    for days in [0, 90] {
        app.clock.advance(Duration::from_secs(days * 24 * 3600));
        assert_eq!(stranger(&app).get(&path).await.status(), 404);
        assert_eq!(gives(&app, &path, BORN).await.status(), 404);
        assert_eq!(stranger(&app).get(&format!("{path}/certificate")).await.status(), 404);
    }
    let new = format!("/health/status/{}", app.service.status_pages.code(of, proposal));
    assert_eq!(stranger(&app).get(&new).await.status(), 200, "an address that is given out later opens");
}
