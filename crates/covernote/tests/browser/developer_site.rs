//! `/docs`, the site for partners' developers, in a browser.

use crate::browser::Browser;
use crate::look::Look;
use crate::support::App;

#[tokio::test]
async fn the_pages_of_the_site_can_be_used_by_everyone() {
    let app = App::start().await;
    let mut browser = Browser::start(Look::PHONE).await;
    let pages = [
        "",
        "/getting-started",
        "/webhooks",
        "/test-values",
        "/errors",
        "/errors/V4000",
        "/search?q=premium",
    ];
    for (shown, look) in [
        ("phone", Look::PHONE),
        ("phone-dark", Look { dark: true, ..Look::PHONE }),
        ("desktop", Look::DESKTOP),
        ("desktop-400", Look { zoom: 4.0, ..Look::DESKTOP }),
    ] {
        browser.set_look(look).await;
        for page in pages {
            browser.open(&format!("{}/docs{page}", app.base)).await;
            if page.is_empty() {
                browser.screenshot(&format!("developer-site-{shown}")).await;
            }
            browser.has_no_horizontal_scroll().await;
            browser.is_accessible(page).await;
        }
    }
}

#[tokio::test]
async fn the_reference_shows_the_document_of_this_program() {
    let app = App::start().await;
    let browser = Browser::start(Look::DESKTOP).await;
    browser.open(&format!("{}/docs/reference", app.base)).await;
    browser.sees("Create a quote").await;
    browser.screenshot("developer-site-reference").await;
}
