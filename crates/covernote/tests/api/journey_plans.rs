//! The journey's plans: the list during and after pricing, the comparison, one plan, and live updates
//! (interface, Recommendation job, Stored quote; D3, D16, D17, D19, D37, D42, D47, D51).

use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::identifier::{Identifier, IdentifierKind};
use serde_json::json;
use service::insurer::Insurer;
use tokio::sync::Semaphore;

use crate::support::customer::{COVER, PLACE, WHO};
use crate::support::health::{PLAIN, PLUS};
use crate::support::insurer::{Answers, REFUSAL};
use crate::support::page::{Page, Part};
use crate::support::{App, Customer, Setup};

const SOUTH: &str = "vrt_01m6hea1thtest000000000023";
const WHOLE: &str = "vrt_01m6hea1thtest000000000024";
const WIDE: &str = "vrt_01m6hea1thtest000000000025";
const UNKNOWN: &str = "vrt_01m6hea1thtest000000000099";

/// A plan in the list.
#[derive(Debug, PartialEq)]
struct Card {
    variant: String,
    premium: String,
    reason: String,
}

/// The plans of a list, in its order.
fn cards(list: &str) -> Vec<Card> {
    let cards = list.split("<li class=\"card").skip(1);
    let card = |html: &str| {
        let card = Part(html);
        let of = |name: &str, class: &str| {
            let mut found = card.all(name).filter(|element| element.attribute("class") == Some(class));
            found.next().map_or_else(String::new, |element| element.text())
        };
        let amount = card.texts("strong").remove(0);
        let whole = of("p", "premium");
        assert!(whole.starts_with(&amount), "{whole}");
        assert_eq!(of("p", "badge").is_empty(), of("p", "why").is_empty(), "recommended, and why");
        Card { variant: card.texts("h2").remove(0), premium: whole, reason: of("p", "why") }
    };
    cards.map(card).collect()
}

fn names(list: &str) -> Vec<String> {
    cards(list).into_iter().map(|card| card.variant).collect()
}

/// The names of the plans on a page.
fn listed(page: &Page) -> Vec<String> {
    names(&page.answer.text)
}

/// A customer who sees all plans, with one changed text in the tests' catalogue.
async fn with_edited(path: &str, from: &str, to: &str) -> (App, Customer) {
    let edit = |text: String| {
        assert!(text.contains(from), "{text}");
        text.replace(from, to)
    };
    let app = Setup::health().edited(path, edit).start().await;
    let customer = Customer::sees_plans(&app).await;
    (app, customer)
}

// The list.

#[tokio::test]
async fn too_many_price_requests_of_one_journey_are_refused_without_affecting_others() {
    // docs/operating.md, Limits for clients
    let app = Setup::health().start().await;
    let customer = Customer::sees_plans(&app).await;
    let mut refused = None;
    for _ in 0..40 {
        let page = customer.post("ask", &[]).await;
        if page.status() != 200 {
            refused = Some(page);
            break;
        }
    }
    let page = refused.expect("forty times are too many");
    assert_eq!((page.status(), page.heading()), (429, "One moment, please".to_owned()));
    let wait: u64 = page.answer.header("retry-after").expect("how long").parse().expect("seconds");
    assert!((1..=11).contains(&wait), "{wait}");
    assert!(app.rows_of("health_quotes") <= 31, "no more quotes were made");
    assert_eq!(Customer::sees_plans(&app).await.get("plans").await.status(), 200, "another customer goes on");
}

#[tokio::test]
async fn too_many_forms_of_one_journey_are_refused_after_a_delay_without_affecting_others() {
    // docs/operating.md, Limits for clients
    let app = Setup::health().start().await;
    let customer = Customer::sees_plans(&app).await;
    let mut refused = None;
    for _ in 0..310 {
        let started = Instant::now();
        let page = customer.post_once("who", WHO).await;
        if page.status() != 303 {
            refused = Some((page, started.elapsed()));
            break;
        }
    }
    let (page, took) = refused.expect("310 times are too many");
    assert_eq!((page.status(), page.heading()), (429, "One moment, please".to_owned()));
    assert!(took >= Duration::from_millis(100), "who asks again at once takes no time of others: {took:?}");
    assert_eq!(Customer::sees_plans(&app).await.get("plans").await.status(), 200, "another customer goes on");
}

#[tokio::test]
async fn all_plans_that_cover_the_family_are_listed_with_the_recommended_one_first() {
    // D19
    let app = Setup::health().start().await;
    let customer = Customer::sees_plans(&app).await;
    let page = customer.get("plans").await;
    assert_eq!(page.heading(), "Plans for you");
    page.shows("₹10 lakh – You, 34 years, pincode 560038");
    page.shows("4 of 4 plans cover you");
    let shown = cards(&page.answer.text);
    let premiums: Vec<_> = shown.iter().map(|card| (card.variant.as_str(), card.premium.as_str())).collect();
    let year = |amount: &str| format!("{amount} for 1 year, GST included");
    assert_eq!(
        premiums,
        [
            ("South", year("₹4,500.50").as_str()),
            ("Plain", year("₹5,000").as_str()),
            ("Whole family", year("₹5,200").as_str()),
            ("Plus", year("₹6,000").as_str()),
        ]
    );
    assert_eq!(
        shown[0].reason,
        "Why this one: The lowest premium of 4 plans; the insurer settled 95.25 % of its claims; 9,000 hospitals treat \
         you without payment in advance; illnesses you already have are covered after 36 months; you pay no share of \
         your claims."
    );
    assert!(shown[1..].iter().all(|card| card.reason.is_empty()), "one alone is recommended");
    page.shows("By price compared with cover (100 of 100)");
    assert!(!page.answer.text.contains("data-events"), "nothing more is to come");
    assert!(page.whole().all("meta").all(|meta| meta.attribute("http-equiv").is_none()));
}

#[tokio::test]
async fn the_plan_list_is_also_available_in_hindi() {
    let app = Setup::health().start().await;
    let customer = Customer::sees_plans(&app).await;
    let page = customer.get("plans?lang=hi").await;
    let card = &cards(&page.answer.text)[0];
    assert_eq!(card.premium, "₹4,500.50 1 साल के लिए, जीएसटी सहित");
    assert!(card.reason.starts_with("यही क्यों: 4 प्लान में सबसे कम प्रीमियम; "), "{}", card.reason);
    page.shows("4 में से 4 प्लान आपके लिए उपलब्ध हैं");
    page.shows("₹10 लाख – आप, उम्र 34 साल, पिन कोड 560038");
}

#[tokio::test]
async fn nothing_personal_is_asked_before_prices_are_seen() {
    // At first, only the suggested sum insured is selected.
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    for (page, answers) in [("who", WHO), ("place", PLACE), ("cover", COVER)] {
        let open = customer.get(page).await;
        for field in open.asks() {
            let contact = ["name", "mobile", "email", "born", "line", "phone", "account"];
            assert!(!contact.iter().any(|word| field.contains(word)), "{page} asks {field}");
        }
        let answered = open.fields().into_iter().filter(|(name, value)| name != "proof" && !value.is_empty());
        let suggested =
            if page == "cover" { vec![("sum".to_owned(), "1000000".to_owned())] } else { Vec::new() };
        assert_eq!(answered.collect::<Vec<_>>(), suggested, "{page}");
        customer.fills(page, answers).await;
    }
    let plans = customer.all_plans().await;
    assert_eq!(listed(&plans).len(), 4);
    let chosen = plans.whole().all("input").filter(|input| input.attribute("checked").is_some());
    let chosen: Vec<_> = chosen.filter_map(|input| Some(input.attribute("name")?.to_owned())).collect();
    assert_eq!(chosen, ["sort"], "nothing but the order that the list is in");
}

#[tokio::test]
async fn the_plan_list_is_sorted_as_requested_and_the_recommended_plan_stays_marked() {
    let (_app, customer) = with_edited(
        "catalogue.toml",
        "price = 1\nclaim_ratio = 0\nnetwork = 0\nwaiting = 0",
        "price = 0\nclaim_ratio = 0\nnetwork = 0\nwaiting = 1",
    )
    .await;
    for (sort, order) in [
        ("", ["Plus", "Plain", "South", "Whole family"]),
        ("?sort=best", ["Plus", "Plain", "South", "Whole family"]),
        ("?sort=price", ["South", "Plain", "Whole family", "Plus"]),
        ("?sort=wait", ["Plus", "Plain", "South", "Whole family"]),
        ("?sort=claims", ["Whole family", "Plus", "Plain", "South"]),
        ("?sort=nonsense", ["Plus", "Plain", "South", "Whole family"]),
    ] {
        let page = customer.get(&format!("plans{sort}")).await;
        assert_eq!(listed(&page), order, "{sort}");
        let recommended: Vec<_> =
            cards(&page.answer.text).into_iter().filter(|card| !card.reason.is_empty()).collect();
        assert_eq!(recommended.len(), 1);
        assert_eq!(recommended[0].variant, "Plus", "{sort}");
    }
}

#[tokio::test]
async fn the_list_shows_only_plans_with_every_tag_that_is_ticked() {
    let (_app, customer) = with_edited(
        "insurers/bhumi/product.toml",
        "waiting_months = 48\n",
        "waiting_months = 48\nfilter_tags = [\"cashless\"]\n",
    )
    .await;
    for (query, order) in [
        ("tag=cashless", &["Plain", "Whole family"][..]),
        ("tag=maternity", &["Plain"]),
        ("tag=cashless&tag=maternity", &["Plain"]),
        ("tag=&tag=maternity", &["Plain"]),
        ("tag=unknown", &[]),
    ] {
        let page = customer.get(&format!("plans?{query}")).await;
        assert_eq!(listed(&page), order, "{query}");
        page.shows("4 of 4 plans cover you");
        if order.is_empty() {
            page.shows("No plan has everything that you ticked.");
        }
    }
    let page = customer.get("plans?tag=cashless&sort=price").await;
    let ticked: Vec<_> = page
        .whole()
        .all("input")
        .filter(|input| input.attribute("checked").is_some())
        .map(|input| input.attribute("value").expect("a value").to_owned())
        .collect();
    assert_eq!(ticked, ["price", "cashless"], "what was asked stays ticked");
}

#[tokio::test]
async fn the_plan_list_gives_the_reason_for_each_plan_that_does_not_cover_the_family() {
    // D17: left out of what is offered
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    let place = [("pincode", "110001"), ("illness", "yes"), ("ill-0", "cancer"), ("porting", "no")];
    let page = customer.answers(WHO, &place, COVER).await;
    assert_eq!(listed(&page), ["Whole family"]);
    assert_eq!(
        cards(&page.answer.text)[0].reason.split(';').next(),
        Some("Why this one: The only plan on offer")
    );
    let refused = page.answer.text.split("class=\"refused\"").nth(1).expect("those that are not");
    let refused = Part(refused.split("</details>").next().expect("one part")).texts("li");
    let ill = "This plan is not sold to people who have one of the illnesses named.";
    assert_eq!(
        refused,
        [
            format!("Amrit Health Plain : {ill}"),
            format!("Amrit Health Plus : {ill}"),
            "Amrit Health South : This plan is not sold at this pincode.".to_owned(),
        ]
    );
    let page = customer.get("plans?lang=hi").await;
    page.shows("यह प्लान इस पिन कोड पर नहीं मिलता।");
}

#[tokio::test]
async fn insurers_that_could_not_be_reached_are_asked_again_when_the_customer_wishes() {
    // D17: a failed insurer is left out; the failure may be temporary
    let amrit: Arc<dyn Insurer> = Arc::new(Answers::Failure);
    let app = Setup::health().asking(vec![("amrit", amrit)]).start().await;
    let customer = Customer::sees_plans(&app).await;
    let before = customer.get("plans").await;
    before.shows("Some insurers could not be reached.");
    let quotes = app.rows_of("health_quotes");
    let after = customer.post("ask", &[]).await;
    assert_eq!(after.at, "/health/plans");
    customer.all_plans().await;
    assert_eq!(app.rows_of("health_quotes"), quotes + 1, "all prices were asked for once more");
    assert!(
        !Customer::sees_plans(&Setup::health().start().await)
            .await
            .get("plans")
            .await
            .has("Ask the insurers again")
    );
}

#[tokio::test]
async fn if_no_plan_covers_the_family_the_page_says_so_and_leads_back() {
    // D17
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    let page = customer.answers(&[("self", "110")], PLACE, COVER).await;
    assert!(listed(&page).is_empty());
    page.shows("No plan covers exactly this.");
    page.shows("This plan is for adults from 18 to 100 years of age.");
    assert_eq!((page.link("Change"), page.link("Back")), ("who".to_owned(), "cover".to_owned()));
    let page = customer.fills("who", &[("self", "34")]).await;
    assert_eq!(page.name(), "place");
    customer.fills("place", &[]).await;
    customer.fills("cover", &[]).await;
    assert_eq!(listed(&customer.all_plans().await).len(), 4);
}

#[tokio::test]
async fn if_one_insurer_refuses_or_fails_the_plans_of_the_others_are_still_listed() {
    // D17
    for (bhumi, why) in [
        (Answers::Refusal, REFUSAL),
        (Answers::Failure, "The insurer could not give a price just now."),
        (Answers::Panic, "The insurer could not give a price just now."),
        (Answers::Never, "The insurer did not answer in time."),
    ] {
        let insurer: Arc<dyn Insurer> = Arc::new(bhumi);
        let setup = Setup { recommendation_deadline: Duration::from_millis(300), ..Setup::health() };
        let app = setup.asking(vec![("bhumi", insurer)]).start().await;
        let customer = Customer::sees_plans(&app).await;
        let page = customer.get("plans").await;
        assert_eq!(listed(&page), ["South", "Plain", "Plus"], "{why}");
        page.shows(why);
        page.lacks("CANARY");
    }
}

#[tokio::test]
async fn amounts_are_shown_with_indian_digit_grouping() {
    let (_app, customer) =
        with_edited("insurers/amrit/plain.csv", "18,35,4000,5000", "18,35,4000,1234567").await;
    let page = customer.get("plans").await;
    page.shows("₹12,34,567 for 1 year");
    let page = customer.get(&format!("plan?v={PLAIN}")).await;
    page.shows("Choose 1 year for ₹12,34,567");
    page.shows("Choose 3 years for ₹33,33,330.90");
    customer.get(&format!("compare?v={PLAIN}&v={PLUS}")).await.shows("₹12,34,567");
    customer.chooses(PLAIN, 1).await.shows("₹12,34,567");
}

// While prices arrive.

/// A service with one insurer that answers once the semaphore lets it.
async fn with_gate() -> (App, Arc<Semaphore>) {
    let gate = Arc::new(Semaphore::new(0));
    let bhumi: Arc<dyn Insurer> = Arc::new(Answers::Admitted(gate.clone()));
    let setup = Setup {
        insurer_deadline: Duration::from_secs(50),
        recommendation_deadline: Duration::from_secs(50),
        ..Setup::health()
    };
    (setup.asking(vec![("bhumi", bhumi)]).start().await, gate)
}

/// A customer who asked for plans, of which some are not there yet.
async fn who_waits(app: &App) -> Customer {
    let customer = Customer::arrived(app).await;
    for (page, answers) in [("who", WHO), ("place", PLACE), ("cover", COVER)] {
        customer.fills(page, answers).await;
    }
    customer
}

#[tokio::test]
async fn the_page_shows_early_prices_and_reloads_itself_until_all_are_there() {
    let (app, gate) = with_gate().await;
    let customer = who_waits(&app).await;
    let page = app
        .eventually("three plans are there", async || {
            let page = customer.get("plans?sort=price&tag=cashless&tag=").await;
            page.has("3 of 4 plans checked").then_some(page)
        })
        .await;
    page.shows("We are getting prices.");
    let progress = page.by_id("progress").expect("progress");
    assert_eq!((progress.attribute("max"), progress.attribute("value")), (Some("4"), Some("3")));
    assert_eq!(listed(&page), ["Plain"]);
    let refresh = page.whole().all("meta").find(|meta| meta.attribute("http-equiv").is_some());
    let refresh = refresh.expect("a refresh").attribute("content").expect("where to").to_owned();
    assert_eq!(refresh, "0; url=plans?sort=price&tag=cashless&seen=3");
    assert!(page.answer.text.contains("<noscript><meta http-equiv"), "not where the script listens");
    let live = page.by_id("live").expect("the list");
    assert_eq!(live.attribute("data-events"), Some("events?sort=price&tag=cashless"));
    let page = customer.get("plans").await;
    let reasons = cards(&page.answer.text).into_iter().filter(|card| !card.reason.is_empty());
    assert_eq!(reasons.count(), 0, "nothing is recommended before all is known");
    page.lacks("do not cover you");
    gate.add_permits(1);
    let page = customer.get(refresh.strip_prefix("0; url=").expect("at once")).await;
    assert_eq!(listed(&page), ["Plain"], "it answers as soon as there is more");
    page.shows("4 of 4 plans cover you");
    assert_eq!(listed(&customer.get("plans").await).len(), 4);
    app.has_no_job_left().await;
}

#[tokio::test]
async fn a_reload_waits_for_new_prices_and_after_a_timeout_shows_the_current_list() {
    let app = Setup { workers: 0, ..Setup::health() }.start().await;
    let customer = who_waits(&app).await;
    let started = std::time::Instant::now();
    let page = customer.get("plans?seen=0").await;
    assert!(started.elapsed() >= Duration::from_millis(1_500), "{:?}", started.elapsed());
    page.shows("0 of 4 plans checked");
    for seen in ["x", "-1", "", "99999999999999999999"] {
        assert_eq!(customer.get(&format!("plans?seen={seen}")).await.status(), 200, "{seen}");
    }
    app.works(4);
    customer.all_plans().await;
    app.has_no_job_left().await;
}

/// A server-sent event: its name and its data.
type Told = (String, String);

/// Reads events until the stream ends, or until an event with this name.
async fn events(response: &mut reqwest::Response, until: &str) -> Vec<Told> {
    let mut text = String::new();
    let mut told = Vec::new();
    while let Some(bytes) = response.chunk().await.expect("it goes on or ends") {
        text.push_str(std::str::from_utf8(&bytes).expect("text"));
        while let Some((event, rest)) = text.clone().split_once("\n\n") {
            let of = |name: &str| {
                let lines = event.lines().filter_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
                lines.collect::<Vec<_>>().join("\n")
            };
            told.push((of("event"), of("data")));
            rest.clone_into(&mut text);
        }
        if told.iter().any(|(name, _)| name == until) {
            break;
        }
    }
    told
}

#[tokio::test]
async fn the_event_stream_sends_the_list_after_new_prices_and_ends_when_all_are_known() {
    let (app, gate) = with_gate().await;
    let customer = who_waits(&app).await;
    let mut stream = customer.request("GET", "events?sort=price").send().await.expect("a stream");
    assert_eq!(stream.status(), 200);
    let header =
        |name: &str| stream.headers().get(name).map(|value| value.to_str().expect("text").to_owned());
    assert_eq!(header("content-type").as_deref(), Some("text/event-stream"));
    assert_eq!(header("x-content-type-options").as_deref(), Some("nosniff"));
    assert!(header("cache-control").is_some_and(|value| value.contains("no-")));
    let mut before = events(&mut stream, "list").await;
    while before.last().is_none_or(|(_, list)| cards(list).len() < 3) {
        before.extend(events(&mut stream, "list").await);
    }
    assert!(before.iter().all(|(name, _)| name == "list"), "{before:?}");
    let (_, list) = before.last().expect("a list");
    assert_eq!(names(list), ["South", "Plain", "Plus"]);
    gate.add_permits(1);
    let after = events(&mut stream, "").await;
    let (name, list) = after.last().expect("the last");
    assert_eq!(name, "done");
    assert_eq!(names(list), ["Whole family", "South", "Plain", "Plus"], "then the stream ends");
    assert!(!cards(list)[0].reason.is_empty(), "{list}");
    let mut again = customer.request("GET", "events").send().await.expect("a stream");
    let told = events(&mut again, "").await;
    assert_eq!(told.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["done"]);
    app.has_no_job_left().await;
}

#[tokio::test]
async fn the_event_stream_sends_the_list_exactly_as_the_page_shows_it() {
    let app = Setup::health().start().await;
    let customer = Customer::sees_plans(&app).await;
    customer.get("plans?lang=hi").await;
    let mut stream = customer.request("GET", "events?tag=cashless&sort=wait").send().await.expect("a stream");
    let told = events(&mut stream, "").await;
    let page = customer.get("plans?tag=cashless&sort=wait").await;
    let at_once: String = page.answer.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let live: String = told[0].1.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(live.contains("प्लान देखें"), "{live}");
    assert!(at_once.contains(&live), "{live}");
}

#[tokio::test]
async fn the_event_stream_ends_when_the_server_stops() {
    // Requests in flight finish when the server stops.
    let app = Setup { workers: 0, ..Setup::health() }.start().await;
    let customer = who_waits(&app).await;
    let leaving = app.serves(app.another_process(&Setup::health().catalogue).await);
    let there = customer.moved_to(&leaving.base);
    let mut stream = there.request("GET", "events").send().await.expect("a stream");
    assert_eq!(events(&mut stream, "list").await.len(), 1);
    drop(leaving);
    let rest = tokio::time::timeout(Duration::from_secs(10), events(&mut stream, "")).await;
    assert_eq!(rest.expect("it ends soon"), [], "and does not say that all is done");
    app.works(4);
    app.has_no_job_left().await;
}

#[tokio::test]
async fn the_event_stream_contains_only_the_customers_own_quote() {
    // D3
    let app = Setup::health().start().await;
    let (one, other) = (Customer::sees_plans(&app).await, Customer::arrived(&app).await);
    let page = other.get_once("events").await;
    assert_eq!(
        (page.status(), page.answer.text.as_str()),
        (204, ""),
        "no event source asks again after this"
    );
    other.answers(&[("self", "40")], PLACE, COVER).await;
    for (customer, premium) in [(&one, "₹5,000"), (&other, "₹8,000")] {
        let mut stream = customer.request("GET", "events").send().await.expect("a stream");
        let told = events(&mut stream, "").await;
        let plain = cards(&told[0].1).into_iter().find(|card| card.variant == "Plain").expect("there");
        assert!(plain.premium.starts_with(premium), "{plain:?}");
    }
}

// The comparison.

/// The columns of the comparison, and its rows by name.
fn compared(page: &Page) -> (Vec<String>, Vec<(String, Vec<String>)>) {
    let (head, body) = page.answer.text.split_once("<tbody>").expect("a table");
    let columns = Part(head.split_once("<thead>").expect("a head").1).texts("th").split_off(1);
    let row = |html: &str| {
        let row = Part(html);
        Some((row.texts("th").pop()?, row.texts("td")))
    };
    (columns, body.split("<tr").filter_map(row).collect())
}

#[tokio::test]
async fn two_or_three_plans_can_be_compared_side_by_side() {
    let app = Setup::health().start().await;
    let customer = Customer::sees_plans(&app).await;
    let page = customer.get(&format!("compare?v={PLUS}&v={SOUTH}&v={WHOLE}")).await;
    let (columns, rows) = compared(&page);
    assert_eq!(
        columns,
        ["Plus", "South Recommended", "Whole family"],
        "in the order in which they were ticked"
    );
    let row = |name: &str| {
        let row = rows.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("{name}: {rows:?}"));
        row.1.join(" | ")
    };
    assert_eq!(row("Premium, 1 year"), "₹6,000 | ₹4,500.50 | ₹5,200");
    assert_eq!(row("Premium, 3 years"), "₹16,200 | ₹12,151.35 | –");
    assert_eq!(row("Your share of every claim (co-pay)"), "10% | none now, 20% from 61 years of age | none");
    assert_eq!(
        row("Pre-existing diseases"),
        "covered after 12 months | covered after 36 months | covered after 48 months"
    );
    assert_eq!(row("Claim settlement ratio"), "95.25% | 95.25% | 99%");
    assert!(rows.iter().all(|(_, values)| values.len() == 3), "{rows:?}");
    let fewer = customer.get(&page.link("Remove")).await;
    assert_eq!(compared(&fewer).0.len(), 2);
    assert!(!fewer.has("Remove"), "one alone is no comparison");
    let (_, rows) = compared(&customer.get(&format!("compare?v={PLAIN}&v={PLUS}")).await);
    assert!(
        rows.contains(&("Maternity cover".to_owned(), vec!["Yes".to_owned(), "No".to_owned()])),
        "{rows:?}"
    );
}

#[tokio::test]
async fn the_comparison_ignores_unknown_and_repeated_plans_and_shows_at_most_three() {
    let app = Setup::health().start().await;
    let customer = Customer::sees_plans(&app).await;
    for (query, columns) in [
        (String::new(), 0),
        (format!("?v={PLAIN}"), 0),
        (format!("?v={PLAIN}&v={PLAIN}"), 0),
        (format!("?v={PLAIN}&v={UNKNOWN}&v={WIDE}&v=x&v="), 0),
        (format!("?v={PLAIN}&v={UNKNOWN}&v={SOUTH}"), 2),
        (format!("?v={PLAIN}&v={SOUTH}&v={PLUS}&v={WHOLE}"), 3),
        (format!("?v={UNKNOWN}&v={PLAIN}&v={SOUTH}&v={PLUS}&v={PLAIN}"), 3),
    ] {
        let page = customer.get(&format!("compare{query}")).await;
        assert_eq!((page.status(), page.name()), (200, "compare"));
        if columns == 0 {
            page.shows("First tick two or three plans in the list");
            assert_eq!(page.link("All plans"), "plans");
            continue;
        }
        assert_eq!(compared(&page).0.len(), columns, "{query}");
        assert_eq!(page.has("these are the first three"), query.contains(WHOLE), "{query}");
    }
    let page = customer.get(&format!("plans?v={PLAIN}&v={PLUS}&sort=price")).await;
    let form = page.whole().all("form").next().expect("the list's form");
    assert_eq!((form.attribute("method"), form.attribute("action")), (Some("get"), Some("plans")));
    let ticked = page.whole().all("input").filter(|input| input.attribute("checked").is_some()).count();
    assert_eq!(ticked, 3, "what was ticked stays so when the list is sorted");
}

// One plan.

#[tokio::test]
async fn the_page_of_a_plan_shows_its_cover_its_price_and_the_reason_for_a_recommendation() {
    let (_app, customer) = with_edited(
        "insurers/amrit/product.toml",
        "plan = \"base\"\n",
        "plan = \"base\"\ncovers = [\"Rooms of every kind\"]\nexclusions = \"cosmetic treatment; war\"\n",
    )
    .await;
    let page = customer.get(&format!("plan?v={PLUS}")).await;
    assert_eq!(page.heading(), "Plus");
    for fact in [
        "Amrit Health (fictional) · Amrit Care · UIN 000H9011V01",
        "Plain cover and more.",
        "Choose 1 year for ₹6,000",
        "Choose 3 years for ₹16,200",
        "₹5,400 a year · 10% less a year",
        "This plan is not sold fully online",
        "Sum insured in a year ₹10 lakh",
        "covered after 12 months",
        "Your share of every claim (co-pay) 10%",
        "95.25%",
        "9,000",
        "Rooms of every kind",
        "Cosmetic treatment War",
        "How the premium is paid: Paid before the cover begins.",
        "claims@amrit.insurers.example",
        "grievance@amrit.insurers.example",
        "A made-up insurer of the tests.",
    ] {
        page.shows(fact);
    }
    page.lacks("Recommended");
    let best = customer.get(&format!("plan?v={SOUTH}")).await;
    best.shows("Why this one: The lowest premium of 4 plans");
    best.lacks("not sold fully online");
}

#[tokio::test]
async fn the_page_of_a_plan_explains_each_price_step_by_step() {
    // Every price shows the steps that lead to it.
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    let place = [("pincode", "560038"), ("illness", "yes"), ("ill-0", "diabetes"), ("porting", "no")];
    customer.answers(WHO, &place, COVER).await;
    let page = customer.get(&format!("plan?v={PLAIN}")).await;
    let tables: Vec<Vec<String>> = page
        .answer
        .text
        .split("<table class=\"steps\">")
        .skip(1)
        .map(|table| Part(table.split("</table>").next().expect("one part")).texts("td"))
        .collect();
    let steps = |table: &[String]| table.chunks(3).map(|step| step.join(" | ")).collect::<Vec<_>>();
    assert_eq!(
        steps(&tables[0]),
        [
            "Rate of a member, ages 18 to 35, for ₹10 lakh | +₹5,000 a year | ₹5,000",
            "Additional premium for illnesses | +50% | ₹7,500",
            "No GST: policies of individuals and families are exempt |  | ₹7,500",
        ]
    );
    let last = tables[1].last().expect("an amount");
    page.shows(&format!("Choose 3 years for {last}"));
    assert_eq!(last, "₹20,250");
    customer.get(&format!("plan?v={PLAIN}&lang=hi")).await.shows("बीमारियों के लिए अतिरिक्त प्रीमियम");
}

#[tokio::test]
async fn a_price_that_the_insurer_calculates_itself_is_shown_without_steps() {
    // There are no steps if the insurer sets the price.
    let amrit: Arc<dyn Insurer> = Arc::new(Answers::Premium(123_456));
    let app = Setup::health().asking(vec![("amrit", amrit)]).start().await;
    let customer = Customer::sees_plans(&app).await;
    let page = customer.get(&format!("plan?v={PLAIN}")).await;
    page.shows("The insurer calculates this price itself");
    page.shows("Choose 1 year for ₹1,234.74");
    assert!(!page.answer.text.contains("class=\"steps\"") && !page.answer.text.contains("<svg"));
}

#[tokio::test]
async fn every_chart_has_a_title_and_a_text_with_its_values() {
    let app = Setup::health().start().await;
    let customer = Customer::sees_plans(&app).await;
    let page = customer.get(&format!("plan?v={PLAIN}")).await;
    for (id, title, text) in [
        ("by-tenure", "Premium per year, by policy period", "1 year: ₹5,000; 3 years: ₹4,500"),
        (
            "by-cover",
            "Premium of this plan for 1 year, by sum insured",
            "₹5 lakh: ₹4,000; ₹10 lakh (yours): ₹5,000",
        ),
    ] {
        let labelled = format!("{id}-title {id}-text");
        let svg = page.whole().all("svg").find(|svg| svg.attribute("aria-labelledby") == Some(&labelled));
        assert_eq!(svg.expect("a chart").attribute("role"), Some("img"));
        assert_eq!(page.by_id(&format!("{id}-title")).expect("a title").text(), title);
        assert_eq!(page.by_id(&format!("{id}-text")).expect("a text").text(), text);
    }
    let alone = customer.get(&format!("plan?v={WHOLE}")).await;
    assert!(alone.by_id("by-tenure-text").is_none(), "one tenure is no chart");
    assert!(alone.by_id("by-cover-text").is_some());
}

#[tokio::test]
async fn opening_or_choosing_a_plan_that_is_not_offered_leads_to_the_plan_list() {
    // D17
    let app = Setup::health().start().await;
    let customer = Customer::arrived(&app).await;
    customer.answers(WHO, &[("pincode", "110001"), ("illness", "no"), ("porting", "no")], COVER).await;
    for id in [SOUTH, WIDE, UNKNOWN, "x", ""] {
        assert_eq!(customer.get(&format!("plan?v={id}")).await.at, "/health/plans", "{id}");
        assert_eq!(customer.chooses(id, 1).await.at, "/health/plans", "{id}");
    }
    assert_eq!(customer.get("plan").await.at, "/health/plans");
    assert_eq!(customer.get("start").await.name(), "plans", "nothing is chosen");
}

#[tokio::test]
async fn a_super_top_up_is_priced_with_the_chosen_deductible_or_else_with_its_smallest() {
    // D16: without a choice, each variant uses its smallest deductible
    let app = Setup::health().start().await;
    for (deductible, wide, narrow, asked) in [
        ("", "₹1,500", Some("₹800"), "₹10 lakh above an amount that you pay"),
        ("300000", "₹1,500", None, "₹10 lakh above ₹3 lakh"),
        ("500000", "₹900", Some("₹800"), "₹10 lakh above ₹5 lakh"),
    ] {
        let customer = Customer::arrived(&app).await;
        let cover = [("plan", "super_top_up"), ("sum", "1000000"), ("deductible", deductible)];
        let page = customer.answers(WHO, PLACE, &cover).await;
        page.shows(asked);
        let premium = |name: &str| {
            let cards = cards(&page.answer.text);
            let card = cards.into_iter().find(|card| card.variant == name)?;
            Some(card.premium.split(' ').next().expect("an amount").to_owned())
        };
        assert_eq!(premium("Wide").as_deref(), Some(wide));
        assert_eq!(premium("Narrow").as_deref(), narrow);
        if narrow.is_none() {
            page.shows("This plan is not offered with this deductible.");
        }
    }
}

// What the API shows of the journey's quote.

#[tokio::test]
async fn the_api_returns_the_journeys_quote_by_its_session_with_the_same_prices() {
    // D37, D42, D47, D51; crates/docsite/pages/journey.md, Coming back
    let app = Setup::health().start().await;
    let session = app.has_session().await;
    let customer = Customer::arrived_with(&app, &format!("&session_id={session}")).await;
    let who = [("self", "34"), ("spouse", "36"), ("child-1", "daughter"), ("child-1-age", "6")];
    let page = customer.answers(&who, PLACE, COVER).await;
    let answer = app.get(&format!("/v1/business/health/quotes?session_id={session}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let answered = answer.json();
    assert_eq!(
        (&answered["session_id"], &answered["count"]),
        (&json!(session), &json!(1)),
        "{}",
        answer.text
    );
    let quote = &answered["quotes"][0];
    for (field, value) in [
        ("sum_insured", json!("1000000")),
        ("pincode", json!("560038")),
        ("plan_type", json!("BASE")),
        ("customer_name", json!("")),
        ("customer_phone", json!("")),
        ("customer_email", json!("")),
        ("customer_gender", json!("")),
        ("total_variants", json!(4)),
        ("completed_variants", json!(4)),
        (
            "member_details",
            json!([
                { "relation": "self", "age": 34 },
                { "relation": "spouse", "age": 36 },
                { "relation": "daughter", "age": 6 },
            ]),
        ),
    ] {
        assert_eq!(quote[field], value, "{field}");
    }
    let shown = cards(&page.answer.text);
    let recommended = quote["recommendations"].as_array().expect("a list");
    assert_eq!(shown.len(), recommended.len());
    for (card, offer) in shown.iter().zip(recommended) {
        assert_eq!(json!(card.variant), offer["variant_name"]);
        assert_eq!(!card.reason.is_empty(), offer["recommended"] == true);
        let premium = offer["premium_details"][0]["premium"].as_str().expect("text");
        let shown: String = card
            .premium
            .split(' ')
            .next()
            .expect("one")
            .chars()
            .filter(|c| c.is_ascii_digit() || *c == '.')
            .collect();
        let (shown, premium): (f64, f64) =
            (shown.parse().expect("a number"), premium.parse().expect("a number"));
        assert!((shown - premium).abs() < 0.001, "{shown} {premium}");
    }
    let other = app.new_partner("Other Lender").await;
    let path = format!("/v1/business/health/quotes?session_id={session}");
    let foreign = app.as_partner(&other, "GET", &path, None).await;
    assert_eq!(foreign.json()["count"], 0, "{}", foreign.text);
}

#[tokio::test]
async fn the_insurer_receives_all_answers_including_illnesses_porting_and_deductible() {
    // D16: illnesses, porting and deductible
    let notes = Arc::new(crate::support::insurer::Notes::default());
    let insurer: Arc<dyn Insurer> = notes.clone();
    let app = Setup::health().asking(vec![("chandra", insurer)]).start().await;
    let customer = Customer::arrived(&app).await;
    let place = [
        ("pincode", "560038"),
        ("illness", "yes"),
        ("ill-0", "asthma"),
        ("ill-1", "diabetes"),
        ("porting", "yes"),
        ("porting-years", "4"),
    ];
    let cover = [("plan", "super_top_up"), ("sum", "2500000"), ("deductible", "500000")];
    customer.answers(&[("self", "34"), ("mother", "60")], &place, &cover).await;
    let asked = notes.asked().pop().expect("asked");
    let request = asked.request;
    assert!(request.has_ped);
    assert_eq!(request.selected_peds, ["asthma", "diabetes"]);
    assert_eq!(request.members.len(), 2);
    assert_eq!(request.porting.expect("brought along").tenure.expect("told").to_string(), "4");
    assert_eq!(request.deductible.expect("asked").nearest_whole().to_string(), "500000");
    assert_eq!(request.sum_insured.nearest_whole().to_string(), "2500000");
}

#[tokio::test]
async fn the_operator_finds_the_quote_by_the_user_whom_the_token_names() {
    // interface §14: preferably the user_id; D16
    let app = Setup::health().start().await;
    let partner = app.partner();
    let body = json!({
        "client_id": partner.client_id, "client_secret": partner.client_secret, "user_id": "user-42",
        "scopes": ["business.session"],
    });
    let token = app.post_without_bearer("/v1/auth/token", body).await.json();
    let token = token["payload"]["access_token"].as_str().expect("a token").to_owned();
    let customer = Customer::new(&app);
    assert_eq!(customer.get(&format!("/health?session_token={token}")).await.name(), "who");
    customer.answers(WHO, PLACE, COVER).await;
    let by = Identifier::of(IdentifierKind::User, "user-42");
    let found = app.service.health_quotes.find_identified(None, &by, 10).await.expect("read");
    assert_eq!(found.len(), 1);
}

// Size of pages.

#[tokio::test]
async fn the_first_page_needs_at_most_six_requests_and_50_kib() {
    let app = Setup::default().start().await;
    for language in ["en", "hi"] {
        let customer = Customer::new(&app);
        let mut requests = 1;
        let address = format!("{}&lang={language}", app.journey_address(app.partner()).await);
        let mut page = customer.get_once(&address).await;
        let mut bytes = page.answer.bytes.len();
        while let Some(location) = page.location().map(str::to_owned) {
            let base: url::Url = format!("{}{}", app.base, page.at).parse().expect("an address");
            page = customer.get_once(base.join(&location).expect("an address").as_str()).await;
            bytes += page.answer.bytes.len();
            requests += 1;
        }
        assert_eq!(page.name(), "who");
        for element in page.whole().elements() {
            let address = match element.name {
                "link" => element.attribute("href"),
                "script" | "img" | "iframe" | "source" => element.attribute("src"),
                _ => None,
            };
            // Content in the page itself needs no request.
            let Some(address) = address.filter(|address| !address.starts_with("data:")) else { continue };
            let part = customer.get_once(address).await;
            assert_eq!(part.status(), 200, "{address}");
            assert_eq!(part.answer.header("x-content-type-options"), Some("nosniff"));
            assert_eq!(part.answer.header("cache-control"), Some("public, max-age=3600"));
            let text = &part.answer.text;
            assert!(
                !text.contains("@import") && !text.contains("url(") && !text.contains("//cdn"),
                "{address}"
            );
            bytes += part.answer.bytes.len();
            requests += 1;
        }
        assert!(requests <= 6, "{requests}");
        assert!(bytes <= 50 * 1024, "{bytes}");
    }
}

#[tokio::test]
async fn the_cover_page_says_that_no_plan_is_offered_if_the_assortment_is_empty() {
    // D22: the operator's assortment
    let app = Setup::health().start().await;
    let assortment = "\n[[assortment]]\npartner = \"PARTNER\"\nvariants = []\n";
    let assortment = assortment.replace("PARTNER", &app.partner().id.to_string());
    let only = Setup::health().edited("catalogue.toml", |text| text + &assortment);
    app.runs_catalogue(&only.catalogue).await;
    let customer = Customer::arrived(&app).await;
    customer.fills("who", WHO).await;
    let page = customer.fills("place", PLACE).await;
    assert_eq!(page.name(), "cover");
    page.shows("No health plan is offered here at the moment.");
}
