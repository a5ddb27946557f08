//! Every page, consent and certificate that a customer reads names the broker who sells (D62). Plans link to
//! their papers.

use domain::health_proposal::ProposalOrigin;
use serde_json::json;
use service::proposal::operator::AnyProposal;

use crate::support::certificate::{certificate_of, check_path_of, has_completed, text_of};
use crate::support::health::PLAIN;
use crate::support::page::Page;
use crate::support::{App, Customer, Setup, bodies};

const NAME: &str = "Namoona Broking (fictional)";

/// Checks that the page's footer names the broker in English.
#[track_caller]
fn is_signed(page: &Page) {
    for part in [
        "You buy from Namoona Broking (fictional), insurance broker, licence FICTIONAL-BROKER-7, valid until 31 March 2029.",
        "7 Namoona Marg, Namoonapur 000003. help@broker.example, 1800 000 0300",
        "Complaints: Asha Namoona, grievance@broker.example",
    ] {
        page.shows(part);
    }
    assert_eq!(page.link("Privacy notice"), "https://broker.example/privacy");
    assert_eq!(page.link("Terms of use"), "https://broker.example/terms");
}

#[tokio::test]
async fn every_page_of_the_journey_says_who_sells() {
    let app = Setup::health().sold_by_a_broker().start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    for page in ["who", "place", "cover", "plans", &format!("plan?v={PLAIN}"), "details", "review"] {
        let page = customer.get(page).await;
        assert_eq!(page.status(), 200);
        is_signed(&page);
    }
    is_signed(&customer.applies().await);
    let stranger = Customer::new(&app);
    is_signed(&stranger.get("/health/nowhere").await);
    is_signed(&stranger.get("/health/who").await);
    is_signed(&stranger.get("/health?session_token=x").await);
}

#[tokio::test]
async fn the_broker_is_named_in_the_customers_language() {
    let app = Setup::health().sold_by_a_broker().start().await;
    let customer = Customer::arrived(&app).await;
    let page = customer.get("who?lang=hi").await;
    page.shows("आप नमूना ब्रोकिंग (काल्पनिक) से खरीद रहे हैं: बीमा ब्रोकर, लाइसेंस FICTIONAL-BROKER-7,");
    page.shows("शिकायत के लिए: आशा नमूना, grievance@broker.example");
}

#[tokio::test]
async fn the_service_itself_serves_the_brokers_logo() {
    let app = Setup::health().sold_by_a_broker().start().await;
    let page = Customer::arrived(&app).await.get("who").await;
    let logo = page.whole().all("img").next().expect("a logo");
    assert_eq!(logo.attribute("alt"), Some(NAME));
    let answer = app.get_without_bearer("/assets/operator-logo").await;
    assert_eq!((answer.status, answer.header("content-type")), (200, Some("image/svg+xml")));
    assert!(
        answer.header("content-security-policy").is_some_and(|policy| policy.contains("default-src 'none'"))
    );
    let nobody = Setup::health().start().await;
    assert_eq!(nobody.get_without_bearer("/assets/operator-logo").await.status, 404);
}

#[tokio::test]
async fn the_consent_names_the_broker_and_is_stored_with_this_text() {
    let app = Setup::health().sold_by_a_broker().start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let sentence = "Test Lender and Namoona Broking (fictional), who handles the application, see it too.";
    customer.get("review").await.shows(sentence);
    let page = customer.applies().await;
    let (_, id) = app.service.status_pages.proposal_of(page.name()).expect("a code of ours");
    let AnyProposal::Health(proposal, _) = app.service.operator_proposals.find(id).await.expect("there")
    else {
        panic!("an embedded proposal");
    };
    let ProposalOrigin::Journey(made) = &proposal.application.origin else { panic!("imported") };
    let kept = made.consents.iter().filter_map(|consent| consent.text.as_deref());
    assert_eq!(kept.filter(|text| text.contains(sentence)).count(), 1);
    let nobody = Setup::health().start().await;
    Customer::reviews(&nobody, PLAIN).await.get("review").await.shows("the operator of these pages");
}

#[tokio::test]
async fn a_certificate_and_its_check_page_name_the_broker() {
    let app = Setup::default().sold_by_a_broker().start().await;
    let mut body = app.has_proposal_body("SUBMITTED").await;
    let told = [
        ("lender", "Kaveri Finance (fictional)"),
        ("loan_account_number", "KF-00017"),
        ("claims_to_lender", "yes"),
    ];
    body["context_data"] = told.iter().map(|(key, value)| json!({ "key": key, "values": [value] })).collect();
    body["nominee"] = json!([bodies::nominee(json!(100))]);
    let id = has_completed(&app, body).await;
    let text = text_of(&certificate_of(&app, &id).await.bytes);
    for wanted in [
        "Namoona Broking (fictional), insurance broker, licence FICTIONAL-BROKER-7 until 31 Mar 2029.",
        "15 Jun 1990 (36)",
        "2 Feb 1988",
        "Kaveri Finance (fictional)",
        "KF-00017",
        "By the insured member's authorisation, a claim pays Kaveri Finance (fictional) what is owed first",
        "Consolidated stamp duty paid for the master policy, order FICTIONAL-SD-101-0001.",
        "Sample Lenders' Association",
    ] {
        assert!(text.replace('\n', " ").contains(wanted), "no {wanted:?} in\n{text}");
    }
    let page = app.get_without_bearer(&check_path_of(&app, &id).await).await;
    assert!(page.text.contains(NAME) && page.text.contains("FICTIONAL-BROKER-7"), "{}", page.text);
}

#[tokio::test]
async fn a_certificate_omits_the_authorisation_to_pay_the_lender_unless_it_was_given() {
    let app = App::start().await;
    for value in ["no", ""] {
        let mut body = app.has_proposal_body("SUBMITTED").await;
        body["context_data"] = json!([{ "key": "claims_to_lender", "values": [value] }]);
        let id = has_completed(&app, body).await;
        let text = text_of(&certificate_of(&app, &id).await.bytes);
        assert!(!text.contains("authorisation") && !text.contains("Sold by"), "{text}");
    }
}

#[tokio::test]
async fn a_last_name_that_is_only_a_punctuation_mark_is_accepted_but_not_printed() {
    // D125
    let app = App::start().await;
    for mark in [".", "-", "…"] {
        let mut body = app.has_proposal_body("SUBMITTED").await;
        for person in ["/proposer", "/insured_members/0"] {
            let person = body.pointer_mut(person).expect("a person");
            person["first_name"] = "Suresh".into();
            person["last_name"] = mark.into();
        }
        let id = has_completed(&app, body).await;
        let text = text_of(&certificate_of(&app, &id).await.bytes);
        assert!(text.contains("Suresh") && !text.contains(&format!("Suresh {mark}")), "{text}");
    }
}

#[tokio::test]
async fn certificates_print_indian_scripts_and_requests_with_other_scripts_are_refused() {
    // D127
    let app = App::start().await;
    let named = async |first: &str, last: &str| {
        let mut body = app.has_proposal_body("SUBMITTED").await;
        for person in ["/proposer", "/insured_members/0"] {
            let person = body.pointer_mut(person).expect("a person");
            person["first_name"] = first.into();
            person["last_name"] = last.into();
        }
        body
    };
    for (first, last) in [("முத்து", "குமார்"), ("রহিম", "খান"), ("ਗੁਰਪ੍ਰੀਤ", "ਸਿੰਘ"), ("കൃഷ്ണൻ", "ശ്രീധരൻ")]
    {
        let id = has_completed(&app, named(first, last).await).await;
        let text = text_of(&certificate_of(&app, &id).await.bytes);
        assert!(text.contains(first) && text.contains(last), "{text}");
    }
    for other in ["محمد", "משה", "Иван", "李雷", "Asha 🙂"] {
        let answer = app.post("/v1/embedded/proposal", named(other, "Rao").await).await;
        answer.has_faults_on(&["insured_members[0].first_name", "proposer.first_name"]);
    }
    let mut body = named("Asha", "Rao").await;
    body["nominee"][0]["address"]["city"] = "كراتشي".into();
    body["context_data"] = json!([{ "key": "lender", "values": ["بنك"] }]);
    let answer = app.post("/v1/embedded/proposal", body).await;
    answer.has_faults_on(&["context_data[0].values[0]", "nominee[0].address.city"]);
}

#[tokio::test]
async fn invalid_values_of_known_context_keys_are_faults_instead_of_being_dropped() {
    // D21
    let app = App::start().await;
    for (key, bad) in [
        ("claims_to_lender", "perhaps"),
        ("claims_to_lender", "Y"),
        ("claims_to_lender", "true"),
        ("claims_to_lender", "1"),
        ("tobacco", "Y"),
        ("lender", "Udaharan\nBank"),
        ("lender", "Udaharan \u{202e}knaB"),
        ("loan_account_number", "LN\t0001"),
        ("occupation_other", "a\u{1b}[2J"),
    ] {
        let mut body = app.has_proposal_body("DRAFT").await;
        body["context_data"] =
            json!([{ "key": "note", "values": ["a\tb"] }, { "key": key, "values": [bad] }]);
        app.post("/v1/embedded/proposal", body).await.has_faults_on(&["context_data[1].values[0]"]);
    }
    let mut body = app.has_proposal_body("SUBMITTED").await;
    body["context_data"] = json!([{ "key": "claims_to_lender", "values": ["Yes"] }, { "key": "lender", "values": ["Udaharan Bank"] }]);
    let id = has_completed(&app, body).await;
    let text = text_of(&certificate_of(&app, &id).await.bytes);
    assert!(text.contains("authorisation"), "{text}");
}

#[tokio::test]
async fn plan_review_and_status_pages_link_to_the_papers_of_the_plan() {
    let app = Setup::health()
        .edited("insurers/amrit/product.toml", |text| {
            let papers = ["policy_wording", "brochure", "customer_information_sheet"]
                .map(|key| format!("{key} = \"https://insurers.example/{key}.pdf\"\n"));
            text.replace("plan = \"base\"\n", &format!("plan = \"base\"\n{}", papers.concat()))
        })
        .start()
        .await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let plan = customer.get(&format!("plan?v={PLAIN}")).await;
    let review = customer.get("review").await;
    let status = customer.applies().await;
    for page in [plan, review, status] {
        for (name, key) in [
            ("Customer Information Sheet", "customer_information_sheet"),
            ("Policy wording", "policy_wording"),
            ("Brochure", "brochure"),
        ] {
            assert_eq!(page.link(name), format!("https://insurers.example/{key}.pdf"));
        }
    }
}
