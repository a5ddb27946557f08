//! Every word of the journey, in each language that it speaks. A sentence that lacks one does not compile.

mod cover;
mod dead_end;
mod details;
mod family;
mod frame;
mod hindi;
mod plan;
mod plans;
mod price;
mod review;
mod status;

use std::borrow::Cow;

use domain::date::Date;
use domain::health_quote::{NotOffered, Relation};
use domain::language::{Language, Text};
use domain::ranking::Reason;

/// The words of a language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Words(pub(crate) Language);

/// A sentence as it is, or with something put into it.
macro_rules! sentence {
    ($text:literal) => {
        std::borrow::Cow::Borrowed($text)
    };
    ($text:literal, $($part:ident),+) => {
        std::borrow::Cow::Owned(format!($text))
    };
}

/// Declares sentences: `name(parts): "English {parts}", "हिन्दी {parts}";`
macro_rules! words {
    ($($name:ident $(($($part:ident),+))?: $english:literal, $hindi:literal;)*) => {
        impl super::Words { $(
            pub(crate) fn $name(self $($(, $part: impl std::fmt::Display)+)?) -> std::borrow::Cow<'static, str> {
                match self.0 {
                    domain::language::Language::English => super::sentence!($english $($(, $part)+)?),
                    domain::language::Language::Hindi => super::sentence!($hindi $($(, $part)+)?),
                }
            }
        )* }
    };
}
use {sentence, words};

impl Words {
    /// The language's own word, for `lang` attributes and addresses.
    pub(crate) const fn code(self) -> &'static str {
        self.0.word()
    }

    /// The other language.
    pub(crate) const fn other(self) -> Words {
        match self.0 {
            Language::English => Words(Language::Hindi),
            Language::Hindi => Words(Language::English),
        }
    }

    /// A text of the catalogue; in English where the catalogue lacks the language.
    pub(crate) fn of_catalogue(self, text: &Text) -> &str {
        text.in_language(self.0)
    }

    /// What a person is to the customer.
    pub(crate) fn relation(self, relation: Relation) -> Cow<'static, str> {
        match relation {
            Relation::Own => self.you(),
            Relation::Spouse => self.spouse(),
            Relation::Father => self.father(),
            Relation::Mother => self.mother(),
            Relation::Daughter => self.daughter(),
            Relation::Son => self.son(),
        }
    }

    /// So many years.
    pub(crate) fn years(self, years: u8) -> Cow<'static, str> {
        if years == 1 { self.one_year() } else { self.some_years(years) }
    }

    /// A day, such as `20 November 2026`.
    pub(crate) fn day(self, day: Date) -> String {
        let month = usize::try_from(day.month()).unwrap_or(1) - 1;
        let months = match self.0 {
            Language::English => MONTHS,
            Language::Hindi => MONTHS_IN_HINDI,
        };
        format!("{} {} {}", day.day(), months[month], day.year())
    }

    /// Why a plan offers a family nothing.
    pub(crate) fn not_offered(self, why: &NotOffered) -> String {
        match self.0 {
            Language::English => why.to_string(),
            Language::Hindi => hindi::not_offered(why),
        }
    }

    /// Why a plan stands where it does.
    pub(crate) fn reason(self, reason: &Reason) -> String {
        match self.0 {
            Language::English => reason.to_string(),
            Language::Hindi => hindi::reason(reason),
        }
    }
}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const MONTHS_IN_HINDI: [&str; 12] =
    ["जनवरी", "फ़रवरी", "मार्च", "अप्रैल", "मई", "जून", "जुलाई", "अगस्त", "सितंबर", "अक्टूबर", "नवंबर", "दिसंबर"];
