//! `/demo`: the page of a made-up platform, from which a newcomer sees the whole journey (D38).

use crate::support::customer::{COVER, DETAILS, PLACE, WHO};
use crate::support::health::PLAIN;
use crate::support::{Customer, Setup};

#[tokio::test]
async fn one_press_leads_from_the_demo_partners_page_to_an_application_and_back() {
    // docs/journey.md, Trying it
    let app = Setup::health().start().await;
    let server = app.serves_demo();
    app.registers(&[], &[&format!("{}/demo", server.base)]).await;
    let customer = Customer::at(&server.base);
    let page = customer.get("/demo").await;
    assert_eq!((page.status(), page.heading().as_str()), (200, "Health insurance for our customers"));
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
}

#[tokio::test]
async fn what_the_demo_page_is_told_is_shown_and_not_believed() {
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
}

#[tokio::test]
async fn there_is_no_such_page_outside_of_the_demo() {
    // D10
    let app = Setup::health().start().await;
    app.get_without_bearer("/demo").await.is_refused(404, "R4040");
}
