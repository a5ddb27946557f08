//! Tests health proposals over HTTP: each is taken once, then decided.

use std::sync::Arc;
use std::time::Duration;

use domain::bank::{BankAccount, Ifsc};
use domain::date::{BirthDate, Date, Timestamp};
use domain::health_proposal::{
    Chosen, Consent, ConsentPurpose, HealthApplication, HealthForm, HealthNominee, HealthProposal,
    HealthProposalStatus, HealthProposer, HomeAddress, InsuredMember, JourneyProposal, ProposalOrigin,
    QuotedFamily,
};
use domain::health_quote::{PlanType, Porting};
use domain::id::{PartnerId, ProposalId, QuoteId, Uuid, VariantId};
use domain::money::{Premium, Rupees};
use domain::person::{Email, Mobile, PersonalLine, Pincode};
use domain::quote::CatalogueHash;
use insurers::mock::{MockSettings, Verdict};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use service::insurer::{Insurer, InsurerDecision, InsurerFault, Submission};

use crate::health::family;
use crate::support::*;

fn line(text: &str) -> PersonalLine {
    PersonalLine::kept(text.into())
}

fn at() -> Timestamp {
    "2026-11-20T06:30:00Z".parse().expect("an instant")
}

/// A health variant of the sample catalogue.
fn variant() -> VariantId {
    catalogue().all_health_variants()[0].id
}

fn insured(name: &str, born: Date, relationship: &str, illnesses: Vec<PersonalLine>) -> InsuredMember {
    let (name, gender, relationship) = (line(name), line("Female"), line(relationship));
    InsuredMember { name, born: BirthDate::kept(born), gender, relationship, illnesses }
}

/// A customer's form and consents, with all optional values.
fn made() -> JourneyProposal {
    let born = Date::constant(1991, 6, 15);
    let consent =
        |purpose, given| Consent { purpose, given, text_hash: [7; 32], at: at(), text: None, language: None };
    let family = family();
    JourneyProposal {
        quoted: QuotedFamily {
            at: at(),
            pincode: family.customer.pincode,
            members: family.members,
            has_ped: family.has_ped,
            illnesses: family.selected_peds,
        },
        chosen: Chosen {
            quote: QuoteId::from_uuid(Uuid::from_u128(1)),
            variant: variant(),
            catalogue: CatalogueHash([0; 32]),
            plan: PlanType::Base,
            sum_insured: Rupees::whole(1_000_000),
            deductible: Rupees::ZERO,
            copay_percent: 10,
            porting: Some(Porting { tenure: Some(Decimal::from(3)) }),
            renewal: None,
        },
        form: HealthForm {
            proposer: HealthProposer {
                name: line("Asha Rao"),
                phone: Mobile::kept("9876543210".into()),
                born: BirthDate::kept(born),
                email: Some(Email::kept("asha@example.com".into())),
                address: HomeAddress {
                    line_1: line("1 Example Road"),
                    line_2: Some(line("Indiranagar")),
                    city: line("Bengaluru"),
                    state: line("Karnataka"),
                    country: line("India"),
                    pincode: Pincode::kept("560038".into()),
                },
                bank: Some(BankAccount {
                    account_number: Some(line("000111222333")),
                    bank_name: Some(line("Namoona Bank (fictional)")),
                    branch_name: Some(line("Main")),
                    ifsc: Some(Ifsc::kept("NMNB0000001".into())),
                    ..BankAccount::default()
                }),
            },
            gender: line("Female"),
            members: vec![
                insured("Asha Rao", born, "SELF", vec![line("diabetes")]),
                insured("Arun Rao", Date::constant(2026, 5, 20), "SON", Vec::new()),
            ],
            nominee: HealthNominee {
                name: line("Ravi Rao"),
                relationship: line("SPOUSE"),
                phone: Some(Mobile::kept("9876543211".into())),
            },
        },
        consents: vec![
            consent(ConsentPurpose::Declaration, true),
            consent(ConsentPurpose::Insurer, true),
            consent(ConsentPurpose::Messages, false),
        ],
    }
}

/// Proposal of a journey.
fn proposal(number: u128, made: JourneyProposal) -> HealthProposal {
    HealthProposal {
        id: ProposalId::from_uuid(Uuid::from_u128(number)),
        partner: PartnerId::from_uuid(Uuid::from_u128(2)),
        session: None,
        status: HealthProposalStatus::Pending,
        created_at: at(),
        changed_at: at(),
        premium: Premium::of_parts(Rupees::whole(18_450), Rupees::whole(3_321)).expect("small"),
        reason: None,
        insurer_reference: None,
        reference: None,
        application: HealthApplication { tenure: 2, origin: ProposalOrigin::Journey(Box::new(made)) },
    }
}

async fn submit(
    insurer: &Arc<dyn Insurer>,
    proposal: &HealthProposal,
) -> Result<InsurerDecision, InsurerFault> {
    let ProposalOrigin::Journey(made) = &proposal.application.origin else { panic!("it is of a journey") };
    insurer.submit(Submission::Health { proposal, made }, AMPLE).await
}

fn number(decision: &Result<InsurerDecision, InsurerFault>) -> &str {
    match decision {
        Ok(InsurerDecision::Accepted { number }) => number.as_str(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_resubmitted_health_proposal_gets_the_same_decision_unless_it_was_changed() {
    let (ours, served) = (OurSide::new(), serve(MockSettings::default()));
    let insurer = ours.insurer(&served.url);
    let first = submit(&insurer, &proposal(7, made())).await;
    assert!(number(&first).starts_with("MOCK-"));
    assert_eq!(submit(&insurer, &proposal(7, made())).await, first);
    assert_eq!(insurer.decision(proposal(7, made()).id, AMPLE).await, first);
    assert_ne!(number(&submit(&insurer, &proposal(8, made())).await), number(&first));
    let mut other = proposal(7, made());
    other.application.tenure = 3;
    let refused = submit(&insurer, &other).await;
    assert!(matches!(&refused, Err(InsurerFault::Failed(cause)) if cause.contains("422")), "{refused:?}");
}

#[tokio::test]
async fn a_health_proposal_may_be_pending_before_it_is_rejected() {
    let decide_after = Duration::from_millis(200);
    let settings = MockSettings { decide_after, verdict: Verdict::Reject, ..MockSettings::default() };
    let (ours, served) = (OurSide::new(), serve(settings));
    let insurer = ours.insurer(&served.url);
    assert_eq!(submit(&insurer, &proposal(7, made())).await, Ok(InsurerDecision::Pending));
    tokio::time::sleep(Duration::from_millis(250)).await;
    let rejected = insurer.decision(proposal(7, made()).id, AMPLE).await;
    assert!(matches!(&rejected, Ok(InsurerDecision::Rejected { reason: Some(_) })), "{rejected:?}");
}

#[tokio::test]
async fn a_proposal_of_an_unknown_variant_is_refused() {
    let (ours, served) = (OurSide::new(), serve(MockSettings::default()));
    let mut unknown = made();
    unknown.chosen.variant = VariantId::from_uuid(Uuid::from_u128(1));
    let refused = submit(&ours.insurer(&served.url), &proposal(7, unknown)).await;
    assert!(matches!(&refused, Err(InsurerFault::Failed(cause)) if cause.contains("422")), "{refused:?}");
}

#[tokio::test]
async fn a_decision_on_another_proposal_counts_as_a_failure_of_the_insurer() {
    let other = proposal(8, made()).id.to_string();
    let said = json!({ "proposal_id": other, "decision": "accepted", "policy_number": "A-1" });
    let (_, url) = Scripted::serve([crate::support::json(said.to_string())]);
    let answer = submit(&OurSide::new().insurer(&url), &proposal(7, made())).await;
    assert!(matches!(&answer, Err(InsurerFault::Failed(_))), "{answer:?}");
}

/// Body that an insurer receives for a proposal.
async fn heard(made: JourneyProposal) -> Value {
    let (scripted, url) = Scripted::serve([crate::support::json("{}")]);
    let _ = submit(&OurSide::new().insurer(&url), &proposal(7, made)).await;
    let heard = scripted.heard.lock().expect("whole");
    assert_eq!(heard[0].path, "/v1/health/proposals");
    assert_eq!(heard[0].headers["idempotency-key"], ProposalId::from_uuid(Uuid::from_u128(7)).to_string());
    let text = String::from_utf8_lossy(&heard[0].body);
    assert!(!text.contains("CANARY"), "what the partner calls lead and user is not handed on: {text}");
    serde_json::from_slice(&heard[0].body).expect("JSON")
}

#[tokio::test]
async fn a_submitted_health_proposal_equals_the_documented_example() {
    let wanted = json!({
        "proposal_id": ProposalId::from_uuid(Uuid::from_u128(7)).to_string(),
        "variant_id": variant().to_string(),
        "quoted": {
            "on": "2026-11-20",
            "pincode": "560038",
            "members": [{ "relation": "self", "age": 35 }, { "relation": "son", "age": 0.5 }],
            "has_ped": true,
            "illnesses": ["diabetes"],
        },
        "tenure": 2,
        "premium": { "base_premium": "18450.00", "gst": "3321.00", "total_premium": "21771.00" },
        "plan_type": "base",
        "sum_insured": "1000000.00",
        "deductible": "0.00",
        "copay_percent": 10,
        "porting": { "tenure": 3 },
        "proposer": {
            "name": "Asha Rao",
            "gender": "Female",
            "date_of_birth": "1991-06-15",
            "mobile": "9876543210",
            "email": "asha@example.com",
            "address": {
                "address_line_1": "1 Example Road", "address_line_2": "Indiranagar", "city": "Bengaluru",
                "state": "Karnataka", "country": "India", "pincode": "560038",
            },
            "bank": {
                "account_number": "000111222333", "bank_name": "Namoona Bank (fictional)",
                "branch_name": "Main", "ifsc_code": "NMNB0000001",
            },
        },
        "insured_members": [
            {
                "relation": "self", "name": "Asha Rao", "date_of_birth": "1991-06-15", "gender": "Female",
                "illnesses": ["diabetes"],
            },
            {
                "relation": "son", "name": "Arun Rao", "date_of_birth": "2026-05-20", "gender": "Female",
                "illnesses": [],
            },
        ],
        "nominee": { "name": "Ravi Rao", "relationship": "SPOUSE", "mobile": "9876543211" },
        "consents": [
            { "purpose": "declaration", "given": true, "at": "2026-11-20T06:30:00Z" },
            { "purpose": "insurer", "given": true, "at": "2026-11-20T06:30:00Z" },
            { "purpose": "messages", "given": false, "at": "2026-11-20T06:30:00Z" },
        ],
    });
    assert_eq!(heard(made()).await, wanted);
}

#[tokio::test]
async fn absent_optional_values_are_left_out_of_a_submitted_health_proposal() {
    let mut bare = made();
    bare.chosen.porting = None;
    let proposer = &mut bare.form.proposer;
    (proposer.email, proposer.bank, proposer.address.line_2) = (None, None, None);
    bare.form.nominee.phone = None;
    let said = heard(bare).await;
    assert_eq!(said["porting"], Value::Null);
    for (of, missing) in [
        (&said["proposer"], "email"),
        (&said["proposer"], "bank"),
        (&said["proposer"]["address"], "address_line_2"),
        (&said["nominee"], "mobile"),
    ] {
        assert!(of.is_object() && of.get(missing).is_none(), "{missing}: {said:#}");
    }
}
