//! What operators change of a partner (D119).

use domain::team::Role;
use serde_json::{Value, json};

use crate::support::App;
use crate::support::console::{Authenticator, Console};

#[tokio::test]
async fn a_partners_name_tokens_and_contacts_are_changed_by_an_act() {
    let app = App::start().await;
    let console = Console::start(&app.service);
    let cookie = console.has_operator(&app, "Meera", &[Role::Admin], &mut Authenticator::new(&console)).await;
    let session = cookie.split_once('=').expect("a cookie").1;
    let id = app.partner().id;
    let change =
        async |body: Value| console.act("POST", &format!("/partners/{id}/change"), session, &body).await;
    let body = json!({ "name": "Acme", "tokens_per_hour": 7, "contacts": "Ravi, ravi@acme.example" });
    assert_eq!(change(body).await.0, 200);
    assert_eq!(change(json!({ "tokens_per_hour": 8 })).await.0, 200);
    let (_, shown) = console.act("GET", &format!("/partners/{id}"), session, &json!({})).await;
    let told = (&shown["name"], &shown["tokens_per_hour"], &shown["contacts"]);
    assert_eq!(told, (&json!("Acme"), &json!(8), &json!("Ravi, ravi@acme.example")));
    let bytes = app.store.bytes(app.folder.path());
    let word = b"ravi@acme.example";
    assert!(!bytes.windows(word.len()).any(|part| part == word), "encrypted in the store");
    for (wrong, says) in [
        (json!({}), "at least one of"),
        (json!({ "tokens_per_hour": 0 }), "at least 1"),
        (json!({ "contacts": "two\nlines" }), "contacts"),
        (json!({ "name": " " }), "at least one of"),
    ] {
        let (status, refused) = change(wrong.clone()).await;
        assert!(status == 400 && refused.to_string().contains(says), "{wrong}: {refused}");
    }
    assert_eq!(app.store.faults(app.folder.path()), Vec::<String>::new());
}
