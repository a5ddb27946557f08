//! Personal texts: names, addresses of mail, numbers of telephones, pincodes, and what a platform calls somebody.

use std::fmt;

use idna::AsciiDenyList;
use idna::uts46::{DnsLength, Hyphens, Uts46};

use crate::text::{FromText, is_invisible, is_one_line, normal, ungrouped};

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

/// Judges a line of text that has no form of its own.
pub(super) fn line(text: &str) -> Result<String, &'static str> {
    if text.chars().count() > LONGEST_LINE {
        return Err("text of more than 200 characters");
    }
    if !is_one_line(text) {
        return Err("text with control characters");
    }
    if text.chars().all(|c| c.is_whitespace() || is_invisible(c)) {
        return Err("Text that shows nothing");
    }
    Ok(normal(text))
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
    /// A line that is short enough for a certificate's facts, such as an account's number or a lender's name.
    PrintedLine
}

/// Longest of them, in characters.
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
    /// An e-mail address.
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
        // Labels of any script, by the rules of UTS 46: an Indian domain has vowel signs.
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

impl HomePincode {
    /// The pincode of an address in India. `None` for another country's.
    pub fn of(Pincode(digits): &Pincode) -> Option<Self> {
        HomePincode::from_text(digits).ok()
    }
}

impl FromText for HomePincode {
    const WANTED: &'static str = "a pincode of 6 digits, the first not 0,";
    const PATTERN: Option<&'static str> = Some(r"^\s*[1-9][0-9]{5}\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let Pincode(digits) = Pincode::from_text(text)?;
        if digits.starts_with('0') { Err("text that begins with 0") } else { Ok(HomePincode(digits)) }
    }
}

/// A mobile number of India as people write it: 10 digits, after `+91`, `0091`, `91`, `0` or nothing, with spaces and hyphens as they
/// please, the prefix in brackets or not (D14).
pub struct IndianMobile(pub Mobile);

impl FromText for IndianMobile {
    const WANTED: &'static str = "a mobile number of 10 digits, alone or after +91, 91 or 0,";

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
    /// What the partner's platform calls a lead or an end user: at most 255 characters.
    PlatformId
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
    /// Answers of a form that an imported record brings: a JSON object of sections, as text.
    FormResponses
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn two_ways_to_write_a_letter_are_one() {
        let read = |text| PersonalLine::from_text(text).map(|line| line.0);
        assert_eq!(read("Jose\u{301}"), read("Jos\u{e9}"));
        assert_eq!(Email::from_text("jose\u{301}@example.com"), Email::from_text("jos\u{e9}@example.com"));
    }

    #[test]
    fn a_home_pincode_does_not_begin_with_zero() {
        assert!(HomePincode::from_text("560038").is_ok()); // D14
        for bad in ["060038", "56003", "5600381", "56003a"] {
            assert!(HomePincode::from_text(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn an_email_has_a_name_and_a_host() {
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
