//! Tests credit-life proposals over HTTP: each is taken once, then decided.

use std::time::Duration;

use domain::credit_life::{
    self, CreditApplication, EmbeddedProposal, ProposalRequest, ProposalStatus, QuotedCover,
};
use domain::date::{BirthDate, Date, Timestamp, day_of};
use domain::id::{PartnerId, ProposalId, QuoteId, RecommendationId, Uuid};
use domain::money::{Premium, Rupees};
use domain::person::*;
use domain::quote::CatalogueHash;
use domain::text::FromText;
use insurers::SecretFile;
use insurers::mock::{MockSettings, Verdict};
use rating::Authentication;
use rust_decimal::Decimal;
use serde_json::{Value, json};
use service::clock::Clock;
use service::insurer::{IncomingMessage, InsurerDecision, InsurerFault, Submission};

use crate::support::*;

fn line(text: &str) -> PersonalLine {
    PersonalLine::from_text(text).expect("a line")
}

fn phone() -> Phone {
    Phone { country_code: line("+91"), mobile: Mobile::from_text("9876543210").expect("10 digits") }
}

fn name(first: &str) -> Name {
    Name { title: Title::Ms, first: line(first), middle: None, last: line("Rao") }
}

fn address() -> Address {
    Address {
        line_1: line("1 Example Road"),
        line_2: line("Indiranagar"),
        line_3: None,
        city: line("Bengaluru"),
        state: line("Karnataka"),
        country: Address::default_country(),
        pincode: Pincode::from_text("560038").expect("6 digits"),
    }
}

fn person() -> Person {
    Person {
        name: name("Asha"),
        email: Email::from_text("asha@example.com").expect("an address"),
        phone: phone(),
        born: BirthDate::kept(Date::constant(1990, 6, 15)),
        address: address(),
        nationality: Nationality::Indian,
        gender: Gender::Female,
        marital_status: MaritalStatus::Married,
        annual_income: Some(Income::of(Rupees::whole(1_200_000))),
        occupation: Occupation::Salaried,
        organization: Some(Organization::PrivateLtd),
        education: Education::Graduate,
        employer: None,
        documents: vec![Document::of(DocumentType::Aadhaar, "2345 6789 0124").expect("an Aadhaar number")],
    }
}

fn nominee() -> Nominee {
    Nominee {
        name: name("Mira"),
        born: BirthDate::kept(Date::constant(2015, 1, 31)),
        phone: None,
        relationship: Relationship::Daughter,
        address: address(),
        share: Share::percent(Decimal::new(1000, 1)).expect("the whole"),
        documents: Vec::new(),
        appointee: Some(Appointee {
            name: name("Usha"),
            relationship: Relationship::Mother,
            born: BirthDate::kept(Date::constant(1965, 12, 1)),
            phone: Some(phone()),
            address: address(),
            documents: Vec::new(),
        }),
    }
}

/// Proposal of the first credit-life variant in the sample catalogue.
pub(crate) fn proposal(number: u128) -> EmbeddedProposal {
    let at: Timestamp = "2026-11-20T06:30:00Z".parse().expect("an instant");
    EmbeddedProposal {
        id: ProposalId::from_uuid(Uuid::from_u128(number)),
        partner: PartnerId::from_uuid(Uuid::from_u128(2)),
        session: None,
        status: ProposalStatus::Pending,
        created_at: at,
        changed_at: at,
        premium: Premium::of_parts(Rupees::whole(1_000), Rupees::whole(180)).expect("small"),
        reason: None,
        insurer_reference: None,
        reference: None,
        application: CreditApplication {
            variant: variants()[0],
            quoted: QuotedCover { at, request: borrower(), catalogue: CatalogueHash([0; 32]) },
            request: ProposalRequest {
                quote: QuoteId::from_uuid(Uuid::from_u128(1)),
                recommendation: RecommendationId::from_uuid(Uuid::from_u128(3)),
                submission: credit_life::Submission::Submitted,
                proposer: person(),
                insured_members: vec![person()],
                nominees: vec![nominee()],
                context: domain::context::Context::default(),
            },
        },
    }
}

async fn submit(
    insurer: &std::sync::Arc<dyn service::insurer::Insurer>,
    proposal: &EmbeddedProposal,
) -> Result<InsurerDecision, InsurerFault> {
    insurer.submit(Submission::CreditLife(proposal), AMPLE).await
}

fn number(decision: &Result<InsurerDecision, InsurerFault>) -> &str {
    match decision {
        Ok(InsurerDecision::Accepted { number }) => number.as_str(),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_resubmitted_proposal_gets_the_same_decision_unless_it_was_changed() {
    let (ours, served) = (OurSide::new(), serve(MockSettings::default()));
    let insurer = ours.insurer(&served.url);
    let first = submit(&insurer, &proposal(7)).await;
    assert!(number(&first).starts_with("MOCK-"));
    assert_eq!(submit(&insurer, &proposal(7)).await, first);
    assert_eq!(insurer.decision(proposal(7).id, AMPLE).await, first);
    assert_ne!(number(&submit(&insurer, &proposal(8)).await), number(&first));
    let mut other = proposal(7);
    other.premium = Premium::of_parts(Rupees::whole(1), Rupees::ZERO).expect("small");
    let refused = submit(&insurer, &other).await;
    assert!(matches!(&refused, Err(InsurerFault::Failed(cause)) if cause.contains("422")), "{refused:?}");
}

#[tokio::test]
async fn a_proposal_may_be_pending_before_it_is_accepted() {
    let settings = MockSettings { decide_after: Duration::from_millis(200), ..MockSettings::default() };
    let (ours, served) = (OurSide::new(), serve(settings));
    let insurer = ours.insurer(&served.url);
    assert_eq!(submit(&insurer, &proposal(7)).await, Ok(InsurerDecision::Pending));
    tokio::time::sleep(Duration::from_millis(250)).await;
    number(&insurer.decision(proposal(7).id, AMPLE).await);
}

#[tokio::test]
async fn a_rejection_has_a_reason() {
    let settings = MockSettings { verdict: Verdict::Reject, ..MockSettings::default() };
    let (ours, served) = (OurSide::new(), serve(settings));
    let rejected = submit(&ours.insurer(&served.url), &proposal(7)).await;
    assert!(matches!(&rejected, Ok(InsurerDecision::Rejected { reason: Some(_) })), "{rejected:?}");
}

#[tokio::test]
async fn a_proposal_that_was_never_submitted_is_unknown() {
    let (ours, served) = (OurSide::new(), serve(MockSettings::default()));
    let unknown = ours.insurer(&served.url).decision(proposal(7).id, AMPLE).await;
    assert_eq!(unknown, Ok(InsurerDecision::Unknown));
}

#[tokio::test]
async fn a_malformed_decision_counts_as_a_failure_of_the_insurer() {
    let of = proposal(7).id;
    let (id, other) = (of.to_string(), proposal(8).id.to_string());
    for said in [
        json!({ "proposal_id": other, "decision": "pending" }),
        json!({ "proposal_id": id, "decision": "accepted" }),
        json!({ "proposal_id": id, "decision": "accepted", "policy_number": "" }),
        json!({ "proposal_id": id, "decision": "accepted", "policy_number": "a\nb" }),
        json!({ "proposal_id": id, "decision": "accepted", "policy_number": "9".repeat(101) }),
        json!({ "proposal_id": id, "decision": "accepted", "policy_number": 7 }),
        json!({ "proposal_id": id, "decision": "rejected", "policy_number": "A-1" }),
        json!({ "proposal_id": id, "decision": "perhaps" }),
        json!({ "decision": "pending" }),
        json!([]),
    ]
    .map(|said: Value| said.to_string())
    {
        let (_, url) = Scripted::serve([crate::support::json(said.clone())]);
        let answer = OurSide::new().insurer(&url).decision(of, AMPLE).await;
        assert!(matches!(&answer, Err(InsurerFault::Failed(_))), "{said}: {answer:?}");
    }
}

#[tokio::test]
async fn a_submitted_proposal_equals_the_documented_example() {
    let (scripted, url) = Scripted::serve([crate::support::json("{}")]);
    let _ = submit(&OurSide::new().insurer(&url), &proposal(7)).await;
    let heard = scripted.heard.lock().expect("whole");
    let id = proposal(7).id.to_string();
    assert_eq!(heard[0].path, "/v1/proposals");
    assert_eq!(heard[0].headers["idempotency-key"], id);
    let address = json!({
        "address_line_1": "1 Example Road", "address_line_2": "Indiranagar", "city": "Bengaluru",
        "state": "Karnataka", "country": "India", "pincode": "560038",
    });
    let person = json!({
        "title": "MS", "first_name": "Asha", "last_name": "Rao", "email": "asha@example.com",
        "mobile": "9876543210", "country_code": "+91", "date_of_birth": "1990-06-15", "address": address,
        "nationality": "IND", "gender": "FEMALE", "marital_status": "MARRIED",
        "annual_income": "1200000.00", "occupation": "SALARIED", "organization": "PRIVATE_LTD",
        "education": "GRADUATE",
        "documents": [{ "document_type": "AADHAR", "document_number": "XXXXXXXX0124" }], // D39
    });
    let wanted = json!({
        "proposal_id": id,
        "variant_id": variants()[0].to_string(),
        "quoted": { "on": "2026-11-20", "date_of_birth": "1990-06-15", "gender": "FEMALE" },
        "premium": { "base_premium": "1000.00", "gst": "180.00", "total_premium": "1180.00" },
        "cover_amount": "500000.00",
        "policy_term": 24,
        "proposer": person,
        "insured_members": [person],
        "nominees": [{
            "title": "MS", "first_name": "Mira", "last_name": "Rao", "date_of_birth": "2015-01-31",
            "relationship": "DAUGHTER", "address": address, "percentage_sharing": 100, "documents": [],
            "appointee_details": {
                "relationship_to_nominee": "MOTHER", "title": "MS", "first_name": "Usha",
                "last_name": "Rao", "date_of_birth": "1965-12-01", "mobile": "9876543210",
                "country_code": "+91", "address": address, "documents": [],
            },
        }],
        "context_data": [{ "key": "loan_amount", "values": ["500000"] }],
    });
    assert_eq!(serde_json::from_slice::<Value>(&heard[0].body).expect("JSON"), wanted);
}

#[tokio::test]
async fn a_callback_of_the_insurer_is_authenticated() {
    for authentication in [Authentication::Bearer, Authentication::Hmac] {
        let (scripted, us) = Scripted::serve([crate::support::json("{}")]);
        let ours = OurSide::new();
        let file = SecretFile::at(ours.secrets.path().join("secret"));
        let settings = MockSettings {
            authentication: Some((authentication, file)),
            callback_url: Some(us),
            ..MockSettings::default()
        };
        let served = serve_by(settings, ours.clock.clone());
        let insurer = ours.insurer_by(rating::HttpConnector { authentication, ..http(&served.url) });
        let decided = submit(&insurer, &proposal(7)).await;
        let deadline = std::time::Instant::now() + AMPLE;
        while scripted.times_asked() == 0 && std::time::Instant::now() < deadline {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let heard = scripted.heard.lock().expect("whole");
        let by = catalogue().credit_variant(variants()[0]).expect("of the sample").insurer().id;
        assert_eq!(heard[0].path, format!("/v1/insurers/{by}/decisions"));
        let body: Value = serde_json::from_slice(&heard[0].body).expect("JSON");
        let wanted = json!({
            "proposal_id": proposal(7).id.to_string(), "decision": "accepted",
            "policy_number": number(&decided),
        });
        assert_eq!(body, wanted);
        let text = |name: &str| heard[0].headers.get(name).map(|value| value.to_str().expect("ASCII"));
        let told = IncomingMessage {
            authorization: text("authorization"),
            timestamp: text("covernote-timestamp"),
            signature: text("covernote-signature"),
            method: "POST",
            path: &heard[0].path,
            body: &heard[0].body,
            now: ours.clock.now(),
        };
        assert!(insurer.is_from(&told), "{authentication:?}");
        let nobody = IncomingMessage { authorization: None, timestamp: None, signature: None, ..told };
        assert!(!insurer.is_from(&nobody));
        assert_eq!(day_of(ours.clock.now()), TODAY);
    }
}
