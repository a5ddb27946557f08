//! Sign-in of a command line (`covernote login`): the command shows a code, and an operator confirms the code
//! with a passkey.

use std::sync::Mutex;
use std::sync::PoisonError;

use axum::Json;
use axum::extract::{Form, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use domain::date::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};
use service::Error;
use service::acting::{self, Actor};
use service::team::device::POLL_PERIOD;
use service::team::sign_in::CeremonyPurpose;
use web::error::{Code, Problem};

use super::On;
use super::pages::{Asks, CeremonyForm};
use super::said::{failed, refusal, said};
use super::visitor::Visitor;

/// Most sign-ins of command lines that may begin in a minute. The limit is needed because anybody can begin a
/// sign-in, and each one adds a row to the store.
const MOST_A_MINUTE: u32 = 60;

#[derive(Debug, Deserialize)]
pub(super) struct Machine {
    machine: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct DeviceCode {
    device_code: String,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct UserCode {
    #[serde(default)]
    code: String,
}

/// Begins the sign-in of a command line (`covernote login`).
pub(super) async fn begin(
    State(console): On,
    Json(Machine { machine }): Json<Machine>,
) -> Result<Json<Value>, Problem> {
    if !is_within_limit(console.service().team.now()) {
        let detail = "Too many command lines are signing in. Try again in a minute.";
        return Err(Problem::new(Code::A4290, detail));
    }
    let waiting = console.service().team.begin_device(&machine).await?;
    let url = format!("{}/device?code={}", console.origin, waiting.user_code);
    Ok(Json(json!({
        "device_code": waiting.device_code, "user_code": waiting.user_code, "verification_uri": url,
        "interval": POLL_PERIOD.as_secs(), "expires_at": waiting.expires_at.to_string(),
    })))
}

fn is_within_limit(now: Timestamp) -> bool {
    static BEGUN: Mutex<(i64, u32)> = Mutex::new((0, 0));
    let mut begun = BEGUN.lock().unwrap_or_else(PoisonError::into_inner);
    let minute = now.as_second() / 60;
    if begun.0 != minute {
        *begun = (minute, 0);
    }
    begun.1 += 1;
    begun.1 <= MOST_A_MINUTE
}

/// Returns the state of a command line's sign-in. Once an operator has confirmed the sign-in, also returns
/// the token.
pub(super) async fn outcome(
    State(console): On,
    Json(DeviceCode { device_code }): Json<DeviceCode>,
) -> Result<Json<Value>, Problem> {
    Ok(Json(match console.service().team.device_outcome(&device_code).await? {
        None => json!({ "state": "waits" }),
        Some(session) => json!({
            "state": "let_in", "token": session.text, "name": session.operator.name,
            "expires_at": session.expires_at.to_string(),
        }),
    }))
}

pub(super) async fn page(
    State(console): On,
    Visitor(signed_in): Visitor,
    Query(UserCode { code }): Query<UserCode>,
) -> Response {
    let device = match console.service().team.waiting_device(&code).await {
        Ok(device) => device,
        Err(Error::LinkExpired) => {
            return failed("No command line waits with this code. Run 'covernote login' again.");
        }
        Err(fault) => return refusal(fault),
    };
    let lines = [
        format!("A command line on {} wants to sign in as you.", device.name),
        format!(
            "The command must show this code: {}. Continue only if you started the command yourself.",
            code.trim().to_uppercase()
        ),
    ];
    let fields = [("code", code.as_str())];
    let asks = Asks {
        purpose: CeremonyPurpose::Confirm,
        title: "Sign in a command line",
        lines: &lines,
        button: "Confirm with a passkey",
        fields: &fields,
        fault: None,
        provider: None,
    };
    console.ask(Some(&signed_in.operator), &asks)
}

pub(super) async fn let_in(
    State(console): On,
    Visitor(signed_in): Visitor,
    Form(form): Form<CeremonyForm>,
) -> Response {
    let team = &console.service().team;
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

/// Ends the session of a command line (`covernote logout`).
pub(super) async fn sign_out(State(console): On, headers: HeaderMap) -> Result<Json<Value>, Problem> {
    let signed_in = console.api.shown_token(&headers).await?;
    acting::identify(Actor::Operator(signed_in.operator.id));
    console.service().team.sign_out(signed_in).await?;
    Ok(Json(json!({ "state": "signed_out" })))
}
