//! `GET /v1/policies/{policy_id}`: everything that a partner may know about a policy (D3, D66, D67).

use serde_json::{Value, json};

use crate::support::certificate::certificate_of;
use crate::support::{App, Setup};

const UNKNOWN: &str = "pol_01m5vvw3xreqg9aaa1afd2xg99";

#[tokio::test]
async fn a_credit_life_policy_shows_its_cover_premium_members_and_permitted_cancellations() {
    let app = App::start().await;
    let proposal = app.has_proposal("COMPLETED").await;
    let policy = app.policy(&app.policy_id_of(&proposal).await).await;
    assert_eq!(policy["proposal_id"], proposal.as_str());
    assert_eq!((&policy["status"], &policy["line"]), (&json!("ISSUED"), &json!("credit-life")));
    assert_eq!(
        (&policy["cover_starts"], &policy["cover_ends"]),
        (&json!("2026-11-20"), &json!("2028-11-19"))
    );
    assert_eq!(policy["status_since"], policy["issued_at"]);
    assert_eq!(policy["premium"], json!({ "base": "1855.00", "gst": "333.90", "total": "2188.90" }));
    assert_eq!(policy["paid_by"], "deposit");
    assert_eq!(policy["members"][0]["name"], "Asha K Rao");
    assert_eq!(policy["history"], json!([]));
    assert_eq!(policy["cancellation"], Value::Null);
    let reasons = policy["may_cancel_for"].as_array().expect("a list");
    assert!(reasons.contains(&json!("FREE_LOOK")) && !reasons.contains(&json!("FRAUD")), "{reasons:?}");
    let certificate = policy["papers"]["certificate"].as_str().expect("an address");
    let path = certificate.strip_prefix(&app.base).expect("on this server");
    assert_eq!(app.get_without_bearer(path).await.bytes, certificate_of(&app, &proposal).await.bytes);
}

#[tokio::test]
async fn a_reducing_cover_shows_its_schedule_by_year_and_a_level_cover_shows_none() {
    let app = App::start().await;
    let reducing = app.policy(&app.has_policy().await).await;
    let schedule = [("1", "500000.00"), ("2", "264907.79")];
    let schedule = schedule
        .map(|(year, cover)| json!({ "year": year.parse::<u32>().expect("a number"), "sum_insured": cover }));
    assert_eq!(reducing["cover_schedule"], json!(schedule));
    let quote = app.has_quote().await;
    let catalogue = app.service.shared.catalogues.running();
    let items = quote["recommendations"].as_array().expect("a list");
    let level = items.iter().find(|item| {
        let id = item["variant_id"].as_str().expect("an id").parse().expect("an id");
        let variant = catalogue.credit_variant(id).expect("of the catalogue");
        let decides = variant.product.decision == domain::proposal::Decision::Partner;
        decides && variant.cover == rating::CoverKind::Level && item["is_error"] == false
    });
    let item = &level.expect("one")["recommendation_id"];
    let body = crate::support::bodies::proposal(&quote["quote_id"], item, "SUBMITTED");
    let proposal = crate::support::certificate::has_completed(&app, body).await;
    let level = app.policy(&app.policy_id_of(&proposal).await).await;
    assert_eq!(level["cover_schedule"], json!([]));
}

#[tokio::test]
async fn a_health_policy_shows_each_members_relationship_to_the_proposer() {
    let app = Setup::health().start().await;
    let proposal = app.has_accepted_health_proposal().await;
    let policy = app.policy(&app.policy_id_of(&proposal).await).await;
    assert_eq!((&policy["line"], &policy["status"]), (&json!("health"), &json!("ISSUED")));
    let members = policy["members"].as_array().expect("a list");
    assert!(members.iter().any(|member| member["relationship"] == "SELF"), "{members:?}");
}

#[tokio::test]
async fn an_imported_policy_can_be_read_but_not_cancelled() {
    let app = Setup::health().start().await;
    app.imports_policies(vec![crate::support::bodies::imported_policy()]).await;
    let list = app.get("/v1/policies").await.json();
    let id = list["policies"][0]["policy_id"].as_str().expect("an id");
    let policy = app.policy(id).await;
    assert_eq!((&policy["papers"]["certificate"], &policy["may_cancel_for"]), (&Value::Null, &json!([])));
    if policy["status"] == "ISSUED" {
        app.quotes_cancellation(id, "CUSTOMER").await.is_refused(409, "S4090");
    }
}

#[tokio::test]
async fn another_partners_policy_is_answered_with_r4040_like_an_unknown_one() {
    // D3
    let app = App::start().await;
    let id = app.has_policy().await;
    let other = app.new_partner("Other Lender").await;
    for path in [format!("/v1/policies/{id}"), format!("/v1/policies/{UNKNOWN}"), "/v1/policies/x".to_owned()]
    {
        app.as_partner(&other, "GET", &path, None).await.is_refused(404, "R4040");
    }
}

#[tokio::test]
async fn a_policy_answer_contains_no_claim_that_was_made_after_the_policy_was_read() {
    // D81: all parts of the answer show the policy at the same moment.
    let app = App::start().await;
    let id = app.has_policy().await;
    let of = app.partner().id;
    let view = app.service.policies.view(of, id.parse().expect("an id")).await.expect("read");
    assert_eq!(app.claims(crate::support::claims::death(&id)).await.status, 201);
    let claims = app.service.policies.claims_on(&view.shown.policy).await.expect("read");
    assert!(claims.is_empty(), "{claims:?}");
    assert_eq!(app.policy(&id).await["claims"].as_array().map(Vec::len), Some(1));
}
