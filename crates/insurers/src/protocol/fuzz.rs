//! Fuzz test of insurers' answers. Each answer must give a fault, or prices whose amounts add up.

use std::collections::HashMap;

use domain::id::{ProposalId, Uuid, VariantId};
use domain::money::Premium;
use fuzz::{Examples, Format};
use serde_json::{Value, json};
use service::insurer::InsurerDecision;

use super::answer::WrongAnswer;
use super::credit::CreditPrice;
use super::decision::Decision;
use super::health::HealthPrice;
use super::prices;

/// Word in the texts of the sample answers. It must never occur in a log.
const TEXT: &str = "Unmistakable";

fn asked() -> Vec<VariantId> {
    (1..=3).map(|number| VariantId::from_uuid(Uuid::from_u128(number))).collect()
}

fn proposal() -> ProposalId {
    ProposalId::from_uuid(Uuid::from_u128(7))
}

fn examples() -> Examples {
    let ids: Vec<String> = asked().iter().map(ToString::to_string).collect();
    let amounts = |years: u64| json!({ "years": years, "base_premium": "1850.07", "gst": "333.01", "total_premium": "2183.08" });
    let credit = json!({ "prices": [
        { "variant_id": ids[0], "base_premium": "100.00", "gst": "18.00", "total_premium": "118.00" },
        { "variant_id": ids[1], "refused": format!("{TEXT}: not above 60.") },
        { "variant_id": ids[2], "base_premium": "0.00", "gst": "0.00", "total_premium": "0.00" },
    ] });
    let health = json!({ "prices": [
        { "variant_id": ids[0], "deductible": "0.00", "copay_percent": 0, "tenures": [amounts(1), amounts(2), amounts(3)] },
        { "variant_id": ids[1], "deductible": "500000.00", "copay_percent": 20, "tenures": [amounts(5)] },
        { "variant_id": ids[2], "refused": TEXT },
    ] });
    let decision = |decision: Value| {
        let mut decision = decision;
        decision["proposal_id"] = json!(proposal().to_string());
        decision.to_string()
    };
    Examples::of(Format::Json)
        .with("credit prices", credit.to_string())
        .with("health prices", health.to_string())
        .with("decision", decision(json!({ "decision": "pending" })))
        .with("decision", decision(json!({ "decision": "accepted", "policy_number": "MOCK-7" })))
        .with("decision", decision(json!({ "decision": "rejected", "reason": TEXT })))
}

/// Whether an answer is valid. Panics if the parser accepted a wrong value. `head` names the answered
/// request.
fn is_good(head: &str, body: &[u8]) -> bool {
    let fault = match head {
        "credit prices" => match prices::read::<CreditPrice>(body, &asked()) {
            Ok(outcomes) => {
                let Some(said) = said(body, outcomes.len()) else { return true };
                for (variant, outcome) in asked().iter().zip(outcomes) {
                    match outcome {
                        Ok(premium) => adds_up(&premium, &said[&variant.to_string()]),
                        Err(refusal) => is_one_line(&refusal.to_string()),
                    }
                }
                return true;
            }
            Err(fault) => fault,
        },
        "health prices" => match prices::read::<HealthPrice>(body, &asked()) {
            Ok(outcomes) => {
                let Some(said) = said(body, outcomes.len()) else { return true };
                for (variant, outcome) in asked().iter().zip(outcomes) {
                    match outcome {
                        Ok(offer) => {
                            assert!(offer.copay_percent <= 100);
                            assert!(offer.tenures.is_sorted_by(|one, next| one.years < next.years));
                            let tenures = said[&variant.to_string()]["tenures"].as_array().expect("a list");
                            assert_eq!(tenures.len(), offer.tenures.len());
                            for tenure in &offer.tenures {
                                assert!((1..=5).contains(&tenure.years));
                                let said = tenures.iter().find(|said| said["years"] == tenure.years);
                                adds_up(&tenure.premium, said.expect("the same years"));
                            }
                        }
                        Err(refusal) => is_one_line(&refusal.to_string()),
                    }
                }
                return true;
            }
            Err(fault) => fault,
        },
        "decision" => match Decision::read(body, proposal()) {
            Ok(InsurerDecision::Accepted { number }) => {
                is_one_line(number.as_str());
                return true;
            }
            Ok(InsurerDecision::Rejected { reason }) => {
                reason.iter().for_each(|reason| is_one_line(reason.reveal()));
                return true;
            }
            Ok(InsurerDecision::Pending) => return true,
            Ok(InsurerDecision::Unknown) => panic!("an insurer cannot say that it does not know a proposal"),
            Err(fault) => fault,
        },
        _ => panic!("the head says what the answer is to"),
    };
    names_nothing(&fault);
    false
}

fn judge(head: &str, body: &[u8]) {
    let is_object = body.trim_ascii_start().starts_with(b"{");
    assert!(!is_good(head, body) || is_object, "an answer that is no object is taken");
}

/// Prices in the answer, by variant. `None` if a field that the parser ignores is invalid, such as text that
/// is not UTF-8.
fn said(body: &[u8], priced: usize) -> Option<HashMap<String, Value>> {
    let answer = serde_json::from_slice(body).ok()?;
    let Value::Object(mut answer) = answer else { panic!("no object") };
    let Some(Value::Array(all)) = answer.remove("prices") else { panic!("no list") };
    assert_eq!((all.len(), priced), (asked().len(), asked().len()));
    let id = |price: &Value| price["variant_id"].as_str().expect("an id").to_owned();
    Some(all.into_iter().map(|price| (id(&price), price)).collect())
}

/// Checks that the parsed amounts equal the amounts in the answer, and that they add up.
fn adds_up(premium: &Premium, said: &Value) {
    let paise = |text: &str| text.replace('.', "").parse::<i128>().expect("digits");
    let sent = ["base_premium", "gst", "total_premium"].map(|name| paise(said[name].as_str().expect("text")));
    assert!(sent[0] >= 0 && sent[1] >= 0 && sent[0] + sent[1] == sent[2], "{said}"); // D23
    let kept = [premium.base(), premium.gst(), premium.total()].map(|amount| paise(&amount.to_string()));
    assert_eq!(kept, sent);
}

/// Checks that a text can be shown on one line of a page or a log.
fn is_one_line(text: &str) {
    assert!(!text.trim().is_empty() && text.chars().count() <= 300, "{text:?}");
    assert!(!text.chars().any(char::is_control), "{text:?}");
}

/// Checks that a fault can be logged, because it contains no text of the answer.
fn names_nothing(fault: &WrongAnswer) {
    let shown = fault.to_string();
    is_one_line(&shown);
    assert!(!shown.contains(TEXT) && !shown.contains("MOCK-7") && !shown.contains("1850.07"), "{shown}");
}

#[test]
fn a_fuzzed_answer_of_an_insurer_gives_a_fault_or_prices_that_add_up() {
    for example in examples().iter() {
        assert!(is_good(&example.head, &example.body), "{example:?}");
    }
    fuzz::target!("insurers_answers", examples(), judge);
}
