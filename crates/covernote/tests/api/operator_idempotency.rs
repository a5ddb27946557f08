//! `Idempotency-Key` of operators' acts (D138).

use domain::team::Role;
use serde_json::{Value, json};

use crate::support::App;
use crate::support::console::{Authenticator, Console};

struct Desk {
    app: App,
    console: Console,
    session: String,
}

impl Desk {
    async fn new() -> Desk {
        let app = App::start().await;
        let console = Console::start(&app.service);
        let session = signed_in(&app, &console, "Meera").await;
        Desk { app, console, session }
    }

    async fn complains(&self, key: &str, text: &str) -> (u16, Value) {
        let body = json!({ "kind": "CLAIM", "from": "Asha Rao", "text": text });
        self.console.act_once(key, "/complaints", &self.session, &body).await
    }

    async fn complaints(&self) -> usize {
        self.app.service.complaints.all(99).await.expect("read").len()
    }
}

async fn signed_in(app: &App, console: &Console, name: &str) -> String {
    let cookie = console.has_operator(app, name, &[Role::Admin], &mut Authenticator::new(console)).await;
    cookie.split_once('=').expect("a cookie").1.to_owned()
}

#[tokio::test]
async fn a_repeated_act_is_done_once_and_has_the_same_answer() {
    let desk = Desk::new().await;
    let first = desk.complains("k-1", "Late").await;
    assert_eq!(first.0, 200, "{}", first.1);
    assert_eq!(desk.complains("k-1", "Late").await, first);
    assert_eq!(desk.complaints().await, 1);
    assert_ne!(desk.complains("k-2", "Late").await.1["complaint_id"], first.1["complaint_id"]);
    assert_eq!(desk.complaints().await, 2);
    // Without a key, every request counts.
    let body = json!({ "kind": "CLAIM", "from": "Asha Rao", "text": "Late" });
    for _ in 0..2 {
        assert_eq!(desk.console.act("POST", "/complaints", &desk.session, &body).await.0, 200);
    }
    assert_eq!(desk.complaints().await, 4);
}

#[tokio::test]
async fn a_key_is_for_one_request_of_one_operator() {
    let desk = Desk::new().await;
    assert_eq!(desk.complains("k-1", "Late").await.0, 200);
    let (status, other) = desk.complains("k-1", "Rude").await;
    assert_eq!((status, &other["type"]), (422, &json!("V4220")), "{other}");
    let arjun = signed_in(&desk.app, &desk.console, "Arjun").await;
    let body = json!({ "kind": "CLAIM", "from": "Asha Rao", "text": "Rude" });
    assert_eq!(desk.console.act_once("k-1", "/complaints", &arjun, &body).await.0, 200);
    let (status, faulty) = desk.complains(&"k".repeat(256), "Late").await;
    assert_eq!((status, &faulty["type"]), (400, &json!("V4000")), "{faulty}");
}

#[tokio::test]
async fn after_a_refused_act_the_same_key_can_be_used_for_another_request() {
    let desk = Desk::new().await;
    let invite = json!({ "name": "Kiran", "roles": ["nobody"] });
    assert_eq!(desk.console.act_once("k-1", "/operators", &desk.session, &invite).await.0, 400);
    let invite = json!({ "name": "Kiran", "roles": ["read"] });
    let (status, done) = desk.console.act_once("k-1", "/operators", &desk.session, &invite).await;
    assert_eq!(status, 200, "{done}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn only_one_of_sixteen_simultaneous_equal_acts_is_done_and_all_get_its_answer() {
    let desk = Desk::new().await;
    let all = futures_util::future::join_all((0..16).map(|_| desk.complains("k-1", "Late"))).await;
    let ids: Vec<&Value> = all.iter().map(|(_, answer)| &answer["complaint_id"]).collect();
    assert!(all.iter().all(|(status, _)| *status == 200), "{all:?}");
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(desk.complaints().await, 1);
}

#[tokio::test]
async fn an_act_of_several_transactions_also_gets_the_same_answer_if_repeated_with_its_key() {
    let desk = Desk::new().await;
    let rotate = json!({ "purpose": "cursor" });
    let first = desk.console.act_once("k-1", "/keys", &desk.session, &rotate).await;
    assert_eq!(first.0, 200, "{}", first.1);
    assert_eq!(desk.console.act_once("k-1", "/keys", &desk.session, &rotate).await, first);
}
