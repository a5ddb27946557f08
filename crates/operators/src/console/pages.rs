//! Pages for sign-in, invitation, recovery and account.

use askama::Template;
use axum::extract::{Form, Path, Query, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use domain::team::TeamMember;
use serde::Deserialize;
use service::Error;
use service::acting::{self, Actor};
use service::team::sign_in::{Ceremony, CeremonyPurpose};
use service::team::{RECOVERY_SHOWN, SignedIn};

use super::said::{ContinuePage, failed, missing, page, refusal, sign_in_failed};
use super::visitor::{OwnForm, Visitor, browser, cookie};
use super::{Console, On};
use crate::act::record::minute;
use crate::team::passkey::{Begun, Refused, Used, claimed_owner};

/// What a sign-in page holds: the form of which the session ended.
pub(super) const KEPT: &str = "kept";

/// A page with a button that asks for a passkey.
#[derive(Template)]
#[template(path = "passkey.html")]
struct PasskeyPage<'p> {
    title: &'p str,
    lines: &'p [String],
    /// WebAuthn function that the page calls: `create` for a new passkey, `get` to use a passkey.
    verb: &'p str,
    button: &'p str,
    /// WebAuthn options for the browser, as JSON.
    options: String,
    ceremony: String,
    /// Names and values of the form's hidden fields.
    fields: &'p [(&'p str, &'p str)],
    fault: Option<&'p str>,
    has_recovery: bool,
    /// Name of the identity provider, and the link to it.
    provider: Option<(&'p str, String)>,
}

#[derive(Template)]
#[template(path = "codes.html")]
struct CodesPage {
    name: String,
    codes: Vec<String>,
}

#[derive(Template)]
#[template(path = "recovery.html")]
struct RecoveryPage {
    fault: Option<&'static str>,
}

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    name: String,
    roles: String,
    passkeys: Vec<(String, String)>,
    codes: usize,
    sessions: Vec<(String, String, bool)>,
    provider: Option<String>,
    has_identity: bool,
    recovered: Vec<(String, String)>,
}

/// Form that a browser sends after a WebAuthn ceremony.
#[derive(Debug, Default, Deserialize)]
pub(super) struct CeremonyForm {
    #[serde(default)]
    pub(super) ceremony: String,
    #[serde(default)]
    pub(super) credential: String,
    #[serde(default)]
    pub(super) next: String,
    #[serde(default)]
    pub(super) code: String,
    /// The form of which the session ended.
    #[serde(default)]
    pub(super) kept: String,
}

/// The page after a sign-in that leads back to the form.
#[derive(Template)]
#[template(path = "kept.html")]
struct KeptPage {
    kept: String,
}

#[derive(Debug, Default, Deserialize)]
pub(super) struct Next {
    #[serde(default)]
    next: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct RecoveryForm {
    name: String,
    code: String,
}

/// Content of a page that begins a WebAuthn ceremony.
pub(super) struct Asks<'p> {
    pub(super) purpose: CeremonyPurpose,
    pub(super) title: &'p str,
    pub(super) lines: &'p [String],
    pub(super) button: &'p str,
    pub(super) fields: &'p [(&'p str, &'p str)],
    pub(super) fault: Option<&'p str>,
    /// Query field and value of the link to the identity provider, if a sign-in there can replace the
    /// passkey.
    pub(super) provider: Option<(&'p str, &'p str)>,
}

impl Console {
    pub(super) fn ask(&self, operator: Option<&TeamMember>, asks: &Asks<'_>) -> Response {
        let (begun, verb) = match (asks.purpose, operator) {
            (CeremonyPurpose::Add, Some(operator)) => (self.passkeys.begin_adding(operator), "create"),
            (_, operator) => {
                let passkeys = operator.map(|operator| &operator.passkeys[..]);
                (self.passkeys.begin_using(passkeys.unwrap_or_default()), "get")
            }
        };
        let Begun { options, state } = match begun {
            Ok(begun) => begun,
            Err(why) => return refusal(Error::Internal(why)),
        };
        let ceremony = Ceremony { state, operator: operator.map(|operator| operator.id) };
        let Asks { title, lines, button, fields, fault, purpose, .. } = *asks;
        let ceremony = self.service().team.begin_ceremony(purpose, &ceremony);
        let has_recovery = purpose == CeremonyPurpose::SignIn;
        let leads_to = asks.provider.and_then(|query| serde_urlencoded::to_string([query]).ok());
        let provider = self.provider.as_ref().zip(leads_to);
        let provider = provider.map(|(provider, query)| (provider.name(), format!("/provider?{query}")));
        let answer = page(&PasskeyPage {
            title,
            lines,
            verb,
            button,
            options,
            ceremony,
            fields,
            fault,
            has_recovery,
            provider,
        });
        if fault.is_some() { sign_in_failed(answer) } else { answer }
    }

    /// Verifies the passkey that a form sends, and ends the ceremony. Returns the operator and the used
    /// passkey.
    pub(super) async fn used(
        &self,
        purpose: CeremonyPurpose,
        form: &CeremonyForm,
        by: Option<&TeamMember>,
    ) -> Result<(TeamMember, Used), Error> {
        let team = &self.service().team;
        let ceremony = team.ceremony(purpose, &form.ceremony)?;
        if by.is_some_and(|by| ceremony.operator != Some(by.id)) {
            return Err(Error::LinkExpired);
        }
        let operator = match by {
            Some(by) => Some(by.clone()),
            None => match claimed_owner(&form.credential) {
                Some(owner) => team.find(&owner.to_string()).await.ok(),
                None => None,
            },
        };
        let operator =
            operator.filter(TeamMember::is_active).ok_or_else(|| not_accepted("no such operator"))?;
        let used = self.passkeys.finish_using(&ceremony.state, &form.credential, &operator);
        let used = used.map_err(not_accepted)?;
        acting::identify(Actor::Operator(operator.id));
        team.spend_ceremony(&form.ceremony, Some(operator.id)).await?;
        Ok((operator, used))
    }

    /// Verifies the new passkey that a form sends, and ends the ceremony.
    async fn made(&self, form: &CeremonyForm, of: &TeamMember) -> Result<domain::team::Passkey, Error> {
        let team = &self.service().team;
        let ceremony = team.ceremony(CeremonyPurpose::Add, &form.ceremony)?;
        if ceremony.operator != Some(of.id) {
            return Err(Error::LinkExpired);
        }
        let made = self.passkeys.finish_adding(&ceremony.state, &form.credential).map_err(not_accepted)?;
        let all = team.list().await?;
        if all.iter().flat_map(|one| &one.passkeys).any(|known| known.id == made.id) {
            return Err(not_accepted("the passkey is already registered"));
        }
        team.spend_ceremony(&form.ceremony, Some(of.id)).await?;
        Ok(made)
    }
}

fn not_accepted(why: impl Into<Refused>) -> Error {
    let why: Refused = why.into();
    tracing::warn!("a passkey was not accepted: {why}");
    Error::NotPermitted("The passkey was not accepted. Try again.")
}

/// Returns `next` if it is a path of the console, otherwise the path of the account page.
pub(super) fn own_path(next: &str) -> &str {
    let is_own = next.starts_with('/')
        && !next.starts_with("//")
        && next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if is_own { next } else { "/account" }
}

pub(super) async fn sign_in(State(console): On, Query(Next { next }): Query<Next>) -> Response {
    ask_to_sign_in(&console, &next, None, None)
}

/// The page that asks for a passkey. `kept`: the form of which the session ended.
pub(super) fn ask_to_sign_in(
    console: &Console,
    next: &str,
    kept: Option<&str>,
    fault: Option<&str>,
) -> Response {
    let next = ("next", own_path(next));
    let fields: Vec<(&str, &str)> = [next].into_iter().chain(kept.map(|kept| (KEPT, kept))).collect();
    let lines = match kept {
        Some(_) => vec!["Your session has ended. Sign in, and your form comes back filled.".to_owned()],
        None => Vec::new(),
    };
    console.ask(
        None,
        &Asks {
            purpose: CeremonyPurpose::SignIn,
            title: "Sign in",
            lines: &lines,
            button: "Sign in with a passkey",
            fields: &fields,
            fault,
            provider: Some(next),
        },
    )
}

pub(super) async fn signed_in(
    State(console): On,
    _: OwnForm,
    headers: HeaderMap,
    Form(form): Form<CeremonyForm>,
) -> Response {
    let team = &console.service().team;
    let begun = async {
        let (operator, used) = console.used(CeremonyPurpose::SignIn, &form, None).await?;
        team.sign_in(operator, &used.id, used.counter, &browser(&headers)).await
    };
    match begun.await {
        Ok(session) if form.kept.is_empty() => {
            (cookie(&console, &session.text), Redirect::to(own_path(&form.next))).into_response()
        }
        Ok(session) => (cookie(&console, &session.text), page(&KeptPage { kept: form.kept })).into_response(),
        Err(Error::NotPermitted(why)) => {
            let kept = Some(form.kept.as_str()).filter(|kept| !kept.is_empty());
            ask_to_sign_in(&console, &form.next, kept, Some(why))
        }
        Err(fault) => refusal(fault),
    }
}

/// Signs in with the link that a demo prints. Any other server has no such page.
pub(super) async fn entered_demo(
    State(console): On,
    Path(link): Path<String>,
    headers: HeaderMap,
) -> Response {
    if !console.api.serving.is_demo {
        return missing();
    }
    match console.service().team.enter_demo(&link, &browser(&headers)).await {
        // A page of the console sends the cookie (`SameSite=Strict`) with the next request.
        Ok(session) => {
            (cookie(&console, &session.text), page(&ContinuePage { next: "/".to_owned() })).into_response()
        }
        Err(fault) => refusal(fault),
    }
}

pub(super) async fn sign_out(State(console): On, Visitor(signed_in): Visitor) -> Response {
    match console.service().team.sign_out(signed_in).await {
        Ok(()) | Err(Error::Conflict(_)) => (cookie(&console, ""), Redirect::to("/sign-in")).into_response(),
        Err(fault) => refusal(fault),
    }
}

pub(super) async fn invitation(State(console): On, Path(link): Path<String>) -> Response {
    match console.service().team.open_link(&link).await {
        Ok(SignedIn { operator, .. }) => ask_to_enrol(&console, &operator, &link, None),
        Err(fault) => refusal(fault),
    }
}

fn ask_to_enrol(console: &Console, operator: &TeamMember, link: &str, fault: Option<&str>) -> Response {
    let lines = [
        format!("You are {}, with these roles: {}.", operator.name, roles_of(operator)),
        "Make a passkey on this device. It replaces a password: your fingerprint, face or PIN confirms it."
            .to_owned(),
    ];
    console.ask(
        Some(operator),
        &Asks {
            purpose: CeremonyPurpose::Add,
            title: "Join the team",
            lines: &lines,
            button: "Make a passkey",
            fields: &[],
            fault,
            provider: Some(("link", link)),
        },
    )
}

pub(super) async fn enrolled(
    State(console): On,
    _: OwnForm,
    Path(link): Path<String>,
    headers: HeaderMap,
    Form(form): Form<CeremonyForm>,
) -> Response {
    let team = &console.service().team;
    let operator = match team.open_link(&link).await {
        Ok(SignedIn { operator, .. }) => operator,
        Err(fault) => return refusal(fault),
    };
    let enrolled = async {
        let passkey = console.made(&form, &operator).await?;
        acting::identify(Actor::Operator(operator.id));
        team.enrol(&link, passkey, &browser(&headers)).await
    };
    match enrolled.await {
        Ok(enrolled) => {
            let codes = CodesPage { name: operator.name, codes: enrolled.recovery_codes };
            (cookie(&console, &enrolled.session.text), page(&codes)).into_response()
        }
        Err(Error::NotPermitted(why)) => ask_to_enrol(&console, &operator, &link, Some(why)),
        Err(fault) => refusal(fault),
    }
}

pub(super) async fn recovery() -> Response {
    page(&RecoveryPage { fault: None })
}

pub(super) async fn recovered(
    State(console): On,
    _: OwnForm,
    Form(RecoveryForm { name, code }): Form<RecoveryForm>,
) -> Response {
    match console.service().team.use_recovery_code(&name, &code).await {
        Ok(link) => Redirect::to(&format!("/invitation/{}", link.text)).into_response(),
        Err(Error::WrongCredentials) => {
            tracing::warn!("a recovery code was refused");
            let fault = Some("The name or the code is wrong, or the code was already used.");
            sign_in_failed((StatusCode::BAD_REQUEST, page(&RecoveryPage { fault })).into_response())
        }
        Err(fault) => refusal(fault),
    }
}

pub(super) async fn account(State(console): On, Visitor(signed_in): Visitor) -> Response {
    match account_page(&console, &signed_in).await {
        Ok(account) => page(&account),
        Err(fault) => refusal(fault),
    }
}

async fn account_page(console: &Console, signed_in: &SignedIn) -> Result<AccountPage, Error> {
    let SignedIn { operator, secret } = signed_in;
    let team = &console.service().team;
    let now = team.now();
    let (_, secrets) = team.secrets(&operator.id.to_string()).await?;
    let session = |one: &domain::team::OperatorSecret| {
        let what = format!("{}: {}", one.kind, one.name);
        (what, format!("last used {}", minute(one.seen_at)), one.hash == secret.hash)
    };
    let passkey = |one: &domain::team::Passkey| {
        let used = one.used_at.map_or("not used yet".to_owned(), |at| format!("last used {}", minute(at)));
        (format!("added {}", minute(one.added_at)), used)
    };
    let is_told = |one: &TeamMember| one.recovered_at.is_some_and(|at| now < at + RECOVERY_SHOWN);
    let recovered = match signed_in.has_any(&[]) {
        // Every administrator must see whose access was recovered.
        true => team.list().await?.into_iter().filter(is_told).collect(),
        false => Vec::new(),
    };
    let told = |one: TeamMember| (one.name, one.recovered_at.map(minute).unwrap_or_default());
    Ok(AccountPage {
        name: operator.name.clone(),
        roles: roles_of(operator),
        passkeys: operator.passkeys.iter().map(passkey).collect(),
        codes: operator.recovery_codes.len(),
        sessions: secrets.iter().map(session).collect(),
        provider: console.provider.as_ref().map(|provider| provider.name().to_owned()),
        has_identity: operator.identity.is_some(),
        recovered: recovered.into_iter().map(told).collect(),
    })
}

/// Page that adds a passkey. If no passkey has confirmed the session recently, the page first asks for an
/// earlier passkey.
pub(super) async fn new_passkey(State(console): On, Visitor(signed_in): Visitor) -> Response {
    if signed_in.operator.passkeys.is_empty() {
        return failed("You have no passkey yet. Ask an administrator for a new link.");
    }
    ask_for_new_passkey(&console, &signed_in, None)
}

fn ask_for_new_passkey(console: &Console, signed_in: &SignedIn, fault: Option<&str>) -> Response {
    let is_confirmed = signed_in.is_confirmed(console.service().team.now());
    let (purpose, button) = match is_confirmed {
        true => (CeremonyPurpose::Add, "Make another passkey"),
        false => (CeremonyPurpose::Confirm, "Confirm with a passkey"),
    };
    let lines = ["Another passkey lets you sign in from another device, or if you lose this one.".to_owned()];
    let title = "Another passkey";
    let asks = Asks { purpose, title, lines: &lines, button, fields: &[], fault, provider: None };
    console.ask(Some(&signed_in.operator), &asks)
}

pub(super) async fn added_passkey(
    State(console): On,
    Visitor(signed_in): Visitor,
    Form(form): Form<CeremonyForm>,
) -> Response {
    let team = &console.service().team;
    let done = async {
        if !signed_in.is_confirmed(team.now()) {
            let (_, used) = console.used(CeremonyPurpose::Confirm, &form, Some(&signed_in.operator)).await?;
            return team.confirm(&signed_in, &used.id, used.counter).await.map(|_| "/account/passkey");
        }
        let passkey = console.made(&form, &signed_in.operator).await?;
        team.add_passkey(&signed_in, passkey).await.map(|_| "/account")
    };
    match done.await {
        Ok(next) => Redirect::to(next).into_response(),
        Err(Error::NotPermitted(why)) => ask_for_new_passkey(&console, &signed_in, Some(why)),
        Err(fault) => refusal(fault),
    }
}

fn roles_of(operator: &TeamMember) -> String {
    operator.roles.iter().map(|role| role.word()).collect::<Vec<_>>().join(", ")
}
