//! The rules of a credit-life product, at the proposal and at the issue of the policy (D61).

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use async_trait::async_trait;
use domain::date::{Date, day_of, days_later};
use domain::health_quote::Outcome;
use domain::id::ProposalId;
use domain::money::{Premium, Rupees};
use domain::premium::Account;
use domain::quote::NotPriced;
use serde_json::{Value, json};
use service::insurer::{
    CreditAsk, HealthAsk, IncomingMessage, Insurer, InsurerDecision, InsurerFault, PolicyNotice,
    PolicyRequest, RequestDecision, Submission,
};
use service::proposal::operator::Verdict;

use crate::support::bodies::{self, with};
use crate::support::certificate::{certificate_of, policy_of, text_of};
use crate::support::{Answer, App, Setup};

const QUOTE: &str = "/v1/embedded/quote";
const PROPOSAL: &str = "/v1/embedded/proposal";

/// Variants of the sample, by their rules: four people, and three times the loan; one person, who is the
/// proposer; at most the loan and its tenure, with a PAN; 120 percent of the loan, decided by the insurer;
/// issued at once.
const LEVEL: &str = "vrt_01m5w4nayge0zt63z13f3ajgpk";
const MICRO: &str = "vrt_01m5wjrnarehethrdh55kgrp4h";
const HOME: &str = "vrt_01m5wsqaared0rnt6fb6a4f0pq";
const MISAAL: &str = "vrt_01m5waf85geqgaee9ajw5me0pj";
const INSTANT: &str = "vrt_01m5wm8sc0e07a9ppyp2ye3jsm";

/// The first day of these tests.
const TODAY: &str = "2026-11-20";

fn today() -> Date {
    TODAY.parse().expect("a day")
}

fn written(day: Date) -> String {
    domain::date::day_month_year(day)
}

/// The date of birth of a person who has completed `years` on a day, and had the birthday so many days before
/// it.
fn born(years: i16, on: Date, days_before: i16) -> String {
    let birthday = Date::new(on.year() - years, on.month(), on.day()).expect("not on 29 February");
    let step = |day: Date| if days_before > 0 { day.yesterday() } else { day.tomorrow() }.expect("a day");
    written((0..days_before.unsigned_abs()).fold(birthday, |day, _| step(day)))
}

fn told(entries: &[(&str, &str)]) -> Value {
    entries.iter().map(|(key, value)| json!({ "key": key, "values": [value] })).collect()
}

/// A quote request with this context data only.
fn quote_with(context: &[(&str, &str)]) -> Value {
    with(bodies::quote(), "context_data", told(context))
}

/// A proposal of a variant from a quote, without its own data about the loan.
async fn body_of(app: &App, variant: &str, quote: Value) -> Value {
    let answer = app.post(QUOTE, quote).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let payload = &answer.json()["payload"];
    let items = payload["recommendations"].as_array().expect("a list");
    let item = items.iter().find(|item| item["variant_id"] == variant).expect("in the sample");
    let body = bodies::proposal(&payload["quote_id"], &item["recommendation_id"], "SUBMITTED");
    with(body, "context_data", json!([]))
}

async fn propose(app: &App, body: Value) -> Answer {
    app.post(PROPOSAL, body).await
}

#[track_caller]
fn id_of(created: &Answer) -> String {
    assert_eq!(created.status, 201, "{}", created.text);
    created.json()["payload"]["proposal_id"].as_str().expect("an id").to_owned()
}

/// Checks that the proposal is refused with this sentence on this field only.
#[track_caller]
fn is_refused_on(answer: &Answer, field: &str, sentence: &str) {
    answer.has_faults_on(&[field]);
    assert_eq!(answer.fault_on(field), sentence);
}

async fn complete(app: &App, id: &str) -> Answer {
    app.patch(&format!("{PROPOSAL}/{id}"), json!({ "status": "COMPLETED" })).await
}

/// A person like the joint borrower, made distinct by a number.
fn another(number: usize) -> Value {
    let mut person = bodies::joint_borrower();
    person["first_name"] =
        format!("Devika {}", ["A", "B", "C", "D", "E", "F", "G", "H", "I", "J"][number]).into();
    person["documents"] = json!([]);
    person
}

fn borrowers(number: usize) -> Value {
    std::iter::once(bodies::proposer()).chain((1..number).map(another)).collect()
}

// Ages on the day on which cover starts.

#[tokio::test]
async fn each_insured_members_age_is_judged_on_the_day_on_which_cover_starts() {
    let app = App::start().await;
    let later = days_later(today(), 60).expect("a day");
    let disbursed = written(later);
    for (context, start) in [(vec![], today()), (vec![("disbursement_date", disbursed.as_str())], later)] {
        let body = body_of(&app, LEVEL, quote_with(&context)).await;
        for (years, days, taken) in [(18, 0, true), (18, -1, false), (65, 364, true), (66, 0, false)] {
            let mut people = borrowers(2);
            people[1]["date_of_birth"] = born(years, start, days).into();
            let answer = propose(&app, with(body.clone(), "insured_members", people)).await;
            let what = format!("{years} years and {days} days on {start}: {}", answer.text);
            assert_eq!(answer.status == 201, taken, "{what}");
            if !taken {
                let field = "insured_members[1].date_of_birth";
                is_refused_on(
                    &answer,
                    field,
                    "This cover is for people from 18 to 65 years of age when it starts.",
                );
            }
        }
    }
}

#[tokio::test]
async fn each_insured_members_age_is_judged_on_the_last_day_of_cover() {
    let app = App::start().await;
    let body = body_of(&app, LEVEL, with(bodies::quote(), "policy_term", json!(72))).await;
    // The cover ends on 19 November 2032.
    for (date_of_birth, taken) in [("20/11/1961", true), ("19/11/1961", false)] {
        let mut people = borrowers(2);
        people[1]["date_of_birth"] = date_of_birth.into();
        let answer = propose(&app, with(body.clone(), "insured_members", people)).await;
        assert_eq!(answer.status == 201, taken, "{date_of_birth}: {}", answer.text);
        if !taken {
            let sentence = "This cover must end by the age of 70; a shorter term may be possible.";
            is_refused_on(&answer, "insured_members[1].date_of_birth", sentence);
        }
    }
}

#[tokio::test]
async fn a_quote_is_priced_by_the_age_on_the_first_day_of_cover() {
    let app = App::start().await;
    let later = days_later(today(), 30).expect("a day");
    let priced = async |date_of_birth: String, context: &[(&str, &str)]| {
        let quote = with(quote_with(context), "date_of_birth", json!(date_of_birth));
        let payload = app.post(QUOTE, quote).await.json()["payload"].clone();
        let items = payload["recommendations"].as_array().expect("a list").clone();
        items.into_iter().find(|item| item["variant_id"] == LEVEL).expect("in the sample")
    };
    let disbursed = written(later);
    let starts_later = [("disbursement_date", disbursed.as_str())];
    let eighteen_then = born(18, later, 0);
    assert_eq!(priced(eighteen_then.clone(), &[]).await["is_error"], true);
    assert_eq!(priced(eighteen_then, &starts_later).await["is_error"], false);
    let older_then = born(46, later, 0);
    let (now, then) = (priced(older_then.clone(), &[]).await, priced(older_then, &starts_later).await);
    assert_ne!(now["total_premium"], then["total_premium"], "45 today, 46 then: another band");
    let past = written(days_later(today(), 0).expect("a day").yesterday().expect("a day"));
    let started = priced(born(18, today(), 0), &[("disbursement_date", past.as_str())]).await;
    assert_eq!(started["is_error"], false, "a day that is past is today (D53): {started}");
}

// Another person than in the quote.

#[tokio::test]
async fn a_date_of_birth_that_differs_from_the_quote_is_accepted_if_the_price_is_equal() {
    let app = App::start().await;
    let body = body_of(&app, LEVEL, bodies::quote()).await;
    for date_of_birth in ["16/06/1990", "20/11/1990", "21/11/1980"] {
        let body = with(body.clone(), "insured_members.0.date_of_birth", json!(date_of_birth));
        id_of(&propose(&app, body).await);
    }
    id_of(&propose(&app, with(body, "insured_members.0.gender", json!("MALE"))).await);
}

#[tokio::test]
async fn a_date_of_birth_that_changes_the_quoted_price_is_refused() {
    let app = App::start().await;
    let body = body_of(&app, LEVEL, bodies::quote()).await;
    let field = "insured_members[0].date_of_birth";
    for (date_of_birth, sentence) in [
        ("21/11/1990", "Cover of a person of this age costs ₹2,891; the quote says ₹3,776. Get a new quote."),
        ("20/11/1980", "Cover of a person of this age costs ₹6,608; the quote says ₹3,776. Get a new quote."),
        ("20/11/1960", "This cover is for people from 18 to 65 years of age when it starts."),
        ("21/11/2008", "This cover is for people from 18 to 65 years of age when it starts."),
    ] {
        let body = with(body.clone(), "insured_members.0.date_of_birth", json!(date_of_birth));
        is_refused_on(&propose(&app, body).await, field, sentence);
    }
}

#[tokio::test]
async fn the_refusal_of_a_sale_lists_every_product_rule_that_it_breaks() {
    // A quote for a woman of 26, used for ten identical men of 91, far above the loan, with a start in 2030.
    let app = App::start().await;
    let quote = with(quote_with(&[("loan_amount", "1000")]), "date_of_birth", json!("15/06/2000"));
    let body = body_of(&app, LEVEL, quote).await;
    let mut man = bodies::proposer();
    for (field, value) in [("date_of_birth", "15/06/1935"), ("gender", "MALE"), ("title", "MR")] {
        man[field] = value.into();
    }
    let men: Value = std::iter::repeat_n(man, 10).collect();
    let context = told(&[("disbursement_date", "01/01/2030")]);
    let answer = propose(&app, with(with(body, "insured_members", men), "context_data", context)).await;
    let people = (0..10).map(|at| format!("insured_members[{at}].date_of_birth"));
    let twins = (1..10).map(|at| format!("insured_members[{at}]"));
    let others = ["context_data", "quote_id", "insured_members"].map(str::to_owned);
    let fields: Vec<String> = others.into_iter().chain(twins).chain(people).collect();
    answer.has_faults_on(&fields.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(
        answer.fault_on("context_data"),
        "This cover must start by 18 Feb 2027; disbursement_date is 1 Jan 2030."
    );
    assert_eq!(
        answer.fault_on("quote_id"),
        "This cover is limited to 300% of the loan: ₹5,00,000 is too much for a loan of ₹1,000."
    );
    assert_eq!(answer.fault_on("insured_members"), "This cover is for up to 4 people, not 10.");
    assert_eq!(app.rows_of("proposals"), 0);
}

#[tokio::test]
async fn sale_rules_are_checked_only_if_no_field_has_a_fault() {
    let app = App::start().await;
    let body = body_of(&app, LEVEL, bodies::quote()).await;
    let body = with(body, "insured_members.0.date_of_birth", json!("01/01/1935"));
    let body = with(body, "proposer.mobile", json!("12"));
    propose(&app, body).await.has_faults_on(&["proposer.mobile"]);
}

// Number of people.

#[tokio::test]
async fn a_proposal_may_not_insure_more_people_than_the_product_allows() {
    let app = App::start().await;
    let body = body_of(&app, LEVEL, bodies::quote()).await;
    id_of(&propose(&app, with(body.clone(), "insured_members", borrowers(4))).await);
    let answer = propose(&app, with(body, "insured_members", borrowers(5))).await;
    is_refused_on(&answer, "insured_members", "This cover is for up to 4 people, not 5.");
    let small = with(bodies::quote(), "cover_amount", json!("100000.00"));
    let body = body_of(&app, MICRO, small).await;
    id_of(&propose(&app, with(body.clone(), "insured_members", borrowers(1))).await);
    let answer = propose(&app, with(body, "insured_members", borrowers(2))).await;
    is_refused_on(&answer, "insured_members", "This cover is for one person, not 2.");
}

#[tokio::test]
async fn the_same_person_cannot_be_insured_twice_in_one_proposal() {
    let app = App::start().await;
    let body = body_of(&app, LEVEL, bodies::quote()).await;
    let pan = |number: &str| json!([{ "document_type": "PAN", "document_number": number }]);
    let same_pan = with(another(1), "documents", pan("abcpr1234k"));
    let mut same_name = bodies::proposer();
    same_name["documents"] = pan("ABCPX9999Z");
    same_name["first_name"] = "  ASHA".into();
    same_name["last_name"] = "rao".into();
    same_name["middle_name"] = Value::Null;
    for twin in [same_pan, same_name.clone()] {
        let people = json!([bodies::proposer(), another(2), twin]);
        let answer = propose(&app, with(body.clone(), "insured_members", people)).await;
        let sentence = "Duplicate person: the same as insured_members[0]. List each person once.";
        is_refused_on(&answer, "insured_members[2]", sentence);
    }
    for (field, value) in [("gender", "MALE"), ("date_of_birth", "16/06/1990"), ("last_name", "Rau")] {
        let other = with(same_name.clone(), field, json!(value));
        let people = json!([bodies::proposer(), other]);
        id_of(&propose(&app, with(body.clone(), "insured_members", people)).await);
    }
}

#[tokio::test]
async fn the_first_insured_member_must_be_the_proposer_unless_the_product_says_otherwise() {
    let app = App::start().await;
    let body = body_of(&app, MICRO, with(bodies::quote(), "cover_amount", json!("100000.00"))).await;
    let employer = with(bodies::joint_borrower(), "first_name", json!("Employer"));
    let answer = propose(&app, with(body, "proposer", employer.clone())).await;
    let sentence = "Must be the proposer, because this cover must insure the proposer as first member.";
    is_refused_on(&answer, "insured_members[0]", sentence);
    let body = body_of(&app, LEVEL, bodies::quote()).await;
    id_of(&propose(&app, with(body, "proposer", employer)).await);
}

#[tokio::test]
async fn each_insured_member_must_have_the_documents_that_the_product_requires() {
    let app = App::start().await;
    let quote = with(quote_with(&[]), "policy_term", json!(60));
    let body = body_of(&app, HOME, quote).await;
    id_of(&propose(&app, body.clone()).await);
    let aadhaar = json!([{ "document_type": "AADHAR", "document_number": "2345 6789 0124" }]);
    let answer = propose(&app, with(body, "insured_members.0.documents", aadhaar)).await;
    let sentence = "Required: PAN of each insured member.";
    is_refused_on(&answer, "insured_members[0].documents", sentence);
}

// The loan.

#[tokio::test]
async fn cover_may_not_exceed_the_share_of_the_loan_that_the_product_allows() {
    // D21: in a quote it is not a fault
    let app = App::start().await;
    for (variant, term, shares) in [(MISAAL, 24, "120"), (HOME, 60, "100"), (LEVEL, 24, "300")] {
        let share: u64 = shares.parse().expect("a number");
        let cover = format!("{}.00", 5_000 * share);
        let quote = |loan: &str| {
            let quote = with(quote_with(&[("loan_amount", loan)]), "policy_term", json!(term));
            with(quote, "cover_amount", json!(cover))
        };
        for at_most in ["500000", "500000.01"] {
            id_of(&propose(&app, body_of(&app, variant, quote(at_most)).await).await);
        }
        let answer = propose(&app, body_of(&app, variant, quote("499999.99")).await).await;
        answer.has_faults_on(&["quote_id"]);
        let wanted = format!("This cover is limited to {shares}% of the loan: ");
        assert!(answer.fault_on("quote_id").starts_with(&wanted), "{}", answer.text);
        // The loan amount in the proposal counts, and the fault names it.
        let body = body_of(&app, variant, quote("500000")).await;
        let body = with(body, "context_data", told(&[("loan_amount", "499999.99")]));
        propose(&app, body).await.has_faults_on(&["context_data"]);
        let body = body_of(&app, variant, quote("499999.99")).await;
        id_of(&propose(&app, with(body, "context_data", told(&[("loan_amount", "500000")]))).await);
    }
}

#[tokio::test]
async fn cover_may_not_run_longer_than_the_loan_if_the_product_forbids_it() {
    let app = App::start().await;
    for (tenure, taken) in [("61", true), ("60", true), ("59", false)] {
        let quote = with(quote_with(&[("loan_tenure", tenure)]), "policy_term", json!(60));
        let answer = propose(&app, body_of(&app, HOME, quote).await).await;
        assert_eq!(answer.status == 201, taken, "{tenure}: {}", answer.text);
        if !taken {
            let sentence =
                "This cover cannot run longer than the loan: 60 months is too long for a loan of 59 months.";
            is_refused_on(&answer, "quote_id", sentence);
        }
    }
    id_of(&propose(&app, body_of(&app, LEVEL, quote_with(&[("loan_tenure", "1")])).await).await);
}

#[tokio::test]
async fn a_loan_amount_that_changes_the_quoted_price_is_refused() {
    // The product's rate is applied to the loan.
    let app = App::start().await;
    let one_price = "vrt_01m5ws87x8eknbraw4m6mwrbzq";
    let body = body_of(&app, one_price, quote_with(&[("loan_amount", "500000")])).await;
    let other = with(body, "context_data", told(&[("loan_amount", "600000")]));
    let answer = propose(&app, other).await;
    answer.has_faults_on(&["context_data"]);
    assert!(answer.fault_on("context_data").starts_with("Cover of this loan costs "), "{}", answer.text);
}

// The start of cover.

#[tokio::test]
async fn cover_must_start_within_the_days_that_the_product_allows() {
    let app = App::start().await;
    for (days, taken) in [(90, true), (91, false)] {
        let day = written(days_later(today(), days).expect("a day"));
        let context = [("disbursement_date", day.as_str())];
        let in_quote = propose(&app, body_of(&app, LEVEL, quote_with(&context)).await).await;
        let body = body_of(&app, LEVEL, bodies::quote()).await;
        let in_proposal = propose(&app, with(body, "context_data", told(&context))).await;
        for (answer, field) in [(in_quote, "quote_id"), (in_proposal, "context_data")] {
            assert_eq!(answer.status == 201, taken, "{days}: {}", answer.text);
            if !taken {
                let sentence = "This cover must start by 18 Feb 2027; disbursement_date is 19 Feb 2027.";
                is_refused_on(&answer, field, sentence);
            }
        }
    }
}

#[tokio::test]
async fn a_start_of_cover_in_another_age_band_than_quoted_is_refused() {
    let mut app = App::start().await;
    // Age 45 today, 46 in ten days.
    let date_of_birth = born(46, days_later(today(), 10).expect("a day"), 0);
    let quote = with(bodies::quote(), "date_of_birth", json!(date_of_birth));
    let body = body_of(&app, LEVEL, quote).await;
    let body = with(body, "insured_members.0.date_of_birth", json!(date_of_birth));
    let moved = |day: &str| with(body.clone(), "context_data", told(&[("disbursement_date", day)]));
    id_of(&propose(&app, moved("29/11/2026")).await);
    let sentence = "Cover that starts on 30 Nov 2026 costs ₹6,608; the quote says ₹3,776. Get a new quote.";
    is_refused_on(&propose(&app, moved("30/11/2026")).await, "context_data", sentence);
    app.set_clock("2026-11-29T12:00:00+05:30").await;
    id_of(&propose(&app, body.clone()).await);
    app.set_clock("2026-11-30T12:00:00+05:30").await;
    is_refused_on(&propose(&app, body).await, "quote_id", sentence);
}

#[tokio::test]
async fn a_start_of_cover_with_another_tax_rate_than_quoted_is_refused() {
    let app = Setup::with_edited("catalogue.toml", |text| {
        text.replacen(
            "from = 2017-07-01\npercent = 18",
            "from = 2017-07-01\nto = 2026-11-30\npercent = 18\n\n[[tax]]\nline = \"credit-life\"\nsold_to = \"group\"\nfrom = 2026-12-01\npercent = 12",
            1,
        )
    })
    .start()
    .await;
    let body = body_of(&app, LEVEL, bodies::quote()).await;
    let moved = |day: &str| with(body.clone(), "context_data", told(&[("disbursement_date", day)]));
    id_of(&propose(&app, moved("30/11/2026")).await);
    let sentence = "Cover that starts on 1 Dec 2026 costs ₹3,584; the quote says ₹3,776. Get a new quote.";
    is_refused_on(&propose(&app, moved("01/12/2026")).await, "context_data", sentence);
}

// At the issue of the policy.

/// A proposal of a borrower who turns this age in ten days, with a higher price from then on.
async fn has_proposal_before_birthday(app: &App, variant: &str, years: i16, status: &str) -> String {
    let date_of_birth = born(years, days_later(today(), 10).expect("a day"), 0);
    let quote = with(bodies::quote(), "date_of_birth", json!(date_of_birth));
    let body = body_of(app, variant, quote).await;
    let body = with(body, "insured_members.0.date_of_birth", json!(date_of_birth));
    id_of(&propose(app, with(body, "status", json!(status))).await)
}

#[tokio::test]
async fn a_completion_after_the_insured_persons_price_changed_is_refused_with_the_reason() {
    let mut app = App::start().await;
    let in_time = has_proposal_before_birthday(&app, LEVEL, 46, "SUBMITTED").await;
    let late = has_proposal_before_birthday(&app, LEVEL, 46, "SUBMITTED").await;
    app.set_clock("2026-11-29T12:00:00+05:30").await;
    assert_eq!(complete(&app, &in_time).await.status, 200);
    app.set_clock("2026-11-30T12:00:00+05:30").await;
    let answer = complete(&app, &late).await;
    answer.is_refused(400, "S4000");
    assert_eq!(
        answer.json()["detail"],
        "The policy cannot be issued. Cover that starts on 30 Nov 2026 costs ₹6,608; the quote says ₹3,776. Get a new quote."
    );
    assert_eq!((app.status_of(&late).await.as_str(), app.rows_of("policies")), ("PENDING", 1));
    let operator =
        app.service.operator_proposals.decide(late.parse().expect("an id"), Verdict::of(true, None)).await;
    assert!(matches!(operator, Err(service::Error::AgainstRules(_))), "{operator:?}");
    assert_eq!((app.status_of(&late).await.as_str(), app.rows_of("policies")), ("PENDING", 1));
    let rejected = app.patch(&format!("{PROPOSAL}/{late}"), json!({ "status": "REJECTED" })).await;
    assert_eq!(rejected.status, 200, "{}", rejected.text);
}

#[tokio::test]
async fn a_straight_through_draft_that_is_submitted_after_its_price_changed_stays_pending() {
    let mut app = App::start().await;
    let id = has_proposal_before_birthday(&app, INSTANT, 41, "DRAFT").await;
    app.set_clock("2026-11-30T12:00:00+05:30").await;
    let answer = app.patch(&format!("{PROPOSAL}/{id}"), json!({ "status": "PENDING" })).await;
    assert_eq!((answer.status, &answer.json()["payload"]["status"]), (200, &json!("PENDING")));
    assert_eq!((app.status_of(&id).await.as_str(), app.rows_of("policies")), ("PENDING", 0));
    let (_, moves) = app.found_proposal(&id).await;
    assert_eq!(moves.len(), 2, "created and submitted");
}

/// An insurer with a variable premium, or without an answer. It counts its requests, and accepts every
/// proposal.
struct Prices {
    /// The premium in rupees; 0: no answer.
    rupees: AtomicU8,
    asked: AtomicU8,
}

impl Prices {
    /// An insurer with this premium in rupees.
    fn at(rupees: u8) -> Arc<Prices> {
        Arc::new(Prices { rupees: AtomicU8::new(rupees), asked: AtomicU8::new(0) })
    }

    fn asked(&self) -> u8 {
        self.asked.load(Ordering::SeqCst)
    }
}

#[async_trait]
impl Insurer for Prices {
    async fn price_credit(
        &self,
        CreditAsk { variants, .. }: CreditAsk<'_>,
        _: Duration,
    ) -> Result<Vec<Result<Premium, NotPriced>>, InsurerFault> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        match self.rupees.load(Ordering::SeqCst) {
            0 => Err(InsurerFault::Slow),
            rupees => {
                let base = domain::money::Rupees::whole(rupees.into());
                let premium = Premium::of_parts(base, domain::money::Rupees::ZERO).expect("small");
                Ok(vec![Ok(premium); variants.len()])
            }
        }
    }

    async fn price_health(&self, _: HealthAsk<'_>, _: Duration) -> Result<Vec<Outcome>, InsurerFault> {
        Err(InsurerFault::Slow)
    }

    async fn submit(&self, _: Submission<'_>, _: Duration) -> Result<InsurerDecision, InsurerFault> {
        Ok(InsurerDecision::Pending)
    }

    async fn decision(&self, _: ProposalId, _: Duration) -> Result<InsurerDecision, InsurerFault> {
        Ok(InsurerDecision::Pending)
    }

    async fn tell(&self, _: PolicyNotice<'_>, _: Duration) -> Result<(), InsurerFault> {
        Ok(())
    }

    async fn decide(&self, _: PolicyRequest<'_>, _: Duration) -> Result<RequestDecision, InsurerFault> {
        Ok(RequestDecision::Pending)
    }

    fn is_from(&self, told: &IncomingMessage<'_>) -> bool {
        told.authorization == Some("Bearer insurers-secret")
    }
}

#[tokio::test]
async fn an_insurer_is_asked_for_a_new_price_if_the_insured_person_differs_from_the_quote() {
    let insurer = Prices::at(100);
    let app = Setup::default().asking(vec![("kalpanik", insurer.clone())]).start().await;
    let body = body_of(&app, LEVEL, bodies::quote()).await;
    let quoted = insurer.asked();
    id_of(&propose(&app, body.clone()).await);
    assert_eq!(insurer.asked(), quoted, "nothing that it prices has changed");
    let other = with(body, "insured_members.0.date_of_birth", json!("16/06/1990"));
    id_of(&propose(&app, other.clone()).await);
    assert_eq!(insurer.asked(), quoted + 1);
    insurer.rupees.store(0, Ordering::SeqCst);
    propose(&app, other.clone()).await.is_refused(503, "E5030");
    assert_eq!(app.rows_of("proposals"), 2, "nothing is kept");
    insurer.rupees.store(101, Ordering::SeqCst);
    let answer = propose(&app, other).await;
    answer.has_faults_on(&["quote_id"]);
    assert!(answer.fault_on("quote_id").contains("costs ₹101; the quote says ₹100"), "{}", answer.text);
}

#[tokio::test]
async fn an_insurers_acceptance_against_product_rules_is_a_conflict_and_issues_no_policy() {
    let insurer = Prices::at(100);
    let mut app = Setup::default().asking(vec![("misaal", insurer.clone())]).start().await;
    // Age 60 today, 61 in ten days: too old for this product.
    let date_of_birth = born(61, days_later(today(), 10).expect("a day"), 0);
    let quote = with(bodies::quote(), "date_of_birth", json!(date_of_birth));
    let body = body_of(&app, MISAAL, quote).await;
    let body = with(body, "insured_members.0.date_of_birth", json!(date_of_birth));
    let id = id_of(&propose(&app, body).await);
    app.set_clock("2026-11-30T12:00:00+05:30").await;
    let told = json!({ "proposal_id": id, "decision": "accepted", "policy_number": "MA/1" });
    let request = app.request("POST", "/v1/insurers/ins_01m5vn1aygfe0av1wtx4v84kep/decisions");
    let answer = app.send(request.bearer_auth("insurers-secret").json(&told)).await;
    answer.is_refused(409, "S4090");
    assert_eq!(
        answer.json()["detail"],
        "The proposal stays PENDING, because the policy would break product rules: This cover is for people from 18 to 60 years of age when it starts."
    );
    assert_eq!((app.status_of(&id).await.as_str(), app.rows_of("policies")), ("PENDING", 0));
}

// Two people with a joint price (D76).

/// A variant with a joint price, issued at once.
const JOINT: &str = "vrt_01m5wq5vwgfy8r4zyzrdts5e4z";

/// A quote request with a joint borrower.
fn joint_quote(born: &str, gender: &str) -> Value {
    quote_with(&[("joint_date_of_birth", born), ("joint_gender", gender)])
}

#[tokio::test]
async fn a_joint_life_quote_can_be_sold_to_the_two_quoted_people() {
    let app = App::start().await;
    let couple = json!([bodies::proposer(), bodies::joint_borrower()]);
    let answer = app.post(QUOTE, joint_quote("29/02/1992", "FEMALE")).await;
    let items = answer.json()["payload"]["recommendations"].clone();
    let item = items.as_array().expect("a list").iter().find(|item| item["variant_id"] == JOINT).cloned();
    let item = item.expect("in the sample");
    assert_eq!(item["total_premium"], "4126.46", "{item}");
    let body = body_of(&app, JOINT, joint_quote("29/02/1992", "FEMALE")).await;
    let id = id_of(&propose(&app, with(body, "insured_members", couple)).await);
    assert_eq!(app.status_of(&id).await, "COMPLETED");
    let one = body_of(&app, JOINT, quote_with(&[])).await;
    id_of(&propose(&app, one).await);
}

#[tokio::test]
async fn a_corrected_birth_date_of_the_second_joint_life_is_priced_like_a_new_quote() {
    // D89
    let app = App::start().await;
    let couple = json!([bodies::proposer(), bodies::joint_borrower()]);
    let body = body_of(&app, JOINT, joint_quote("29/02/1992", "FEMALE")).await;
    let id = id_of(&propose(&app, with(body, "insured_members", couple)).await);
    let policy = app.policy_id_of(&id).await;
    let change = json!({ "kind": "DATE_OF_BIRTH", "member": 2, "date_of_birth": "28/02/1992" });
    let quoted = app.quotes_endorsement(&policy, change).await;
    assert_eq!(quoted.status, 200, "{}", quoted.text);
    // The joint price equals the price of a quote with that date of birth.
    let answer = app.post(QUOTE, joint_quote("28/02/1982", "FEMALE")).await;
    let items = answer.json()["payload"]["recommendations"].clone();
    let item = items.as_array().expect("a list").iter().find(|item| item["variant_id"] == JOINT).cloned();
    let older = json!({ "kind": "DATE_OF_BIRTH", "member": 2, "date_of_birth": "28/02/1982" });
    let quoted = app.quotes_endorsement(&policy, older).await;
    assert_eq!(quoted.status, 200, "{}", quoted.text);
    let priced = &item.expect("in the sample")["total_premium"];
    assert_eq!(&quoted.json()["payload"]["after"]["premium"]["total"], priced);
    assert_ne!(priced, "4126.46", "ten years are another price");
}

#[tokio::test]
async fn the_number_of_insured_people_must_match_a_joint_life_quote() {
    let app = App::start().await;
    let couple = json!([bodies::proposer(), bodies::joint_borrower()]);
    let one = body_of(&app, JOINT, quote_with(&[])).await;
    let sentence = "The quote is for one person, and this cover costs more for two. Get a new quote with joint_date_of_birth and joint_gender.";
    let answer = propose(&app, with(one.clone(), "insured_members", couple.clone())).await;
    is_refused_on(&answer, "insured_members", sentence);
    // Data of a joint borrower in the proposal does not change the quote.
    let told = told(&[("joint_date_of_birth", "29/02/1992"), ("joint_gender", "FEMALE")]);
    let told = with(with(one, "insured_members", couple.clone()), "context_data", told);
    assert_eq!(propose(&app, told).await.fault_on("insured_members"), sentence);
    let two = body_of(&app, JOINT, joint_quote("29/02/1992", "FEMALE")).await;
    let sentence = "The quote is for two people: add the second insured member.";
    is_refused_on(&propose(&app, two).await, "insured_members", sentence);
    // Without a joint price, the second person is insured at the first person's price.
    let level = body_of(&app, LEVEL, quote_with(&[])).await;
    id_of(&propose(&app, with(level, "insured_members", couple)).await);
}

#[tokio::test]
async fn the_second_person_must_have_the_date_of_birth_and_gender_of_the_quote() {
    let app = App::start().await;
    let couple = json!([bodies::proposer(), bodies::joint_borrower()]);
    for (born, gender, field, sentence) in [
        (
            "01/03/1992",
            "FEMALE",
            "insured_members[1].date_of_birth",
            "The date of birth differs from joint_date_of_birth of the quote. Get a new quote.",
        ),
        (
            "29/02/1972",
            "FEMALE",
            "insured_members[1].date_of_birth",
            "The date of birth differs from joint_date_of_birth of the quote. Get a new quote.",
        ),
        (
            "29/02/1992",
            "MALE",
            "insured_members[1].gender",
            "The gender differs from joint_gender of the quote. Get a new quote.",
        ),
    ] {
        let body = body_of(&app, JOINT, joint_quote(born, gender)).await;
        let answer = propose(&app, with(body, "insured_members", couple.clone())).await;
        is_refused_on(&answer, field, sentence);
    }
}

#[tokio::test]
async fn a_quote_with_an_invalid_date_of_birth_or_gender_of_the_second_person_is_refused() {
    let app = App::start().await;
    for (key, value) in [("joint_date_of_birth", "1992-02-29"), ("joint_gender", "F"), ("joint_gender", "")] {
        let answer = app.post(QUOTE, quote_with(&[(key, value)])).await;
        answer.has_faults_on(&["context_data[0].values[0]"]);
    }
}

// Riders (D77).

#[tokio::test]
async fn riders_are_sold_at_the_quoted_price_and_unquoted_riders_are_refused() {
    let app = App::start().await;
    let answer = app.post(QUOTE, quote_with(&[("riders", "accident")])).await;
    let items = answer.json()["payload"]["recommendations"].clone();
    for item in items.as_array().expect("a list") {
        if item["variant_id"] == INSTANT {
            assert_eq!(item["total_premium"], "4189.00", "{item}");
        } else {
            assert_eq!(item["is_error"], true, "{item}");
        }
    }
    let level = items.as_array().expect("a list").iter().find(|item| item["variant_id"] == LEVEL);
    assert_eq!(level.expect("in the sample")["error_message"], "This cover has no rider accident.");
    let body = body_of(&app, INSTANT, quote_with(&[("riders", "accident")])).await;
    let sold = id_of(&propose(&app, body.clone()).await);
    let certificate =
        text_of(&certificate_of(&app, &sold).await.bytes).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        certificate.contains("Death by accident"),
        "the certificate names what was bought: {certificate}"
    );
    // A proposal may only repeat the quoted riders.
    let body = bodies::of_borrower(body, "Devika");
    let said = |riders: &str| with(body.clone(), "context_data", told(&[("riders", riders)]));
    id_of(&propose(&app, said("accident")).await);
    let sentence = "Cover with these riders costs ₹5,018.54; the quote says ₹4,189. Get a new quote.";
    is_refused_on(&propose(&app, said("critical-illness")).await, "context_data", sentence);
    let sentence = "This cover has no rider hospital-cash.";
    is_refused_on(&propose(&app, said("hospital-cash")).await, "context_data", sentence);
}

/// The sample, with a price for the level cover that is 10 % higher for salaried borrowers and 20 % higher
/// for users of tobacco.
fn pricing_occupations() -> Setup {
    Setup::with_edited("insurers/kalpanik/loan-suraksha.toml", |text| {
        let loaded = "occupation_percent = { SALARIED = 10 }\ntobacco_percent = 20\nsteps = [\n    { occupation_loading = true },\n    { tobacco_loading = true },";
        text.replacen("steps = [", loaded, 1)
    })
}

#[tokio::test]
async fn occupation_and_tobacco_raise_the_price_if_the_product_prices_them() {
    let app = pricing_occupations().start().await;
    let price = async |context: &[(&str, &str)]| {
        let answer = app.post(QUOTE, quote_with(context)).await;
        let items = answer.json()["payload"]["recommendations"].clone();
        let level =
            items.as_array().expect("a list").iter().find(|item| item["variant_id"] == LEVEL).cloned();
        level.expect("in the sample")["base_premium"].as_str().expect("a price").to_owned()
    };
    let standard = price(&[]).await;
    assert_eq!(price(&[("occupation", "STUDENT"), ("tobacco", "no")]).await, standard);
    let paise = |amount: &str| amount.replace('.', "").parse::<f64>().expect("an amount");
    for (told, more) in [
        (vec![("occupation", "SALARIED")], 1.1),
        (vec![("tobacco", "yes")], 1.2),
        (vec![("occupation", "SALARIED"), ("tobacco", "yes")], 1.32),
    ] {
        let ratio = paise(&price(&told).await) / paise(&standard);
        assert!((ratio - more).abs() < 0.001, "{told:?} costs {ratio}");
    }
    for (key, wrong) in [("occupation", "ASTRONAUT"), ("tobacco", "sometimes")] {
        let answer = app.post(QUOTE, quote_with(&[(key, wrong)])).await;
        assert_eq!((answer.status, answer.fault_fields().len()), (400, 1), "{}", answer.text);
    }
}

#[tokio::test]
async fn a_borrower_of_another_occupation_than_quoted_needs_a_new_quote() {
    let app = pricing_occupations().start().await;
    let body = body_of(&app, LEVEL, quote_with(&[])).await;
    let refused = propose(&app, body).await;
    let sentence = refused.fault_on("insured_members[0].occupation");
    assert!(sentence.starts_with("Cover of a person of this occupation costs"), "{sentence}");
    let body = body_of(&app, LEVEL, quote_with(&[("occupation", "SALARIED")])).await;
    id_of(&propose(&app, body.clone()).await);
    let smokes = with(body, "context_data", told(&[("tobacco", "yes")]));
    let sentence = propose(&app, smokes).await.fault_on("context_data");
    assert!(sentence.contains("tobacco"), "{sentence}");
    // A product that does not price occupations ignores them.
    let plain = App::start().await;
    let body = body_of(&plain, LEVEL, quote_with(&[])).await;
    id_of(&propose(&plain, body).await);
}

// Random proposals.

mod whatever_is_proposed {
    use std::sync::OnceLock;

    use proptest::prelude::*;
    use tokio::runtime::Runtime;

    use super::*;

    /// One app for all cases.
    fn shared() -> &'static (Runtime, App) {
        static SHARED: OnceLock<(Runtime, App)> = OnceLock::new();
        SHARED.get_or_init(|| {
            let runtime = Runtime::new().expect("a runtime");
            // Partners collect the premium of one product. Deposits pay for the others.
            let setup = Setup::default().with_premium("insurers/misaal/rin-kavach.toml", "by = \"partner\"");
            let app = runtime.block_on(setup.start());
            (runtime, app)
        })
    }

    fn day_near_an_edge() -> impl Strategy<Value = String> {
        let years =
            prop_oneof![Just(18_i16), Just(36), Just(46), Just(60), Just(61), Just(65), Just(66), 16..92_i16];
        (years, -3..4_i16, prop_oneof![Just(0_u16), Just(30), Just(90)])
            .prop_map(|(years, days, later)| born(years, days_later(today(), later).expect("a day"), days))
    }

    /// Sells every quoted variant once. No policy may break its product's rules, have another premium than
    /// the explained one, or be issued before its premium has come. Where the partner collects, it pays
    /// `paise` more than the premium.
    async fn sell(
        app: &App,
        quote: Value,
        people: Vec<Value>,
        context: Value,
        paise: i64,
    ) -> Result<usize, TestCaseError> {
        let payload = app.post(QUOTE, quote).await.json()["payload"].clone();
        let mut sold = 0;
        for item in payload["recommendations"].as_array().expect("a list") {
            let mut body = bodies::proposal(&payload["quote_id"], &item["recommendation_id"], "SUBMITTED");
            body["insured_members"] = people.clone().into();
            body["context_data"] = context.clone();
            let answer = propose(app, body).await;
            if answer.status != 201 {
                prop_assert_eq!(answer.status, 400, "{}", answer.text);
                continue;
            }
            let id = id_of(&answer);
            let decided = app
                .service
                .operator_proposals
                .decide(id.parse().expect("an id"), Verdict::of(true, None))
                .await;
            let waits = decided.as_ref().is_ok_and(|decided| decided.waits_for.is_some());
            if waits {
                prop_assert_eq!(app.rows_of_policies(&id).await, 0);
                let due = app.premium_of(&id).await.books.due;
                let paid = Rupees::from_paise(due.paise() + paise).to_string();
                prop_assert_eq!(app.pays(&format!("UTR-{id}"), &id, &paid).await.status, 201);
                if paise == 0 {
                    app.is_completed_at_last(&id).await;
                }
            }
            let (proposal, _) = app.found_proposal(&id).await;
            if proposal.status.word() != "COMPLETED" {
                prop_assert!(decided.is_err() || (waits && paise != 0), "{:?}", decided);
                prop_assert_eq!(app.rows_of_policies(&id).await, 0);
                continue;
            }
            sold += 1;
            let premium = proposal.premium.total();
            let ledger = app.service.premiums.ledger_of(proposal.partner, proposal.id).await.expect("read");
            let of_premium = ledger.iter().filter(|line| line.posting.credit == Account::Premium);
            prop_assert_eq!(of_premium.map(|line| line.posting.amount).sum::<Rupees>(), premium);
            app.balance(Account::Premium).await;
            let (of, id) = (proposal.partner, proposal.id);
            let policy = app.service.proposals.policy_of(of, id).await;
            let policy = policy.expect("readable").expect("there");
            let catalogue = app.service.shared.catalogues.running();
            let variant = catalogue.credit_variant(proposal.application.variant).expect("of the catalogue");
            let period = policy.cover.credit_life().expect("credit life").period;
            let (limits, starts) = (&variant.limits, period.starts);
            for member in &proposal.application.request.insured_members {
                let age = u16::try_from(member.born.age_on(starts)).expect("born before");
                let at_end = member.born.age_on(period.ends);
                prop_assert!(limits.age_at_entry.holds(&age), "{} on {}", age, starts);
                prop_assert!(
                    limits.age_at_end.is_none_or(|most| at_end <= most as i16),
                    "{} at the end",
                    at_end
                );
            }
            prop_assert!(
                proposal.application.request.insured_members.len() <= usize::from(limits.sale.members)
            );
            let sale = variant.sale(&proposal.application, day_of(policy.issued_at));
            let explained = variant.explain(&sale.sold, starts);
            prop_assert_eq!(explained.outcome, Ok(policy.premium));
        }
        Ok(sold)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, max_shrink_iters: 50, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_issued_policy_obeys_the_product_rules_and_has_the_right_and_paid_premium(
            quoted in day_near_an_edge(), members in proptest::collection::vec(day_near_an_edge(), 1..6), is_quoted: bool,
            in_quote in proptest::option::of(0_u16..100), in_proposal in proptest::option::of(0_u16..100), loan in 100_000_u32..700_000,
            paise in -1_i64..=1,
        ) {
            let (runtime, app) = shared();
            let disbursed = |days: Option<u16>| days.map(|days| written(days_later(today(), days).expect("a day")));
            let (in_quote, in_proposal) = (disbursed(in_quote), disbursed(in_proposal));
            let loan = loan.to_string();
            let mut context = vec![("loan_amount", loan.as_str())];
            context.extend(in_quote.as_deref().map(|day| ("disbursement_date", day)));
            let quote = with(quote_with(&context), "date_of_birth", json!(quoted));
            let context: Vec<(&str, &str)> = in_proposal.as_deref().map(|day| ("disbursement_date", day)).into_iter().collect();
            let people: Vec<Value> = members.iter().enumerate().map(|(at, born)| {
                let own = if at == 0 && is_quoted { &quoted } else { born };
                with(another(at), "date_of_birth", json!(own))
            }).collect();
            runtime.block_on(sell(app, quote, people, told(&context), paise))?;
        }
    }

    #[test]
    fn an_ordinary_request_of_the_property_test_is_sold_for_more_than_three_variants() {
        let (runtime, app) = shared();
        let sold = runtime
            .block_on(sell(app, bodies::quote(), vec![bodies::proposer()], json!([]), 0))
            .expect("sound");
        assert!(sold > 3, "{sold}");
    }
}

// Several policies on one loan.

/// A proposal of level cover of 5,00,000 for a loan of 2,00,000, of which 6,00,000 may be covered.
async fn on_account(app: &App, account: &str, person: Value) -> Value {
    let loan = [("loan_amount", "200000"), ("loan_account_number", account)];
    let body = body_of(app, LEVEL, quote_with(&loan)).await;
    with(with(body, "insured_members.0", person.clone()), "proposer", person)
}

#[tokio::test]
async fn the_cover_limit_counts_all_active_policies_of_a_person_on_a_loan_account() {
    let app = App::start().await;
    let asha = bodies::proposer();
    let mut other = with(asha.clone(), "first_name", json!("Devika"));
    other["documents"] = json!([]);
    // Two proposals are made before either is sold.
    let first = id_of(&propose(&app, on_account(&app, "LN-9", asha.clone()).await).await);
    let second = id_of(&propose(&app, on_account(&app, "LN-9", asha.clone()).await).await);
    assert_eq!(complete(&app, &first).await.status, 200);
    let refused = complete(&app, &second).await;
    refused.is_refused(400, "S4000");
    let sentence = "This cover is limited to 300% of the loan: ₹10,00,000, of which other policies on \
                    this loan account have ₹5,00,000, is too much for a loan of ₹2,00,000.";
    assert!(refused.text.contains(sentence), "{}", refused.text);
    let third = propose(&app, on_account(&app, "LN-9", asha.clone()).await).await;
    is_refused_on(&third, "quote_id", sentence);
    for (account, person) in [("LN-10", &asha), ("LN-9", &other)] {
        let id = id_of(&propose(&app, on_account(&app, account, person.clone()).await).await);
        assert_eq!(complete(&app, &id).await.status, 200, "{account}");
    }
    let policy = app.policy_id_of(&first).await;
    assert_eq!(app.cancels(&policy, "FREE_LOOK").await.status, 200);
    assert_eq!(complete(&app, &second).await.status, 200, "what was cancelled does not count");
}

#[tokio::test]
async fn loan_account_numbers_are_compared_without_case_and_invisible_characters() {
    // D140
    let app = App::start().await;
    let asha = bodies::proposer();
    let first = id_of(&propose(&app, on_account(&app, "LN-9a", asha.clone()).await).await);
    assert_eq!(complete(&app, &first).await.status, 200);
    for account in ["ln-9A", "LN-\u{200b}9a", " LN-9a\u{feff}", "\u{00ad}ln-9a"] {
        let refused = propose(&app, on_account(&app, account, asha.clone()).await).await;
        assert!(refused.fault_on("quote_id").contains("other policies on this loan account"), "{account:?}");
    }
}

#[tokio::test]
async fn simultaneous_completions_cannot_exceed_the_cover_limit_of_a_loan_account() {
    // D140
    let app = App::start().await;
    let mut proposals = Vec::new();
    for _ in 0..12 {
        proposals.push(id_of(&propose(&app, on_account(&app, "LN-9", bodies::proposer()).await).await));
    }
    let answers = futures_util::future::join_all(proposals.iter().map(|id| complete(&app, id))).await;
    let sold = answers.iter().filter(|answer| answer.status == 200).count();
    assert_eq!(sold, 1, "₹5,00,000 of ₹6,00,000 are covered by one policy");
    for refused in answers.iter().filter(|answer| answer.status != 200) {
        refused.is_refused(400, "S4000");
        assert!(refused.text.contains("other policies on this loan account"), "{}", refused.text);
    }
    assert_eq!(app.rows_of("policies"), 1);
}

#[tokio::test]
async fn one_variant_of_a_quote_can_be_sold_to_a_person_only_once() {
    // D140
    let app = App::start().await;
    for variant in [LEVEL, INSTANT] {
        let body = body_of(&app, variant, bodies::quote()).await;
        let first = id_of(&propose(&app, body.clone()).await);
        if variant == LEVEL {
            assert_eq!(complete(&app, &first).await.status, 200);
        }
        let number = policy_of(&app, &first).await.number;
        // Another mobile number and another spelling are still the same person.
        let body = with(body, "insured_members.0.mobile", json!("9123456780"));
        let body = with(body, "proposer.mobile", json!("9123456780"));
        let again = propose(&app, body.clone()).await;
        let refused = match variant {
            LEVEL => complete(&app, &id_of(&again)).await,
            _ => again,
        };
        refused.is_refused(400, "S4000");
        assert!(refused.text.contains(&format!("policy {number}")), "{}", refused.text);
        let other = id_of(&propose(&app, bodies::of_borrower(body, "Devika")).await);
        if variant == LEVEL {
            assert_eq!(complete(&app, &other).await.status, 200, "another person");
        }
    }
}

#[tokio::test]
async fn simultaneous_completions_sell_one_variant_of_a_quote_only_once() {
    // D140
    let app = App::start().await;
    for variant in [LEVEL, INSTANT] {
        let body = body_of(&app, variant, bodies::quote()).await;
        let sold_before = app.rows_of("policies");
        let answers = match variant {
            LEVEL => {
                let mut proposals = Vec::new();
                for _ in 0..12 {
                    proposals.push(id_of(&propose(&app, body.clone()).await));
                }
                futures_util::future::join_all(proposals.iter().map(|id| complete(&app, id))).await
            }
            _ => futures_util::future::join_all((0..12).map(|_| propose(&app, body.clone()))).await,
        };
        let sold = answers.iter().filter(|answer| answer.status < 300).count();
        assert_eq!((sold, app.rows_of("policies") - sold_before), (1, 1), "{variant}");
        for refused in answers.iter().filter(|answer| answer.status >= 300) {
            refused.is_refused(400, "S4000");
            assert!(refused.text.contains("already sold to this person"), "{}", refused.text);
        }
    }
}

#[tokio::test]
async fn a_product_can_allow_several_sales_of_one_quoted_variant_to_the_same_person() {
    // D140
    let setup = Setup::with_edited("insurers/kalpanik/loan-suraksha.toml", |text| {
        text.replace("cover_up_to = 300", "cover_up_to = 300\nsame_quote = \"many\"")
    });
    let app = setup.start().await;
    let body = body_of(&app, LEVEL, bodies::quote()).await;
    for _ in 0..3 {
        let id = id_of(&propose(&app, body.clone()).await);
        assert_eq!(complete(&app, &id).await.status, 200);
    }
}

#[tokio::test]
async fn a_name_with_an_invisible_character_is_refused() {
    // D140
    let app = App::start().await;
    let body = body_of(&app, LEVEL, bodies::quote()).await;
    for hidden in ["\u{ad}", "\u{200b}", "\u{2060}", "\u{feff}", "\u{ffff}", "\u{fdd0}", "\u{1fffe}"] {
        for field in ["first_name", "middle_name", "last_name"] {
            let path = format!("proposer.{field}");
            let refused = propose(&app, with(body.clone(), &path, json!(format!("As{hidden}ha")))).await;
            assert!(refused.fault_on(&path).contains("without invisible characters"), "{hidden:?}");
        }
    }
    // A joiner is part of a conjunct in Indian scripts.
    let body = with(body, "proposer.first_name", json!("क्\u{200d}षमा"));
    let body = with(body, "insured_members.0.first_name", json!("क्\u{200d}षमा"));
    id_of(&propose(&app, body).await);
}

#[tokio::test]
async fn a_product_that_needs_a_loan_is_not_sold_without_one() {
    let setup = Setup::with_edited("insurers/kalpanik/loan-suraksha.toml", |text| {
        text.replace("cover_up_to = 300", "cover_up_to = 300\nloan_required = true")
    });
    let app = setup.start().await;
    let body = body_of(&app, LEVEL, quote_with(&[])).await;
    let refused = propose(&app, body).await;
    is_refused_on(&refused, "context_data", "Required: loan_amount. This cover is sold only for a loan.");
    let body = body_of(&app, LEVEL, quote_with(&[("loan_amount", "500000")])).await;
    id_of(&propose(&app, body).await);
}
