//! `GET /operator/v1/waiting`: the work that waits for a person (D88, D91).

use domain::team::Role;
use serde_json::{Value, json};

use crate::support::console::{Authenticator, Console};
use crate::support::{App, Setup};

async fn today(app: &App) -> Value {
    let console = Console::start(&app.service);
    let name = format!("Meera {}", app.service.team.list().await.expect("read").len());
    let cookie = console.has_operator(app, &name, &[Role::Admin], &mut Authenticator::new(&console)).await;
    let session = cookie.split_once('=').expect("a cookie").1;
    console.act("GET", "/waiting", session, &json!({})).await.1
}

#[tokio::test]
async fn work_is_listed_with_person_product_insurer_amount_and_the_reason_of_its_day_late_work_first() {
    let mut app = Setup::health().start().await;
    let policy = app.has_health_policy().await;
    app.set_clock("2027-10-20T12:00:00+05:30").await;
    let listed = today(&app).await;
    let renewal = listed["waiting"].as_array().expect("a list").iter().find(|one| one["kind"] == "renewal");
    let renewal = renewal.unwrap_or_else(|| panic!("no renewal: {listed:#}"));
    assert_eq!((&renewal["record"], &renewal["due_on"]), (&json!(policy), &json!("2027-12-19")), "{renewal}");
    assert_eq!(renewal["due_because"], "the policy cannot be renewed later");
    let person = renewal["person"].as_str().expect("a masked name");
    assert!(person.contains('…'), "{person}");
    for name in ["product", "insurer", "partner_name"] {
        assert!(renewal[name].is_string(), "{name}: {renewal}");
    }
    let is_late = |one: &Value| one["is_late"] == true;
    let order: Vec<bool> = listed["waiting"].as_array().expect("a list").iter().map(is_late).collect();
    assert!(order.is_sorted_by_key(|late| !late), "{order:?}");
    app.set_clock("2027-12-20T12:00:00+05:30").await;
    assert!(!today(&app).await.to_string().contains("\"renewal\""), "it can no longer be renewed");
}
