//! Every state of the journey's pages, in both languages. Each is checked for accessibility, and has a
//! screenshot.

use service::proposal::operator::Verdict;
use std::sync::Arc;
use std::time::Duration;

use domain::person::PersonalLine;
use service::insurer::Insurer;
use service::partner::PartnerChange;
use tokio::sync::Semaphore;

use crate::browser::Browser;
use crate::look::Look;
use crate::support::insurer::{Answers, Decides, Says as Decision};
use crate::support::{App, Setup};
use crate::way::{AT_ONCE, BY_INSURER, BY_OPERATOR, ENGLISH, HINDI, Way};

/// Checks the present page in both languages.
async fn is_good_in_both(way: &mut Way<'_>, page: &str) {
    way.looks_good(page).await;
    way.browser.press("हिन्दी").await;
    way.looks_good(&format!("{page}-hi")).await;
    way.browser.press("English").await;
}

/// The proposal's id on the status page.
async fn application(way: &Way<'_>) -> domain::id::ProposalId {
    let text = way.browser.text().await;
    let id = text.split_whitespace().find(|word| word.starts_with("pro_")).expect("the application's number");
    id.parse().expect("an id")
}

#[tokio::test]
async fn faults_are_shown_above_the_form_and_beside_the_field() {
    for (name, says) in [("en-faults", ENGLISH), ("hi-faults", HINDI)] {
        let app = Setup::default().sold_by_a_broker().start().await;
        let mut browser = Browser::start(Look::PHONE).await;
        let mut way = Way::of(&app, &mut browser, says, name);
        way.arrives().await;
        way.browser.press(says.go_on).await;
        way.looks_good("who-nobody").await;
        way.browser.fill(says.you_age, "17").await;
        way.browser.fill(says.spouse_age, "abc").await;
        way.browser.press(says.go_on).await;
        way.looks_good("who-wrong").await;
        assert_eq!(way.browser.value_of(says.spouse_age).await, "abc", "nothing that was typed is lost");
        way.tells_who().await;
        way.browser.press(says.go_on).await;
        way.looks_good("place-empty").await;
        way.browser.within(says.illness_question).choose(says.yes).await;
        way.browser.within(says.porting_question).choose(says.yes).await;
        way.browser.press(says.go_on).await;
        way.looks_good("place-which").await;
        way.tells_place().await;
        way.browser.press(says.see_plans).await;
        way.looks_good("cover-empty").await;
        way.browser.choose(says.super_top_up).await;
        way.looks_good("cover-above").await;
        way.browser.choose(says.base).await;
        way.browser.choose(says.ten_lakh).await;
        way.browser.press(says.see_plans).await;
        way.chooses(AT_ONCE).await;
        way.browser.press_and_stay(says.refunds).await;
        way.looks_good("details-bank").await;
        way.browser.press(says.go_on).await;
        way.looks_good("details-empty").await;
        way.tells_details().await;
        way.browser.press(says.send).await;
        way.looks_good("review-unticked").await;
    }
}

#[tokio::test]
async fn the_back_button_after_a_corrected_mistake_shows_the_page_with_its_answers() {
    let app = Setup::default().sold_by_a_broker().start().await;
    let mut browser = Browser::start(Look::PHONE).await;
    let mut way = Way::of(&app, &mut browser, ENGLISH, "en-back");
    way.arrives().await;
    way.browser.press("Continue").await;
    way.browser.sees("There is a problem").await;
    way.tells_who().await;
    way.browser.sees("Where you live, and your health").await;
    way.browser.back().await;
    assert_eq!(way.browser.heading().await, "Who should be covered?");
    assert_eq!(way.browser.value_of("Your age").await, "34", "what was answered is there");
}

#[tokio::test]
async fn a_customer_can_add_more_children_than_the_page_shows_at_first() {
    let app = Setup::default().sold_by_a_broker().start().await;
    let mut browser = Browser::start(Look::PHONE).await;
    let mut way = Way::of(&app, &mut browser, ENGLISH, "en-children");
    way.arrives().await;
    way.browser.fill("Your age", "45").await;
    for at in 1..=6 {
        if at > 1 {
            way.browser.press_and_stay("Add a child").await;
        }
        let child = way.browser.within(&format!("Child {at}"));
        child.fill("Son or daughter", if at % 2 == 0 { "Son" } else { "Daughter" }).await;
        child.fill("Age", &at.to_string()).await;
    }
    way.looks_good("six").await;
    way.browser.press("Continue").await;
    way.browser.sees("Where you live, and your health").await;
    way.looks_good("place-of-seven").await;
    way.browser.back().await;
    assert_eq!(way.browser.within("Child 6").value_of("Age").await, "6");
}

#[tokio::test]
async fn a_customer_can_filter_sort_and_compare_plans() {
    let app = Setup::default().sold_by_a_broker().start().await;
    let mut browser = Browser::start(Look::PHONE).await;
    let mut way = Way::of(&app, &mut browser, ENGLISH, "en-compare");
    way.arrives().await;
    way.asks().await;
    way.browser.press_and_stay("Show and sort").await;
    way.looks_good("filter").await;
    way.browser.choose("Lowest premium first").await;
    way.browser.choose("Yearly health check-up").await;
    way.browser.press("Show").await;
    way.browser.sees(AT_ONCE.name).await;
    way.browser.does_not_see(BY_INSURER.name).await;
    is_good_in_both(&mut way, "filtered").await;
    way.browser.press_and_stay("Plans that do not cover you (7)").await;
    way.looks_good("refused").await;
    let base = way.app.base.clone();
    way.browser.open(&format!("{base}/health/compare")).await;
    is_good_in_both(&mut way, "compare-none").await;
    way.browser.press("All plans").await;
    for name in ["Parivar Raksha Plus", "Saral Swasthya Poorna", "Sampoorna Plus"] {
        way.browser.within(name).choose("Compare").await;
    }
    way.browser.press("Compare selected plans").await;
    assert_eq!(way.browser.heading().await, "Plans side by side");
    is_good_in_both(&mut way, "compare").await;
    way.browser.set_look(Look::DESKTOP).await;
    way.looks_good("compare-desktop").await;
}

/// The sample catalogue with an insurer that answers once the semaphore lets it.
async fn with_one_that_thinks() -> (App, Arc<Semaphore>) {
    let gate = Arc::new(Semaphore::new(0));
    let thinks: Arc<dyn Insurer> = Arc::new(Answers::Admitted(gate.clone()));
    let setup =
        Setup { recommendation_deadline: Duration::from_secs(300), ..Setup::default().sold_by_a_broker() };
    (setup.asking(vec![("nidarshan", thinks)]).start().await, gate)
}

#[tokio::test]
async fn plans_appear_before_all_insurers_have_answered() {
    let (app, gate) = with_one_that_thinks().await;
    let mut browser = Browser::start(Look::PHONE).await;
    let mut way = Way::of(&app, &mut browser, ENGLISH, "en-pending");
    way.arrives().await;
    way.asks().await;
    way.browser.sees("plans checked").await;
    way.browser.sees(AT_ONCE.name).await;
    is_good_in_both(&mut way, "plans").await;
    way.browser.within(AT_ONCE.name).choose("Compare").await;
    gate.add_permits(10);
    way.browser.sees("Sampoorna Plus").await;
    way.browser.sees("Recommended").await;
    assert!(way.browser.within(AT_ONCE.name).is_chosen("Compare").await, "what was ticked stays ticked");
}

#[tokio::test]
async fn late_plans_appear_by_themselves_even_without_scripts() {
    let (app, gate) = with_one_that_thinks().await;
    let mut browser = Browser::start(Look { scripts: false, ..Look::PHONE }).await;
    let mut way = Way::of(&app, &mut browser, ENGLISH, "en-pending-plain");
    way.arrives().await;
    // After a time, because the driver waits for the loading page, which the server holds until there is more
    // to show.
    tokio::spawn(async move {
        tokio::time::sleep(Duration::from_secs(5)).await;
        gate.add_permits(10);
    });
    way.asks().await;
    way.browser.sees("Sampoorna Plus").await;
    way.looks_good("plans").await;
}

#[tokio::test]
async fn the_page_reports_a_changed_price_or_a_plan_that_no_longer_covers_the_customer() {
    let app = Setup::default().sold_by_a_broker().start().await;
    let mut browser = Browser::start(Look::PHONE).await;
    let mut way = Way::of(&app, &mut browser, ENGLISH, "en-price");
    way.arrives().await;
    way.asks().await;
    way.chooses(AT_ONCE).await;
    // The date of birth gives age 54, but the customer said 34.
    way.fills_details(["14", "2", "1972"]).await;
    way.browser.press("Continue").await;
    way.browser.sees("The price has changed").await;
    is_good_in_both(&mut way, "changed").await;
    way.browser.press("Correct my details").await;
    // This plan covers nobody of 74.
    way.browser.within("About you").within("Date of birth").fill("Year", "1952").await;
    way.browser.press("Continue").await;
    way.browser.sees("This plan no longer covers you").await;
    is_good_in_both(&mut way, "gone").await;
}

#[tokio::test]
async fn the_status_page_shows_whether_an_application_is_reviewed_rejected_or_pending() {
    let silent: Arc<dyn Insurer> = Decides::saying("secret", [Decision::Pending]);
    let app = Setup::default().sold_by_a_broker().asking(vec![("drishtant", silent)]).start().await;
    let mut browser = Browser::start(Look::PHONE).await;

    let mut way = Way::of(&app, &mut browser, ENGLISH, "en-offline");
    way.applies_for(BY_OPERATOR).await;
    assert_eq!(way.browser.heading().await, "Your application is being reviewed");
    is_good_in_both(&mut way, "status").await;
    let id = application(&way).await;
    let reason = PersonalLine::of_words("The medical report was not sent.");
    app.service.operator_proposals.decide(id, Verdict::of(false, reason)).await.expect("the operator may");
    way.browser.reload().await;
    assert_eq!(way.browser.heading().await, "Your application was not accepted");
    way.browser.sees("The medical report was not sent.").await;
    way.name = "en-rejected";
    is_good_in_both(&mut way, "status").await;
    way.browser.press("Choose another plan").await;
    assert_eq!(way.browser.heading().await, "Plans for you");

    let mut browser = Browser::start(Look::PHONE).await;
    let mut way = Way::of(&app, &mut browser, ENGLISH, "en-waiting");
    way.arrives().await;
    way.asks().await;
    way.chooses(BY_INSURER).await;
    way.tells_details().await;
    way.applies().await;
    assert_eq!(way.browser.heading().await, "Your application is on its way");
    is_good_in_both(&mut way, "status").await;
}

#[tokio::test]
async fn every_error_page_of_the_journey_says_what_is_wrong() {
    let app = Setup::default().sold_by_a_broker().start().await;
    let mut browser = Browser::start(Look::PHONE).await;
    let mut way = Way::of(&app, &mut browser, ENGLISH, "en-dead-end");
    let base = app.base.clone();
    let token = app.token_of(app.partner(), &["business.session"]).await;
    let arrival = |token: &str| format!("{base}/health?session_token={token}");
    let expects = async |way: &mut Way<'_>, address: String, heading: &str, page: &str| {
        way.browser.open(&address).await;
        assert_eq!(way.browser.heading().await, heading);
        way.looks_good(page).await;
    };
    expects(&mut way, arrival("x"), "This link does not open anything", "wrong").await;
    expects(&mut way, format!("{base}/health/who"), "Your visit is over", "over").await;
    expects(
        &mut way,
        format!("{base}/health/start?new=1"),
        "Your browser does not keep our cookie",
        "cookies",
    )
    .await;
    expects(&mut way, format!("{base}/health/nothing/here"), "There is no such page", "missing").await;
    let another = way.browser.another(Look::PHONE).await;
    another.open(&arrival(&token)).await;
    expects(&mut way, arrival(&token), "This link was already used", "used").await;
    let unused = app.token_of(app.partner(), &["business.session"]).await;
    app.clock.advance(Duration::from_secs(3700));
    expects(&mut way, arrival(&unused), "This link is too old", "expired").await;
    let fresh = app.token_of(app.partner(), &["business.session"]).await;
    let off = PartnerChange { enabled: Some(false), ..PartnerChange::default() };
    app.service.partners.change(&app.partner().client_id, &off).await.expect("changed");
    expects(&mut way, arrival(&fresh), "Health insurance is not available here at the moment", "disabled")
        .await;
}

#[tokio::test]
async fn an_expired_status_page_asks_for_the_date_of_birth() {
    for (look, name) in [(Look::PHONE, "ended-phone"), (Look::DESKTOP, "ended-desktop")] {
        let app = Setup::default().sold_by_a_broker().start().await;
        let mut browser = Browser::start(look).await;
        let mut way = Way::of(&app, &mut browser, ENGLISH, name);
        way.applies_for(BY_OPERATOR).await;
        app.clock.advance(service::access::status_page::LIFETIME);
        way.browser.reload().await;
        assert_eq!(way.browser.heading().await, "Is this your application?");
        is_good_in_both(&mut way, "ended").await;
        way.browser.press("Open your application").await;
        way.looks_good("ended-empty").await;
        for (part, value) in [("Day", "15"), ("Month", "2"), ("Year", "1972")] {
            way.browser.within("Date of birth").fill(part, value).await;
        }
        way.browser.press("Open your application").await;
        way.browser.sees("This is not the date of birth in the application").await;
        way.looks_good("ended-wrong").await;
        way.browser.within("Date of birth").fill("Day", "14").await;
        way.browser.within("Date of birth").fill("Year", "1992").await;
        way.browser.press("Open your application").await;
        assert_eq!(way.browser.heading().await, "Your application is being reviewed");
    }
}
