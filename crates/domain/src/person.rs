//! People: proposer, insured members, nominees and appointees (interface §5; D25, D26, D39).
//!
//! Every type that holds personal data prints as its name alone and gives it up through `.reveal()`.

mod texts;

use std::fmt;

use rust_decimal::Decimal;

use crate::date::{BirthDate, Date};
use crate::identifier::{Identifier, IdentifierKind};
use crate::money::Rupees;
use crate::text::{FromText, vocabulary};

pub use texts::{
    Email, FormResponses, HomePincode, IndianMobile, Mobile, PersonalLine, Pincode, PlatformId, PrintedLine,
};

vocabulary! {
    /// Form of address.
    Title, "one of MR, MRS, MS" { Mr = "MR", Mrs = "MRS", Ms = "MS" }
}
vocabulary! {
    Gender, "one of MALE, FEMALE" { Male = "MALE", Female = "FEMALE" }
}
vocabulary! {
    MaritalStatus, "one of SINGLE, SEPARATED, MARRIED, DIVORCED, WIDOWED" {
        Single = "SINGLE", Separated = "SEPARATED", Married = "MARRIED", Divorced = "DIVORCED", Widowed = "WIDOWED",
    }
}
vocabulary! {
    /// Occupation. `OTHERS` is told in the context data (D27).
    Occupation, "one of LABOURER, UNEMPLOYED, HOUSEWIFE, RETIRED, OTHERS, FARMER, SALARIED, SELF_EMPLOYED, SERVICE, STUDENT" {
        Labourer = "LABOURER", Unemployed = "UNEMPLOYED", Housewife = "HOUSEWIFE", Retired = "RETIRED", Others = "OTHERS",
        Farmer = "FARMER", Salaried = "SALARIED", SelfEmployed = "SELF_EMPLOYED", Service = "SERVICE", Student = "STUDENT",
    }
}
vocabulary! {
    /// Organization worked for. `OTHERS` is told in the context data (D27).
    Organization, "one of GOVERNMENT, OTHERS, PUBLIC_LTD, PRIVATE_LTD" {
        Government = "GOVERNMENT", Others = "OTHERS", PublicLtd = "PUBLIC_LTD", PrivateLtd = "PRIVATE_LTD",
    }
}
vocabulary! {
    /// Highest education.
    Education, "one of POST_GRADUATE, GRADUATE, 12TH_PASS, 10TH_PASS, BELOW_10TH, ILLITERATE" {
        PostGraduate = "POST_GRADUATE", Graduate = "GRADUATE", TwelfthPass = "12TH_PASS", TenthPass = "10TH_PASS",
        BelowTenth = "BELOW_10TH", Illiterate = "ILLITERATE",
    }
}
vocabulary! {
    Nationality, "one of FN, IND, NRI, OCI, PIO" {
        Foreign = "FN", Indian = "IND", NonResident = "NRI", OverseasCitizen = "OCI", IndianOrigin = "PIO",
    }
}
vocabulary! {
    /// Kind of document.
    DocumentType, "one of PAN, AADHAR, DRIVING_LICENSE, PASSPORT, ELECTRICITY, VOTER_ID" {
        Pan = "PAN", Aadhaar = "AADHAR", DrivingLicense = "DRIVING_LICENSE", Passport = "PASSPORT",
        Electricity = "ELECTRICITY", VoterId = "VOTER_ID",
    }
}
vocabulary! {
    /// Relationship of one person to another.
    Relationship, "one of HUSBAND, SPOUSE, FATHER, MOTHER, SON, DAUGHTER, OTHERS, BROTHER, SISTER, WIFE, NEPHEW, GRANDMOTHER, UNCLE, SISTER_IN_LAW, GRANDFATHER" {
        Husband = "HUSBAND", Spouse = "SPOUSE", Father = "FATHER", Mother = "MOTHER", Son = "SON", Daughter = "DAUGHTER",
        Others = "OTHERS", Brother = "BROTHER", Sister = "SISTER", Wife = "WIFE", Nephew = "NEPHEW",
        Grandmother = "GRANDMOTHER", Uncle = "UNCLE", SisterInLaw = "SISTER_IN_LAW", Grandfather = "GRANDFATHER",
    }
}

/// A postal address in India or elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Address {
    /// House and street.
    pub line_1: PersonalLine,
    /// Locality.
    pub line_2: PersonalLine,
    /// Landmark.
    pub line_3: Option<PersonalLine>,
    pub city: PersonalLine,
    pub state: PersonalLine,
    /// Country; India where none came.
    pub country: PersonalLine,
    /// Postal code.
    pub pincode: Pincode,
}

impl Address {
    /// The country of an address that names none.
    pub fn default_country() -> PersonalLine {
        PersonalLine::kept("India".to_owned())
    }
}

/// Country code of a mobile that names none.
pub fn default_country_code() -> PersonalLine {
    PersonalLine::kept("+91".to_owned())
}

/// A document of a person. An Aadhaar number is cut to its last four digits where it enters (D39).
#[derive(Clone, PartialEq, Eq)]
pub struct Document {
    kind: DocumentType,
    number: String,
}

impl Document {
    /// What is wanted of the number of each kind.
    pub const fn wanted(kind: DocumentType) -> &'static str {
        match kind {
            DocumentType::Pan => "a PAN: 5 letters, 4 digits and a letter",
            DocumentType::Aadhaar => {
                "an Aadhaar number: 12 digits, spaced or not, or masked as XXXXXXXX and 4 digits"
            }
            _ => PersonalLine::WANTED,
        }
    }

    /// Judges a number by the shape of its kind alone, without checksum (D25).
    ///
    /// # Errors
    /// What kind of text came.
    pub fn of(kind: DocumentType, number: &str) -> Result<Self, &'static str> {
        let number = match kind {
            DocumentType::Pan => pan(number).ok_or("text that is not a PAN")?,
            DocumentType::Aadhaar => masked_aadhaar(number).ok_or("text that is not an Aadhaar number")?,
            DocumentType::DrivingLicense
            | DocumentType::Passport
            | DocumentType::Electricity
            | DocumentType::VoterId => texts::line(number)?,
        };
        Ok(Document { kind, number })
    }

    /// A document that was already judged, as it was kept.
    pub fn kept(kind: DocumentType, number: String) -> Self {
        Document { kind, number }
    }

    pub const fn kind(&self) -> DocumentType {
        self.kind
    }

    /// Its number, an Aadhaar number already masked.
    pub fn reveal(&self) -> &str {
        &self.number
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Document({}, …)", self.kind)
    }
}

/// A PAN in capitals, where the text has its shape in any case.
fn pan(text: &str) -> Option<String> {
    let shaped = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            5..=8 => byte.is_ascii_digit(),
            _ => byte.is_ascii_alphabetic(),
        });
    shaped.then(|| text.to_ascii_uppercase())
}

/// `XXXXXXXX` and the last four digits, where the text is an Aadhaar number or masked already (D39).
pub fn masked_aadhaar(text: &str) -> Option<String> {
    let bare: String = text.chars().filter(|c| *c != ' ').collect();
    let last_four = bare.strip_prefix("XXXXXXXX").or_else(|| {
        let digits = bare.len() == 12 && bare.bytes().all(|byte| byte.is_ascii_digit());
        digits.then(|| &bare[8..])
    })?;
    let four = last_four.len() == 4 && last_four.bytes().all(|byte| byte.is_ascii_digit());
    four.then(|| format!("XXXXXXXX{last_four}"))
}

/// A yearly income.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Income(Rupees);

impl Income {
    /// An income of so much.
    pub const fn of(amount: Rupees) -> Self {
        Income(amount)
    }

    /// The amount, for those who must have it.
    pub const fn reveal(self) -> Rupees {
        self.0
    }
}

impl fmt::Debug for Income {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Income(…)")
    }
}

/// Name of a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// Form of address.
    pub title: Title,
    /// First name.
    pub first: PersonalLine,
    /// Middle name.
    pub middle: Option<PersonalLine>,
    /// Last name.
    pub last: PersonalLine,
}

impl Name {
    /// First, middle and last name with spaces between.
    pub fn full(&self) -> PersonalLine {
        let parts = [Some(&self.first), self.middle.as_ref(), Some(&self.last)];
        let parts: Vec<&str> = parts.into_iter().flatten().map(PersonalLine::reveal).collect();
        PersonalLine::kept(parts.join(" "))
    }

    /// The first letters of first and last name: all that a stranger is shown.
    pub fn initials(&self) -> String {
        let initial =
            |part: &PersonalLine| part.reveal().chars().next().map(|c| format!("{}.", c.to_uppercase()));
        [&self.first, &self.last].into_iter().filter_map(initial).collect::<Vec<_>>().join(" ")
    }
}

impl Name {
    /// First and last name in small letters, as two spellings of one person are compared.
    fn folded(&self) -> (String, String) {
        let fold = |part: &PersonalLine| {
            part.reveal().split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
        };
        (fold(&self.first), fold(&self.last))
    }
}

/// A mobile number with its country code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phone {
    /// `+91` where none came.
    pub country_code: PersonalLine,
    /// The number.
    pub mobile: Mobile,
}

/// A proposer or an insured member: the same fields (interface §5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub name: Name,
    /// E-mail address.
    pub email: Email,
    /// Mobile number.
    pub phone: Phone,
    /// Day of birth.
    pub born: BirthDate,
    pub address: Address,
    pub nationality: Nationality,
    pub gender: Gender,
    pub marital_status: MaritalStatus,
    /// Income in a year; a proposer always has it.
    pub annual_income: Option<Income>,
    pub occupation: Occupation,
    /// Organization worked for; a proposer always has it.
    pub organization: Option<Organization>,
    /// Highest education.
    pub education: Education,
    pub employer: Option<PersonalLine>,
    /// Documents; may be none (D25).
    pub documents: Vec<Document>,
}

impl Person {
    /// Whether two entries are the same person: they have the same PAN, or the same day of birth, gender, first and last
    /// name in whatever capitals (D61).
    pub fn is_same_as(&self, other: &Person) -> bool {
        match (self.number_of(DocumentType::Pan), other.number_of(DocumentType::Pan)) {
            (Some(own), Some(others)) if own == others => true,
            _ => {
                (self.born, self.gender) == (other.born, other.gender)
                    && self.name.folded() == other.name.folded()
            }
        }
    }

    /// Whether the person has a document of a kind.
    pub fn has_document(&self, kind: DocumentType) -> bool {
        self.documents.iter().any(|document| document.kind == kind)
    }

    /// What the person is known by.
    pub fn identifiers(&self) -> Vec<Identifier> {
        let pan = self.number_of(DocumentType::Pan).map(|pan| Identifier::of(IdentifierKind::Pan, pan));
        contact_identifiers(Some(&self.phone.mobile), Some(&self.email)).into_iter().chain(pan).collect()
    }

    /// The number of the first document of a kind.
    fn number_of(&self, kind: DocumentType) -> Option<&str> {
        let document = self.documents.iter().find(|document| document.kind == kind)?;
        Some(&document.number)
    }
}

/// The identifiers that somebody's mobile number and e-mail address are.
pub(crate) fn contact_identifiers(mobile: Option<&Mobile>, email: Option<&Email>) -> Vec<Identifier> {
    let mobile = mobile.map(|mobile| Identifier::of(IdentifierKind::Mobile, mobile.reveal()));
    let email = email.map(|email| Identifier::of(IdentifierKind::Email, email.reveal()));
    mobile.into_iter().chain(email).collect()
}

/// A share of the sum insured in percent, above zero (D26).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share(Decimal);

impl Share {
    /// The whole.
    pub const WHOLE: Decimal = Decimal::ONE_HUNDRED;

    /// A share of so many percent; `None` unless above zero and at most a hundred.
    pub fn percent(percent: Decimal) -> Option<Self> {
        (percent > Decimal::ZERO && percent <= Self::WHOLE).then_some(Share(percent.normalize()))
    }

    pub const fn as_percent(self) -> Decimal {
        self.0
    }
}

/// Who receives a nominee's share while the nominee is a minor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appointee {
    pub name: Name,
    /// Relationship to the nominee.
    pub relationship: Relationship,
    /// Day of birth.
    pub born: BirthDate,
    /// Mobile number, where known.
    pub phone: Option<Phone>,
    pub address: Address,
    /// Documents; may be none.
    pub documents: Vec<Document>,
}

/// Who receives the sum insured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nominee {
    pub name: Name,
    /// Day of birth.
    pub born: BirthDate,
    /// Mobile number, where known.
    pub phone: Option<Phone>,
    /// Relationship to the insured.
    pub relationship: Relationship,
    pub address: Address,
    /// Share of the sum insured.
    pub share: Share,
    /// Documents; may be none.
    pub documents: Vec<Document>,
    /// Present when the nominee is a minor.
    pub appointee: Option<Appointee>,
}

/// The age from which a nominee needs no appointee.
pub const ADULT_AGE: i16 = 18;

/// Whether one born then is a minor on a day in Asia/Kolkata (D25).
pub fn is_minor(born: BirthDate, on: Date) -> bool {
    born.age_on(on) < ADULT_AGE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aadhaar_number_keeps_its_last_four_digits_alone() {
        for text in ["234567890124", "2345 6789 0124", "XXXXXXXX0124", "XXXX XXXX 0124"] {
            let document = Document::of(DocumentType::Aadhaar, text).expect("an Aadhaar number");
            assert_eq!(document.reveal(), "XXXXXXXX0124"); // D39
        }
        for text in
            ["23456789012", "2345678901245", "2345-6789-0124", "XXXX0124", "XXXXXXXX01245", "२३४५६७८९०१२४"]
        {
            assert!(Document::of(DocumentType::Aadhaar, text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_pan_has_its_shape_in_any_case() {
        assert_eq!(
            Document::of(DocumentType::Pan, "abcpk1234l").map(|pan| pan.number),
            Ok("ABCPK1234L".into())
        ); // D25
        for text in ["ABCP1234L", "ABCDE12345", "1BCDE1234F", "ABCDE1234FG"] {
            assert!(Document::of(DocumentType::Pan, text).is_err(), "{text}");
        }
    }

    #[test]
    fn personal_types_do_not_print_what_they_hold() {
        let mobile = Mobile::from_text("9876543210").expect("10 digits");
        assert_eq!(format!("{mobile:?}"), "Mobile(…)");
        let document = Document::of(DocumentType::Pan, "ABCPK1234L").expect("a PAN");
        assert_eq!(format!("{document:?}"), "Document(PAN, …)");
    }

    #[test]
    fn a_share_is_above_zero_and_at_most_the_whole() {
        assert!(Share::percent(Decimal::new(3333, 2)).is_some());
        assert!(Share::percent(Decimal::ZERO).is_none() && Share::percent(Decimal::new(10001, 2)).is_none()); // D26
    }
}
