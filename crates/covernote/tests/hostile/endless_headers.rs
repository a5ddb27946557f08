//! HTTP/2 headers that continue in CONTINUATION frames and never end (CVE-2024-27316).

use crate::frames::{CONTINUATION, Connection, HEADERS, fields, frame, request};
use crate::http2::Scene;

/// Frames that a connection sends, unless it ends before.
const FRAMES: usize = 10_000;

/// Concurrent connections of each kind.
const CONNECTIONS: usize = 4;

/// Most growth of the server's memory, in megabytes.
const GROWTH: u64 = 64;

/// Sends a header that never ends.
fn go_on(connection: &mut Connection, more: &[u8]) {
    let header = frame(HEADERS, 0, 1, &fields(&request("GET", "/.well-known/jwks.json")));
    let more = frame(CONTINUATION, 0, 1, more).repeat(10);
    if connection.send(&header) && (0..FRAMES / 10).all(|_| connection.send(&more)) {
        assert!(connection.ends(), "the connection outlived {FRAMES} CONTINUATION frames");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_with_an_endless_header_is_closed_before_the_servers_memory_grows_much() {
    let scene = Scene::start("").await;
    let victim = scene.victim().await;
    let before = scene.most_memory();
    let small = fields(&[("x-more", "and more")]);
    let large = fields(&[("x-more", &"m".repeat(100))]).repeat(140);
    let mut attackers = Vec::new();
    for more in [Vec::new(), small, large] {
        assert!(more.len() <= 16 * 1024);
        for _ in 0..CONNECTIONS {
            let (config, address, more) = (scene.config.clone(), scene.address().to_owned(), more.clone());
            attackers.push(tokio::task::spawn_blocking(move || {
                go_on(&mut Connection::open(&config, &address), &more);
            }));
        }
    }
    for attacker in attackers {
        attacker.await.expect("its connection ended");
    }
    assert!(victim.end().await > 0);
    let grown = scene.most_memory() - before;
    assert!(grown <= GROWTH, "the server grew by {grown} MB");
}
