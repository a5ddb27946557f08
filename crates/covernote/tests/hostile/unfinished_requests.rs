//! Requests that start and never finish.

use std::time::Duration;

use crate::victim::Scene;
use crate::wire::Connection;

/// More than the permits, so that they could use up all of them.
const MANY: usize = 300;

/// Opens many requests, of which only one byte of the body comes.
fn unfinished(scene: &Scene, path: &str, headers: &str) -> Vec<Connection> {
    let begun = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{headers}Content-Length: 1000\r\n\r\n{{"
    );
    let open = |_| {
        let mut connection = Connection::open(scene.address());
        connection.send(begun.as_bytes());
        connection
    };
    (0..MANY).map(open).collect()
}

#[tokio::test]
async fn token_requests_without_their_bodies_do_not_block_other_requests() {
    let scene = Scene::start("").await;
    let held = unfinished(&scene, "/v1/auth/token", "");
    for _ in 0..50 {
        assert_eq!(scene.quote().await.0, 200);
    }
    drop(held);
}

#[tokio::test]
async fn unfinished_requests_of_one_partner_do_not_block_other_partners() {
    let scene = Scene::start("").await;
    let made = crate::program::run(
        scene.folder.path(),
        &["partner", "create", "Another", "--scope", "business", "--json"],
    );
    let other = serde_json::from_str(&crate::program::stdout(&made)).expect("credentials");
    let token = crate::program::token_of(&scene.server.base, &other).await;
    let held = unfinished(&scene, "/v1/business/session", &format!("Authorization: Bearer {token}\r\n"));
    for _ in 0..50 {
        assert_eq!(scene.quote().await.0, 200);
    }
    drop(held);
}

#[tokio::test]
async fn a_request_whose_body_never_comes_is_refused_and_its_connection_is_closed() {
    let scene = Scene::start("body_deadline_ms = 300\n").await;
    let mut held = unfinished(&scene, "/v1/auth/token", "");
    for connection in &mut held {
        let answer = connection.answer().expect("an answer");
        assert!(matches!(answer.status, 400 | 503), "{answer:?}");
        assert!(answer.closes(), "the body may still come: {answer:?}");
        assert!(connection.ends_within(Duration::from_secs(10)));
    }
}

#[tokio::test]
async fn a_token_request_with_a_body_above_8_kib_is_refused() {
    // D57
    let scene = Scene::start("").await;
    let body = format!("{{\"a\":[{}]}}", vec!["{\"\":0}"; 2000].join(","));
    let answer = scene.client.post(format!("{}/v1/auth/token", scene.server.base));
    let answer =
        answer.header("content-type", "application/json").body(body).send().await.expect("an answer");
    assert_eq!(answer.status().as_u16(), 413);
}
