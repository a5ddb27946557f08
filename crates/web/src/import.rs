//! Reads imported records: one JSON object per line, in the form of the deprecated read operations (interface
//! §10 to §13), plus partner and time of creation.

use domain::bank::{BankAccount, Ifsc};
use domain::date::{BirthDate, Date, Timestamp, day_of, start_of_day};
use domain::health_policy::{HealthCover, ImportedPolicy, PolicyOrigin, PolicyWord, Rider};
use domain::health_proposal::{
    HealthApplication, HealthNominee, HealthProposal, HealthProposalStatus, HealthProposer, HomeAddress,
    ImportedProposal, InsuredMember, NamedPlan, ProposalOrigin,
};
use domain::id::PartnerId;
use domain::identifier::Reference;
use domain::money::{PlainAmount, Premium, Rupees};
use domain::period::IsoDate;
use domain::person::{
    Address, DocumentType, Email, FormResponses, IndianMobile, PersonalLine, Pincode, masked_aadhaar,
};
use domain::policy::{Cover, Policy, PolicyNumber};
use domain::policy_state::PolicyState;
use domain::text::FromText;
use serde_json::{Map, Value, json};
use service::import::id_of_record;
use service::{Fault, Faults};

use crate::reader::{FieldLocation, Fields, Shape, is_absent, json_object, read_object};
use crate::shape::{IdText, PlainText, list, object, text, validated};

/// Maximum length of an id or name in a record, in characters.
const LONGEST: usize = 200;

/// Maximum number of insured members, nominees or riders in one record.
const MOST: usize = 50;

/// Known partners and current time, to check records.
pub struct Context<'a> {
    /// Finds a partner by its id or `client_id`.
    pub partner: &'a dyn Fn(&str) -> Option<PartnerId>,
    /// Current time. A record must not be newer.
    pub now: Timestamp,
}

/// Reads a proposal from one line of the import.
///
/// # Errors
/// All faults of the line.
pub fn proposal(line: &[u8], context: &Context<'_>) -> Result<HealthProposal, Faults> {
    // The line end must not count, because an id can be derived from the line.
    let line = line.trim_ascii();
    read_line(line, |fields| read_proposal(fields, line, context))
}

/// Reads a policy from one line of the import.
///
/// # Errors
/// All faults of the line.
pub fn policy(line: &[u8], context: &Context<'_>) -> Result<Policy, Faults> {
    let line = line.trim_ascii();
    read_line(line, |fields| read_policy(fields, line, context))
}

fn read_line<T>(line: &[u8], read: impl FnOnce(&mut Fields<'_>) -> Option<T>) -> Result<T, Faults> {
    let fields = json_object(line, "line", |fault| format!("column {}", fault.column()))?;
    match read_object(&fields, read) {
        (Some(record), faults) if faults.0.is_empty() => Ok(record),
        (_, faults) if faults.0.is_empty() => {
            Err(Faults(vec![Fault { field: "line".into(), message: "The record cannot be read.".into() }]))
        }
        (_, faults) => Err(faults),
    }
}

fn read_proposal(fields: &mut Fields<'_>, line: &[u8], context: &Context<'_>) -> Option<HealthProposal> {
    let partner = read_partner(fields, context);
    let created_at = fields.required("created_at", PastInstant { now: context.now });
    let id = fields.optional("proposal_id", IdText::of("the id of a proposal, pro_ and 26 characters"));
    let session = fields.optional("session_id", IdText::of("the id of a session, ses_ and 26 characters"));
    let name = fields.required("name", text::<PersonalLine>());
    let phone = fields.required("phone", text::<IndianMobile>());
    let email = fields.required("email", text::<Email>());
    let plan = read_plan(fields);
    let tenure = fields.required("tenure", Tenure);
    let net = fields.required("net_premium", text::<PlainAmount>());
    let gross = fields.required("gross_premium", text::<PlainAmount>());
    let premium = match (net, gross) {
        (Some(net), Some(gross)) => read_premium(fields, net.0, gross.0),
        _ => None,
    };
    let status = fields.required("status", text::<HealthProposalStatus>());
    let form_responses = fields.optional("form_responses", Responses);
    let reference = fields.optional("insurer_proposal_id", PlainText::line(LONGEST));
    let quote_id = required_text(fields, "quote_id");
    let own_reference = fields.optional("reference", text::<Reference>());
    let cancelled = fields.optional("cancelled_reason", text::<PersonalLine>());
    let rejected = fields.optional("rejection_reason", text::<PersonalLine>());
    let (partner, created_at, status) = (partner?, created_at?, status?);
    let reason = match status {
        HealthProposalStatus::Cancelled => cancelled?,
        HealthProposalStatus::Rejected => rejected?,
        _ => None,
    };
    Some(HealthProposal {
        id: id?.unwrap_or_else(|| id_of_record(created_at, partner, line)),
        partner,
        session: session?,
        status,
        created_at,
        changed_at: created_at,
        premium: premium?,
        reason,
        insurer_reference: reference?,
        reference: own_reference?,
        application: HealthApplication {
            tenure: tenure?,
            origin: ProposalOrigin::Import(Box::new(ImportedProposal {
                plan: plan?,
                name: name?,
                phone: phone?.0,
                email: email?,
                quote_id: quote_id?,
                form_responses: form_responses?.unwrap_or_else(|| FormResponses::kept("{}".into())),
            })),
        },
    })
}

fn read_policy(fields: &mut Fields<'_>, line: &[u8], context: &Context<'_>) -> Option<Policy> {
    let today = day_of(context.now);
    let partner = read_partner(fields, context);
    let id = fields.optional("policy_id", IdText::of("the id of a policy, pol_ and 26 characters"));
    let session = fields.optional("session_id", IdText::of("the id of a session, ses_ and 26 characters"));
    let number = fields.required("policy_number", text::<PolicyNumber>());
    let insurer_number = fields.optional("insurer_policy_number", text::<PolicyNumber>());
    let status = fields.required("status", text::<PolicyWord>());
    let issued_on = fields.required(
        "issuance_date",
        validated(move |day: IsoDate| (day.0 <= today).then_some(day.0))
            .wanted_as("a real calendar date written YYYY-MM-DD, not after today"),
    );
    let expires = fields.required("expiry_date", text::<IsoDate>());
    if let (Some(issued), Some(expires)) = (issued_on, &expires)
        && expires.0 < issued
    {
        fields.fault("expiry_date", "Must be issuance_date or later.");
    }
    let sum_insured = fields.required("sum_insured", text::<PlainAmount>());
    let kind = fields.required("policy_type", text::<PolicyWord>());
    let tenure = fields.required("tenure", Tenure);
    let net = fields.optional("net_premium", text::<PlainAmount>());
    let gross = fields.required("gross_premium", text::<PlainAmount>());
    let premium = match (net, gross) {
        (Some(net), Some(gross)) => read_premium(fields, net.map_or(gross.0, |net| net.0), gross.0),
        _ => None,
    };
    let plan = read_plan(fields);
    let previous = fields.optional("previous_policy_id", PlainText::line(LONGEST));
    let proposer = fields.required("proposer_details", object(|fields| read_proposer(fields, today)));
    let member = object(move |fields| read_member(fields, today));
    let members = fields.required("insured_members", list(member, 1, MOST));
    let nominees = fields.optional("nominees", list(object(read_nominee), 0, MOST));
    let riders = fields.optional("riders", list(object(read_rider), 0, MOST));
    let proposal_id = fields.optional("proposal_id", PlainText::line(LONGEST));
    let quote_id = fields.optional("quote_id", PlainText::line(LONGEST));
    let reference = fields.optional("reference", text::<Reference>());
    let (partner, issued_on) = (partner?, issued_on?);
    let issued_at = start_of_day(issued_on).unwrap_or(context.now);
    let status = status?;
    // With a status that is not ours, the policy covers.
    let state = PolicyState::from_text(status.as_str()).unwrap_or(PolicyState::Issued);
    Some(Policy {
        id: id?.unwrap_or_else(|| id_of_record(issued_at, partner, line)),
        partner,
        session: session?,
        reference: reference?,
        proposal: None,
        number: number?,
        insurer_number: insurer_number?,
        check: None,
        issued_at,
        sum_insured: sum_insured?.0,
        premium: premium?,
        state,
        changed_at: issued_at,
        version: 1,
        document_read_at: None,
        cancellation: None,
        claims: Vec::new(),
        endorsements: Vec::new(),
        renewable_until: None,
        renewed_by: None,
        cover: Cover::Health(Box::new(HealthCover {
            status,
            kind: kind?,
            tenure: tenure?,
            previous: previous?,
            proposer: proposer?,
            members: members?,
            nominees: nominees?.unwrap_or_default(),
            riders: riders?.unwrap_or_default(),
            origin: PolicyOrigin::Import(Box::new(ImportedPolicy {
                plan: plan?,
                proposal_id: proposal_id?,
                quote_id: quote_id?,
                expires: expires?.0,
            })),
        })),
    })
}

fn read_partner(fields: &mut Fields<'_>, context: &Context<'_>) -> Option<PartnerId> {
    let named = required_text(fields, "partner_id")?;
    let partner = (context.partner)(&named);
    if partner.is_none() {
        fields.fault("partner_id", "Must be the partner_id or client_id of a partner.");
    }
    partner
}

/// Reads a required text that is not blank.
fn required_text(fields: &mut Fields<'_>, name: &'static str) -> Option<String> {
    let text = fields.required(name, PlainText::line(LONGEST))?;
    if text.is_empty() {
        fields.fault(name, "Required: text of at most 200 characters.");
        return None;
    }
    Some(text)
}

fn read_plan(fields: &mut Fields<'_>) -> Option<NamedPlan> {
    let insurer_id = required_text(fields, "insurer_id");
    let insurer_name = required_text(fields, "insurer_name");
    let insurer_logo = fields.optional("insurer_logo", PlainText::line(1000));
    let product_id = required_text(fields, "product_id");
    let product_name = required_text(fields, "product_name");
    let variant_id = required_text(fields, "variant_id");
    let variant_name = required_text(fields, "variant_name");
    Some(NamedPlan {
        insurer_id: insurer_id?,
        insurer_name: insurer_name?,
        insurer_logo: insurer_logo?.unwrap_or_default(),
        product_id: product_id?,
        product_name: product_name?,
        variant_id: variant_id?,
        variant_name: variant_name?,
    })
}

/// Premium from its amounts without and with tax. The tax is the difference.
fn read_premium(fields: &mut Fields<'_>, net: Rupees, gross: Rupees) -> Option<Premium> {
    if gross < net {
        fields.fault("gross_premium", "Must be net_premium plus tax, but is less than net_premium.");
        return None;
    }
    let premium = Premium::of_parts(net, gross - net);
    if premium.is_none() {
        fields.fault("gross_premium", "The amount is too large.");
    }
    premium
}

fn read_proposer(fields: &mut Fields<'_>, today: Date) -> Option<HealthProposer> {
    let name = fields.required("name", text::<PersonalLine>());
    let phone = fields.required("phone", text::<IndianMobile>());
    let born = fields.required("dob", born(today));
    let email = fields.optional("email", text::<Email>());
    // Nested or flat: the deprecated reads show both (D34).
    let address = if fields.has("address") {
        fields.required("address", object(read_address))
    } else {
        read_address(fields)
    };
    let bank = if fields.has("bank_details") {
        fields.optional("bank_details", object(read_bank)).map(Option::flatten)
    } else {
        read_bank(fields)
    };
    Some(HealthProposer {
        name: name?,
        phone: phone?.0,
        born: born?,
        email: email?,
        address: address?,
        bank: bank?,
    })
}

fn read_address(fields: &mut Fields<'_>) -> Option<HomeAddress> {
    let line_1 = fields.required("address_line_1", text::<PersonalLine>());
    let line_2 = fields.optional("address_line_2", text::<PersonalLine>());
    let city = fields.required("city", text::<PersonalLine>());
    let state = fields.required("state", text::<PersonalLine>());
    let country = fields.optional("country", text::<PersonalLine>());
    let pincode = fields.required("pincode", text::<Pincode>());
    Some(HomeAddress {
        line_1: line_1?,
        line_2: line_2?,
        city: city?,
        state: state?,
        country: country?.unwrap_or_else(Address::default_country),
        pincode: pincode?,
    })
}

/// Reads a bank account. `Some(None)` if none of its fields is present.
fn read_bank(fields: &mut Fields<'_>) -> Option<Option<BankAccount>> {
    let bank_id = fields.optional("bank_id", text::<PersonalLine>());
    let account_number = fields.optional("bank_account_number", text::<PersonalLine>());
    let bank_name = fields.optional("bank_name", text::<PersonalLine>());
    let branch_id = fields.optional("branch_id", text::<PersonalLine>());
    let branch_name = fields.optional("branch_name", text::<PersonalLine>());
    let ifsc = fields.optional("ifsc_code", text::<Ifsc>());
    let account = BankAccount {
        bank_id: bank_id?,
        account_number: account_number?,
        bank_name: bank_name?,
        branch_id: branch_id?,
        branch_name: branch_name?,
        ifsc: ifsc?,
    };
    Some((account != BankAccount::default()).then_some(account))
}

fn born(today: Date) -> impl Shape<Value = BirthDate> {
    validated(move |day: IsoDate| BirthDate::before(day.0, today).ok())
        .wanted_as("a real calendar date before today, written YYYY-MM-DD")
}

fn read_member(fields: &mut Fields<'_>, today: Date) -> Option<InsuredMember> {
    let name = fields.required("name", text::<PersonalLine>());
    let born = fields.required("dob", born(today));
    let gender = fields.required("gender", text::<PersonalLine>());
    let relationship = fields.required("relationship", text::<PersonalLine>());
    let illnesses = fields.optional("pre_existing_diseases", list(text::<PersonalLine>(), 0, MOST));
    Some(InsuredMember {
        name: name?,
        born: born?,
        gender: gender?,
        relationship: relationship?,
        illnesses: illnesses?.unwrap_or_default(),
    })
}

fn read_nominee(fields: &mut Fields<'_>) -> Option<HealthNominee> {
    let name = fields.required("nominee_name", text::<PersonalLine>());
    let relationship = fields.required("relationship", text::<PersonalLine>());
    let phone = fields.optional("nominee_phone", text::<IndianMobile>());
    Some(HealthNominee {
        name: name?,
        relationship: relationship?,
        phone: phone?.map(|IndianMobile(phone)| phone),
    })
}

fn read_rider(fields: &mut Fields<'_>) -> Option<Rider> {
    let (id, name) = (required_text(fields, "id"), required_text(fields, "name"));
    Some(Rider { id: id?, name: name? })
}

/// Shape of a time with offset that is not later than `now`.
struct PastInstant {
    now: Timestamp,
}

impl Shape for PastInstant {
    type Value = Timestamp;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<Timestamp> {
        let instant = value.as_str().and_then(|text| text.trim().parse::<Timestamp>().ok());
        let past = instant.filter(|instant| *instant <= self.now);
        if past.is_none() {
            at.mismatch(value, &self.wanted());
        }
        past
    }

    fn wanted(&self) -> String {
        "an instant with its offset, not after now, such as 2026-11-20T10:00:00+05:30".to_owned()
    }

    fn schema(&self) -> Value {
        json!({ "type": "string", "format": "date-time" })
    }
}

/// Shape of the years of cover: a number, or a number as text.
struct Tenure;

impl Shape for Tenure {
    type Value = u8;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<u8> {
        let years = match value {
            Value::Number(number) => number.as_u64(),
            Value::String(text) => text.trim().parse::<u64>().ok(),
            _ => None,
        };
        let years = years.and_then(|years| u8::try_from(years).ok()).filter(|years| (1..=50).contains(years));
        if years.is_none() {
            match value.is_number() {
                true => at.invalid(&self.wanted()),
                false => at.mismatch(value, &self.wanted()),
            }
        }
        years
    }

    fn wanted(&self) -> String {
        "a whole number of years from 1 to 50".to_owned()
    }

    fn schema(&self) -> Value {
        json!({ "type": "integer", "minimum": 1, "maximum": 50 })
    }
}

/// Shape of form answers: an object with section names as keys, or a list of sections (D49). Only the last
/// four digits of an Aadhaar number are stored (D39).
struct Responses;

impl Shape for Responses {
    type Value = FormResponses;

    fn read(&self, value: &Value, at: &mut FieldLocation<'_>) -> Option<FormResponses> {
        let sections = match value {
            Value::Object(sections) => Some(sections.clone()),
            Value::Array(items) => by_section(items),
            _ => None,
        };
        let sections = sections.filter(|sections| sections.values().all(Value::is_object));
        let Some(sections) = sections else {
            at.mismatch(value, &self.wanted());
            return None;
        };
        let mut sections = Value::Object(sections);
        if !cut_aadhaar(&mut sections) {
            at.invalid("form responses whose Aadhaar numbers have 12 digits or are masked");
            return None;
        }
        Some(FormResponses::kept(sections.to_string()))
    }

    fn wanted(&self) -> String {
        "an object of objects, or a list of { section_name, response_data } with different names".to_owned()
    }

    fn schema(&self) -> Value {
        json!({ "type": ["object", "array"] })
    }
}

/// Converts a list of sections to an object with section names as keys. `None` if an item is not a section,
/// or two sections have the same name.
fn by_section(items: &[Value]) -> Option<Map<String, Value>> {
    let mut sections = Map::new();
    for item in items {
        let name = item.get("section_name")?.as_str()?;
        if sections.insert(name.to_owned(), item.get("response_data")?.clone()).is_some() {
            return None;
        }
    }
    Some(sections)
}

/// Shortens every Aadhaar number in the value to its last four digits. `false` if a number is malformed.
fn cut_aadhaar(value: &mut Value) -> bool {
    match value {
        Value::Array(items) => items.iter_mut().all(cut_aadhaar),
        Value::Object(fields) => {
            let kind = fields.get("document_type").and_then(Value::as_str).map(str::trim);
            let is_aadhaar = kind.is_some_and(|kind| kind.eq_ignore_ascii_case(DocumentType::Aadhaar.word()));
            if is_aadhaar && let Some(number) = fields.get_mut("document_number").filter(|it| !is_absent(it))
            {
                let Some(masked) = number.as_str().and_then(|text| masked_aadhaar(text.trim())) else {
                    return false;
                };
                *number = masked.into();
            }
            fields.values_mut().all(cut_aadhaar)
        }
        _ => true,
    }
}
