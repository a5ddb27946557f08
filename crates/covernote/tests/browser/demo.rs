//! `/demo`, the page of a fictional lender, in a browser.

use crate::browser::Browser;
use crate::look::{Look, Width};
use crate::support::App;

#[tokio::test]
async fn the_demo_partners_page_is_accessible_at_every_screen_size_and_zoom() {
    let app = App::start().await;
    let server = app.serves_demo();
    let mut browser = Browser::start(Look::PHONE).await;
    for (shown, look) in [
        ("phone", Look { width: Width::Phone(390), scripts: false, ..Look::PHONE }),
        ("phone-dark", Look { dark: true, ..Look::PHONE }),
        ("desktop", Look::DESKTOP),
        ("desktop-400", Look { zoom: 4.0, ..Look::DESKTOP }),
    ] {
        browser.set_look(look).await;
        let is_good = async |browser: &Browser, page: &str| {
            browser.screenshot(&format!("demo-{page}-{shown}")).await;
            browser.has_no_horizontal_scroll().await;
            browser.is_accessible(page).await;
        };
        browser.open(&format!("{}/demo", server.base)).await;
        is_good(&browser, "page").await;
        browser.press("Compare prices").await;
        browser.sees("8 prices, the lowest first").await;
        is_good(&browser, "prices").await;
        browser.fill("Tenure in months", "none").await;
        browser.press("Compare prices").await;
        browser.sees("There is a problem").await;
        is_good(&browser, "faults").await;
        browser.press("Find health insurance").await;
        assert_eq!(browser.heading().await, "Who should be covered?");
        browser.open(&format!("{}/demo?session_id=ses_01m7vkfva0e0088eg7smcnj7hm", server.base)).await;
        assert_eq!(browser.heading().await, "Your customer is back");
        is_good(&browser, "back").await;
    }
}
