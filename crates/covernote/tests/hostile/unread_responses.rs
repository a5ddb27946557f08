//! Responses that the client never reads.

use std::time::{Duration, Instant};

use crate::victim::Scene;
use crate::wire::Connection;

/// Number of requests for the largest response, more than buffers can hold.
const REQUESTS: usize = 32;

fn readers(scene: &Scene, count: usize) -> Vec<Connection> {
    let request = "GET /docs/assets/redoc.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(REQUESTS);
    let open = |_| {
        let mut connection = Connection::open(scene.address());
        connection.send(request.as_bytes());
        connection
    };
    (0..count).map(open).collect()
}

#[tokio::test]
async fn a_server_without_free_connections_answers_probes_and_refuses_other_requests_with_e5030() {
    let scene = Scene::start("connections = 50\n").await;
    let held = readers(&scene, 60);
    assert!(scene.is_alive());
    let mut connection = Connection::open(scene.address());
    connection.send(b"GET /.well-known/jwks.json HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let answer = connection.answer().expect("an answer");
    assert_eq!(answer.status, 503);
    assert!(String::from_utf8_lossy(&answer.body).contains("E5030") && answer.closes(), "{answer:?}");
    drop(held);
}

#[tokio::test]
async fn a_client_that_does_not_read_its_response_in_time_loses_its_connection() {
    let scene = Scene::start("connections = 50\nwrite_deadline_ms = 500\n").await;
    let held = readers(&scene, 50);
    // The responses stay unread, but their permits are free again.
    let started = Instant::now();
    let mut opened = Vec::new();
    while opened.len() < 45 {
        assert!(started.elapsed() < Duration::from_secs(20), "{} of 45 are free again", opened.len());
        let mut connection = Connection::open(scene.address());
        connection.send(b"GET /.well-known/jwks.json HTTP/1.1\r\nHost: localhost\r\n\r\n");
        match connection.answer() {
            Some(answer) if answer.status == 200 => opened.push(connection),
            _ => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
    drop(held);
}

#[tokio::test]
async fn one_ip_address_is_served_only_up_to_its_connection_limit() {
    let scene = Scene::start("connections_per_address = 20\n").await;
    let mut held: Vec<Connection> = (0..40).map(|_| Connection::open(scene.address())).collect();
    let mut statuses = Vec::new();
    for connection in &mut held {
        connection.send(b"GET /.well-known/jwks.json HTTP/1.1\r\nHost: localhost\r\n\r\n");
        statuses.push(connection.answer().map(|answer| answer.status));
    }
    let good = statuses.iter().filter(|status| **status == Some(200)).count();
    // The victim's own connection comes from the same address.
    assert!((18..=20).contains(&good), "{statuses:?}");
    assert!(statuses.iter().all(|status| matches!(status, Some(200 | 503))), "{statuses:?}");
}
