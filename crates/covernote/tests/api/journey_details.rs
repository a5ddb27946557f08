//! The journey's details page, and the new price if details contradict the answers that the price was made
//! for
//! (interface, Legacy proposal, Legacy policy; D11, D12, D14, D34, D40, D49).

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use service::insurer::Insurer;
use tokio::sync::Semaphore;

use crate::support::customer::{AGREES, COVER, DETAILS, PLACE};
use crate::support::health::PLAIN;
use crate::support::insurer::Answers;
use crate::support::page::Page;
use crate::support::{App, Customer, Setup};

const SOUTH: &str = "vrt_01m6hea1thtest000000000023";
const PRODUCT: &str = "insurers/amrit/product.toml";

/// The tests' catalogue with a product that accepts proposals at once.
fn straight_through() -> Setup {
    Setup::health().edited(PRODUCT, |text| {
        text.replace("plan = \"base\"\n", "plan = \"base\"\ndecision = \"straight-through\"\n")
    })
}

/// The details with some changes.
fn with<'d>(more: &[(&'d str, &'d str)]) -> Vec<(&'d str, &'d str)> {
    let rest = DETAILS.iter().filter(|(name, _)| more.iter().all(|(changed, _)| changed != name));
    more.iter().chain(rest).copied().collect()
}

/// The id of the application on a status page.
fn applied(app: &App, page: &Page) -> String {
    let (_, id) = app.service.status_pages.proposal_of(page.name()).expect("a code of ours");
    id.to_string()
}

// What the page asks.

#[tokio::test]
async fn the_details_page_asks_for_every_field_that_the_api_later_returns() {
    // Interface, Legacy proposal, Legacy policy; D34, D49
    let app = straight_through().start().await;
    let session = app.has_session().await;
    let customer = Customer::arrived_with(&app, &format!("&session_id={session}")).await;
    let who = [("self", "34"), ("spouse", "36"), ("child-1", "daughter"), ("child-1-age", "6")];
    let place = [
        ("pincode", "560038"),
        ("illness", "yes"),
        ("ill-1", "asthma"),
        ("ill-2", "asthma"),
        ("porting", "no"),
    ];
    customer.answers(&who, &place, COVER).await;
    let page = customer.chooses(PLAIN, 3).await;
    let member = |at: u8| {
        ["name", "born-day", "born-month", "born-year", "gender"].map(|field| format!("member-{at}-{field}"))
    };
    let mut asked: Vec<String> =
        "name born-day born-month born-year gender mobile email line-1 line-2 city state pincode country"
            .split(' ')
            .map(str::to_owned)
            .collect();
    asked.extend(member(1));
    asked.extend(member(2));
    asked.extend(
        "nominee-name nominee-relation nominee-mobile account ifsc bank branch".split(' ').map(str::to_owned),
    );
    assert_eq!(page.asks(), asked);
    page.shows("Your own cover uses the details above: there is nothing more to fill in.");
    page.shows("Illnesses declared: Asthma");
    let filled: Vec<_> =
        page.fields().into_iter().filter(|(name, value)| name != "proof" && !value.is_empty()).collect();
    let put = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    assert_eq!(
        filled,
        [put("pincode", "560038"), put("country", "India")],
        "what is known, and nothing ticked"
    );

    let details = with(&[
        ("name", "  Asha K. Rao "),
        ("mobile", "+91 98765-43210"),
        ("line-2", "Indiranagar"),
        ("member-1-name", "Ravi Rao"),
        ("member-1-born-day", "01"),
        ("member-1-born-month", "06"),
        ("member-1-born-year", "1990"),
        ("member-1-gender", "MALE"),
        ("member-2-name", "मीरा राव"),
        ("member-2-born-day", "9"),
        ("member-2-born-month", "9"),
        ("member-2-born-year", "2020"),
        ("member-2-gender", "OTHER"),
        ("nominee-name", "Leela Rao"),
        ("nominee-relation", "MOTHER"),
        ("nominee-mobile", "09876543211"),
        ("account", "123456789012"),
        ("ifsc", "abcd0123456"),
        ("bank", "Example Bank"),
        ("branch", "MG Road"),
    ]);
    let page = customer.fills("details", &details).await;
    assert_eq!(page.name(), "review", "{:?}", page.faults());
    let status = customer.applies().await;
    let id = applied(&app, &status);

    let answer = app.get(&format!("/v1/business/health/proposals/{id}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let proposal = answer.json()["proposal"].clone();
    for (field, value) in [
        ("session_id", json!(session)),
        ("name", json!("Asha K. Rao")),
        ("phone", json!("9876543210")),
        ("email", json!("asha.rao@example.com")),
        ("status", json!("ACCEPTED")),
        ("variant_id", json!(PLAIN)),
        ("tenure", json!(3)),
    ] {
        assert_eq!(proposal[field], value, "{field}");
    }
    let section = |name: &str| {
        let sections = proposal["form_responses"].as_array().expect("a list");
        let found = sections.iter().find(|section| section["section_name"] == name);
        found.unwrap_or_else(|| panic!("no {name}: {sections:?}"))["response_data"].clone()
    };
    assert_eq!(
        section("proposer"),
        json!({
            "name": "Asha K. Rao", "dob": "1992-01-15", "gender": "FEMALE", "phone": "9876543210",
            "email": "asha.rao@example.com", "address_line_1": "12 MG Road", "address_line_2": "Indiranagar",
            "city": "Bengaluru", "state": "Karnataka", "country": "India", "pincode": "560038",
            "bank_account_number": "123456789012", "bank_name": "Example Bank", "branch_name": "MG Road",
            "ifsc_code": "ABCD0123456",
        })
    );
    let person = |name: &str, dob: &str, gender: &str, relationship: &str| json!({ "name": name, "dob": dob, "gender": gender, "relationship": relationship });
    assert_eq!(
        section("insured"),
        json!({
            "member_1": person("Asha K. Rao", "1992-01-15", "FEMALE", "SELF"),
            "member_2": person("Ravi Rao", "1990-06-01", "MALE", "SPOUSE"),
            "member_3": person("मीरा राव", "2020-09-09", "OTHER", "DAUGHTER"),
        })
    );
    let nominee = json!({ "name": "Leela Rao", "relationship": "MOTHER", "phone": "9876543211" });
    assert_eq!(section("nominee"), nominee);
    assert_eq!(section("health")["member_2"], json!({ "pre_existing_diseases": ["asthma"] }));

    let answer = app.get(&format!("/v1/business/health/policies?session_id={session}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let policy = answer.json()["policies"][0].clone();
    let proposer = &policy["proposer_details"];
    for (field, value) in [
        ("name", "Asha K. Rao"),
        ("phone", "9876543210"),
        ("dob", "1992-01-15"),
        ("email", "asha.rao@example.com"),
        ("address_line_1", "12 MG Road"),
        ("address_line_2", "Indiranagar"),
        ("city", "Bengaluru"),
        ("state", "Karnataka"),
        ("country", "India"),
        ("pincode", "560038"),
        ("bank_account_number", "123456789012"),
        ("bank_name", "Example Bank"),
        ("branch_name", "MG Road"),
        ("ifsc_code", "ABCD0123456"),
    ] {
        assert_eq!(proposer[field], value, "{field}");
    }
    assert_eq!((&policy["status"], &policy["tenure"]), (&json!("ISSUED"), &json!(3)));
    let members = policy["insured_members"].as_array().expect("a list");
    let shown: Vec<_> = members
        .iter()
        .map(|member| {
            ["name", "dob", "gender", "relationship"].map(|field| member[field].as_str().expect("text"))
        })
        .collect();
    assert_eq!(
        shown,
        [
            ["Asha K. Rao", "1992-01-15", "FEMALE", "SELF"],
            ["Ravi Rao", "1990-06-01", "MALE", "SPOUSE"],
            ["मीरा राव", "2020-09-09", "OTHER", "DAUGHTER"],
        ]
    );
    assert_eq!(members[1]["pre_existing_diseases"], json!(["asthma"]));
    let nominee = &policy["nominees"][0];
    assert_eq!(nominee["nominee_name"], "Leela Rao");
    assert_eq!(
        (&nominee["relationship"], &nominee["nominee_phone"]),
        (&json!("MOTHER"), &json!("9876543211"))
    );
}

#[tokio::test]
async fn optional_details_may_be_left_out() {
    // D13; interface: bank fields optional, nominee_phone optional
    let app = straight_through().start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    let id = applied(&app, &customer.applies().await);
    let answer = app.get(&format!("/v1/business/health/proposals/{id}")).await.json();
    let sections = answer["proposal"]["form_responses"].as_array().expect("a list");
    let data: Vec<&Value> = sections.iter().map(|section| &section["response_data"]).collect();
    for field in ["address_line_2", "bank_account_number", "bank_name", "branch_name", "ifsc_code"] {
        assert_eq!(data[0][field], Value::Null, "{field}");
    }
    assert_eq!(data[2]["phone"], Value::Null);
}

#[tokio::test]
async fn a_proposer_who_is_not_insured_must_give_the_details_of_every_insured_person() {
    let app = straight_through().start().await;
    let customer = Customer::arrived(&app).await;
    customer.answers(&[("spouse", "34")], PLACE, COVER).await;
    customer.chooses(PLAIN, 1).await;
    let page = customer.fills("details", &with(&[])).await;
    page.has_faults_on(&["member-0-name", "member-0-born", "member-0-gender"]);
    let details = with(&[
        ("born-year", "1950"),
        ("member-0-name", "Ravi Rao"),
        ("member-0-born-day", "2"),
        ("member-0-born-month", "2"),
        ("member-0-born-year", "1992"),
        ("member-0-gender", "MALE"),
    ]);
    let page = customer.fills("details", &details).await;
    assert_eq!(page.name(), "review", "the proposer's own age prices nothing: {:?}", page.faults());
    page.shows("Ravi Rao (Your spouse, 34 years), Male, born 2 February 1992, no illness declared");
}

// What the page refuses.

#[tokio::test]
async fn every_detail_is_validated_and_a_refused_form_keeps_what_was_typed() {
    // D11, D12, D14
    let app = Setup::health().start().await;
    let customer = Customer::chose(&app, PLAIN).await;
    let long = "x".repeat(201);
    for (typed, faults) in [
        (&[("name", "")][..], &["name"][..]),
        (&[("name", "  ")], &["name"]),
        (&[("name", long.as_str())], &["name"]),
        (&[("born-day", "31"), ("born-month", "2")], &["born"]),
        (&[("born-day", "")], &["born"]),
        (&[("born-year", "92")], &["born"]),
        (&[("born-month", "January")], &["born"]),
        (&[("born-year", "2027")], &["born"]),
        (&[("born-day", "20"), ("born-month", "11"), ("born-year", "2026")], &["born"]),
        (&[("born-year", "1900")], &["born"]),
        (&[("born-day", "21"), ("born-month", "11"), ("born-year", "2008")], &["born"]),
        (&[("gender", "")], &["gender"]),
        (&[("gender", "female")], &["gender"]),
        (&[("mobile", "987654321")], &["mobile"]),
        (&[("mobile", "+1 9876543210")], &["mobile"]),
        (&[("email", "asha.rao")], &["email"]),
        (&[("email", "asha@")], &["email"]),
        (&[("line-1", "")], &["line-1"]),
        (&[("line-2", long.as_str())], &["line-2"]),
        (&[("city", ""), ("state", "")], &["city", "state"]),
        (&[("country", " ")], &["country"]),
        (&[("pincode", "038")], &["pincode"]),
        (&[("nominee-name", "")], &["nominee-name"]),
        (&[("nominee-relation", "")], &["nominee-relation"]),
        (&[("nominee-relation", "NEIGHBOUR")], &["nominee-relation"]),
        (&[("nominee-mobile", "12345")], &["nominee-mobile"]),
        // D127
        (&[("name", "محمد")], &["name"]),
        (&[("line-2", "Улица")], &["line-2"]),
        (&[("city", "香港"), ("nominee-name", "Asha 🙂")], &["city", "nominee-name"]),
        (&[("account", "12345678"), ("ifsc", "ABCD0123456"), ("bank", "B")], &["account"]),
        (&[("account", "12345678901234567890"), ("ifsc", "ABCD0123456"), ("bank", "B")], &["account"]),
        (&[("account", "12345678X"), ("ifsc", "ABCD0123456"), ("bank", "B")], &["account"]),
        (&[("account", "123456789"), ("ifsc", "ABCD1123456"), ("bank", "B")], &["ifsc"]),
        (&[("account", "123456789")], &["ifsc", "bank"]),
        (&[("branch", "MG Road")], &["account", "ifsc", "bank"]),
    ] {
        let page = customer.fills("details", &with(typed)).await;
        page.has_faults_on(faults);
        for (name, value) in with(typed) {
            let chosen_of_a_list = matches!(name, "gender" | "nominee-relation");
            assert!(chosen_of_a_list || page.value(name) == value.trim(), "{name} lost {value:?}");
        }
    }
    assert_eq!(customer.get("start").await.name(), "details", "nothing was taken");
    assert_eq!(customer.get("details").await.value("name"), "");
}

#[tokio::test]
async fn an_empty_details_form_names_every_required_field_in_the_customers_language() {
    // D11
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    customer.answers(&[("self", "34"), ("spouse", "36")], PLACE, COVER).await;
    customer.chooses(PLAIN, 1).await;
    let wanted = [
        "name",
        "born",
        "gender",
        "mobile",
        "email",
        "line-1",
        "city",
        "state",
        "member-1-name",
        "member-1-born",
        "member-1-gender",
        "nominee-name",
        "nominee-relation",
    ];
    let page = customer.fills("details", &[]).await;
    page.has_faults_on(&wanted);
    assert_eq!(page.faults()[8].1, "Your spouse: enter the full name");
    customer.get("plans?lang=hi").await;
    let page = customer.fills("details", &[]).await;
    page.has_faults_on(&wanted);
    let hindi = |text: &str| text.chars().any(|c| ('\u{900}'..='\u{97f}').contains(&c));
    assert!(page.faults().iter().all(|(_, message)| hindi(message)), "{:?}", page.faults());
}

#[tokio::test]
async fn a_proposer_must_be_at_least_18_years_old() {
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    customer.answers(&[("spouse", "34")], PLACE, COVER).await;
    customer.chooses(PLAIN, 1).await;
    let spouse = [
        ("member-0-name", "Ravi Rao"),
        ("member-0-born-day", "2"),
        ("member-0-born-month", "2"),
        ("member-0-born-year", "1992"),
        ("member-0-gender", "MALE"),
    ];
    let born =
        |day| [&spouse[..], &[("born-day", day), ("born-month", "11"), ("born-year", "2008")]].concat();
    let page = customer.fills("details", &with(&born("21"))).await;
    page.has_faults_on(&["born"]);
    assert_eq!(page.faults()[0].1, "The proposer must be 18 or older");
    let page = customer.fills("details", &with(&born("20"))).await;
    assert_eq!(page.name(), "review", "on the birthday itself the year counts: {:?}", page.faults());
}

#[tokio::test]
async fn markup_in_a_name_is_kept_and_escaped() {
    // The page works under the strict content policy, without inline code
    let app = Setup::health().start().await;
    let customer = Customer::chose(&app, PLAIN).await;
    let name = "<b onload=\"x\">O'Brien & Söhne</b>";
    let page = customer.fills("details", &with(&[("name", name), ("city", "")])).await;
    assert_eq!(page.value("name"), name);
    let page = customer.fills("details", &with(&[("name", name)])).await;
    assert_eq!(page.name(), "review", "{:?}", page.faults());
    assert!(!page.answer.text.contains("<b onload"), "{}", page.answer.text);
    assert_eq!(customer.get("details").await.value("name"), name);
}

// The page with the new price.

/// The old and the new price on the price page.
#[track_caller]
fn prices(page: &Page) -> (String, String) {
    assert_eq!((page.status(), page.name()), (200, "price"), "{}", page.whole().text());
    let before = page.whole().all("s").next().expect("the price before").text();
    let now = page.whole().texts("dd").pop().expect("the price now");
    assert_eq!(page.heading(), "The price has changed");
    page.shows(&format!("Continue with {now}"));
    (before, now)
}

/// Waits for the price page, as a browser does that follows the refreshes.
async fn priced(customer: &Customer) -> Page {
    for _ in 0..20 {
        let page = customer.get("price?wait=1").await;
        if page.name() != "price" || page.heading() != "Checking the price again" {
            return page;
        }
    }
    panic!("the price never comes");
}

/// Fills in the details of a person whose year of birth contradicts the given age.
async fn who_was_born_in(app: &App, variant: &str, year: &str) -> Customer {
    let customer = Customer::chose(app, variant).await;
    let page = customer.fills("details", &with(&[("born-year", year)])).await;
    assert!(matches!(page.name(), "price" | "review"), "{}", page.at);
    customer
}

#[tokio::test]
async fn a_date_of_birth_that_contradicts_the_age_requires_agreement_to_a_new_price() {
    // D38
    let app = straight_through().start().await;
    let customer = who_was_born_in(&app, PLAIN, "1986").await;
    let page = priced(&customer).await;
    assert_eq!(prices(&page), ("₹5,000".to_owned(), "₹8,000".to_owned()));
    page.shows("You, 40 years");
    page.shows("You buy nothing until you agree.");
    for path in ["review", "start"] {
        assert_eq!(customer.get(path).await.name(), "price", "there is no way around it: {path}");
    }
    let refused = customer.post("review", &[("consent", "declaration"), ("consent", "insurer")]).await;
    assert_eq!(refused.name(), "price");
    for forged in ["500000", "799999", "0", "", "-800000", "x"] {
        let page = customer.post("price", &[("price", forged)]).await;
        assert_eq!(page.name(), "price", "{forged}");
    }
    assert_eq!(app.rows_of("proposals"), 0);
    let page = customer.post("price", &[("price", "800000")]).await;
    assert_eq!(page.name(), "review");
    page.shows("To pay for 1 year ₹8,000");
    page.lacks("₹5,000");
    assert_eq!(customer.get("who").await.value("self"), "40", "the age goes by the documents");
    let id = applied(&app, &customer.applies().await);
    let proposal = app.get(&format!("/v1/business/health/proposals/{id}")).await.json();
    assert_eq!(proposal["proposal"]["gross_premium"], "8000.00");
    let quote = proposal["proposal"]["quote_id"].as_str().expect("an id");
    let quote = app.get(&format!("/v1/business/health/quotes/{quote}")).await.json();
    assert_eq!(quote["quote"]["member_details"], json!([{ "relation": "self", "age": 40 }]));
}

#[tokio::test]
async fn the_partner_cannot_read_the_details_before_the_consents() {
    // D58
    let app = straight_through().start().await;
    let customer = who_was_born_in(&app, PLAIN, "1986").await;
    let since = app.today().to_string();
    let list = app.get(&format!("/v1/business/health/quotes?start_date={since}&limit=100")).await;
    assert_eq!(list.json()["count"], 2, "one for the ages, one for the dates of birth: {}", list.text);
    let name = DETAILS.iter().find(|(field, _)| *field == "name").expect("filled in").1;
    let mobile = DETAILS.iter().find(|(field, _)| *field == "mobile").expect("filled in").1;
    for told in [name, mobile, "@"] {
        assert!(!list.text.contains(told), "{told}: {}", list.text);
    }
    // With the application, the same is true.
    let page = priced(&customer).await;
    assert_eq!(page.name(), "price");
    customer.post("price", &[("price", "800000")]).await;
    let id = applied(&app, &customer.applies().await);
    assert!(app.get(&format!("/v1/business/health/proposals/{id}")).await.text.contains(mobile));
}

#[tokio::test]
async fn a_button_of_the_price_page_carries_the_price_that_it_shows() {
    // The page without scripts
    let app = Setup::health().start().await;
    let customer = who_was_born_in(&app, PLAIN, "1986").await;
    let page = priced(&customer).await;
    let button = page.whole().all("button").find(|button| button.attribute("name") == Some("price"));
    let price = button.expect("a button").attribute("value").expect("a price").to_owned();
    assert_eq!(page.action(), "price");
    assert_eq!(customer.fills_in(&page, &[("price", &price)]).await.name(), "review");
}

#[tokio::test]
async fn a_corrected_age_with_the_same_price_leads_directly_to_the_review() {
    // Price unchanged: straight to the review
    let app = Setup::health().start().await;
    let customer = who_was_born_in(&app, PLAIN, "1993").await;
    let page = priced(&customer).await;
    assert_eq!(page.name(), "review");
    page.shows("₹5,000");
    assert_eq!(app.rows_of("health_quotes"), 2, "asked again all the same");
}

#[tokio::test]
async fn a_pincode_changed_in_the_details_is_priced_again_and_may_exclude_the_plan() {
    let app =
        Setup::health().edited("zones.csv", |text| text.replace("*,rest", "11,south\n*,rest")).start().await;
    let south = Customer::chose(&app, SOUTH).await;
    south.fills("details", &with(&[("pincode", "110001")])).await;
    let page = priced(&south).await;
    assert_eq!(page.name(), "review", "the same price there");
    page.shows("110001");
    assert_eq!(south.get("place").await.value("pincode"), "110001");
    let gone = Customer::chose(&app, SOUTH).await;
    gone.fills("details", &with(&[("pincode", "700001")])).await;
    let page = priced(&gone).await;
    assert_eq!((page.name(), page.heading().as_str()), ("price", "This plan no longer covers you"));
    assert_eq!(gone.post("price", &[("price", "450050")]).await.heading(), "This plan no longer covers you");
    assert_eq!(gone.get("review").await.name(), "price");
    let page = gone.get(&page.link("See other plans")).await;
    assert!(page.has("3 of 4 plans cover you"), "{}", page.whole().text());
    assert_eq!(gone.chooses(PLAIN, 1).await.value("name"), "Asha Rao", "what was filled in stays");
    assert_eq!(gone.fills("details", &[]).await.name(), "review");
}

#[tokio::test]
async fn correcting_wrong_details_restores_the_first_price() {
    let app = Setup::health().start().await;
    let customer = who_was_born_in(&app, PLAIN, "1956").await;
    let page = priced(&customer).await;
    assert_eq!(page.heading(), "This plan no longer covers you");
    let page = customer.get(&page.link("Correct my details")).await;
    assert_eq!(page.value("born-year"), "1956");
    let page = customer.fills_in(&page, &[("born-year", "1992")]).await;
    assert!(matches!(page.name(), "price" | "review"));
    let page = priced(&customer).await;
    assert_eq!(page.name(), "review");
    page.shows("₹5,000");
    assert_eq!(customer.get("who").await.value("self"), "34");
}

#[tokio::test]
async fn the_price_page_reloads_itself_until_the_new_price_is_known() {
    // Without scripts, and with them
    let gate = Arc::new(Semaphore::new(1));
    let bhumi: Arc<dyn Insurer> = Arc::new(Answers::Admitted(gate.clone()));
    let (insurer_deadline, recommendation_deadline) = (Duration::from_secs(50), Duration::from_secs(50));
    let setup = Setup { insurer_deadline, recommendation_deadline, ..Setup::health() };
    let app = setup.asking(vec![("bhumi", bhumi)]).start().await;
    let customer = Customer::chose(&app, PLAIN).await;
    let page = customer.fills("details", &with(&[("born-year", "1986")])).await;
    assert_eq!((page.name(), page.heading().as_str()), ("price", "Checking the price again"));
    let refresh = page.whole().all("meta").find(|meta| meta.attribute("http-equiv").is_some());
    assert_eq!(refresh.expect("a refresh").attribute("content"), Some("0; url=price?wait=1"));
    assert!(!page.answer.text.contains("<noscript><meta"), "with scripts too");
    page.lacks("Continue with");
    let early = customer.post("price", &[("price", "800000")]).await;
    assert_eq!(early.heading(), "Checking the price again", "nothing is taken before all is known");
    gate.add_permits(1);
    assert_eq!(prices(&priced(&customer).await).1, "₹8,000");
    app.has_no_job_left().await;
}

#[tokio::test]
async fn the_price_page_redirects_to_the_current_step_if_no_price_changed() {
    // An address that was typed
    let app = Setup::health().start().await;
    let customer = Customer::sees_plans(&app).await;
    assert_eq!(customer.get("price").await.name(), "plans");
    customer.chooses(PLAIN, 1).await;
    assert_eq!(customer.get("price").await.name(), "details");
    customer.fills("details", DETAILS).await;
    assert_eq!(customer.get("price").await.name(), "review");
    assert_eq!(customer.post("price", &[("price", "500000")]).await.name(), "review");
    assert_eq!(customer.post("price", &[("price", "1")]).await.name(), "review");
}

// Quotes that expire.

/// The tests' catalogue with quotes that are valid for two days.
fn soon_lapsed() -> Setup {
    let name = "name = \"Health of the tests\"\n";
    straight_through()
        .edited("catalogue.toml", |text| text.replace(name, &format!("{name}quote_validity_days = 2\n")))
}

/// Lets days pass. The customer comes back on each.
async fn days_go_by(app: &App, customer: &Customer, days: u32) {
    for _ in 0..days {
        app.clock.advance(Duration::from_secs(24 * 3600));
        assert_eq!(customer.get("review").await.name(), "review");
    }
}

#[tokio::test]
async fn the_first_price_holds_until_its_quote_lapses() {
    // D40: the first price is the last price
    let app = soon_lapsed().start().await;
    app.clock.set("2026-12-28T10:00:00+05:30");
    let customer = Customer::reviews(&app, PLAIN).await;
    days_go_by(&app, &customer, 2).await;
    let page = customer.applies().await;
    page.shows("To pay for 1 year ₹5,000");
    assert_eq!(app.rows_of("health_quotes"), 1);
}

#[tokio::test]
async fn a_tax_that_rose_meanwhile_is_shown_before_anything_is_sent() {
    // D61: the day on which cover starts decides the tax
    let app = soon_lapsed().start().await;
    app.clock.set("2026-12-31T10:00:00+05:30");
    let customer = Customer::reviews(&app, PLAIN).await;
    days_go_by(&app, &customer, 1).await;
    let page = customer.fills("review", &[("consent", "declaration"), ("consent", "insurer")]).await;
    assert_eq!((page.name(), app.rows_of("proposals")), ("price", 0));
    assert_eq!(prices(&priced(&customer).await), ("₹5,000".to_owned(), "₹5,500".to_owned()));
}

#[tokio::test]
async fn after_a_quote_lapses_the_customer_must_accept_the_new_price_before_applying() {
    // D40
    let app = soon_lapsed().start().await;
    app.clock.set("2026-12-31T10:00:00+05:30");
    let customer = Customer::reviews(&app, PLAIN).await;
    days_go_by(&app, &customer, 3).await;
    let page = customer.fills("review", &[("consent", "declaration"), ("consent", "insurer")]).await;
    assert_eq!(page.name(), "price");
    assert_eq!(app.rows_of("proposals"), 0);
    let page = priced(&customer).await;
    assert_eq!(prices(&page), ("₹5,000".to_owned(), "₹5,500".to_owned()));
    page.shows("or because the first price has lapsed");
    assert_eq!(customer.post("price", &[("price", "500000")]).await.name(), "price");
    let page = customer.post("price", &[("price", "550000")]).await;
    assert_eq!(page.name(), "review");
    for shown in ["Premium without GST ₹5,000", "GST ₹500", "To pay for 1 year ₹5,500"] {
        page.shows(shown);
    }
    customer.applies().await.shows("To pay for 1 year ₹5,500");
    assert_eq!(app.rows_of("proposals"), 1);
}

#[tokio::test]
async fn if_the_price_is_unchanged_after_a_quote_lapses_the_review_is_shown_again() {
    // D40
    let app = soon_lapsed().start().await;
    let customer = Customer::reviews(&app, PLAIN).await;
    days_go_by(&app, &customer, 3).await;
    customer.fills("review", &[("consent", "declaration"), ("consent", "insurer")]).await;
    assert_eq!(priced(&customer).await.name(), "review");
    assert_eq!((app.rows_of("health_quotes"), app.rows_of("proposals")), (2, 0));
    customer.applies().await.shows("To pay for 1 year ₹5,000");
}

#[tokio::test]
async fn a_birthday_between_details_and_application_does_not_change_the_price() {
    // D40: the proposal's premium is the quote's
    let app = straight_through().start().await;
    let customer = Customer::chose(&app, PLAIN).await;
    let page = customer
        .fills("details", &with(&[("born-day", "21"), ("born-month", "11"), ("born-year", "1991")]))
        .await;
    assert_eq!(page.name(), "review", "34 today");
    app.clock.advance(Duration::from_secs(24 * 3600));
    customer.applies().await.shows("To pay for 1 year ₹5,000");
}

#[tokio::test]
async fn details_filled_in_again_on_a_birthday_keep_the_price_of_their_quote() {
    // D40: ages are those on the day of the quote
    let app = straight_through().start().await;
    let customer = Customer::chose(&app, PLAIN).await;
    let born = with(&[("born-day", "21"), ("born-month", "11"), ("born-year", "1991")]);
    customer.fills("details", &born).await;
    app.clock.advance(Duration::from_secs(24 * 3600));
    assert_eq!(customer.fills("details", &[]).await.name(), "review");
    assert_eq!(app.rows_of("health_quotes"), 1);
}

#[tokio::test]
async fn a_quote_that_lapsed_over_a_birthday_is_replaced_by_one_for_the_new_age() {
    // D40: otherwise no application could ever be sent
    let app = soon_lapsed().start().await;
    let customer = Customer::chose(&app, PLAIN).await;
    let born = with(&[("born-day", "21"), ("born-month", "11"), ("born-year", "1990")]);
    customer.fills("who", &[("self", "35")]).await;
    customer.fills("place", &[]).await;
    customer.fills("cover", &[]).await;
    customer.all_plans().await;
    customer.chooses(PLAIN, 1).await;
    assert_eq!(customer.fills("details", &born).await.name(), "review");
    days_go_by(&app, &customer, 3).await;
    let page = customer.fills("review", &[("consent", "declaration"), ("consent", "insurer")]).await;
    assert_eq!(page.name(), "price");
    let page = priced(&customer).await;
    assert_eq!(prices(&page), ("₹5,000".to_owned(), "₹8,000".to_owned()), "36 since yesterday but one");
    assert_eq!(customer.post("price", &[("price", "800000")]).await.name(), "review");
    customer.applies().await.shows("To pay for 1 year ₹8,000");
}

// Details after changed answers.

/// Changes an answer of a customer who has filled in the details, chooses the same plan again, and leaves.
async fn who_changed(app: &App, page: &str, changed: &[(&str, &str)]) -> Customer {
    let customer = Customer::reviews(app, PLAIN).await;
    customer.fills(page, changed).await;
    for page in ["place", "cover"] {
        customer.fills(page, &[]).await;
    }
    customer.all_plans().await;
    assert_eq!(customer.chooses(PLAIN, 1).await.name(), "details");
    customer
}

#[tokio::test]
async fn an_illness_added_after_the_details_is_included_in_the_application() {
    // D16: an illness left out can cost a claim
    let app = straight_through().start().await;
    let customer = who_changed(&app, "place", &[("illness", "yes"), ("ill-0", "diabetes")]).await;
    let page = customer.get("start").await;
    assert_eq!(page.name(), "details", "they are looked at again");
    page.shows("Illnesses declared: Diabetes");
    let page = customer.fills_in(&page, &[]).await;
    assert_eq!(page.name(), "review", "{:?}", page.faults());
    page.shows("born 15 January 1992, Diabetes");
    let id = applied(&app, &customer.applies().await);
    let proposal = app.get(&format!("/v1/business/health/proposals/{id}")).await;
    assert!(proposal.text.contains(r#""pre_existing_diseases":["diabetes"]"#), "{}", proposal.text);
}

#[tokio::test]
async fn changing_the_pincode_after_the_details_requires_the_details_to_be_confirmed_again() {
    // Prices depend on where the customer lives
    let app = straight_through().start().await;
    let customer = who_changed(&app, "place", &[("pincode", "110001")]).await;
    let page = customer.get("start").await;
    assert_eq!((page.name(), page.value("pincode").as_str()), ("details", "110001"));
    assert_eq!(customer.post("review", AGREES).await.name(), "details");
    assert_eq!(app.rows_of("proposals"), 0);
    assert_eq!(customer.fills("details", &[]).await.name(), "review");
    customer.applies().await;
}

#[tokio::test]
async fn the_date_of_birth_overrules_an_age_that_is_changed_after_the_details() {
    let app = straight_through().start().await;
    let customer = who_changed(&app, "who", &[("self", "40")]).await;
    let page = customer.fills("review", AGREES).await;
    assert_eq!(page.name(), "price", "{}", page.at);
    assert_eq!(prices(&priced(&customer).await), ("₹8,000".to_owned(), "₹5,000".to_owned()));
    assert_eq!(customer.post("price", &[("price", "500000")]).await.name(), "review");
    customer.applies().await.shows("To pay for 1 year ₹5,000");
}

#[tokio::test]
async fn a_person_added_after_the_details_must_be_filled_in_before_the_review() {
    let app = straight_through().start().await;
    let customer = who_changed(&app, "who", &[("spouse", "30")]).await;
    let page = customer.get("review").await;
    assert_eq!((page.name(), page.value("name").as_str()), ("details", "Asha Rao"));
    customer.fills_in(&page, &[]).await.has_faults_on(&["member-1-name", "member-1-born", "member-1-gender"]);
}
