//! `PATCH /v1/embedded/proposal/{proposal_id}` (interface §7; D12, D28, D29, D36, D43).

use serde_json::json;

use crate::support::App;

fn path(id: &str) -> String {
    format!("/v1/embedded/proposal/{id}")
}

#[tokio::test]
async fn each_of_sixteen_moves_is_taken_or_refused_as_the_table_says() {
    // D28
    let app = App::start().await;
    let allowed =
        [("DRAFT", "PENDING"), ("DRAFT", "REJECTED"), ("PENDING", "COMPLETED"), ("PENDING", "REJECTED")];
    let all = ["DRAFT", "PENDING", "COMPLETED", "REJECTED"];
    for from in all {
        for to in all {
            let id = app.has_proposal(from).await;
            let answer = app.patch(&path(&id), json!({ "status": to })).await;
            if allowed.contains(&(from, to)) {
                assert_eq!(
                    (answer.status, &answer.json()["payload"]["status"]),
                    (200, &json!(to)),
                    "{from} to {to}"
                );
                assert_eq!(app.status_of(&id).await, to);
            } else {
                answer.is_refused(400, "S4000");
                assert_eq!(answer.json()["instance"], path(&id));
                assert_eq!(app.status_of(&id).await, from, "a refused move changes nothing");
            }
        }
    }
}
