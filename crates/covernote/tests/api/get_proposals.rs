//! `GET /v1/proposals`: proposals of every line, by day of creation, session or reference (D79, D80).

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::bodies::imported_proposal;
use crate::support::premium::NAMOONA;
use crate::support::{App, Customer, Setup};

const PATH: &str = "/v1/proposals";

/// The ids on a page.
fn ids(page: &Value) -> Vec<String> {
    let proposals = page["proposals"].as_array().expect("a list");
    proposals.iter().map(|one| one["proposal_id"].as_str().expect("an id").to_owned()).collect()
}

async fn page(app: &App, query: &str) -> Value {
    let answer = app.get(&format!("{PATH}{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text);
    answer.json()
}

#[tokio::test]
async fn proposals_of_both_lines_are_in_one_list_newest_first() {
    // D80
    let app = App::start().await;
    let old = app.imports_proposals(vec![imported_proposal()]).await;
    let mut made = Vec::new();
    for _ in 0..3 {
        made.insert(0, app.has_proposal("PENDING").await);
        app.clock.advance(Duration::from_secs(1));
    }
    let today = page(&app, "?created_from=2026-11-20").await;
    assert_eq!((ids(&today), &today["count"]), (made.clone(), &3.into()));
    let created = page(&app, &format!("/{}", old[0])).await["payload"]["created_at"].clone();
    let day = created.as_str().expect("an instant")[..10].to_owned();
    let imported = page(&app, &format!("?created_from={day}&created_to={day}")).await;
    assert_eq!((ids(&imported), &imported["proposals"][0]["line"]), (old, &json!("health")));
    assert_eq!(imported["proposals"][0]["awaits"], json!([]), "nobody here decides an imported one");
}

#[tokio::test]
async fn pages_with_proposals_of_both_lines_can_be_followed_forwards_and_backwards_by_cursor() {
    // D33, D80
    let app = App::start().await;
    let mut made = Vec::new();
    for _ in 0..3 {
        made.insert(0, app.has_proposal("DRAFT").await);
        app.clock.advance(Duration::from_secs(2));
    }
    let between = |at: &str, quote: &str| {
        let mut line = imported_proposal();
        (line["created_at"], line["quote_id"]) = (at.into(), quote.into());
        line
    };
    let lines =
        vec![between("2026-11-20T10:00:01+05:30", "Q-1"), between("2026-11-20T10:00:03+05:30", "Q-2")];
    let imported = app.imports_proposals(lines).await;
    made.insert(2, imported[0].clone());
    made.insert(1, imported[1].clone());
    let mut seen = Vec::new();
    let mut query = "?created_from=2026-11-20&limit=2".to_owned();
    let last = loop {
        let found = page(&app, &query).await;
        assert_eq!((&found["count"], &found["has_prev"]), (&5.into(), &(!seen.is_empty()).into()));
        seen.extend(ids(&found));
        if found["has_next"] == false {
            break found;
        }
        query = format!("?next={}", found["end_cursor"].as_str().expect("a cursor"));
    };
    assert_eq!(seen, made);
    let cursor = last["start_cursor"].as_str().expect("a cursor");
    let back = page(&app, &format!("?prev={cursor}")).await;
    assert_eq!(
        (ids(&back), &back["has_prev"], &back["has_next"]),
        (made[2..4].to_vec(), &true.into(), &true.into())
    );
    let cursor = back["start_cursor"].as_str().expect("a cursor");
    let first = page(&app, &format!("?prev={cursor}")).await;
    assert_eq!((ids(&first), &first["has_prev"]), (made[..2].to_vec(), &false.into()));
    // A cursor of this list is not valid for another list.
    app.get(&format!("/v1/policies?next={cursor}")).await.has_faults_on(&["next"]);
}

#[tokio::test]
async fn each_listed_proposal_shows_what_it_awaits_and_from_whom() {
    // D80
    let app = App::start().await;
    let draft = app.has_proposal("DRAFT").await;
    let pending = app.has_proposal("PENDING").await;
    let body = app.has_proposal_body_decided_by("operator", "SUBMITTED").await;
    let operators = app.post("/v1/embedded/proposal", body).await.json()["payload"]["proposal_id"].clone();
    let completed = app.has_proposal("COMPLETED").await;
    let rejected = app.has_proposal("REJECTED").await;
    let list = page(&app, "?created_from=2026-11-20").await;
    let of = |id: &str| -> Value {
        let all = list["proposals"].as_array().expect("a list");
        all.iter().find(|one| one["proposal_id"] == id).expect("on the page").clone()
    };
    let awaits = |what: &str, from: &str| json!([{ "what": what, "from": from }]);
    assert_eq!(of(&draft)["awaits"], awaits("SUBMISSION", "partner"));
    assert_eq!(of(&pending)["awaits"], awaits("DECISION", "partner"));
    assert_eq!(of(operators.as_str().expect("an id"))["awaits"], awaits("DECISION", "operator"));
    for decided in [&completed, &rejected] {
        assert_eq!(of(decided)["awaits"], json!([]));
    }
    let policy = app.policy_id_of(&completed).await;
    assert_eq!(of(&completed)["policy_id"], policy.as_str());
    assert_eq!((&of(&completed)["paid_by"], &of(&rejected)["paid_by"]), (&json!("deposit"), &Value::Null));
    for without in [&draft, &pending, &rejected] {
        assert_eq!(of(without)["policy_id"], Value::Null);
    }
}

#[tokio::test]
async fn a_straight_through_proposal_awaits_its_premium_from_the_partner_until_it_is_paid() {
    // D63, D80
    let app = Setup::default().with_premium(NAMOONA, "by = \"partner\"").start().await;
    let id = app.has_straight_through().await;
    let shown = page(&app, &format!("/{id}")).await["payload"].clone();
    assert_eq!(shown["awaits"], json!([{ "what": "PREMIUM", "from": "partner" }]), "{shown}");
    assert_eq!((&shown["paid_by"], &shown["premium_state"]), (&json!("partner"), &json!("due")));
    let due = app.due(&id).await;
    assert_eq!(app.pays("UTR-1", &id, &due).await.status, 201);
    app.is_completed_at_last(&id).await;
    let shown = page(&app, &format!("/{id}")).await["payload"].clone();
    assert_eq!((&shown["awaits"], &shown["premium_state"]), (&json!([]), &json!("paid")));
    assert!(shown["policy_id"].is_string());
}

#[tokio::test]
async fn the_reference_filter_finds_all_proposals_with_that_exact_reference_on_any_day() {
    // D79
    let mut app = App::start().await;
    let sold = async |app: &App, loan: &str| {
        let mut body = app.has_proposal_body("SUBMITTED").await;
        body["context_data"] = json!([{ "key": "loan_account_number", "values": [loan] }]);
        let answer = app.post("/v1/embedded/proposal", body).await;
        assert_eq!(answer.status, 201, "{}", answer.text);
        app.clock.advance(Duration::from_secs(1));
        answer.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned()
    };
    let (first, other, second) =
        (sold(&app, "LN-0001").await, sold(&app, "LN-0002").await, sold(&app, " LN-0001 ").await);
    app.set_clock("2027-03-01T10:00:00+05:30").await;
    let list = page(&app, "?reference=LN-0001").await;
    assert_eq!((ids(&list), &list["count"]), (vec![second.clone(), first.clone()], &2.into()));
    assert_eq!(list["proposals"][0]["reference"], "LN-0001");
    let newest = page(&app, "?reference=LN-0001&limit=1").await;
    assert_eq!((ids(&newest), &newest["has_next"]), (vec![second], &true.into()));
    let older = page(&app, &format!("?next={}", newest["end_cursor"].as_str().expect("a cursor"))).await;
    assert_eq!(
        (ids(&older), &older["has_next"], &older["has_prev"]),
        (vec![first], &false.into(), &true.into())
    );
    assert_eq!(ids(&page(&app, "?reference=LN-0002").await), [other]);
    assert_eq!(page(&app, "?reference=LN-000").await["count"], 0, "exact");
    // Another partner may use the same reference for its own sale.
    let stranger = app.new_partner("Other Lender").await;
    let theirs = app.as_partner(&stranger, "GET", &format!("{PATH}?reference=LN-0001"), None).await;
    assert_eq!(theirs.json()["count"], 0);
    for beside in ["session_id=ses_x", "created_from=2026-11-20"] {
        app.get(&format!("{PATH}?reference=LN-0001&{beside}")).await.has_faults_on(&["reference"]);
    }
    app.get(&format!("{PATH}?reference={}", "x".repeat(101))).await.has_faults_on(&["reference"]);
    app.get(PATH).await.has_faults_on(&["session_id"]);
}

#[tokio::test]
async fn a_journey_without_a_proposal_is_not_found_by_the_user_id_of_its_token() {
    // D79
    let app = Setup::health().start().await;
    let partner = app.refreshed().await;
    let body = json!({
        "client_id": partner.client_id, "client_secret": partner.client_secret, "user_id": "user-42",
        "scopes": ["business.session"],
    });
    let token = app.post_without_bearer("/v1/auth/token", body).await.json();
    let token = token["payload"]["access_token"].as_str().expect("a token").to_owned();
    let customer = Customer::new(&app);
    assert_eq!(customer.get(&format!("/health?session_token={token}")).await.name(), "who");
    assert_eq!(page(&app, "?reference=user-42").await["count"], 0, "nothing is applied for yet");
}

#[tokio::test]
async fn a_partner_can_list_only_its_own_proposals_and_only_with_the_required_scope() {
    // D2, D3
    let app = App::start().await;
    app.has_proposal("PENDING").await;
    let path = format!("{PATH}?created_from=2026-11-20");
    let other = app.new_partner("Other Lender").await;
    let list = app.as_partner(&other, "GET", &path, None).await;
    assert_eq!((list.status, &list.json()["count"]), (200, &0.into()));
    let mut narrow = app.new_partner_with("Narrow", App::scopes(&["business.proposal.read"]), 100).await;
    narrow.token = app.token_of(&narrow, &["business.proposal.read"]).await;
    app.as_partner(&narrow, "GET", &path, None).await.is_refused(403, "A4030");
    app.get_without_bearer(&path).await.is_refused(401, "A4001");
}
