//! Applying on the journey: the review with the consents, one application however often it is sent, and its
//! later states
//! (interface, Legacy proposal, States; D3, D29, D30, D37, D38, D45).

use std::sync::Arc;
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use domain::health_proposal::{Consent, ConsentPurpose, HealthProposal, JourneyProposal, ProposalOrigin};
use domain::journey::Journey;
use domain::language::Language;
use domain::person::PersonalLine;
use serde_json::{Value, json};
use service::insurer::Insurer;
use service::partner::PartnerChange;
use service::proposal::health::{ConsentAnswer, NotProposed};
use service::proposal::operator::{AnyProposal, Verdict};

use crate::support::customer::{AGREES, COVER, DETAILS, PLACE, WHO};
use crate::support::health::{PLAIN, PLUS};
use crate::support::insurer::{Decides, Says};
use crate::support::page::{Page, Part};
use crate::support::{App, Customer, Setup};

const PRODUCT: &str = "insurers/amrit/product.toml";

/// The tests' catalogue. `by` decides proposals of one product.
fn decided(by: &str) -> Setup {
    Setup::health().edited(PRODUCT, |text| {
        text.replace("plan = \"base\"\n", &format!("plan = \"base\"\ndecision = \"{by}\"\n"))
    })
}

/// The same setup with a pre-underwriting rule.
fn with_rule(setup: Setup, rule: &str) -> Setup {
    let first = "[[variant]]\nid = \"vrt_01m6hea1thtest000000000021\"";
    setup.edited(PRODUCT, |text| text.replace(first, &format!("[[pre_underwriting]]\n{rule}\n\n{first}")))
}

/// The id of the application on a status page.
#[track_caller]
fn applied(app: &App, page: &Page) -> String {
    assert_eq!(page.status(), 200, "{}", page.answer.text);
    let (_, id) = app.service.status_pages.proposal_of(page.name()).expect("a code of ours");
    id.to_string()
}

/// The stored application.
async fn kept(app: &App, id: &str) -> HealthProposal {
    match app.service.operator_proposals.find(id.parse().expect("an id")).await.expect("there") {
        AnyProposal::Health(proposal, _) => *proposal,
        AnyProposal::CreditLife(..) => panic!("{id} is an embedded proposal"),
    }
}

/// The journey's part of an application.
fn of_the_journey(proposal: &HealthProposal) -> &JourneyProposal {
    match &proposal.application.origin {
        ProposalOrigin::Journey(made) => made,
        ProposalOrigin::Import(_) => panic!("{} was imported", proposal.id),
    }
}

/// The states of an application, oldest first, with the present one.
async fn history(app: &App, id: &str) -> Vec<String> {
    match app.service.operator_proposals.find(id.parse().expect("an id")).await.expect("there") {
        AnyProposal::Health(_, moves) => moves.iter().map(|moved| moved.to.to_string()).collect(),
        AnyProposal::CreditLife(..) => panic!("{id} is an embedded proposal"),
    }
}

/// The operator's decision, as `covernote proposal decide` makes it.
async fn operator_decides(app: &App, id: &str, positive: bool, reason: Option<&str>) {
    let reason = reason.and_then(PersonalLine::of_words);
    app.service
        .operator_proposals
        .decide(id.parse().expect("an id"), Verdict::of(positive, reason))
        .await
        .expect("decided");
}

/// The events on a status page, without times.
fn told(page: &Page) -> Vec<String> {
    let (_, moves) = page.answer.text.split_once("<ol class=\"moves\">").expect("a history");
    let moves = Part(moves.split("</ol>").next().expect("one part")).texts("li");
    let what = |told: String| told.split_once(", 10:00 ").map_or(told.clone(), |(_, what)| what.to_owned());
    moves.into_iter().map(what).collect()
}

// The review.

#[tokio::test]
async fn the_review_shows_the_plan_the_price_and_all_details_and_stores_no_application() {
    // D29
    let app = Setup::health().start().await;
    let customer = Customer::chose(&app, PLAIN).await;
    let bank = [("account", "123456789012"), ("ifsc", "ABCD0123456"), ("bank", "Example Bank")];
    let page =
        customer.fills("details", &[DETAILS, &bank, &[("nominee-mobile", "9876543211")]].concat()).await;
    assert_eq!(page.heading(), "Check your answers");
    for shown in [
        "We send nothing before you press the button below.",
        "Amrit Health Plain Amrit Health (fictional) · Amrit Care",
        "Sum insured in a year ₹10 lakh",
        "Premium without GST ₹5,000",
        "GST (exempt) ₹0",
        "To pay for 1 year ₹5,000",
        "How the premium is paid Paid before the cover begins.",
        "Cover starts on the day on which the insurer accepts: 20 November 2026 if that is today. It lasts 1 year.",
        "Asha Rao 12 MG Road, Bengaluru, Karnataka 560038, India +91 9876543210 asha.rao@example.com",
        "Refunds to the account ending in 9012",
        "Asha Rao (You, 34 years), Female, born 15 January 1992, no illness declared",
        "Ravi Rao Spouse +91 9876543211",
    ] {
        page.shows(shown);
    }
    page.lacks("123456789012");
    for shown in [Some("plans"), Some("details")] {
        assert!(page.whole().all("a").any(|link| link.attribute("href") == shown && link.text() == "Change"));
    }
    assert_eq!(app.rows_of("proposals"), 0);
    let page = customer.get("review?lang=hi").await;
    page.shows("प्रीमियम का भुगतान");
    page.shows("जन्म 15 जनवरी 1992, कोई बीमारी नहीं बताई");
}

#[tokio::test]
async fn no_consent_is_initially_ticked_and_each_missing_required_consent_is_a_fault() {
    let app = Setup::health().start().await;
    for (query, needed) in [("", "(required)"), ("?lang=hi", "(ज़रूरी)")] {
        let customer = Customer::reviews(&app, PLAIN).await;
        let page = customer.get(&format!("review{query}")).await;
        assert_eq!(page.asks(), ["consent"]);
        assert!(page.values("consent").is_empty(), "nothing is ticked");
        let labels: Vec<String> =
            ["declaration", "insurer", "messages"].map(|id| label(&page, id)).into_iter().collect();
        assert_eq!(
            labels.iter().map(|label| label.contains(needed)).collect::<Vec<_>>(),
            [true, true, false]
        );
        for (ticked, missing) in [
            (&[][..], &["declaration", "insurer"][..]),
            (&[("consent", "messages")], &["declaration", "insurer"]),
            (&[("consent", "declaration")], &["insurer"]),
            (&[("consent", "insurer"), ("consent", "messages")], &["declaration"]),
            (&[("consent", "DECLARATION"), ("consent", "insurer")], &["declaration"]),
        ] {
            let page = customer.fills("review", ticked).await;
            assert_eq!(page.status(), 422);
            page.has_faults_on(missing);
            for (_, purpose) in ticked.iter().filter(|(_, purpose)| *purpose != "DECLARATION") {
                assert!(page.values("consent").contains(&(*purpose).to_owned()), "{purpose} stays ticked");
            }
        }
    }
    assert_eq!(app.rows_of("proposals"), 0);
}

/// The text beside a checkbox.
fn label(page: &Page, id: &str) -> String {
    let label = page.whole().all("label").find(|label| label.attribute("for") == Some(id));
    label.unwrap_or_else(|| panic!("no label of {id}")).text()
}

/// The exact text of a consent, without the word that says whether it is required.
fn words_of(page: &Page, id: &str) -> String {
    let html = page.answer.text.as_str();
    let (_, behind) = html.split_once(&format!("<label for=\"{id}\">")).expect("a label");
    let words = Part(behind.split(" <span").next().expect("one part")).text();
    assert!(label(page, id).starts_with(&words), "{words}");
    words
}

#[track_caller]
fn is_of(consent: &Consent, purpose: &str, given: bool, words: &str) {
    assert_eq!((consent.purpose.word(), consent.given), (purpose, given));
    assert_eq!(consent.text_hash.as_slice(), digest(&SHA256, words.as_bytes()).as_ref(), "{words}");
    assert_eq!(consent.text.as_deref(), Some(words));
}

#[tokio::test]
async fn each_consent_is_kept_with_purpose_answer_time_and_its_words() {
    // D58
    let app = Setup::health().start().await;
    for (language, messages) in [("en", false), ("hi", true)] {
        let customer = Customer::reviews(&app, PLAIN).await;
        let page = customer.get(&format!("review?lang={language}")).await;
        let words = ["declaration", "insurer", "messages"].map(|id| words_of(&page, id));
        assert!(words[1].contains("Amrit Health") && words[1].contains("Test Lender"), "{}", words[1]);
        app.clock.advance(Duration::from_secs(90));
        let more: &[(&str, &str)] = if messages { &[("consent", "messages")] } else { &[] };
        let status = customer.fills_in(&page, &[AGREES, more].concat()).await;
        let proposal = kept(&app, &applied(&app, &status)).await;
        let consents = &of_the_journey(&proposal).consents;
        assert_eq!(consents.len(), 3, "what was not given is kept as well");
        is_of(&consents[0], "declaration", true, &words[0]);
        is_of(&consents[1], "insurer", true, &words[1]);
        is_of(&consents[2], "messages", messages, &words[2]);
        let now = service::clock::Clock::now(&app.clock);
        assert!(consents.iter().all(|consent| consent.at == now));
        assert_eq!(proposal.created_at, now);
    }
}

#[tokio::test]
async fn a_consent_has_the_text_of_the_submitted_page_even_if_another_tab_switched_the_language() {
    let app = Setup::health().start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let page = customer.get("review").await;
    let words = words_of(&page, "insurer");
    customer.get("who?lang=hi").await;
    let status = customer.fills_in(&page, AGREES).await;
    let proposal = kept(&app, &applied(&app, &status)).await;
    is_of(&of_the_journey(&proposal).consents[1], "insurer", true, &words);
    assert_eq!(status.language(), "hi");
}

// One application, however often it is sent.

#[tokio::test]
async fn sending_the_same_review_twice_creates_one_application() {
    // interface, Rule of one active proposal; S4090
    let app = decided("straight-through").start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let review = customer.get("review").await;
    let first = customer.fills_in(&review, AGREES).await;
    let second = customer.fills_in(&review, AGREES).await;
    assert_eq!((first.name(), second.status()), (second.name(), 200));
    assert_eq!((app.rows_of("proposals"), app.rows_of("policies")), (1, 1));
}

/// Sends the open review this many times at once. Returns the last page of each browser.
async fn pressed_at_once(customer: Customer, review: Page, times: usize) -> Vec<Page> {
    let customer = Arc::new(customer);
    let fields = Arc::new(review.filled(AGREES));
    let mut presses = tokio::task::JoinSet::new();
    for _ in 0..times {
        let (customer, fields) = (customer.clone(), fields.clone());
        presses.spawn(async move { customer.follow(customer.sends("review", &fields).await).await });
    }
    presses.join_all().await
}

#[tokio::test]
async fn sixteen_simultaneous_submissions_of_a_review_create_one_application_and_lead_to_it() {
    // S4090, decided by a unique index
    for waits in [Duration::ZERO, Duration::from_secs(120)] {
        let app = decided("straight-through").start().await;
        let customer = Customer::reviews(&app, PLAIN).await;
        let review = customer.get("review").await;
        // A customer who read for two minutes is marked as seen by the first press, while the other presses
        // are in progress.
        app.clock.advance(waits);
        let pages = pressed_at_once(customer, review, 16).await;
        let first = pages[0].at.clone();
        assert!(first.starts_with("/health/status/"), "{first}");
        for page in &pages {
            assert_eq!((page.status(), page.at.as_str()), (200, first.as_str()), "{waits:?}");
        }
        assert_eq!((app.rows_of("proposals"), app.rows_of("policies")), (1, 1));
    }
}

#[tokio::test]
async fn a_language_switch_in_another_tab_does_not_block_an_application_but_a_removed_choice_does() {
    // S4090: a change in another tab does not count as an answer
    let app = decided("operator").start().await;
    let journey = app.has_answered_journey(PLAIN, &[]).await;
    let in_hindi = |journey: &mut Journey| journey.language = Language::Hindi;
    app.service.journeys.change(journey.clone(), in_hindi).await.expect("changed");
    let id = app.proposes(&journey).await;
    assert_eq!(app.proposes(&journey).await, id, "and however often it comes late");
    let other = app.has_answered_journey(PLAIN, &[]).await;
    let choice = |journey: &mut Journey| journey.answers.choice = None;
    app.service.journeys.change(other.clone(), choice).await.expect("changed");
    let consent = |purpose| ConsentAnswer {
        purpose,
        given: true,
        text: "I agree.".to_owned(),
        language: Language::English,
    };
    let consents = [ConsentPurpose::Declaration, ConsentPurpose::Insurer].map(consent);
    let refused = app.service.health_proposals.propose(&other, &consents).await;
    assert!(matches!(refused, Err(NotProposed::Unanswered)), "{refused:?}");
    assert_eq!(app.rows_of("proposals"), 1);
}

#[tokio::test]
async fn simultaneous_submissions_to_two_servers_create_one_application() {
    // S4090: many processes on one store
    let app = decided("operator").start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let review = customer.get("review").await;
    let fields = review.filled(AGREES);
    let other = app.serves(app.another_process(&decided("operator").catalogue).await);
    let there = customer.moved_to(&other.base);
    let (here, there) = tokio::join!(customer.sends("review", &fields), there.sends("review", &fields));
    assert_eq!(here.location(), there.location());
    assert!(here.location().is_some_and(|location| location.starts_with("status/")));
    assert_eq!(app.rows_of("proposals"), 1);
}

#[tokio::test]
async fn the_unique_index_keeps_one_active_application_for_a_quote_and_variant() {
    // interface, Rule; S4090: steps that the pages do not offer are impossible, too
    let app = decided("operator").start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let id = applied(&app, &customer.applies().await);
    let columns = app.store.columns_of("proposals");
    let copied: Vec<&str> = columns
        .iter()
        .map(|name| if name == "proposal_id" { app.store.new_id() } else { name.as_str() })
        .collect();
    let copy =
        format!("insert into proposals ({}) select {} from proposals", columns.join(", "), copied.join(", "));
    let refused = app.store.says(&copy).expect_err("two are active");
    assert!(refused.to_lowercase().contains("unique"), "{refused}");
    operator_decides(&app, &id, false, None).await;
    app.store.says(&copy).expect("one that came to nothing is not in the way");
}

#[tokio::test]
async fn a_review_left_open_does_not_send_a_plan_that_it_does_not_show() {
    // Two tabs; the price never changes between plans and review without saying so
    let app = decided("straight-through").start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let first_tab = customer.get("review").await;
    first_tab.shows("To pay for 1 year ₹5,000");
    customer.chooses(PLAIN, 3).await;
    let second_tab = customer.fills("details", &[]).await;
    second_tab.shows("To pay for 3 years ₹13,500");
    let page = customer.fills_in(&first_tab, AGREES).await;
    assert_eq!((page.name(), app.rows_of("proposals")), ("review", 0), "it is shown what stands now");
    page.shows("To pay for 3 years ₹13,500");
    let page = customer.fills_in(&second_tab, AGREES).await;
    page.shows("To pay for 3 years ₹13,500");
    assert_eq!(app.rows_of("proposals"), 1);
}

#[tokio::test]
async fn after_the_application_every_journey_page_redirects_to_its_status_page() {
    let app = Setup::health().start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let status = customer.applies().await;
    for page in
        ["start", "who", "place", "cover", "plans", "compare", "details", "price", "review", "/health"]
    {
        assert_eq!(customer.get(page).await.at, status.at, "{page}");
    }
    assert_eq!(customer.get(&format!("plan?v={PLAIN}")).await.at, status.at);
    for (page, fields) in [
        ("who", WHO),
        ("place", PLACE),
        ("cover", COVER),
        ("choose", &[("pick", PLUS)]),
        ("details", DETAILS),
        ("price", &[("price", "500000")]),
        ("review", AGREES),
    ] {
        assert_eq!(customer.post(page, fields).await.at, status.at, "{page}");
    }
    assert_eq!((app.rows_of("proposals"), app.rows_of("health_quotes")), (1, 1));
}

// What follows an application.

#[tokio::test]
async fn the_status_page_of_an_accepted_application_shows_the_cover_period_and_the_certificate() {
    // D29, D30
    let app = decided("straight-through").start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let page = customer.applies().await;
    let id = applied(&app, &page);
    assert_eq!(page.heading(), "Your policy is issued");
    for shown in [
        "Amrit Health has accepted your application. Cover runs from 20 November 2026 to 19 November 2027.",
        "How the premium is paid: Paid before the cover begins.",
        "To pay for 1 year ₹5,000",
        "Plain, Amrit Health (fictional)",
        id.as_str(),
        "Keep the link to this page",
    ] {
        page.shows(shown);
    }
    page.lacks("Check again");
    assert_eq!(told(&page), ["You sent the application", "The insurer accepted: the policy is issued",]);
    assert_eq!(history(&app, &id).await, ["INITIATED", "PENDING", "SUBMITTED", "UNDERWRITING", "ACCEPTED"]);
    let policies = app.get("/v1/business/health/policies").await.json();
    let policy = &policies["policies"][0];
    page.shows(policy["policy_number"].as_str().expect("a number"));
    let other_device = Customer::new(&app);
    let answered = other_device.get_once(&format!("{}/certificate", page.at)).await;
    assert_eq!((answered.status(), answered.answer.header("referrer-policy")), (303, Some("no-referrer")));
    let address = answered.location().expect("an address").to_owned();
    assert!(address.starts_with(&format!("{}/v1/embedded/policy/", app.base)), "{address}");
    let pdf = other_device.follow(answered).await;
    assert_eq!((pdf.status(), pdf.answer.header("content-type")), (200, Some("application/pdf")));
    assert!(pdf.answer.bytes.starts_with(b"%PDF-"));
    assert_eq!(page.link("Open the certificate"), format!("{}/certificate", page.name()));
}

#[tokio::test]
async fn an_application_that_a_person_decides_is_shown_as_under_review_until_the_decision() {
    // D29: no page mentions cover before it exists
    for (setup, variant) in [
        (decided("operator"), PLAIN),
        (decided("partner"), PLAIN),
        (decided("insurer"), PLAIN),
        (decided("straight-through"), PLUS),
    ] {
        let app = setup.start().await;
        let customer = Customer::reviews(&app, variant).await;
        let page = customer.applies().await;
        let id = applied(&app, &page);
        assert_eq!(page.heading(), "Your application is being reviewed");
        page.shows("You are not insured yet.");
        page.lacks("Cover runs");
        page.lacks("certificate");
        assert_eq!(page.link("Check again"), "");
        assert_eq!(history(&app, &id).await, ["INITIATED", "PENDING", "OFFLINE"]);
        assert_eq!(told(&page).pop().as_deref(), Some("A person is reviewing your application"));
        let early = customer.get(&format!("{}/certificate", page.at)).await;
        assert_eq!((early.status(), early.heading().as_str()), (404, "There is no such page"));
        operator_decides(&app, &id, true, None).await;
        let page = customer.get(&page.at).await;
        assert_eq!(page.heading(), "Your policy is issued");
        assert_eq!(history(&app, &id).await[2..], ["OFFLINE", "UNDERWRITING", "ACCEPTED"]);
    }
}

#[tokio::test]
async fn after_the_operators_refusal_the_page_gives_the_reason_and_another_plan_can_be_chosen() {
    let app = decided("operator").start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let first = customer.applies().await;
    let id = applied(&app, &first);
    operator_decides(&app, &id, false, Some("The medical history")).await;
    let page = customer.get("start").await;
    assert_eq!(
        (page.at.as_str(), page.heading().as_str()),
        (first.at.as_str(), "Your application was not accepted")
    );
    page.shows("The reason: The medical history");
    page.shows("Nothing was bought.");
    page.lacks("How the premium is paid");
    page.lacks("Check again");
    page.shows("Choose another plan");
    let plans = customer.fills_in(&page, &[]).await;
    assert_eq!(plans.at, "/health/plans");
    for variant in [PLUS, PLAIN] {
        assert_eq!(customer.chooses(variant, 1).await.value("name"), "Asha Rao", "what was filled in stays");
        assert_eq!(customer.fills("details", &[]).await.name(), "review");
        let next = customer.applies().await;
        assert_ne!(next.at, first.at);
        operator_decides(&app, &applied(&app, &next), false, None).await;
        customer.post("again", &[]).await;
    }
    assert_eq!(app.rows_of("proposals"), 3, "the same plan may be tried again, too");
    assert_eq!(
        customer.get(&first.at).await.heading(),
        "Your application was not accepted",
        "each has its address"
    );
}

#[tokio::test]
async fn an_insured_customer_may_begin_a_new_application() {
    // Several customers in one browser.
    let app = decided("straight-through").start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let first = customer.applies().await;
    first.shows("Begin a new application");
    let page = customer.fills_in(&first, &[]).await;
    assert_eq!((page.at.as_str(), page.value("self").as_str()), ("/health/who", ""));
    customer.answers(&[("mother", "60")], PLACE, COVER).await;
    assert_eq!(customer.chooses(PLAIN, 1).await.value("name"), "", "nothing of the other one is left");
    assert_eq!(customer.get(&first.at).await.heading(), "Your policy is issued");
    assert_eq!(customer.post("again", &[]).await.at, "/health/details", "there is nothing to begin anew");
}

/// A service whose insurer decides, with these answers in this order.
async fn asking(says: impl IntoIterator<Item = Says>) -> (App, Arc<Decides>) {
    let amrit = Decides::saying("secret", says);
    let insurer: Arc<dyn Insurer> = amrit.clone();
    (decided("insurer").asking(vec![("amrit", insurer)]).start().await, amrit)
}

#[tokio::test]
async fn the_status_page_shows_the_insurers_later_acceptance_and_its_policy_number() {
    // D29
    let (app, amrit) = asking([Says::Pending, Says::Pending, Says::Accepted("AM/2026/17")]).await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let page = customer.applies().await;
    assert_eq!(page.heading(), "Your application is on its way");
    page.shows("Your application goes to Amrit Health, which decides on it. You are not insured yet.");
    let page = app
        .eventually("it is accepted", async || {
            app.clock.advance(Duration::from_secs(5));
            let page = customer.get(&page.at).await;
            (page.heading() == "Your policy is issued").then_some(page)
        })
        .await;
    page.shows("Policy number with the insurer AM/2026/17");
    assert!(amrit.calls().len() >= 3, "{:?}", amrit.calls());
    app.has_no_job_left().await;
}

#[tokio::test]
async fn the_page_of_a_refusal_gives_the_insurers_reason() {
    // D29; interface, rejection_reason
    let (app, _) = asking([Says::Rejected(Some("We do not insure this."))]).await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let page = customer.applies().await;
    let page = app
        .eventually("it is refused", async || {
            let page = customer.get(&page.at).await;
            (page.heading() == "Your application was not accepted").then_some(page)
        })
        .await;
    page.shows("The reason: We do not insure this.");
    assert_eq!(told(&page).pop().as_deref(), Some("The insurer refused"));
    app.has_no_job_left().await;
}

#[tokio::test]
async fn an_application_stays_pending_if_the_request_to_the_insurer_fails() {
    // D17: nothing accepted is lost
    let (app, amrit) = asking([Says::Fails]).await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let page = customer.applies().await;
    app.eventually("the insurer was asked", async || (!amrit.calls().is_empty()).then_some(())).await;
    let page = customer.get(&page.at).await;
    assert_eq!(page.heading(), "Your application is on its way");
    page.lacks("CANARY");
    assert_eq!(history(&app, &applied(&app, &page)).await, ["INITIATED", "PENDING"]);
}

#[tokio::test]
async fn a_plan_whose_rules_would_end_the_application_is_not_offered() {
    // interface, States: a refusal that is known before the names must not cost the customer a form
    let rule = "illnesses = [\"diabetes\"]\nthen = \"cancel\"\nreason = \"Not sold with diabetes.\"\nreason_hi = \"मधुमेह के साथ नहीं मिलता।\"";
    let app = with_rule(decided("straight-through"), rule).start().await;
    let customer = Customer::arrived(&app).await;
    let place = [("pincode", "560038"), ("illness", "yes"), ("ill-0", "diabetes"), ("porting", "no")];
    let plans = customer.answers(WHO, &place, COVER).await;
    plans.shows("Amrit Health Plain : Not sold with diabetes.");
    plans.shows("Recommended");
    customer.get("plans?lang=hi").await.shows("मधुमेह के साथ नहीं मिलता।");
    assert_eq!(customer.chooses(PLAIN, 1).await.at, "/health/plans", "nor can it be chosen");
    assert_eq!(customer.get(&format!("plan?v={PLAIN}")).await.at, "/health/plans");
}

#[tokio::test]
async fn a_pre_underwriting_rule_can_cancel_an_application_with_a_reason_in_either_language() {
    // interface, States: cancelled internally for failing pre-underwriting checks
    let rule =
        "from_age = 35\nthen = \"cancel\"\nreason = \"Only up to 34.\"\nreason_hi = \"केवल 34 साल तक।\"";
    let app = with_rule(decided("straight-through"), rule).start().await;
    let customer = Customer::chose(&app, PLAIN).await;
    let born = [("born-day", "21"), ("born-month", "11"), ("born-year", "1991")];
    let others = DETAILS.iter().filter(|(name, _)| !name.starts_with("born"));
    let details: Vec<_> = others.copied().chain(born).collect();
    assert_eq!(customer.fills("details", &details).await.name(), "review");
    // The customer turns 35 before the application is sent.
    app.clock.advance(Duration::from_secs(15 * 3600));
    let page = customer.applies().await;
    assert_eq!(page.heading(), "This plan cannot be applied for");
    page.shows("The reason: Only up to 34.");
    page.shows("Your application ended before it reached the insurer. Nothing was bought.");
    page.lacks("To pay for");
    assert_eq!(history(&app, &applied(&app, &page)).await, ["INITIATED", "CANCELLED"]);
    assert_eq!(
        told(&page),
        [
            "21 November 2026, 01:00 You sent the application",
            "21 November 2026, 01:00 The rules of the plan ended your application"
        ]
    );
    let hindi = customer.get(&format!("{}?lang=hi", page.at)).await;
    hindi.shows("कारण: केवल 34 साल तक।");
    let again = customer.fills_in(&page, &[]).await;
    assert_eq!(again.at, "/health/plans", "another plan may take it");
    assert_eq!((app.rows_of("proposals"), app.rows_of("policies")), (1, 0));
}

#[tokio::test]
async fn a_pre_underwriting_rule_can_refer_an_application_to_a_person() {
    // interface, States: OFFLINE
    let rule = "from_age = 30\nthen = \"refer\"\nreason = \"A doctor calls first.\"\nreason_hi = \"पहले डॉक्टर फ़ोन करेंगे।\"";
    let app = with_rule(decided("straight-through"), rule).start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let page = customer.applies().await;
    assert_eq!(page.heading(), "Your application is being reviewed");
    page.shows("A doctor calls first.");
    let id = applied(&app, &page);
    assert_eq!(history(&app, &id).await, ["INITIATED", "PENDING", "OFFLINE"]);
    customer.get(&format!("{}?lang=hi", page.at)).await.shows("पहले डॉक्टर फ़ोन करेंगे।");
    operator_decides(&app, &id, true, None).await;
    let page = customer.get(&page.at).await;
    assert_eq!(page.heading(), "Your policy is issued");
    page.lacks("A doctor calls first.");
}

#[tokio::test]
async fn a_refusal_without_a_reason_does_not_show_the_reason_of_an_earlier_referral() {
    // interface: rejection_reason is null if there is none
    let rule = "from_age = 30\nthen = \"refer\"\nreason = \"A doctor calls first.\"";
    let app = with_rule(decided("straight-through"), rule).start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let page = customer.applies().await;
    let id = applied(&app, &page);
    operator_decides(&app, &id, false, None).await;
    let page = customer.get(&page.at).await;
    assert_eq!(page.heading(), "Your application was not accepted");
    page.lacks("A doctor calls first.");
    let read = app.get(&format!("/v1/business/health/proposals/{id}")).await.json();
    assert_eq!(read["proposal"]["rejection_reason"], Value::Null);
}

// The address of the status page.

#[tokio::test]
async fn the_status_page_opens_on_any_device_after_the_journey_expires_or_the_partner_is_disabled() {
    let app = decided("operator").start().await;
    app.registers(&[], &["https://app.example/done"]).await;
    let session = app.has_session().await;
    let customer = Customer::arrived_with(&app, &format!("&session_id={session}")).await;
    customer.answers(WHO, PLACE, COVER).await;
    customer.chooses(PLAIN, 1).await;
    customer.fills("details", DETAILS).await;
    let own = customer.applies().await;
    let id = applied(&app, &own);
    let elsewhere = Customer::speaking(&app, Some("hi"));
    let other = Customer::arrived(&app).await;
    for (device, language) in [(&elsewhere, "hi"), (&other, "en")] {
        let page = device.get(&own.at).await;
        assert_eq!((page.status(), page.language().as_str()), (200, language));
        assert!(page.whole().all("form").next().is_none(), "nothing can be begun from there");
        let back = page
            .whole()
            .all("a")
            .find(|link| link.attribute("href").is_some_and(|to| to.contains("app.example")));
        let back = back.expect("the way back").attribute("href").map(str::to_owned);
        assert_eq!(back, Some(format!("https://app.example/done?session_id={session}")));
        for secret in ["Asha", "9876543210", "asha.rao", "MG Road", "1992"] {
            page.lacks(secret);
        }
    }
    assert_eq!(other.get("start").await.name(), "who", "it is not the other one's application");
    app.clock.advance(Duration::from_secs(40 * 24 * 3600));
    app.service.journeys.forget_old().await.expect("there");
    operator_decides(&app, &id, true, None).await;
    let restarted = app.serves(app.another_process(&decided("operator").catalogue).await);
    let later = Customer::at(&restarted.base).get(&own.at).await;
    assert_eq!((later.status(), later.heading().as_str()), (200, "Your policy is issued"));
    assert_eq!(customer.get("start").await.status(), 410, "the browser's journey is over");
    let enabled = PartnerChange { enabled: Some(false), ..PartnerChange::default() };
    app.change(app.partner(), enabled).await;
    assert_eq!(Customer::new(&app).get(&own.at).await.status(), 200, "nor does it end with the partner");
}

#[tokio::test]
async fn the_status_page_is_switched_to_the_other_language_and_back() {
    let app = decided("straight-through").start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let page = customer.applies().await;
    for device in [&customer, &Customer::new(&app)] {
        let page = device.get(&page.at).await;
        let at = |link: String| format!("{}{link}", page.at);
        let hindi = device.get(&at(page.link("हिन्दी"))).await;
        assert_eq!((hindi.language().as_str(), hindi.heading().as_str()), ("hi", "आपकी पॉलिसी जारी हो गई है"));
        hindi.shows("प्रमाणपत्र अंग्रेज़ी में है।");
        hindi.shows("20 नवंबर 2026");
        let english = device.get(&at(hindi.link("English"))).await;
        assert_eq!(english.heading(), "Your policy is issued");
    }
}

#[tokio::test]
async fn an_invalid_or_foreign_status_code_gets_404_for_the_page_and_the_certificate() {
    // D3: unguessable, and every unknown address gets the same answer
    let app = decided("straight-through").start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let page = customer.applies().await;
    let code = page.name();
    let elsewhere = decided("straight-through").start().await;
    let foreign = Customer::reviews(&elsewhere, PLAIN).await.applies().await;
    let flipped = |at: usize| {
        let other = if code.as_bytes()[at] == b'A' { 'B' } else { 'A' };
        format!("{}{other}{}", &code[..at], &code[at + 1..])
    };
    let id = applied(&app, &page);
    for wrong in [
        foreign.name(),
        &code[1..],
        &code[..code.len() - 1],
        &format!("{code}A"),
        &flipped(0),
        &flipped(30),
        &flipped(50),
        &flipped(63),
        &code.to_uppercase(),
        &id,
        "%F0",
    ] {
        for path in [format!("/health/status/{wrong}"), format!("/health/status/{wrong}/certificate")] {
            let page = customer.get(&path).await;
            assert_eq!((page.status(), page.heading().as_str()), (404, "There is no such page"), "{path}");
        }
    }
    for path in [format!("{}/", page.at), format!("{}/x", page.at), format!("{}/certificate/", page.at)] {
        assert_eq!(customer.get(&path).await.status(), 404, "{path}");
    }
}

#[tokio::test]
async fn the_deprecated_reads_find_a_journeys_quote_proposal_and_policy_by_its_session() {
    // D9, D37; crates/docsite/pages/journey.md, Coming back
    let app = decided("straight-through").start().await;
    let session = app.has_session().await;
    let customer = Customer::arrived_with(&app, &format!("&session_id={session}")).await;
    customer.answers(WHO, PLACE, COVER).await;
    customer.chooses(PLAIN, 1).await;
    customer.fills("details", DETAILS).await;
    let id = applied(&app, &customer.applies().await);
    for (family, key) in [("proposals", "proposals"), ("policies", "policies"), ("quotes", "quotes")] {
        let answer = app.get(&format!("/v1/business/health/{family}?session_id={session}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let answered: Value = answer.json();
        assert_eq!(answered["session_id"], json!(session), "{family}");
        let records = answered[key].as_array().expect("a list");
        assert_eq!(records.len(), 1, "{family}");
        if family != "quotes" {
            assert_eq!(records[0]["proposal_id"], json!(id), "{family}");
        }
    }
}
