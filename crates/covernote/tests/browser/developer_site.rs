//! `/docs`, the site for partners' developers, in a browser.

use fantoccini::Locator;
use fantoccini::key::Key;
use serde_json::json;

use crate::browser::Browser;
use crate::look::Look;
use crate::support::App;

#[tokio::test]
async fn the_pages_of_the_developer_site_are_accessible_at_every_screen_size_and_zoom() {
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
async fn no_block_of_code_scrolls_sideways_on_an_ordinary_screen() {
    let app = App::start().await;
    let browser = Browser::start(Look::DESKTOP).await;
    let mut pages = Vec::new();
    for list in ["", "/errors"] {
        browser.open(&format!("{}/docs{list}", app.base)).await;
        let links = "return [...document.querySelectorAll('.menu.wide a, td a')].map(link => link.pathname)";
        let links = browser.execute(links, vec![]).await;
        pages.extend(
            links.as_array().expect("a list").iter().map(|path| path.as_str().expect("text").to_owned()),
        );
    }
    pages.retain(|path| path.starts_with("/docs") && path != "/docs/reference");
    pages.sort();
    pages.dedup();
    assert!(pages.len() > 30, "{pages:?}");
    for page in pages {
        browser.open(&format!("{}{page}", app.base)).await;
        let wide = "return [...document.querySelectorAll('pre')]
            .filter(block => block.scrollWidth > block.clientWidth).map(block => block.innerText)";
        assert_eq!(browser.execute(wide, vec![]).await, json!([]), "{page}");
    }
}

#[tokio::test]
async fn a_code_block_can_be_copied_by_keyboard_and_the_copy_is_announced() {
    let app = App::start().await;
    let browser = Browser::start(Look::DESKTOP).await;
    let permissions = json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] });
    browser.devtools("Browser.grantPermissions", permissions).await;
    browser.open(&format!("{}/docs/getting-started", app.base)).await;
    let button = browser.client.find(Locator::Css("pre .copy")).await.expect("a button");
    button.send_keys(&char::from(Key::Enter).to_string()).await.expect("pressed");
    let status = async || {
        let text = "return document.querySelector('[role=status]').textContent";
        (browser.execute(text, vec![]).await == "Copied").then_some(())
    };
    assert!(browser.eventually(status).await.is_some(), "nothing is said");
    let copied = browser.execute("return navigator.clipboard.readText()", vec![]).await;
    let lines = format!("export BASE={}\nexport CLIENT_ID=demo\nexport CLIENT_SECRET=demo-secret", app.base);
    assert_eq!(copied, lines);
}

#[tokio::test]
async fn code_blocks_have_no_copy_button_without_scripts_or_clipboard() {
    let app = App::start().await;
    let mut browser = Browser::start(Look { scripts: false, ..Look::DESKTOP }).await;
    let page = format!("{}/docs/getting-started", app.base);
    browser.open(&page).await;
    let buttons =
        async |browser: &Browser| browser.client.find_all(Locator::Css(".copy")).await.expect("a list").len();
    assert_eq!(buttons(&browser).await, 0, "without scripts");

    browser.set_look(Look::DESKTOP).await;
    browser.open(&page).await;
    assert!(buttons(&browser).await > 4);
    // As on a page over plain HTTP, which has no clipboard.
    let none = "Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })";
    browser.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": none })).await;
    browser.open(&page).await;
    assert_eq!(buttons(&browser).await, 0, "without a clipboard");
}

#[tokio::test]
async fn the_reference_page_shows_the_openapi_document_of_this_program() {
    let app = App::start().await;
    let browser = Browser::start(Look::DESKTOP).await;
    browser.open(&format!("{}/docs/reference", app.base)).await;
    browser.sees("Create a quote").await;
    browser.screenshot("developer-site-reference").await;
}
