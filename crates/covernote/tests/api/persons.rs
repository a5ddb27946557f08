//! Everything about a person, by search and as an export (DPDP Act).

use domain::team::Role;
use serde_json::{Value, json};

use crate::support::App;
use crate::support::bodies::{self, with};
use crate::support::claims::death;
use crate::support::console::{Authenticator, Console};

#[tokio::test]
async fn everything_about_a_person_is_found_and_nothing_about_another() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let cookie =
        console.has_operator(&app, "Meera", &[Role::Compliance], &mut Authenticator::new(&console)).await;
    let session = cookie.split_once('=').expect("a cookie").1;
    let (claim, policy) = app.has_claim().await;
    let mobile = "9876543210";
    let (status, found) = console.act("POST", "/persons/search", session, &json!({ "mobile": mobile })).await;
    assert_eq!(status, 200, "{found}");
    let kinds: Vec<&str> = found["records"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|record| record["kind"].as_str().expect("a word"))
        .collect();
    assert_eq!(kinds, ["proposal", "policy", "claim"]);
    assert!(found.to_string().contains(&policy) && found.to_string().contains(&claim), "{found}");
    let other = console.act("POST", "/persons/search", session, &json!({ "mobile": "9000000001" })).await.1;
    assert_eq!(other["records"], json!([]));
    for wrong in [json!({}), json!({ "mobile": mobile, "email": "a@example.com" })] {
        assert_eq!(console.act("POST", "/persons/search", session, &wrong).await.0, 400, "{wrong}");
    }
    let no_reason = json!({ "mobile": mobile, "reason": "" });
    assert_eq!(console.act("POST", "/persons/export", session, &no_reason).await.0, 400);
    let export = json!({ "mobile": mobile, "reason": "their request of today" });
    let (status, file) = console.act("POST", "/persons/export", session, &export).await;
    assert_eq!(status, 200, "{file}");
    let of = |kind: &str| file[kind].as_array().map_or(0, Vec::len);
    assert_eq!((of("proposals"), of("policies"), of("claims")), (1, 1, 1), "{file}");
    let whole: Value = file["claims"][0]["claimant"].clone();
    assert!(!whole.is_null(), "in full: {file}");
}

#[tokio::test]
async fn a_search_requires_exactly_one_identifier_and_its_error_lists_the_possible_ones() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let cookie = console.has_operator(&app, "Meera", &[Role::Admin], &mut Authenticator::new(&console)).await;
    let session = cookie.split_once('=').expect("a cookie").1;
    let searches = [
        (
            "/persons/search",
            "email",
            "lead_id",
            "number, payment, mobile, email, pan, reference, lead_id, user_id",
        ),
        ("/policies/search", "email", "number", "number, mobile, email, pan, reference"),
    ];
    for (path, one, other, all) in searches {
        for wrong in [json!({}), json!({ one: "a@b.example", other: "x" }), json!({ one: " " })] {
            let (status, told) = console.act("POST", path, session, &wrong).await;
            assert_eq!(status, 400, "{path} {wrong}: {told}");
            assert!(
                told.to_string().contains(&format!("Give exactly one of {all}.")),
                "{path} {wrong}: {told}"
            );
        }
        assert_eq!(console.act("POST", path, session, &json!({ one: "a-b" })).await.0, 200, "{path}");
    }
}

/// A session of the compliance officer.
struct Officer {
    app: App,
    console: Console,
    session: String,
}

impl Officer {
    async fn new() -> Officer {
        let app = App::start().await;
        let console = Console::start(&app.service);
        let roles = [Role::Compliance, Role::Underwriting];
        let cookie = console.has_operator(&app, "Meera", &roles, &mut Authenticator::new(&console)).await;
        let session = cookie.split_once('=').expect("a cookie").1.to_owned();
        Officer { app, console, session }
    }

    async fn asks(&self, path: &str, body: Value) -> (u16, Value) {
        self.console.act("POST", path, &self.session, &body).await
    }

    /// The people behind an identifier, by the first letter of their masked names.
    async fn people(&self, by: Value) -> Vec<Value> {
        let (status, found) = self.asks("/persons/search", by).await;
        assert_eq!(status, 200, "{found}");
        found["people"].as_array().expect("a list").clone()
    }

    /// Sells a policy to a person. Returns its id.
    async fn sells(&self, person: Value) -> String {
        self.sells_with(person, json!([])).await
    }

    async fn sells_with(&self, person: Value, nominees: Value) -> String {
        let mut body = self.app.has_proposal_body("SUBMITTED").await;
        body["proposer"] = person.clone();
        body["insured_members"] = json!([person]);
        body["nominee"] = nominees;
        let created = self.app.post("/v1/embedded/proposal", body).await;
        let id = created.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned();
        let done =
            self.app.patch(&format!("/v1/embedded/proposal/{id}"), json!({ "status": "COMPLETED" })).await;
        assert_eq!(done.status, 200, "{}", done.text);
        self.app.policy_id_of(&id).await
    }

    async fn born(&self, policy: &str) -> Value {
        let shown = self.app.get(&format!("/v1/policies/{policy}")).await.json();
        shown["payload"]["members"][0]["date_of_birth"].clone()
    }
}

/// Asha's sister-in-law, who uses the same telephone.
fn meena() -> Value {
    let person = with(bodies::proposer(), "first_name", json!("Meena"));
    let documents = json!([{ "document_type": "PAN", "document_number": "ABCPM4321L" }]);
    with(with(person, "email", json!("meena@example.com")), "documents", documents)
}

#[tokio::test]
async fn a_request_must_name_the_person_if_two_people_share_a_mobile_number() {
    let officer = Officer::new().await;
    let (asha, meena) = (officer.sells(bodies::proposer()).await, officer.sells(meena()).await);
    let mobile = json!({ "mobile": "9876543210" });
    let people = officer.people(mobile.clone()).await;
    let names: Vec<&Value> = people.iter().map(|one| &one["name"]).collect();
    assert!(names.contains(&&json!("A… K… R…")) && names.contains(&&json!("M… K… R…")), "{people:?}");
    assert_eq!(people[0]["roles"], json!(["proposer", "insured"]));
    assert!(!json!(people).to_string().contains("Meena"), "masked: {people:?}");
    let key = |letter: char| {
        let one = people.iter().find(|one| one["name"].as_str().is_some_and(|name| name.starts_with(letter)));
        one.expect("there")["person"].clone()
    };
    let correction =
        json!({ "mobile": "9876543210", "reason": "her letter", "new_date_of_birth": "1991-07-16" });
    for (path, body) in [
        ("/persons/correction", correction.clone()),
        ("/persons/export", with(mobile.clone(), "reason", json!("her letter"))),
        ("/persons/erasure", with(with(mobile.clone(), "reason", json!("her letter")), "plan", json!(true))),
    ] {
        let (status, refused) = officer.asks(path, body.clone()).await;
        assert!(
            status == 400 && refused.to_string().contains("2 people have this identifier"),
            "{path}: {refused}"
        );
        assert!(!refused.to_string().contains("Meena"), "{refused}");
        let (status, unknown) = officer.asks(path, with(body, "person", json!("00000000"))).await;
        assert_eq!(status, 400, "{path}: {unknown}");
    }
    let plan = with(with(correction.clone(), "person", key('A')), "plan", json!(true));
    let (status, planned) = officer.asks("/persons/correction", plan).await;
    assert_eq!((status, &planned["planned"][0]["policy_id"]), (200, &json!(asha)), "{planned}");
    assert_eq!(planned["planned"].as_array().map(Vec::len), Some(1));
    assert_eq!(officer.born(&asha).await, "1990-06-15", "it was only planned");
    let (status, done) = officer.asks("/persons/correction", with(correction, "person", key('A'))).await;
    assert_eq!(status, 200, "{done}");
    assert_eq!(
        (officer.born(&asha).await, officer.born(&meena).await),
        (json!("1991-07-16"), json!("1990-06-15"))
    );
    let people = officer.people(mobile.clone()).await;
    let hers = people.iter().find(|one| one["name"] == "M… K… R…").expect("there")["person"].clone();
    let export = with(with(mobile, "reason", json!("her letter")), "person", hers);
    let (status, file) = officer.asks("/persons/export", export).await;
    assert_eq!(status, 200, "{file}");
    assert!(file.to_string().contains("ABCPM4321L") && !file.to_string().contains("ABCPR1234K"), "{file}");
}

#[tokio::test]
async fn a_corrected_name_keeps_its_title() {
    let officer = Officer::new().await;
    let policy = officer.sells(bodies::proposer()).await;
    let correction = json!({
        "mobile": "9876543210", "reason": "her letter", "new_first_name": "Aasha", "new_last_name": "Rao",
    });
    let (status, done) = officer.asks("/persons/correction", correction).await;
    assert_eq!((status, &done["endorsements"][0]["policy_id"]), (200, &json!(policy)), "{done}");
    let id = policy.parse().expect("an id");
    let found = officer.app.service.policies.view(officer.app.partner().id, id).await.expect("there");
    let shown = format!("{:?}", found.shown.policy);
    assert!(shown.contains("title: Ms") && !shown.contains("title: Mr"), "{shown}");
}

#[tokio::test]
async fn the_contact_of_a_lapsed_policy_is_corrected_too() {
    let officer = Officer::new().await;
    let policy = officer.sells(bodies::proposer()).await;
    officer.app.clock.set("2031-11-20T10:00:00+05:30");
    let (roles, mut passkey) = ([Role::Compliance, Role::Underwriting], Authenticator::new(&officer.console));
    let cookie = officer.console.has_operator(&officer.app, "Kiran", &roles, &mut passkey).await;
    let session = cookie.split_once('=').expect("a cookie").1;
    let correction = json!({ "mobile": "9876543210", "reason": "her letter", "new_mobile": "9000000009" });
    let (status, done) = officer.console.act("POST", "/persons/correction", session, &correction).await;
    assert_eq!((status, &done["endorsements"][0]["policy_id"]), (200, &json!(policy)), "{done}");
}

#[tokio::test]
async fn a_search_also_finds_nominees_appointees_claimants_and_complainants() {
    let officer = Officer::new().await;
    let mut child = bodies::nominee(json!(100));
    child["mobile"] = "9000000002".into();
    child["date_of_birth"] = "02/02/2019".into();
    child["documents"] = json!([{ "document_type": "PAN", "document_number": "ABCPN1234K" }]);
    child["appointee_details"] = json!({
        "relationship_to_nominee": "MOTHER", "title": "MS", "first_name": "Lata", "last_name": "Rao",
        "date_of_birth": "02/02/1988", "mobile": "9000000003", "address": bodies::proposer()["address"], "documents": [],
    });
    let policy = officer.sells_with(bodies::proposer(), json!([child])).await;
    for (by, role) in [
        (json!({ "mobile": "9000000002" }), "nominee"),
        (json!({ "pan": "ABCPN1234K" }), "nominee"),
        (json!({ "mobile": "9000000003" }), "appointee"),
    ] {
        let people = officer.people(by.clone()).await;
        assert_eq!((people.len(), &people[0]["roles"]), (1, &json!([role])), "{by}: {people:?}");
        let (_, file) =
            officer.asks("/persons/export", with(by.clone(), "reason", json!("a letter of theirs"))).await;
        assert_eq!(file["mentions"][0]["record"], json!(policy), "{file}");
        assert!(!file.to_string().contains("ABCPR1234K"), "the policyholder is another person: {file}");
        let plan = with(with(by, "reason", json!("a letter of theirs")), "plan", json!(true));
        let (_, plan) = officer.asks("/persons/erasure", plan).await;
        assert!(plan["kept"].to_string().contains("another person's record"), "{plan}");
    }
    let mut claim = death(&policy);
    claim["claimant"]["mobile"] = "9000000004".into();
    let reported = officer.app.claims(claim).await;
    assert_eq!(reported.status, 201, "{}", reported.text);
    let people = officer.people(json!({ "mobile": "9000000004" })).await;
    assert_eq!((people.len(), &people[0]["roles"]), (1, &json!(["claimant"])), "{people:?}");
    let complaint = json!({
        "kind": "POLICY", "from": "Gita Rao, 90000 00005, gita@example.com", "text": "Nobody answers.",
    });
    let (status, kept) = officer.asks("/complaints", complaint).await;
    assert_eq!(status, 200, "{kept}");
    for by in [json!({ "mobile": "9000000005" }), json!({ "email": "gita@example.com" })] {
        let people = officer.people(by).await;
        assert_eq!((people.len(), &people[0]["name"]), (1, &json!("G… R…")), "{people:?}");
        assert_eq!(people[0]["roles"], json!(["complainant"]));
    }
    let another = officer.people(json!({ "email": "ita@example.com" })).await;
    assert!(another.is_empty(), "another person's address: {another:?}");
}

#[tokio::test]
async fn the_metadata_of_sessions_is_found_exported_and_erased() {
    let officer = Officer::new().await;
    let open = async |metadata: Value| {
        let answer = officer.app.post("/v1/business/session", json!({ "metadata": metadata })).await;
        answer.json()["session_id"].as_str().expect("an id").to_owned()
    };
    let session = open(json!({ "phone": "90000 00007", "mail": "Hari@Example.com", "branch": "Pune" })).await;
    let other = open(json!({ "phone": "9000000008" })).await;
    for by in [json!({ "mobile": "9000000007" }), json!({ "email": "hari@example.com" })] {
        let people = officer.people(by).await;
        assert_eq!((people.len(), &people[0]["records"]), (1, &json!(1)), "{people:?}");
    }
    let by = with(json!({ "mobile": "9000000007" }), "reason", json!("his letter of today"));
    let (_, file) = officer.asks("/persons/export", by.clone()).await;
    assert_eq!(file["sessions"][0]["metadata"]["branch"], "Pune", "{file}");
    let (status, erased) = officer.asks("/persons/erasure", by).await;
    assert_eq!((status, &erased["erased"][0]["id"]), (200, &json!(session)), "{erased}");
    assert_eq!(officer.people(json!({ "mobile": "9000000007" })).await.len(), 0);
    assert_eq!(officer.people(json!({ "mobile": "9000000008" })).await.len(), 1, "{other} stays");
    assert_eq!(officer.app.store.faults(officer.app.folder.path()), Vec::<String>::new());
}

#[tokio::test]
async fn a_person_with_over_a_thousand_quotes_can_be_searched_and_its_erasure_planned() {
    let officer = Officer::new().await;
    for _ in 0..1_010 {
        let answer = officer.app.post("/v1/business/health/recommendation", bodies::recommendation()).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
    let by = json!({ "mobile": "9876543210" });
    let (status, found) = officer.asks("/persons/search", by.clone()).await;
    assert_eq!((status, &found["people"][0]["records"]), (200, &json!(1_010)), "{}", found["people"]);
    assert_eq!(found["records"].as_array().map(Vec::len), Some(100));
    let erasure = with(with(by.clone(), "reason", json!("her letter")), "plan", json!(true));
    let (status, plan) = officer.asks("/persons/erasure", erasure).await;
    assert_eq!((status, plan["erased"].as_array().map(Vec::len)), (200, Some(1_010)));
}

#[tokio::test]
async fn the_server_indexes_the_people_of_records_that_an_earlier_version_stored() {
    let officer = Officer::new().await;
    let mut nominee = bodies::nominee(json!(100));
    nominee["mobile"] = "9000000002".into();
    let policy = officer.sells_with(bodies::proposer(), json!([nominee])).await;
    let mut claim = death(&policy);
    claim["claimant"]["mobile"] = "9000000004".into();
    assert_eq!(officer.app.claims(claim).await.status, 201);
    // As an earlier version left the store.
    let store = &officer.app.store;
    store.is_changed_by_the_test();
    store
        .says("delete from tags; insert into facts (name, value) values ('people_to_index', 'all')")
        .expect("done");
    assert_eq!(store.faults(officer.app.folder.path()), Vec::<String>::new(), "they are not expected yet");
    let by = json!({ "mobile": "9000000002" });
    assert_eq!(officer.people(by.clone()).await.len(), 0);
    let service = &officer.app.service;
    assert!(service.persons.lacks_people().await.expect("read"));
    assert_eq!(service.persons.index_people().await.expect("indexed"), 3, "a proposal, a policy, a claim");
    assert!(!service.persons.lacks_people().await.expect("read"));
    assert_eq!(service.persons.index_people().await.expect("indexed"), 0);
    assert_eq!(officer.people(by).await.len(), 1);
    assert_eq!(officer.people(json!({ "mobile": "9000000004" })).await.len(), 1);
    assert_eq!(store.faults(officer.app.folder.path()), Vec::<String>::new());
}
