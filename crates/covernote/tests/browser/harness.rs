//! Tests of the browser harness itself.

use std::panic::{AssertUnwindSafe, resume_unwind};

use futures_util::FutureExt;

use crate::browser::{Browser, screenshot_path};
use crate::keyboard::Stroke::{Down, Enter, ShiftTab, Space, Tab, Text, Up};
use crate::local_pages::serve;
use crate::look::{Look, Width};

/// A page with a script that changes its title and its text.
const SCRIPTED: (&str, &str) = (
    "/",
    r#"<!doctype html><html lang="en"><title>As sent</title><script src="/page.js" defer></script>
    <main><h1>Scripts</h1><p id="said">The script did not run.</p><noscript><p>Without scripts.</p></noscript></main></html>"#,
);
const SCRIPT: (&str, &str) =
    ("/page.js", "document.title = 'Changed'; document.getElementById('said').textContent = 'It ran.'");

/// A page with a form that asks for a person, and twice for a day.
const FORM: (&str, &str) = (
    "/",
    r##"<!doctype html><html lang="en"><title>You</title><meta name="viewport" content="width=device-width">
    <script src="/form.js" defer></script><link rel="stylesheet" href="/form.css">
    <main><h1>About you</h1><a href="#name">Skip to the form</a>
    <form action="/next">
    <p><label for="name">Full name</label> <input id="name" name="name" value="Before"></p>
    <p><label>City <select name="city"><option>Pune<option>Delhi</select></label></p>
    <fieldset><legend>You were born</legend><label>Day <input name="born"></label></fieldset>
    <fieldset><legend>Cover starts</legend><label>Day <input name="starts"></label></fieldset>
    <fieldset><legend>Do you smoke?</legend>
    <div class="drawn"><input type="radio" name="smokes" value="1" id="y"><label for="y">Yes</label></div>
    <div class="drawn"><input type="radio" name="smokes" value="0" id="n"><label for="n">No, <b>never</b></label></div>
    </fieldset>
    <p><label><input type="checkbox" name="agreed"> I agree to <a href="/terms">the terms</a></label></p>
    <button type="button" id="more">More</button> <p id="said"></p>
    <button>Continue</button> <a href="/terms">Continue later</a>
    </form></main></html>"##,
);
const FORM_SCRIPT: (&str, &str) = (
    "/form.js",
    "document.getElementById('more').onclick = () => setTimeout(() =>
        document.getElementById('said').textContent = 'There is  more.', 300)",
);
/// Radio buttons that are invisible below their labels, which draw them.
const FORM_STYLE: (&str, &str) = (
    "/form.css",
    ".drawn { position: relative; padding: 1rem } .drawn input { position: absolute; left: 1rem; appearance: none }
    .drawn label { position: relative; background: white; padding: 1rem }",
);
const NEXT: (&str, &str) =
    ("/next", "<!doctype html><html lang=en><title>Next</title><main><h1>Next page</h1></main></html>");
const TERMS: (&str, &str) =
    ("/terms", "<!doctype html><html lang=en><title>Terms</title><main><h1>Terms</h1></main></html>");

/// A page with faults: an image without a text, two touch targets too close to each other, wider than a
/// phone.
const FAULTY: (&str, &str) = (
    "/",
    r#"<!doctype html><html lang="en"><title>Faulty</title><meta name="viewport" content="width=device-width">
    <link rel="stylesheet" href="/faulty.css"><main><h1>Faulty</h1><img src="/none.png" id="mute">
    <div><button>A</button><button>B</button></div><p id="wide">Wide</p></main></html>"#,
);
const FAULTY_STYLE: (&str, &str) = (
    "/faulty.css",
    "#wide { width: 700px } button { width: 10px; height: 10px; padding: 0; border: 0; font-size: 9px }",
);

async fn opened(look: Look, pages: &[(&'static str, &'static str)]) -> Browser {
    let address = serve(pages).await;
    let browser = Browser::start(look).await;
    browser.open(&format!("{address}/")).await;
    browser
}

/// The message of a failing check.
async fn failure_of(fails: impl Future<Output = ()>) -> String {
    let said = AssertUnwindSafe(fails).catch_unwind().await.expect_err("it fails");
    said.downcast::<String>().map_or_else(|other| resume_unwind(other), |said| *said)
}

#[tokio::test]
async fn a_browser_with_scripts_runs_the_scripts_of_a_page() {
    let browser = opened(Look::PHONE, &[SCRIPTED, SCRIPT]).await;
    browser.sees("It ran.").await;
    browser.does_not_see("Without scripts.").await;
    assert_eq!(browser.title().await, "Changed");
}

#[tokio::test]
async fn a_browser_without_scripts_runs_no_script_of_a_page_but_checks_its_accessibility() {
    let browser = opened(Look { scripts: false, ..Look::PHONE }, &[SCRIPTED, SCRIPT]).await;
    browser.sees("Without scripts.").await;
    browser.is_accessible("a page without scripts").await;
    // axe-core needs scripts for a moment. The page's own scripts must not have run meanwhile.
    browser.sees("The script did not run.").await;
    assert_eq!(browser.title().await, "As sent");
    browser.reload().await;
    browser.sees("The script did not run.").await;
    assert_eq!((browser.title().await, browser.heading().await), ("As sent".into(), "Scripts".into()));
}

#[tokio::test]
async fn a_form_can_be_filled_by_its_labels_with_and_without_scripts() {
    for scripts in [true, false] {
        let look = Look { scripts, ..Look::PHONE };
        let browser = opened(look, &[FORM, FORM_SCRIPT, FORM_STYLE, NEXT, TERMS]).await;
        browser.fill("Full name", "Asha राव").await;
        browser.fill("City", "Delhi").await;
        browser.within("You were born").fill("Day", "15").await;
        browser.within("Cover starts").fill("Day", "20").await;
        browser.choose("No, never").await;
        browser.choose("I agree").await;
        browser.choose("I agree").await;
        assert!(browser.is_chosen("No, never").await && !browser.is_chosen("Yes").await);
        assert_eq!(browser.value_of("Full name").await, "Asha राव");
        assert_eq!(browser.value_of("City").await, "Delhi");
        browser.press("Continue").await;
        assert_eq!(browser.heading().await, "Next page");
        let url = browser.url().await;
        let asked =
            "/next?name=Asha+%E0%A4%B0%E0%A4%BE%E0%A4%B5&city=Delhi&born=15&starts=20&smokes=0&agreed=on";
        assert!(url.ends_with(asked), "{url}");
        browser.back().await;
        assert_eq!(browser.heading().await, "About you");
    }
}

#[tokio::test]
async fn the_browser_waits_for_text_that_a_script_adds_later() {
    let browser = opened(Look::DESKTOP, &[FORM, FORM_SCRIPT, FORM_STYLE]).await;
    browser.press_and_stay("More").await;
    browser.sees("There is more.").await;
}

#[tokio::test]
async fn the_browser_follows_pages_that_refresh_to_another_page() {
    let pages = [
        ("/", r#"<!doctype html><meta http-equiv="refresh" content="0;url=/2"><h1>One</h1>"#),
        ("/2", r#"<!doctype html><meta http-equiv="refresh" content="0;url=/3"><h1>Two</h1>"#),
        ("/3", r#"<!doctype html><meta http-equiv="refresh" content="1;url=/4"><h1>Three</h1>"#),
        ("/4", r#"<!doctype html><meta http-equiv="refresh" content="0;url=/5"><h1>Four</h1>"#),
        ("/5", r#"<!doctype html><h1>Five</h1><a href="/next">On</a>"#),
        NEXT,
    ];
    for scripts in [true, false] {
        let browser = opened(Look { scripts, ..Look::PHONE }, &pages).await;
        browser.press("On").await;
        assert_eq!(browser.heading().await, "Next page");
        browser.open(&browser.url().await.replace("/next", "/")).await;
        browser.sees("Five").await;
    }
}

#[tokio::test]
async fn a_label_that_several_controls_share_is_refused() {
    let browser = opened(Look::PHONE, &[FORM, FORM_STYLE]).await;
    let told = failure_of(browser.fill("Day", "15")).await;
    assert!(told.contains("2 of them are called \"Day\"") && told.contains("within which group"), "{told}");
}

#[tokio::test]
async fn a_form_is_filled_by_keyboard_alone() {
    for scripts in [true, false] {
        let browser = opened(Look { scripts, ..Look::DESKTOP }, &[FORM, FORM_SCRIPT, FORM_STYLE, NEXT]).await;
        browser.keys(&[Tab]).await;
        assert_eq!(browser.focused().await, "Skip to the form");
        browser
            .keys(&[Tab, Text("Asha"), Tab, Text("D"), Tab, Text("15"), Tab, Tab, ShiftTab, Text("20")])
            .await;
        browser.tab_to("Yes").await;
        browser.keys(&[Space, Down]).await;
        assert!(browser.is_chosen("No, never").await);
        browser.keys(&[Up]).await;
        browser.tab_to("I agree to the terms").await;
        browser.keys(&[Space]).await;
        browser.tab_to("Continue").await;
        browser.keys_to_next_page(&[Enter]).await;
        let url = browser.url().await;
        assert!(url.ends_with("/next?name=Asha&city=Delhi&born=15&starts=20&smokes=1&agreed=on"), "{url}");
    }
}

#[tokio::test]
async fn tabbing_to_a_control_that_does_not_exist_fails() {
    let browser = opened(Look::DESKTOP, &[FORM, FORM_STYLE]).await;
    let told = failure_of(browser.tab_to("Pay")).await;
    assert!(told.contains("never comes to \"Pay\"") && told.contains("\"Continue later\""), "{told}");
}

#[tokio::test]
async fn an_accessibility_fault_is_reported_with_its_place() {
    let browser = opened(Look::DESKTOP, &[FAULTY, FAULTY_STYLE]).await;
    let told = failure_of(browser.is_accessible("the faulty page")).await;
    for wanted in ["the faulty page is not accessible", "image-alt", r#"id="mute""#, "target-size"] {
        assert!(told.contains(wanted), "no {wanted} in {told}");
    }
}

#[tokio::test]
async fn a_page_is_laid_out_for_the_width_zoom_and_colour_scheme_of_the_browser() {
    let address = serve(&[FAULTY, FAULTY_STYLE]).await;
    let mut browser = Browser::start(Look::PHONE).await;
    for (look, width, pixels, scrolls) in [
        (Look::PHONE, 360, 2, true),
        (Look::DESKTOP, 1280, 1, false),
        (Look { zoom: 2.0, ..Look::DESKTOP }, 640, 2, true),
        (Look { width: Width::Desktop(730), dark: true, ..Look::DESKTOP }, 730, 1, false),
    ] {
        browser.set_look(look).await;
        browser.open(&address).await;
        let seen = "return [document.documentElement.clientWidth, devicePixelRatio, matchMedia('(prefers-color-scheme: dark)').matches]";
        let seen = browser.execute(seen, vec![]).await;
        assert_eq!(seen, serde_json::json!([width, pixels, look.dark]), "{look:?}");
        if scrolls {
            let told = failure_of(browser.has_no_horizontal_scroll()).await;
            assert!(told.contains(r#"id=\"wide\""#), "{told}");
        } else {
            browser.has_no_horizontal_scroll().await;
        }
    }
}

#[tokio::test]
async fn a_screenshot_shows_the_whole_page() {
    let tall = "<!doctype html><html lang=en><title>Tall</title><link rel=stylesheet href=/t.css><h1>Tall</h1></html>";
    let browser =
        opened(Look::DESKTOP, &[("/", tall), ("/t.css", "body { height: 3000px; margin: 0 }")]).await;
    browser.screenshot("harness-tall").await;
    let picture = std::fs::read(screenshot_path("harness-tall")).expect("written");
    assert!(picture.starts_with(b"\x89PNG"));
    let side = |place: usize| u32::from_be_bytes(picture[place..place + 4].try_into().expect("four bytes"));
    assert!(side(16) >= 1200 && side(20) >= 3000, "{} x {}", side(16), side(20));
}

#[tokio::test]
async fn browsers_share_no_cookies_and_are_closed_when_a_test_fails() {
    let browser = opened(Look::DESKTOP, &[("/", NEXT.1)]).await;
    browser.execute("document.cookie = 'known=1; max-age=600'", vec![]).await;
    let other = browser.another(Look::DESKTOP).await;
    other.open(&browser.url().await).await;
    assert_eq!(other.execute("return document.cookie", vec![]).await, "");
    assert_eq!(browser.execute("return document.cookie", vec![]).await, "known=1");
    let session = other.client.session_id().await.expect("known").expect("open");
    // The failing future drops the browser.
    let told = failure_of(async move { other.does_not_see("Next page").await }).await;
    assert!(told.contains("there is \"Next page\""), "{told}");
    let gone = crate::chromedriver::existing_session(&session).await.expect("a client").title().await;
    assert!(gone.is_err_and(|fault| fault.is_invalid_session_id()));
    let test = "browsers_share_no_cookies_and_are_closed_when_a_test_fails";
    std::fs::remove_file(screenshot_path(&format!("failed/harness-{test}-another"))).expect("was written");
}
