//! Acts that wait for a second operator (D121).

use std::sync::Arc;
use std::time::Duration;

use domain::approval::ApprovalState;
use domain::team::Role;
use serde_json::{Value, json};
use service::acting::{Acting, Actor, Via, act_as};
use service::catalogue::CatalogueReview;
use service::storage::audit::AuditQuery;

use crate::support::App;
use crate::support::console::{Authenticator, Console};

/// A team of three, with their sessions.
pub(crate) struct Team {
    pub app: App,
    pub console: Console,
    pub meera: String,
    pub arjun: String,
    /// Divya has another role than the other two.
    pub divya: String,
}

impl Team {
    pub(crate) async fn new() -> Team {
        Team::of(App::start().await).await
    }

    pub(crate) async fn of(app: App) -> Team {
        let console = Console::start(&app.service);
        let session = async |name: &str, role: Role| {
            let cookie = console.has_operator(&app, name, &[role], &mut Authenticator::new(&console)).await;
            cookie.split_once('=').expect("a cookie").1.to_owned()
        };
        let (meera, arjun) = (session("Meera", Role::Admin).await, session("Arjun", Role::Admin).await);
        let divya = session("Divya", Role::Support).await;
        Team { app, console, meera, arjun, divya }
    }

    pub(crate) async fn act(&self, session: &str, path: &str, body: Value) -> (u16, Value) {
        self.console.act("POST", path, session, &body).await
    }

    /// Meera invites an administrator, which needs an approval. Returns the id of the approval.
    async fn asks(&self, name: &str) -> String {
        let (status, waits) =
            self.act(&self.meera, "/operators", json!({ "name": name, "roles": ["admin"] })).await;
        assert_eq!((status, &waits["state"]), (202, &json!("waiting")), "{waits}");
        waits["approval_id"].as_str().expect("an id").to_owned()
    }

    /// Meera gives Divya another role, which needs an approval. Returns the id of the approval.
    async fn asks_for_divya(&self) -> String {
        let roles = json!({ "roles": ["support", "claims"] });
        let (status, waits) = self.act(&self.meera, "/operators/Divya/roles", roles).await;
        assert_eq!((status, &waits["state"]), (202, &json!("waiting")), "{waits}");
        waits["approval_id"].as_str().expect("an id").to_owned()
    }

    async fn roles_of(&self, name: &str) -> Vec<Role> {
        self.app.service.team.find(name).await.expect("there").roles
    }

    /// A colleague whom Meera invites, with Arjun's approval. Returns the session.
    async fn is_joined_by(&self, name: &str) -> String {
        let id = self.asks(name).await;
        assert_eq!(self.approves(&self.arjun, &id).await.0, 200);
        let invite = json!({ "name": name, "roles": ["admin"] });
        let (_, invited) = self.act(&self.meera, "/operators", invite).await;
        let link = invited["link"].as_str().unwrap_or_else(|| panic!("no link: {invited}"));
        let cookie = self.console.enrols(link, &mut Authenticator::new(&self.console)).await;
        cookie.split_once('=').expect("a cookie").1.to_owned()
    }

    pub(crate) async fn approves(&self, session: &str, id: &str) -> (u16, Value) {
        self.act(session, &format!("/approvals/{id}/approval"), json!({})).await
    }
}

#[tokio::test]
async fn an_act_is_done_only_after_another_operator_with_the_required_role_approves_it() {
    let team = Team::new().await;
    let id = team.asks("Kiran").await;
    assert_eq!(team.asks("Kiran").await, id, "the same again is the same");
    assert!(team.app.service.team.find("Kiran").await.is_err(), "nothing is done yet");
    let (status, own) = team.approves(&team.meera, &id).await;
    assert!(status == 403 && own["detail"].to_string().contains("another operator must decide it"), "{own}");
    let (status, other) = team.approves(&team.divya, &id).await;
    assert!(status == 403 && other["detail"].to_string().contains("needs one of these roles"), "{other}");
    let (status, approved) = team.approves(&team.arjun, &id).await;
    assert_eq!((status, &approved["state"]), (200, &json!("approved")), "{approved}");
    assert!(approved["link"].is_null(), "only the requester may get the link: {approved}");
    let invite = json!({ "name": "Kiran", "roles": ["admin"] });
    let (status, done) = team.act(&team.meera, "/operators", invite).await;
    assert!(status == 200 && done["link"].to_string().contains("/invitation/"), "{done}");
    let kiran = team.app.service.team.find("Kiran").await.expect("invited");
    let about = service::storage::audit::AuditQuery::Subject(kiran.id.to_string());
    let entries = team.app.service.audit.entries(&about, 9).await.expect("read");
    assert_eq!(entries[0].approval.as_deref(), Some(id.as_str()));
    let (status, again) = team.approves(&team.arjun, &id).await;
    assert!(status == 409 && again["detail"].to_string().contains("decided it at"), "{again}");
}

#[tokio::test]
async fn root_on_the_servers_machine_can_approve_an_operators_act() {
    let team = Team::new().await;
    let id = team.asks("Kiran").await;
    let root = team.app.service.clone();
    let router = operators::router(root, crate::support::console::serving("http://localhost"));
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(operators::serve_connection(router, operators::RequestOrigin::Local { uid: 0 }, there));
    let mut request = operators::Asking::new("{}".into());
    *request.method_mut() = "POST".parse().expect("a method");
    *request.uri_mut() = format!("/operator/v1/approvals/{id}/approval").parse().expect("a path");
    request.headers_mut().insert("host", operators::HeaderValue::from_static("covernote"));
    let answer = http_client::send_over(here, request).await.expect("an answer");
    assert_eq!(answer.status.as_u16(), 200);
}

#[tokio::test]
async fn a_requested_approval_expires_after_72_hours_and_can_be_refused_or_withdrawn() {
    let team = Team::new().await;
    let id = team.asks("Kiran").await;
    let refuse = format!("/approvals/{id}/refusal");
    let refused = team.act(&team.arjun, &refuse, json!({ "reason": "Not known here" })).await;
    assert_eq!((refused.0, &refused.1["state"]), (200, &json!("refused")), "{}", refused.1);
    let id = team.asks("Kiran").await;
    let withdraw = format!("/approvals/{id}/withdrawal");
    assert_eq!(team.act(&team.arjun, &withdraw, json!({})).await.0, 403, "only who asked");
    let withdrawn = team.act(&team.meera, &withdraw, json!({})).await;
    assert_eq!((withdrawn.0, &withdrawn.1["state"]), (200, &json!("withdrawn")), "{}", withdrawn.1);
    let id = team.asks("Kiran").await;
    team.app.clock.advance(Duration::from_secs(72 * 3600));
    assert!(team.app.service.approvals.waiting(None, 9).await.expect("read").is_empty());
    let found = team.app.service.approvals.find(id.parse().expect("an id")).await.expect("kept");
    assert!(!found.is_open(team.app.service.team.now()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_simultaneous_decisions_one_counts_and_the_conflict_answer_names_its_operator() {
    let team = Team::new().await;
    let arjun = team.app.service.team.find("Arjun").await.expect("there").id.to_string();
    for round in 0..5 {
        let id = team.asks(&format!("Kiran {round}")).await;
        let refuse = format!("/approvals/{id}/refusal");
        let (approved, refused) = tokio::join!(
            team.approves(&team.arjun, &id),
            team.act(&team.arjun, &refuse, json!({ "reason": "no" }))
        );
        let statuses = [approved.0, refused.0];
        assert!(
            statuses.contains(&200) && statuses.contains(&409),
            "{statuses:?}: {} {}",
            approved.1,
            refused.1
        );
        let lost = if approved.0 == 409 { approved.1 } else { refused.1 };
        assert!(lost["detail"].to_string().contains(&arjun), "{lost}");
    }
}

impl Team {
    /// Arjun approves an act, and his process is killed before the act runs.
    async fn approves_and_is_killed(&self, id: &str) {
        let arjun = self.app.service.team.find("Arjun").await.expect("there").id;
        let by = Acting::of(Via::Https, "approval.approve").by(Actor::Operator(arjun));
        let decided =
            self.app.service.approvals.decide(id.parse().expect("an id"), ApprovalState::Approved, None);
        act_as(Arc::new(by), decided).await.expect("approved");
    }

    async fn ends_interrupted(&self) {
        let serving = crate::support::console::serving(&self.console.base);
        operators::end_interrupted(&self.app.service, &serving).await.expect("ended");
    }

    async fn state(&self, id: &str) -> (ApprovalState, Option<String>) {
        let found = self.app.service.approvals.find(id.parse().expect("an id")).await.expect("there");
        (found.state, found.reason)
    }
}

#[tokio::test]
async fn an_approved_act_that_a_kill_interrupted_is_completed_exactly_once_with_its_audit_entry() {
    // D138
    let team = Team::new().await;
    let id = team.asks_for_divya().await;
    team.approves_and_is_killed(&id).await;
    team.ends_interrupted().await;
    assert_eq!(team.state(&id).await.0, ApprovalState::Approved, "it may still be running");
    team.app.clock.advance(Duration::from_secs(61));
    tokio::join!(team.ends_interrupted(), team.ends_interrupted());
    assert_eq!(team.state(&id).await, (ApprovalState::Done, None));
    assert_eq!(team.roles_of("Divya").await, [Role::Support, Role::Claims]);
    let divya = team.app.service.team.find("Divya").await.expect("there").id.to_string();
    let entries = async || {
        let all = team.app.service.audit.entries(&AuditQuery::Subject(divya.clone()), 9).await.expect("read");
        all.into_iter().filter(|entry| entry.approval.as_deref() == Some(&id)).collect::<Vec<_>>()
    };
    let arjun = team.app.service.team.find("Arjun").await.expect("there").id.to_string();
    let first = entries().await;
    assert_eq!(first.iter().map(|entry| &entry.actor).collect::<Vec<_>>(), [&arjun], "{first:?}");
    team.ends_interrupted().await;
    assert_eq!(entries().await.len(), 1);
}

#[tokio::test]
async fn an_interrupted_act_fails_if_its_requester_has_lost_access_and_states_this_reason() {
    let team = Team::new().await;
    let id = team.asks_for_divya().await;
    team.approves_and_is_killed(&id).await;
    team.app.service.team.end("Meera").await.expect("left");
    team.app.clock.advance(Duration::from_secs(61));
    team.ends_interrupted().await;
    let (state, reason) = team.state(&id).await;
    assert_eq!(state, ApprovalState::Failed);
    assert!(reason.as_ref().is_some_and(|why| why.contains("may no longer do operator.roles")), "{reason:?}");
    assert_eq!(team.roles_of("Divya").await, [Role::Support]);
}

#[tokio::test]
async fn an_approval_fails_if_the_record_has_changed_since_the_act_was_requested() {
    let team = Team::new().await;
    let admin = json!({ "roles": ["admin"] });
    let (status, waits) = team.act(&team.meera, "/operators/Divya/roles", admin).await;
    assert_eq!(status, 202, "{waits}");
    team.app.service.team.change_roles("Divya", vec![Role::Claims]).await.expect("changed");
    let id = waits["approval_id"].as_str().expect("an id");
    let (status, stale) = team.approves(&team.arjun, id).await;
    assert!(status == 409 && stale["detail"].to_string().contains("Changed meanwhile"), "{stale}");
    let (_, shown) = team.console.act("GET", &format!("/approvals/{id}"), &team.meera, &json!({})).await;
    assert_eq!(shown["state"], "failed");
    assert_eq!(team.app.service.team.find("Divya").await.expect("there").roles, [Role::Claims]);
}

#[tokio::test]
async fn the_payment_of_a_large_claim_needs_an_approval_which_the_claim_shows_as_pending() {
    let team = Team::new().await;
    let (claim, _) = team.app.has_claim().await;
    for decision in
        [json!({ "status": "UNDER_ASSESSMENT" }), json!({ "status": "APPROVED", "amount": "100000" })]
    {
        let decided = team.act(&team.meera, &format!("/claims/{claim}/decision"), decision).await;
        assert_eq!(decided.0, 200, "{}", decided.1);
    }
    let claims = &team.app.service.claims;
    let id = claim.parse().expect("an id");
    let made = claims.view(claims.owner(id).await.expect("whose"), id).await.expect("there").shown.claim;
    let missing = claims.missing_papers(&made).await.expect("read").into_iter();
    let waive: Vec<String> = missing.map(|paper| format!("{paper}=Seen by the branch")).collect();
    let payment = json!({ "reference": "UTR-1", "waive": waive });
    let (status, waits) = team.act(&team.meera, &format!("/claims/{claim}/payment"), payment).await;
    assert_eq!(status, 202, "{waits}");
    assert!(waits["what"].to_string().contains("1,00,000.00"), "{waits}");
    let (_, shown) = team.console.act("GET", &format!("/claims/{claim}"), &team.divya, &json!({})).await;
    assert_eq!(shown["pending_approvals"][0]["approval_id"], waits["approval_id"], "{shown}");
    let (_, done) = team.approves(&team.arjun, waits["approval_id"].as_str().expect("an id")).await;
    assert_eq!(
        (&done["notes"][0], &done["state"]),
        (&json!(format!("{claim} is PAID")), &json!("done")),
        "{done}"
    );
    let (_, shown) = team.console.act("GET", &format!("/claims/{claim}"), &team.divya, &json!({})).await;
    assert!(shown["pending_approvals"].is_null(), "{shown}");
}

#[tokio::test]
async fn one_approval_allows_its_requester_one_download_of_a_file_with_personal_data() {
    let team = Team::new().await;
    let export = async |session: &str| {
        team.console
            .act("GET", "/policies.csv?personal=true&reason=the+insurer+asked", session, &json!({}))
            .await
    };
    let (status, waits) = export(&team.meera).await;
    assert_eq!(status, 202, "{waits}");
    let (status, approved) = team.approves(&team.arjun, waits["approval_id"].as_str().expect("an id")).await;
    assert_eq!((status, &approved["state"]), (200, &json!("approved")), "{approved}");
    assert_eq!(export(&team.arjun).await.0, 202, "it is not his");
    assert_eq!(export(&team.meera).await.0, 200);
    assert_eq!(export(&team.meera).await.0, 202, "once");
    assert_eq!(
        team.console.act("GET", "/policies.csv", &team.meera, &json!({})).await.0,
        200,
        "not personal"
    );
}

/// The sample catalogue with another name.
fn named(name: &str) -> rating::Files {
    let sample = rating::Files::sample();
    let files = sample.paths().map(|path| {
        let content = sample.get(path).expect("a file").to_vec();
        let text = String::from_utf8(content.clone()).unwrap_or_default();
        let named = text.lines().find(|line| path == "catalogue.toml" && line.starts_with("name = "));
        let changed = named.map(|line| text.replace(line, &format!("name = \"{name}\"")).into_bytes());
        (path.to_owned(), changed.unwrap_or(content))
    });
    rating::Files::of(files).expect("paths")
}

fn publish(name: &str) -> Value {
    let version = service::catalogue::Version::of(&named(name)).expect("it loads");
    operators::fields_to_publish(&version).into()
}

/// Name of the catalogue of a process, and whether its own folder waits for approval.
fn runs(process: &Arc<service::Service>) -> (String, bool) {
    let catalogues = &process.shared.catalogues;
    (catalogues.running().name().to_owned(), catalogues.unapproved().is_some())
}

#[tokio::test]
async fn a_process_runs_no_unapproved_catalogue_if_the_team_has_a_second_approver() {
    // D141
    let app = App::start().await;
    let console = Console::start(&app.service);
    let first = app.another_process(&named("First")).await;
    assert_eq!(runs(&first), ("First".to_owned(), false), "there is no team");
    let cookie =
        console.has_operator(&app, "Meera", &[Role::Catalogue], &mut Authenticator::new(&console)).await;
    let second = app.another_process(&named("Second")).await;
    assert_eq!(runs(&second), ("Second".to_owned(), false), "a team of one");
    console.has_operator(&app, "Arjun", &[Role::Read], &mut Authenticator::new(&console)).await;
    let read = app.another_process(&named("First")).await;
    assert_eq!(runs(&read), ("First".to_owned(), false), "the other one may not approve a catalogue");
    console.has_operator(&app, "Divya", &[Role::Admin], &mut Authenticator::new(&console)).await;
    let third = app.another_process(&named("Third")).await;
    assert_eq!(runs(&third), ("First".to_owned(), true), "the one that ran last");
    let version = || service::catalogue::Version::of(&named("Fourth")).expect("it loads");
    assert!(!third.shared.catalogues.run(version()).await.expect("read"), "not after SIGHUP either");
    let waiting = third.waiting.all().await.expect("read");
    let waits = waiting.iter().find(|one| one.kind == service::waiting::WaitingKind::Catalogue);
    assert!(waits.is_some_and(|one| one.about.contains("was not approved")), "{waiting:?}");
    let ready = app.serves(third.clone());
    let told = reqwest::get(format!("{}/readyz", ready.base)).await.expect("an answer").text().await;
    assert!(told.expect("text").contains("unapproved_catalogue"));
    let session = cookie.split_once('=').expect("a cookie").1;
    let (status, waits) = console.act("POST", "/catalogue", session, &publish("Third")).await;
    assert_eq!(status, 202, "{waits}");
    assert_eq!(runs(&app.another_process(&named("Third")).await), ("First".to_owned(), true));
    let elsewhere = app.another_process_with(&named("Fourth"), CatalogueReview::Folder).await;
    assert_eq!(runs(&elsewhere), ("Fourth".to_owned(), false), "it is reviewed elsewhere");
}

#[tokio::test]
async fn a_process_that_starts_after_an_approval_uses_the_approved_catalogue() {
    // D141
    let team = Team::new().await;
    let (_, first) = team.act(&team.meera, "/catalogue", publish("First")).await;
    let (status, done) = team.approves(&team.arjun, first["approval_id"].as_str().expect("an id")).await;
    assert_eq!(status, 200, "{done}");
    let restarted = team.app.another_process(&named("Second")).await;
    assert_eq!(runs(&restarted), ("First".to_owned(), true));
}

#[tokio::test]
async fn a_catalogue_is_published_after_approval_unless_another_one_has_started_since_the_request() {
    let team = Team::new().await;
    let (status, first) = team.act(&team.meera, "/catalogue", publish("First")).await;
    assert!(status == 202 && first["what"].to_string().contains("the catalogue First"), "{first}");
    let (status, faulty) = team.act(&team.meera, "/catalogue", json!({ "files": "AAAA" })).await;
    assert_eq!(status, 400, "{faulty}");
    let (status, done) = team.approves(&team.arjun, first["approval_id"].as_str().expect("an id")).await;
    assert_eq!(status, 200, "{done}");
    let announced = team.app.service.shared.catalogues.announced().await.expect("read").expect("announced");
    assert_eq!(announced.name(), "First");
    let (_, second) = team.act(&team.meera, "/catalogue", publish("Second")).await;
    team.app.service.shared.catalogues.run_kept(announced).await.expect("run");
    let (status, stale) = team.approves(&team.arjun, second["approval_id"].as_str().expect("an id")).await;
    assert!(status == 409 && stale["detail"].to_string().contains("Changed meanwhile"), "{stale}");
}

#[tokio::test]
async fn no_token_can_give_an_approval_and_a_passkey_confirmation_allows_it_for_five_minutes() {
    let team = Team::new().await;
    let token = json!({ "name": "mine", "roles": ["admin"], "days": 9 });
    let of_support = json!({ "name": "nightly", "roles": ["support"], "days": 9 });
    let (status, others) = team.act(&team.meera, "/operators/Divya/tokens", of_support).await;
    assert_eq!((status, &others["act"]), (202, &json!("operator.token")), "also for others: {others}");
    let (status, waits) = team.act(&team.arjun, "/operators/Arjun/tokens", token.clone()).await;
    assert_eq!(status, 202, "{waits}");
    assert_eq!(team.approves(&team.meera, waits["approval_id"].as_str().expect("an id")).await.0, 200);
    let (status, own) = team.act(&team.arjun, "/operators/Arjun/tokens", token).await;
    assert_eq!(status, 200, "{own}");
    let id = team.asks("Kiran").await;
    let (status, refused) = team.approves(own["token"].as_str().expect("a token"), &id).await;
    assert!(status == 403 && refused["detail"].to_string().contains("a token cannot do it"), "{refused}");
    // To give access needs an approval, too. With it, Meera could act as a colleague.
    for (path, body) in [
        ("/operators", json!({ "name": "Puppet", "roles": ["read"] })),
        ("/operators/Arjun/recovery", json!({})),
        ("/operators/Divya/roles", json!({ "roles": ["claims"] })),
        ("/partners", json!({ "name": "A Partner" })),
    ] {
        assert_eq!(team.act(&team.meera, path, body).await.0, 202, "{path}");
    }
    // A confirmation that is older than five minutes does not allow an approval.
    team.app.clock.advance(Duration::from_secs(301));
    assert_eq!(team.approves(&team.arjun, &id).await.0, 403);
}

#[tokio::test]
async fn one_user_of_the_servers_machine_cannot_approve_the_request_of_another() {
    use service::acting::{Acting, Actor, Via, act_as};
    use service::team::approval::NewApproval;
    let team = Team::new().await;
    let as_user = |uid: u32| std::sync::Arc::new(Acting::of(Via::Socket, "x").by(Actor::User(uid)));
    let approvals = &team.app.service.approvals;
    let new = NewApproval {
        act: "refund.paid",
        path: Vec::new(),
        body: String::new(),
        subject: "pol_1".into(),
        has_record: true,
        subject_version: "1".into(),
        what: "a refund".into(),
        facts: Vec::new(),
    };
    let asked = act_as(as_user(0), approvals.ask(new)).await.expect("asked");
    let approved = domain::approval::ApprovalState::Approved;
    let own = act_as(as_user(999), approvals.decide(asked.id, approved, None)).await;
    assert!(own.expect_err("refused").to_string().contains("another operator must decide it"));
}

#[tokio::test]
async fn a_waiting_approval_stays_listed_when_60_newer_ones_were_withdrawn() {
    let team = Team::new().await;
    let id = team.asks("Kiran").await;
    for round in 0..60 {
        let other = team.asks(&format!("Kiran {round}")).await;
        let withdraw = format!("/approvals/{other}/withdrawal");
        assert_eq!(team.act(&team.meera, &withdraw, json!({})).await.0, 200);
    }
    let (_, listed) = team.console.act("GET", "/approvals", &team.arjun, &json!({})).await;
    assert_eq!(listed["approvals"][0]["approval_id"], id.as_str());
    assert_eq!(listed["approvals"].as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn the_only_operator_of_a_team_needs_no_approval() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let cookie = console.has_operator(&app, "Meera", &[Role::Admin], &mut Authenticator::new(&console)).await;
    let session = cookie.split_once('=').expect("a cookie").1;
    let invite = json!({ "name": "Arjun", "roles": ["admin"] });
    assert_eq!(console.act("POST", "/operators", session, &invite).await.0, 200);
}

#[tokio::test]
async fn an_operator_cannot_avoid_approvals_by_taking_access_away_from_colleagues() {
    // D139
    let team = Team::new().await;
    let asked_by_arjun =
        team.act(&team.arjun, "/operators", json!({ "name": "Puppet", "roles": ["admin"] })).await;
    assert_eq!(asked_by_arjun.0, 202);
    let (status, ended) = team.act(&team.meera, "/operators/Arjun/end", json!({})).await;
    assert_eq!(status, 200, "access is taken away at once: {ended}");
    let waiting = team.app.service.approvals.waiting(None, 9).await.expect("read");
    assert!(waiting.is_empty(), "what he requested is void: {waiting:?}");
    team.app.service.team.change_roles("Divya", vec![Role::Read, Role::Support]).await.expect("changed");
    let (status, ended) = team.act(&team.meera, "/operators/Divya/roles", json!({ "roles": ["read"] })).await;
    assert_eq!(status, 200, "{ended}");
    // Roles that are taken one after the other all count.
    team.app.service.team.change_roles("Divya", vec![Role::Claims]).await.expect("changed");
    let divya = team.app.service.team.find("Divya").await.expect("there");
    let since = team.app.service.team.now() - Duration::from_secs(72 * 3600);
    assert!(divya.counts_as_approver(&[Role::Support], since), "{:?}", divya.taken);
    team.asks("Kiran").await;
    team.app.clock.advance(Duration::from_secs(73 * 3600));
    let passkey = &mut Authenticator::new(&team.console);
    let cookie = team.console.has_operator(&team.app, "Anu", &[Role::Admin], passkey).await;
    let anu = cookie.split_once('=').expect("a cookie").1;
    let (status, waits) = team.act(anu, "/operators", json!({ "name": "Ravi", "roles": ["read"] })).await;
    assert_eq!(status, 202, "Meera and Divya are still there: {waits}");
}

#[tokio::test]
async fn a_request_of_an_operator_who_lost_the_role_cannot_be_approved() {
    let team = Team::new().await;
    let id = team.asks_for_divya().await;
    // As if the process was killed before it withdrew the request.
    team.app.service.team.change_roles("Meera", vec![Role::Read]).await.expect("changed");
    let (status, refused) = team.approves(&team.arjun, &id).await;
    assert!(
        status == 409 && refused["detail"].to_string().contains("may no longer do operator.roles"),
        "{refused}"
    );
    assert_eq!(team.roles_of("Divya").await, [Role::Support]);
}

#[tokio::test]
async fn the_only_administrator_can_give_access_with_the_approval_of_any_colleague() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let session = async |name: &str, role: Role| {
        let cookie = console.has_operator(&app, name, &[role], &mut Authenticator::new(&console)).await;
        cookie.split_once('=').expect("a cookie").1.to_owned()
    };
    let (meera, divya) = (session("Meera", Role::Admin).await, session("Divya", Role::Accounts).await);
    for (path, body) in [
        ("/operators/Divya/recovery", json!({})),
        ("/operators", json!({ "name": "Puppet", "roles": ["accounts"] })),
    ] {
        let (status, waits) = console.act("POST", path, &meera, &body).await;
        assert_eq!(status, 202, "{path}: {waits}");
        let approval = format!("/approvals/{}/approval", waits["approval_id"].as_str().expect("an id"));
        let (status, own) = console.act("POST", &approval, &meera, &json!({})).await;
        assert_eq!(status, 403, "{own}");
        if path == "/operators" {
            assert_eq!(console.act("POST", &approval, &divya, &json!({})).await.0, 200);
            assert_eq!(console.act("POST", path, &meera, &body).await.0, 200);
        }
    }
}

#[tokio::test]
async fn a_recovered_access_is_listed_in_todays_work_for_24_hours() {
    // D139
    let team = Team::new().await;
    team.app.service.team.recover("Divya").await.expect("recovered");
    let waits = async || {
        let all = team.app.service.waiting.all().await.expect("read");
        all.iter().filter(|one| one.kind == service::waiting::WaitingKind::Recovery).count()
    };
    assert_eq!(waits().await, 1);
    let (_, today) = team.console.act("GET", "/waiting", &team.arjun, &json!({})).await;
    assert!(today.to_string().contains("access of Divya was recovered"), "{today}");
    team.app.clock.advance(Duration::from_secs(24 * 3600));
    assert_eq!(waits().await, 0);
}

#[tokio::test]
async fn an_operator_cannot_approve_for_the_colleague_who_gave_them_access_in_the_last_72_hours() {
    // D139
    let team = Team::new().await;
    let kiran = team.is_joined_by("Kiran").await;
    let id = team.asks_for_divya().await;
    let (status, refused) = team.approves(&kiran, &id).await;
    assert!(status == 403 && refused["detail"].to_string().contains("gave you access"), "{refused}");
    // More access from somebody else changes nothing.
    team.app.service.team.change_roles("Kiran", vec![Role::Claims]).await.expect("changed");
    team.app.service.team.change_roles("Kiran", vec![Role::Admin]).await.expect("changed");
    let access = team.app.service.team.find("Kiran").await.expect("there").access.expect("an entry");
    let meera = team.app.service.team.find("Meera").await.expect("there").id.to_string();
    assert!(access.given_by.contains(&meera), "{access:?}");
    assert_eq!(team.approves(&team.arjun, &id).await.0, 200);
}

#[tokio::test]
async fn an_operator_without_the_admin_role_can_end_only_their_own_sessions() {
    let team = Team::new().await;
    let session = |listed: &Value| listed["sessions"][0]["session"].as_str().expect("an id").to_owned();
    let sessions = async |name: &str| {
        let path = format!("/operators/{name}/sessions");
        team.console.act("GET", &path, &team.meera, &json!({})).await.1
    };
    let arjuns = json!({ "session": session(&sessions("Arjun").await) });
    let (status, refused) = team.act(&team.divya, "/operators/Arjun/session-endings", arjuns).await;
    assert!(status == 403 && refused["detail"].to_string().contains("Only an administrator"), "{refused}");
    let own = json!({ "session": session(&sessions("Divya").await) });
    assert_eq!(team.act(&team.divya, "/operators/Divya/session-endings", own).await.0, 200);
}

#[tokio::test]
async fn the_approval_limit_for_payments_changes_only_with_an_approval() {
    let team = Team::new().await;
    team.app.service.installation.set_approval_above(50_000).await.expect("stored");
    let limit = async |above: u32| team.act(&team.meera, "/approval-limit", json!({ "above": above })).await;
    let (status, waits) = limit(200_000).await;
    assert!(status == 202 && waits["what"].to_string().contains("₹2,00,000"), "{waits}");
    assert_eq!(team.approves(&team.arjun, waits["approval_id"].as_str().expect("an id")).await.0, 200);
    let stored = async || team.app.service.installation.approval_above().await.expect("read");
    assert_eq!(stored().await, Some(domain::money::Rupees::whole(200_000)));
    let (_, other) = limit(300_000).await;
    team.app.service.installation.set_approval_above(100_000).await.expect("stored");
    let (status, stale) = team.approves(&team.arjun, other["approval_id"].as_str().expect("an id")).await;
    assert!(status == 409 && stale["detail"].to_string().contains("Changed meanwhile"), "{stale}");
    assert_eq!(stored().await, Some(domain::money::Rupees::whole(100_000)));
}

/// Acts that give access, in a team with these colleagues: path, body, and the colleague who must be there.
const GIVING: [(&str, &str, Option<&str>); 6] = [
    ("/operators", r#"{"name":"Kiran","roles":["read"]}"#, None),
    ("/operators/Divya/roles", r#"{"roles":["support","claims","accounts"]}"#, Some("Divya")),
    ("/operators/Divya/recovery", "{}", Some("Divya")),
    ("/operators/Meera/tokens", r#"{"name":"job","roles":["read"],"days":9}"#, None),
    ("/partners", r#"{"name":"Acme"}"#, None),
    ("/partners/PARTNER/secrets", "{}", None),
];

/// Acts that take access away, in the same form.
const TAKING: [(&str, &str, Option<&str>); 4] = [
    ("/operators/Divya/roles", r#"{"roles":["read"]}"#, Some("Divya")),
    ("/partners/PARTNER/token-revocations", "{}", None),
    ("/partners/PARTNER/disabling", "{}", None),
    ("/operators/Divya/end", "{}", Some("Divya")),
];

/// Teams by the roles of Meera's colleagues.
const TEAMS: [&[(&str, &[Role])]; 3] = [
    &[],
    &[("Divya", &[Role::Support, Role::Read])],
    &[("Divya", &[Role::Support, Role::Read]), ("Ravi", &[Role::Claims])],
];

#[tokio::test]
async fn giving_access_needs_an_approval_if_there_is_a_colleague_and_taking_it_needs_none() {
    // D139
    for colleagues in TEAMS {
        let app = App::start().await;
        let console = Console::start(&app.service);
        let session = async |name: &str, roles: &[Role]| {
            let cookie = console.has_operator(&app, name, roles, &mut Authenticator::new(&console)).await;
            cookie.split_once('=').expect("a cookie").1.to_owned()
        };
        let meera = session("Meera", &[Role::Admin]).await;
        let token =
            app.service.team.add_token("Meera", "job", vec![Role::Admin], 1).await.expect("made").text;
        let mut others = Vec::new();
        for (name, roles) in colleagues {
            others.push((*name, session(name, roles).await));
        }
        let is_there =
            |name: Option<&str>| name.is_none_or(|name| others.iter().any(|(one, _)| *one == name));
        let send = async |session: &str, (path, body, _): (&str, &str, Option<&str>)| {
            let path = path.replace("PARTNER", &app.partner().id.to_string());
            console.act("POST", &path, session, &serde_json::from_str(body).expect("JSON")).await
        };
        for act in GIVING.into_iter().filter(|(.., name)| is_there(*name)) {
            let (status, told) = send(&meera, act).await;
            let waits = !colleagues.is_empty();
            assert_eq!(status, if waits { 202 } else { 200 }, "{} with {colleagues:?}: {told}", act.0);
            if waits {
                // A machine's token never gives access: it waits, or needs a passkey.
                let (status, told) = send(&token, act).await;
                assert!([202, 403].contains(&status), "{} by a token: {status} {told}", act.0);
            }
            for (name, session) in &others {
                let (status, told) = send(session, act).await;
                assert_eq!(status, 403, "{} by {name}: {told}", act.0);
            }
        }
        for act in TAKING.into_iter().filter(|(.., name)| is_there(*name)) {
            for (name, session) in others.iter().filter(|(name, _)| act.2 != Some(name)) {
                assert_eq!(send(session, act).await.0, 403, "{} by {name}", act.0);
            }
            let (status, told) = send(&meera, act).await;
            assert_eq!(status, 200, "{} with {colleagues:?}: {told}", act.0);
        }
    }
}
