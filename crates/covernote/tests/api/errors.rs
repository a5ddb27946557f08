//! Refusals of every layer have the same error object (interface, Errors; D10 to D12, D43).

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use serde_json::{Value, json};
use service::insurer::{Connectors, Insurer};
use tokio::sync::Barrier;

use crate::support::insurer::Answers;
use crate::support::{Answer, App, Setup, bodies};

const QUOTE: &str = "/v1/embedded/quote";
const TOKEN: &str = "/v1/auth/token";
const UNKNOWN: &str = "/v1/embedded/proposal/pro_01m5vvw3xreqg9aaa1afd2xg99";
const RECOMMENDATION: &str = "/v1/business/health/recommendation";
const QUOTES: &str = "/v1/business/health/quotes";
const PROPOSALS: &str = "/v1/business/health/proposals";
const POLICIES: &str = "/v1/business/health/policies";
const SESSION: &str = "/v1/business/session";

/// Every POST path with a body that needs a bearer token.
const POSTED: [&str; 4] = [QUOTE, "/v1/embedded/proposal", RECOMMENDATION, SESSION];

/// The code table: status, code, title.
const TABLE: [(u16, &str, &str); 14] = [
    (400, "V4000", "Validation Error"),
    (400, "S4000", "Invalid State"),
    (401, "A4001", "Invalid Authentication Credentials"),
    (403, "A4030", "Insufficient Permission"),
    (404, "R4040", "Resource Not Found"),
    (405, "R4050", "Method Not Allowed"),
    (409, "S4090", "Conflict"),
    (410, "R4100", "Link Expired"),
    (413, "V4130", "Payload Too Large"),
    (415, "V4150", "Unsupported Media Type"),
    (422, "V4220", "Idempotency Key Reused"),
    (429, "A4290", "Rate Limit Exceeded"),
    (500, "E5000", "An unexpected error occurred"),
    (503, "E5030", "Service Unavailable"),
];

/// Checks the whole error object: code, its title, the requested path, and no field outside the contract.
#[track_caller]
fn is_error(answer: &Answer, status: u16, code: &str, path: &str) {
    answer.is_refused(status, code);
    let object = answer.json();
    let title = TABLE.iter().find(|row| (row.0, row.1) == (status, code)).expect("in the table").2;
    assert_eq!((&object["title"], &object["instance"]), (&json!(title), &json!(path)), "{}", answer.text);
    assert!(object["detail"].is_string(), "{}", answer.text);
    let known = ["type", "title", "detail", "instance", "additional_info"];
    for field in object.as_object().expect("an object").keys() {
        assert!(known.contains(&field.as_str()), "{field}");
    }
    assert!(answer.header("x-request-id").is_some());
}

/// Checks that the only fault is the body as a whole.
#[track_caller]
fn is_no_body(answer: &Answer, path: &str) {
    is_error(answer, 400, "V4000", path);
    answer.has_faults_on(&["body"]);
}

async fn post_bytes(app: &App, path: &str, bytes: impl Into<reqwest::Body>) -> Answer {
    let method = if path == UNKNOWN { "PATCH" } else { "POST" };
    let request = app.request(method, path).bearer_auth(&app.partner().token);
    app.send(request.header("content-type", "application/json").body(bytes)).await
}

// A client that may be arbitrarily slow and wrong.

/// What a raw connection received until the server closed it.
struct Raw {
    status: u16,
    head: String,
    body: String,
    took: Duration,
}

impl Raw {
    fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(there, _)| there.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    #[track_caller]
    fn is_error(&self, status: u16, code: &str, path: &str) -> Value {
        assert_eq!(self.status, status, "{}{}", self.head, self.body);
        assert_eq!(self.header("content-type"), Some("application/json"));
        assert!(self.header("x-request-id").is_some());
        let object: Value = serde_json::from_str(&self.body).expect("JSON");
        assert_eq!((&object["type"], &object["instance"]), (&json!(code), &json!(path)), "{}", self.body);
        assert_eq!(object.get("additional_info").is_some(), code == "V4000");
        object
    }
}

/// Sends pieces with pauses between, and reads until the server closes. `None`: the server did not close
/// within ten seconds.
async fn raw(app: &App, pieces: Vec<Vec<u8>>, pause: Duration) -> Option<Raw> {
    let address = app.base.strip_prefix("http://").expect("an address").to_owned();
    let talk = move || {
        let started = Instant::now();
        let mut reader = TcpStream::connect(address).expect("connected");
        reader.set_read_timeout(Some(Duration::from_secs(10))).expect("set");
        let mut writer = reader.try_clone().expect("cloned");
        let writing = std::thread::spawn(move || {
            for piece in pieces {
                if writer.write_all(&piece).is_err() {
                    break;
                }
                std::thread::sleep(pause);
            }
        });
        let (mut came, mut buffer) = (Vec::new(), [0; 4096]);
        let closed = loop {
            match reader.read(&mut buffer) {
                Ok(0) => break true,
                Ok(length) => came.extend_from_slice(&buffer[..length]),
                Err(fault) => break fault.kind() == std::io::ErrorKind::ConnectionReset,
            }
        };
        let took = started.elapsed();
        writing.join().expect("written");
        closed.then_some((came, took))
    };
    let (came, took) = tokio::task::spawn_blocking(talk).await.expect("talked")?;
    let text = String::from_utf8_lossy(&came).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    Some(Raw { status, head: head.to_owned(), body: body.to_owned(), took })
}

/// The head of a request, whose body comes later.
fn head(app: &App, method: &str, path: &str, headers: &str) -> Vec<u8> {
    let token = &app.partner().token;
    format!(
        "{method} {path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: application/json\r\n{headers}\r\n"
    )
    .into_bytes()
}

#[tokio::test]
async fn an_unknown_path_is_r4040() {
    // D10
    let app = App::start().await;
    for path in [
        "/v1",
        "/v1/",
        "/v1/nothing",
        "/v2/auth/token",
        "/V1/AUTH/TOKEN",
        "/v1/auth/token/",
        "/v1/auth//token",
        "/v1/embedded/proposal/",
        "/v1/embedded/proposal/a/status/b",
        "/v1/embedded/policy/",
        "/v1/embedded/policy/nonsense",
        "/v1/business",
        "/v1/business/health",
        "/v1/business/health/quote",
        "/v1/business/health/quotes/",
        "/v1/business/health/proposals/",
        "/v1/business/health/proposals/a/b",
        "/v1/business/health/policies/",
        "/v1/business/health/recommendation/",
        "/v1/business/session/",
        "/v1/insurers",
        "/v1/insurers/x",
        "/openapi.yaml",
        "/%00",
        "/%FF",
    ] {
        for method in ["GET", "POST"] {
            let answer = app.send(app.request(method, path)).await;
            if answer.status != 405 {
                is_error(&answer, 404, "R4040", path);
            }
        }
        is_error(&app.get_without_bearer(path).await, 404, "R4040", path);
    }
}

#[tokio::test]
async fn a_malformed_id_is_answered_with_r4040() {
    // D54
    let app = App::start().await;
    let long = "x".repeat(2000);
    for id in [
        "x",
        "pro_",
        "quo_01m5vvw3xreqg9aaa1afd2xg99",
        "pro_01m5vvw3xreqg9aaa1afd2xg9",
        "%20",
        "%FF",
        "%00",
        "..%2F..",
        "a%2Fb",
        "%3Cb%3E",
        &long,
    ] {
        let path = format!("/v1/embedded/proposal/{id}/status");
        is_error(&app.get(&path).await, 404, "R4040", &path);
        let path = format!("/v1/embedded/proposal/{id}");
        is_error(&app.patch(&path, json!({ "status": "PENDING" })).await, 404, "R4040", &path);
        for family in [RECOMMENDATION, QUOTES, PROPOSALS, POLICIES] {
            let path = format!("{family}/{id}");
            is_error(&app.get(&path).await, 404, "R4040", &path);
        }
    }
}

#[tokio::test]
async fn a_download_address_with_unusual_bytes_is_answered_with_r4040() {
    // D30, D54
    let app = App::start().await;
    for address in ["%20", "%00", "a%2Fb", "%FF"] {
        let path = format!("/v1/embedded/policy/{address}");
        is_error(&app.get_without_bearer(&path).await, 404, "R4040", &path);
    }
}

#[tokio::test]
async fn an_unknown_certificate_code_with_any_bytes_is_answered_with_an_html_page() {
    // D10
    let app = App::start().await;
    for code in ["nonsense", "%20", "%FF"] {
        let answer = app.get_without_bearer(&format!("/certificate/{code}")).await;
        assert_eq!(answer.status, 404, "{code}: {}", answer.text);
        assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"), "{code}");
    }
}

#[tokio::test]
async fn the_instance_of_an_error_is_the_requested_path_without_its_query() {
    // D10
    let app = App::start().await;
    for path in
        ["/v1/nothing", QUOTE, TOKEN, "/v1/embedded/proposal/x/status", QUOTES, PROPOSALS, POLICIES, SESSION]
    {
        let answer = app.get_without_bearer(&format!("{path}?token=CANARY&x=%2F")).await;
        assert_eq!(answer.json()["instance"], path);
        assert!(!answer.text.contains("CANARY"), "{}", answer.text);
    }
}

#[tokio::test]
async fn an_unsupported_method_is_r4050_and_the_allow_header_names_the_supported_one() {
    // D10
    let app = App::start().await;
    let status = format!("{UNKNOWN}/status");
    let (job, quote) = (format!("{RECOMMENDATION}/x"), format!("{QUOTES}/x"));
    let (proposal, policy) = (format!("{PROPOSALS}/x"), format!("{POLICIES}/a/number/2026"));
    for (path, takes) in [
        (TOKEN, "POST"),
        (QUOTE, "POST"),
        (RECOMMENDATION, "POST"),
        (&job, "GET"),
        (QUOTES, "GET"),
        (&quote, "GET"),
        (PROPOSALS, "GET"),
        (&proposal, "GET"),
        (POLICIES, "GET"),
        (&policy, "GET"),
        ("/deprecations", "GET"),
        (SESSION, "POST"),
        ("/v1/insurers/x/decisions", "POST"),
        ("/v1/embedded/proposal", "POST"),
        (UNKNOWN, "PUT PATCH"),
        (&status, "GET"),
        ("/v1/embedded/policy/nonsense", "GET"),
        ("/.well-known/jwks.json", "GET"),
        ("/livez", "GET"),
        ("/readyz", "GET"),
        ("/openapi.json", "GET"),
    ] {
        for method in ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"] {
            if takes.split(' ').any(|taken| taken == method) {
                continue;
            }
            let answer = app.send(app.request(method, path)).await;
            is_error(&answer, 405, "R4050", path);
            let allow = answer.header("allow").unwrap_or_else(|| panic!("no Allow: {method} {path}"));
            let allowed: Vec<&str> = allow.split(',').map(str::trim).collect();
            assert!(takes.split(' ').all(|taken| allowed.contains(&taken)), "{allow}");
            assert!(!allowed.contains(&method), "{allow}");
        }
    }
}

#[tokio::test]
async fn a_body_larger_than_one_mebibyte_is_v4130_with_announced_and_with_chunked_length() {
    // D10
    let app = App::start().await;
    let announced = [head(&app, "POST", QUOTE, "Content-Length: 1048577\r\n")];
    raw(&app, announced.to_vec(), Duration::ZERO).await.expect("closed").is_error(413, "V4130", QUOTE);
    let announced = [head(&app, "POST", QUOTE, "Content-Length: 99999999999999999999999\r\n")];
    let answer = raw(&app, announced.to_vec(), Duration::ZERO).await.expect("closed");
    assert!(matches!(answer.status, 400 | 413), "{}", answer.head);

    let mut pieces = vec![head(&app, "POST", QUOTE, "Transfer-Encoding: chunked\r\n")];
    for _ in 0..16 {
        let mut piece = b"10000\r\n".to_vec();
        piece.extend(vec![b' '; 65536]);
        piece.extend(b"\r\n");
        pieces.push(piece);
    }
    pieces.push(b"1\r\n \r\n0\r\n\r\n".to_vec());
    raw(&app, pieces, Duration::ZERO).await.expect("closed").is_error(413, "V4130", QUOTE);

    for path in [TOKEN, "/v1/embedded/proposal", RECOMMENDATION, SESSION] {
        let announced = [head(&app, "POST", path, "Content-Length: 1048577\r\n")];
        raw(&app, announced.to_vec(), Duration::ZERO).await.expect("closed").is_error(413, "V4130", path);
    }
    let announced = [head(&app, "PATCH", UNKNOWN, "Content-Length: 1048577\r\n")];
    raw(&app, announced.to_vec(), Duration::ZERO).await.expect("closed").is_error(413, "V4130", UNKNOWN);
    for table in ["embedded_quotes", "health_quotes", "sessions"] {
        assert_eq!(app.rows_of(table), 0);
    }
}

#[tokio::test]
async fn a_body_of_exactly_one_mebibyte_is_accepted() {
    // D10
    let app = App::start().await;
    let mut body = bodies::quote().to_string().into_bytes();
    body.resize(1024 * 1024, b' ');
    let answer = post_bytes(&app, QUOTE, body.clone()).await;
    assert_eq!(answer.status, 200, "{}", answer.text);

    let mut chunked = head(&app, "POST", QUOTE, "Transfer-Encoding: chunked\r\n");
    chunked.extend(b"100000\r\n");
    chunked.extend(body);
    chunked.extend(b"\r\n0\r\n\r\n");
    assert_eq!(raw(&app, vec![chunked], Duration::ZERO).await.expect("closed").status, 200);
}

#[tokio::test]
async fn a_body_with_another_content_type_than_json_is_v4150() {
    // D10
    let app = App::start().await;
    let body = bodies::quote().to_string();
    for bad in [
        None,
        Some(""),
        Some("json"),
        Some("text/plain"),
        Some("text/json"),
        Some("application/x-www-form-urlencoded"),
        Some("multipart/form-data; boundary=x"),
        Some("application/problem+json"),
        Some("application/jsonp"),
        Some("application/json+x"),
        Some("*/*"),
    ] {
        let request = app.request("POST", QUOTE).bearer_auth(&app.partner().token).body(body.clone());
        let request = match bad {
            Some(media_type) => request.header("content-type", media_type),
            None => request,
        };
        is_error(&app.send(request).await, 415, "V4150", QUOTE);
    }
    for good in ["application/json; charset=utf-8", "Application/JSON", "application/json ;charset=UTF-8"] {
        let request = app.request("POST", QUOTE).bearer_auth(&app.partner().token).body(body.clone());
        let answer = app.send(request.header("content-type", good)).await;
        assert_eq!(answer.status, 200, "{good}: {}", answer.text);
    }
    for path in [TOKEN, "/v1/embedded/proposal", RECOMMENDATION, SESSION] {
        let request = app.request("POST", path).bearer_auth(&app.partner().token).body("{}");
        is_error(&app.send(request).await, 415, "V4150", path);
    }
}

#[tokio::test]
async fn a_compressed_body_is_v4150() {
    // D10
    let app = App::start().await;
    for encoding in ["gzip", "br", "deflate", "zstd", "GZIP", "identity, gzip", "nonsense"] {
        let request = app.request("POST", QUOTE).bearer_auth(&app.partner().token).json(&bodies::quote());
        is_error(&app.send(request.header("content-encoding", encoding)).await, 415, "V4150", QUOTE);
    }
    let request = app.request("POST", QUOTE).bearer_auth(&app.partner().token).json(&bodies::quote());
    assert_eq!(app.send(request.header("content-encoding", "identity")).await.status, 200);
}

#[tokio::test]
async fn a_body_that_is_not_a_valid_json_object_is_v4000_with_a_fault_on_the_body() {
    // D10, D11
    let app = App::start().await;
    let nested = |depth: usize| format!(r#"{{"a":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
    let bad: Vec<Vec<u8>> = vec![
        b"".to_vec(),
        b"  \n ".to_vec(),
        b"null".to_vec(),
        b"[]".to_vec(),
        b"[{}]".to_vec(),
        br#""text""#.to_vec(),
        b"7".to_vec(),
        b"true".to_vec(),
        b"{".to_vec(),
        br#"{"a""#.to_vec(),
        br#"{"a":"b"#.to_vec(),
        b"{}{}".to_vec(),
        b"{} x".to_vec(),
        b"{'a':1}".to_vec(),
        b"{a:1}".to_vec(),
        br#"{"a":1,}"#.to_vec(),
        br#"{"a":NaN}"#.to_vec(),
        br#"{"a":Infinity}"#.to_vec(),
        br#"{"a":01}"#.to_vec(),
        br#"{"a":+1}"#.to_vec(),
        br#"{"a":1} // comment"#.to_vec(),
        b"\xef\xbb\xbf".to_vec(),
        b"\xef\xbb\xbf\xef\xbb\xbf{}".to_vec(),
        br#"{"a":"\ud800"}"#.to_vec(),
        br#"{"a":"\ud800\u0041"}"#.to_vec(),
        br#"{"a":"\udc00"}"#.to_vec(),
        br#"{"a":"\x"}"#.to_vec(),
        b"{\"a\":\"\xff\"}".to_vec(),
        b"{\"a\":\"\xed\xa0\x80\"}".to_vec(),
        b"{\"a\":\"\0\"}".to_vec(),
        b"{\"a\":\"\n\"}".to_vec(),
        b"\0".to_vec(),
        b"\xff\xfe{\0}\0".to_vec(),
        nested(129).into_bytes(),
        nested(100_000).into_bytes(),
        "[".repeat(100_000).into_bytes(),
        r#"{"a":"#.repeat(100_000).into_bytes(),
    ];
    for path in POSTED.into_iter().chain([TOKEN, UNKNOWN]) {
        // D57: a token request is short.
        let longest = if path == TOKEN { 8 * 1024 } else { usize::MAX };
        for bytes in bad.iter().filter(|bytes| bytes.len() <= longest) {
            let answer = post_bytes(&app, path, bytes.clone()).await;
            let shown = String::from_utf8_lossy(&bytes[..bytes.len().min(40)]).into_owned();
            assert_eq!(answer.status, 400, "{shown:?} at {path}: {}", answer.text);
            is_no_body(&answer, path);
            let message = answer.fault_on("body");
            let is_plain =
                ["Must be ", "Required: ", "The body "].iter().any(|start| message.starts_with(start));
            assert!(is_plain, "{shown:?}: {message}");
        }
    }
}

#[tokio::test]
async fn unusual_but_valid_json_is_accepted() {
    // D12
    let app = App::start().await;
    let quote = bodies::quote().to_string();
    let with = |field: &str| quote.replacen('{', &format!("{{{field},"), 1);
    let many: Vec<String> = (0..100_000).map(|number| format!(r#""{number}":0"#)).collect();
    for body in [
        with(r#""ignored":"\u0000""#),
        with(r#""ignored":"\ud83d\ude00 😀""#),
        with(r#""":{}"#),
        with(r#""ignored":1e308"#),
        with(r#""ignored":-1e400"#),
        with(&format!(r#""ignored":1{}"#, "0".repeat(400))),
        with(r#""ignored":123456789012345678901234567890.123456789"#),
        with(&format!(r#""ignored":{}{}"#, "[".repeat(100), "]".repeat(100))),
        with(&many.join(",")),
        with(&format!(r#""ignored":[{}]"#, vec!["0"; 300_000].join(","))),
        format!("\r\n\t {quote} \n"),
    ] {
        let answer = post_bytes(&app, QUOTE, body.clone()).await;
        assert_eq!(answer.status, 200, "{}: {}", &body[..40], answer.text);
    }
    // The same number of fields, at an endpoint that accepts only one field.
    let answer = post_bytes(&app, UNKNOWN, format!("{{{}}}", many.join(","))).await;
    is_error(&answer, 400, "V4000", UNKNOWN);
    assert!(answer.fault_fields().contains(&"status".to_owned()));
}

#[tokio::test]
async fn an_answer_lists_at_most_1000_faults() {
    // D11
    let app = App::start().await;
    let entry = json!({ "key": "loan_amount", "values": vec!["x"; 100] });
    let body = bodies::with(bodies::quote(), "context_data", json!(vec![entry; 100]));
    let answer = app.post(QUOTE, body).await;
    is_error(&answer, 400, "V4000", QUOTE);
    assert_eq!(answer.fault_fields().len(), 1000);
    assert_eq!(answer.fault_fields()[999], "context_data[9].values[99]");
}

#[tokio::test]
async fn a_refusal_never_repeats_a_value_that_was_sent() {
    // D11
    let app = App::start().await;
    let canary = "CANARY-Asha-9876543210-ABCPR1234K";
    let number = 918_273_645;
    let mut tried = Vec::new();
    for path in [
        "date_of_birth",
        "gender",
        "cover_amount",
        "policy_term",
        "context_data",
        "context_data.0.key",
        "context_data.0.values",
        "context_data.0.values.0",
    ] {
        for value in [json!(canary), json!(number), json!([canary]), json!({ "x": canary }), json!([number])]
        {
            tried.push(app.post(QUOTE, bodies::with(bodies::quote(), path, value)).await);
        }
    }
    for path in ["client_id", "client_secret", "user_id", "scopes"] {
        for value in [json!(canary), json!(number), json!([canary]), json!({ "x": canary })] {
            let body = json!({ "client_id": "cn_x", "client_secret": "x" });
            tried.push(app.post_without_bearer(TOKEN, bodies::with(body, path, value)).await);
        }
    }
    for path in [
        "lead_id",
        "customer",
        "customer.name",
        "customer.gender",
        "customer.phoneNumber",
        "customer.pinCode",
        "customer.email",
        "members",
        "members.self",
        "members.self.0",
        "members.self.0.age",
        "hasPED",
        "selectedPEDs",
        "plan_type",
        "sum_insured",
        "deductible",
        "is_porting",
        "porting_tenure",
        "session_id",
        "partner_id",
        "enterprise_id",
    ] {
        for value in [json!(canary), json!(-number), json!([canary]), json!([{ "x": number }]), json!(number)]
        {
            let body = bodies::with(bodies::full_recommendation(), path, value);
            tried.push(app.post(RECOMMENDATION, body).await);
        }
    }
    for value in
        [json!(canary), json!(number), json!([canary]), json!({ "x": number }), json!({ "x": [canary] })]
    {
        tried.push(app.post(SESSION, json!({ "metadata": value })).await);
    }
    for query in [
        "start_date=CANARY",
        "end_date=918273645",
        "limit=CANARY",
        "limit=918273645",
        "next=CANARY",
        "prev=CANARY",
    ] {
        tried.push(app.get(&format!("{QUOTES}?session_id=x&{query}")).await);
        tried.push(app.get(&format!("{QUOTES}?start_date=2026-11-20&{query}&{query}")).await);
    }
    for value in [json!(canary), json!(number), json!([canary])] {
        tried.push(app.patch(UNKNOWN, json!({ "status": value.clone(), "other": value })).await);
    }
    for bytes in [
        canary.to_owned(),
        format!("{{\"a\":{canary}"),
        format!("\"{canary}\""),
        format!("{{\"{canary}\":\"\\q\"}}"),
    ] {
        tried.push(post_bytes(&app, QUOTE, bytes).await);
    }
    let request = app.request("POST", QUOTE).bearer_auth(canary).header("idempotency-key", canary);
    tried.push(app.send(request.json(&bodies::quote())).await);
    let request = app.request("POST", QUOTE).bearer_auth(&app.partner().token).header("content-type", canary);
    tried.push(app.send(request.body("{}")).await);
    for answer in tried {
        assert!(!answer.text.contains("CANARY"), "{}", answer.text);
        assert!(!answer.text.contains(&number.to_string()), "{}", answer.text);
        let headers = format!("{:?}", answer.headers);
        assert!(!headers.contains("CANARY"), "{headers}");
    }
}

#[tokio::test]
async fn every_answer_has_a_request_id_of_its_own() {
    // D10
    let app = App::start().await;
    let completed = app.has_proposal("COMPLETED").await;
    let download = app.download_path(&completed).await;
    let mut answers = vec![
        app.post(QUOTE, bodies::quote()).await,
        app.post(QUOTE, json!({})).await,
        app.post_without_bearer(QUOTE, bodies::quote()).await,
        app.ask_token(app.partner(), &[]).await,
        app.patch(UNKNOWN, json!({ "status": "PENDING" })).await,
        app.send(app.request("PUT", QUOTE)).await,
        app.send(app.request("HEAD", "/livez")).await,
        app.send(app.request("HEAD", "/v1/nothing")).await,
        app.post(RECOMMENDATION, bodies::recommendation()).await,
        app.post(RECOMMENDATION, json!({})).await,
        app.post(SESSION, json!({})).await,
        app.get(QUOTES).await,
        app.get(&format!("{QUOTES}?session_id=x")).await,
        app.get(&format!("{QUOTES}/x")).await,
        app.get(&format!("{RECOMMENDATION}/x")).await,
        app.post("/v1/insurers/x/decisions", json!({})).await,
    ];
    for path in [
        "/livez",
        "/readyz",
        "/openapi.json",
        "/docs/",
        "/.well-known/jwks.json",
        "/v1/nothing",
        "/certificate/x",
        "/assets/page.css",
        &download,
    ] {
        answers.push(app.get_without_bearer(path).await);
    }
    let mut seen = HashSet::new();
    for answer in &answers {
        let id = answer.header("x-request-id").expect("a request id");
        assert!(id.len() >= 16 && id.is_ascii(), "{id}");
        assert!(seen.insert(id.to_owned()), "{id} came twice");
    }
}

#[tokio::test]
async fn a_request_with_several_faults_gets_the_error_that_is_first_in_the_contracts_order() {
    // D43
    let app = App::start().await;
    let narrow = app.token_of(app.partner(), &["business.session"]).await;
    let good = app.partner().token.clone();
    let completed = format!("/v1/embedded/proposal/{}", app.has_proposal("COMPLETED").await);
    let ask = async |token: &str, path: &str, media_type: &str, key: &str, body: &str| {
        let request = app.request("PATCH", path).bearer_auth(token).header("content-type", media_type);
        app.send(request.header("idempotency-key", key).body(body.to_owned())).await
    };
    let (json_type, move_on) = ("application/json", r#"{"status":"PENDING"}"#);
    // At first everything is wrong; then one thing after the other is corrected.
    is_error(&ask("x", UNKNOWN, "text/plain", "", "[").await, 401, "A4001", UNKNOWN);
    is_error(&ask(&narrow, UNKNOWN, "text/plain", "", "[").await, 403, "A4030", UNKNOWN);
    is_error(&ask(&good, UNKNOWN, "text/plain", "k", "[").await, 415, "V4150", UNKNOWN);
    is_error(&ask(&good, UNKNOWN, json_type, "", move_on).await, 400, "V4000", UNKNOWN);
    is_error(&ask(&good, UNKNOWN, json_type, "k", "[").await, 400, "V4000", UNKNOWN);
    is_error(&ask(&good, &completed, json_type, "k", r#"{"status":"x"}"#).await, 400, "V4000", &completed);
    is_error(&ask(&good, UNKNOWN, json_type, "k", move_on).await, 404, "R4040", UNKNOWN);
    is_error(&ask(&good, &completed, json_type, "k", move_on).await, 400, "S4000", &completed);

    // The same for GET, which has no body but may have a query.
    let narrow = app.token_of(app.partner(), &["business.proposal.read"]).await;
    let faulty = format!("{QUOTES}?start_date=x");
    let unknown = format!("{QUOTES}/quo_01m5vvw3xreqg9aaa1afd2xg99");
    let get = async |token: &str, path: &str| app.send(app.request("GET", path).bearer_auth(token)).await;
    for path in [&faulty, &unknown] {
        let instance = path.split('?').next().expect("a path");
        is_error(&get("x", path).await, 401, "A4001", instance);
        is_error(&get(&narrow, path).await, 403, "A4030", instance);
    }
    is_error(&get(&good, &faulty).await, 400, "V4000", QUOTES);
    is_error(&get(&good, &unknown).await, 404, "R4040", &unknown);

    // A permission for a field of the body is checked after the token's permissions, before every fault.
    let foreign = r#"{"partner_id":"par_01m5x05ptgfjfs46bmzda3qkxv","hasPED":7,"session_id":"x"}"#;
    let post = async |token: &str, media_type: &str, key: &str, body: &str| {
        let request =
            app.request("POST", RECOMMENDATION).bearer_auth(token).header("content-type", media_type);
        app.send(request.header("idempotency-key", key).body(body.to_owned())).await
    };
    is_error(&post("x", json_type, "k", foreign).await, 401, "A4001", RECOMMENDATION);
    is_error(&post(&narrow, json_type, "k", foreign).await, 403, "A4030", RECOMMENDATION);
    is_error(&post(&good, "text/plain", "k", foreign).await, 415, "V4150", RECOMMENDATION);
    is_error(&post(&good, json_type, "k", foreign).await, 403, "A4030", RECOMMENDATION);
    is_error(&post(&good, json_type, "k", r#"{"hasPED":7}"#).await, 400, "V4000", RECOMMENDATION);

    // 401 and 403 come before the check of the size.
    let narrow = app.token_of(app.partner(), &["business.session"]).await;
    for (token, status, code) in [("x", 401, "A4001"), (narrow.as_str(), 403, "A4030")] {
        let request = format!(
            "POST {QUOTE} HTTP/1.1\r\nHost: test\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\
             Content-Type: text/plain\r\nContent-Length: 1048577\r\n\r\n"
        );
        let answer = raw(&app, vec![request.into_bytes()], Duration::ZERO).await.expect("closed");
        answer.is_error(status, code, QUOTE);
    }
}

#[tokio::test]
async fn the_media_type_is_judged_before_the_idempotency_key() {
    // D43: 415 comes before V4000
    let app = App::start().await;
    let request = app.request("POST", QUOTE).bearer_auth(&app.partner().token);
    let request = request.header("content-type", "text/plain").header("idempotency-key", "").body("{}");
    is_error(&app.send(request).await, 415, "V4150", QUOTE);
}

#[tokio::test]
async fn a_body_that_misses_its_deadline_is_v4000_with_a_fault_on_the_body() {
    // D10
    let limits = web::Limits { body_deadline: Duration::from_millis(300), ..web::Limits::default() };
    let app = Setup { limits, ..Setup::default() }.start().await;
    let stalled = vec![head(&app, "POST", QUOTE, "Content-Length: 100\r\n"), b"{\"gender\"".to_vec()];
    let mut dripping = vec![head(&app, "POST", QUOTE, "Content-Length: 100\r\n")];
    dripping.extend(vec![b" ".to_vec(); 40]);
    let mut chunked = vec![head(&app, "POST", QUOTE, "Transfer-Encoding: chunked\r\n")];
    chunked.extend(vec![b"1\r\n \r\n".to_vec(); 40]);
    for pieces in [stalled, dripping, chunked] {
        let answer = raw(&app, pieces, Duration::from_millis(50)).await.expect("closed");
        let object = answer.is_error(400, "V4000", QUOTE);
        assert_eq!(object["additional_info"][0]["field"], "body");
        assert!(answer.took < Duration::from_secs(5), "{:?}", answer.took);
    }
}

#[tokio::test]
async fn a_request_whose_body_breaks_off_stores_nothing() {
    // D10
    let app = App::start().await;
    let address = app.base.strip_prefix("http://").expect("an address");
    let mut stream = TcpStream::connect(address).expect("connected");
    let body = bodies::quote().to_string();
    let announced = format!("Content-Length: {}\r\n", body.len() + 1);
    stream.write_all(&head(&app, "POST", QUOTE, &announced)).expect("written");
    stream.write_all(body.as_bytes()).expect("written");
    drop(stream);
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert_eq!(app.rows_of("embedded_quotes"), 0);
    assert_eq!(app.get_without_bearer("/livez").await.status, 200);
}

#[tokio::test]
async fn the_server_closes_a_connection_whose_request_header_misses_its_deadline() {
    // D10
    let limits = web::Limits { header_deadline: Duration::from_millis(300), ..web::Limits::default() };
    let app = Setup { limits, ..Setup::default() }.start().await;
    let half = format!("POST {TOKEN} HTTP/1.1\r\nHost: test\r\nContent-").into_bytes();
    let mut dripping = vec![half.clone()];
    dripping.extend(vec![b"a".to_vec(); 60]);
    for pieces in [vec![half], dripping] {
        let answer = raw(&app, pieces, Duration::from_millis(50)).await.expect("closed");
        assert!(matches!(answer.status, 0 | 408), "{}", answer.head);
        assert!(answer.took < Duration::from_secs(5), "{:?}", answer.took);
    }
}

#[tokio::test]
async fn the_server_closes_a_silent_or_idle_connection_after_its_deadline() {
    // D10: a silent client does not meet the header deadline, either
    let deadline = Duration::from_millis(300);
    let limits = web::Limits { header_deadline: deadline, idle_deadline: deadline, ..web::Limits::default() };
    let app = Setup { limits, ..Setup::default() }.start().await;
    let mut open = Vec::new();
    for said in ["", "P", "PRI * HTTP/2.0\r\n", "GET /livez HTTP/1.1\r\nHost: test\r\n\r\n"] {
        if raw(&app, vec![said.as_bytes().to_vec()], Duration::ZERO).await.is_none() {
            open.push(said);
        }
    }
    assert!(open.is_empty(), "the connection stays open after {open:?}");
}

#[tokio::test]
async fn bytes_that_are_not_http_close_their_connection_and_the_server_keeps_answering() {
    // D10
    let app = App::start().await;
    for nonsense in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc"[..],
        b"NONSENSE\r\n\r\n",
        b"GET /\0 HTTP/1.1\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
    ] {
        let answer = raw(&app, vec![nonsense.to_vec()], Duration::ZERO).await;
        assert!(answer.is_some_and(|answer| answer.status < 500), "{nonsense:?}");
    }
    assert_eq!(app.get_without_bearer("/livez").await.status, 200);
}

#[tokio::test]
async fn requests_beyond_the_concurrency_limit_get_e5030_while_liveness_probes_are_answered() {
    // D10: E5030
    let limits = web::Limits { requests: 1, ..web::Limits::default() };
    let app = Setup { limits, ..Setup::default() }.start().await;
    let at_once = || {
        join_all((0..32).map(|_| async {
            let asked = Instant::now();
            (app.post(QUOTE, bodies::quote()).await, asked.elapsed())
        }))
    };
    let mut shed = Vec::new();
    for _ in 0..50 {
        let (answers, alive) = tokio::join!(at_once(), app.get_without_bearer("/livez"));
        assert_eq!(alive.status, 200);
        assert!(answers.iter().any(|(answer, _)| answer.status == 200), "what can be done is done");
        shed.extend(answers.into_iter().filter(|(answer, _)| answer.status != 200));
        if !shed.is_empty() {
            break;
        }
    }
    assert!(!shed.is_empty(), "nothing was shed");
    for (answer, took) in shed {
        is_error(&answer, 503, "E5030", QUOTE);
        let wait: u64 = answer.header("retry-after").expect("how long").parse().expect("seconds");
        assert!((1..=60).contains(&wait), "{wait}");
        // A refusal is delayed, so that clients that retry at once do not slow down the others.
        assert!(took >= Duration::from_millis(100));
    }
    assert_eq!(app.post(QUOTE, bodies::quote()).await.status, 200, "the permit is given back");
}

#[tokio::test]
async fn requests_with_incomplete_bodies_use_no_permit_of_the_concurrency_limit() {
    // D10
    let limits = web::Limits { requests: 1, ..web::Limits::default() };
    let app = Setup { limits, ..Setup::default() }.start().await;
    let address = app.base.strip_prefix("http://").expect("an address");
    let mut begun = Vec::new();
    for _ in 0..20 {
        let mut unfinished = TcpStream::connect(address).expect("connected");
        unfinished.write_all(&head(&app, "POST", QUOTE, "Content-Length: 100\r\n")).expect("written");
        begun.push(unfinished);
    }
    for _ in 0..20 {
        assert_eq!(app.post(QUOTE, bodies::quote()).await.status, 200);
    }
}

#[tokio::test]
async fn quotes_that_wait_for_an_insurer_use_no_permit_of_the_concurrency_limit() {
    // D10: the insurer answers once eight requests wait for it, although there is only one permit
    let limits = web::Limits { requests: 1, ..web::Limits::default() };
    let insurer: Arc<dyn Insurer> = Arc::new(Answers::Together(Arc::new(Barrier::new(8))));
    let insurer_deadline = Duration::from_secs(20);
    let app = Setup { limits, insurer_deadline, ..Setup::default() }
        .asking(vec![("kalpanik", insurer)])
        .start()
        .await;
    let mut answers = Vec::new();
    let mut quotes = tokio::task::JoinSet::new();
    for _ in 0..8 {
        let request = app.request("POST", QUOTE).bearer_auth(&app.partner().token).json(&bodies::quote());
        quotes.spawn(async move { request.send().await.expect("an answer").status().as_u16() });
        // One after the other, because requests that arrive at the same moment would be refused here.
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    while let Some(status) = quotes.join_next().await {
        answers.push(status.expect("no panic"));
    }
    assert_eq!(answers, [200; 8]);
}

#[tokio::test]
async fn an_e5000_answer_reveals_nothing_about_its_cause() {
    // D10; interface, Errors
    let app = App::start().await;
    let draft = app.has_proposal("DRAFT").await;
    let status = format!("/v1/embedded/proposal/{draft}/status");
    let body = app.has_proposal_body("DRAFT").await;
    let quote = app.has_health_quote(bodies::recommendation()).await;
    app.has_no_job_left().await;
    let (job, quote) = (format!("{RECOMMENDATION}/{quote}"), format!("{QUOTES}/{quote}"));
    app.store
        .says(
            "drop view visible_proposals; drop table embedded_quotes; drop table moves; drop table proposals; drop table token_counts;
             drop table health_quotes; drop table sessions;",
        )
        .expect("dropped");
    for (answer, path) in [
        (app.post(QUOTE, bodies::quote()).await, QUOTE),
        (app.post("/v1/embedded/proposal", body).await, "/v1/embedded/proposal"),
        (app.get(&status).await, status.as_str()),
        (app.ask_token(app.partner(), &[]).await, TOKEN),
        (app.post(RECOMMENDATION, bodies::recommendation()).await, RECOMMENDATION),
        (app.get(&job).await, &job),
        (app.get(&quote).await, &quote),
        (app.get(&format!("{QUOTES}?start_date=2026-11-20")).await, QUOTES),
        (app.post(SESSION, json!({})).await, SESSION),
    ] {
        is_error(&answer, 500, "E5000", path);
        assert_eq!(answer.json()["detail"], "");
        let said = format!("{} {:?}", answer.text, answer.headers).to_lowercase();
        for word in
            ["sqlite", "postgres", "sqlstate", "relation", "table", "embedded_quotes", "select", "panick"]
        {
            assert!(!said.contains(word), "{said}");
        }
    }
}

#[tokio::test]
async fn a_request_for_an_unreadable_row_is_e5000() {
    // D10
    let app = App::start().await;
    let body = app.has_proposal_body("DRAFT").await;
    let quote = app.has_health_quote(bodies::recommendation()).await;
    app.has_no_job_left().await;
    app.store.damages("embedded_quotes");
    app.store.damages("health_quotes");
    for family in [RECOMMENDATION, QUOTES] {
        let path = format!("{family}/{quote}");
        is_error(&app.get(&path).await, 500, "E5000", &path);
    }
    is_error(&app.get(&format!("{QUOTES}?start_date=2026-11-20")).await, 500, "E5000", QUOTES);
    let answer = app.post("/v1/embedded/proposal", body).await;
    is_error(&answer, 500, "E5000", "/v1/embedded/proposal");
    assert_eq!(answer.json()["detail"], "");
    assert_eq!(app.rows_of("proposals"), 0);
}

#[tokio::test]
async fn requests_get_e5030_while_the_store_is_unavailable_and_succeed_after_it_returns() {
    // D10
    let app = App::start().await;
    let locked = app.store.locks();
    let answer = app.post(QUOTE, bodies::quote()).await;
    is_error(&answer, 503, "E5030", QUOTE);
    assert!(answer.header("retry-after").is_some());
    assert_eq!(app.rows_of("embedded_quotes"), 0);
    for (path, body) in [(RECOMMENDATION, bodies::recommendation()), (SESSION, json!({}))] {
        let answer = app.post(path, body).await;
        is_error(&answer, 503, "E5030", path);
        assert!(answer.header("retry-after").is_some());
    }
    for table in ["health_quotes", "jobs", "sessions"] {
        assert_eq!(app.rows_of(table), 0);
    }
    drop(locked);
    // A server that is not ready gets no requests. So it must get ready without any.
    for _ in 0..30 {
        if app.get_without_bearer("/readyz").await.status == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let answer = app.get_without_bearer("/readyz").await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(app.post(QUOTE, bodies::quote()).await.status, 200);
}

/// Connectors that panic at each connection.
struct Broken;

impl Connectors for Broken {
    fn connect(&self, _: &rating::Insurer) -> Option<Arc<dyn Insurer>> {
        panic!("CANARY")
    }
}

/// A service with one insurer that never answers.
fn with_silent_insurer() -> Setup {
    let limits = web::Limits { request_deadline: Duration::from_millis(500), ..web::Limits::default() };
    let insurer_deadline = Duration::from_secs(60);
    let silent: Arc<dyn Insurer> = Arc::new(Answers::Never);
    Setup { limits, insurer_deadline, ..Setup::default() }.asking(vec![("kalpanik", silent)])
}

#[tokio::test]
async fn a_panic_gives_e5000_for_its_own_request_and_does_not_affect_other_requests() {
    // D10
    let app = Setup { connectors: Arc::new(Broken), ..with_silent_insurer() }.start().await;
    for _ in 0..3 {
        let answer = app.post(QUOTE, bodies::quote()).await;
        is_error(&answer, 500, "E5000", QUOTE);
        assert_eq!(answer.json()["detail"], "");
    }
    assert_eq!(app.get_without_bearer("/readyz").await.status, 200);
    assert_eq!(app.ask_token(app.partner(), &[]).await.status, 200);
}

#[tokio::test]
async fn a_request_that_takes_too_long_is_e5030() {
    // D10
    let app = with_silent_insurer().start().await;
    let started = Instant::now();
    let answer = app.post(QUOTE, bodies::quote()).await;
    is_error(&answer, 503, "E5030", QUOTE);
    assert!(answer.header("retry-after").is_some());
    assert!(started.elapsed() < Duration::from_secs(10));
    assert_eq!(app.rows_of("embedded_quotes"), 0);
}

#[tokio::test]
async fn the_probes_the_key_set_and_the_openapi_document_have_the_documented_content() {
    // D1, D4
    let app = App::start().await;
    let alive = app.get_without_bearer("/livez").await;
    assert_eq!((alive.status, alive.json()), (200, json!({ "status": "alive" })));
    let ready = app.get_without_bearer("/readyz").await;
    let catalogue = app.service.shared.catalogues.running().hash().to_string();
    assert_eq!(
        (ready.status, ready.json()),
        (200, json!({ "status": "ready", "storage": "ok", "catalogue": catalogue }))
    );

    let keys = app.get_without_bearer("/.well-known/jwks.json").await;
    assert_eq!((keys.status, keys.header("content-type")), (200, Some("application/json")));
    let key = keys.json()["keys"][0].clone();
    assert_eq!(
        keys.json(),
        json!({ "keys": [{ "kty": "OKP", "crv": "Ed25519", "use": "sig", "alg": "EdDSA", "kid": key["kid"], "x": key["x"] }] })
    );

    let document = app.get_without_bearer("/openapi.json").await;
    assert_eq!((document.status, document.header("content-type")), (200, Some("application/json")));
    let document = document.json();
    assert!(document["openapi"].as_str().expect("text").starts_with("3.1."));
    for (path, method) in [
        (TOKEN, "post"),
        (QUOTE, "post"),
        ("/v1/embedded/proposal", "post"),
        ("/v1/embedded/proposal/{proposal_id}", "patch"),
        ("/v1/embedded/proposal/{proposal_id}/status", "get"),
        (RECOMMENDATION, "post"),
        ("/v1/business/health/recommendation/{quote_id}", "get"),
        (QUOTES, "get"),
        ("/v1/business/health/quotes/{quote_id}", "get"),
        (SESSION, "post"),
        ("/v1/insurers/{insurer_id}/decisions", "post"),
    ] {
        assert!(document["paths"][path][method].is_object(), "{method} {path}");
    }
}
