//! `GET /certificate/{code}`, the page behind a certificate's QR code, in a browser.

use crate::browser::Browser;
use crate::look::Look;
use crate::support::Setup;
use crate::support::certificate::check_path_of;

/// Checks the page in every look: axe-core finds no fault, and nothing needs horizontal scrolling.
/// At a zoom of 4, a screen has the 320 CSS pixels of WCAG's criterion Reflow (1.4.10).
async fn is_good_however_looked_at(name: &str, url: &str, heading: &str) {
    let mut browser = Browser::start(Look::PHONE).await;
    for (shown, look) in [
        ("phone", Look::PHONE),
        ("phone-dark", Look { dark: true, ..Look::PHONE }),
        ("desktop", Look::DESKTOP),
        ("desktop-200", Look { zoom: 2.0, ..Look::DESKTOP }),
        ("desktop-400", Look { zoom: 4.0, ..Look::DESKTOP }),
    ] {
        browser.set_look(look).await;
        browser.open(url).await;
        browser.screenshot(&format!("{name}-{shown}")).await;
        assert_eq!(browser.heading().await, heading);
        browser.has_no_horizontal_scroll().await;
        browser.is_accessible(name).await;
    }
}

#[tokio::test]
async fn the_page_of_a_genuine_certificate_is_accessible_at_every_screen_size_and_zoom() {
    let app = Setup::default().sold_by_a_broker().start().await;
    let path = check_path_of(&app, &app.has_proposal("COMPLETED").await).await;
    let url = format!("{}{path}", app.base);
    is_good_however_looked_at("certificate-genuine", &url, "This certificate is genuine").await;
}

#[tokio::test]
async fn the_page_of_an_unknown_certificate_is_accessible_at_every_screen_size_and_zoom() {
    let app = Setup::default().sold_by_a_broker().start().await;
    let url = format!("{}/certificate/AAAAAAAAAAAAAAAAAAAAAA", app.base);
    is_good_however_looked_at("certificate-unknown", &url, "We do not know this certificate").await;
}
