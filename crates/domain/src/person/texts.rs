//! Text types for personal data.
//!
//! Names, e-mail addresses, mobile numbers, pincodes and platform ids are such types.

use std::fmt;

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};

use crate::identifier::{Identifier, IdentifierKind};
use crate::text::{FromText, is_blank, is_one_line, normal, ungrouped};

/// Declares a text type for personal data whose `Debug` hides its content.
macro_rules! personal_text {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq)]
        pub struct $name(String);

        impl $name {
            /// The text in plain form.
            pub fn reveal(&self) -> &str {
                &self.0
            }

            /// Restores a stored text without validation.
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

/// Maximum length of a line in characters. A longer line is a mistake, and does not fit a certificate.
const LONGEST_LINE: usize = 200;

/// Validates one line of free text.
pub(super) fn line(text: &str) -> Result<String, &'static str> {
    if text.chars().count() > LONGEST_LINE {
        return Err("text of more than 200 characters");
    }
    if !is_one_line(text) {
        return Err("text with control characters");
    }
    if is_blank(text) {
        return Err("text without visible characters");
    }
    Ok(normal(text))
}

personal_text! {
    /// Part of a name, or other free text about a person: one line of at most 200 characters.
    PersonalLine
}

impl PersonalLine {
    /// Initials of the first and last word, for people who may not see the full name.
    pub fn initials(&self) -> String {
        let mut words = self.0.split_whitespace();
        let (first, last) = (words.next(), words.next_back());
        let initial = |word: &str| word.chars().next().map(|c| format!("{}.", c.to_uppercase()));
        [first, last].into_iter().flatten().filter_map(initial).collect::<Vec<_>>().join(" ")
    }

    /// Converts free text to one line. `None` if nothing readable remains.
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
    /// Line that fits a certificate, such as an account number or a lender's name: at most 100 characters.
    PrintedLine
}

/// Maximum length of a printed line, in characters.
const LONGEST_PRINTED: usize = 100;

impl FromText for PrintedLine {
    const WANTED: &'static str = "one line of text of at most 100 characters";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        match line(text)? {
            line if line.chars().count() > LONGEST_PRINTED => Err("longer text"),
            line => Ok(PrintedLine(line)),
        }
    }
}

personal_text! {
    Email
}

impl FromText for Email {
    const WANTED: &'static str = "an e-mail address";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        const OTHER: &str = "text that is not an e-mail address";
        let text = normal(text);
        let (local, host) = text.rsplit_once('@').ok_or(OTHER)?;
        let is_plain =
            is_one_line(local) && !local.is_empty() && !local.chars().any(|c| c.is_whitespace() || c == '@');
        // Labels in any script by UTS 46: Indian domains have vowel signs.
        let host_rules = (AsciiDenyList::STD3, Hyphens::CheckFirstLast, DnsLength::Verify);
        let is_host =
            Uts46::new().to_ascii(host.as_bytes(), host_rules.0, host_rules.1, host_rules.2).is_ok();
        let good = text.len() <= 254
            && is_plain
            && local.len() <= 64
            && !local.starts_with('.')
            && !local.ends_with('.')
            && !local.contains("..")
            && is_host
            && host.contains('.');
        if good { Ok(Email(text)) } else { Err(OTHER) }
    }
}

personal_text! {
    /// Mobile number of 10 digits, without country code.
    Mobile
}

impl Mobile {
    /// The number as an identifier.
    pub fn identifier(&self) -> Identifier {
        Identifier::of(IdentifierKind::Mobile, &self.0)
    }
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
    /// Postal code of 6 digits.
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
    /// Pincode of a home in India: 6 digits, the first not 0 (D14).
    HomePincode
}

impl HomePincode {
    /// Home pincode, if the address is in India. `None` if the digits begin with 0, because Indian pincodes
    /// never do.
    pub fn of(Pincode(digits): &Pincode) -> Option<Self> {
        HomePincode::from_text(digits).ok()
    }
}

impl FromText for HomePincode {
    const WANTED: &'static str = "a pincode of 6 digits, the first not 0";
    const PATTERN: Option<&'static str> = Some(r"^\s*[1-9][0-9]{5}\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let Pincode(digits) = Pincode::from_text(text)?;
        if digits.starts_with('0') { Err("text that begins with 0") } else { Ok(HomePincode(digits)) }
    }
}

/// Indian mobile number as people write it (D14): 10 digits, with or without the prefix `+91`, `0091`, `91`
/// or `0`. Spaces, hyphens and brackets around the prefix are allowed.
pub struct IndianMobile(pub Mobile);

impl FromText for IndianMobile {
    const WANTED: &'static str = "a mobile number of 10 digits, alone or after +91, 91 or 0";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let bare = ungrouped(text);
        let in_brackets = bare.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let bare = match in_brackets {
            Some((prefix @ ("+91" | "0091" | "91" | "0"), number)) => format!("{prefix}{number}"),
            _ => bare,
        };
        let digits = match bare.len() {
            10 => Some(bare.as_str()),
            11 => bare.strip_prefix('0'),
            12 => bare.strip_prefix("91"),
            _ => bare.strip_prefix("+91").or_else(|| bare.strip_prefix("0091")),
        };
        Mobile::from_text(digits.unwrap_or(&bare)).map(IndianMobile)
    }
}

personal_text! {
    /// Id of a lead or user on the partner's platform: at most 255 characters.
    PlatformId
}

impl PlatformId {
    /// The id as an identifier of this kind.
    pub fn identifier(&self, kind: IdentifierKind) -> Identifier {
        Identifier::of(kind, &self.0)
    }
}

impl FromText for PlatformId {
    const WANTED: &'static str = "text of at most 255 characters";

    fn from_text(text: &str) -> Result<Self, &'static str> {
        if text.chars().count() > 255 {
            return Err("longer text");
        }
        if !is_one_line(text) {
            return Err("text with control characters");
        }
        Ok(PlatformId(normal(text)))
    }
}

personal_text! {
    /// Form answers of an imported record: a JSON object of sections, as text.
    FormResponses
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_text_must_be_visible_without_line_breaks_or_direction_overrides() {
        for good in ["Asha", "आशा", "क्\u{200d}ष", "O'Neil-Rao"] {
            assert!(PersonalLine::from_text(good).is_ok(), "{good}");
        }
        for bad in ["\u{200b}", "\u{200d}\u{feff}", "abc\u{202e}def", "a\u{2028}b", "a\nb", "a\u{0}b"] {
            assert!(PersonalLine::from_text(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_indian_mobile_number_may_begin_with_the_country_code_or_a_zero() {
        for good in [
            "9876543210",
            "+919876543210",
            "+91 98765-43210",
            "91 9876543210",
            "09876543210",
            "98765 43210",
            "(+91) 98765 43210",
            "+91\u{a0}98765\u{2011}43210",
            "\u{202a}+91 98765 43210\u{202c}",
            "0091 98765 43210",
        ] {
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
    fn a_letter_with_a_combining_accent_equals_the_single_accented_letter() {
        let read = |text| PersonalLine::from_text(text).map(|line| line.0);
        assert_eq!(read("Jose\u{301}"), read("Jos\u{e9}"));
        assert_eq!(Email::from_text("jose\u{301}@example.com"), Email::from_text("jos\u{e9}@example.com"));
    }

    #[test]
    fn a_home_pincode_has_six_digits_and_does_not_begin_with_zero() {
        assert!(HomePincode::from_text("560038").is_ok()); // D14
        for bad in ["060038", "56003", "5600381", "56003a"] {
            assert!(HomePincode::from_text(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_email_address_needs_a_valid_name_and_a_valid_host() {
        for good in [
            "asha@example.com",
            "a.b+c@mail.example.co.in",
            "आशा@example.in",
            "info@मध्यप्रदेश.भारत",
            "info@தமிழ்.இந்தியா",
        ] {
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
            "a@-example.com",
            "a@exa_mple.com",
            "a\u{202e}b@example.com",
        ] {
            assert!(Email::from_text(bad).is_err(), "{bad}");
        }
    }
}
