//! `GET /v1/policies`: policies of every line, by day of issue, state or session (D66, D67).

use domain::identifier::{Identifier, IdentifierKind};
use serde_json::Value;
use service::policy::PolicySought;

use crate::support::bodies::imported_policy;
use crate::support::{App, Setup};

const PATH: &str = "/v1/policies";

/// The ids on a page.
fn ids(page: &Value) -> Vec<String> {
    let policies = page["policies"].as_array().expect("a list");
    policies.iter().map(|policy| policy["policy_id"].as_str().expect("an id").to_owned()).collect()
}

async fn page(app: &App, query: &str) -> Value {
    let answer = app.get(&format!("{PATH}{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text);
    answer.json()
}

#[tokio::test]
async fn policies_of_both_lines_are_in_one_list_newest_first() {
    // D67
    let app = App::start().await;
    app.imports_policies(vec![imported_policy()]).await;
    let credit = app.has_policy().await;
    let list = page(&app, "").await;
    assert_eq!(list["count"], 2);
    assert_eq!(ids(&list)[0], credit);
    let lines: Vec<&str> = list["policies"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["line"].as_str().expect("a word"))
        .collect();
    assert_eq!(lines, ["credit-life", "health"]);
    assert_eq!(list["policies"][1]["proposal_id"], Value::Null, "an imported one has none of ours");
}

#[tokio::test]
async fn each_page_of_policies_continues_after_its_cursor_and_counts_the_whole_list() {
    // D33, D67
    let app = App::start().await;
    let mut issued = Vec::new();
    for _ in 0..3 {
        issued.insert(0, app.has_policy().await);
        app.clock.advance(std::time::Duration::from_secs(1));
    }
    let first = page(&app, "?issued_from=2026-11-20&limit=2").await;
    assert_eq!(
        (ids(&first), &first["count"], &first["has_next"]),
        (issued[..2].to_vec(), &3.into(), &true.into())
    );
    let cursor = first["end_cursor"].as_str().expect("a cursor");
    let second = page(&app, &format!("?next={cursor}")).await;
    assert_eq!((ids(&second), &second["has_next"]), (issued[2..].to_vec(), &false.into()));
    let back = page(&app, &format!("?prev={}", second["start_cursor"].as_str().expect("a cursor"))).await;
    assert_eq!(ids(&back), issued[..2]);
    // Another filter than the cursor's is refused, and so is a changed cursor.
    app.get(&format!("{PATH}?next={cursor}&issued_from=2026-11-19")).await.has_faults_on(&["issued_from"]);
    app.get(&format!("{PATH}?next={cursor}x")).await.has_faults_on(&["next"]);
}

#[tokio::test]
async fn the_date_filter_of_policies_uses_the_day_of_issue_and_spans_at_most_31_days() {
    // D67
    let app = App::start().await;
    let policy = app.has_policy().await;
    for found in [
        "?issued_from=2026-11-20",
        "?issued_to=2026-11-20",
        "?issued_to=2026-12-20",
        "?issued_from=2026-10-21&issued_to=2026-11-20",
    ] {
        assert_eq!(ids(&page(&app, found).await), std::slice::from_ref(&policy), "{found}");
    }
    for empty in ["?issued_from=2026-11-21", "?issued_to=2026-11-19", "?issued_to=2026-12-21"] {
        let list = page(&app, empty).await;
        assert_eq!((ids(&list).len(), &list["count"]), (0, &0.into()), "{empty}");
    }
    for (query, field) in [
        ("?issued_from=2026-10-20&issued_to=2026-11-20", "issued_to"),
        ("?issued_from=2026-11-20&issued_to=2026-11-19", "issued_to"),
        ("?issued_from=20-11-2026", "issued_from"),
        ("?session_id=ses_x&issued_from=2026-11-20", "session_id"),
        ("?status=ISSUED", "status"),
        ("?status=DONE&issued_from=2026-11-20", "status"),
        ("?limit=101", "limit"),
    ] {
        app.get(&format!("{PATH}{query}")).await.has_faults_on(&[field]);
    }
}

#[tokio::test]
async fn the_status_filter_and_its_count_use_the_status_that_a_policy_has_today() {
    // D66, D67
    let mut app = App::start().await;
    let (kept, cancelled) = (app.has_policy().await, app.has_policy().await);
    assert_eq!(app.cancels(&cancelled, "FREE_LOOK").await.status, 200);
    let days = "issued_from=2026-11-20";
    for (status, wanted) in
        [("ISSUED", vec![kept.clone()]), ("CANCELLED", vec![cancelled.clone()]), ("EXPIRED", vec![])]
    {
        let list = page(&app, &format!("?{days}&status={status}")).await;
        assert_eq!(
            (ids(&list), list["count"].as_u64()),
            (wanted.clone(), Some(wanted.len() as u64)),
            "{status}"
        );
    }
    // The day after the last day of cover, the policy has expired without any action.
    let ends = app.policy(&kept).await["cover_ends"].as_str().expect("a day").to_owned();
    app.set_clock(&format!("{ends}T23:59:59+05:30")).await;
    assert_eq!(ids(&page(&app, &format!("?{days}&status=ISSUED")).await), std::slice::from_ref(&kept));
    app.clock.advance(std::time::Duration::from_secs(1));
    assert_eq!(ids(&page(&app, &format!("?{days}&status=EXPIRED")).await), std::slice::from_ref(&kept));
    assert_eq!(page(&app, &format!("?{days}&status=ISSUED")).await["count"], 0);
    let policy = app.policy(&kept).await;
    assert_eq!(policy["status"], "EXPIRED");
    app.quotes_cancellation(&kept, "CUSTOMER").await.is_refused(400, "S4000");
}

#[tokio::test]
async fn the_session_filter_lists_only_the_policies_of_that_session() {
    // D35, D67
    let app = Setup::health().start().await;
    let proposal = app.has_accepted_health_proposal().await;
    let policy = app.policy_id_of(&proposal).await;
    app.imports_policies(vec![imported_policy()]).await;
    let session = app.policy(&policy).await["session_id"].as_str().expect("an id").to_owned();
    let list = page(&app, &format!("?session_id={session}")).await;
    assert_eq!((ids(&list), &list["count"]), (vec![policy], &1.into()));
    let other = page(&app, "?session_id=ses_01m5vvw3xreqg9aaa1afd2xg99").await;
    assert_eq!((ids(&other).len(), &other["count"]), (0, &0.into()));
}

#[tokio::test]
async fn the_reference_filter_finds_policies_of_both_lines_and_allows_no_other_filter() {
    // D79
    let app = App::start().await;
    let (mut imported, mut other) = (imported_policy(), imported_policy());
    imported["reference"] = "LN-0001".into();
    other["policy_number"] = "CN-2026-004101".into();
    let imported = app.imports_policies(vec![imported, other]).await;
    let mut body = app.has_proposal_body("SUBMITTED").await;
    body["context_data"] = serde_json::json!([{ "key": "loan_account_number", "values": ["LN-0001"] }]);
    let proposal = app.post("/v1/embedded/proposal", body).await.json()["payload"]["proposal_id"].clone();
    let proposal = proposal.as_str().expect("an id");
    let completed = serde_json::json!({ "status": "COMPLETED" });
    assert_eq!(app.patch(&format!("/v1/embedded/proposal/{proposal}"), completed).await.status, 200);
    app.has_policy().await;
    let sold = app.policy_id_of(proposal).await;
    let list = page(&app, "?reference=LN-0001").await;
    assert_eq!((ids(&list), &list["count"]), (vec![sold.clone(), imported[0].clone()], &2.into()));
    assert_eq!(list["policies"][0]["reference"], "LN-0001");
    assert_eq!(app.policy(&sold).await["reference"], "LN-0001");
    for beside in ["session_id=ses_x", "issued_from=2026-11-20", "status=ISSUED"] {
        app.get(&format!("{PATH}?reference=LN-0001&{beside}")).await.has_faults_on(&["reference"]);
    }
}

#[tokio::test]
async fn a_search_finds_a_sold_policy_behind_newer_proposals_that_were_not_sold() {
    let app = App::start().await;
    let sold = app.has_policy().await;
    for _ in 0..3 {
        app.clock.advance(std::time::Duration::from_secs(1));
        app.has_proposal("DRAFT").await;
    }
    let body = app.has_proposal_body("DRAFT").await.to_string();
    let mobile = body.split("\"mobile\":\"").nth(1).and_then(|rest| rest.split('"').next());
    let by = Identifier::of(IdentifierKind::Mobile, mobile.expect("a number"));
    let found = app.service.policies.find_by(None, &PolicySought::Known(by), 2).await.expect("found");
    let found: Vec<String> = found.iter().map(|shown| shown.policy.id.to_string()).collect();
    assert_eq!(found, [sold]);
}

#[tokio::test]
async fn a_partner_can_list_only_its_own_policies_and_only_with_the_required_scope() {
    // D2, D3
    let app = App::start().await;
    app.has_policy().await;
    let other = app.new_partner("Other Lender").await;
    let list = app.as_partner(&other, "GET", PATH, None).await;
    assert_eq!((list.status, &list.json()["count"]), (200, &0.into()));
    let mut narrow = app.new_partner_with("Narrow", App::scopes(&["business.policy.write"]), 100).await;
    narrow.token = app.token_of(&narrow, &["business.policy.write"]).await;
    app.as_partner(&narrow, "GET", PATH, None).await.is_refused(403, "A4030");
    app.get_without_bearer(PATH).await.is_refused(401, "A4001");
}
