//! Tests health prices over HTTP.

use domain::health_quote::{
    Age, Attribution, Customer, HealthOffer, HealthRequest, Member, NotOffered, Outcome, PlanType, Porting,
    Relation, TenurePrice,
};
use domain::id::{Uuid, VariantId};
use domain::money::{Premium, Rupees};
use domain::person::{Email, HomePincode, Mobile, PersonalLine, PlatformId};
use domain::text::FromText;
use insurers::mock::MockSettings;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use service::insurer::{HealthAsk, InsurerFault};

use crate::support::*;

pub(crate) fn family() -> HealthRequest {
    let member =
        |relation, tenths| Member { relation, age: Age::of(Decimal::new(tenths, 1)).expect("an age") };
    HealthRequest {
        lead: Some(PlatformId::kept("CANARY-lead".into())),
        user: Some(PlatformId::kept("CANARY-user".into())),
        session: None,
        customer: Customer {
            name: Some(PersonalLine::kept("CANARY Rao".into())),
            gender: Some(PersonalLine::kept("CANARY".into())),
            phone: Some(Mobile::kept("9876543210".into())),
            pincode: HomePincode::from_text("560038").expect("a pincode"),
            email: Some(Email::kept("canary@example.com".into())),
        },
        members: vec![member(Relation::Own, 350), member(Relation::Son, 5)],
        has_ped: true,
        selected_peds: vec!["diabetes".into()],
        plan: PlanType::Base,
        sum_insured: Rupees::whole(1_000_000),
        deductible: None,
        porting: Some(Porting { tenure: Some(Decimal::from(3)) }),
        attribution: Attribution { partner: Some("CANARY".into()), enterprise: None },
        covered_since: None,
    }
}

fn two_variants() -> [VariantId; 2] {
    [1, 2].map(|number| VariantId::from_uuid(Uuid::from_u128(number)))
}

async fn ask_family(url: &str) -> Result<Vec<Outcome>, InsurerFault> {
    let request = family();
    let ask = HealthAsk { request: &request, variants: &two_variants(), on: TODAY };
    OurSide::new().insurer(url).price_health(ask, AMPLE).await
}

/// Answer whose first price is changed by `change`.
fn answer(change: impl Fn(&mut Value)) -> String {
    let [first, second] = two_variants();
    let tenure = |years: u64, base: &str, gst: &str, total: &str| json!({ "years": years, "base_premium": base, "gst": gst, "total_premium": total });
    let mut price = json!({
        "variant_id": first.to_string(), "deductible": "0.00", "copay_percent": 10,
        "tenures": [tenure(3, "27000.00", "0.00", "27000.00"), tenure(1, "10000.00", "0.50", "10000.50")],
    });
    change(&mut price);
    json!({ "prices": [{ "variant_id": second.to_string(), "refused": "Not here." }, price] }).to_string()
}

#[tokio::test]
async fn offers_and_refusals_keep_the_order_of_the_request_with_the_shortest_tenure_first() {
    let (_, url) = Scripted::serve([json(answer(|_| {}))]);
    let premium =
        |base, gst| Premium::of_parts(Rupees::from_paise(base), Rupees::from_paise(gst)).expect("small");
    let offer = HealthOffer {
        deductible: Rupees::ZERO,
        copay_percent: 10,
        tenures: vec![
            TenurePrice { years: 1, premium: premium(1_000_000, 50) },
            TenurePrice { years: 3, premium: premium(2_700_000, 0) },
        ],
    };
    let refused = NotOffered::InsurerRefused("Not here.".into());
    assert_eq!(ask_family(&url).await, Ok(vec![Ok(offer), Err(refused)]));
}

#[tokio::test]
async fn a_price_request_has_no_name_phone_or_email() {
    let (scripted, url) = Scripted::serve([json(answer(|_| {}))]);
    ask_family(&url).await.expect("an answer");
    let heard = scripted.heard.lock().expect("whole");
    assert_eq!(heard[0].path, "/v1/health/prices");
    let [first, second] = two_variants();
    let wanted = json!({
        "on": "2026-11-20",
        "members": [{ "relation": "self", "age": 35 }, { "relation": "son", "age": 0.5 }],
        "pincode": "560038", "plan_type": "base", "sum_insured": "1000000.00", "deductible": null,
        "has_ped": true, "illnesses": ["diabetes"], "porting": { "tenure": 3 },
        "variants": [first.to_string(), second.to_string()],
    });
    assert_eq!(serde_json::from_slice::<Value>(&heard[0].body).expect("JSON"), wanted);
}

#[tokio::test]
async fn one_impossible_offer_makes_the_whole_answer_a_failure() {
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 12] = [
        ("copay_percent", |price| price["copay_percent"] = json!(101)),
        ("the protocol's format", |price| price["copay_percent"] = json!(-1)),
        ("there are no tenures", |price| price["tenures"] = json!([])),
        ("1 to 5", |price| price["tenures"][0]["years"] = json!(6)),
        ("1 to 5", |price| price["tenures"][0]["years"] = json!(0)),
        ("two tenures have the same years", |price| price["tenures"][0]["years"] = json!(1)),
        ("the amounts do not add up", |price| price["tenures"][0]["gst"] = json!("0.01")),
        ("not digits", |price| price["tenures"][1]["total_premium"] = json!("10000.5")),
        ("deductible", |price| price["deductible"] = json!("-5.00")),
        ("deductible", |price| price["deductible"] = json!("none")),
        ("the amounts are incomplete", |price| price["tenures"] = Value::Null),
        ("there are amounts together with a refusal", |price| price["refused"] = json!("No.")),
    ];
    for (words, change) in changes {
        let (_, url) = Scripted::serve([json(answer(change))]);
        match ask_family(&url).await {
            Err(InsurerFault::Failed(cause)) => assert!(cause.contains(words), "{words}: {cause}"),
            other => panic!("{words}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn each_requested_variant_gets_its_price_and_an_unknown_variant_a_refusal() {
    let served = serve(MockSettings::default());
    let (request, catalogue) = (family(), catalogue());
    let mut variants: Vec<VariantId> =
        catalogue.all_health_variants().iter().map(|variant| variant.id).collect();
    variants.extend(two_variants());
    let ask = HealthAsk { request: &request, variants: &variants, on: TODAY };
    let answered = OurSide::new().insurer(&served.url).price_health(ask, AMPLE).await.expect("an answer");
    let refused = |why: String| NotOffered::InsurerRefused(why);
    let priced = variants.iter().map(|id| match catalogue.health_variant(*id) {
        Some(variant) => variant.price(&request, TODAY).map_err(|why| refused(why.to_string())),
        None => Err(refused("This insurer has no such variant.".into())),
    });
    assert!(priced.eq(answered));
}
