//! `covernote database distribute` (D106).

use reqwest::{Client, Method};
use serde_json::{Value, json};

use crate::support::bodies;
use crate::support::cluster::cluster;
use crate::support::program::{Server, run, stderr, stdout, token_of};

#[test]
fn a_sqlite_store_cannot_be_distributed() {
    let here = tempfile::tempdir().expect("a folder");
    let refused = run(here.path(), &["database", "distribute"]);
    assert_eq!(refused.status.code(), Some(78));
    assert!(stderr(&refused).contains("the store is SQLite"), "{}", stderr(&refused));
}

#[test]
fn a_database_without_citus_cannot_be_distributed() {
    let here = tempfile::tempdir().expect("a folder");
    let name = cluster().database();
    let refused = run(here.path(), &["database", "distribute", "--database", &cluster().address(&name)]);
    assert_eq!(refused.status.code(), Some(78));
    assert!(stderr(&refused).contains("there is no Citus in this database"), "{}", stderr(&refused));
}

#[tokio::test]
#[ignore = "needs Citus: COVERNOTE_TEST_ENGINE=citus"]
async fn a_store_with_sales_can_be_distributed_and_still_works() {
    let here = tempfile::tempdir().expect("a folder");
    cluster().make_with_citus("filled");
    let address = cluster().address("filled");
    let database = ["--database", address.as_str()];
    let distribute = || {
        run(here.path(), &[&["database", "distribute", "--shards", "4", "--json"][..], &database].concat())
    };
    assert!(stderr(&distribute()).contains("there is no store in the database"));
    let created = run(
        here.path(),
        &[
            &[
                "partner",
                "create",
                "A Lender",
                "--scope",
                "business",
                "--scope",
                "business.policy.read",
                "--json",
            ][..],
            &database,
        ]
        .concat(),
    );
    let credentials: Value = serde_json::from_str(&stdout(&created)).expect("credentials");
    let start =
        || Server::start(here.path(), &[&database[..], &["--base-url", "http://covernote.example"]].concat());

    let server = start();
    let token = token_of(&server.base, &credentials).await;
    let sold = Sold::by(&server, &token).await;
    drop(server);
    let spread = distribute();
    let told: Value =
        serde_json::from_str(&stdout(&spread)).unwrap_or_else(|_| panic!("{}", stderr(&spread)));
    assert_eq!(told["nodes"], 2);
    assert!(told["tables"].as_array().is_some_and(|tables| tables.len() > 40), "{told}");
    let again = distribute();
    assert!(stderr(&again).contains("every table is already distributed"), "{}", stderr(&again));

    let server = start();
    sold.is_read_from(&server, &token).await;
    Sold::by(&server, &token).await.is_read_from(&server, &token).await;
    a_proposal_is_committed_by_one_node(&server, &token).await;
    let on_workers =
        "select count(distinct nodeport) from citus_shards where table_name = 'policies'::regclass";
    assert_eq!(cluster().say("filled", on_workers), "2");
}

/// Background writes sometimes commit in two phases, so one of several proposals without that is enough.
async fn a_proposal_is_committed_by_one_node(server: &Server, token: &str) {
    let count = || cluster().two_phase_commits_in("filled");
    let mut counted = Vec::new();
    for _ in 0..5 {
        let quote = Sold::quoted(server, token).await;
        let before = count();
        assert!(before > 0, "tables were spread in two phases");
        Sold::proposed(server, token, &quote).await;
        counted.push(count() - before);
    }
    assert!(counted.contains(&0), "{counted:?}");
}

struct Sold {
    proposal: String,
}

impl Sold {
    async fn quoted(server: &Server, token: &str) -> Value {
        ask(server, token, Method::POST, "/v1/embedded/quote", Some(bodies::quote())).await["payload"].take()
    }

    async fn proposed(server: &Server, token: &str, quote: &Value) -> String {
        let recommendation = &quote["recommendations"][0]["recommendation_id"];
        let body = bodies::proposal(&quote["quote_id"], recommendation, "SUBMITTED");
        let made = ask(server, token, Method::POST, "/v1/embedded/proposal", Some(body)).await;
        made["payload"]["proposal_id"].as_str().unwrap_or_else(|| panic!("{made}")).to_owned()
    }

    async fn by(server: &Server, token: &str) -> Sold {
        let quote = Sold::quoted(server, token).await;
        let proposal = Sold::proposed(server, token, &quote).await;
        let (path, completed) =
            (format!("/v1/embedded/proposal/{proposal}"), json!({ "status": "COMPLETED" }));
        let moved = ask(server, token, Method::PATCH, &path, Some(completed)).await;
        assert_eq!(moved["payload"]["status"], "COMPLETED", "{moved}");
        Sold { proposal }
    }

    async fn is_read_from(&self, server: &Server, token: &str) {
        let path = format!("/v1/embedded/proposal/{}/status", self.proposal);
        let status = ask(server, token, Method::GET, &path, None).await;
        assert_eq!(status["payload"]["status"], "COMPLETED", "{status}");
        let list = ask(server, token, Method::GET, "/v1/policies", None).await;
        let policies = list["policies"].as_array().unwrap_or_else(|| panic!("{list}"));
        assert!(policies.iter().any(|policy| policy["proposal_id"] == *self.proposal), "{list}");
    }
}

/// Sends a request, and returns the JSON of the answer.
async fn ask(server: &Server, token: &str, method: Method, path: &str, body: Option<Value>) -> Value {
    let mut request = Client::new().request(method, format!("{}{path}", server.base)).bearer_auth(token);
    if let Some(body) = body {
        request = request.header("Content-Type", "application/json").body(body.to_string());
    }
    let text = request.send().await.expect("an answer").text().await.expect("text");
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"))
}
