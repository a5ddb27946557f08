//! People: proposer, insured members, nominees and appointees (interface §5; D25, D26, D39).
//!
//! Every type that holds personal data prints as its name alone and gives it up through `.reveal()`.

use std::fmt;

use rust_decimal::Decimal;

use crate::date::{BirthDate, Date};
use crate::money::Rupees;
use crate::text::{FromText, vocabulary};

vocabulary! {
    /// Form of address.
    Title, "one of MR, MRS, MS" { Mr = "MR", Mrs = "MRS", Ms = "MS" }
}
vocabulary! {
    /// Gender.
    Gender, "one of MALE, FEMALE" { Male = "MALE", Female = "FEMALE" }
}
vocabulary! {
    /// Marital status.
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
    /// Nationality.
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

/// Declares a type of personal text: how it is read, how it is kept, and that it does not print.
macro_rules! personal_text {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// The text, for those who must have it.
            pub fn reveal(&self) -> &str {
                &self.0
            }

            /// A text that was already judged, as it was kept.
            pub fn kept(text: String) -> Self {
                $name(text)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
                to.write_str(concat!(stringify!($name), "(…)"))
            }
        }
    };
}

/// Longest line of text in a form: longer ones are a mistake, and no certificate could print them.
const LONGEST_LINE: usize = 200;

/// Whether a character breaks a line or turns its direction: on a certificate it could make one text look like another.
fn turns_or_breaks(c: char) -> bool {
    matches!(c, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether a character has no width. The joiners among them shape Devanagari, so that they may stand beside letters.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{00ad}')
}

/// Judges a line of text that has no form of its own.
fn line(text: &str) -> Result<String, &'static str> {
    if text.chars().count() > LONGEST_LINE {
        return Err("text of more than 200 characters");
    }
    if text.chars().any(|c| c.is_control() || turns_or_breaks(c)) {
        return Err("text with control characters");
    }
    if text.chars().all(|c| c.is_whitespace() || is_invisible(c)) {
        return Err("text that shows nothing");
    }
    Ok(text.to_owned())
}

personal_text! {
    /// A part of a person's name, or another line of free text about a person: one line of at most 200 characters.
    PersonalLine
}

impl PersonalLine {
    /// The first letters of the first and the last word: all that a stranger is shown of a name.
    pub fn initials(&self) -> String {
        let mut words = self.0.split_whitespace();
        let (first, last) = (words.next(), words.next_back());
        let initial = |word: &str| word.chars().next().map(|c| format!("{}.", c.to_uppercase()));
        [first, last].into_iter().flatten().filter_map(initial).collect::<Vec<_>>().join(" ")
    }

    /// Somebody else's words, made fit for one line; `None` where they say nothing.
    pub fn of_words(words: &str) -> Option<Self> {
        crate::text::one_line(words, LONGEST_LINE).map(PersonalLine)
    }
}

impl FromText for PersonalLine {
    const WANTED: &'static str = "one line of text of at most 200 characters";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        line(text).map(PersonalLine)
    }
}

personal_text! {
    /// An e-mail address.
    Email
}

impl FromText for Email {
    const WANTED: &'static str = "an e-mail address";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        const OTHER: &str = "text that is not an e-mail address";
        let (local, host) = text.rsplit_once('@').ok_or(OTHER)?;
        let plain = |part: &str| {
            !part.is_empty() && !part.chars().any(|c| c.is_whitespace() || c.is_control() || c == '@')
        };
        let labels = host.split('.').collect::<Vec<_>>();
        let label = |label: &&str| {
            !label.is_empty()
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.chars().all(|c| c.is_alphanumeric() || c == '-')
        };
        let good = text.len() <= 254
            && plain(local)
            && local.len() <= 64
            && !local.starts_with('.')
            && !local.ends_with('.')
            && !local.contains("..")
            && labels.len() >= 2
            && labels.iter().all(label);
        if good { Ok(Email(text.to_owned())) } else { Err(OTHER) }
    }
}

personal_text! {
    /// A mobile number of 10 digits, without country code.
    Mobile
}

impl FromText for Mobile {
    const WANTED: &'static str = "a mobile number of 10 digits";
    const PATTERN: Option<&'static str> = Some(r"^\s*[0-9]{10}\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let good = text.len() == 10 && text.bytes().all(|byte| byte.is_ascii_digit());
        if good { Ok(Mobile(text.to_owned())) } else { Err("text that is not 10 digits") }
    }
}

personal_text! {
    /// A pincode of 6 digits.
    Pincode
}

impl FromText for Pincode {
    const WANTED: &'static str = "a pincode of 6 digits";
    const PATTERN: Option<&'static str> = Some(r"^\s*[0-9]{6}\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let good = text.len() == 6 && text.bytes().all(|byte| byte.is_ascii_digit());
        if good { Ok(Pincode(text.to_owned())) } else { Err("text that is not 6 digits") }
    }
}

personal_text! {
    /// The pincode of a home in India: 6 digits, the first not 0 (D14).
    HomePincode
}

impl FromText for HomePincode {
    const WANTED: &'static str = "a pincode of 6 digits, the first not 0,";
    const PATTERN: Option<&'static str> = Some(r"^\s*[1-9][0-9]{5}\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let Pincode(digits) = Pincode::from_text(text)?;
        if digits.starts_with('0') { Err("text that begins with 0") } else { Ok(HomePincode(digits)) }
    }
}

/// A mobile number of India as people write it: 10 digits, after `+91`, `91` or `0` or nothing, with spaces and hyphens
/// as they please (D14).
pub struct IndianMobile(pub Mobile);

impl FromText for IndianMobile {
    const WANTED: &'static str = "a mobile number of 10 digits, alone or after +91, 91 or 0,";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let bare: String = text.chars().filter(|c| !matches!(c, ' ' | '-')).collect();
        let digits = match bare.len() {
            10 => Some(bare.as_str()),
            11 => bare.strip_prefix('0'),
            12 => bare.strip_prefix("91"),
            _ => bare.strip_prefix("+91"),
        };
        Mobile::from_text(digits.unwrap_or(&bare)).map(IndianMobile)
    }
}

personal_text! {
    /// What the partner's platform calls a lead or an end user: at most 255 characters.
    PlatformId
}

impl FromText for PlatformId {
    const WANTED: &'static str = "text of at most 255 characters";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        if text.chars().count() > 255 {
            return Err("longer text");
        }
        if text.chars().any(char::is_control) {
            return Err("text with control characters");
        }
        Ok(PlatformId(text.to_owned()))
    }
}

personal_text! {
    /// Answers of a form that an imported record brings: a JSON object of sections, as text.
    FormResponses
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
    /// City.
    pub city: PersonalLine,
    /// State.
    pub state: PersonalLine,
    /// Country; India where none came.
    pub country: PersonalLine,
    /// Postal code.
    pub pincode: Pincode,
}

impl Address {
    /// The country of an address that names none.
    pub fn default_country() -> PersonalLine {
        PersonalLine("India".to_owned())
    }
}

/// Country code of a mobile that names none.
pub fn default_country_code() -> PersonalLine {
    PersonalLine("+91".to_owned())
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
            | DocumentType::VoterId => line(number)?,
        };
        Ok(Document { kind, number })
    }

    /// A document that was already judged, as it was kept.
    pub fn kept(kind: DocumentType, number: String) -> Self {
        Document { kind, number }
    }

    /// Its kind.
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
        PersonalLine(parts.join(" "))
    }

    /// The first letters of first and last name: all that a stranger is shown.
    pub fn initials(&self) -> String {
        let initial = |part: &PersonalLine| part.0.chars().next().map(|c| format!("{}.", c.to_uppercase()));
        [&self.first, &self.last].into_iter().filter_map(initial).collect::<Vec<_>>().join(" ")
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
    /// Name.
    pub name: Name,
    /// E-mail address.
    pub email: Email,
    /// Mobile number.
    pub phone: Phone,
    /// Day of birth.
    pub born: BirthDate,
    /// Address.
    pub address: Address,
    /// Nationality.
    pub nationality: Nationality,
    /// Gender.
    pub gender: Gender,
    /// Marital status.
    pub marital_status: MaritalStatus,
    /// Income in a year; a proposer always has it.
    pub annual_income: Option<Income>,
    /// Occupation.
    pub occupation: Occupation,
    /// Organization worked for; a proposer always has it.
    pub organization: Option<Organization>,
    /// Highest education.
    pub education: Education,
    /// Employer.
    pub employer: Option<PersonalLine>,
    /// Documents; may be none (D25).
    pub documents: Vec<Document>,
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

    /// The percentage.
    pub const fn as_percent(self) -> Decimal {
        self.0
    }
}

/// Who receives a nominee's share while the nominee is a minor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appointee {
    /// Name.
    pub name: Name,
    /// Relationship to the nominee.
    pub relationship: Relationship,
    /// Day of birth.
    pub born: BirthDate,
    /// Mobile number, where known.
    pub phone: Option<Phone>,
    /// Address.
    pub address: Address,
    /// Documents; may be none.
    pub documents: Vec<Document>,
}

/// Who receives the sum insured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nominee {
    /// Name.
    pub name: Name,
    /// Day of birth.
    pub born: BirthDate,
    /// Mobile number, where known.
    pub phone: Option<Phone>,
    /// Relationship to the insured.
    pub relationship: Relationship,
    /// Address.
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
    fn a_line_of_text_shows_something_in_one_direction() {
        for good in ["Asha", "आशा", "क्\u{200d}ष", "O'Neil-Rao"] {
            assert!(PersonalLine::from_text(good).is_ok(), "{good}");
        }
        for bad in ["\u{200b}", "\u{200d}\u{feff}", "abc\u{202e}def", "a\u{2028}b", "a\nb", "a\u{0}b"] {
            assert!(PersonalLine::from_text(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_mobile_of_india_may_have_its_country_code_or_a_zero() {
        for good in
            ["9876543210", "+919876543210", "+91 98765-43210", "91 9876543210", "09876543210", "98765 43210"]
        {
            let mobile = IndianMobile::from_text(good).map(|mobile| mobile.0.0); // D14
            assert_eq!(mobile, Ok("9876543210".into()), "{good}");
        }
        for bad in [
            "987654321",
            "98765432100",
            "+9198765432100",
            "+929876543210",
            "919876",
            "+91",
            "९८७६५४३२१०",
            "-",
        ] {
            assert!(IndianMobile::from_text(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_home_pincode_does_not_begin_with_zero() {
        assert!(HomePincode::from_text("560038").is_ok()); // D14
        for bad in ["060038", "56003", "5600381", "56003a"] {
            assert!(HomePincode::from_text(bad).is_err(), "{bad}");
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
    fn an_email_has_a_name_and_a_host() {
        for good in ["asha@example.com", "a.b+c@mail.example.co.in", "आशा@example.in"] {
            assert!(Email::from_text(good).is_ok(), "{good}");
        }
        for bad in [
            "asha",
            "@example.com",
            "a@b",
            "a b@example.com",
            "a@.com",
            "a@example..com",
            "a@exa mple.com",
            ".a@example.com",
        ] {
            assert!(Email::from_text(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_share_is_above_zero_and_at_most_the_whole() {
        assert!(Share::percent(Decimal::new(3333, 2)).is_some());
        assert!(Share::percent(Decimal::ZERO).is_none() && Share::percent(Decimal::new(10001, 2)).is_none()); // D26
    }
}
