//! Every act of an operator is done, and its answer fits the operators' OpenAPI document (D117, D143). The check of
//! each answer is in `support::operator_answers`.

use std::collections::BTreeSet;

use domain::team::Role;
use serde_json::{Value, json};
use service::catalogue::Version;

use crate::support::claims::pdf;
use crate::support::console::{Authenticator, Console};
use crate::support::health::PLAIN;
use crate::support::operator_answers::check;
use crate::support::premium::KALPANIK;
use crate::support::{App, Setup};

/// An administrator at the operators' API, with the acts that were done.
struct Walk {
    console: Console,
    session: String,
    done: BTreeSet<String>,
}

impl Walk {
    async fn of(app: &App) -> Walk {
        Walk::named(app, "Meera").await
    }

    async fn named(app: &App, name: &str) -> Walk {
        let console = Console::start(&app.service);
        let cookie = console.has_operator(app, name, &[Role::Admin], &mut Authenticator::new(&console)).await;
        let session = cookie.split_once('=').expect("a cookie").1.to_owned();
        Walk { console, session, done: BTreeSet::new() }
    }

    /// Does the act of this name, such as `claim_show`. `path` has the values of its path, in their order.
    async fn does(&mut self, name: &str, path: &[&str], body: Value) -> Value {
        let document = operators::document();
        let (template, method) = document["paths"]
            .as_object()
            .expect("paths")
            .iter()
            .flat_map(|(path, methods)| {
                methods.as_object().expect("methods").iter().map(move |one| (path, one))
            })
            .find(|(_, (_, operation))| operation["operationId"] == name)
            .map(|(path, (method, _))| (path.clone(), method.to_uppercase()))
            .unwrap_or_else(|| panic!("there is no act {name}"));
        let mut values = path.iter();
        let parts =
            template.trim_start_matches("/operator/v1").split('/').map(|part| match part.starts_with('{') {
                true => (*values.next().expect("a value")).to_owned(),
                false => part.to_owned(),
            });
        let mut address = parts.collect::<Vec<_>>().join("/");
        if method == "GET" {
            let query = body.as_object().into_iter().flatten();
            let query: Vec<String> = query
                .map(|(name, value)| {
                    format!("{name}={}", value.to_string().trim_matches('"').replace(' ', "%20"))
                })
                .collect();
            address = format!("{address}?{}", query.join("&"));
        }
        let (status, answer) = self.console.act(&method, &address, &self.session, &body).await;
        assert_eq!(status, 200, "{name}: {answer:#}");
        self.done.insert(name.to_owned());
        answer
    }
}

impl Walk {
    /// Uploads a file to an act.
    async fn sends(&mut self, name: &str, path: &str, file: Vec<u8>) -> Value {
        let url = format!("{}/operator/v1/{path}", self.console.base);
        let answer = reqwest::Client::new().post(url).bearer_auth(&self.session).body(file).send().await;
        let answer = answer.expect("an answer");
        let status = answer.status();
        let json: Value = answer.json().await.expect("JSON");
        assert_eq!(status, 200, "{name}: {json}");
        check("POST", &format!("/operator/v1/{path}"), &json);
        self.done.insert(name.to_owned());
        json
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_operator_act_succeeds_and_its_response_matches_the_operators_openapi_document() {
    let app = App::start().await;
    let mut walk = Walk::of(&app).await;
    let none = || json!({});
    // The partner
    let made = walk.does("partner_create", &[], json!({ "name": "A Lender" })).await;
    let partner = text(&made["partner_id"]);
    walk.does("partner_list", &[], none()).await;
    walk.does("partner_show", &[&partner], none()).await;
    walk.does("partner_refusals", &[&partner], none()).await;
    walk.does("partner_change", &[&partner], json!({ "tokens_per_hour": 7 })).await;
    walk.does("partner_grant", &[&partner], json!({ "scopes": ["business"] })).await;
    walk.does("partner_revoke", &[&partner], json!({ "scopes": ["business"] })).await;
    let second = walk.does("partner_secret_add", &[&partner], none()).await;
    walk.does("partner_secret_revoke", &[&partner], json!({ "number": second["secret_number"] })).await;
    walk.does("partner_tokens_revoke", &[&partner], none()).await;
    walk.does("partner_disable", &[&partner], none()).await;
    walk.does("partner_enable", &[&partner], none()).await;
    // Its endpoints
    let hook =
        json!({ "partner": partner, "url": "http://127.0.0.1:9099/hooks", "types": ["endpoint.ping"] });
    let endpoint = text(&walk.does("webhook_add", &[], hook).await["endpoint_id"]);
    let event = text(&walk.does("webhook_ping", &[&endpoint], none()).await["event_id"]);
    walk.does("webhook_list", &[], none()).await;
    walk.does("webhook_show", &[&endpoint], none()).await;
    walk.does("webhook_deliveries", &[&endpoint], none()).await;
    walk.does("webhook_retry", &[&endpoint, &event], none()).await;
    walk.does(
        "webhook_recover",
        &[&endpoint],
        json!({ "since": app.service.installation.now().to_string() }),
    )
    .await;
    walk.does("webhook_rotate", &[&endpoint], none()).await;
    walk.does("webhook_set", &[&endpoint], json!({ "status": "disabled" })).await;
    walk.does("webhook_remove", &[&endpoint], none()).await;
    // Sales
    let quote = app.has_quote().await;
    walk.does("quote_explain", &[quote["quote_id"].as_str().expect("an id")], none()).await;
    let pending = app.has_proposal("SUBMITTED").await;
    walk.does("proposal_list", &[], none()).await;
    walk.does("proposal_show", &[&pending], json!({ "personal": true, "reason": "to decide it" })).await;
    walk.does("proposal_decide", &[&pending], json!({ "status": "COMPLETED" })).await;
    walk.does("proposal_export", &[], none()).await;
    let policy = app.has_policy().await;
    walk.does("policy_list", &[], none()).await;
    walk.does("policy_show", &[&policy], none()).await;
    walk.does("policy_find", &[], json!({ "mobile": "9876543210" })).await;
    walk.does("policy_export", &[], none()).await;
    let named =
        walk.does("policy_list", &[], json!({ "personal": true, "reason": "to call them back" })).await;
    assert!(!text(&named["policies"][0]["insured"][0]).contains('…'), "{named}");
    walk.does("policy_certificate", &[&policy], json!({ "reason": "hand it over" })).await;
    let change = json!({ "kind": "CONTACT", "contact": { "email": "asha@example.com" } });
    walk.does("policy_endorse", &[&policy], json!({ "change": change })).await;
    walk.does("policy_endorsements", &[], none()).await;
    walk.does("policy_due", &[], none()).await;
    // Claims and complaints
    let death = json!({
        "kind": "DEATH", "event_on": app.service.installation.today().to_string(), "cause": "Fever", "claimant": "Ravi Rao",
        "relation": "spouse", "mobile": "9876543211",
    });
    let claim = text(&walk.does("claim_add", &[&policy], death.clone()).await["claim_id"]);
    walk.does("claim_list", &[], none()).await;
    walk.does("claim_show", &[&claim], none()).await;
    walk.does("claim_decide", &[&claim], json!({ "status": "UNDER_ASSESSMENT" })).await;
    let paper = app.uploads(&claim, "", "application/pdf", b"%PDF-1.7\n".to_vec()).await.json();
    let paper = text(&paper["payload"]["document_id"]);
    walk.does("claim_paper", &[&claim, &paper], json!({ "reason": "hand it over" })).await;
    walk.does("claim_withdraw", &[&claim], json!({ "reason": "A mistake" })).await;
    let again = text(&walk.does("claim_add", &[&policy], death).await["claim_id"]);
    walk.does("claim_decide", &[&again], json!({ "status": "UNDER_ASSESSMENT" })).await;
    walk.does("claim_ask", &[&again], json!({ "text": "The hospital bill", "by": "2026-12-01" })).await;
    walk.sends("claim_attach", &format!("claims/{again}/attachments/other"), pdf(100)).await;
    walk.does("claim_decide", &[&again], json!({ "status": "APPROVED", "amount": "1000" })).await;
    let shown = walk.does("claim_show", &[&again], none()).await;
    let waive: Vec<String> = shown["papers"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|paper| paper["required"] == true)
        .map(|paper| format!("{}=Seen by the branch", text(&paper["id"])))
        .collect();
    walk.does("claim_paid", &[&again], json!({ "reference": "UTR-1", "waive": waive })).await;
    let complaint = json!({ "kind": "SALE", "from": "Asha Rao", "text": "It was never told." });
    let complaint = text(&walk.does("complaint_add", &[], complaint).await["complaint_id"]);
    walk.does("complaint_list", &[], none()).await;
    walk.does("complaint_show", &[&complaint], none()).await;
    walk.does("complaint_answer", &[&complaint], json!({ "outcome": "upheld", "text": "Sorry." })).await;
    // Cancellation and refund
    let other = app.has_policy().await;
    walk.does("policy_cancel", &[&other], json!({ "reason": "FREE_LOOK" })).await;
    walk.does("refund_list", &[], none()).await;
    let asked = app.has_policy_decided_by("operator").await;
    app.cancels(&asked, "NOT_DISBURSED").await;
    walk.does("policy_decide", &[&asked], json!({ "verdict": "confirm" })).await;
    walk.does("refund_paid", &[&asked], json!({ "reference": "UTR-6" })).await;
    let waits = app.has_policy_decided_by("operator").await;
    let name =
        json!({ "kind": "NAME", "name": { "title": "MS", "first_name": "Aasha", "last_name": "Rao" } });
    app.endorses(&waits, name).await;
    walk.does("policy_decide_endorsement", &[&waits], json!({ "verdict": "confirm" })).await;
    // People
    let person = || json!({ "mobile": "9876543210", "reason": "their request of today" });
    walk.does("person_find", &[], json!({ "mobile": "9876543210" })).await;
    walk.does("person_export", &[], person()).await;
    let mut correct = person();
    correct["new_email"] = "new@example.com".into();
    walk.does("person_correct", &[], correct).await;
    walk.does("person_consents", &[], json!({ "mobile": "9876543210" })).await;
    walk.does("breach_list", &[], json!({ "reason": "incident 7 of today" })).await;
    walk.does("hold_set", &[&policy], json!({ "reason": "court case 7" })).await;
    walk.does("hold_list", &[], none()).await;
    walk.does("hold_release", &[&policy], none()).await;
    app.has_proposal("DRAFT").await;
    walk.does("person_erase", &[], person()).await;
    walk.does("retention_show", &[], none()).await;
    walk.does("retention_run", &[], none()).await;
    // Money
    walk.does("premium_list", &[], none()).await;
    walk.does("premium_show", &[&pending], none()).await;
    walk.does("premium_accounts", &[], none()).await;
    walk.does("premium_summary", &[], none()).await;
    walk.does("statement_checklist", &["2026-11"], none()).await;
    walk.does("deposit_list", &[], none()).await;
    // Work, store and trail
    let complaint = json!({ "kind": "SERVICE", "from": "Ravi, 9876543212", "text": "Nobody answers" });
    walk.does("complaint_add", &[], complaint).await;
    let waiting = walk.does("waiting_list", &[], none()).await;
    let task = &text(&waiting["waiting"][0]["task"]);
    walk.does("waiting_show", &[task], none()).await;
    walk.does("waiting_take", &[task], none()).await;
    walk.does("waiting_hand_over", &[task], json!({ "to": "Meera" })).await;
    walk.does("waiting_note", &[task], json!({ "text": "Called the insurer" })).await;
    let today = json!({ "until": app.service.installation.today().to_string() });
    walk.does("waiting_snooze", &[task], today).await;
    walk.does("store_examine", &[], none()).await;
    walk.does("store_verify", &[], none()).await;
    walk.does("keys_list", &[], none()).await;
    let key = walk.does("keys_rotate", &[], json!({ "purpose": "cursor" })).await;
    let earlier = key["number"].as_u64().expect("a number");
    assert!(earlier > 0);
    walk.does("audit_list", &[], none()).await;
    walk.does("audit_export", &[], none()).await;
    walk.does("audit_verify", &[], none()).await;
    let key_list = walk.does("keys_list", &[], none()).await;
    let first = key_list["keys"].as_array().into_iter().flatten().find(|key| key["purpose"] == "cursor");
    let first = first.expect("the first key of cursors")["number"].clone();
    walk.does("keys_retire", &[], json!({ "number": first, "force": true })).await;
    let sample = Version::of(&rating::Files::sample()).expect("the sample");
    walk.does("catalogue_publish", &[], operators::fields_to_publish(&sample).into()).await;
    walk.sends("import_policies", "imports/policies", Vec::new()).await;
    walk.sends("import_proposals", "imports/proposals", Vec::new()).await;
    // The team
    walk.does("approval_limit", &[], json!({ "above": 60000 })).await;
    walk.does("approval_list", &[], none()).await;
    walk.does("operator_list", &[], none()).await;
    let invited = json!({ "name": "Arjun", "roles": ["support"] });
    walk.does("operator_invite", &[], invited).await;
    walk.does("operator_roles", &["Arjun"], json!({ "roles": ["read"] })).await;
    walk.does("operator_recover", &["Arjun"], none()).await;
    let sessions = walk.does("operator_sessions", &["Arjun"], none()).await;
    let session = text(&sessions["sessions"][0]["session"]);
    walk.does("operator_end_session", &["Arjun"], json!({ "session": session })).await;
    walk.does("operator_token", &["Meera"], json!({ "name": "a job", "roles": ["read"] })).await;
    walk.does("operator_end", &["Arjun"], none()).await;
    buys_health(&mut walk.done).await;
    pays_premiums(&mut walk.done).await;
    closes_a_month(&mut walk.done).await;
    needs_two(&mut walk.done).await;
    let all: BTreeSet<String> = operators::document()["paths"]
        .as_object()
        .expect("paths")
        .values()
        .flat_map(|methods| methods.as_object().expect("methods").values())
        .map(|operation| text(&operation["operationId"]))
        .collect();
    let missing: Vec<&String> = all.difference(&walk.done).collect();
    assert_eq!(missing, Vec::<&String>::new());
}

/// Acts on a health application and its policy.
async fn buys_health(done: &mut BTreeSet<String>) {
    let mut app = Setup::health().start().await;
    let mut walk = Walk::of(&app).await;
    let journey = app.has_answered_journey(PLAIN, &[]).await;
    let proposal = app.proposes(&journey).await;
    walk.does("proposal_status_page", &[&proposal], json!({ "reason": "their call of today" })).await;
    walk.does("person_withdraw", &[&proposal], json!({ "purpose": "insurer" })).await;
    let policy = app.has_health_policy().await;
    app.set_clock("2027-11-10T10:00:00+05:30").await;
    let mut walk = Walk { done: walk.done, ..Walk::named(&app, "Divya").await };
    walk.does("policy_due", &[], json!({})).await;
    walk.does("policy_renew", &[&policy], json!({})).await;
    done.extend(walk.done);
}

/// Acts on premiums, refunds and deposits.
async fn pays_premiums(done: &mut BTreeSet<String>) {
    let app = Setup::default().with_premium(KALPANIK, "by = \"link\"").start().await;
    let mut walk = Walk::of(&app).await;
    let proposal = app.has_proposal("PENDING").await;
    walk.does("proposal_decide", &[&proposal], json!({ "status": "COMPLETED" })).await;
    let due = app.due(&proposal).await;
    let over = due.replace(".90", ".95");
    let items = json!({ "items": [format!("{proposal}={over}")], "reference": "UTR-1" });
    walk.does("premium_receive", &[], items.clone()).await;
    let mistake = json!({ "reference": items["reference"], "reason": "Recorded by mistake" });
    walk.does("premium_reverse", &[&proposal], mistake).await;
    walk.does("premium_receive", &[], items).await;
    let settled = json!({ "how": "apply", "reference": "TICKET-1" });
    walk.does("premium_settle", &[&proposal], settled).await;
    walk.does("premium_refund", &[&proposal], json!({ "reference": "UTR-2" })).await;
    let collected = Setup::default().with_premium(KALPANIK, "by = \"here\"").start().await;
    let mut collector = Walk::of(&collected).await;
    let proposal = collected.has_proposal("PENDING").await;
    let due = collected.due(&proposal).await;
    let items = json!({ "items": [format!("{proposal}={due}")], "reference": "UTR-7" });
    collector.does("premium_receive", &[], items).await;
    collector.does("proposal_decide", &[&proposal], json!({ "status": "COMPLETED" })).await;
    collector.does("premium_remit", &[], json!({ "ids": [proposal], "reference": "UTR-8" })).await;
    done.extend(collector.done);
    let deposits = walk.does("deposit_list", &[], json!({})).await;
    let name = text(&deposits["deposits"][0]["deposit"]);
    walk.does("deposit_top_up", &[&name], json!({ "amount": "₹5,00,000.00", "reference": "UTR-3" })).await;
    walk.does("deposit_withdraw", &[&name], json!({ "amount": "100", "reference": "UTR-4" })).await;
    done.extend(walk.done);
}

/// Acts on the statements of a month.
async fn closes_a_month(done: &mut BTreeSet<String>) {
    let mut app = App::start().await;
    let partner = app.partner().clone();
    app.pays_commission_to(&partner, "").await;
    let policy = app.has_policy().await;
    app.set_clock("2026-12-02T10:00:00+05:30").await;
    let mut walk = Walk::of(&app).await;
    walk.does("statement_draft", &["2026-11"], json!({})).await;
    let made = walk.does("statement_make", &[], json!({ "month": "2026-11" })).await;
    let number = |kind: &str| {
        let all = made["statements"].as_array().expect("a list").iter();
        text(&all.clone().find(|one| text(&one["number"]).starts_with(kind)).expect("one")["number"])
    };
    walk.does("statement_list", &[], json!({})).await;
    let bordereau = number("PB-");
    walk.does("statement_export", &[&bordereau], json!({ "format": "csv" })).await;
    let rows = format!("row_id\tstatus\tinsurer_policy_no\nNEW-{policy}\taccepted\tKLI/1\n");
    walk.sends("statement_answer", &format!("statements/{bordereau}/answer"), rows.into_bytes()).await;
    let right = json!({ "number": "KLI/2", "reason": "The insurer wrote it wrong" });
    walk.does("policy_number", &[&policy], right).await;
    let shown = walk.does("policy_show", &[&policy], json!({})).await;
    assert_eq!(shown["insurer_policy_number"], "KLI/2");
    walk.does("statement_show", &[&bordereau], json!({})).await;
    walk.does("statement_paid", &[&number("CS-")], json!({ "reference": "UTR-5" })).await;
    done.extend(walk.done);
}

/// Acts that need a second operator, or decide what another one requested.
async fn needs_two(done: &mut BTreeSet<String>) {
    let app = App::start().await;
    let mut meera = Walk::of(&app).await;
    let mut divya = Walk::named(&app, "Divya").await;
    let invite = |name: &str| json!({ "name": name, "roles": ["read"] });
    let asks = async |walk: &mut Walk, name: &str| {
        let (status, waits) = walk.console.act("POST", "/operators", &walk.session, &invite(name)).await;
        assert_eq!(status, 202, "{waits}");
        text(&waits["approval_id"])
    };
    let first = asks(&mut meera, "Arjun").await;
    divya.does("approval_show", &[&first], json!({})).await;
    divya.does("approval_refuse", &[&first], json!({ "reason": "Not known here" })).await;
    let second = asks(&mut meera, "Asif").await;
    meera.does("approval_withdraw", &[&second], json!({})).await;
    let third = asks(&mut meera, "Ravi").await;
    divya.does("approval_approve", &[&third], json!({})).await;
    done.extend(meera.done);
    done.extend(divya.done);
}
