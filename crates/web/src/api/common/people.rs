//! People in a request body: proposer, insured members, nominees, appointees (interface §5; D25 to D27, D39).

use domain::date::{BirthDate, Date};
use domain::money::PlainAmount;
use domain::person::{
    Address, Appointee, Document, DocumentType, Education, Email, Gender, Income, MaritalStatus, Mobile,
    Name, Nationality, Nominee, NomineeFault, Occupation, Organization, Person, PersonalLine, Phone, Pincode,
    PrintedLine, Relationship, Share, Title, default_country_code, is_minor, nominee_faults,
};
use domain::text::has_hidden_character;
use rust_decimal::Decimal;
use service::line::certificate::can_print;

use crate::reader::{Fields, Shape};
use crate::shape::{ExactDecimal, Items, birth_date, list, named, object, text, validated};
use crate::wording::must_be;

/// Shape of one line of text, at most 200 characters, that the certificate's fonts can print.
pub(crate) fn printed_line() -> impl Shape<Value = PersonalLine> {
    let wanted = "one line of text of at most 200 characters, in Latin letters or a script of India";
    validated(|line: PersonalLine| can_print(line.reveal()).then_some(line)).wanted_as(wanted)
}

/// Shape of a part of a name. A hidden character would make two names that look alike differ.
fn printed_name() -> impl Shape<Value = PersonalLine> {
    let wanted = "one line of text of at most 200 characters, in Latin letters or a script of India, without invisible characters";
    let is_good = |name: &str| can_print(name) && !has_hidden_character(name);
    validated(move |name: PersonalLine| is_good(name.reveal()).then_some(name)).wanted_as(wanted)
}

/// Shape of a short line, such as a loan account number, that the certificate's fonts can print.
pub(crate) fn short_printed_line() -> impl Shape<Value = PrintedLine> {
    validated(|line: PrintedLine| can_print(line.reveal()).then_some(line))
}

/// Maximum number of identity documents of one person.
const MOST_DOCUMENTS: usize = 50;

/// Role of the person whose fields are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Who {
    /// For the proposer, income and organization are required.
    Proposer,
    /// For an insured member, income and organization are optional.
    InsuredMember,
}

/// Parsed proposer or insured member, possibly with faults.
pub(crate) struct PersonDraft {
    occupation: Option<Occupation>,
    organization: Option<Organization>,
    person: Option<Person>,
}

impl PersonDraft {
    /// Whether the occupation is `OTHERS` (D27).
    pub(crate) fn has_other_occupation(&self) -> bool {
        self.occupation == Some(Occupation::Others)
    }

    /// Whether the organization is `OTHERS` (D27).
    pub(crate) fn has_other_organization(&self) -> bool {
        self.organization == Some(Organization::Others)
    }

    /// The person, to check rules about several people. `None` if a field has a fault.
    pub(crate) fn read(&self) -> Option<&Person> {
        self.person.as_ref()
    }

    /// Returns the person, or `None` if a field has a fault.
    pub(crate) fn finish(self) -> Option<Person> {
        self.person
    }
}

/// Parsed nominee, possibly with faults.
pub(crate) struct NomineeDraft {
    /// Value of `percentage_sharing`, even if it is not a valid share (D26).
    pub(crate) share: Option<Decimal>,
    nominee: Option<Nominee>,
}

impl NomineeDraft {
    /// The nominee, to check rules about several people. `None` if a field has a fault.
    fn read(&self) -> Option<&Nominee> {
        self.nominee.as_ref()
    }

    /// Returns the nominee, or `None` if a field has a fault.
    pub(crate) fn finish(self) -> Option<Nominee> {
        self.nominee
    }
}

pub(crate) fn person(fields: &mut Fields<'_>, who: Who, today: Date) -> PersonDraft {
    let name = name(fields);
    let email = fields.required("email", text::<Email>());
    let mobile = fields.required("mobile", text::<Mobile>());
    let country_code = country_code(fields);
    let born = born(fields, today);
    let address = fields.required("address", address());
    let nationality = fields.required("nationality", text::<Nationality>());
    let gender = fields.required("gender", text::<Gender>());
    let marital_status = fields.required("marital_status", text::<MaritalStatus>());
    let occupation = fields.required("occupation", text::<Occupation>());
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
    let education = fields.required("education", text::<Education>());
    let employer = fields.optional("employer", text::<PersonalLine>());
    let documents = fields.required("documents", documents());
    let person = || {
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
    };
    PersonDraft { occupation, organization: organization.flatten(), person: person() }
}

/// Reads a nominee. A minor needs an appointee; an adult's appointee is ignored (D25).
pub(crate) fn nominee(fields: &mut Fields<'_>, today: Date) -> NomineeDraft {
    let name = name(fields);
    let born = born(fields, today);
    let mobile = fields.optional("mobile", text::<Mobile>());
    let country_code = country_code(fields);
    let relationship = fields.required("relationship", text::<Relationship>());
    let address = fields.required("address", address());
    let wanted = "a number above 0 and at most 100";
    let share = fields.required("percentage_sharing", ExactDecimal { wanted });
    let documents = fields.required("documents", documents());
    let minor = born.is_some_and(|born| is_minor(born, today));
    let appointee = named("Appointee", object(|fields| appointee(fields, today)));
    let appointee = fields.required_when(minor, "appointee_details", appointee);
    let nominee = || {
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
    };
    NomineeDraft { share, nominee: nominee() }
}

fn appointee(fields: &mut Fields<'_>, today: Date) -> Option<Appointee> {
    let relationship = fields.required("relationship_to_nominee", text::<Relationship>());
    let name = name(fields);
    let born = born(fields, today);
    let mobile = fields.optional("mobile", text::<Mobile>());
    let country_code = country_code(fields);
    let address = fields.required("address", address());
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

/// Reads the fields of a person's name.
pub(crate) fn name(fields: &mut Fields<'_>) -> Option<Name> {
    let title = fields.required("title", text::<Title>());
    let first = fields.required("first_name", printed_name());
    let middle = fields.optional("middle_name", printed_name());
    let last = fields.required("last_name", printed_name());
    Some(Name { title: title?, first: first?, middle: middle?, last: last? })
}

fn born(fields: &mut Fields<'_>, today: Date) -> Option<BirthDate> {
    fields.required("date_of_birth", birth_date(today))
}

/// Reads the country code of a mobile number. The default is `+91`.
pub(crate) fn country_code(fields: &mut Fields<'_>) -> Option<PersonalLine> {
    Some(fields.optional("country_code", text::<PersonalLine>())?.unwrap_or_else(default_country_code))
}

pub(crate) fn phone(mobile: Option<Mobile>, country_code: PersonalLine) -> Option<Phone> {
    mobile.map(|mobile| Phone { country_code, mobile })
}

pub(crate) fn address() -> impl Shape<Value = Address> {
    named("Address", object(read_address))
}

fn read_address(fields: &mut Fields<'_>) -> Option<Address> {
    let line_1 = fields.required("address_line_1", printed_line());
    let line_2 = fields.required("address_line_2", printed_line());
    let line_3 = fields.optional("address_line_3", printed_line());
    let city = fields.required("city", printed_line());
    let state = fields.required("state", printed_line());
    let country = fields.optional("country", printed_line());
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
    list(named("Document", object(document)), 0, MOST_DOCUMENTS)
}

/// Reads an identity document. Only the last four digits of an Aadhaar number leave this function (D39).
fn document(fields: &mut Fields<'_>) -> Option<Document> {
    let kind = fields.required("document_type", text::<DocumentType>());
    let number = fields.required("document_number", text::<PersonalLine>());
    let (kind, number) = (kind?, number?);
    match Document::of(kind, number.reveal()) {
        Ok(document) => Some(document),
        Err(_) => {
            fields.fault("document_number", must_be(Document::wanted(kind)));
            None
        }
    }
}

/// Checks a list of nominees. Each share must be above zero, and the total 100 within 0.001 (D26, D125). No
/// nominee may appear twice or be an insured person. Appointees must be adults. People with faults are
/// skipped.
pub(crate) fn check_nominees(
    fields: &mut Fields<'_>,
    field: &str,
    nominees: Option<&Items<NomineeDraft>>,
    insured: &[&Person],
    today: Date,
) {
    let Some(nominees) = nominees else { return };
    let read: Vec<Option<&Nominee>> =
        nominees.all().map(|draft| draft.and_then(NomineeDraft::read)).collect();
    for (place, fault) in nominee_faults(&read, insured, today) {
        let (of, message) = match fault {
            NomineeFault::AppointeeIsMinor => {
                (".appointee_details.date_of_birth", "The appointee must be an adult.".to_owned())
            }
            NomineeFault::AppointeeIsNominee => {
                (".appointee_details", "The appointee must be another person than the nominee.".to_owned())
            }
            NomineeFault::Twice(first) => {
                ("", format!("Duplicate nominee: the same person is at {field}[{first}]."))
            }
            NomineeFault::IsInsured => {
                ("", "The nominee must be another person than the insured.".to_owned())
            }
        };
        fields.fault(&format!("{field}[{place}]{of}"), message);
    }
    let shares: Vec<Decimal> = nominees.read().filter_map(|nominee| nominee.share).collect();
    if shares.is_empty() || shares.len() < nominees.len() {
        return;
    }
    let each = shares.iter().all(|share| Share::percent(*share).is_some());
    // Sum them only if each is at most a hundred: larger ones could overflow.
    if !each || (shares.iter().sum::<Decimal>() - Share::WHOLE).abs() > Share::TOLERANCE {
        fields.fault(field, "Each percentage_sharing must be above 0, and all of them must total 100.");
    }
}
