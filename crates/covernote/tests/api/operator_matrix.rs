//! Every act of an operator, by role, state of the session and way of access, against the operators' OpenAPI
//! document (D118, D120).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use domain::team::{Role, SecretKind};
use operators::RequestOrigin;
use serde_json::{Value, json};
use service::storage::audit::AuditQuery;

use crate::support::App;
use crate::support::console::{Authenticator, Console, serving};

/// An act in the operators' OpenAPI document.
struct Act {
    name: String,
    method: String,
    /// The path with a value for each parameter.
    path: String,
    roles: Vec<String>,
    is_irreversible: bool,
}

fn acts() -> Vec<Act> {
    let document = operators::document();
    let mut acts = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            let roles = operation["x-roles"].as_array().expect("roles").iter();
            let path = path.strip_prefix("/operator/v1").expect("the base");
            let parts = path.split('/').map(|part| if part.starts_with('{') { "1" } else { part });
            acts.push(Act {
                name: operation["operationId"].as_str().expect("a name").to_owned(),
                method: method.to_uppercase(),
                path: parts.collect::<Vec<_>>().join("/"),
                roles: roles.map(|role| role.as_str().expect("a word").to_owned()).collect(),
                is_irreversible: operation["x-irreversible"] == true,
            });
        }
    }
    assert!(acts.len() > 80, "{}", acts.len());
    acts
}

/// The acts that each role may do, besides admin, who may do all.
const ROLES: &[(&str, &str)] = &[
    ("read support accounts", "premium_accounts refund_list"),
    (
        "admin",
        "approval_limit import_policies import_proposals keys_list keys_retire keys_rotate operator_end operator_invite operator_list operator_recover operator_roles operator_sessions operator_token partner_change partner_create partner_disable partner_enable partner_grant partner_revoke partner_secret_add partner_secret_revoke",
    ),
    (
        "everybody",
        "approval_approve approval_list approval_refuse approval_show approval_withdraw operator_end_session person_find waiting_hand_over waiting_list waiting_note waiting_show waiting_snooze waiting_take",
    ),
    (
        "compliance",
        "audit_export audit_list audit_verify breach_list hold_list hold_release hold_set person_erase person_export retention_run store_verify",
    ),
    ("catalogue", "catalogue_publish"),
    ("read support claims accounts compliance", "claim_list claim_show"),
    ("claims", "claim_decide claim_paper"),
    ("claims accounts", "claim_paid"),
    ("claims support", "claim_withdraw"),
    ("read support compliance", "complaint_list complaint_show"),
    ("support compliance", "complaint_add complaint_answer person_consents person_withdraw"),
    (
        "read accounts",
        "deposit_list premium_summary statement_checklist statement_export statement_list statement_show",
    ),
    (
        "accounts",
        "deposit_top_up deposit_withdraw premium_receive premium_refund premium_remit premium_reverse premium_settle refund_paid statement_answer statement_draft statement_make statement_paid",
    ),
    (
        "read support underwriting claims accounts compliance",
        "policy_due policy_endorsements policy_find policy_list policy_show proposal_list proposal_show",
    ),
    ("read support accounts catalogue compliance", "partner_list partner_show"),
    (
        "support",
        "partner_tokens_revoke proposal_status_page webhook_add webhook_ping webhook_recover webhook_remove webhook_retry webhook_rotate webhook_set",
    ),
    ("underwriting compliance", "person_correct"),
    ("compliance accounts", "policy_export"),
    ("underwriting support", "policy_cancel policy_endorse policy_renew"),
    ("underwriting accounts", "policy_number"),
    ("underwriting", "policy_decide policy_decide_endorsement proposal_decide"),
    ("support underwriting claims compliance", "policy_certificate"),
    ("support claims", "claim_add claim_ask claim_attach"),
    ("read support underwriting accounts", "premium_list premium_show"),
    ("underwriting accounts compliance", "proposal_export"),
    ("read support underwriting catalogue", "quote_explain"),
    ("read compliance", "retention_show store_examine"),
    ("read support", "partner_refusals webhook_deliveries webhook_list webhook_show"),
];

/// What an operator must be able to read before an act. Who may do the act may read it.
const NEEDS: &[(&str, &str)] = &[
    ("claim_add", "policy_find policy_show claim_show"),
    ("claim_ask", "claim_list claim_show"),
    ("claim_attach", "claim_list claim_show"),
    ("claim_decide", "claim_list claim_show claim_paper policy_show policy_certificate proposal_show"),
    ("claim_paid", "claim_list claim_show policy_show proposal_show"),
    ("claim_withdraw", "claim_list claim_show"),
    ("complaint_answer", "complaint_list complaint_show"),
    ("deposit_top_up", "deposit_list"),
    ("deposit_withdraw", "deposit_list"),
    ("hold_set", "policy_show proposal_show claim_show"),
    ("person_correct", "person_find policy_show proposal_show"),
    ("person_erase", "person_find policy_show"),
    ("person_export", "person_find policy_show"),
    ("policy_cancel", "policy_list policy_find policy_show policy_certificate"),
    ("policy_decide", "policy_list policy_show"),
    ("policy_number", "policy_list policy_find policy_show"),
    ("policy_decide_endorsement", "policy_endorsements policy_show"),
    ("policy_endorse", "policy_find policy_show policy_certificate"),
    ("policy_renew", "policy_due policy_show"),
    ("premium_receive", "premium_list premium_show proposal_list proposal_show"),
    ("premium_refund", "premium_list premium_show proposal_show"),
    ("premium_remit", "premium_list premium_show"),
    ("premium_reverse", "premium_list premium_show"),
    ("premium_settle", "premium_list premium_show proposal_show"),
    ("proposal_decide", "proposal_list proposal_show premium_show quote_explain"),
    ("refund_paid", "refund_list policy_show"),
    ("statement_answer", "statement_show"),
    ("statement_make", "statement_draft statement_list partner_list"),
    ("statement_paid", "statement_list statement_show partner_show"),
    ("webhook_retry", "webhook_list webhook_show webhook_deliveries"),
];

#[test]
fn each_act_is_permitted_to_exactly_the_roles_of_this_table() {
    let words = |text: &str| -> BTreeSet<String> { text.split(' ').map(str::to_owned).collect() };
    let mut roles_of: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (roles, acts) in ROLES {
        for act in acts.split(' ') {
            let roles = if *roles == "everybody" {
                Role::ALL.iter().map(|role| role.word().to_owned()).collect()
            } else {
                words(roles).into_iter().chain(["admin".to_owned()]).collect()
            };
            assert!(roles_of.insert(act.to_owned(), roles).is_none(), "{act} is listed twice");
        }
    }
    let admin = || "admin".to_owned();
    let found: BTreeMap<String, BTreeSet<String>> =
        acts().into_iter().map(|act| (act.name, act.roles.into_iter().chain([admin()]).collect())).collect();
    assert_eq!(found, roles_of);
    for (act, reads) in NEEDS {
        for read in reads.split(' ') {
            let missing: Vec<_> = roles_of[*act].difference(&roles_of[read]).collect();
            assert!(missing.is_empty(), "{missing:?} may do {act}, but not {read}");
        }
    }
}

/// States of a session.
#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    /// Confirmed with a passkey just now.
    Confirmed,
    /// Confirmed with a passkey more than five minutes ago.
    Unconfirmed,
    /// A machine's token.
    Token,
    Ended,
    Expired,
}

/// The status of an act without input. If it is let through, it is refused for that, or does what it can.
async fn status(console: &Console, act: &Act, token: &str) -> u16 {
    console.act(&act.method, &act.path, token, &json!({})).await.0
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acts_require_one_of_their_roles_and_irreversible_acts_also_a_recent_passkey_confirmation() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let acts = acts();
    for role in Role::ALL {
        let name = role.word();
        let mut authenticator = Authenticator::new(&console);
        let session = console.has_operator(&app, name, &[*role], &mut authenticator).await;
        let session = session.split_once('=').expect("a cookie").1.to_owned();
        let token = app.service.team.add_token(name, "job", vec![*role], 1).await.expect("made").text;
        for state in [State::Confirmed, State::Unconfirmed, State::Token, State::Ended, State::Expired] {
            match state {
                State::Confirmed | State::Token => {}
                State::Unconfirmed => app.clock.advance(Duration::from_secs(301)),
                State::Ended => {
                    let (_, secrets) = app.service.team.secrets(name).await.expect("there");
                    let session = secrets.iter().find(|one| one.kind == SecretKind::Session);
                    let start = session.expect("listed").short_id();
                    app.service.team.end_secret(name, &start).await.expect("ended");
                }
                State::Expired => app.clock.advance(Duration::from_secs(24 * 3600)),
            }
            let shown = if matches!(state, State::Token | State::Expired) { &token } else { &session };
            for act in &acts {
                // This act would remove keys that the other acts need.
                if act.name.starts_with("keys_") && *role == Role::Admin && state == State::Confirmed {
                    continue;
                }
                let is_of_role = *role == Role::Admin || act.roles.iter().any(|known| known == name);
                let wanted = match state {
                    State::Ended | State::Expired => Some(401),
                    _ if !is_of_role => Some(403),
                    State::Unconfirmed | State::Token if act.is_irreversible => Some(403),
                    _ => None,
                };
                let status = status(&console, act, shown).await;
                match wanted {
                    Some(wanted) => assert_eq!(status, wanted, "{} as {name}, {state:?}", act.name),
                    None => assert!(
                        ![401, 403, 405, 500].contains(&status),
                        "{} as {name}, {state:?}: {status}",
                        act.name
                    ),
                }
            }
        }
    }
}

/// The status of an act on the socket. A command that finds no server uses the same router.
async fn over_socket(app: &App, act: &Act, uid: u32) -> u16 {
    let router = operators::router(Arc::clone(&app.service), serving(""));
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(operators::serve_connection(router, RequestOrigin::Local { uid }, there));
    let mut request = operators::Asking::new(if act.method == "GET" { "" } else { "{}" }.into());
    *request.method_mut() = act.method.parse().expect("a method");
    *request.uri_mut() = format!("/operator/v1{}", act.path).parse().expect("a path");
    request.headers_mut().insert("host", operators::HeaderValue::from_static("covernote"));
    http_client::send_over(here, request).await.expect("an answer").status.as_u16()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn root_may_do_every_act_over_the_socket_and_other_users_may_do_none() {
    let app = App::start().await;
    for act in &acts() {
        if !act.name.starts_with("keys_") {
            let status = over_socket(&app, act, 0).await;
            assert!(![401, 403, 405, 500].contains(&status), "{}: {status}", act.name);
        }
        assert_eq!(over_socket(&app, act, 54321).await, 403, "{}", act.name);
    }
}

async fn newest(app: &App) -> (String, String, String) {
    let entry = app.service.audit.entries(&AuditQuery::Newest, 1).await.expect("read").remove(0);
    (entry.actor, entry.action, entry.change)
}

#[tokio::test]
async fn the_audit_trail_names_the_operator_of_each_change_and_search() {
    // D119
    let app = App::start().await;
    let console = Console::start(&app.service);
    let session =
        console.has_operator(&app, "Meera", &[Role::Admin], &mut Authenticator::new(&console)).await;
    let session = session.split_once('=').expect("a cookie").1;
    let meera = app.service.team.find("Meera").await.expect("there").id.to_string();
    let add = json!({ "kind": "SALE", "from": "Asha Rao, 98765 43210", "text": "It was never told." });
    let added = console.act("POST", "/complaints", session, &add).await;
    assert_eq!(added.0, 200, "{}", added.1);
    assert_eq!(newest(&app).await, (meera.clone(), "complaint.add".into(), "complaint.add".into()));
    let find = json!({ "mobile": "9876543210" });
    let found = console.act("POST", "/policies/search", session, &find).await;
    assert_eq!(found.0, 200, "{}", found.1);
    assert_eq!(newest(&app).await, (meera, "policy.find".into(), "personal.search".into()));
    let everything = app.service.audit.entries(&AuditQuery::Newest, 999).await.expect("read");
    let told = format!("{everything:?}");
    assert!(!told.contains("Asha") && !told.contains("43210"), "{told}");
    let exported = console.act("POST", "/audit/export", session, &Value::Null).await;
    assert_eq!(exported.0, 400, "a body that is none");
}

#[tokio::test]
async fn personal_data_is_shown_only_with_a_reason_and_never_to_the_role_read() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let session = async |name: &str, role: Role| {
        let cookie = console.has_operator(&app, name, &[role], &mut Authenticator::new(&console)).await;
        cookie.split_once('=').expect("a cookie").1.to_owned()
    };
    let (support, reader) = (session("Meera", Role::Support).await, session("Arjun", Role::Read).await);
    let add = json!({ "kind": "SALE", "from": "Canary Rao", "text": "It was never told." });
    let (_, added) = console.act("POST", "/complaints", &support, &add).await;
    let path = format!("/complaints/{}", added["complaint_id"].as_str().expect("an id"));
    let show = async |query: &str, session: &str| {
        console.act("GET", &format!("{path}{query}"), session, &json!({})).await
    };
    let (status, masked) = show("", &support).await;
    assert!(status == 200 && !masked.to_string().contains("Canary"), "{masked}");
    for (query, says) in [
        ("?personal=true", "Required with personal."),
        ("?personal=true&reason=%20%20%20%20%20", "Required with personal."),
        ("?personal=true&reason=no", "Must say in at least"),
    ] {
        let (status, refused) = show(query, &support).await;
        assert!(status == 400 && refused.to_string().contains(says), "{query}: {refused}");
    }
    let why = "?personal=true&reason=Canary%20called";
    assert_eq!(show(why, &reader).await.0, 403);
    let (_, shown) = show(why, &support).await;
    assert_eq!(shown["from"], "Canary Rao");
    let entry = app.service.audit.entries(&AuditQuery::Newest, 1).await.expect("read").remove(0);
    assert_eq!((entry.change.as_str(), entry.reason.as_deref()), ("personal.reveal", Some("Canary called")));
    // The reason names a person, so no list and no file shows it without permission.
    let admin = session("Divya", Role::Admin).await;
    let (_, listed) = console.act("GET", "/audit", &admin, &json!({})).await;
    assert!(
        listed.to_string().contains("personal.reveal") && !listed.to_string().contains("Canary"),
        "{listed}"
    );
    let url = format!("{}/operator/v1/audit/export", console.base);
    let asked = reqwest::Client::new().post(url).bearer_auth(&admin).json(&json!({})).send().await;
    let file = asked.expect("an answer").text().await.expect("a text");
    assert!(file.contains("personal.reveal") && !file.contains("Canary"), "{file}");
}
