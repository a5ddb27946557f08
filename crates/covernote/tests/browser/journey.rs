//! The hosted journey, from the partner's redirect to the certificate (interface §14; D38).

use crate::browser::Browser;
use crate::keyboard::Stroke::{Enter, Space, Tab, Text};
use crate::look::{Look, Width};
use crate::support::Setup;
use crate::way::{AT_ONCE, ENGLISH, HINDI, Says, Way, is_issued, opens_gateway};

/// The whole journey, to a policy with a certificate that opens.
async fn buys(name: &'static str, look: Look, says: Says) {
    let app = Setup::default().sold_by_a_broker().start().await;
    let mut browser = Browser::start(look).await;
    let mut way = Way::of(&app, &mut browser, says, name);
    way.applies_for(AT_ONCE).await;
    is_insured(&mut way).await;
}

async fn is_insured(way: &mut Way<'_>) {
    way.pays().await;
    assert_eq!(way.browser.heading().await, way.says.insured_title);
    way.looks_good("8-status").await;
    way.browser.press(way.says.certificate).await;
    assert!(way.browser.url().await.contains("/v1/embedded/policy/"), "the certificate opens");
}

#[tokio::test]
async fn a_customer_buys_in_english_on_a_phone() {
    buys("en-phone", Look::PHONE, ENGLISH).await;
}

#[tokio::test]
async fn a_customer_buys_in_hindi_on_a_phone() {
    buys("hi-phone", Look::PHONE, HINDI).await;
}

#[tokio::test]
async fn a_customer_buys_in_english_on_a_phone_without_scripts() {
    buys("en-phone-plain", Look { scripts: false, ..Look::PHONE }, ENGLISH).await;
}

#[tokio::test]
async fn a_customer_buys_in_hindi_on_a_desktop_without_scripts() {
    buys("hi-desktop-plain", Look { scripts: false, ..Look::DESKTOP }, HINDI).await;
}

/// Dark colours, a zoom of 2, and the width of WCAG's criterion Reflow (1.4.10).
const LOOKS: &[(&str, Look)] = &[
    ("-dark", Look { dark: true, ..Look::PHONE }),
    ("-desktop-dark", Look { dark: true, ..Look::DESKTOP }),
    ("-desktop-200", Look { zoom: 2.0, ..Look::DESKTOP }),
    ("-320", Look { width: Width::Phone(320), ..Look::PHONE }),
];

#[tokio::test]
async fn every_journey_page_is_accessible_in_both_languages_at_every_screen_size_and_zoom() {
    for (name, says) in [("en-desktop", ENGLISH), ("hi-desktop", HINDI)] {
        let app = Setup::default().sold_by_a_broker().start().await;
        let mut browser = Browser::start(Look::DESKTOP).await;
        let mut way = Way { looks: LOOKS, ..Way::of(&app, &mut browser, says, name) };
        way.applies_for(AT_ONCE).await;
        is_insured(&mut way).await;
    }
}

#[tokio::test]
async fn a_customer_can_buy_a_plan_with_the_keyboard_alone() {
    let app = Setup::default().sold_by_a_broker().start().await;
    let mut browser = Browser::start(Look::DESKTOP).await;
    Way::of(&app, &mut browser, ENGLISH, "en-keyboard").arrives().await;

    browser.tab_to("Your age").await;
    browser.keys(&[Text("34")]).await;
    browser.tab_to("Continue").await;
    browser.keys_to_next_page(&[Enter]).await;

    browser.tab_to("Pincode where you live").await;
    browser.keys(&[Text("560038"), Tab]).await;
    // "Yes" has the focus. "No" is one arrow key away, and Tab moves to the next question.
    for question in ["illness", "porting"] {
        browser.keys(&[Space]).await;
        browser.keys(&[crate::keyboard::Stroke::Down]).await;
        assert_eq!(browser.focused().await, "No", "{question}");
        browser.keys(&[Tab]).await;
    }
    assert_eq!(browser.focused().await, "Continue");
    browser.keys_to_next_page(&[Enter]).await;

    browser.tab_to("A regular plan, from the first rupee").await;
    browser.keys(&[Space, Tab]).await;
    browser.keys(&[Space]).await;
    browser.tab_to("See plans and prices").await;
    browser.keys_to_next_page(&[Enter]).await;

    browser.sees(AT_ONCE.name).await;
    browser.tab_to(&format!("See the plan {} {}", AT_ONCE.insurer, AT_ONCE.name)).await;
    browser.keys_to_next_page(&[Enter]).await;
    browser.tab_to_beginning("Choose 1 year for").await;
    browser.keys_to_next_page(&[Enter]).await;

    browser.tab_to("Full name").await;
    browser.keys(&[Text("Asha Rao"), Tab, Text("14"), Tab, Text("2"), Tab, Text("1992"), Tab, Space]).await;
    browser.keys(&[Tab, Text("9876543210"), Tab, Text("asha@example.in")]).await;
    browser
        .keys(&[Tab, Text("12 Residency Road"), Tab, Tab, Text("Bengaluru"), Tab, Text("Karnataka")])
        .await;
    browser.tab_to("Full name").await;
    browser.keys(&[Text("Ravi Rao"), Tab, Text("Sp")]).await;
    browser.tab_to("Continue").await;
    browser.keys_to_next_page(&[Enter]).await;
    assert_eq!(browser.heading().await, ENGLISH.review_title);

    browser.tab_to_beginning("Your answers").await;
    browser.keys(&[Space, Tab, Space]).await;
    browser.tab_to("Send the application").await;
    browser.keys_to_next_page(&[Enter]).await;
    assert_eq!(browser.heading().await, ENGLISH.premium_title);
    browser.tab_to(ENGLISH.pay).await;
    browser.keys_to_next_page(&[Enter]).await;
    let _gateway = opens_gateway(&app, &browser).await;
    browser.tab_to_beginning("Pay ₹").await;
    browser.keys_to_next_page(&[Enter]).await;
    is_issued(&browser, ENGLISH).await;
    browser.tab_to_beginning("Open the certificate").await;
    browser.keys_to_next_page(&[Enter]).await;
    assert!(browser.url().await.contains("/v1/embedded/policy/"));
}
