//! `POST /v1/policies/{policy_id}/renewal-quote`: when a policy can be renewed, for whom, and at which price
//! (D91).

use serde_json::{Value, json};

use crate::support::bodies::imported_policy;
use crate::support::{Answer, App, Setup};

/// The policies of these tests have cover from 20 November 2026 to 19 November 2027. They can be renewed from
/// this day.
const FIRST_DAY: &str = "2027-10-05T00:00:00+05:30";

/// The sentence of a refusal with S4000.
#[track_caller]
fn refusal(answer: &Answer) -> String {
    answer.is_refused(400, "S4000");
    answer.json()["detail"].as_str().expect("text").to_owned()
}

fn path(id: &str) -> String {
    format!("/v1/policies/{id}/renewal-quote")
}

#[tokio::test]
async fn a_renewal_quote_prices_the_same_plan_by_ages_and_tax_on_its_first_day() {
    let mut app = Setup::health().start().await;
    let id = app.has_health_policy().await;
    assert_eq!(app.policy(&id).await["premium"]["total"], "7500.00", "exempt in 2026");
    app.set_clock(FIRST_DAY).await;
    let before = app.policy(&id).await;
    let quoted = app.quotes_renewal(&id).await;
    assert_eq!(quoted.status, 200, "{}", quoted.text);
    let quoted = quoted.json()["payload"].clone();
    // 5,000 for age 35, half as much more for diabetes, and 10 % tax, the rate of 2027.
    assert_eq!(quoted["premium"], json!({ "base": "7500.00", "gst": "750.00", "total": "8250.00" }));
    assert_eq!(quoted["premium_before"]["total"], "7500.00");
    assert_eq!(
        (&quoted["cover_starts"], &quoted["cover_ends"], &quoted["days_without_cover"]),
        (&json!("2027-11-20"), &json!("2028-11-19"), &json!(0))
    );
    assert_eq!((&quoted["years"], &quoted["sum_insured"]), (&json!(1), &json!("1000000.00")));
    assert_eq!((&quoted["confirmed_by"], &quoted["paid_by"]), (&json!("operator"), &json!("deposit")));
    let steps = quoted["steps"].as_array().expect("a list");
    let last = steps.last().expect("a step");
    assert_eq!(last["amount"], "8250.00", "the steps lead to the premium: {steps:?}");
    assert!(quoted["source"].as_str().expect("text").contains("grace period of 30 days"));
    let mut after = app.policy(&id).await;
    after["papers"] = before["papers"].clone();
    assert_eq!(after, before, "nothing has changed");
}

#[tokio::test]
async fn the_waiting_period_of_a_renewal_counts_from_the_first_policy() {
    let mut app = Setup::health().start().await;
    let id = app.has_health_policy().await;
    app.set_clock(FIRST_DAY).await;
    let quoted = app.quotes_renewal(&id).await.json()["payload"].clone();
    assert_eq!(
        quoted["waiting_period"],
        json!({ "months": 24, "served_months": 12, "over_on": "2028-11-20" })
    );
    assert_eq!(quoted["covered_since"], "2026-11-20");
    // The waiting period of the next renewal counts from the first policy.
    let second = app.has_renewed(&id).await;
    app.set_clock("2028-11-01T12:00:00+05:30").await;
    let quoted = app.quotes_renewal(&second).await.json()["payload"].clone();
    assert_eq!(
        quoted["waiting_period"],
        json!({ "months": 24, "served_months": 24, "over_on": "2028-11-20" })
    );
    assert_eq!(quoted["covered_since"], "2026-11-20");
    // Age 36 by then: 8,000, and half as much more.
    assert_eq!(quoted["premium"]["base"], "12000.00");
}

#[tokio::test]
async fn a_policy_can_be_renewed_from_45_days_before_its_end_until_its_grace_period_is_over() {
    let mut app = Setup::health().start().await;
    let id = app.has_health_policy().await;
    app.set_clock("2027-10-04T23:59:59+05:30").await;
    let early = refusal(&app.quotes_renewal(&id).await);
    assert!(early.contains("from 5 Oct 2027 on"), "{early}");
    assert_eq!(app.policy(&id).await["renewal"]["may_renew"], false);
    app.set_clock(FIRST_DAY).await;
    assert_eq!(app.quotes_renewal(&id).await.status, 200);
    assert_eq!(
        app.policy(&id).await["renewal"],
        json!({
            "may_renew": true, "renewable_from": "2027-10-05", "renewable_until": "2027-12-19",
            "renews": null, "renewed_by": null, "covered_since": null,
        })
    );
    // In the grace period, nobody has cover until the renewal begins.
    app.set_clock("2027-12-19T23:59:59+05:30").await;
    let quoted = app.quotes_renewal(&id).await.json()["payload"].clone();
    assert_eq!(
        (&quoted["cover_starts"], &quoted["days_without_cover"], &quoted["covered_since"]),
        (&json!("2027-12-19"), &json!(29), &json!("2026-11-20"))
    );
    assert_eq!(app.policy(&id).await["status"], "EXPIRED");
    app.set_clock("2027-12-20T00:00:00+05:30").await;
    let late = refusal(&app.quotes_renewal(&id).await);
    assert!(late.contains("LAPSED"), "{late}");
    let lapsed = app.policy(&id).await;
    assert_eq!(
        (&lapsed["status"], &lapsed["status_since"], &lapsed["renewal"]["may_renew"]),
        (&json!("LAPSED"), &json!("2027-12-19T18:30:00Z"), &json!(false))
    );
}

#[tokio::test]
async fn a_renewal_can_have_another_tenure_only_if_the_plan_offers_it() {
    let mut app = Setup::health().start().await;
    let id = app.has_health_policy().await;
    app.set_clock(FIRST_DAY).await;
    let three = app.post(&path(&id), json!({ "years": 3 })).await;
    let three = three.json()["payload"].clone();
    // Three times 7,500, less 10 %, with 10 % tax.
    assert_eq!(three["premium"]["total"], "22275.00");
    assert_eq!(three["cover_ends"], "2030-11-19");
    let two = app.post(&path(&id), json!({ "years": 2 })).await;
    two.has_faults_on(&["years"]);
    assert!(two.text.contains("Must be 1 or 3."), "{}", two.text);
    for (body, field) in [
        (json!({ "years": "one" }), "years"),
        (json!({ "years": 0 }), "years"),
        (json!({ "years": 1, "sum_insured": "1" }), "sum_insured"),
    ] {
        app.post(&path(&id), body).await.has_faults_on(&[field]);
    }
}

#[tokio::test]
async fn a_member_above_the_entry_age_can_renew_only_if_the_plan_has_a_renewal_age() {
    // 34 is the highest entry age, and the customer is 35 by then.
    let entry = |text: String| {
        text.replace("adult_age = { least = 18, most = 65 }", "adult_age = { least = 18, most = 34 }")
    };
    for (more, wanted) in [("", "cannot be renewed unchanged"), ("\nrenewal_age = 65", "")] {
        let setup = Setup::health().edited("insurers/amrit/product.toml", |text| {
            entry(text).replace("most = 34 }", &format!("most = 34 }}{more}"))
        });
        let mut app = setup.start().await;
        let id = app.has_health_policy().await;
        app.set_clock(FIRST_DAY).await;
        let answer = app.quotes_renewal(&id).await;
        match wanted {
            "" => assert_eq!(answer.json()["payload"]["premium"]["total"], "8250.00"),
            wanted => {
                let refused = refusal(&answer);
                assert!(refused.contains(wanted), "{refused}");
            }
        }
    }
}

#[tokio::test]
async fn a_policy_whose_plan_is_no_longer_sold_cannot_be_renewed() {
    let mut app = Setup::health().start().await;
    let id = app.has_health_policy().await;
    app.set_clock(FIRST_DAY).await;
    let without = Setup::health().edited("insurers/amrit/product.toml", |text| {
        text.replace("vrt_01m6hea1thtest000000000021\"\nname", "vrt_01m6hea1thtest000000000029\"\nname")
            .replace("parent = \"vrt_01m6hea1thtest000000000021\"\n", "")
    });
    app.runs_catalogue(&without.catalogue).await;
    let refused = refusal(&app.quotes_renewal(&id).await);
    assert!(refused.contains("not sold any more"), "{refused}");
}

#[tokio::test]
async fn a_policy_cannot_be_renewed_if_the_catalogue_has_no_renewal_rules() {
    let none = Setup::health().edited("renewals.toml", |_| String::new());
    let mut app = none.start().await;
    let id = app.has_health_policy().await;
    app.set_clock("2027-11-19T12:00:00+05:30").await;
    app.quotes_renewal(&id).await.is_refused(400, "S4000");
    let renewal = app.policy(&id).await["renewal"].clone();
    assert_eq!((&renewal["may_renew"], &renewal["renewable_until"]), (&json!(false), &Value::Null));
    app.set_clock("2029-01-01T12:00:00+05:30").await;
    assert_eq!(app.policy(&id).await["status"], "EXPIRED", "it could not be renewed, and lapses never");
}

#[tokio::test]
async fn a_cancelled_imported_unknown_or_other_partners_policy_cannot_be_renewed() {
    let mut app = Setup::health().start().await;
    let cancelled = app.has_health_policy().await;
    let imported = app.imports_policies(vec![imported_policy()]).await.remove(0);
    assert_eq!(app.cancels(&cancelled, "FREE_LOOK").await.status, 200);
    app.set_clock(FIRST_DAY).await;
    let refused = refusal(&app.quotes_renewal(&cancelled).await);
    assert!(refused.contains("CANCEL"), "{refused}");
    app.quotes_renewal(&imported).await.is_refused(409, "S4090");
    app.quotes_renewal("pol_01m5vvw3xreqg9aaa1afd2xg99").await.is_refused(404, "R4040");
    let other = app.new_partner("Other Platform").await;
    app.as_partner(&other, "POST", &path(&cancelled), Some(json!({}))).await.is_refused(404, "R4040");
}

#[tokio::test]
async fn a_credit_life_policy_cannot_be_renewed() {
    let app = App::start().await;
    let id = app.has_policy().await;
    let refused = refusal(&app.quotes_renewal(&id).await);
    assert!(refused.contains("cannot be renewed here"), "{refused}");
}
