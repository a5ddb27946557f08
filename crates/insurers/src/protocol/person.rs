//! People of a proposal, with the same field names as in the API. Days have the form `YYYY-MM-DD`.

use domain::person::{self, Document, Income, Name, PersonalLine, Phone};
use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::number;

/// Proposer or insured member.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Person {
    #[serde(flatten)]
    name: FullName,
    email: String,
    mobile: String,
    country_code: String,
    date_of_birth: String,
    address: Address,
    nationality: String,
    gender: String,
    marital_status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    annual_income: Option<String>,
    occupation: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    organization: Option<String>,
    education: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    employer: Option<String>,
    documents: Vec<IdentityDocument>,
}

/// Person who receives the sum insured.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Nominee {
    #[serde(flatten)]
    name: FullName,
    date_of_birth: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mobile: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    country_code: Option<String>,
    relationship: String,
    address: Address,
    percentage_sharing: Number,
    documents: Vec<IdentityDocument>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    appointee_details: Option<Appointee>,
}

/// Adult who receives a minor nominee's share.
#[derive(Clone, Serialize, Deserialize)]
struct Appointee {
    relationship_to_nominee: String,
    #[serde(flatten)]
    name: FullName,
    date_of_birth: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mobile: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    country_code: Option<String>,
    address: Address,
    documents: Vec<IdentityDocument>,
}

#[derive(Clone, Serialize, Deserialize)]
struct FullName {
    title: String,
    first_name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    middle_name: Option<String>,
    last_name: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct Address {
    address_line_1: String,
    address_line_2: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    address_line_3: Option<String>,
    city: String,
    state: String,
    country: String,
    pincode: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct IdentityDocument {
    document_type: String,
    document_number: String,
}

fn text(line: &PersonalLine) -> String {
    line.reveal().to_owned()
}

fn full_name(name: &Name) -> FullName {
    FullName {
        title: name.title.word().into(),
        first_name: text(&name.first),
        middle_name: name.middle.as_ref().map(text),
        last_name: text(&name.last),
    }
}

fn address(address: &person::Address) -> Address {
    Address {
        address_line_1: text(&address.line_1),
        address_line_2: text(&address.line_2),
        address_line_3: address.line_3.as_ref().map(text),
        city: text(&address.city),
        state: text(&address.state),
        country: text(&address.country),
        pincode: address.pincode.reveal().into(),
    }
}

/// Converts identity documents. Aadhaar numbers were masked when this service received them (D39).
fn documents(documents: &[Document]) -> Vec<IdentityDocument> {
    let document = |document: &Document| IdentityDocument {
        document_type: document.kind().word().into(),
        document_number: document.reveal().into(),
    };
    documents.iter().map(document).collect()
}

fn mobile(phone: &Phone) -> String {
    phone.mobile.reveal().into()
}

fn country_code(phone: &Phone) -> String {
    text(&phone.country_code)
}

impl Person {
    /// Builds a person in the form that is sent to the insurer.
    pub(crate) fn of(person: &person::Person) -> Self {
        Person {
            name: full_name(&person.name),
            email: person.email.reveal().into(),
            mobile: mobile(&person.phone),
            country_code: country_code(&person.phone),
            date_of_birth: person.born.reveal().to_string(),
            address: address(&person.address),
            nationality: person.nationality.word().into(),
            gender: person.gender.word().into(),
            marital_status: person.marital_status.word().into(),
            annual_income: person.annual_income.map(Income::reveal).map(|income| income.to_string()),
            occupation: person.occupation.word().into(),
            organization: person.organization.map(|organization| organization.word().into()),
            education: person.education.word().into(),
            employer: person.employer.as_ref().map(text),
            documents: documents(&person.documents),
        }
    }
}

impl Nominee {
    /// Builds a nominee in the form that is sent to the insurer.
    pub(crate) fn of(nominee: &person::Nominee) -> Self {
        Nominee {
            name: full_name(&nominee.name),
            date_of_birth: nominee.born.reveal().to_string(),
            mobile: nominee.phone.as_ref().map(mobile),
            country_code: nominee.phone.as_ref().map(country_code),
            relationship: nominee.relationship.word().into(),
            address: address(&nominee.address),
            percentage_sharing: number(nominee.share.as_percent()),
            documents: documents(&nominee.documents),
            appointee_details: nominee.appointee.as_ref().map(Appointee::of),
        }
    }
}

impl Appointee {
    fn of(appointee: &person::Appointee) -> Self {
        Appointee {
            relationship_to_nominee: appointee.relationship.word().into(),
            name: full_name(&appointee.name),
            date_of_birth: appointee.born.reveal().to_string(),
            mobile: appointee.phone.as_ref().map(mobile),
            country_code: appointee.phone.as_ref().map(country_code),
            address: address(&appointee.address),
            documents: documents(&appointee.documents),
        }
    }
}
