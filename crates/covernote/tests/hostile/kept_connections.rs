//! Connections that stay open between two requests.

use std::time::Duration;

use crate::victim::Scene;
use crate::wire::Connection;

const PROBE: &[u8] = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[tokio::test]
async fn an_idle_kept_connection_is_not_closed_by_the_header_deadline() {
    let scene = Scene::start("header_deadline_ms = 400\nidle_deadline_ms = 4000\n").await;
    let mut connection = Connection::open(scene.address());
    for _ in 0..2 {
        assert!(connection.send(PROBE));
        assert_eq!(connection.answer().expect("an answer").status, 200);
        tokio::time::sleep(Duration::from_millis(600)).await;
    }
    assert!(connection.ends_within(Duration::from_secs(15)), "an idle connection is closed in the end");
}

#[tokio::test]
async fn a_connection_with_an_unfinished_header_is_closed_at_the_header_deadline() {
    let scene = Scene::start("header_deadline_ms = 700\nidle_deadline_ms = 600000\n").await;
    for (before, begun) in [(0, &b""[..]), (0, b"G"), (1, b"GET /livez HTTP/1.1\r\n")] {
        let mut connection = Connection::open(scene.address());
        for _ in 0..before {
            assert!(connection.send(PROBE));
            assert_eq!(connection.answer().expect("an answer").status, 200);
        }
        connection.send(begun);
        assert!(connection.ends_within(Duration::from_secs(15)), "{begun:?} holds a connection");
    }
}
