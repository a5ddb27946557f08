//! HTTP/2 streams that are opened and reset at once, ten thousand on a connection (CVE-2023-44487,
//! CVE-2025-8671).

use std::sync::Arc;

use tokio_rustls::rustls::ClientConfig;

use crate::frames::{
    Connection, END_HEADERS, END_STREAM, HEADERS, RST_STREAM, WINDOW_UPDATE, fields, frame, request,
};
use crate::http2::Scene;

/// Streams that a connection opens, unless it ends before.
const STREAMS: u32 = 10_000;

/// Number of concurrent connections.
const CONNECTIONS: usize = 8;

/// Most growth of the server's memory, in megabytes.
const GROWTH: u64 = 64;

const CANCEL: [u8; 4] = [0, 0, 0, 8];

/// A complete request without a body.
fn complete(stream: u32) -> Vec<u8> {
    frame(HEADERS, END_HEADERS | END_STREAM, stream, &fields(&request("GET", "/.well-known/jwks.json")))
}

/// A request without its body yet.
fn begun(stream: u32) -> Vec<u8> {
    let json = ("content-type", "application/json");
    let header = [&request("POST", "/v1/auth/token")[..], &[json]].concat();
    frame(HEADERS, END_HEADERS, stream, &fields(&header))
}

/// Opens streams in groups, until the server ends the connection.
fn open_streams(
    config: &Arc<ClientConfig>,
    address: &str,
    group: usize,
    open: impl Fn(&mut Connection, &[u32]) -> bool,
) {
    let mut connection = Connection::open(config, address);
    let streams: Vec<u32> = (0..STREAMS).map(|number| 2 * number + 1).collect();
    if streams.chunks(group).all(|group| open(&mut connection, group)) {
        assert!(connection.ends(), "the connection outlived {STREAMS} streams that were reset");
    }
}

/// Attacks over several connections while a partner requests quotes.
async fn attack(group: usize, open: impl Fn(&mut Connection, &[u32]) -> bool + Copy + Send + 'static) {
    let scene = Scene::start("").await;
    let victim = scene.victim().await;
    let before = scene.most_memory();
    let attackers: Vec<_> = (0..CONNECTIONS)
        .map(|_| {
            let (config, address) = (scene.config.clone(), scene.address().to_owned());
            tokio::task::spawn_blocking(move || open_streams(&config, &address, group, open))
        })
        .collect();
    for attacker in attackers {
        attacker.await.expect("its connection ended");
    }
    assert!(victim.end().await > 0);
    let grown = scene.most_memory() - before;
    assert!(grown <= GROWTH, "the server grew by {grown} MB");
    // Reset streams hold no permits.
    let client = scene.client().await;
    for _ in 0..300 {
        assert_eq!(client.quote(&scene.token).await.expect("an answer").0, 200);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_resets_its_streams_immediately_is_closed() {
    attack(100, |connection, streams| {
        let reset = |stream: &u32| [complete(*stream), frame(RST_STREAM, 0, *stream, &CANCEL)].concat();
        connection.send(&streams.iter().flat_map(reset).collect::<Vec<u8>>())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_resets_streams_after_the_server_accepted_them_is_closed() {
    // Only a few at once, so that each is accepted before it is reset.
    attack(10, |connection, streams| {
        let opened: Vec<u8> = streams.iter().flat_map(|stream| begun(*stream)).collect();
        let reset = |stream: &u32| frame(RST_STREAM, 0, *stream, &CANCEL);
        connection.send(&opened)
            && connection.is_read()
            && connection.send(&streams.iter().flat_map(reset).collect::<Vec<u8>>())
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_provokes_resets_by_the_server_is_closed() {
    attack(50, |connection, streams| {
        // A window update beyond the maximum is an error of its stream.
        let most = [0x7f, 0xff, 0xff, 0xff];
        let spoilt = |stream: &u32| [begun(*stream), frame(WINDOW_UPDATE, 0, *stream, &most)].concat();
        connection.send(&streams.iter().flat_map(spoilt).collect::<Vec<u8>>()) && connection.is_read()
    })
    .await;
}
