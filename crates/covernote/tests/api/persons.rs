//! Everything about a person, by search and as an export (DPDP Act).

use domain::team::Role;
use serde_json::{Value, json};

use crate::support::App;
use crate::support::console::{Authenticator, Console};

#[tokio::test]
async fn everything_about_a_person_is_found_and_nothing_about_another() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let cookie =
        console.has_operator(&app, "Meera", &[Role::Compliance], &mut Authenticator::new(&console)).await;
    let session = cookie.split_once('=').expect("a cookie").1;
    let (claim, policy) = app.has_claim().await;
    let mobile = "9876543210";
    let (status, found) = console.act("POST", "/persons/search", session, &json!({ "mobile": mobile })).await;
    assert_eq!(status, 200, "{found}");
    let kinds: Vec<&str> = found["records"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|record| record["kind"].as_str().expect("a word"))
        .collect();
    assert_eq!(kinds, ["proposal", "policy", "claim"]);
    assert!(found.to_string().contains(&policy) && found.to_string().contains(&claim), "{found}");
    let other = console.act("POST", "/persons/search", session, &json!({ "mobile": "9000000001" })).await.1;
    assert_eq!(other["records"], json!([]));
    for wrong in [json!({}), json!({ "mobile": mobile, "email": "a@example.com" })] {
        assert_eq!(console.act("POST", "/persons/search", session, &wrong).await.0, 400, "{wrong}");
    }
    let no_reason = json!({ "mobile": mobile, "reason": "" });
    assert_eq!(console.act("POST", "/persons/export", session, &no_reason).await.0, 400);
    let export = json!({ "mobile": mobile, "reason": "their request of today" });
    let (status, file) = console.act("POST", "/persons/export", session, &export).await;
    assert_eq!(status, 200, "{file}");
    let of = |kind: &str| file[kind].as_array().map_or(0, Vec::len);
    assert_eq!((of("proposals"), of("policies"), of("claims")), (1, 1, 1), "{file}");
    let whole: Value = file["claims"][0]["claimant"].clone();
    assert!(!whole.is_null(), "in full: {file}");
}

#[tokio::test]
async fn a_search_takes_exactly_one_identifier_and_says_which_there_are() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let cookie = console.has_operator(&app, "Meera", &[Role::Admin], &mut Authenticator::new(&console)).await;
    let session = cookie.split_once('=').expect("a cookie").1;
    let searches = [
        ("/persons/search", "email", "lead_id", "mobile, email, pan, reference, lead_id, user_id"),
        ("/policies/search", "email", "number", "number, mobile, email, pan, reference"),
        ("/quotes/search", "lead_id", "user_id", "lead_id, user_id"),
    ];
    for (path, one, other, all) in searches {
        for wrong in [json!({}), json!({ one: "a@b.example", other: "x" }), json!({ one: " " })] {
            let (status, told) = console.act("POST", path, session, &wrong).await;
            assert_eq!(status, 400, "{path} {wrong}: {told}");
            assert!(
                told.to_string().contains(&format!("Give exactly one of {all}.")),
                "{path} {wrong}: {told}"
            );
        }
        assert_eq!(console.act("POST", path, session, &json!({ one: "a-b" })).await.0, 200, "{path}");
    }
}
