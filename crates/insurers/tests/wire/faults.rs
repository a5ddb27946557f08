//! Tests failures of insurers: wrong answers, missing answers.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::time::Duration;

use axum::http::StatusCode;
use insurers::mock::{Behaviour, Malformed};
use service::insurer::InsurerFault;

use crate::support::*;

/// Requests prices, and returns the cause of the failure.
async fn failure(url: &str) -> String {
    match ask(&OurSide::new().insurer(url)).await {
        Err(InsurerFault::Failed(cause)) => cause,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn every_kind_of_malformed_answer_counts_as_a_failure_of_the_insurer() {
    let served = serve_in(Behaviour::default());
    for kind in Malformed::ALL {
        served.mock.set_behaviour(Behaviour {
            malformed_percent: 100,
            malformed: vec![*kind],
            ..Behaviour::default()
        });
        let cause = failure(&served.url).await;
        let wanted = match kind {
            Malformed::Page => "Content-Type of the answer is not application/json",
            Malformed::BrokenJson | Malformed::Empty => "not JSON",
            Malformed::OtherShape | Malformed::Number => "not in the protocol's format",
            Malformed::Missing => "none for vrt_",
            Malformed::Twice => "more than one price for vrt_",
            Malformed::Stranger => "a variant that was not requested",
            Malformed::WrongSum => "the amounts do not add up",
            Malformed::Negative => "not digits",
            Malformed::Endless => "larger than 1048576 bytes",
            Malformed::BrokenOff => "the server's answer is incomplete",
            Malformed::Redirect => "redirects are not followed",
        };
        assert!(cause.contains(wanted), "{kind:?}: {cause}");
    }
}

#[tokio::test]
async fn the_cause_of_a_failure_never_contains_text_of_the_answer() {
    for said in [
        r#"{"prices": "CANARY"}"#.to_owned(),
        r#"{"prices": [{"variant_id": "CANARY", "refused": "CANARY"}]}"#.to_owned(),
        format!(
            r#"{{"prices": [{{"variant_id": "{}", "base_premium": "CANARY", "gst": "1.00", "total_premium": "1.00"}}]}}"#,
            variants()[0]
        ),
        "CANARY".to_owned(),
    ] {
        let (_, url) = Scripted::serve([json(said)]);
        let cause = failure(&url).await;
        assert!(!cause.contains("CANARY"), "{cause}");
    }
}

#[tokio::test]
async fn a_refused_request_is_not_retried() {
    for status in [400, 401, 403, 404, 409, 422] {
        let refusal = answering(move || (StatusCode::from_u16(status).expect("a status"), "CANARY"));
        let (scripted, url) = Scripted::serve([refusal]);
        let cause = failure(&url).await;
        assert!(cause.contains(&status.to_string()) && !cause.contains("CANARY"), "{cause}");
        assert_eq!(scripted.times_asked(), 1, "{status}");
    }
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (elsewhere, target) = Scripted::serve([json("{}")]);
    for status in [301, 302, 303, 307, 308] {
        let target = target.clone();
        let redirect = answering(move || {
            (StatusCode::from_u16(status).expect("a status"), [("location", format!("{target}/stolen"))])
        });
        let (_, url) = Scripted::serve([redirect]);
        assert!(failure(&url).await.contains("redirects are not followed"));
    }
    assert_eq!(elsewhere.times_asked(), 0); // S8
}

#[tokio::test]
async fn an_answer_may_have_at_most_one_mebibyte() {
    let (_, at_most) =
        Scripted::serve([answering(|| ([("content-type", "application/json")], spaces(1_048_000)))]);
    assert!(failure(&at_most).await.contains("not JSON"));
    let (_, more) =
        Scripted::serve([answering(|| ([("content-type", "application/json")], spaces(1_049_000)))]);
    assert!(failure(&more).await.contains("larger than 1048576 bytes")); // L2
}

#[tokio::test]
async fn a_compressed_answer_is_a_failure() {
    let compressed =
        answering(|| ([("content-type", "application/json"), ("content-encoding", "gzip")], "\u{1f}"));
    let (_, url) = Scripted::serve([compressed]);
    assert!(failure(&url).await.contains("compressed"));
}

#[tokio::test]
async fn a_call_to_an_address_without_a_server_fails() {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound");
    assert!(failure(&format!("http://{free}")).await.contains("the server cannot be reached"));
}

/// Server on a socket that sends these bytes to every client, then calls `then`.
fn on_a_socket(said: &'static [u8], then: impl Fn(std::net::TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("bound"));
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut stream = stream;
            let _ = stream.read(&mut [0; 16 * 1024]);
            let _ = stream.write_all(said);
            then(stream);
        }
    });
    url
}

#[tokio::test]
async fn an_answer_that_is_not_http_is_a_failure() {
    for said in [
        &b""[..],
        b"\x16\x03\x01\x02\x00",
        b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\ncontent-type: application/json\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ncontent-type: application/json\r\n\r\nZZ\r\n{}",
        b"HTTP/9.9 999 \xff\xff\r\n\r\n",
    ] {
        let url = on_a_socket(said, drop);
        failure(&url).await;
    }
}

#[tokio::test]
async fn an_answer_that_still_arrives_byte_by_byte_at_the_deadline_is_slow() {
    let url = on_a_socket(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n", |mut stream| {
        while stream.write_all(b" ").is_ok() {
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let answer = ask_within(&OurSide::new().insurer(&url), Duration::from_millis(400)).await;
    assert_eq!(answer, Err(InsurerFault::Slow)); // L2
}
