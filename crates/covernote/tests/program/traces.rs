//! Traces over OTLP: what a collector gets, and what is passed on with a trace.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use reqwest::{Client, RequestBuilder};
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::bodies;
use crate::support::program::{
    ANYWHERE, MockInsurer, Server, catalogue_asking, run, stderr, stdout, token_of,
};
use crate::support::receiver::Receiver;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";

/// Writes a server's settings for traces and webhooks.
fn write_settings(here: &Path, collector: &str, percent: u32) {
    fs::write(here.join("token"), "Bearer a-token\n").expect("written");
    let text = format!(
        "otlp_endpoint = \"{collector}\"\notlp_percent = {percent}\notlp_authorization = \"token\"\nwebhook_allow = [\"127.0.0.1/32\"]\n"
    );
    fs::write(here.join("covernote.toml"), text).expect("written");
}

fn partner(here: &Path) -> Value {
    let made = run(here, &["partner", "create", "A Lender", "--scope", "business", "--json"]);
    serde_json::from_str(&stdout(&made)).unwrap_or_else(|_| panic!("{}", stderr(&made)))
}

/// The spans of every message, parsed with OpenTelemetry's own types.
fn spans_of(collector: &Receiver) -> Vec<Span> {
    let mut spans = Vec::new();
    for message in collector.messages() {
        assert_eq!(message.header("authorization"), "Bearer a-token");
        let read: ExportTraceServiceRequest = serde_json::from_slice(&message.body).expect("OTLP");
        for resource in read.resource_spans {
            let named = &resource.resource.expect("a resource").attributes;
            assert!(named.iter().any(|attribute| attribute.key == "service.name"));
            spans.extend(resource.scope_spans.into_iter().flat_map(|scope| scope.spans));
        }
    }
    spans
}

fn hex(id: &[u8]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Stops a server, which then sends the remaining spans. Returns its log.
fn ends(mut server: Server) -> Vec<String> {
    server.signal(Signal::TERM);
    assert!(server.child.wait().expect("gone").success());
    server.logged_to_its_end()
}

async fn sent(request: RequestBuilder, token: &str, flags: &str) -> Value {
    let traceparent = format!("00-{TRACE}-{CALLER}-{flags}");
    let answer =
        request.bearer_auth(token).header("traceparent", traceparent).send().await.expect("an answer");
    let status = answer.status();
    let body: Value = answer.json().await.expect("JSON");
    assert!(status.is_success(), "{status}: {body}");
    body["payload"].clone()
}

/// Requests prices, and buys the cheapest cover of the mock insurer.
async fn sells(base: &str, token: &str, flags: &str) {
    let client = Client::new();
    let quote =
        sent(client.post(format!("{base}/v1/embedded/quote")).json(&bodies::quote()), token, flags).await;
    let items = quote["recommendations"].as_array().expect("a list");
    let of_mock = |item: &&Value| {
        item["is_error"] == false
            && item["insurer_name"].as_str().is_some_and(|name| name.starts_with("Kalpanik"))
    };
    let item = &items.iter().find(of_mock).expect("a price")["recommendation_id"];
    let proposal = bodies::proposal(&quote["quote_id"], item, "SUBMITTED");
    let made = sent(client.post(format!("{base}/v1/embedded/proposal")).json(&proposal), token, flags).await;
    let path = format!("{base}/v1/embedded/proposal/{}", made["proposal_id"].as_str().expect("an id"));
    sent(client.patch(path).json(&json!({ "status": "COMPLETED" })), token, flags).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn all_spans_of_a_sale_with_an_insurer_and_a_webhook_belong_to_one_trace() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let (collector, hooks) = (Receiver::answering(200).await, Receiver::answering(204).await);
    write_settings(here, &format!("http://{}", collector.address), 0);
    let credentials = partner(here);
    let of = credentials["partner_id"].as_str().expect("an id");
    let added =
        run(here, &["webhook", "add", "--partner", of, "--url", &hooks.url(), "--type", "policy.issued"]);
    assert_eq!(added.status.code(), Some(0), "{}", stderr(&added));
    let insurer = MockInsurer::sharing(here, ANYWHERE, &[]);
    let broken = Receiver::answering(404).await;
    let insurers = [("kalpanik", &*insurer.url), ("namoona", &format!("http://{}", broken.address))];
    let server = Server::start(here, &["--catalogue", &catalogue_asking(here, &insurers)]);
    let token = token_of(&server.base, &credentials).await;
    sells(&server.base, &token, "01").await;
    let delivered = hooks.has(1).await.remove(0);
    for _ in 0..600 {
        // A job notifies the insurer of the policy.
        if spans_of(&collector).iter().any(|span| span.name == "job notice") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    let logged = ends(server);

    let spans = spans_of(&collector);
    let names: BTreeSet<&str> = spans.iter().map(|span| span.name.as_str()).collect();
    for wanted in [
        "POST /v1/embedded/quote",
        "POST /v1/embedded/proposal",
        "PATCH /v1/embedded/proposal/{proposal_id}",
        "insurer credit_prices",
        "job notice",
        "insurer notice",
        "store transaction",
        "deliver event",
    ] {
        assert!(names.contains(wanted), "{wanted} is missing: {names:?}");
    }
    assert!(names.iter().any(|name| name.starts_with("store read ")), "{names:?}");
    // Each span belongs to this trace, and its parent is another span of it or the caller's span.
    let ids: BTreeMap<String, &Span> = spans.iter().map(|span| (hex(&span.span_id), span)).collect();
    assert_eq!(ids.len(), spans.len(), "an id comes twice");
    for span in &spans {
        assert_eq!(hex(&span.trace_id), TRACE, "{span:?}");
        let parent = hex(&span.parent_span_id);
        assert!(parent == CALLER || ids.contains_key(&parent), "{span:?}");
        assert!(span.start_time_unix_nano <= span.end_time_unix_nano && span.start_time_unix_nano > 0);
        let is_request = span.kind() == SpanKind::Server;
        assert_eq!(is_request, parent == CALLER, "{span:?}");
    }
    // The call of the insurer that refuses has failed. The other calls passed the trace on.
    assert!(spans.iter().any(|span| span.name == "insurer credit_prices"
        && span.status.as_ref().is_some_and(|status| status.code == 2)));
    let goes_on_in = |traceparent: &str, name: &str| {
        let parts: Vec<&str> = traceparent.split('-').collect();
        assert_eq!((parts[0], parts[1], parts[3]), ("00", TRACE, "01"), "{traceparent}");
        assert_eq!(ids[parts[2]].name, name);
    };
    goes_on_in(broken.has(1).await[0].header("traceparent"), "insurer credit_prices");
    goes_on_in(delivered.header("traceparent"), "deliver event");
    let of_trace = format!(r#""trace.id":"{TRACE}""#);
    let sale = logged.iter().find(|line| line.contains("moved to")).expect("a line of the sale");
    assert!(sale.contains(&of_trace), "{sale}");
    let text = spans.iter().map(|span| format!("{span:?}")).collect::<String>();
    for personal in ["Asha", "9876543210", "example.com", "ABCPR1234K"] {
        assert!(!text.contains(personal), "{personal} is in a span");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_percentage_of_kept_traces_applies_only_to_requests_without_a_callers_trace() {
    for (percent, flags, kept) in [(0, "00", false), (100, "00", false), (100, "zz", true), (0, "zz", false)]
    {
        let here = tempfile::tempdir().expect("a folder");
        let here = here.path();
        let collector = Receiver::answering(200).await;
        write_settings(here, &format!("http://{}", collector.address), percent);
        let credentials = partner(here);
        let server = Server::start(here, &[]);
        let token = token_of(&server.base, &credentials).await;
        sells(&server.base, &token, flags).await;
        let job = Client::new().post(format!("{}/v1/business/health/recommendation", server.base));
        sent(job.json(&bodies::recommendation()), &token, flags).await;
        let traced = format!("00-{TRACE}-{CALLER}-01");
        Client::new()
            .get(format!("{}/livez", server.base))
            .header("traceparent", traced)
            .send()
            .await
            .expect("an answer");
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        ends(server);
        let spans = spans_of(&collector);
        let of_sale = spans.iter().any(|span| span.name == "POST /v1/embedded/quote");
        assert_eq!(of_sale, kept, "{percent} {flags}");
        let of_job = spans.iter().any(|span| span.name == "job recommendation");
        assert_eq!(of_job, kept, "a job goes by its request: {percent} {flags}");
        assert!(spans.iter().all(|span| hex(&span.trace_id) != TRACE), "what cannot be read is no trace");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unauthenticated_callers_can_cause_at_most_20_traces_per_second() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let collector = Receiver::answering(200).await;
    write_settings(here, &format!("http://{}", collector.address), 0);
    let server = Server::start(here, &[]);
    let client = Client::new();
    let began = std::time::Instant::now();
    for _ in 0..400 {
        let traced = format!("00-{TRACE}-{CALLER}-01");
        client
            .get(format!("{}/v1/policies", server.base))
            .header("traceparent", traced)
            .send()
            .await
            .expect("an answer");
    }
    let seconds = began.elapsed().as_secs() as usize + 2;
    ends(server);
    let spans = spans_of(&collector);
    let requests = spans.iter().filter(|span| span.name == "GET /v1/policies").count();
    assert!(requests > 0 && requests <= 20 * seconds, "{requests} in {seconds} s");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_missing_trace_collector_does_not_prevent_sales_and_is_logged_only_once() {
    let here = tempfile::tempdir().expect("a folder");
    let here = here.path();
    let nobody = std::net::TcpListener::bind(ANYWHERE).expect("a port").local_addr().expect("bound");
    write_settings(here, &format!("http://{nobody}"), 100);
    let credentials = partner(here);
    let server = Server::start(here, &[]);
    let token = token_of(&server.base, &credentials).await;
    sells(&server.base, &token, "01").await;
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    sells(&server.base, &token, "01").await;
    let logged = ends(server);
    let lost: Vec<&String> = logged.iter().filter(|line| line.contains("traces are lost")).collect();
    assert_eq!(lost.len(), 1, "{lost:?}");

    for (line, name) in
        [("otlp_endpoint = \"nowhere\"", "otlp_endpoint"), ("otlp_percent = 101", "otlp_percent")]
    {
        fs::write(here.join("covernote.toml"), line).expect("written");
        let refused = run(here, &["serve", "--listen", ANYWHERE]);
        assert_eq!(refused.status.code(), Some(78), "{}", stderr(&refused));
        assert!(stderr(&refused).contains(name), "{}", stderr(&refused));
    }
}
