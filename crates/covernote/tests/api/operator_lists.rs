//! Lists of operators: how many records there are, and their pages (D148).

use serde_json::{Value, json};

use crate::approvals::Team;
use crate::support::Setup;

impl Team {
    async fn lists(&self, path: &str) -> Value {
        let (status, listed) = self.console.act("GET", path, &self.meera, &json!({})).await;
        assert_eq!(status, 200, "{path}: {listed}");
        listed
    }
}

/// Ids of all pages of a list, two records at a time.
async fn walk(team: &Team, path: &str, list: &str, id: &str, count: usize) -> Vec<String> {
    let (mut ids, mut after) = (Vec::new(), String::new());
    loop {
        let listed = team.lists(&format!("{path}?most=2{after}")).await;
        assert_eq!(listed["page"]["count"], count, "{path}: {}", listed["page"]);
        let records = listed[list].as_array().expect("a list");
        ids.extend(records.iter().map(|record| record[id].as_str().expect("an id").to_owned()));
        match listed["page"]["next"].as_str() {
            Some(next) => {
                assert!(
                    listed["notes"].to_string().contains(&format!("2 of {count} are listed")),
                    "{listed}"
                );
                after = format!("&after={next}");
            }
            None => return ids,
        }
    }
}

#[tokio::test]
async fn each_list_says_how_many_records_there_are_and_its_pages_have_all_of_them_once() {
    // D148
    let team = Team::of(Setup::paid_by_partner().start().await).await;
    let app = &team.app;
    let mut policies = Vec::new();
    for nth in 0..5 {
        policies.push(app.has_policy_paid_by_partner(&format!("UTR-{nth}")).await);
        app.has_proposal("PENDING").await;
        app.claims(crate::support::claims::death(&policies[nth])).await;
    }
    for (path, list, id, count) in [
        ("/policies", "policies", "policy_id", 5),
        ("/proposals", "proposals", "proposal_id", 10),
        ("/claims", "claims", "claim_id", 5),
        ("/premiums", "premiums", "proposal_id", 5),
    ] {
        let all = team.lists(path).await;
        let all: Vec<&str> = all[list]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| one[id].as_str().expect("an id"))
            .collect();
        assert_eq!(walk(&team, path, list, id, count).await, all, "{path}");
    }
    let (status, refused) = team.console.act("GET", "/claims?after=clm_x", &team.meera, &json!({})).await;
    assert!(status == 400 && refused.to_string().contains("Must be the id of a record"), "{refused}");
    assert!(team.lists("/claims").await["page"]["next"].is_null());
}
