//! What a second operator sees and decides: facts, checks before the request, and one limit for money (D144).

use domain::approval::ApprovalFact;
use domain::money::Rupees;
use domain::team::Role;
use serde_json::{Value, json};
use service::storage::audit::AuditQuery;

use crate::approvals::Team;
use crate::support::console::Authenticator;
use crate::support::premium::{KALPANIK, NAMOONA};
use crate::support::{App, Setup};

impl Team {
    /// A claim that its insurer approved, with the ids of its missing papers.
    async fn has_approved_claim(&self) -> (String, Vec<String>) {
        let (claim, _) = self.app.has_claim().await;
        let approved = json!({ "status": "APPROVED", "amount": "100000" });
        for decision in [json!({ "status": "UNDER_ASSESSMENT" }), approved] {
            let decided = self.act(&self.meera, &format!("/claims/{claim}/decision"), decision).await;
            assert_eq!(decided.0, 200, "{}", decided.1);
        }
        let claims = &self.app.service.claims;
        let id = claim.parse().expect("an id");
        let view = claims.view(claims.owner(id).await.expect("whose"), id).await.expect("there");
        (claim, claims.missing_papers(&view.shown.claim).await.expect("read"))
    }

    /// Body of the payment of this claim, which waives the missing papers.
    fn payment(reference: &str, missing: &[String]) -> Value {
        let waive: Vec<String> = missing.iter().map(|paper| format!("{paper}=Seen by the branch")).collect();
        json!({ "reference": reference, "waive": waive })
    }

    async fn shows(&self, session: &str, id: &str) -> Value {
        let (status, shown) = self.console.act("GET", &format!("/approvals/{id}"), session, &json!({})).await;
        assert_eq!(status, 200, "{shown}");
        shown
    }

    async fn has_session(&self, name: &str, role: Role) -> String {
        let passkey = &mut Authenticator::new(&self.console);
        let cookie = self.console.has_operator(&self.app, name, &[role], passkey).await;
        cookie.split_once('=').expect("a cookie").1.to_owned()
    }

    async fn limits_payments_to(&self, rupees: i64) {
        let set = self.app.service.installation.set_approval_above(u32::try_from(rupees).expect("small"));
        set.await.expect("set");
    }
}

/// Value of a fact of an approval.
fn fact<'v>(shown: &'v Value, name: &str) -> Option<&'v str> {
    let facts = shown["facts"].as_array().expect("facts");
    facts.iter().find(|fact| fact["name"] == name).and_then(|fact| fact["value"].as_str())
}

fn id_of(waits: &Value) -> &str {
    waits["approval_id"].as_str().unwrap_or_else(|| panic!("no approval: {waits}"))
}

#[tokio::test]
async fn an_approval_shows_requester_payee_amount_and_every_field_and_masks_what_is_personal() {
    // D144
    let team = Team::new().await;
    let (claim, missing) = team.has_approved_claim().await;
    let payment = Team::payment("UTR-77", &missing);
    let (status, waits) = team.act(&team.meera, &format!("/claims/{claim}/payment"), payment).await;
    assert_eq!(status, 202, "{waits}");
    assert_eq!(waits["requester"], "Meera");
    let id = id_of(&waits).to_owned();
    let claims = team.has_session("Kiran", Role::Claims).await;
    let shown = team.shows(&claims, &id).await;
    assert_eq!(fact(&shown, "amount_moved"), Some("₹1,00,000.00"));
    assert_eq!(fact(&shown, "reference"), Some("UTR-77"));
    assert!(fact(&shown, "waive").is_some_and(|papers| papers.contains("=Seen by the branch")), "{shown}");
    let claimant = team.app.service.claims.view(team.app.partner().id, claim.parse().expect("an id")).await;
    let claimant = claimant.expect("there").shown.claim.notice.claimant.name.reveal().to_owned();
    assert_eq!(fact(&shown, "claimant"), Some(claimant.as_str()));
    let about = AuditQuery::Subject(id.clone());
    let entries = team.app.service.audit.entries(&about, 9).await.expect("read");
    assert!(entries.iter().any(|entry| entry.change == "personal.reveal"), "{entries:?}");
    // Support may see personal data, but not decide payments; catalogue may not see personal data.
    for other in [team.divya.clone(), team.has_session("Ravi", Role::Catalogue).await] {
        let masked = team.shows(&other, &id).await;
        assert_eq!((fact(&masked, "claimant"), fact(&masked, "waive")), (Some("…"), Some("…")), "{masked}");
        assert_eq!(fact(&masked, "amount_moved"), Some("₹1,00,000.00"));
    }
}

#[tokio::test]
async fn an_act_that_would_be_refused_is_refused_before_anybody_is_asked_to_approve_it() {
    // D144
    let team = Team::new().await;
    let (claim, missing) = team.has_approved_claim().await;
    let path = format!("/claims/{claim}/payment");
    let without_papers = json!({ "reference": "UTR-1" });
    let mut other_amount = Team::payment("UTR-1", &missing);
    other_amount["amount"] = "100001".into();
    for (body, why) in
        [(without_papers, "Required documents are missing"), (other_amount, "The amount must be")]
    {
        let (status, refused) = team.act(&team.meera, &path, body).await;
        assert!(status == 409 && refused["detail"].to_string().contains(why), "{status} {refused}");
    }
    let (status, refused) =
        team.act(&team.meera, "/operators", json!({ "name": "Arjun", "roles": ["read"] })).await;
    assert!(status >= 400, "the name is taken: {refused}");
    assert!(team.app.service.approvals.waiting(None, 9).await.expect("read").is_empty());
    assert_eq!(team.app.claim(&claim).await["status"], "APPROVED", "a rehearsal changes nothing");
}

#[tokio::test]
async fn only_one_approval_of_an_act_waits_for_a_record_and_a_requester_waits_for_at_most_20() {
    // D144
    let team = Team::new().await;
    let (claim, missing) = team.has_approved_claim().await;
    let path = format!("/claims/{claim}/payment");
    let (_, first) = team.act(&team.meera, &path, Team::payment("UTR-1", &missing)).await;
    let (_, same) = team.act(&team.meera, &path, Team::payment("UTR-1", &missing)).await;
    assert_eq!(id_of(&first), id_of(&same));
    for session in [&team.meera, &team.arjun] {
        let (status, refused) = team.act(session, &path, Team::payment("UTR-2", &missing)).await;
        assert!(status == 409 && refused["detail"].to_string().contains(id_of(&first)), "{status} {refused}");
    }
    for round in 1..20 {
        let invite = json!({ "name": format!("Kiran {round}"), "roles": ["read"] });
        assert_eq!(team.act(&team.meera, "/operators", invite).await.0, 202, "{round}");
    }
    let last = json!({ "name": "Kiran", "roles": ["read"] });
    let (status, refused) = team.act(&team.meera, "/operators", last.clone()).await;
    assert!(status == 409 && refused["detail"].to_string().contains("Withdraw some first"), "{refused}");
    assert_eq!(team.act(&team.arjun, "/operators", last).await.0, 202, "the others are not stopped");
}

#[tokio::test]
async fn every_act_that_moves_money_above_the_limit_or_closes_a_month_waits_for_a_second_operator() {
    // D144
    let setup =
        Setup::default().with_premium(KALPANIK, "by = \"partner\"").with_premium(NAMOONA, "by = \"here\"");
    let team = Team::of(setup.start().await).await;
    team.limits_payments_to(1).await;
    let app = &team.app;
    let paid = app.has_proposal("PENDING").await;
    let due = app.due(&paid).await;
    let (_, deposits) = team.console.act("GET", "/deposits", &team.meera, &json!({})).await;
    let deposit = deposits["deposits"][0].clone();
    let name = deposit["deposit"].as_str().expect("a deposit");
    let insurer = &deposit["insurer_id"];
    let money = json!({ "amount": "2.00", "reference": "UTR-2", "insurer": insurer });
    let withdrawn = json!({ "amount": "2.00", "reference": "UTR-5", "insurer": insurer });
    let cases = [
        (
            "premium.receive",
            "/payments".to_owned(),
            json!({ "items": [format!("{paid}={due}")], "reference": "UTR-1" }),
        ),
        ("deposit.top_up", format!("/deposits/{name}/top-ups"), money),
        ("deposit.withdraw", format!("/deposits/{name}/withdrawals"), withdrawn),
        ("statement.make", "/statements".to_owned(), json!({ "month": "2026-09", "without_licence": true })),
    ];
    for (act, path, body) in cases {
        let (status, waits) = team.act(&team.meera, &path, body).await;
        assert_eq!((status, &waits["act"]), (202, &json!(act)), "{act}: {waits}");
        let (status, done) = team.approves(&team.arjun, id_of(&waits)).await;
        assert_eq!((status, &done["state"]), (200, &json!("done")), "{act}: {done}");
    }
    let at_limit = json!({ "amount": "1.00", "reference": "UTR-3", "insurer": insurer });
    assert_eq!(team.act(&team.meera, &format!("/deposits/{name}/top-ups"), at_limit).await.0, 200);
    // The payment is there now, and its premium is to be remitted.
    let verdict = service::proposal::operator::Verdict::of(true, None);
    app.service.operator_proposals.decide(paid.parse().expect("an id"), verdict).await.expect("decided");
    app.is_completed_at_last(&paid).await;
    let remit = json!({ "ids": [paid], "reference": "UTR-4" });
    let (_, remitted) = team.act(&team.meera, "/remittances", remit.clone()).await;
    if app.premium_of(&paid).await.books.to_remit() > Rupees::ZERO {
        assert_eq!(remitted["act"], "premium.remit", "{remitted}");
        assert_eq!(team.approves(&team.arjun, id_of(&remitted)).await.0, 200);
    }
}

#[tokio::test]
async fn a_wrong_amount_is_settled_and_refunded_only_after_approval() {
    // D144
    let team = Team::of(Setup::paid_by_partner().start().await).await;
    team.limits_payments_to(1).await;
    let id = team.app.has_proposal("PENDING").await;
    assert_eq!(team.app.pays("UTR-1", &id, "100.00").await.status, 201);
    let settle = json!({ "how": "refund", "reference": "T-1" });
    let refund = json!({ "reference": "UTR-2" });
    for (act, path, body) in [
        ("premium.settle", format!("/premiums/{id}/settlement"), settle),
        ("premium.refund", format!("/premiums/{id}/refund"), refund),
    ] {
        let (status, waits) = team.act(&team.meera, &path, body).await;
        assert_eq!((status, &waits["act"]), (202, &json!(act)), "{waits}");
        assert_eq!(waits["subject"], id.as_str());
        let (status, done) = team.approves(&team.arjun, id_of(&waits)).await;
        assert_eq!(status, 200, "{done}");
    }
    assert_eq!(team.app.premium_of(&id).await.books.refundable, Rupees::ZERO);
}

#[tokio::test]
async fn a_month_is_not_closed_while_partners_would_lose_their_commission_without_a_word() {
    // D144
    let app = App::start().await;
    let console = crate::support::console::Console::start(&app.service);
    let passkey = &mut Authenticator::new(&console);
    let cookie = console.has_operator(&app, "Meera", &[Role::Accounts], passkey).await;
    let session = cookie.split_once('=').expect("a cookie").1;
    let (status, refused) = console.act("POST", "/statements", session, &json!({ "month": "2026-09" })).await;
    assert!(status == 400 && refused["detail"].to_string().contains("without a licence"), "{refused}");
    let anyway = json!({ "month": "2026-09", "without_licence": true });
    let (status, made) = console.act("POST", "/statements", session, &anyway).await;
    assert_eq!(status, 200, "{made}");
}

#[tokio::test]
async fn an_approval_of_a_catalogue_shows_its_files_and_ten_prices_before_and_after() {
    // D144
    let team = Team::new().await;
    let sample = rating::Files::sample();
    let rates = sample.paths().find(|path| path.ends_with("zones.csv")).expect("zones").to_owned();
    let files = sample.paths().map(|path| {
        let text = sample.get(path).expect("a file").to_vec();
        let text = match path == rates {
            true => [&text[..], b"\n"].concat(),
            false => text,
        };
        (path.to_owned(), text)
    });
    let files = rating::Files::of(files).expect("paths");
    let version = service::catalogue::Version::of(&files).expect("it loads");
    let fields: Value = operators::fields_to_publish(&version).into();
    let (status, waits) = team.act(&team.meera, "/catalogue", fields).await;
    assert_eq!(status, 202, "{waits}");
    assert_eq!(fact(&waits, "files_changed"), Some(rates.as_str()));
    assert_eq!(fact(&waits, "files_added"), Some("none"));
    assert_eq!(fact(&waits, "files_removed"), Some("none"));
    let prices = waits["facts"].as_array().expect("facts").iter();
    let prices: Vec<&Value> = prices
        .filter(|fact| fact["name"].as_str().is_some_and(|name| name.starts_with("price of ")))
        .collect();
    assert_eq!(prices.len(), 10, "{waits}");
    assert!(prices.iter().all(|price| price["value"].to_string().contains(" before, ")), "{prices:?}");
}

#[tokio::test]
async fn a_fact_of_another_program_version_does_not_void_an_approval_but_another_value_does() {
    // D144
    let team = Team::new().await;
    let invite = json!({ "roles": ["support", "claims"] });
    for (name, value, status) in [("fact of a newer version", "x", 200), ("roles", "support; read", 409)] {
        let (_, waits) = team.act(&team.meera, "/operators/Divya/roles", invite.clone()).await;
        let id = id_of(&waits).to_owned();
        let store = team.app.opens_store().await;
        let kept = store.approval(id.parse().expect("an id")).await.expect("read").expect("there");
        let mut facts = kept.facts.clone();
        facts.retain(|fact| fact.name != name);
        facts.push(ApprovalFact { name: name.into(), value: value.into(), is_personal: false });
        let changed = domain::approval::Approval { facts, what: "in other words".into(), ..kept };
        assert!(store.keep_approval(&changed).await.expect("kept"));
        let (found, answer) = team.approves(&team.arjun, &id).await;
        assert_eq!(found, status, "{answer}");
        team.app.service.team.change_roles("Divya", vec![Role::Support]).await.expect("changed");
    }
}

#[tokio::test]
async fn an_erasure_removes_a_person_from_approvals_and_fails_if_there_are_more_records_meanwhile() {
    // D144
    let team = Team::new().await;
    let has_session = async || {
        let metadata = json!({ "metadata": { "phone": "9000000007" } });
        assert_eq!(team.app.post("/v1/business/session", metadata).await.status, 201);
    };
    has_session().await;
    let by = |reason: &str| json!({ "mobile": "9000000007", "reason": reason });
    let (status, export) = team.act(&team.meera, "/persons/export", by("his letter of Monday")).await;
    assert_eq!(status, 202, "{export}");
    let (_, erasure) = team.act(&team.meera, "/persons/erasure", by("his letter of Friday")).await;
    assert_eq!(fact(&erasure, "records_erased"), Some("1"), "{erasure}");
    has_session().await;
    let (status, more) = team.approves(&team.arjun, id_of(&erasure)).await;
    assert!(status == 409 && more["detail"].to_string().contains("Changed meanwhile"), "{more}");
    let (_, erasure) = team.act(&team.meera, "/persons/erasure", by("his letter of Friday")).await;
    let (status, erased) = team.approves(&team.arjun, id_of(&erasure)).await;
    assert_eq!(status, 200, "{erased}");
    let store = team.app.opens_store().await;
    for id in [id_of(&export), id_of(&erasure)] {
        let kept = store.approval(id.parse().expect("an id")).await.expect("read").expect("there");
        let told =
            format!("{} {:?}", kept.body, kept.facts.iter().map(|fact| &fact.value).collect::<Vec<_>>());
        assert!(!told.contains("9000000007") && !told.contains("letter"), "{told}");
    }
    assert_eq!(team.shows(&team.meera, id_of(&export)).await["state"], "withdrawn");
}

#[tokio::test]
async fn an_approved_export_leaves_out_and_counts_the_records_that_were_made_after_its_request() {
    // D144
    let team = Team::new().await;
    let opens = async || {
        let metadata = json!({ "metadata": { "phone": "9000000007" } });
        assert_eq!(team.app.post("/v1/business/session", metadata).await.status, 201);
    };
    opens().await;
    let ask = json!({ "mobile": "9000000007", "reason": "his letter of Monday" });
    let (_, waits) = team.act(&team.meera, "/persons/export", ask.clone()).await;
    team.app.clock.advance(std::time::Duration::from_secs(60));
    opens().await;
    assert_eq!(team.approves(&team.arjun, id_of(&waits)).await.0, 200);
    let (status, file) = team.act(&team.meera, "/persons/export", ask).await;
    assert_eq!((status, file["sessions"].as_array().map(Vec::len)), (200, Some(1)), "{file}");
    assert!(file["left_out"].to_string().contains("1 records"), "{file}");
}
