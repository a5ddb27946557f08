//! Sign-in of a command line (`covernote login`): the command shows a code, and an operator confirms the code
//! with a passkey.

use std::collections::HashMap;
use std::sync::PoisonError;

use askama::Template;
use axum::extract::{Form, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use domain::date::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use service::Error;
use service::acting::{self, Actor};
use service::team::SignedIn;
use service::team::device::POLL_PERIOD;
use service::team::sign_in::CeremonyPurpose;
use web::Peer;
use web::error::{Code, Problem};

use super::pages::{Asks, CeremonyForm};
use super::said::{page, refusal, said, sign_in_failed};
use super::visitor::Visitor;
use super::{Console, On};
use crate::act::BASE;

/// Most sign-ins of command lines that may begin in a minute, from one address and from all. The limits are needed because
/// anybody can begin a sign-in, and each one adds a row to the store.
const MOST_OF_PEER: u32 = 20;
const MOST_A_MINUTE: u32 = 1000;

/// Numbers of sign-ins that began in a minute, by address.
#[derive(Default)]
pub(super) struct Logins {
    minute: i64,
    all: u32,
    by_peer: HashMap<Peer, u32>,
}

impl Logins {
    /// Counts a sign-in. `false` if too many have begun.
    fn add(&mut self, peer: Peer, now: Timestamp) -> bool {
        let minute = now.as_second() / 60;
        if self.minute != minute {
            *self = Logins { minute, ..Logins::default() };
        }
        let of_peer = self.by_peer.entry(peer).or_default();
        if *of_peer >= MOST_OF_PEER || self.all >= MOST_A_MINUTE {
            return false;
        }
        *of_peer += 1;
        self.all += 1;
        true
    }
}

#[derive(Debug, Deserialize)]
pub(super) struct Machine {
    machine: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct DeviceCode {
    device_code: String,
}

/// Begins the sign-in of a command line (`covernote login`).
pub(super) async fn begin(
    State(console): On,
    Extension(peer): Extension<Peer>,
    Json(Machine { machine }): Json<Machine>,
) -> Response {
    let done = async {
        let now = console.service().team.now();
        if !console.logins.lock().unwrap_or_else(PoisonError::into_inner).add(peer, now) {
            let detail = "Too many command lines are signing in. Try again in a minute.";
            return Err(Problem::new(Code::A4290, detail));
        }
        let waiting = console.service().team.begin_device(&machine).await?;
        let url = format!("{}/device", console.origin);
        Ok(Json(json!({
            "device_code": waiting.device_code, "user_code": waiting.user_code, "verification_uri": url,
            "interval": POLL_PERIOD.as_secs(), "expires_at": waiting.expires_at.to_string(),
        })))
    };
    answered("devices", done.await)
}

/// The answer of a path of the API, with the error object if it was refused.
fn answered(path: &str, done: Result<Json<Value>, Problem>) -> Response {
    done.map_or_else(|refused| refused.answer(&format!("{BASE}/{path}")), IntoResponse::into_response)
}

/// Returns the state of a command line's sign-in. Once an operator has confirmed the sign-in, also returns
/// the token.
pub(super) async fn outcome(
    State(console): On,
    Json(DeviceCode { device_code }): Json<DeviceCode>,
) -> Response {
    let done = async {
        Ok(Json(match console.service().team.device_outcome(&device_code).await? {
            None => json!({ "state": "waits" }),
            Some(session) => json!({
                "state": "let_in", "token": session.text, "name": session.operator.name,
                "expires_at": session.expires_at.to_string(),
            }),
        }))
    };
    answered("devices/outcome", done.await)
}

#[derive(Template)]
#[template(path = "device.html")]
struct DevicePage {
    fault: Option<&'static str>,
}

/// The page on which an operator types the code of a command line. A link cannot contain the code: an
/// attacker could send an operator such a link, and the operator would let in the attacker's command line.
pub(super) async fn code(Visitor(_): Visitor) -> Response {
    page(&DevicePage { fault: None })
}

/// Shows which command line has the code, and asks for a passkey; then lets the command line in.
pub(super) async fn let_in(
    State(console): On,
    Visitor(signed_in): Visitor,
    Form(form): Form<CeremonyForm>,
) -> Response {
    let team = &console.service().team;
    if form.ceremony.is_empty() {
        return match team.waiting_device(&form.code).await {
            Ok(device) => asks_for(&console, &signed_in, &device.name, &form.code),
            Err(Error::LinkExpired) => {
                let fault = "No command line waits with this code. Check it, or run 'covernote login' again.";
                sign_in_failed(page(&DevicePage { fault: Some(fault) }))
            }
            Err(fault) => refusal(fault),
        };
    }
    let done = async {
        let (_, used) = console.used(CeremonyPurpose::Confirm, &form, Some(&signed_in.operator)).await?;
        let confirmed = team.confirm(&signed_in, &used.id, used.counter).await?;
        team.let_in(&confirmed, &form.code).await
    };
    match done.await {
        Ok(()) => said("Done", "The command line is signed in. You can close this page."),
        Err(fault) => refusal(fault),
    }
}

fn asks_for(console: &Console, signed_in: &SignedIn, machine: &str, code: &str) -> Response {
    let lines = [
        format!(
            "A command line wants to sign in as you. It says that its machine is called \u{201c}{machine}\u{201d}. covernote cannot check this name."
        ),
        format!(
            "The command must show this code: {}. Continue only if you started the command yourself.",
            code.trim().to_uppercase()
        ),
    ];
    let asks = Asks {
        purpose: CeremonyPurpose::Confirm,
        title: "Sign in a command line",
        lines: &lines,
        button: "Confirm with a passkey",
        fields: &[("code", code)],
        fault: None,
        provider: None,
    };
    console.ask(Some(&signed_in.operator), &asks)
}

/// Ends the session of a command line (`covernote logout`).
pub(super) async fn sign_out(State(console): On, headers: HeaderMap) -> Response {
    let done = async {
        let signed_in = console.api.signed_in_operator(&headers).await?;
        acting::identify(Actor::Operator(signed_in.operator.id));
        console.service().team.sign_out(signed_in).await?;
        Ok(Json(json!({ "state": "signed_out" })))
    };
    answered("sign-out", done.await)
}
