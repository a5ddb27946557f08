//! The operators' console in Chromium, with its virtual authenticator (D120).

use domain::team::Role;
use serde_json::{Value, json};

use crate::browser::Browser;
use crate::look::Look;
use crate::support::App;
use crate::support::console::Console;

/// Gives the browser a platform authenticator, whose user is verified or not.
async fn has_authenticator(browser: &Browser, is_verified: bool) -> Value {
    browser.devtools("WebAuthn.enable", json!({})).await;
    let options = json!({
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": true, "hasUserVerification": true,
        "isUserVerified": is_verified, "automaticPresenceSimulation": true,
    });
    let added = browser.devtools("WebAuthn.addVirtualAuthenticator", json!({ "options": options })).await;
    added["authenticatorId"].clone()
}

async fn is_good(browser: &Browser, what: &str) {
    browser.is_accessible(what).await;
    browser.has_no_horizontal_scroll().await;
    browser.screenshot(what).await;
}

#[tokio::test]
async fn an_operator_joins_signs_in_and_lets_a_command_line_in() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    for (look, name) in [(Look::PHONE, "Meera Rao"), (Look { dark: true, ..Look::DESKTOP }, "Arjun Iyer")] {
        let browser = Browser::start(look).await;
        has_authenticator(&browser, true).await;
        let link = console.invites(&app, name, &[Role::Claims, Role::Admin]).await;
        let of = |page: &str| {
            format!("console-{page}-{}", name.split(' ').next().unwrap_or_default().to_lowercase())
        };
        browser.open(&link).await;
        browser.sees("Join the team").await;
        is_good(&browser, &of("invitation")).await;
        browser.press("Make a passkey").await;
        browser.sees("Keep these codes").await;
        is_good(&browser, &of("codes")).await;
        browser.press("I have kept them").await;
        browser.sees("Roles: claims, admin").await;
        is_good(&browser, &of("account")).await;
        browser.press("Sign out").await;
        browser.sees("Sign in").await;
        is_good(&browser, &of("sign-in")).await;
        browser.press("Sign in with a passkey").await;
        browser.sees("10 recovery codes are left").await;
        let (_, device) =
            console.act("POST", "/devices", "", &json!({ "machine": "laptop, user meera" })).await;
        browser.open(device["verification_uri"].as_str().expect("an address")).await;
        browser.sees(device["user_code"].as_str().expect("a code")).await;
        is_good(&browser, &of("device")).await;
        browser.press("Let it in with a passkey").await;
        browser.sees("The command line is let in").await;
        let asked = json!({ "device_code": device["device_code"] });
        assert_eq!(console.act("POST", "/devices/outcome", "", &asked).await.1["state"], "let_in");
        browser.open(&format!("{}/recovery", console.base)).await;
        is_good(&browser, &of("recovery")).await;
    }
}

#[tokio::test]
async fn a_user_who_is_not_verified_is_told_so() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let browser = Browser::start(Look::DESKTOP).await;
    has_authenticator(&browser, false).await;
    browser.open(&console.invites(&app, "Meera", &[Role::Admin]).await).await;
    browser.press_and_stay("Make a passkey").await;
    browser.sees("The passkey was not used. Try again.").await;
    browser.is_accessible("a passkey that was not used").await;
}
