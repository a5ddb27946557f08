//! Who sees personal data, with which reason, and how often (D143, D145).

use std::time::Duration;

use domain::team::Role;
use serde_json::{Value, json};
use service::waiting::WaitingKind;

use crate::approvals::Team;

/// Answer to the sight of a policy with this reason.
async fn shows(team: &Team, session: &str, policy: &str, reason: &str) -> (u16, Value) {
    let query: String = url::form_urlencoded::byte_serialize(reason.as_bytes()).collect();
    let path = format!("/policies/{policy}?personal=true&reason={query}");
    team.console.act("GET", &path, session, &json!({})).await
}

#[tokio::test]
async fn the_reason_for_personal_data_has_at_least_10_characters_that_are_not_one_repeated_sign() {
    // D145
    let team = Team::new().await;
    let policy = team.app.has_policy().await;
    for reason in ["too short", "..........", ". . . . . . . .", "ääääääääääää"] {
        let (status, refused) = shows(&team, &team.divya, &policy, reason).await;
        assert!(
            status == 400 && refused.to_string().contains("at least 10 characters"),
            "{reason:?} {refused}"
        );
    }
    assert_eq!(shows(&team, &team.divya, &policy, "their call of today").await.0, 200);
}

#[tokio::test]
async fn the_link_to_a_status_page_requires_a_reason() {
    // D145
    let team = Team::new().await;
    let path = "/proposals/pro_01m8kh5c7ze2dv9njcbgag5bk7/status-page";
    let (status, refused) = team.act(&team.divya, path, json!({})).await;
    assert!(status == 400 && refused.to_string().contains("reason"), "{refused}");
}

#[tokio::test]
async fn above_the_limit_of_an_hour_an_operator_sees_personal_data_only_after_an_approval() {
    // D145
    let team = Team::new().await;
    let policy = team.app.has_policy().await;
    let support = "their call of today";
    for _ in 0..59 {
        assert_eq!(shows(&team, &team.divya, &policy, support).await.0, 200);
    }
    let search = json!({ "mobile": "9876543210" });
    assert_eq!(team.act(&team.divya, "/policies/search", search.clone()).await.0, 200, "the 60th");
    let (status, waits) = team.act(&team.divya, "/policies/search", search).await;
    assert_eq!((status, &waits["act"]), (202, &json!("policy.find")), "a search counts: {waits}");
    let (status, waits) = shows(&team, &team.divya, &policy, support).await;
    assert_eq!((status, &waits["act"]), (202, &json!("policy.show")), "{waits}");
    assert_eq!(
        team.console.act("GET", &format!("/policies/{policy}"), &team.divya, &json!({})).await.0,
        200,
        "masked"
    );
    let id = waits["approval_id"].as_str().expect("an id");
    assert_eq!(team.approves(&team.arjun, id).await.1["state"], "approved");
    assert_eq!(shows(&team, &team.divya, &policy, support).await.0, 200);
    assert_eq!(shows(&team, &team.divya, &policy, "another call of today").await.0, 202, "once");
    let unusual = async || {
        let all = team.app.service.waiting.all().await.expect("read").into_iter();
        all.filter(|one| one.kind == WaitingKind::Reveals).count()
    };
    assert_eq!(unusual().await, 1, "compliance sees it in today");
    team.app.clock.advance(Duration::from_secs(3601));
    assert_eq!(shows(&team, &team.meera, &policy, support).await.0, 401, "her session is over");
    team.app.clock.advance(Duration::from_secs(24 * 3600));
    assert_eq!(unusual().await, 0);
}

#[tokio::test]
async fn an_operator_of_another_role_is_not_limited_by_what_a_colleague_saw() {
    // D145
    let team = Team::new().await;
    let policy = team.app.has_policy().await;
    for _ in 0..60 {
        assert_eq!(shows(&team, &team.divya, &policy, "their call of today").await.0, 200);
    }
    assert_eq!(shows(&team, &team.meera, &policy, "their call of today").await.0, 200);
    let roles = team.app.service.team.find("Meera").await.expect("there").roles;
    assert_eq!(roles, [Role::Admin]);
}
