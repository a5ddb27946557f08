//! `/demo`: the page of a fictional lender, which shows newcomers what covernote does (D38).

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use service::insurer::Insurer;

use crate::support::customer::{COVER, DETAILS, PLACE, WHO};
use crate::support::health::PLAIN;
use crate::support::insurer::{Answers, REFUSAL};
use crate::support::page::{Page, Part};
use crate::support::{App, Customer, Setup};

/// The loan with which the form is filled at first.
const LOAN: &[(&str, &str)] = &[
    ("amount", "500000"),
    ("months", "24"),
    ("born-day", "15"),
    ("born-month", "6"),
    ("born-year", "1990"),
    ("gender", "FEMALE"),
];

/// The same loan as a partner's request.
fn request() -> Value {
    json!({ "date_of_birth": "15/06/1990", "gender": "FEMALE", "cover_amount": "500000.00", "policy_term": 24 })
}

/// The loan with some changed fields.
fn loan_with<'l>(changed: &[(&'l str, &'l str)]) -> Vec<(&'l str, &'l str)> {
    let value_of = |name: &str| changed.iter().find(|(known, _)| *known == name).map(|(_, value)| *value);
    LOAN.iter().map(|(name, value)| (*name, value_of(name).unwrap_or(value))).collect()
}

/// The text without the signs of amounts: rupee sign and commas.
fn plain(text: &str) -> String {
    text.replace(['₹', ','], "")
}

/// Lines of the page with prices, and lines of covers without a price.
fn lines_of(page: &Page) -> (Vec<String>, Vec<String>) {
    let (_, list) = page.answer.text.split_once(r#"<ul class="no">"#).unwrap_or_default();
    let rows = page
        .whole()
        .texts("tr")
        .iter()
        .skip(1)
        .map(|row| plain(row.trim_start_matches("Lowest price ")))
        .collect();
    let not_priced = Part(list.split("</ul>").next().unwrap_or_default()).texts("li");
    (rows, not_priced.iter().map(|line| plain(line)).collect())
}

/// The same lines, from the API's answer.
async fn lines_of_api(app: &App, request: Value) -> (Vec<String>, Vec<String>) {
    let answer = app.post("/v1/embedded/quote", request).await.json();
    let items = answer["payload"]["recommendations"].as_array().expect("a list").clone();
    let text = |item: &Value, field: &str| item[field].as_str().expect("text").to_owned();
    let line = |item: &Value| {
        let insurer = text(item, "insurer_name").replace(" (fictional)", "");
        let cover = format!("{insurer} {}, {}", text(item, "product_name"), text(item, "variant_name"));
        let [base, gst, total] = ["base_premium", "gst", "total_premium"].map(|amount| text(item, amount));
        plain(&match item["is_error"] == true {
            true => format!("{cover}: {}", text(item, "error_message")),
            false => format!("{cover} {total} {base} + {gst} GST"),
        })
    };
    let (failed, priced): (Vec<_>, Vec<_>) = items.iter().partition(|item| item["is_error"] == true);
    (priced.into_iter().map(line).collect(), failed.into_iter().map(line).collect())
}

#[tokio::test]
async fn the_demo_page_shows_the_same_prices_for_a_loan_as_the_api() {
    // D22, D23
    let app = App::start().await;
    let server = app.serves_demo();
    let customer = Customer::at(&server.base);
    let page = customer.sends("/demo", LOAN).await;
    assert_eq!(page.status(), 200, "{}", page.answer.text);
    let (priced, not_priced) = lines_of(&page);
    assert_eq!((priced.len(), not_priced.len()), (8, 3));
    assert_eq!((priced, not_priced), lines_of_api(&app, request()).await);
    page.shows("One call, 5 insurers, 8 prices, the lowest first");
    assert_eq!(app.rows_of("embedded_quotes"), 2, "it is kept, as that of the API is");
}

#[tokio::test]
async fn the_demo_page_shows_the_api_request_that_gives_its_prices() {
    let app = App::start().await;
    let server = app.serves_demo();
    let loan = loan_with(&[
        ("amount", "₹ 7,50,000.5"),
        ("months", "३६"),
        ("born-day", "1"),
        ("born-year", "1980"),
        ("gender", "MALE"),
    ]);
    let page = Customer::at(&server.base).sends("/demo", &loan).await;
    let shown = page.whole().texts("pre");
    let body = shown[0].strip_prefix("POST /v1/embedded/quote ").expect("the call");
    let body: Value = serde_json::from_str(body).expect("JSON");
    let wanted = json!({ "date_of_birth": "01/06/1980", "gender": "MALE", "cover_amount": "750000.50", "policy_term": 36 });
    assert_eq!(body, wanted);
    assert_eq!(lines_of(&page), lines_of_api(&app, body).await);
    assert!(shown[1].starts_with("covernote quote explain quo_"), "{shown:?}");
}

#[tokio::test]
async fn an_insurer_without_a_price_is_shown_with_its_reason() {
    // D22
    let insurers: Vec<(&str, Arc<dyn Insurer>)> = vec![
        ("kalpanik", Arc::new(Answers::Refusal)),
        ("misaal", Arc::new(Answers::Never)),
        ("namoona", Arc::new(Answers::Failure)),
    ];
    let setup = Setup { insurer_deadline: Duration::from_millis(200), ..Setup::default() };
    let app = setup.asking(insurers).start().await;
    let server = app.serves_demo();
    let page = Customer::at(&server.base).sends("/demo", LOAN).await;
    for reason in
        [REFUSAL, "The insurer did not answer in time.", "The insurer could not give a price just now."]
    {
        page.shows(reason);
    }
    page.lacks("CANARY");
    assert_eq!(lines_of(&page), lines_of_api(&app, request()).await);
}

#[tokio::test]
async fn the_demo_form_shows_each_fault_of_the_loan_at_its_field() {
    let app = App::start().await;
    let server = app.serves_demo();
    let customer = Customer::at(&server.base);
    let faults: &[(&str, &str, &[&str])] = &[
        ("amount", "amount", &["", "0", "0.00", "-5", "five lakh", "1.234", "1e5"]),
        ("months", "months", &["", "0", "-1", "1.5", "two", "99999999999"]),
        ("born", "born-day", &["", "31", "x"]),
        ("born", "born-year", &["", "90", "1850", "2990"]),
        ("gender", "gender", &["", "OTHER"]),
    ];
    for (field, input, values) in faults {
        for value in *values {
            let page = customer.sends("/demo", &loan_with(&[(input, value)])).await;
            page.has_faults_on(&[field]);
            let typed = page.by_id(input).and_then(|input| input.attribute("value").map(str::to_owned));
            assert!(typed.is_none_or(|typed| typed == *value), "{input} {value:?}: what was typed stays");
        }
    }
    let page = customer.sends("/demo", &[("amount", "\"><script>alert(1)</script>")]).await;
    page.has_faults_on(&["amount", "months", "born", "gender"]);
    assert!(!page.answer.text.contains("<script"), "{}", page.answer.text);
    page.lacks("One call");
    assert_eq!(app.rows_of("embedded_quotes"), 0);
}

#[tokio::test]
async fn every_link_of_the_demo_page_leads_to_an_existing_page_or_section() {
    let app = App::start().await;
    let server = app.serves_demo();
    let customer = Customer::at(&server.base);
    let page = customer.get("/demo").await;
    let links: Vec<_> =
        page.whole().all("a").map(|link| link.attribute("href").expect("an address").to_owned()).collect();
    assert!(links.len() > 10, "{links:?}");
    for link in links {
        match link.strip_prefix('#') {
            Some(id) => assert!(page.by_id(id).is_some(), "{link}"),
            None => assert_eq!(customer.get(&format!("/{link}")).await.status(), 200, "{link}"),
        }
    }
    page.shows("test-lender-secret");
    page.shows("covernote today");
}

#[tokio::test]
async fn the_demo_page_starts_a_journey_and_shows_its_application_when_the_customer_returns() {
    // crates/docsite/pages/journey.md, Trying it
    let app = Setup::health().start().await;
    let server = app.serves_demo();
    app.registers(&[], &[&format!("{}/demo", server.base)]).await;
    let customer = Customer::at(&server.base);
    let page = customer.get("/demo").await;
    assert_eq!((page.status(), page.heading().as_str()), (200, "Cover for your loan and your family"));
    page.shows("Every insurer, plan and price here is made up.");
    let page = customer.fills_in(&page, &[]).await;
    assert_eq!(page.at, "/health/who", "as a partner's backend leads a customer there");
    customer.answers(WHO, PLACE, COVER).await;
    customer.chooses(PLAIN, 1).await;
    customer.fills("details", DETAILS).await;
    let status = customer.applies().await;
    let back = customer.get(&status.link("Back to Test Lender")).await;
    assert_eq!(back.heading(), "Your customer is back");
    let (_, id) = app.service.status_pages.proposal_of(status.name()).expect("a code of ours");
    back.shows(&format!("{id} OFFLINE"));
    back.shows("GET /v1/business/health/quotes?session_id=ses_");
    let again = customer.get(&format!("/{}", back.link("See its status"))).await;
    assert_eq!((again.status(), again.heading()), (200, status.heading()));
    assert_eq!(app.service.status_pages.proposal_of(again.name()), Some((app.partner().id, id)));
}

#[tokio::test]
async fn the_demo_page_escapes_its_query_and_says_if_no_insurer_has_a_price() {
    // Anybody can type an address
    let app = Setup::health().start().await;
    let server = app.serves_demo();
    let customer = Customer::at(&server.base);
    let page = customer.get("/demo?session_id=%3Cscript%3Ealert(1)%3C/script%3E").await;
    assert_eq!(page.status(), 200);
    assert!(!page.answer.text.contains("<script>alert"), "{}", page.answer.text);
    page.shows("Nothing yet.");
    for header in ["content-security-policy", "referrer-policy", "x-robots-tag"] {
        assert!(page.answer.header(header).is_some(), "{header}");
    }
    let page = customer.sends("/demo", LOAN).await;
    page.shows("No insurer has a price for this loan.");
}

#[tokio::test]
async fn the_demo_page_does_not_exist_on_a_server_without_the_demo() {
    // D10
    let app = Setup::health().start().await;
    app.get_without_bearer("/demo").await.is_refused(404, "R4040");
    Customer::new(&app).sends("/demo", LOAN).await.answer.is_refused(404, "R4040");
}
