//! `POST /v1/policies/{policy_id}/endorsement-quote`: the charge or the refund of a change, to the paisa and
//! step by step (D89).

use serde_json::{Value, json};

use crate::support::bodies::{address, nominee, without};
use crate::support::claims::death;
use crate::support::{App, Setup};

async fn quote(app: &App, id: &str, change: Value) -> Value {
    let answer = app.quotes_endorsement(id, change).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["payload"].clone()
}

fn split(base: &str, gst: &str, total: &str) -> Value {
    json!({ "base": base, "gst": gst, "total": total })
}

#[tokio::test]
async fn a_correction_to_a_younger_age_refunds_the_difference_at_the_rates_of_the_sale() {
    let mut app = App::start().await;
    let id = app.has_policy().await;
    app.set_clock("2027-11-29T12:00:00+05:30").await;
    // Age 34 on the first day: 2.84 per thousand instead of 3.71, for 5 lakh, with 18 % tax.
    let quoted = quote(&app, &id, json!({ "kind": "DATE_OF_BIRTH", "date_of_birth": "15/06/1992" })).await;
    assert_eq!(quoted["before"]["premium"], split("1855.00", "333.90", "2188.90"));
    assert_eq!(quoted["after"]["premium"], split("1420.00", "255.60", "1675.60"));
    assert_eq!(quoted["refund"], split("435.00", "78.30", "513.30"));
    assert_eq!(quoted["charge"], split("0.00", "0.00", "0.00"));
    assert_eq!((&quoted["refund_due_on"], &quoted["kind"]), (&json!("2027-12-06"), &json!("DATE_OF_BIRTH")));
    let steps = quoted["steps"].as_array().expect("a list");
    let amounts: Vec<&str> = steps.iter().map(|step| step["amount"].as_str().expect("text")).collect();
    assert_eq!(amounts, ["1855.00", "1420.00", "435.00", "435.00", "435.00", "513.30"]);
    assert!(steps[3]["rule"].as_str().expect("a place").starts_with("endorsements.toml:"), "{steps:?}");
    // The quote changes nothing.
    assert_eq!(app.policy(&id).await["endorsements"], json!([]));
    assert_eq!(app.policy(&id).await["premium"]["total"], "2188.90");
}

#[tokio::test]
async fn a_correction_to_an_older_age_has_a_charge_and_an_age_outside_the_limits_is_refused() {
    let app = App::start().await;
    let id = app.has_policy().await;
    // Age 47 on the first day: 6.50 per thousand.
    let older = json!({ "kind": "DATE_OF_BIRTH", "member": 1, "date_of_birth": "15/06/1979" });
    let quoted = quote(&app, &id, older).await;
    assert_eq!(quoted["charge"], split("1395.00", "251.10", "1646.10"));
    assert_eq!((&quoted["refund"]["total"], &quoted["refund_due_on"]), (&json!("0.00"), &Value::Null));
    assert_eq!(quoted["steps"].as_array().expect("a list").last().expect("one")["amount"], "1646.10");
    for nobody in ["15/06/1960", "15/06/2010"] {
        let refused =
            app.quotes_endorsement(&id, json!({ "kind": "DATE_OF_BIRTH", "date_of_birth": nobody })).await;
        refused.has_faults_on(&["date_of_birth"]);
    }
}

#[tokio::test]
async fn a_cover_reduction_refunds_the_premium_difference_for_the_remaining_days() {
    let mut app = App::start().await;
    let id = app.has_policy().await;
    app.set_clock("2026-11-29T12:00:00+05:30").await;
    // 3.71 x 300 is 1,113.00. That is 742.00 less; 721 of 731 days of it, with the tax, are refunded.
    let quoted = quote(&app, &id, json!({ "kind": "COVER_REDUCTION", "sum_insured": "300000.00" })).await;
    assert_eq!(quoted["after"]["sum_insured"], "300000.00");
    assert_eq!(quoted["after"]["premium"], split("1113.00", "200.34", "1313.34"));
    assert_eq!(quoted["refund"], split("731.85", "131.73", "863.58"));
    for more in ["500000.00", "600000.00"] {
        app.quotes_endorsement(&id, json!({ "kind": "COVER_REDUCTION", "sum_insured": more }))
            .await
            .has_faults_on(&["sum_insured"]);
    }
    let below =
        app.quotes_endorsement(&id, json!({ "kind": "COVER_REDUCTION", "sum_insured": "9999.00" })).await;
    below.has_faults_on(&["sum_insured"]);
}

#[tokio::test]
async fn endorsements_that_do_not_change_the_price_are_free() {
    let app = App::start().await;
    let id = app.has_policy().await;
    let name = json!({ "title": "MS", "first_name": "Aasha", "last_name": "Rao" });
    for change in [
        json!({ "kind": "NOMINEE", "nominees": two_nominees() }),
        json!({ "kind": "CONTACT", "contact": { "address": with_pincode("560001") } }),
        json!({ "kind": "CONTACT", "member": 1, "contact": { "email": "new@example.com" } }),
        json!({ "kind": "NAME", "name": name }),
        json!({ "kind": "LOAN_ACCOUNT", "loan_account": "LN-0002" }),
        json!({ "kind": "ASSIGNMENT", "assignee": "Udaharan Bank" }),
    ] {
        let quoted = quote(&app, &id, change.clone()).await;
        assert_eq!(quoted["before"], quoted["after"], "{change}");
        assert_eq!(
            (&quoted["charge"]["total"], &quoted["refund"]["total"]),
            (&json!("0.00"), &json!("0.00"))
        );
        assert_eq!((&quoted["steps"], &quoted["confirmed_by"]), (&json!([]), &json!("straight-through")));
    }
}

fn two_nominees() -> Value {
    let mut other = nominee(json!(40));
    other["first_name"] = "Rani".into();
    json!([nominee(json!(60)), other])
}

fn with_pincode(pincode: &str) -> Value {
    let mut address = address();
    address["pincode"] = pincode.into();
    address
}

#[tokio::test]
async fn every_fault_of_an_endorsement_is_named() {
    let app = App::start().await;
    let id = app.has_policy().await;
    let faults = async |change: Value, fields: &[&str]| {
        app.quotes_endorsement(&id, change).await.has_faults_on(fields);
    };
    faults(json!({}), &["kind"]).await;
    faults(json!({ "kind": "COLOUR" }), &["kind"]).await;
    for (kind, field) in [
        ("NOMINEE", "nominees"),
        ("CONTACT", "contact"),
        ("NAME", "name"),
        ("DATE_OF_BIRTH", "date_of_birth"),
        ("LOAN_ACCOUNT", "loan_account"),
        ("ASSIGNMENT", "assignee"),
        ("COVER_REDUCTION", "sum_insured"),
    ] {
        faults(json!({ "kind": kind }), &[field]).await;
    }
    // Fields of another kind of change are refused.
    faults(
        json!({ "kind": "LOAN_ACCOUNT", "loan_account": "LN-2", "member": 1, "assignee": "A" }),
        &["assignee", "member"],
    )
    .await;
    faults(json!({ "kind": "NOMINEE", "nominees": [] }), &["nominees"]).await;
    faults(json!({ "kind": "NOMINEE", "nominees": [nominee(json!(60))] }), &["nominees"]).await;
    faults(
        json!({ "kind": "NOMINEE", "nominees": [without(nominee(json!(100)), "first_name")] }),
        &["nominees[0].first_name"],
    )
    .await;
    faults(json!({ "kind": "CONTACT", "contact": {} }), &["contact.address"]).await;
    faults(
        json!({ "kind": "CONTACT", "member": 2, "contact": { "email": "x", "mobile": "1" } }),
        &["contact.email", "contact.mobile"],
    )
    .await;
    for nobody in [2, 70_000] {
        faults(json!({ "kind": "CONTACT", "member": nobody, "contact": { "email": "a@b.in" } }), &["member"])
            .await;
    }
    faults(json!({ "kind": "ASSIGNMENT", "assignee": "x".repeat(101) }), &["assignee"]).await;
    faults(json!({ "kind": "DATE_OF_BIRTH", "date_of_birth": "1990-06-15" }), &["date_of_birth"]).await;
    // A value that the policy already has is not a change.
    faults(json!({ "kind": "DATE_OF_BIRTH", "date_of_birth": "15/06/1990" }), &["date_of_birth"]).await;
    app.quotes_endorsement(
        "pol_01m5vvw3xreqg9aaa1afd2xg99",
        json!({ "kind": "LOAN_ACCOUNT", "loan_account": "LN-2" }),
    )
    .await
    .is_refused(404, "R4040");
}

#[tokio::test]
async fn the_catalogue_decides_which_endorsements_are_allowed_until_when_and_after_a_claim() {
    let mut app = App::start().await;
    let (id, claimed) = (app.has_policy().await, app.has_policy().await);
    assert_eq!(app.claims(death(&claimed)).await.status, 201);
    let reduction = json!({ "kind": "COVER_REDUCTION", "sum_insured": "300000.00" });
    let refused = app.quotes_endorsement(&claimed, reduction.clone()).await;
    refused.is_refused(400, "S4000");
    assert!(refused.text.contains("a claim was made"), "{}", refused.text);
    let contact = json!({ "kind": "CONTACT", "contact": { "email": "new@example.com" } });
    assert_eq!(app.quotes_endorsement(&claimed, contact.clone()).await.status, 200);
    assert_eq!(app.policy(&claimed).await["may_endorse"], json!(["CONTACT"]));
    assert_eq!(app.policy(&id).await["may_endorse"].as_array().map(Vec::len), Some(7));
    let edited = Setup::with_edited("endorsements.toml", |text| {
        text.replace("kind = \"CONTACT\"", "kind = \"CONTACT\"\nwithin_days = 30")
    });
    app.runs_catalogue(&edited.catalogue).await;
    app.set_clock("2026-12-21T12:00:00+05:30").await;
    let late = app.quotes_endorsement(&id, contact).await;
    late.is_refused(400, "S4000");
    assert!(late.text.contains("20 Dec 2026"), "{}", late.text);
    // The last day of cover is over.
    app.set_clock("2028-11-20T12:00:00+05:30").await;
    let over = app.quotes_endorsement(&id, reduction).await;
    over.is_refused(400, "S4000");
    assert!(over.text.contains("EXPIRED"), "{}", over.text);
}

#[tokio::test]
async fn a_health_policy_allows_only_its_own_kinds_of_endorsements() {
    let app = Setup::health().start().await;
    let proposal = app.has_accepted_health_proposal().await;
    let id = app.policy_id_of(&proposal).await;
    assert_eq!(app.policy(&id).await["may_endorse"], json!(["NOMINEE", "CONTACT", "NAME", "DATE_OF_BIRTH"]));
    let reduction = json!({ "kind": "COVER_REDUCTION", "sum_insured": "300000.00" });
    app.quotes_endorsement(&id, reduction).await.is_refused(400, "S4000");
    let contact = json!({ "kind": "CONTACT", "member": 2, "contact": { "mobile": "9876543219" } });
    app.quotes_endorsement(&id, contact).await.has_faults_on(&["member"]);
    let two = json!({ "kind": "NOMINEE", "nominees": two_nominees() });
    app.quotes_endorsement(&id, two).await.has_faults_on(&["nominees"]);
    let one = json!({ "kind": "NOMINEE", "nominees": [nominee(json!(100))] });
    assert_eq!(quote(&app, &id, one).await["charge"]["total"], "0.00");
}
