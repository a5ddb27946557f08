//! The one search of operators, and the refused requests of a partner (D150).

use domain::team::Role;
use serde_json::{Value, json};

use crate::approvals::Team;
use crate::support::Setup;
use crate::support::console::Authenticator;

/// Kinds and ids of the records that a session finds.
async fn finds(team: &Team, session: &str, by: Value) -> Vec<(String, String)> {
    let (status, found) = team.act(session, "/persons/search", by).await;
    assert_eq!(status, 200, "{found}");
    let text = |one: &Value, name: &str| one[name].as_str().expect("text").to_owned();
    let records = found["records"].as_array().expect("a list").iter();
    let mut records: Vec<_> = records.map(|one| (text(one, "kind"), text(one, "id"))).collect();
    records.sort();
    records
}

#[tokio::test]
async fn one_search_finds_records_by_person_number_and_payment_within_the_callers_role() {
    // D150
    let team = Team::of(Setup::paid_by_partner().start().await).await;
    let policy = team.app.has_policy_paid_by_partner("UTR-1").await;
    let shown = team.app.policy(&policy).await;
    let proposal = shown["proposal_id"].as_str().expect("an id").to_owned();
    let kind = |kind: &str, id: &str| (kind.to_owned(), id.to_owned());
    let by_mobile = finds(&team, &team.divya, json!({ "mobile": "9876543210" })).await;
    assert_eq!(by_mobile, [kind("policy", &policy), kind("proposal", &proposal)]);
    assert_eq!(
        finds(&team, &team.divya, json!({ "number": shown["policy_number"] })).await,
        [kind("policy", &policy)]
    );
    for payment in ["UTR-1", "utr-1"] {
        assert_eq!(
            finds(&team, &team.divya, json!({ "payment": payment })).await,
            [kind("proposal", &proposal)]
        );
    }
    assert!(finds(&team, &team.divya, json!({ "payment": "UTR-9" })).await.is_empty());
    let passkey = &mut Authenticator::new(&team.console);
    let cookie = team.console.has_operator(&team.app, "Ravi", &[Role::Catalogue], passkey).await;
    let ravi = cookie.split_once('=').expect("a cookie").1;
    assert!(finds(&team, ravi, json!({ "mobile": "9876543210" })).await.is_empty(), "not his to list");
}

#[tokio::test]
async fn refused_requests_of_a_partner_are_counted_by_code_and_hour_with_examples() {
    // D150
    let team = Team::new().await;
    for _ in 0..25 {
        assert_eq!(team.app.get("/v1/policies/pol_01m8kh5c7ze2dv9njcbgag5bk7").await.status, 404);
    }
    assert_eq!(team.app.post("/v1/embedded/quote", json!({})).await.status, 400);
    team.app.service.request_log.flush().await.expect("saved");
    let path = format!("/partners/{}/refusals", team.app.partner().id);
    let (status, refused) = team.console.act("GET", &path, &team.divya, &json!({})).await;
    assert_eq!(status, 200, "{refused}");
    let count = |code: &str| {
        let counts = refused["counts"].as_array().expect("a list").iter();
        counts
            .filter(|one| one["code"] == code)
            .map(|one| one["requests"].as_u64().expect("a number"))
            .sum::<u64>()
    };
    assert_eq!((count("R4040"), count("V4000")), (25, 1), "{refused}");
    let examples = refused["examples"].as_array().expect("a list");
    assert_eq!(
        (examples.len(), &examples[0]["request"]),
        (20, &json!("POST /v1/embedded/quote")),
        "{refused}"
    );
}
