//! Refusals before the body has come: whatever the client sends afterwards, its next request is answered.
//!
//! `COVERNOTE_HOSTILE=long` sends ten thousand in each way.

use std::time::Duration;

use crate::victim::Scene;
use crate::wire::Connection;

fn times() -> usize {
    match std::env::var("COVERNOTE_HOSTILE").as_deref() {
        Err(_) => 60,
        Ok("long") => 10_000,
        Ok(other) => panic!("COVERNOTE_HOSTILE is {other:?}; say long, or leave it out"),
    }
}

/// A request whose body is late, and the status that it gets.
struct Way {
    head: String,
    body: usize,
    status: u16,
}

fn ways(scene: &Scene) -> Vec<Way> {
    let bearer = format!("Authorization: Bearer {}\r\n", scene.token);
    let json = "Content-Type: application/json\r\n";
    let way = |method: &str, path: &str, headers: &str, body: usize, status: u16| Way {
        head: format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Length: {body}\r\n\r\n"
        ),
        body,
        status,
    };
    vec![
        way("POST", "/v1/embedded/quote", json, 2000, 401),
        way("POST", "/v1/embedded/quote", json, 200_000, 401),
        way("POST", "/v1/embedded/quote/nothing", &format!("{bearer}{json}"), 2000, 404),
        way("PUT", "/v1/embedded/quote", &format!("{bearer}{json}"), 2000, 405),
        way("POST", "/v1/embedded/quote", &format!("{bearer}{json}"), 2_000_000, 413),
        way("POST", "/v1/embedded/quote", &format!("{bearer}Content-Type: text/plain\r\n"), 2000, 415),
    ]
}

#[tokio::test]
async fn after_a_refusal_whose_body_came_late_the_next_request_is_answered() {
    let scene = Scene::start("").await;
    for Way { head, body, status } in ways(&scene) {
        let late = vec![b' '; body];
        let mut connection = Connection::open(scene.address());
        for time in 0..times() {
            assert!(connection.send(head.as_bytes()), "the connection was said to go on: {status}, {time}");
            std::thread::sleep(Duration::from_micros(time as u64 * 37 % 3000));
            // The server may have closed already; what it answered can be read all the same.
            connection.send(&late);
            let answer = connection.answer().unwrap_or_else(|| panic!("no answer: {status}, {time}"));
            assert_eq!(answer.status, status, "{answer:?}");
            if answer.closes() {
                connection = Connection::open(scene.address());
            }
            assert!(connection.send(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"));
            let next = connection.answer().unwrap_or_else(|| panic!("no next answer: {status}, {time}"));
            assert_eq!(next.status, 200, "{next:?}");
            if next.closes() {
                connection = Connection::open(scene.address());
            }
        }
    }
}

#[tokio::test]
async fn a_body_that_came_with_its_head_keeps_the_connection() {
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
async fn a_client_that_waits_to_be_asked_for_its_body_is_refused_without_it() {
    let scene = Scene::start("").await;
    let mut connection = Connection::open(scene.address());
    connection.send(b"POST /v1/embedded/quote HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2000\r\n\r\n");
    let answer = connection.answer().expect("an answer");
    assert_eq!((answer.status, answer.closes()), (401, true));
}
