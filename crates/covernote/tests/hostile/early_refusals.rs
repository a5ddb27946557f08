//! Refusals before the body has come. Whatever the client sends afterwards, its next request is answered.
//!
//! `COVERNOTE_HOSTILE=long` repeats each case ten thousand times.

use std::time::{Duration, Instant};

use crate::http2;
use crate::victim::Scene;
use crate::wire::Connection;

fn times() -> usize {
    match std::env::var("COVERNOTE_HOSTILE").as_deref() {
        Err(_) => 60,
        Ok("long") => 10_000,
        Ok(other) => panic!("COVERNOTE_HOSTILE is {other:?}; say long, or leave it out"),
    }
}

/// A request with a late body, and the status that it gets.
struct Way {
    method: &'static str,
    path: &'static str,
    headers: Vec<(&'static str, String)>,
    body: usize,
    status: u16,
}

/// Requests that are refused, with a token for every scope and with a token for another scope.
fn ways(token: &str, other: &str) -> Vec<Way> {
    let way = |method, path, token: &str, kind: &str, body: usize, status| {
        let mut headers = vec![("content-type", kind.to_owned()), ("content-length", body.to_string())];
        if !token.is_empty() {
            headers.push(("authorization", format!("Bearer {token}")));
        }
        Way { method, path, headers, body, status }
    };
    let (quote, json) = ("/v1/embedded/quote", "application/json");
    vec![
        way("POST", quote, "", json, 2000, 401),
        way("POST", quote, "", json, 200_000, 401),
        way("POST", quote, other, json, 2000, 403),
        way("POST", "/v1/embedded/quote/nothing", token, json, 2000, 404),
        way("PUT", quote, token, json, 2000, 405),
        way("POST", quote, token, json, 2_000_000, 413),
        way("POST", quote, token, "text/plain", 2000, 415),
        way("POST", "/v1/auth/token", "", json, 2000, 503),
    ]
}

/// Settings under which open request bodies of this address stay open for the whole test.
const CROWDED: &str = "body_deadline_ms = 3600000\nrequest_deadline_ms = 3600000\n";

/// Most request bodies that may arrive from one address at once.
const ARRIVING: usize = 64;

const SESSION: &str = "business.session";

#[tokio::test]
async fn the_next_request_is_answered_after_a_request_with_a_late_body_was_refused() {
    let scene = Scene::start(CROWDED).await;
    let other = crate::program::token_for(&scene.server.base, &scene.partner, SESSION).await;
    let begun = b"POST /v1/auth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{";
    let open = |_| {
        let mut connection = Connection::open(scene.address());
        connection.send(begun);
        connection
    };
    let held: Vec<Connection> = (0..ARRIVING).map(open).collect();
    for Way { method, path, headers, body, status } in ways(&scene.token, &other) {
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let head = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}\r\n");
        let late = vec![b' '; body];
        let mut connection = Connection::open(scene.address());
        let (mut kept, started) = (0, Instant::now());
        for time in 0..times() {
            assert!(connection.send(head.as_bytes()), "the connection was said to go on: {status}, {time}");
            std::thread::sleep(Duration::from_micros(time as u64 * 37 % 3000));
            // The server may have closed the connection already. Its answer can still be read.
            connection.send(&late);
            let answer = connection.answer().unwrap_or_else(|| panic!("no answer: {status}, {time}"));
            assert_eq!(answer.status, status, "{answer:?}");
            if answer.closes() {
                connection = Connection::open(scene.address());
            } else {
                kept += 1;
            }
            assert!(connection.send(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"));
            let next = connection.answer().unwrap_or_else(|| panic!("no next answer: {status}, {time}"));
            assert_eq!(next.status, 200, "{next:?}");
            if next.closes() {
                connection = Connection::open(scene.address());
            }
        }
        tell("HTTP/1.1", status, body, kept, started);
    }
    drop(held);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_http2_request_is_answered_after_a_request_with_a_late_body_was_refused() {
    let scene = http2::Scene::start(CROWDED).await;
    let other = scene.token_of(&scene.partner, SESSION).await;
    let held = scene.client().await;
    let json = [("content-type", "application/json")];
    let mut begun = Vec::new();
    for _ in 0..ARRIVING {
        begun.push(held.begin(http2::request("POST", "/v1/auth/token", &json)).await.expect("begun"));
    }
    for Way { method, path, headers, body, status } in ways(&scene.token, &other) {
        let headers: Vec<_> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        let (client, started) = (scene.client().await, Instant::now());
        for time in 0..times() {
            let wait = Duration::from_micros(time as u64 * 37 % 3000);
            let request = http2::request(method, path, &headers);
            let (found, _) = client.send_late(request, wait, vec![b' '; body]).await.expect("an answer");
            assert_eq!(found, status, "{time}");
            let next = client.send(http2::request("GET", "/livez", &[]), Vec::new()).await;
            assert_eq!(next.expect("the next answer").0, 200, "{status}, {time}");
        }
        tell("HTTP/2", status, body, times(), started);
    }
    drop(begun);
}

/// Prints the figures of one case.
#[expect(clippy::print_stdout, reason = "figures of the long form")]
fn tell(version: &str, status: u16, body: usize, kept: usize, started: Instant) {
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{version}, {status}, a body of {body} bytes: {} times, {kept} on a connection that was kept, {seconds:.0} s",
        times()
    );
}

#[tokio::test]
async fn a_refused_request_that_was_sent_completely_keeps_its_connection_open() {
    let scene = Scene::start("").await;
    let mut connection = Connection::open(scene.address());
    let head = "POST /v1/embedded/quote HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2000\r\n\r\n";
    let whole = [head.as_bytes(), &[b' '; 2000]].concat();
    for _ in 0..20 {
        assert!(connection.send(&whole));
        let answer = connection.answer().expect("an answer");
        assert_eq!((answer.status, answer.closes()), (401, false));
    }
}

#[tokio::test]
async fn a_request_that_expects_100_continue_is_refused_before_its_body_is_sent() {
    let scene = Scene::start("").await;
    let mut connection = Connection::open(scene.address());
    connection.send(b"POST /v1/embedded/quote HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2000\r\n\r\n");
    let answer = connection.answer().expect("an answer");
    assert_eq!((answer.status, answer.closes()), (401, true));
}
