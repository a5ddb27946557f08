//! What operators see of a policy now: data in force, and what each endorsement changed (D149).

use domain::id::PolicyId;
use serde_json::json;
use service::proposal::operator::AnyProposal;

use crate::approvals::Team;
use crate::support::App;

#[tokio::test]
async fn a_policy_shows_what_is_in_force_and_what_each_endorsement_changed() {
    // D149
    let team = Team::new().await;
    let policy = team.app.has_policy().await;
    let contact = json!({ "kind": "CONTACT", "contact": { "mobile": "9000000041" } });
    assert_eq!(team.app.endorses(&policy, contact).await.status, 200);
    let reason = "personal=true&reason=their+call+of+today";
    let show = async |query: &str| {
        let path = format!("/policies/{policy}?{query}");
        team.console.act("GET", &path, &team.divya, &json!({})).await.1
    };
    let shown = show(reason).await;
    let change = shown["changes"].as_array().expect("a list").iter().find(|one| one["kind"] == "CONTACT");
    let change = change.unwrap_or_else(|| panic!("no change: {shown:#}"));
    assert_eq!(change["endorsement"], 1);
    let after = change["after"].as_str().expect("a value");
    assert!(
        after.contains("9000000041") && !change["before"].as_str().expect("a value").contains("9000000041"),
        "{change}"
    );
    assert!(shown["in_force"].to_string().contains("9000000041"), "{shown}");
    let masked = show("").await;
    assert!(masked["in_force"].is_null() && masked["changes"][0]["after"] == "…", "{masked}");
}

#[tokio::test]
async fn the_facts_of_a_sold_proposal_are_those_of_its_policy_a_year_later() {
    // D149
    let mut app = App::start().await;
    let policy = app.has_policy().await;
    let id: PolicyId = policy.parse().expect("an id");
    let facts = async |app: &App| {
        let view = app.service.policies.view(app.partner().id, id).await.expect("there");
        let proposal = view.shown.policy.proposal.expect("its proposal");
        let proposals = &app.service.operator_proposals;
        let AnyProposal::CreditLife(found, _) = proposals.find(proposal).await.expect("there") else {
            panic!("no credit-protection proposal")
        };
        let facts = proposals.facts_of(&found).await.expect("facts");
        web::sight::facts_to_json(&facts)
    };
    let at_sale = facts(&app).await;
    app.set_clock("2027-10-20T12:00:00+05:30").await;
    let later = facts(&app).await;
    for name in ["cover", "proposer", "insured_members"] {
        assert_eq!(later[name], at_sale[name], "{name}");
    }
}
