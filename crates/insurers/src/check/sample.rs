//! Requests that a check sends, for fictional customers.

use domain::context::{Context, ContextEntry, key};
use domain::date::{BirthDate, Date};
use domain::health_quote::{
    Age, Attribution, Customer, HealthOffer, HealthRequest, Member, PlanType, Relation, TenurePrice,
};
use domain::id::{PolicyId, ProposalId, VariantId};
use domain::money::{CoverAmount, Premium, Rupees};
use domain::person::{Gender, HomePincode};
use domain::quote::{PolicyTerm, QuoteRequest};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use service::insurer::{CreditAsk, HealthAsk};

use crate::client::Request;
use crate::http_insurer::post;
use crate::protocol::credit::CreditPricesAsked;
use crate::protocol::health::HealthPricesAsked;
use crate::protocol::{
    CREDIT_PRICES, HEALTH_PRICES, HEALTH_PROPOSALS, POLICY_NOTICES, POLICY_REQUESTS, PROPOSALS,
};

const COVER: Rupees = Rupees::whole(500_000);

/// Term of the cover and the loan: two years, in months.
const TERM: u32 = 24;

/// Borrower of 35 years with an ordinary loan for two years.
pub(super) fn borrower(today: Date) -> QuoteRequest {
    born(birthday(today))
}

fn birthday(today: Date) -> Date {
    Date::new(today.year() - 35, 1, 1).expect("a first of January")
}

/// Borrower who is older than any person ever was.
pub(super) fn impossible_borrower() -> QuoteRequest {
    born(Date::constant(1850, 1, 1))
}

fn born(day: Date) -> QuoteRequest {
    QuoteRequest {
        born: BirthDate::kept(day),
        gender: Gender::Female,
        cover: CoverAmount::of(COVER).expect("above zero"),
        term: PolicyTerm::months(TERM).expect("above zero"),
        context: Context::of(vec![
            ContextEntry::new(key::LOAN_AMOUNT, vec!["500000".into()]),
            ContextEntry::new(key::LOAN_TENURE, vec![TERM.to_string()]),
        ]),
    }
}

/// Family of two adults and a child in a large town.
pub(super) fn family() -> HealthRequest {
    insured_for(Rupees::whole(1_000_000))
}

/// The family of [`family`], with a sum insured of one paisa.
pub(super) fn impossible_family() -> HealthRequest {
    insured_for(Rupees::from_paise(1))
}

fn insured_for(sum_insured: Rupees) -> HealthRequest {
    let member =
        |relation, years: u32| Member { relation, age: Age::of(Decimal::from(years)).expect("an age") };
    HealthRequest {
        lead: None,
        user: None,
        session: None,
        customer: Customer {
            name: None,
            gender: None,
            phone: None,
            pincode: HomePincode::kept("560038".into()),
            email: None,
        },
        members: vec![member(Relation::Own, 35), member(Relation::Spouse, 33), member(Relation::Daughter, 5)],
        has_ped: false,
        selected_peds: Vec::new(),
        plan: PlanType::Base,
        sum_insured,
        deductible: None,
        porting: None,
        attribution: Attribution::default(),
        covered_since: None,
    }
}

pub(super) fn credit(request: &QuoteRequest, variants: &[VariantId], on: Date) -> Request {
    post(CREDIT_PRICES, &CreditPricesAsked::of(CreditAsk { request, variants, starts: on }), None)
}

pub(super) fn health(request: &HealthRequest, variants: &[VariantId], on: Date) -> Request {
    post(HEALTH_PRICES, &HealthPricesAsked::of(HealthAsk { request, variants, on }), None)
}

pub(super) fn proposal(id: ProposalId, variant: VariantId, premium: Premium, today: Date) -> Request {
    let born = birthday(today).to_string();
    let address = json!({
        "address_line_1": "1 Example Road", "address_line_2": "Example Nagar", "city": "Bengaluru",
        "state": "Karnataka", "country": "India", "pincode": "560038",
    });
    let person = json!({
        "title": "MS", "first_name": "Example", "last_name": "Customer", "email": "customer@example.com",
        "mobile": "9000000000", "country_code": "+91", "date_of_birth": born, "address": address,
        "nationality": "IND", "gender": "FEMALE", "marital_status": "SINGLE",
        "annual_income": "1200000.00", "occupation": "SALARIED", "organization": "PRIVATE_LTD",
        "education": "GRADUATE", "documents": [],
    });
    let body = json!({
        "proposal_id": id.to_string(),
        "variant_id": variant.to_string(),
        "quoted": { "on": today.to_string(), "date_of_birth": born, "gender": "FEMALE" },
        "premium": {
            "base_premium": premium.base().to_string(),
            "gst": premium.gst().to_string(),
            "total_premium": premium.total().to_string(),
        },
        "cover_amount": COVER.to_string(),
        "policy_term": TERM,
        "proposer": person,
        "insured_members": [person],
        "nominees": [],
        "context_data": [
            { "key": key::LOAN_AMOUNT, "values": ["500000"] },
            { "key": key::LOAN_TENURE, "values": [TERM.to_string()] },
        ],
    });
    post(PROPOSALS, &body, Some(id))
}

fn policy(policy: PolicyId, status: &str, today: Date) -> Value {
    let day = today.to_string();
    json!({
        "policy_id": policy.to_string(), "certificate_number": "EXAMPLE-1", "uin": "000N000V01",
        "variant_id": VariantId::from_uuid(policy.uuid()).to_string(), "status": status, "issued_on": day,
        "cover_starts": day, "cover_ends": day, "sum_insured": COVER.to_string(), "premium": amounts(),
    })
}

fn amounts() -> Value {
    json!({ "base_premium": "1000.00", "gst": "180.00", "total_premium": "1180.00" })
}

fn cancellation(today: Date) -> Value {
    let day = today.to_string();
    json!({ "reason": "DUPLICATE", "effective_on": day, "refund": amounts(), "refund_due_on": day })
}

/// Notice about a fictional policy. `event` is `NEW` or `CANCEL`.
pub(super) fn notice(of: PolicyId, id: &str, event: &str, today: Date) -> Request {
    let is_cancelled = event == "CANCEL";
    let mut body = json!({
        "notice_id": id,
        "event": event,
        "at": format!("{today}T10:00:00Z"),
        "policy": policy(of, if is_cancelled { "CANCELLED" } else { "ISSUED" }, today),
    });
    if is_cancelled {
        body["cancellation"] = cancellation(today);
    }
    keyed(post(POLICY_NOTICES, &body, None), id)
}

/// Request to cancel a fictional policy.
pub(super) fn request(of: PolicyId, id: &str, today: Date) -> Request {
    let body = json!({
        "request_id": id,
        "request": "CANCEL",
        "at": format!("{today}T10:00:00Z"),
        "policy": policy(of, "CANCELLATION_REQUESTED", today),
        "cancellation": cancellation(today),
    });
    keyed(post(POLICY_REQUESTS, &body, None), id)
}

pub(super) fn health_proposal(
    id: ProposalId,
    variant: VariantId,
    offer: &HealthOffer,
    TenurePrice { years, premium }: TenurePrice,
    today: Date,
) -> Request {
    let family = family();
    let born = |member: &Member| {
        let years = i16::try_from(member.age.completed_years()).unwrap_or(0);
        Date::new(today.year() - years, 1, 1).expect("a first of January").to_string()
    };
    let insured = |member: &Member| {
        json!({
            "relation": member.relation.word(), "name": "Example Customer", "date_of_birth": born(member),
            "gender": "Female", "illnesses": [],
        })
    };
    let quoted =
        |member: &Member| json!({ "relation": member.relation.word(), "age": member.age.completed_years() });
    let at = format!("{today}T10:00:00Z");
    let consent = |purpose: &str| json!({ "purpose": purpose, "given": true, "at": at });
    let body = json!({
        "proposal_id": id.to_string(),
        "variant_id": variant.to_string(),
        "quoted": {
            "on": today.to_string(),
            "pincode": "560038",
            "members": family.members.iter().map(quoted).collect::<Vec<_>>(),
            "has_ped": false,
            "illnesses": [],
        },
        "tenure": years,
        "premium": {
            "base_premium": premium.base().to_string(),
            "gst": premium.gst().to_string(),
            "total_premium": premium.total().to_string(),
        },
        "plan_type": family.plan.word(),
        "sum_insured": family.sum_insured.to_string(),
        "deductible": offer.deductible.to_string(),
        "copay_percent": offer.copay_percent,
        "porting": null,
        "proposer": {
            "name": "Example Customer", "gender": "Female", "date_of_birth": born(&family.members[0]),
            "mobile": "9000000000", "email": "customer@example.com",
            "address": {
                "address_line_1": "1 Example Road", "city": "Bengaluru", "state": "Karnataka",
                "country": "India", "pincode": "560038",
            },
        },
        "insured_members": family.members.iter().map(insured).collect::<Vec<_>>(),
        "nominee": { "name": "Example Nominee", "relationship": "SPOUSE" },
        "consents": [consent("declaration"), consent("insurer")],
    });
    post(HEALTH_PROPOSALS, &body, Some(id))
}

/// The request with an idempotency key.
pub(super) fn keyed(request: Request, key: &str) -> Request {
    Request { key: Some(key.to_owned()), ..request }
}
