//! Fuzzed bodies of every partner endpoint with a body (D10 to D16, D24 to D28).

use std::sync::{Mutex, OnceLock, PoisonError};

use fuzz::{Examples, Format};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::is_of_the_contract;
use crate::support::premium::{MICRO, NAMOONA, receipt};
use crate::support::{Answer, App, Setup, bodies};

/// Bytes that an answer may have beyond a multiple of its request: a thousand faults, each with a sentence.
const ROOM: usize = 400_000;

/// Personal and secret values of the examples. No refusal may repeat one.
const PERSONAL: &[&str] = &[
    "asha.rao@example.com",
    "9876543210",
    "9876543211",
    "15/06/1990",
    "02/02/1988",
    "ABCPR1234K",
    "2345 6789 0124",
    "12 MG Road",
    "Indiranagar",
    "Near the lake",
    "Example Works",
    "lead-1001",
];

/// The app of this target, with the records that its requests need.
struct Site {
    runtime: Runtime,
    app: App,
    /// A quote without a proposal, a proposal that can be moved, and a proposal with a premium due.
    there: Mutex<There>,
}

struct There {
    quote: String,
    recommendation: String,
    proposal: String,
    /// A proposal with a premium due.
    owing: String,
}

fn site() -> &'static Site {
    static SITE: OnceLock<Site> = OnceLock::new();
    SITE.get_or_init(|| {
        let runtime = Runtime::new().expect("a runtime");
        let (app, there) = runtime.block_on(async {
            let owed = "by = \"partner\"";
            let setup = Setup::default().with_premium(NAMOONA, owed).with_premium(MICRO, owed);
            let app = setup.start().await;
            let there = There::new(&app).await;
            (app, there)
        });
        Site { runtime, app, there: Mutex::new(there) }
    })
}

impl There {
    async fn new(app: &App) -> There {
        let quote = app.has_quote().await;
        let text = |value: &Value| value.as_str().expect("an id").to_owned();
        There {
            recommendation: text(&quote["recommendations"][0]["recommendation_id"]),
            quote: text(&quote["quote_id"]),
            proposal: app.has_proposal("PENDING").await,
            owing: app.has_straight_through().await,
        }
    }
}

fn examples() -> Examples {
    let proposal = |status: &str| bodies::proposal(&json!("{quote}"), &json!("{recommendation}"), status);
    let mut family = proposal("SUBMITTED");
    family["insured_members"] = json!([bodies::proposer(), bodies::joint_borrower()]);
    family["nominee"] = json!([bodies::nominee(json!(60)), bodies::minor_nominee(json!(40))]);
    let session = json!({ "metadata": { "a": "b", "c": "d" } });
    let token = json!({ "client_id": "{client_id}", "client_secret": "{client_secret}", "scopes": ["business"], "user_id": "user-42" });
    let bodies = [
        ("POST /v1/embedded/quote", bodies::quote()),
        ("POST /v1/premiums/receipts", receipt("UTR-1", &[("{owing}", "5900.00")])),
        ("POST /v1/embedded/proposal", proposal("DRAFT")),
        ("POST /v1/embedded/proposal", family),
        ("PATCH /v1/embedded/proposal/{proposal}", json!({ "status": "COMPLETED" })),
        ("POST /v1/business/health/recommendation", bodies::recommendation()),
        ("POST /v1/business/health/recommendation", bodies::full_recommendation()),
        ("POST /v1/business/session", session),
        ("POST /v1/auth/token", token),
    ];
    let with = |examples: Examples, (head, body): (&str, Value)| examples.with(head, body.to_string());
    bodies.into_iter().fold(Examples::of(Format::Json), with)
}

/// Sends a body. The head is method and path. Both may have placeholders such as `{quote}` and `{proposal}`.
fn send(head: &str, body: &[u8]) -> Answer {
    let Site { runtime, app, there } = site();
    let partner = app.partner();
    let mut there = there.lock().unwrap_or_else(PoisonError::into_inner);
    let filled = |bytes: &[u8]| {
        let names: [(&[u8], &str); 6] = [
            (b"{owing}", &there.owing),
            (b"{quote}", &there.quote),
            (b"{recommendation}", &there.recommendation),
            (b"{proposal}", &there.proposal),
            (b"{client_id}", &partner.client_id),
            (b"{client_secret}", &partner.client_secret),
        ];
        names.iter().fold(bytes.to_vec(), |bytes, (name, value)| replaced(&bytes, name, value.as_bytes()))
    };
    let (method, path) = head.split_once(' ').expect("the head is method and path");
    let path = String::from_utf8(filled(path.as_bytes())).expect("a path");
    let request = app.request(method, &path).header("content-type", "application/json").body(filled(body));
    let is_token = path == "/v1/auth/token";
    let request = if is_token { request } else { request.bearer_auth(&partner.token) };
    let answer = runtime.block_on(app.send(request));
    // Used records are created again, so that the next request can succeed, too.
    let used_up = answer.status < 300 && path.starts_with("/v1/embedded/proposal");
    if used_up {
        *there = runtime.block_on(There::new(app));
    }
    answer
}

/// The bytes with each occurrence of `name` replaced.
fn replaced(bytes: &[u8], name: &[u8], value: &[u8]) -> Vec<u8> {
    let mut new = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = rest.windows(name.len()).position(|part| part == name) {
        new.extend_from_slice(&rest[..at]);
        new.extend_from_slice(value);
        rest = &rest[at + name.len()..];
    }
    new.extend_from_slice(rest);
    new
}

fn judge(head: &str, body: &[u8]) {
    let answer = send(head, body);
    is_of_the_contract(&answer);
    if answer.status >= 400 {
        assert!(
            answer.bytes.len() <= ROOM + 4 * body.len(),
            "{} bytes for {}",
            answer.bytes.len(),
            body.len()
        );
        repeats_nothing_personal(&answer, body);
    }
}

/// Checks that a refusal names fields and kinds of values, but no personal value (D11). It may repeat any
/// name of a field.
fn repeats_nothing_personal(answer: &Answer, body: &[u8]) {
    let mut names = Vec::new();
    if let Ok(value) = serde_json::from_slice::<Value>(body) {
        collect_names(&value, &mut names);
    }
    let secret = &site().app.partner().client_secret;
    for personal in PERSONAL.iter().copied().chain([secret.as_str()]) {
        let is_name = names.iter().any(|name| name.contains(personal) || name.contains("{client_secret}"));
        assert!(is_name || !answer.text.contains(personal), "{personal} is repeated: {}", answer.text);
    }
}

fn collect_names(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect_names(item, names)),
        Value::Object(fields) => fields.iter().for_each(|(name, inner)| {
            names.push(name.clone());
            collect_names(inner, names);
        }),
        _ => {}
    }
}

#[test]
fn fuzzed_bodies_get_answers_that_conform_to_the_api_contract() {
    for example in examples().iter() {
        let answer = send(&example.head, &example.body);
        assert!(answer.status < 300, "{example:?}: {}", answer.text);
    }
    fuzz::target!("request_bodies", examples(), judge);
}
