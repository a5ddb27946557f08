//! Questions to the audit trail: who did what, who asked for it, who approved it, and why (D146).

use serde_json::{Value, json};

use crate::approvals::Team;

impl Team {
    async fn entries(&self, query: &str) -> (u16, Value) {
        self.console.act("GET", &format!("/audit?{query}"), &self.meera, &json!({})).await
    }
}

#[tokio::test]
async fn who_changed_this_and_why_is_answered_by_one_command_with_names() {
    // D146
    let team = Team::new().await;
    let roles = json!({ "roles": ["support", "claims"] });
    let (_, waits) = team.act(&team.meera, "/operators/Divya/roles", roles).await;
    let (status, _) = team.approves(&team.arjun, waits["approval_id"].as_str().expect("an id")).await;
    assert_eq!(status, 200);
    let divya = team.app.service.team.find("Divya").await.expect("there").id;
    let (_, listed) = team.entries(&format!("of={divya}&act=operator.roles")).await;
    let entry = &listed["entries"][0];
    assert_eq!(
        (&entry["actor_name"], &entry["requester"], &entry["approver"]),
        (&json!("Arjun"), &json!("Meera"), &json!("Arjun")),
        "{listed}"
    );
}

#[tokio::test]
async fn the_trail_is_filtered_by_record_operator_act_and_day_and_an_unknown_record_is_an_error() {
    // D146
    let team = Team::new().await;
    let policy = team.app.has_policy().await;
    let number = team.app.policy(&policy).await["policy_number"].as_str().expect("a number").to_owned();
    let reason = "their call of today";
    let show = format!("/policies/{number}?personal=true&reason=their+call+of+today");
    assert_eq!(team.console.act("GET", &show, &team.divya, &json!({})).await.0, 200);
    let (_, by_number) = team.entries(&format!("of={number}&operator=Divya")).await;
    assert_eq!(by_number["entries"][0]["subject"], policy.as_str(), "{by_number}");
    assert_eq!(by_number["entries"][0]["reason"], "…");
    let revealed = format!("of={policy}&act=policy.show&personal=true&reason=the+question+of+an+auditor");
    let (_, revealed) = team.entries(&revealed).await;
    assert_eq!(revealed["entries"][0]["reason"], reason, "{revealed}");
    let today = team.app.service.policies.today();
    let (_, day) = team.entries(&format!("operator=Divya&from={today}&to={today}")).await;
    let actors: Vec<&Value> =
        day["entries"].as_array().expect("a list").iter().map(|one| &one["actor_name"]).collect();
    assert!(!actors.is_empty() && actors.iter().all(|actor| *actor == "Divya"), "{day}");
    let (_, none) = team.entries("operator=Divya&to=2020-01-01").await;
    assert_eq!(none["entries"], json!([]));
    for unknown in ["of=xyz", "of=pol_01m8kh5c7ze2dv9njcbgag5bk7", "operator=Nobody"] {
        assert_eq!(team.entries(unknown).await.0, 404, "{unknown}");
    }
}

#[tokio::test]
async fn an_act_on_a_person_is_found_by_the_persons_records() {
    // D146
    let team = Team::new().await;
    let policy = team.app.has_policy().await;
    let search = json!({ "mobile": "9876543210" });
    let (status, found) = team.act(&team.divya, "/persons/search", search).await;
    assert_eq!(status, 200, "{found}");
    let (status, listed) = team.entries(&format!("of={policy}&act=person.find")).await;
    assert_eq!((status, &listed["entries"][0]["actor_name"]), (200, &json!("Divya")), "{listed}");
}
