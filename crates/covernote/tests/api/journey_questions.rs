//! The journey's questions: accepted answers, messages about wrong ones, and answers after other answers
//! changed
//! (interface, Generate recommendation; D11, D13, D14, D15, D16, D38).

use serde_json::Value;

use crate::support::customer::{AGREES, COVER, DETAILS, PLACE, WHO};
use crate::support::health::{PLAIN, PLUS};
use crate::support::page::Page;
use crate::support::{App, Customer, Setup};

/// A text that would become part of the page if it were not escaped.
const MARKUP: &str = r#""><script>alert('x')</script>&amp;"#;

/// Sends the page's form with faulty fields, as a browser would. Returns the page with the faults.
async fn refused(customer: &Customer, page: &str, with: &[(&str, &str)], faults: &[&str]) -> Page {
    let answered = customer.fills(page, with).await;
    assert_eq!(answered.name(), page, "{with:?}");
    answered.has_faults_on(faults);
    for (name, typed) in with {
        let same = |held: &String| held == typed.trim();
        assert!(typed.is_empty() || answered.values(name).iter().any(same), "{name} lost {typed:?}");
    }
    answered
}

/// The message at a faulty field.
fn message(page: &Page, field: &str) -> String {
    let fault = page.faults().into_iter().find(|(known, _)| known == field);
    fault.unwrap_or_else(|| panic!("no fault on {field}")).1
}

/// Whether a text is in Devanagari.
fn is_hindi(text: &str) -> bool {
    text.chars().any(|c| ('\u{900}'..='\u{97f}').contains(&c))
}

async fn hindi(app: &App) -> Customer {
    Customer::arrived_with(app, "&lang=hi").await
}

// Who is insured.

#[tokio::test]
async fn an_invalid_age_is_a_fault_at_its_field_and_the_form_keeps_what_was_typed() {
    // D11, D15
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    for bad in ["x", "-1", "121", "34.5", "1e1", "99999999999", "three", "३४x", MARKUP] {
        for field in ["self", "spouse", "father", "mother"] {
            let page = refused(&customer, "who", &[(field, bad)], &[field]).await;
            let wanted = "enter the age as a whole number of years from 0 to 120, or leave it blank";
            assert!(message(&page, field).ends_with(wanted), "{}", message(&page, field));
            assert!(!page.answer.text.contains("<script>"), "{}", page.answer.text);
        }
        let child = [("child-1", "son"), ("child-1-age", bad)];
        let page = refused(&customer, "who", &child, &["child-1-age"]).await;
        assert!(message(&page, "child-1-age").starts_with("Child 1: "));
    }
    assert_eq!(customer.get("start").await.name(), "who", "nothing was taken");
}

#[tokio::test]
async fn all_faults_of_a_page_are_shown_together() {
    // D11
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    let typed = [
        ("self", "34"),
        ("spouse", "17"),
        ("father", "30"),
        ("mother", "x"),
        ("child-1", "son"),
        ("child-2-age", "4"),
        ("child-4", "daughter"),
        ("child-4-age", "200"),
    ];
    let faults = ["spouse", "mother", "father", "child-1-age", "child-2", "child-4-age"];
    let page = refused(&customer, "who", &typed, &faults).await;
    assert_eq!(message(&page, "spouse"), "Your spouse: enter an age from 18 to 120");
    assert_eq!(message(&page, "father"), "A parent must be older than you: check both ages");
    assert_eq!(message(&page, "child-1-age"), "Child 1: enter the age, or clear the choice beside it");
    assert_eq!(message(&page, "child-2"), "Child 2: choose son or daughter");
    assert_eq!(page.heading(), "Who should be covered?");
    page.shows("There is a problem");
    let customer = hindi(&app).await;
    let page = refused(&customer, "who", &typed, &faults).await;
    assert_eq!(page.language(), "hi");
    page.shows("कुछ जानकारी ठीक करें");
    assert!(page.faults().iter().all(|(_, message)| is_hindi(message)), "{:?}", page.faults());
}

#[tokio::test]
async fn somebody_must_be_covered() {
    // D15: at least one member in all
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    for nobody in [&[][..], &[("self", "  ")], &[("self", ""), ("child-1", "")]] {
        let page = customer.fills("who", nobody).await;
        page.has_faults_on(&["self"]);
        assert_eq!(message(&page, "self"), "Enter the age of at least one person");
    }
    let page = hindi(&app).await.fills("who", &[]).await;
    assert_eq!(message(&page, "self"), "कम से कम एक व्यक्ति की उम्र लिखें");
}

#[tokio::test]
async fn ages_at_the_limits_are_accepted_and_ages_beyond_them_are_refused() {
    // D15: 0 to 120
    let app = Setup::health().start().await;
    for who in [
        &[("self", "18")][..],
        &[("self", " 120 ")],
        &[("spouse", "18")],
        &[("self", "34"), ("father", "35"), ("mother", "120")],
        &[("child-1", "son"), ("child-1-age", "0")],
        &[("child-3", "daughter"), ("child-3-age", "120")],
        &[("father", "18")],
    ] {
        let page = Customer::arrived(&app).await.fills("who", who).await;
        assert_eq!(page.name(), "place", "{who:?}: {:?}", page.faults());
    }
    for (who, fault) in [
        (&[("self", "17")][..], "self"),
        (&[("mother", "0")], "mother"),
        (&[("self", "34"), ("father", "34")], "father"),
    ] {
        refused(&Customer::arrived(&app).await, "who", who, &[fault]).await;
    }
}

#[tokio::test]
async fn twelve_children_can_be_entered() {
    // D15: daughters and sons may be several
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    let names: Vec<[String; 2]> =
        (1..=12).map(|at| [format!("child-{at}"), format!("child-{at}-age")]).collect();
    let mut who = vec![("self", "40")];
    for [kind, age] in &names {
        who.extend([(kind.as_str(), "son"), (age.as_str(), "5")]);
    }
    assert_eq!(customer.fills("who", &who).await.name(), "place");
    let page = customer.get("who").await;
    for [kind, age] in &names {
        assert_eq!((page.value(kind).as_str(), page.value(age).as_str()), ("son", "5"));
    }
    let page = customer.get("place").await;
    assert!(page.by_id("ill-12").is_some() && page.by_id("ill-13").is_none(), "each has a list of illnesses");
}

#[tokio::test]
async fn devanagari_digits_are_accepted_on_every_page() {
    let app = Setup::health().start().await;
    let customer = hindi(&app).await;
    let who = [("self", "३४"), ("child-1", "daughter"), ("child-1-age", "६")];
    assert_eq!(customer.fills("who", &who).await.name(), "place");
    assert_eq!(customer.get("who").await.value("self"), "34");
    let place = [("pincode", "५६००३८"), ("illness", "no"), ("porting", "yes"), ("porting-years", "३")];
    assert_eq!(customer.fills("place", &place).await.name(), "cover");
    assert_eq!(customer.get("place").await.value("pincode"), "560038");
    assert_eq!(customer.get("place").await.value("porting-years"), "3");
    customer.fills("cover", COVER).await;
    customer.all_plans().await;
    customer.chooses(PLAIN, 1).await;
    let details = [
        ("born-day", "१५"),
        ("born-month", "१"),
        ("born-year", "१९९२"),
        ("mobile", "९८७६५४३२१०"),
        ("member-1-name", "मीरा राव"),
        ("member-1-born-day", "९"),
        ("member-1-born-month", "९"),
        ("member-1-born-year", "२०२०"),
        ("member-1-gender", "FEMALE"),
        ("nominee-mobile", "९८७६५ ४३२११"),
        ("account", "१२३४५६७८९०"),
        ("ifsc", "ABCD0123456"),
        ("bank", "उदाहरण बैंक"),
    ];
    let rest = DETAILS.iter().filter(|(name, _)| details.iter().all(|(typed, _)| typed != name));
    let all: Vec<_> = details.iter().chain(rest).copied().collect();
    let page = customer.fills("details", &all).await;
    assert_eq!(page.name(), "review", "{:?}", page.faults());
    page.shows("+91 9876543210");
    page.shows("जन्म 15 जनवरी 1992");
    page.shows("7890");
}

// Place and health.

#[tokio::test]
async fn invalid_answers_about_place_and_health_are_faults_at_their_fields() {
    // D11, D14
    let app = Setup::health().start().await;
    for (customer, in_hindi) in [(Customer::arrived(&app).await, false), (hindi(&app).await, true)] {
        customer.fills("who", WHO).await;
        let page = refused(&customer, "place", &[], &["pincode", "illness", "porting"]).await;
        assert!(
            page.faults().iter().all(|(_, message)| is_hindi(message) == in_hindi),
            "{:?}",
            page.faults()
        );
        for bad in ["056003", "56003", "5600381", "abcdef", "56-038", MARKUP, "५६०"] {
            let typed = [("illness", "no"), ("porting", "no")];
            let page = customer.fills("place", &[&typed[..], &[("pincode", bad)]].concat()).await;
            page.has_faults_on(&["pincode"]);
            assert_eq!((page.value("illness").as_str(), page.value("porting").as_str()), ("no", "no"));
        }
        for bad in ["101", "-1", "x", "2.5", "9999999999999"] {
            let typed =
                [("pincode", "560038"), ("illness", "no"), ("porting", "yes"), ("porting-years", bad)];
            refused(&customer, "place", &typed, &["porting-years"]).await;
        }
        let nonsense = [("pincode", "560038"), ("illness", "maybe"), ("porting", "YES")];
        let page = customer.fills("place", &nonsense).await;
        page.has_faults_on(&["illness", "porting"]);
        assert_eq!(customer.get("start").await.name(), "place", "nothing was taken");
    }
}

#[tokio::test]
async fn spaces_around_a_pincode_are_ignored() {
    // D12: strings are trimmed before they are judged
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    customer.fills("who", WHO).await;
    let page =
        customer.fills("place", &[("pincode", " 560038 "), ("illness", "no"), ("porting", "no")]).await;
    assert_eq!(page.name(), "cover");
}

#[tokio::test]
async fn the_answer_about_illnesses_must_match_the_ticked_illnesses() {
    // D16: hasPED decides whether selectedPEDs count; the service does not guess
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    customer.fills("who", &[("self", "34"), ("spouse", "36")]).await;
    let with =
        |more: &[(&'static str, &'static str)]| [&[("pincode", "560038"), ("porting", "no")], more].concat();
    let page = refused(&customer, "place", &with(&[("illness", "yes")]), &["ill-0"]).await;
    assert_eq!(
        message(&page, "ill-0"),
        "Tick each person’s illnesses; if one is not listed, tick “Another illness”"
    );
    let typed = with(&[("illness", "no"), ("ill-1", "asthma"), ("ill-1", "diabetes")]);
    let page = refused(&customer, "place", &typed, &["illness"]).await;
    assert_eq!(page.values("ill-1"), ["diabetes", "asthma"], "in the order of the list");
    let nobodys = customer.post("place", &with(&[("illness", "yes"), ("ill-2", "asthma")])).await;
    nobodys.has_faults_on(&["ill-0"]);
    let unknown = customer.post("place", &with(&[("illness", "yes"), ("ill-0", "plague")])).await;
    unknown.has_faults_on(&["ill-0"]);
    let typed = with(&[("illness", "yes"), ("ill-1", "asthma")]);
    assert_eq!(customer.fills("place", &typed).await.name(), "cover");
}

#[tokio::test]
async fn the_years_of_a_previous_policy_count_only_if_it_is_ported() {
    // D16
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    customer.fills("who", WHO).await;
    let typed = [("pincode", "560038"), ("illness", "no"), ("porting", "no"), ("porting-years", "x")];
    assert_eq!(customer.fills("place", &typed).await.name(), "cover");
    assert_eq!(customer.get("place").await.value("porting-years"), "");
    for years in ["", "0", "100"] {
        let typed = [("porting", "yes"), ("porting-years", years)];
        assert_eq!(customer.fills("place", &typed).await.name(), "cover", "{years}");
        assert_eq!(customer.get("place").await.value("porting-years"), years);
    }
}

// Choice of cover.

#[tokio::test]
async fn plan_type_sum_insured_and_deductible_must_be_among_those_on_sale() {
    // D11, D16
    let app = Setup::health().start().await;
    for (customer, in_hindi) in [(Customer::arrived(&app).await, false), (hindi(&app).await, true)] {
        customer.fills("who", WHO).await;
        customer.fills("place", PLACE).await;
        let page = refused(&customer, "cover", &[("sum", "")], &["plan", "sum"]).await;
        assert!(
            page.faults().iter().all(|(_, message)| is_hindi(message) == in_hindi),
            "{:?}",
            page.faults()
        );
        for (typed, fault) in [
            ([("plan", "gold"), ("sum", "1000000"), ("deductible", "")], "plan"),
            ([("plan", "base"), ("sum", "1234567"), ("deductible", "")], "sum"),
            ([("plan", "base"), ("sum", "-1000000"), ("deductible", "")], "sum"),
            ([("plan", "base"), ("sum", "1000000.00"), ("deductible", "")], "sum"),
            ([("plan", "super_top_up"), ("sum", "500000"), ("deductible", "")], "sum"),
            ([("plan", "super_top_up"), ("sum", "1000000"), ("deductible", "12345")], "deductible"),
            ([("plan", "super_top_up"), ("sum", "1000000"), ("deductible", "x")], "deductible"),
        ] {
            let page = customer.fills("cover", &typed).await;
            page.has_faults_on(&[fault]);
        }
        assert_eq!(customer.get("start").await.name(), "cover", "nothing was taken");
    }
}

#[tokio::test]
async fn only_deductibles_of_super_top_ups_on_sale_can_be_chosen() {
    // D16: an unavailable amount would leave out every plan
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    customer.fills("who", WHO).await;
    customer.fills("place", PLACE).await;
    let page = customer.get("cover").await;
    let lists = page.answer.text.split("<select").nth(1).expect("a list");
    let options =
        crate::support::page::Part(lists.split("</select>").next().expect("one part")).all("option");
    let options: Vec<String> =
        options.map(|option| option.attribute("value").expect("a value").to_owned()).collect();
    assert_eq!(options, ["", "300000", "500000"], "1 lakh is the deductible of a base plan");
    let typed = [("plan", "super_top_up"), ("sum", "1000000"), ("deductible", "100000")];
    customer.fills("cover", &typed).await.has_faults_on(&["deductible"]);
    let typed = [("plan", "super_top_up"), ("sum", "1000000"), ("deductible", "500000")];
    assert_eq!(customer.fills("cover", &typed).await.name(), "plans");
}

#[tokio::test]
async fn a_selected_deductible_is_ignored_for_a_base_plan() {
    // Without scripts, the list is present for both kinds of plan
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    customer.fills("who", WHO).await;
    customer.fills("place", PLACE).await;
    let typed = [("plan", "base"), ("sum", "1000000"), ("deductible", "500000")];
    assert_eq!(customer.fills("cover", &typed).await.name(), "plans");
    assert_eq!(customer.get("cover").await.value("deductible"), "");
}

// Going back, forward and elsewhere.

/// The journey's quotes, as the API shows them.
async fn quotes(app: &App) -> Vec<Value> {
    let partner = app.refreshed().await;
    let path = "/v1/business/health/quotes?start_date=2026-11-20";
    let answer = app.as_partner(&partner, "GET", path, None).await;
    answer.json()["quotes"].as_array().unwrap_or_else(|| panic!("{}", answer.text)).clone()
}

#[tokio::test]
async fn a_customer_who_goes_back_finds_every_answer() {
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    let who = [
        ("self", "34"),
        ("spouse", "36"),
        ("child-1", "daughter"),
        ("child-1-age", "6"),
        ("child-2", "son"),
        ("child-2-age", "0"),
    ];
    let place = [
        ("pincode", "560038"),
        ("illness", "yes"),
        ("ill-1", "diabetes"),
        ("ill-3", "asthma"),
        ("porting", "yes"),
        ("porting-years", "4"),
    ];
    let cover = [("plan", "super_top_up"), ("sum", "2500000"), ("deductible", "300000")];
    customer.answers(&who, &place, &cover).await;
    for (page, answers) in [("who", &who[..]), ("place", &place), ("cover", &cover)] {
        let page = customer.get(page).await;
        for (name, value) in answers {
            assert_eq!(page.values(name), [*value], "{name}");
        }
    }
    let page = customer.get("place").await;
    assert!(page.values("ill-0").is_empty() && page.values("ill-2").is_empty());
    assert_eq!(page.link("Back"), "who");
    assert_eq!(customer.get("cover").await.link("Back"), "place");
    assert_eq!(customer.get("plans").await.link("Back"), "cover");
}

#[tokio::test]
async fn an_unchanged_answer_keeps_prices_and_choice() {
    // D38: the first price is the last price.
    let app = Setup::health().start().await;
    let customer = Customer::chose(&app, PLAIN).await;
    for (page, next) in [("who", "place"), ("place", "cover"), ("cover", "plans")] {
        assert_eq!(customer.fills(page, &[]).await.name(), next);
    }
    assert_eq!(customer.get("start").await.name(), "details", "what was chosen stands");
    assert_eq!(app.rows_of("health_quotes"), 1);
}

#[tokio::test]
async fn a_changed_answer_drops_prices_and_choice() {
    // No price of other people, places or covers is shown.
    let app = Setup::health().start().await;
    for (page, changed) in [
        ("who", &[("self", "35")][..]),
        ("who", &[("spouse", "30")]),
        ("place", &[("pincode", "110001")]),
        ("place", &[("illness", "yes"), ("ill-0", "asthma")]),
        ("place", &[("porting", "yes")]),
        ("cover", &[("sum", "500000")]),
        ("cover", &[("plan", "super_top_up")]),
    ] {
        let customer = Customer::chose(&app, PLAIN).await;
        let before = app.rows_of("health_quotes");
        customer.fills(page, changed).await;
        let resumed = customer.get("start").await;
        assert_eq!(resumed.name(), "plans", "{changed:?}");
        customer.all_plans().await;
        assert_eq!(app.rows_of("health_quotes"), before + 1, "{changed:?}");
        assert_eq!(customer.get("details").await.name(), "plans", "it is chosen anew");
    }
}

#[tokio::test]
async fn illnesses_stay_with_the_person_who_has_them() {
    // An illness on another person's name could cost a claim
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    customer.fills("who", &[("self", "34"), ("child-1", "daughter"), ("child-1-age", "6")]).await;
    let place = [("pincode", "560038"), ("illness", "yes"), ("ill-1", "asthma"), ("porting", "no")];
    assert_eq!(customer.fills("place", &place).await.name(), "cover");
    // An elder sister is inserted before her, and a spouse before both.
    let who = [
        ("spouse", "36"),
        ("child-1", "daughter"),
        ("child-1-age", "9"),
        ("child-2", "daughter"),
        ("child-2-age", "6"),
    ];
    let page = customer.fills("who", &who).await;
    assert_eq!(page.name(), "place");
    let ill: Vec<_> = (0..4).map(|at| page.values(&format!("ill-{at}"))).collect();
    assert_eq!(ill, [vec![], vec![], vec![], vec!["asthma".to_owned()]]);
    // A year later: the ages have changed, but not the people.
    let page = customer.fills("who", &[("child-1-age", "10"), ("child-2-age", "7")]).await;
    assert_eq!(page.values("ill-3"), ["asthma"]);
}

#[tokio::test]
async fn a_customer_who_jumps_ahead_is_led_to_the_first_page_without_an_answer() {
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    let plan = format!("plan?v={PLAIN}");
    let later = ["cover", "plans", &plan, "compare", "details", "price", "review", "start"];
    let forms = ["choose", "details", "price", "review"];
    for (page, answers) in [("who", WHO), ("place", PLACE), ("cover", COVER)] {
        for path in later.iter().filter(|path| **path != page) {
            assert_eq!(customer.get(path).await.at, format!("/health/{page}"), "{path}");
        }
        for path in forms {
            assert_eq!(customer.post(path, &[("pick", &format!("{PLAIN}:1"))]).await.name(), page, "{path}");
        }
        customer.fills(page, answers).await;
    }
    customer.all_plans().await;
    for path in ["details", "price", "review", "start"] {
        assert_eq!(customer.get(path).await.at, "/health/plans", "{path}");
    }
    customer.chooses(PLAIN, 1).await;
    for path in ["review", "start"] {
        assert_eq!(customer.get(path).await.at, "/health/details", "{path}");
    }
    assert_eq!(customer.post("review", AGREES).await.at, "/health/details");
    assert_eq!(app.rows_of("proposals"), 0);
}

#[tokio::test]
async fn a_form_sent_before_the_earlier_pages_are_answered_is_stored() {
    // A page kept open in another tab
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    assert_eq!(customer.post("cover", COVER).await.at, "/health/who");
    customer.fills("who", WHO).await;
    customer.fills("place", PLACE).await;
    assert_eq!(customer.get("cover").await.value("sum"), "1000000");
    assert_eq!(customer.get("plans").await.name(), "plans");
}

// The language.

#[tokio::test]
async fn the_language_link_opens_the_same_page_in_the_other_language() {
    let app = Setup::health().start().await;
    let customer = Customer::sees_plans(&app).await;
    let plan = format!("plan?v={PLAIN}");
    let compare = format!("compare?v={PLAIN}&v={PLUS}");
    for (path, heading, in_hindi) in [
        ("plans", "Plans for you", "आपके लिए प्लान"),
        ("plans?sort=price&tag=cashless&tag=maternity", "Plans for you", "आपके लिए प्लान"),
        (plan.as_str(), "Plain", "Plain"),
        (&compare, "Plans side by side", "प्लान साथ-साथ"),
    ] {
        let page = customer.get(path).await;
        assert_eq!((page.language().as_str(), page.heading().as_str()), ("en", heading));
        let there = customer.get(&page.link("हिन्दी")).await;
        assert_eq!(there.at, format!("/health/{path}"), "the language leaves the address");
        assert_eq!((there.language().as_str(), there.heading().as_str()), ("hi", in_hindi));
        let back = customer.get(&there.link("English")).await;
        assert_eq!(back.at, format!("/health/{path}"));
        assert_eq!(back.language(), "en");
    }
    let page = customer.get("who?lang=hi").await;
    assert_eq!((page.at.as_str(), page.language().as_str()), ("/health/who", "hi"));
    assert_eq!(customer.get("who?lang=xx").await.language(), "hi", "a language that there is not");
}

#[tokio::test]
async fn the_language_is_switched_by_a_button_without_losing_what_is_typed() {
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    for (page, typed, good) in [
        ("who", &[("self", "x"), ("child-2", "son"), ("child-2-age", "200")][..], WHO),
        ("place", &[("pincode", "12"), ("illness", "yes"), ("porting-years", "x")], PLACE),
        ("cover", &[("sum", "500000"), ("deductible", "300000")], COVER),
        ("details", &[("name", "Asha"), ("born-day", "32"), ("mobile", "1"), ("account", "77")], DETAILS),
        ("review", &[("consent", "insurer")], AGREES),
    ] {
        let open = customer.get(page).await;
        assert_eq!(open.name(), page);
        let switch = open.whole().all("button").find(|button| button.attribute("name") == Some("language"));
        let switch = switch.expect("a button that switches");
        assert_eq!((switch.attribute("value"), switch.attribute("form")), (Some("hi"), Some("main")));
        let switched = customer.fills_in(&open, &[typed, &[("language", "hi")]].concat()).await;
        assert_eq!((switched.status(), switched.name()), (200, page));
        assert_eq!(switched.language(), "hi");
        assert!(switched.faults().is_empty(), "nothing is judged");
        for (name, value) in typed {
            assert_eq!(switched.values(name), [*value], "{page}: {name}");
        }
        let back = customer.fills_in(&switched, &[("language", "en")]).await;
        assert_eq!(back.language(), "en");
        for (name, value) in typed {
            assert_eq!(back.values(name), [*value], "{page}: {name}");
        }
        let anew = customer.get(page).await;
        for (name, value) in typed {
            assert!(!anew.values(name).contains(&(*value).to_owned()), "{page}: nothing is taken");
        }
        customer.fills(page, good).await;
        if page == "cover" {
            customer.all_plans().await;
            customer.chooses(PLAIN, 1).await;
        }
    }
    assert_eq!(app.rows_of("proposals"), 1);
}

#[tokio::test]
async fn a_form_that_switches_the_language_never_chooses_a_plan() {
    // A button of the plan page is not a language switch, but a form with `language` is never an answer
    let app = Setup::health().start().await;
    let customer = Customer::sees_plans(&app).await;
    let page = customer.post("choose", &[("pick", &format!("{PLAIN}:1")), ("language", "hi")]).await;
    assert_eq!((page.name(), page.language().as_str()), ("plans", "hi"));
    assert_eq!(customer.get("details").await.name(), "plans");
}

// Forms that are not ours.

#[tokio::test]
async fn a_form_without_a_valid_proof_is_refused_with_403_and_changes_nothing() {
    // Forms of other sites are refused.
    let app = Setup::health().start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let other = Customer::arrived(&app).await;
    let (own, foreign) = (customer.proof().await, other.proof().await);
    assert_ne!(own, foreign);
    let pick = format!("{PLUS}:1");
    for (path, fields) in [
        ("who", &[("self", "55")][..]),
        ("place", &[("pincode", "110001"), ("illness", "no"), ("porting", "no")]),
        ("cover", &[("plan", "base"), ("sum", "500000")]),
        ("choose", &[("pick", pick.as_str())]),
        ("details", DETAILS),
        ("price", &[("price", "500000")]),
        ("review", AGREES),
        ("again", &[]),
    ] {
        for proof in [None, Some(""), Some("x"), Some(foreign.as_str()), Some(&own[1..])] {
            let sent: Vec<_> = fields.iter().copied().chain(proof.map(|proof| ("proof", proof))).collect();
            let sent = [&sent[..], &[("language", "hi")]].concat();
            let page = customer.sends(path, &sent).await;
            assert_eq!(page.status(), 403, "{path}");
            assert_eq!(page.heading(), "This form was not sent from our page");
            assert_eq!(page.language(), "en");
            let on = customer.get(&page.link("Continue with your answers")).await;
            assert_eq!(on.name(), "review", "nothing was changed");
        }
    }
    assert_eq!(customer.get("who").await.value("self"), "34");
    assert_eq!((app.rows_of("proposals"), app.rows_of("health_quotes")), (0, 1));
    assert_eq!(customer.get("who").await.language(), "en");
}

#[tokio::test]
async fn a_get_of_an_address_that_only_takes_forms_redirects_to_the_current_page() {
    // A reload, or an address that was typed
    let app = Setup::health().start().await;
    let customer = Customer::sees_plans(&app).await;
    for path in ["choose", "again"] {
        assert_eq!(customer.get(path).await.at, "/health/plans", "{path}");
        assert_eq!(Customer::arrived(&app).await.get(path).await.at, "/health/who", "{path}");
    }
}

#[tokio::test]
async fn choices_that_were_not_offered_are_ignored() {
    // D12: unknown fields are ignored, and a choice counts only if it was offered
    let app = Setup::health().start().await;
    let customer = Customer::sees_plans(&app).await;
    for pick in
        ["", "x", PLAIN, &format!("{PLAIN}:2"), &format!("{PLAIN}:"), "vrt_01m6hea1thtest000000000025:1"]
    {
        assert_eq!(customer.post("choose", &[("pick", pick)]).await.name(), "plans", "{pick}");
        assert_eq!(customer.get("start").await.name(), "plans", "{pick}");
    }
    let page = customer.fills("who", &[("admin", "1"), ("price", "1"), ("self", "34")]).await;
    assert_eq!(page.name(), "place");
    assert_eq!(quotes(&app).await.len(), 1);
}

#[tokio::test]
async fn no_form_content_causes_a_server_error() {
    // D10: the page says what is wrong; a form never gets a 500
    let app = Setup::health().start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let proof = customer.proof().await;
    let many: String = (0..5000).map(|at| format!("x{at}=1&")).collect();
    for body in [
        String::new(),
        "&&&===&%&%%&%zz".to_owned(),
        "self=%FF%FE&child-1=%00&child-1-age=%F0%9F%91%B6".to_owned(),
        "pincode=%D9%A5%D9%A6%D9%A0%D9%A0%D9%A3%D9%A8&illness=yes&porting=yes&porting-years=%E2%80%8F4"
            .to_owned(),
        "plan=base&plan=super_top_up&sum=1000000&sum=500000&deductible=%00".to_owned(),
        "name=%E2%80%AEoar&born-day=%2B1&born-month=0x1&born-year=99999999999999999999".to_owned(),
        "pick=%3A%3A%3A&pick=vrt_%3A1&price=99999999999999999999".to_owned(),
        "consent=declaration&consent=declaration&read-in=xx&seen=%3A%3A".to_owned(),
        many,
    ] {
        for page in ["who", "place", "cover", "choose", "details", "price", "review"] {
            let request = customer.request("POST", page);
            let sent = customer.send(request.body(format!("proof={proof}&{body}"))).await;
            let fine = matches!(sent.status(), 303 | 422);
            assert!(fine, "{page} answered {} to {}", sent.status(), &body[..body.len().min(200)]);
        }
    }
    assert_eq!(app.rows_of("proposals"), 0);
}

#[tokio::test]
async fn simultaneous_forms_of_several_tabs_are_all_stored() {
    let app = Setup::health().start().await;
    let customer = Customer::sees_plans(&app).await;
    let proof = customer.proof().await;
    let with = |fields: &[(&'static str, &'static str)]| {
        let own = [("proof".to_owned(), proof.clone())];
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        own.into_iter().chain(fields).collect::<Vec<_>>()
    };
    let place = with(&[("pincode", "110001"), ("illness", "no"), ("porting", "yes"), ("porting-years", "2")]);
    let cover = with(&[("plan", "base"), ("sum", "500000")]);
    let who = with(&[("self", "40")]);
    let (first, second, third, page) = tokio::join!(
        customer.sends("place", &place),
        customer.sends("cover", &cover),
        customer.sends("who", &who),
        customer.get("plans?lang=hi"),
    );
    assert_eq!([first.status(), second.status(), third.status(), page.status()], [303, 303, 303, 200]);
    assert_eq!(customer.get("place").await.value("pincode"), "110001");
    assert_eq!(customer.get("cover").await.value("sum"), "500000");
    let who = customer.get("who").await;
    assert_eq!((who.value("self").as_str(), who.language().as_str()), ("40", "hi"));
    let plans = customer.all_plans().await;
    plans.shows("आप, उम्र 40 साल, पिन कोड 110001");
    plans.shows("₹5 लाख");
}
