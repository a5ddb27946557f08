//! The hosted journey in the built program: the demo's button, the journey's address, the partner's
//! addresses.

use std::path::Path;

use reqwest::header::{LOCATION, SET_COOKIE};
use reqwest::redirect::Policy;
use reqwest::{Client, Response};
use serde_json::Value;

use crate::support::customer::{COVER, Customer, DETAILS, WHO};
use crate::support::program::{Server, run, stderr, stdout};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// A browser that does not follow redirects.
fn browser() -> Client {
    Client::builder().redirect(Policy::none()).build().expect("a client")
}

async fn get(address: &str) -> Response {
    browser().get(address).send().await.expect("an answer")
}

fn leads_to(answer: &Response) -> String {
    assert_eq!(answer.status(), 303);
    answer.headers()[LOCATION].to_str().expect("text").to_owned()
}

#[tokio::test]
async fn the_button_of_the_demo_page_opens_the_journey_which_can_return_to_that_page() {
    // point 6
    let here = folder();
    let demo = Server::start(here.path(), &["--demo"]);
    let page = get(&format!("{}/demo", demo.base)).await;
    assert_eq!(page.status(), 200);
    assert!(page.text().await.expect("text").contains("<form method=\"post\" action=\"demo\">"));
    let sent = browser().post(format!("{}/demo", demo.base)).send().await.expect("an answer");
    let arrival = leads_to(&sent);
    assert!(arrival.starts_with("health?session_token="), "{arrival}");
    let opened = get(&format!("{}/{arrival}", demo.base)).await;
    assert!(opened.headers().contains_key(SET_COOKIE));
    assert_eq!(leads_to(&opened), "health/start?new=1");
    let partner = run(here.path(), &["partner", "show", "demo", "--json", "--data", "covernote-demo"]);
    let partner: Value = serde_json::from_str(&stdout(&partner)).expect("JSON");
    assert_eq!(partner["return_urls"], serde_json::json!([format!("{}/demo", demo.base)]));
    let back = get(&format!("{}/demo?session_id=ses_01m7vkfva0e0088eg7smcnj7hm", demo.base)).await;
    assert!(back.text().await.expect("text").contains("Nothing yet."));
}

#[tokio::test]
async fn a_server_without_the_demo_flag_has_no_demo_page() {
    let here = folder();
    let server = Server::start(here.path(), &[]);
    assert_eq!(get(&format!("{}/demo", server.base)).await.status(), 404);
    assert_eq!(
        get(&format!("{}/health/who", server.base)).await.status(),
        410,
        "the journey is there all the same"
    );
}

#[tokio::test]
async fn the_journey_is_not_served_over_plain_http_outside_this_machine() {
    let here = folder();
    let listens = ["serve", "--listen", "127.0.0.1:0"];
    let refused = run(here.path(), &[&listens[..], &["--journey-url", "http://cover.example"]].concat());
    assert_eq!(refused.status.code(), Some(78));
    assert!(
        stderr(&refused).contains("journey_url: the journey needs an https:// address"),
        "{}",
        stderr(&refused)
    );
    let server = Server::start(here.path(), &["--base-url", "http://partners.example"]);
    assert_eq!(
        get(&format!("{}/health/who", server.base)).await.status(),
        404,
        "none where nobody said where"
    );
}

fn code(here: &Path, arguments: &[&str]) -> Option<i32> {
    run(here, arguments).status.code()
}

#[test]
fn a_partners_origins_and_return_urls_are_validated_and_can_be_changed() {
    let here = folder();
    let made = run(here.path(), &["partner", "create", "A", "--origin", "https://app.example", "--json"]);
    let made: Value = serde_json::from_str(&stdout(&made)).expect("credentials");
    let id = made["partner_id"].as_str().expect("an id");
    for wrong in
        ["https://app.example/", "https://*.example", "http://localhost.evil.example", "https://a.example;x"]
    {
        assert_eq!(code(here.path(), &["partner", "grant", id, "--origin", wrong]), Some(65), "{wrong}");
    }
    let told = run(
        here.path(),
        &["partner", "grant", id, "--origin", "https://app.example/", "--return-url", "app://x"],
    );
    assert!(stderr(&told).contains("without a slash at its end"), "{}", stderr(&told));
    assert!(stderr(&told).contains("--return-url app://x"), "every fault is told: {}", stderr(&told));
    let done = "https://app.example/done";
    let granted = ["partner", "grant", id, "--origin", "https://two.example", "--return-url", done];
    assert_eq!(code(here.path(), &granted), Some(0));
    assert_eq!(code(here.path(), &["partner", "revoke", id, "--origin", "https://app.example"]), Some(0));
    let never = run(here.path(), &["partner", "revoke", id, "--origin", "https://never.example"]);
    assert_eq!(never.status.code(), Some(65), "a slip is not taken for a change");
    let shown = run(here.path(), &["partner", "show", id, "--json"]);
    let shown: Value = serde_json::from_str(&stdout(&shown)).expect("JSON");
    assert_eq!(shown["origins"], serde_json::json!(["https://two.example"]));
    assert_eq!(shown["return_urls"], serde_json::json!([done]));
}

#[tokio::test]
async fn an_operator_sees_personal_data_of_an_application_only_on_request() {
    // D29: an application that waits for a person
    let here = folder();
    let demo = Server::start(here.path(), &["--demo"]);
    let sent = browser().post(format!("{}/demo", demo.base)).send().await.expect("an answer");
    let customer = Customer::at(&demo.base);
    customer.get(&format!("/{}", leads_to(&sent))).await;
    let place = [("pincode", "560038"), ("illness", "yes"), ("ill-0", "diabetes"), ("porting", "no")];
    customer.answers(WHO, &place, COVER).await;
    let plans = customer.all_plans().await;
    let offered = plans.answer.text.split("plan?v=").skip(1);
    // The operator decides proposals for Prayog's plans.
    let plan = offered
        .filter_map(|rest| rest.split_once('"'))
        .find(|(_, rest)| rest.contains("See the plan Prayog"));
    customer.chooses(plan.expect("a plan of Prayog").0, 1).await;
    assert_eq!(customer.fills("details", DETAILS).await.name(), "review");
    customer.applies().await;

    let data = ["--data", "covernote-demo"];
    let waiting =
        run(here.path(), &[&["proposal", "list", "--status", "OFFLINE", "--json"], &data[..]].concat());
    let waiting: Value = serde_json::from_str(&stdout(&waiting)).expect("JSON");
    let id = waiting["proposals"][0]["proposal_id"].as_str().expect("one").to_owned();
    let show =
        |more: &[&str]| stdout(&run(here.path(), &[&["proposal", "show", &id], more, &data[..]].concat()));
    let personal =
        ["Asha Rao", "9876543210", "asha.rao@example.com", "12 MG Road", "Diabetes", "declaration"];
    let (plain, told) = (show(&[]), show(&["--personal", "--reason", "decide the proposal"]));
    for text in personal {
        assert!(!plain.contains(text), "{text} stays sealed: {plain}");
        assert!(told.contains(text), "{text} is told: {told}");
    }
    let told: Value =
        serde_json::from_str(&show(&["--personal", "--reason", "decide the proposal", "--json"]))
            .expect("JSON");
    let application = &told["application"];
    assert_eq!(application["insured_members"][0]["date_of_birth"], "1992-01-15");
    assert_eq!(application["consents"][0]["answer"], "agreed");
    assert!(application["price"]["steps"].as_array().is_some_and(|steps| steps.len() > 2), "{application}");
    assert_eq!(application["broken_rules"], serde_json::json!([]));
}
