//! People in a proposal's body: proposer, insured members, nominees, appointees (interface §5; D25 to D27, D39).

use std::cell::{Cell, RefCell};

use domain::date::{BirthDate, Date};
use domain::money::PlainAmount;
use domain::person::{
    Address, Appointee, Document, DocumentType, Education, Email, Gender, Income, MaritalStatus, Mobile,
    Name, Nationality, Nominee, Occupation, Organization, Person, PersonalLine, Phone, Pincode, Relationship,
    Share, Title, default_country_code, is_minor,
};
use rust_decimal::Decimal;

use crate::reader::Fields;
use crate::shape::{Exact, Shape, birth_date, list, object, text};

/// Documents of one person, at most.
const MOST_DOCUMENTS: usize = 50;

/// What of the people decides about other fields, noted even where a person has faults elsewhere.
#[derive(Default)]
pub(crate) struct Noted {
    /// Somebody's occupation is `OTHERS` (D27).
    pub(crate) other_occupation: Cell<bool>,
    /// Somebody's organization is `OTHERS` (D27).
    pub(crate) other_organization: Cell<bool>,
    /// What nominees share, as far as it could be read (D26).
    pub(crate) shares: RefCell<Vec<Decimal>>,
    /// The keys of the context data that tell something (D27).
    pub(crate) told: RefCell<Vec<String>>,
}

/// Whose fields are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// Must tell income and organization.
    Proposer,
    /// May tell them.
    InsuredMember,
}

/// Reads a proposer or an insured member.
pub(crate) fn person(fields: &mut Fields<'_>, who: Who, today: Date, noted: &Noted) -> Option<Person> {
    let name = name(fields);
    let email = fields.required("email", text::<Email>());
    let mobile = fields.required("mobile", text::<Mobile>());
    let country_code = country_code(fields);
    let born = born(fields, today);
    let address = fields.required("address", object(address));
    let nationality = fields.required("nationality", text::<Nationality>());
    let gender = fields.required("gender", text::<Gender>());
    let marital_status = fields.required("marital_status", text::<MaritalStatus>());
    let occupation = fields.required("occupation", text::<Occupation>());
    if occupation == Some(Occupation::Others) {
        noted.other_occupation.set(true);
    }
    let (income, organization) = match who {
        Who::Proposer => (
            fields.required("annual_income", text::<PlainAmount>()).map(Some),
            fields.required("organization", text::<Organization>()).map(Some),
        ),
        Who::InsuredMember => (
            fields.optional("annual_income", text::<PlainAmount>()),
            fields.optional("organization", text::<Organization>()),
        ),
    };
    if organization == Some(Some(Organization::Others)) {
        noted.other_organization.set(true);
    }
    let education = fields.required("education", text::<Education>());
    let employer = fields.optional("employer", text::<PersonalLine>());
    let documents = fields.required("documents", documents());
    Some(Person {
        name: name?,
        email: email?,
        phone: Phone { country_code: country_code?, mobile: mobile? },
        born: born?,
        address: address?,
        nationality: nationality?,
        gender: gender?,
        marital_status: marital_status?,
        annual_income: income?.map(|amount| Income::of(amount.0)),
        occupation: occupation?,
        organization: organization?,
        education: education?,
        employer: employer?,
        documents: documents?,
    })
}

/// Reads a nominee. A minor needs an appointee; an adult's is not looked at (D25).
pub(crate) fn nominee(fields: &mut Fields<'_>, today: Date, noted: &Noted) -> Option<Nominee> {
    let name = name(fields);
    let born = born(fields, today);
    let mobile = fields.optional("mobile", text::<Mobile>());
    let country_code = country_code(fields);
    let relationship = fields.required("relationship", text::<Relationship>());
    let address = fields.required("address", object(address));
    let share = fields.required("percentage_sharing", Exact { wanted: "a number above 0 and at most 100" });
    noted.shares.borrow_mut().extend(share);
    let documents = fields.required("documents", documents());
    let minor = born.is_some_and(|born| is_minor(born, today));
    let appointee =
        fields.required_when(minor, "appointee_details", object(|fields| appointee(fields, today)));
    Some(Nominee {
        name: name?,
        born: born?,
        phone: phone(mobile?, country_code?),
        relationship: relationship?,
        address: address?,
        share: share.and_then(Share::percent)?,
        documents: documents?,
        appointee: appointee?,
    })
}

fn appointee(fields: &mut Fields<'_>, today: Date) -> Option<Appointee> {
    let relationship = fields.required("relationship_to_nominee", text::<Relationship>());
    let name = name(fields);
    let born = born(fields, today);
    let mobile = fields.optional("mobile", text::<Mobile>());
    let country_code = country_code(fields);
    let address = fields.required("address", object(address));
    let documents = fields.required("documents", documents());
    Some(Appointee {
        name: name?,
        relationship: relationship?,
        born: born?,
        phone: phone(mobile?, country_code?),
        address: address?,
        documents: documents?,
    })
}

fn name(fields: &mut Fields<'_>) -> Option<Name> {
    let title = fields.required("title", text::<Title>());
    let first = fields.required("first_name", text::<PersonalLine>());
    let middle = fields.optional("middle_name", text::<PersonalLine>());
    let last = fields.required("last_name", text::<PersonalLine>());
    Some(Name { title: title?, first: first?, middle: middle?, last: last? })
}

fn born(fields: &mut Fields<'_>, today: Date) -> Option<BirthDate> {
    fields.required("date_of_birth", birth_date(today))
}

fn country_code(fields: &mut Fields<'_>) -> Option<PersonalLine> {
    Some(fields.optional("country_code", text::<PersonalLine>())?.unwrap_or_else(default_country_code))
}

fn phone(mobile: Option<Mobile>, country_code: PersonalLine) -> Option<Phone> {
    mobile.map(|mobile| Phone { country_code, mobile })
}

fn address(fields: &mut Fields<'_>) -> Option<Address> {
    let line_1 = fields.required("address_line_1", text::<PersonalLine>());
    let line_2 = fields.required("address_line_2", text::<PersonalLine>());
    let line_3 = fields.optional("address_line_3", text::<PersonalLine>());
    let city = fields.required("city", text::<PersonalLine>());
    let state = fields.required("state", text::<PersonalLine>());
    let country = fields.optional("country", text::<PersonalLine>());
    let pincode = fields.required("pincode", text::<Pincode>());
    Some(Address {
        line_1: line_1?,
        line_2: line_2?,
        line_3: line_3?,
        city: city?,
        state: state?,
        country: country?.unwrap_or_else(Address::default_country),
        pincode: pincode?,
    })
}

fn documents() -> impl Shape<Value = Vec<Document>> {
    list(object(document), 0, MOST_DOCUMENTS)
}

/// Reads a document. An Aadhaar number is cut here, before anything else sees it (D39).
fn document(fields: &mut Fields<'_>) -> Option<Document> {
    let kind = fields.required("document_type", text::<DocumentType>());
    let number = fields.required("document_number", text::<PersonalLine>());
    let (kind, number) = (kind?, number?);
    match Document::of(kind, number.reveal()) {
        Ok(document) => Some(document),
        Err(came) => {
            fields.fault("document_number", crate::shape::found(came, Document::wanted(kind)));
            None
        }
    }
}
