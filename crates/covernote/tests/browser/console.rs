//! The operators' console in Chromium, with its virtual authenticator (D120).

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use covernote::wiring::SystemClock;
use domain::team::Role;
use operators::ProviderSettings;
use serde_json::{Value, json};
use service::clock::Clock;

use crate::browser::Browser;
use crate::look::Look;
use crate::support::App;
use crate::support::address::reserved;
use crate::support::console::Console;

/// Adds a virtual platform authenticator to the browser. `is_verified`: it verifies its user.
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
async fn an_operator_can_join_with_a_passkey_sign_in_and_authorise_a_command_line() {
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
        browser.sees("Save these codes").await;
        is_good(&browser, &of("codes")).await;
        browser.press("I have saved them").await;
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
        is_good(&browser, &of("device-code")).await;
        browser.fill("Code", device["user_code"].as_str().expect("a code")).await;
        browser.press("Continue").await;
        browser.sees("covernote cannot check this name").await;
        is_good(&browser, &of("device")).await;
        browser.press("Confirm with a passkey").await;
        browser.sees("The command line is signed in").await;
        let asked = json!({ "device_code": device["device_code"] });
        assert_eq!(console.act("POST", "/devices/outcome", "", &asked).await.1["state"], "let_in");
        browser.open(&format!("{}/recovery", console.base)).await;
        is_good(&browser, &of("recovery")).await;
    }
}

#[tokio::test]
async fn a_passkey_without_user_verification_is_refused_with_a_message() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let browser = Browser::start(Look::DESKTOP).await;
    has_authenticator(&browser, false).await;
    browser.open(&console.invites(&app, "Meera", &[Role::Admin]).await).await;
    browser.press_and_stay("Make a passkey").await;
    browser.sees("The passkey was not used. Try again.").await;
    browser.is_accessible("a passkey that was not used").await;
}

/// A third-party identity provider in its own process, which is killed on drop.
struct ForeignProvider {
    child: Child,
    /// Kept open, because the process ends if it cannot write its warnings.
    _says: BufReader<ChildStdout>,
    settings: ProviderSettings,
}

impl ForeignProvider {
    fn start(redirect: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
        let mut command = Command::new("node");
        command
            .current_dir(folder)
            .args(["provider.mjs", redirect])
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = command.spawn().expect("node");
        let mut issuer = String::new();
        let mut says = BufReader::new(child.stdout.take().expect("piped"));
        says.read_line(&mut issuer).expect("its address");
        let settings = ProviderSettings {
            issuer: issuer.trim().to_owned(),
            client_id: "covernote".into(),
            client_secret: Some("a secret & more".into()),
        };
        ForeignProvider { child, _says: says, settings }
    }
}

impl Drop for ForeignProvider {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn an_operator_can_join_and_sign_in_with_an_external_identity_provider() {
    let app = App::start().await;
    // The provider must know the console's address before the console knows the provider's.
    let port = reserved().port();
    let provider = ForeignProvider::start(&format!("http://localhost:{port}/provider/return"));
    let console = Console::start_at(&app.service, port, Some(provider.settings.clone()));
    // The provider's tokens use the machine's time.
    app.clock.set(&SystemClock.now().to_string());
    let browser = Browser::start(Look::DESKTOP).await;
    let name = provider.settings.issuer.trim_start_matches("http://").to_owned();
    let button = format!("Sign in with {name}");
    browser.open(&console.invites(&app, "Meera Rao", &[Role::Support]).await).await;
    browser.sees("Join the team").await;
    is_good(&browser, "console-invitation-provider").await;
    browser.press(&button).await;
    browser.sees("Sign-in").await;
    // The provider's fields have no labels.
    let fills = "document.querySelector('input[name=login]').value = 'meera'; \
         document.querySelector('input[name=password]').value = 'any'; document.querySelector('form').submit()";
    browser.execute(fills, Vec::new()).await;
    browser.sees("Authorize").await;
    browser.press("Continue").await;
    browser.sees("Roles: support").await;
    browser.sees("You can also sign in with").await;
    is_good(&browser, "console-account-provider").await;
    browser.press("Sign out").await;
    browser.sees("Sign in with a passkey").await;
    is_good(&browser, "console-sign-in-provider").await;
    browser.press(&button).await;
    browser.sees("Roles: support").await;
}

#[tokio::test]
async fn the_pages_of_actions_are_accessible_and_lead_from_a_list_to_a_record_and_its_forms() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let policy = app.has_policy().await;
    for look in [Look::PHONE, Look { dark: true, ..Look::DESKTOP }] {
        let width = if look.dark { "desktop-dark" } else { "phone" };
        let browser = signed_in(&app, &console, look, &format!("Meera {width}")).await;
        browser.press("Everything").await;
        browser.sees("Everything that you may do").await;
        is_good(&browser, &format!("console-everything-{width}")).await;
        browser.press("Policies").await;
        browser.sees(&policy).await;
        is_good(&browser, &format!("console-policies-{width}")).await;
        browser.press(&policy).await;
        browser.sees("What you can do").await;
        is_good(&browser, &format!("console-policy-{width}")).await;
        browser.press("Cancel policy").await;
        browser.sees("This cannot be undone").await;
        is_good(&browser, &format!("console-form-{width}")).await;
    }
}

/// A browser of a new administrator.
async fn signed_in(app: &App, console: &Console, look: Look, name: &str) -> Browser {
    let browser = Browser::start(look).await;
    has_authenticator(&browser, true).await;
    browser.open(&console.invites(app, name, &[Role::Admin]).await).await;
    browser.press("Make a passkey").await;
    browser.press("I have saved them").await;
    browser
}

#[tokio::test]
async fn the_desks_are_accessible_and_a_claim_is_decided_from_today_without_typing_an_id() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    for look in [Look::PHONE, Look { dark: true, ..Look::DESKTOP }] {
        let (claim, _) = app.has_claim().await;
        let width = if look.dark { "desktop-dark" } else { "phone" };
        let browser = signed_in(&app, &console, look, &format!("Meera {width}")).await;
        for (desk, sees) in [
            ("Today", "DEATH claim, INTIMATED"),
            ("Search", "One box"),
            ("Claims", "DEATH"),
            ("Approvals", "Nothing waits for approval"),
            ("Money", "End of the month"),
            ("Renewals", "Within 90 days"),
            ("Partners", "Test Lender"),
        ] {
            browser.press(desk).await;
            browser.sees(sees).await;
            is_good(&browser, &format!("console-desk-{}-{width}", desk.to_lowercase())).await;
        }
        browser.press("Claims").await;
        browser.press(&claim).await;
        browser.sees("What is left").await;
        is_good(&browser, &format!("console-claim-{width}")).await;
        browser.choose("UNDER_ASSESSMENT").await;
        browser.press("Decide claim").await;
        browser.sees("is UNDER_ASSESSMENT").await;
        is_good(&browser, &format!("console-claim-decided-{width}")).await;
    }
}
