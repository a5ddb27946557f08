//! `GET /v1/renewals`: policies that are due for renewal, by the end of cover, earliest first (D91).

use serde_json::{Value, json};

use crate::support::{App, Setup};

const PATH: &str = "/v1/renewals";

async fn page(app: &App, query: &str) -> Value {
    let answer = app.get(&format!("{PATH}{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.text);
    answer.json()
}

fn ids(page: &Value) -> Vec<&str> {
    let policies = page["policies"].as_array().expect("a list");
    policies.iter().map(|policy| policy["policy_id"].as_str().expect("an id")).collect()
}

/// Policies that were issued on 20, 21 … November 2026. Each ends a year later, less one day.
async fn has_policies(app: &mut App, number: u8) -> Vec<String> {
    let mut policies = Vec::new();
    for nth in 0..number {
        app.set_clock(&format!("2026-11-{}T12:00:00+05:30", 20 + nth)).await;
        policies.push(app.has_health_policy().await);
    }
    policies
}

#[tokio::test]
async fn policies_are_due_for_renewal_from_45_days_before_their_end_and_the_earliest_end_is_first() {
    let mut app = Setup::health().start().await;
    let policies = has_policies(&mut app, 3).await;
    app.set_clock("2027-10-04T12:00:00+05:30").await;
    assert_eq!(ids(&page(&app, "").await), Vec::<&str>::new());
    app.set_clock("2027-10-05T12:00:00+05:30").await;
    assert_eq!(ids(&page(&app, "").await), [&policies[0]]);
    app.set_clock("2027-10-20T12:00:00+05:30").await;
    let due = page(&app, "").await;
    assert_eq!(ids(&due), policies);
    let notices: Vec<&Value> =
        due["policies"].as_array().expect("a list").iter().map(|one| &one["notice"]).collect();
    assert_eq!(notices, [&json!(30), &json!(45), &json!(45)]);
    let first = &due["policies"][0];
    assert_eq!(
        (&first["renewable_from"], &first["renewable_until"], &first["cover_ends"]),
        (&json!("2027-10-05"), &json!("2027-12-19"), &json!("2027-11-19"))
    );
    for (day, notice) in [
        ("2027-11-04", json!(15)),
        ("2027-11-18", json!(1)),
        ("2027-11-19", json!(1)),
        ("2027-11-20", Value::Null),
    ] {
        app.set_clock(&format!("{day}T12:00:00+05:30")).await;
        assert_eq!(page(&app, "").await["policies"][0]["notice"], notice, "{day}");
    }
}

#[tokio::test]
async fn a_renewed_cancelled_or_lapsed_policy_is_not_due_for_renewal() {
    let mut app = Setup::health().start().await;
    let policies = has_policies(&mut app, 3).await;
    app.set_clock("2027-11-10T12:00:00+05:30").await;
    let renewed = app.has_renewed(&policies[0]).await;
    assert_eq!(app.cancels(&policies[1], "CUSTOMER").await.status, 200);
    assert_eq!(ids(&page(&app, "").await), [&policies[2]]);
    // The grace period lasts until 21 December.
    app.set_clock("2027-12-21T12:00:00+05:30").await;
    let due = page(&app, "").await;
    assert_eq!((ids(&due), &due["policies"][0]["status"]), (vec![policies[2].as_str()], &json!("EXPIRED")));
    app.set_clock("2027-12-22T00:00:00+05:30").await;
    assert_eq!(ids(&page(&app, "").await), Vec::<&str>::new());
    // The renewed policy is due later.
    app.set_clock("2028-10-05T12:00:00+05:30").await;
    assert_eq!(ids(&page(&app, "").await), [&renewed]);
}

#[tokio::test]
async fn the_date_filter_of_renewals_selects_policies_by_the_end_of_their_cover() {
    let mut app = Setup::health().start().await;
    let policies = has_policies(&mut app, 3).await;
    // A query for days also finds policies that are not due yet.
    for (query, expected) in [
        ("?ends_from=2027-11-20&ends_to=2027-11-20", &policies[1..2]),
        ("?ends_from=2027-11-20", &policies[1..]),
        ("?ends_to=2027-11-20", &policies[..2]),
        ("?ends_from=2027-09-01&ends_to=2027-12-01", &policies[..]),
    ] {
        assert_eq!(ids(&page(&app, query).await), expected, "{query}");
    }
    let ahead = page(&app, "?ends_from=2027-11-20").await;
    assert_eq!(ahead["policies"][0]["notice"], Value::Null);
    for (query, field) in [
        ("?ends_from=2027-11-20&ends_to=2027-11-19", "ends_to"),
        ("?ends_from=2027-09-01&ends_to=2027-12-02", "ends_to"),
        ("?ends_from=20/11/2027", "ends_from"),
        ("?limit=0", "limit"),
        ("?next=x", "next"),
    ] {
        app.get(&format!("{PATH}{query}")).await.has_faults_on(&[field]);
    }
}

#[tokio::test]
async fn the_pages_of_due_renewals_together_contain_each_policy_exactly_once() {
    let mut app = Setup::health().start().await;
    let policies = has_policies(&mut app, 5).await;
    app.set_clock("2027-11-10T12:00:00+05:30").await;
    let mut seen = Vec::new();
    let mut query = "?limit=2".to_owned();
    loop {
        let due = page(&app, &query).await;
        seen.extend(ids(&due).into_iter().map(str::to_owned));
        if due["has_next"] == json!(false) {
            break;
        }
        query = format!("?next={}", due["end_cursor"].as_str().expect("text"));
    }
    assert_eq!(seen, policies);
    // A cursor of another list is not valid.
    let policies = app.get("/v1/policies?limit=1").await.json();
    let cursor = policies["end_cursor"].as_str().expect("text");
    app.get(&format!("{PATH}?next={cursor}")).await.has_faults_on(&["next"]);
}

#[tokio::test]
async fn a_partner_does_not_see_the_due_renewals_of_another_partner() {
    let mut app = Setup::health().start().await;
    has_policies(&mut app, 1).await;
    app.set_clock("2027-11-10T12:00:00+05:30").await;
    let other = app.new_partner("Other Platform").await;
    let answer = app.as_partner(&other, "GET", PATH, None).await;
    assert_eq!(
        answer.json(),
        json!({ "policies": [], "has_next": false, "has_prev": false, "count": null, "end_cursor": "", "start_cursor": "" })
    );
}

#[tokio::test]
async fn the_policy_list_shows_a_policy_under_its_current_status_issued_expired_lapsed_or_renewed() {
    // D66, D91
    let mut app = Setup::health().start().await;
    let policies = has_policies(&mut app, 2).await;
    app.set_clock("2027-11-10T12:00:00+05:30").await;
    app.has_renewed(&policies[0]).await;
    let in_state = async |app: &App, state: &str| {
        let query = format!("/v1/policies?issued_from=2026-11-20&issued_to=2026-11-30&status={state}");
        let list = app.get(&query).await.json();
        ids(&list).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    for (day, issued, expired, lapsed) in [
        ("2027-11-20", &policies[1..], &[][..], &[][..]),
        ("2027-11-21", &[], &policies[1..], &[]),
        ("2027-12-20", &[], &policies[1..], &[]),
        ("2027-12-21", &[], &[], &policies[1..]),
    ] {
        app.set_clock(&format!("{day}T12:00:00+05:30")).await;
        assert_eq!(in_state(&app, "ISSUED").await, issued, "{day}");
        assert_eq!(in_state(&app, "EXPIRED").await, expired, "{day}");
        assert_eq!(in_state(&app, "LAPSED").await, lapsed, "{day}");
        assert_eq!(in_state(&app, "RENEWED").await, policies[..1], "{day}");
    }
}
