//! People: proposer, insured members, nominees and appointees (interface §5; D25, D26, D39).
//!
//! Types with personal data print only their name. `.reveal()` returns the data.

mod texts;

use std::fmt;

use rust_decimal::Decimal;

use crate::date::{BirthDate, Date};
use crate::identifier::{Identifier, IdentifierKind};
use crate::money::Rupees;
use crate::text::{FromText, folded, ungrouped, vocabulary};

pub use texts::{
    Email, FormResponses, HomePincode, IndianMobile, Mobile, PersonalLine, Pincode, PlatformId, PrintedLine,
};

vocabulary! {
    /// Title before a name.
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
    /// Occupation. For `OTHERS`, the context data has the description (D27).
    Occupation, "one of LABOURER, UNEMPLOYED, HOUSEWIFE, RETIRED, OTHERS, FARMER, SALARIED, SELF_EMPLOYED, SERVICE, STUDENT" {
        Labourer = "LABOURER", Unemployed = "UNEMPLOYED", Housewife = "HOUSEWIFE", Retired = "RETIRED", Others = "OTHERS",
        Farmer = "FARMER", Salaried = "SALARIED", SelfEmployed = "SELF_EMPLOYED", Service = "SERVICE", Student = "STUDENT",
    }
}
vocabulary! {
    /// Kind of employer. For `OTHERS`, the context data has the description (D27).
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
    /// Kind of identity or address document.
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

/// Postal address in India or elsewhere.
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
    /// Country. India if the request has none.
    pub country: PersonalLine,
    /// Postal code.
    pub pincode: Pincode,
}

impl Address {
    /// Country of an address that was sent without one: India.
    pub fn default_country() -> PersonalLine {
        PersonalLine::kept("India".to_owned())
    }
}

/// Country code of a mobile number that was sent without one: `+91`.
pub fn default_country_code() -> PersonalLine {
    PersonalLine::kept("+91".to_owned())
}

/// Identity or address document of a person. Parsing reduces an Aadhaar number to its last four digits (D39).
#[derive(Clone, PartialEq, Eq)]
pub struct Document {
    kind: DocumentType,
    number: String,
}

impl Document {
    /// Description of the number format of this kind of document, for messages.
    pub const fn wanted(kind: DocumentType) -> &'static str {
        match kind {
            DocumentType::Pan => "a PAN: 5 letters, 4 digits and a letter",
            DocumentType::Aadhaar => {
                "an Aadhaar number: 12 digits, spaced or not, or masked as XXXXXXXX and 4 digits"
            }
            DocumentType::Electricity => PersonalLine::WANTED,
            DocumentType::DrivingLicense | DocumentType::Passport | DocumentType::VoterId => {
                "one line of text of at most 200 characters, and not 12 digits"
            }
        }
    }

    /// Validates a number by its format only, without a checksum (D25).
    ///
    /// # Errors
    /// A description of the refused text.
    pub fn of(kind: DocumentType, number: &str) -> Result<Self, &'static str> {
        let number = match kind {
            DocumentType::Pan => pan(number).ok_or("text that is not a PAN")?,
            DocumentType::Aadhaar => masked_aadhaar(number).ok_or("text that is not an Aadhaar number")?,
            // These documents never have 12 digits. This prevents storing a whole Aadhaar number as another
            // kind.
            DocumentType::DrivingLicense | DocumentType::Passport | DocumentType::VoterId
                if is_aadhaar(number) =>
            {
                return Err("a number of 12 digits, like an Aadhaar number");
            }
            DocumentType::DrivingLicense
            | DocumentType::Passport
            | DocumentType::Electricity
            | DocumentType::VoterId => texts::line(number)?,
        };
        Ok(Document { kind, number })
    }

    /// Restores a stored document without validation.
    pub fn kept(kind: DocumentType, number: String) -> Self {
        Document { kind, number }
    }

    pub const fn kind(&self) -> DocumentType {
        self.kind
    }

    /// The number in plain text; an Aadhaar number is masked.
    pub fn reveal(&self) -> &str {
        &self.number
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "Document({}, …)", self.kind)
    }
}

/// A PAN in capitals. `None` if the text does not have the format of a PAN.
fn pan(text: &str) -> Option<String> {
    let shaped = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            5..=8 => byte.is_ascii_digit(),
            _ => byte.is_ascii_alphabetic(),
        });
    shaped.then(|| text.to_ascii_uppercase())
}

/// `XXXXXXXX` and the last four digits, if the text is an Aadhaar number. The text may be masked already;
/// DigiLocker masks with a small `x` (D39).
pub fn masked_aadhaar(text: &str) -> Option<String> {
    let bare = ungrouped(text);
    let last_four = bare.get(8..).filter(|_| bare.len() == 12 && bare.is_ascii())?;
    let is_masked = bare[..8].bytes().all(|byte| matches!(byte, b'X' | b'x' | b'*'));
    let is_whole = bare[..8].bytes().all(|byte| byte.is_ascii_digit());
    let four = last_four.bytes().all(|byte| byte.is_ascii_digit());
    (four && (is_masked || is_whole)).then(|| format!("XXXXXXXX{last_four}"))
}

/// Whether a text is a complete Aadhaar number, with or without grouping.
fn is_aadhaar(text: &str) -> bool {
    let bare = ungrouped(text);
    bare.len() == 12 && bare.bytes().all(|byte| byte.is_ascii_digit())
}

/// Income per year.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Income(Rupees);

impl Income {
    pub const fn of(amount: Rupees) -> Self {
        Income(amount)
    }

    /// The amount in plain form.
    pub const fn reveal(self) -> Rupees {
        self.0
    }
}

impl fmt::Debug for Income {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("Income(…)")
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    pub title: Title,
    pub first: PersonalLine,
    pub middle: Option<PersonalLine>,
    pub last: PersonalLine,
}

impl Name {
    /// First, middle and last name, separated by spaces. Leaves out parts without letters, because forms send
    /// `.` or `-` as the last name of people with one name.
    pub fn full(&self) -> PersonalLine {
        let parts = [Some(&self.first), self.middle.as_ref(), Some(&self.last)];
        let names = parts.into_iter().flatten().map(PersonalLine::reveal);
        let parts: Vec<&str> = names.filter(|name| has_letters(name)).collect();
        match parts.is_empty() {
            true => self.first.clone(),
            false => PersonalLine::kept(parts.join(" ")),
        }
    }

    /// Initials of first and last name, for people who may not see the full name.
    pub fn initials(&self) -> String {
        let initial =
            |part: &PersonalLine| part.reveal().chars().next().map(|c| format!("{}.", c.to_uppercase()));
        let parts = [&self.first, &self.last].into_iter().filter(|part| has_letters(part.reveal()));
        parts.filter_map(initial).collect::<Vec<_>>().join(" ")
    }
}

fn has_letters(name: &str) -> bool {
    name.chars().any(char::is_alphanumeric)
}

impl Name {
    /// First and last name in lower case and without extra marks, to compare different spellings.
    fn folded(&self) -> (String, String) {
        let fold = |part: &PersonalLine| {
            let words: Vec<&str> =
                part.reveal().split_whitespace().filter(|word| has_letters(word)).collect();
            folded(&words.join(" "))
        };
        (fold(&self.first), fold(&self.last))
    }
}

/// A mobile number with its country code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phone {
    /// Country code. `+91` if the request has none.
    pub country_code: PersonalLine,
    pub mobile: Mobile,
}

/// Proposer or insured member; both have the same fields (interface §5).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub name: Name,
    pub email: Email,
    pub phone: Phone,
    pub born: BirthDate,
    pub address: Address,
    pub nationality: Nationality,
    pub gender: Gender,
    pub marital_status: MaritalStatus,
    /// Income per year. Required for a proposer.
    pub annual_income: Option<Income>,
    pub occupation: Occupation,
    /// Kind of employer. Required for a proposer.
    pub organization: Option<Organization>,
    pub education: Education,
    pub employer: Option<PersonalLine>,
    /// Identity and address documents. May be empty (D25).
    pub documents: Vec<Document>,
}

impl Person {
    /// Whether two entries are the same person: same PAN, or same date of birth, gender, first name and last
    /// name. Letter case is ignored (D61).
    pub fn is_same_as(&self, other: &Person) -> bool {
        have_same_pan(&self.documents, &other.documents)
            || (self.born, self.gender) == (other.born, other.gender)
                && self.name.folded() == other.name.folded()
    }

    pub fn has_document(&self, kind: DocumentType) -> bool {
        self.documents.iter().any(|document| document.kind == kind)
    }

    /// Mobile number, e-mail address and PAN as search keys.
    pub fn identifiers(&self) -> Vec<Identifier> {
        let pan = pan_of(&self.documents).map(|pan| Identifier::of(IdentifierKind::Pan, pan));
        contact_identifiers(Some(&self.phone.mobile), Some(&self.email)).into_iter().chain(pan).collect()
    }
}

/// Number of the PAN document, if any.
pub(crate) fn pan_of(documents: &[Document]) -> Option<&str> {
    let document = documents.iter().find(|document| document.kind == DocumentType::Pan)?;
    Some(&document.number)
}

fn have_same_pan(own: &[Document], others: &[Document]) -> bool {
    pan_of(own).is_some_and(|pan| pan_of(others) == Some(pan))
}

/// Search keys for a mobile number and an e-mail address.
pub(crate) fn contact_identifiers(mobile: Option<&Mobile>, email: Option<&Email>) -> Vec<Identifier> {
    let mobile = mobile.map(|mobile| Identifier::of(IdentifierKind::Mobile, mobile.reveal()));
    let email = email.map(|email| Identifier::of(IdentifierKind::Email, email.reveal()));
    mobile.into_iter().chain(email).collect()
}

/// Share of the sum insured in percent, above zero (D26).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share(Decimal);

impl Share {
    /// The whole sum insured: 100 percent.
    pub const WHOLE: Decimal = Decimal::ONE_HUNDRED;

    /// Allowed difference between 100 and the sum of shares, because senders divide 100 in floating point
    /// (D125).
    pub const TOLERANCE: Decimal = Decimal::from_parts(1, 0, 0, false, 3);

    /// A share in percent. `None` unless it is above zero and at most 100, give or take [`Self::TOLERANCE`].
    pub fn percent(percent: Decimal) -> Option<Self> {
        (percent > Decimal::ZERO && percent <= Self::WHOLE + Self::TOLERANCE)
            .then(|| Share(percent.min(Self::WHOLE).normalize()))
    }

    /// The share in percent with at most two decimals, for certificates.
    pub fn rounded(self) -> Decimal {
        self.0.round_dp(2).normalize()
    }

    pub const fn as_percent(self) -> Decimal {
        self.0
    }
}

/// Adult who receives a minor nominee's share.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appointee {
    pub name: Name,
    /// Relationship to the nominee.
    pub relationship: Relationship,
    pub born: BirthDate,
    pub phone: Option<Phone>,
    pub address: Address,
    /// Identity and address documents. May be empty.
    pub documents: Vec<Document>,
}

/// Person who receives the sum insured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nominee {
    pub name: Name,
    pub born: BirthDate,
    pub phone: Option<Phone>,
    /// Relationship to the insured person.
    pub relationship: Relationship,
    pub address: Address,
    pub share: Share,
    /// Identity and address documents. May be empty.
    pub documents: Vec<Document>,
    /// Required if the nominee is a minor.
    pub appointee: Option<Appointee>,
}

impl Nominee {
    /// Whether the nominee has this full name and date of birth. Letter case is ignored.
    pub fn is_named(&self, name: &PersonalLine, born: BirthDate) -> bool {
        let fold = |name: &PersonalLine| folded(name.reveal());
        self.born == born && fold(&self.name.full()) == fold(name)
    }
}

/// Person whose name, date of birth and documents can be compared with those of another person.
trait NamedPerson {
    fn identity(&self) -> (&Name, BirthDate, &[Document]);
}

macro_rules! named_person {
    ($($of:ident),*) => {
        $(impl NamedPerson for $of {
            fn identity(&self) -> (&Name, BirthDate, &[Document]) {
                (&self.name, self.born, &self.documents)
            }
        })*
    };
}
named_person!(Person, Nominee, Appointee);

/// Whether two entries are the same person: same date of birth, and the same name or PAN (D125).
fn are_same(one: &impl NamedPerson, other: &impl NamedPerson) -> bool {
    let ((name, born, documents), (others_name, others_born, others)) = (one.identity(), other.identity());
    born == others_born && (have_same_pan(documents, others) || name.folded() == others_name.folded())
}

/// Reason why a nominee is refused (D125).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NomineeFault {
    /// The appointee is a minor.
    AppointeeIsMinor,
    /// Appointee and nominee are the same person.
    AppointeeIsNominee,
    /// The same person is already a nominee, at this index of the list.
    Twice(usize),
    /// The nominee is the only insured person.
    IsInsured,
}

/// Nominees that must be refused, each with its index in the list. If several people are insured, one insured
/// person may be the nominee of another.
pub fn nominee_faults(
    nominees: &[Option<&Nominee>],
    insured: &[&Person],
    on: Date,
) -> Vec<(usize, NomineeFault)> {
    let mut faults = Vec::new();
    for (place, nominee) in nominees.iter().enumerate() {
        let Some(nominee) = nominee else { continue };
        if let Some(appointee) = &nominee.appointee {
            if are_same(appointee, *nominee) {
                faults.push((place, NomineeFault::AppointeeIsNominee));
            } else if is_minor(appointee.born, on) {
                faults.push((place, NomineeFault::AppointeeIsMinor));
            }
        }
        let is_twin = |other: &Option<&Nominee>| other.is_some_and(|other| are_same(other, *nominee));
        if let Some(first) = nominees[..place].iter().position(is_twin) {
            faults.push((place, NomineeFault::Twice(first)));
        }
        if let [only] = insured
            && are_same(*only, *nominee)
        {
            faults.push((place, NomineeFault::IsInsured));
        }
    }
    faults
}

/// Age in years from which a nominee needs no appointee.
pub const ADULT_AGE: i16 = 18;

/// Whether a person is a minor on `on`, a day in Asia/Kolkata (D25).
pub fn is_minor(born: BirthDate, on: Date) -> bool {
    born.age_on(on) < ADULT_AGE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_four_digits_of_an_aadhaar_number_are_kept() {
        for text in [
            "234567890124",
            "2345 6789 0124",
            "2345-6789-0124",
            "2345\u{a0}6789\u{a0}0124",
            "XXXXXXXX0124",
            "XXXX XXXX 0124",
            "xxxxxxxx0124",
            "xxxx-xxxx-0124",
            "********0124",
        ] {
            let document = Document::of(DocumentType::Aadhaar, text).expect("an Aadhaar number");
            assert_eq!(document.reveal(), "XXXXXXXX0124"); // D39
        }
        for text in
            ["23456789012", "2345678901245", "XXXX0124", "XXXXXXXX01245", "2345XXXX0124", "२३४५६७८९०१२४"]
        {
            assert!(Document::of(DocumentType::Aadhaar, text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_pan_needs_the_right_format_and_may_be_in_lower_case() {
        assert_eq!(
            Document::of(DocumentType::Pan, "abcpk1234l").map(|pan| pan.number),
            Ok("ABCPK1234L".into())
        ); // D25
        for text in ["ABCP1234L", "ABCDE12345", "1BCDE1234F", "ABCDE1234FG"] {
            assert!(Document::of(DocumentType::Pan, text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_12_digit_number_is_refused_as_voter_id_passport_or_driving_licence() {
        for kind in [DocumentType::VoterId, DocumentType::Passport, DocumentType::DrivingLicense] {
            assert!(Document::of(kind, "2345-6789 0124").is_err(), "{kind}");
        }
        assert!(Document::of(DocumentType::Electricity, "234567890124").is_ok());
    }

    #[test]
    fn the_debug_output_of_personal_types_does_not_contain_their_values() {
        let mobile = Mobile::from_text("9876543210").expect("10 digits");
        assert_eq!(format!("{mobile:?}"), "Mobile(…)");
        let document = Document::of(DocumentType::Pan, "ABCPK1234L").expect("a PAN");
        assert_eq!(format!("{document:?}"), "Document(PAN, …)");
    }

    #[test]
    fn a_nominees_share_is_above_zero_and_at_most_100_percent() {
        assert!(Share::percent(Decimal::new(3333, 2)).is_some());
        assert!(Share::percent(Decimal::ZERO).is_none() && Share::percent(Decimal::new(10001, 2)).is_none()); // D26
    }
}
