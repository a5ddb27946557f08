//! What is stored about a person, and for how long: correction, erasure, consents, legal holds, removal,
//! breaches (D122).

use std::time::Duration;

use domain::identifier::{Identifier, IdentifierKind};
use domain::team::Role;
use serde_json::{Value, json};
use service::retention::{Pace, Retention};
use service::storage::audit::AuditQuery;
use service::storage::personal_data::RemovedKind;

use crate::support::console::{Authenticator, Console};
use crate::support::{App, Customer, Setup, bodies};

const MOBILE: &str = "9876543210";
const DAY: Duration = Duration::from_hours(24);

/// The console session of an operator with one role.
struct Desk {
    console: Console,
    session: String,
}

impl Desk {
    async fn of(app: &App, name: &str, role: Role) -> Desk {
        let console = Console::start(&app.service);
        let cookie = console.has_operator(app, name, &[role], &mut Authenticator::new(&console)).await;
        let session = cookie.split_once('=').expect("a cookie").1.to_owned();
        Desk { console, session }
    }

    async fn act(&self, path: &str, body: Value) -> (u16, Value) {
        self.console.act("POST", path, &self.session, &body).await
    }

    async fn does(&self, path: &str, body: Value) -> Value {
        let (status, done) = self.act(path, body).await;
        assert_eq!(status, 200, "{path}: {done}");
        done
    }

    async fn file(&self, path: &str, body: Value) -> Vec<u8> {
        let url = format!("{}/operator/v1{path}", self.console.base);
        let asked = reqwest::Client::new().post(url).bearer_auth(&self.session).json(&body);
        let answer = asked.send().await.expect("an answer");
        assert_eq!(answer.status(), 200, "{path}");
        answer.bytes().await.expect("a body").to_vec()
    }
}

/// The body of a request about the person: identifier and reason.
fn of_person() -> Value {
    json!({ "mobile": MOBILE, "reason": "their request of today" })
}

fn ids(records: &Value) -> Vec<String> {
    let id = |record: &Value| record["id"].as_str().expect("an id").to_owned();
    records.as_array().expect("a list").iter().map(id).collect()
}

#[tokio::test]
async fn an_erasure_removes_what_no_law_keeps_and_says_why_the_rest_stays() {
    let app = App::start().await;
    let desk = Desk::of(&app, "Meera", Role::Compliance).await;
    let quote = app.has_health_quote(bodies::recommendation()).await;
    app.finished_recommendation(&quote).await;
    let (draft, policy) = (app.has_proposal("DRAFT").await, app.has_policy().await);
    let mut plan = of_person();
    plan["plan"] = true.into();
    let planned = desk.does("/persons/erasure", plan).await;
    assert_eq!(planned["is_done"], false, "{planned}");
    assert_eq!(app.status_of(&draft).await, "DRAFT", "a plan erases nothing");
    let done = desk.does("/persons/erasure", of_person()).await;
    assert_eq!((&done["erased"], &done["kept"]), (&planned["erased"], &planned["kept"]));
    let mut erased = ids(&done["erased"]);
    erased.sort();
    let mut wanted = [quote.clone(), draft.clone()];
    wanted.sort();
    assert_eq!(erased, wanted);
    assert!(ids(&done["kept"]).contains(&policy), "{done}");
    let kept = done["kept"].as_array().expect("a list");
    let kinds = ["ledger, receipts, statements", "audit trail", "events"];
    let (by_kind, records): (Vec<&Value>, Vec<&Value>) =
        kept.iter().partition(|kept| kept["id"].as_str().is_some_and(|id| kinds.contains(&id)));
    assert_eq!(by_kind.len(), 3, "{done}");
    assert!(records.iter().all(|kept| kept["why"].to_string().contains("sold")), "{done}");
    for gone in [format!("/v1/business/health/recommendation/{quote}"), format!("/v1/proposals/{draft}")] {
        app.get(&gone).await.is_refused(404, "R4040");
    }
    assert_eq!(
        app.get("/v1/business/health/quotes?start_date=2026-11-20&end_date=2026-11-20").await.json()["count"],
        0
    );
    assert_eq!(app.policy(&policy).await["policy_id"], policy.as_str());
    let (status, again) = desk.act("/persons/erasure", of_person()).await;
    assert!(
        status == 409
            && again["detail"].to_string().contains("This person has no record that can be erased."),
        "{again}"
    );
    let entries = app.service.audit.entries(&AuditQuery::Newest, 9).await.expect("read");
    let erasure = entries.iter().find(|entry| entry.change == "person.erase").expect("an entry");
    assert_eq!(
        (erasure.action.as_str(), erasure.reason.as_deref()),
        ("person.erase", Some("their request of today"))
    );
}

#[tokio::test]
async fn an_open_journey_of_a_person_is_exported_and_erased() {
    let app = Setup::health().start().await;
    let desk = Desk::of(&app, "Meera", Role::Compliance).await;
    let journey = app.has_answered_journey(crate::support::health::PLAIN, &[]).await;
    let mobile = journey.answers.form.as_ref().expect("filled in").proposer.phone.reveal().to_owned();
    let of_person = json!({ "mobile": mobile, "reason": "their request of today" });
    let export = desk.does("/persons/export", of_person.clone()).await;
    assert_eq!(export["journeys"].as_array().map(Vec::len), Some(1), "{export}");
    assert_eq!(export["journeys"][0]["proposer"]["mobile"], mobile.as_str(), "{export}");
    let done = desk.does("/persons/erasure", of_person).await;
    assert!(done["erased"].to_string().contains("jny_"), "{done}");
    assert_eq!(app.rows_of("journeys"), 0);
}

#[tokio::test]
async fn an_erasure_cannot_be_approved_if_the_persons_records_changed_since_the_request() {
    let app = App::start().await;
    let (meera, arjun) =
        (Desk::of(&app, "Meera", Role::Compliance).await, Desk::of(&app, "Arjun", Role::Compliance).await);
    app.has_proposal("DRAFT").await;
    let ask = async || {
        let (status, waits) = meera.act("/persons/erasure", of_person()).await;
        assert_eq!(status, 202, "{waits}");
        format!("/approvals/{}/approval", waits["approval_id"].as_str().expect("an id"))
    };
    let first = ask().await;
    app.has_proposal("DRAFT").await;
    let (status, changed) = arjun.act(&first, json!({})).await;
    assert!(status == 409 && changed["detail"].to_string().contains("Changed meanwhile"), "{changed}");
    let again = ask().await;
    let done = arjun.does(&again, json!({})).await;
    assert_eq!(done["notes"][0], "2 records are erased; 0 stay", "{done}");
}

#[tokio::test]
async fn a_legal_hold_keeps_a_record_from_erasure_and_removal() {
    let retention = Retention { health_quotes: Some(30 * DAY), ..Retention::default() };
    let mut app = Setup { retention, ..Setup::default() }.start().await;
    let quote = app.has_health_quote(bodies::recommendation()).await;
    app.finished_recommendation(&quote).await;
    let desk = Desk::of(&app, "Meera", Role::Compliance).await;
    let held = desk.does(&format!("/records/{quote}/hold"), json!({ "reason": "court case 7" })).await;
    assert_eq!((&held["record"], &held["reason"]), (&json!(quote), &json!("court case 7")));
    let (status, twice) = desk.act(&format!("/records/{quote}/hold"), json!({ "reason": "again" })).await;
    assert!(status == 409 && twice["detail"].to_string().contains("already has a legal hold"), "{twice}");
    let unknown = "/records/quo_01m5vvw3xreqg9aaa1afd2xg99/hold";
    assert_eq!(desk.act(unknown, json!({ "reason": "court case 7" })).await.0, 404);
    assert_eq!(desk.act("/records/xyz_1/hold", json!({ "reason": "court case 7" })).await.0, 400);
    let (status, refused) = desk.act("/persons/erasure", of_person()).await;
    assert_eq!(status, 409, "{refused}");
    app.set_clock("2027-02-01T10:00:00+05:30").await;
    assert_eq!(app.service.retention.remove_old(Pace::Now).await.expect("done").removed, []);
    let desk = Desk::of(&app, "Divya", Role::Compliance).await;
    let (_, holds) = desk.console.act("GET", "/holds", &desk.session, &json!({})).await;
    assert_eq!(holds["holds"][0]["record"], quote.as_str());
    desk.does(&format!("/records/{quote}/hold-release"), json!({})).await;
    let removed = app.service.retention.remove_old(Pace::Now).await.expect("done").removed;
    assert_eq!(removed, [(RemovedKind::HealthQuote, 1)]);
}

#[tokio::test]
async fn records_are_removed_after_the_retention_period_of_their_kind_and_the_report_counts_them() {
    let retention = Retention {
        health_quotes: Some(30 * DAY),
        unsold_proposals: Some(60 * DAY),
        policies: Some(90 * DAY),
        ..Retention::default()
    };
    let mut app = Setup { retention, ..Setup::default() }.start().await;
    let quote = app.has_health_quote(bodies::recommendation()).await;
    app.finished_recommendation(&quote).await;
    let (draft, pending) = (app.has_proposal("DRAFT").await, app.has_proposal("PENDING").await);
    let policy = app.has_policy().await;
    let removed = async |app: &App| app.service.retention.remove_old(Pace::Now).await.expect("done").removed;
    app.set_clock("2026-12-15T10:00:00+05:30").await;
    assert_eq!(removed(&app).await, [], "their days are not over");
    app.set_clock("2026-12-25T10:00:00+05:30").await;
    assert_eq!(removed(&app).await, [(RemovedKind::HealthQuote, 1)]);
    app.set_clock("2027-02-01T10:00:00+05:30").await;
    assert_eq!(removed(&app).await, [(RemovedKind::UnsoldProposal, 1)]);
    assert!(app.service.operator_proposals.find(draft.parse().expect("an id")).await.is_err());
    assert_eq!(app.status_of(&pending).await, "PENDING", "its insurer is asked");
    assert_eq!(app.policy(&policy).await["policy_id"], policy.as_str(), "it covers for years");
    let report = app.service.retention.last_report().await.expect("read");
    assert_eq!(report.removed, [(RemovedKind::UnsoldProposal, 1)]);
    let desk = Desk::of(&app, "Meera", Role::Read).await;
    let (_, shown) = desk.console.act("GET", "/retention", &desk.session, &json!({})).await;
    assert_eq!(shown["kinds"][1]["days"], 30, "{shown}");
    assert_eq!(shown["last_removal"]["removed"][0]["kind"], "unsold-proposal", "{shown}");
    let ends = app.policy(&policy).await["expires_on"].as_str().map(str::to_owned);
    let years = ends.unwrap_or_else(|| "2046-11-20".into())[..4].parse::<i32>().expect("a year") + 1;
    app.set_clock(&format!("{years}-12-31T10:00:00+05:30")).await;
    assert_eq!(removed(&app).await, [(RemovedKind::Policy, 1)]);
    app.get(&format!("/v1/policies/{policy}")).await.is_refused(404, "R4040");
}

#[tokio::test]
async fn consents_are_listed_with_their_text_and_can_be_withdrawn_only_once() {
    let app = Setup::health().start().await;
    let desk = Desk::of(&app, "Meera", Role::Support).await;
    let journey = app.has_answered_journey(crate::support::health::PLAIN, &[]).await;
    let proposal = app.proposes(&journey).await;
    let mobile = journey.answers.form.as_ref().expect("filled in").proposer.phone.reveal().to_owned();
    let listed = desk.does("/persons/consents", json!({ "mobile": mobile })).await;
    let consents = listed["consents"].as_array().expect("a list");
    assert_eq!(consents.len(), 2, "{listed}");
    let first = &consents[0];
    assert_eq!(
        (&first["text"], &first["given"], &first["withdrawn_at"]),
        (&json!("I agree."), &json!(true), &Value::Null)
    );
    let path = format!("/proposals/{proposal}/consent-withdrawal");
    let withdrawn = desk.does(&path, json!({ "purpose": "insurer" })).await;
    assert!(withdrawn["withdrawn_at"].is_string(), "{withdrawn}");
    assert_eq!(desk.act(&path, json!({ "purpose": "insurer" })).await.0, 409, "once");
    assert_eq!(desk.act(&path, json!({ "purpose": "messages" })).await.0, 409, "it was never given");
    assert_eq!(desk.act(&path, json!({ "purpose": "insurers" })).await.0, 400);
    let listed = desk.does("/persons/consents", json!({ "mobile": mobile })).await;
    assert_eq!(listed["consents"][1]["withdrawn_at"], withdrawn["withdrawn_at"], "{listed}");
}

#[tokio::test]
async fn a_correction_endorses_every_policy_of_the_person() {
    let app = App::start().await;
    let desk = Desk::of(&app, "Meera", Role::Compliance).await;
    let policies = [app.has_policy().await, app.has_policy().await];
    let mut wanted = of_person();
    let (status, nothing) = desk.act("/persons/correction", wanted.clone()).await;
    assert!(
        status == 400 && nothing["detail"].to_string().contains("Give at least one correction"),
        "{nothing}"
    );
    wanted["new_mobile"] = "9000000007".into();
    let done = desk.does("/persons/correction", wanted).await;
    let made = done["endorsements"].as_array().expect("a list");
    let of: Vec<&str> = made.iter().map(|one| one["policy_id"].as_str().expect("an id")).collect();
    assert!(policies.iter().all(|policy| of.contains(&policy.as_str())), "{done}");
    assert_eq!(done["refused"], json!([]), "{done}");
    let found = desk.does("/policies/search", json!({ "mobile": "9000000007" })).await;
    let is_made = made.iter().all(|one| one["status"] == "MADE");
    assert_eq!(found["policies"].as_array().map(Vec::len), Some(if is_made { 2 } else { 0 }), "{found}");
    let mut renamed = json!({ "mobile": "9000000007", "reason": "her letter" });
    renamed["new_title"] = "MS".into();
    renamed["new_first_name"] = "Aasha".into();
    renamed["new_last_name"] = "Rao".into();
    let done = desk.does("/persons/correction", renamed).await;
    assert_eq!(done["refused"], json!([]), "{done}");
    assert!(is_made == done["endorsements"].as_array().is_some_and(|made| !made.is_empty()), "{done}");
    let mut wrong = of_person();
    wrong["new_mobile"] = "12".into();
    assert_eq!(desk.act("/persons/correction", wrong).await.0, 400);
}

#[tokio::test]
async fn an_export_is_json_for_programs_and_pdf_for_the_person() {
    let app = App::start().await;
    let desk = Desk::of(&app, "Meera", Role::Compliance).await;
    let quote = app.has_health_quote(bodies::recommendation()).await;
    app.finished_recommendation(&quote).await;
    let policy = app.has_policy().await;
    let complaint =
        json!({ "kind": "SALE", "from": "Asha Rao", "text": "It was never told.", "policy": policy });
    let support = Desk::of(&app, "Arjun", Role::Support).await;
    support.does("/complaints", complaint).await;
    let export = desk.does("/persons/export", of_person()).await;
    let of = |kind: &str| export[kind].as_array().map_or(0, Vec::len);
    assert_eq!((of("quotes"), of("policies"), of("complaints"), of("consents")), (1, 1, 1, 0), "{export}");
    assert_eq!(export["complaints"][0]["from"], "Asha Rao");
    let mut pdf = of_person();
    pdf["format"] = "pdf".into();
    let bytes = desk.file("/persons/export", pdf).await;
    assert!(bytes.starts_with(b"%PDF-"), "{} bytes", bytes.len());
    let text = crate::support::certificate::text_of(&bytes);
    for word in ["What we have about you", "Policies", policy.as_str()] {
        assert!(text.contains(word), "{word}: {text}");
    }
}

#[tokio::test]
async fn a_breach_report_lists_the_affected_records_by_key_partner_or_period() {
    let app = App::start().await;
    let desk = Desk::of(&app, "Meera", Role::Compliance).await;
    let policy = app.has_policy().await;
    let other = app.new_partner("Another Lender").await;
    let quote = app.has_health_quote_of(&other, bodies::recommendation()).await;
    let list = async |what: Value| {
        let mut asked = json!({ "reason": "incident 3" });
        asked.as_object_mut().expect("an object").extend(what.as_object().expect("an object").clone());
        String::from_utf8(desk.file("/breaches/records", asked).await).expect("text")
    };
    let everything = list(json!({})).await;
    assert!(
        everything.starts_with("\u{feff}record,partner_id,mobile,email,pan,reference,lead,user"),
        "{everything}"
    );
    assert!(everything.contains(&quote) && everything.contains(MOBILE), "{everything}");
    let of_other = list(json!({ "partner": other.id.to_string() })).await;
    assert!(of_other.contains(&quote) && of_other.lines().count() == 2, "{of_other}");
    let before = list(json!({ "until": "2026-11-19" })).await;
    assert_eq!(before.lines().count(), 1, "{before}");
    let today = list(json!({ "from": "2026-11-20", "until": "2026-11-20" })).await;
    assert_eq!(today, everything);
    let keys = app.service.keys.keys().await.expect("read");
    let data =
        keys.iter().find(|key| key.purpose == service::keys::KeyPurpose::Data).expect("a data key").number;
    assert_eq!(list(json!({ "key": data })).await, everything);
    let (status, unknown) =
        desk.act("/breaches/records", json!({ "reason": "incident 3", "key": 999 })).await;
    assert!(
        status == 409 && unknown["detail"].to_string().contains("999 is not the number of a data key"),
        "{unknown}"
    );
    assert!(everything.lines().count() > 2, "and the proposal of {policy}");
}

#[tokio::test]
async fn a_customer_of_the_journey_is_found_as_a_person_with_records_and_consents() {
    let app = Setup::health().start().await;
    let customer = Customer::reviews(&app, crate::support::health::PLAIN).await;
    let page = customer.applies().await;
    assert_eq!(page.status(), 200, "{}", page.answer.text);
    let desk = Desk::of(&app, "Meera", Role::Support).await;
    assert_eq!(app.rows_of("proposals"), 1);
    let by = Identifier::of(IdentifierKind::Email, "asha.rao@example.com");
    let people = app.service.persons.people_of(&by).await.expect("read");
    assert_eq!(people.len(), 1);
    let records = &people[0].records;
    assert_eq!((records.proposals.len(), records.quotes.len()), (1, 1), "{records:?}");
    let listed = desk.does("/persons/consents", json!({ "email": "asha.rao@example.com" })).await;
    let text = listed["consents"][0]["text"].as_str().expect("the words that were read");
    assert!(text.len() > 20, "{listed}");
}
