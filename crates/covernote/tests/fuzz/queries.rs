//! Fuzzed queries, and fuzzed ids in paths (D31 to D33).

use std::sync::OnceLock;

use fuzz::{Examples, Format};
use tokio::runtime::Runtime;

use crate::support::bodies::recommendation;
use crate::support::{Answer, App, Setup};
use crate::{in_address, is_of_the_contract};

const LISTS: [&str; 3] =
    ["/v1/business/health/quotes", "/v1/business/health/proposals", "/v1/business/health/policies"];

/// The app of this target, with the values of the placeholders in its examples.
struct Site {
    runtime: Runtime,
    app: App,
    session: String,
    quote: String,
    /// A cursor of the list of quotes.
    cursor: String,
}

fn site() -> &'static Site {
    static SITE: OnceLock<Site> = OnceLock::new();
    SITE.get_or_init(|| {
        let runtime = Runtime::new().expect("a runtime");
        let app = runtime.block_on(Setup { workers: 0, ..Setup::default() }.start());
        let (session, quote, cursor) = runtime.block_on(async {
            let session = app.has_session().await;
            let quote = app.has_health_quote(recommendation()).await;
            app.has_health_quote(recommendation()).await;
            let path = format!("{}?start_date=2026-11-20&end_date=2026-11-20&limit=1", LISTS[0]);
            let page = app.get(&path).await.json();
            (session, quote, page["end_cursor"].as_str().expect("a cursor").to_owned())
        });
        Site { runtime, app, session, quote, cursor }
    })
}

fn examples() -> Examples {
    let mut examples = Examples::of(Format::Text);
    for list in LISTS {
        let head = format!("GET {list}?");
        for query in
            ["session_id={session}&limit=10", "start_date=2026-11-14&end_date=2026-11-20&limit=100&other=1"]
        {
            examples = examples.with(&head, query);
        }
    }
    examples
        .with("GET /v1/business/health/quotes?", "next={cursor}")
        .with("GET /v1/business/health/quotes?", "prev={cursor}")
        .with("GET /v1/business/health/quotes/", "{quote}")
        .with("GET /v1/business/health/recommendation/", "{quote}")
}

/// Path and query of a request. The head is `GET` with the beginning, the body is the end.
fn address(head: &str, body: &[u8]) -> String {
    let Site { session, quote, cursor, .. } = site();
    let begin = head.strip_prefix("GET ").expect("the head is GET and a path");
    let end = in_address(body);
    let filled =
        end.replace("%7Bsession%7D", session).replace("%7Bquote%7D", quote).replace("%7Bcursor%7D", cursor);
    format!("{begin}{filled}")
}

fn ask(address: &str) -> Answer {
    site().runtime.block_on(site().app.get(address))
}

/// Longest address in bytes. Above it, the request's header is too large, which these tests do not cover.
const LONGEST: usize = 30_000;

fn judge(head: &str, body: &[u8]) {
    let address = address(head, body);
    if address.len() > LONGEST {
        return;
    }
    let answer = ask(&address);
    is_of_the_contract(&answer);
    if head.ends_with('?') {
        assert!(matches!(answer.status, 200 | 400), "{}: {}", answer.status, answer.text);
    }
    if answer.status == 400 {
        answer.is_refused(400, "V4000");
        assert!(!answer.fault_fields().is_empty(), "{}", answer.text);
    }
}

#[test]
fn fuzzed_queries_get_answers_that_conform_to_the_api_contract() {
    for example in examples().iter() {
        let answer = ask(&address(&example.head, &example.body));
        assert_eq!(answer.status, 200, "{example:?}: {}", answer.text);
    }
    fuzz::target!("queries", examples(), judge);
}
