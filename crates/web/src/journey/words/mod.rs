//! All texts of the pages, in each language.
//!
//! Each language is one file with one [`Words`]. The English file declares the texts; a text that another
//! language lacks does not compile, and an unused one is a warning.

use domain::date::Date;
use domain::health_quote::Relation;
use domain::language::Language;
use domain::money::Rupees;
use domain::operator::OperatorKind;

/// Declares the sections of texts that each language has, with their English texts.
///
/// `text = "…"` is a fixed text, `text(value: Type) = …` a text made of values, and `text: Type = …` a value of
/// any other type.
macro_rules! words {
    (
        $language:expr, $name:literal;
        $(
            $(#[$section_doc:meta])*
            $section:ident: $Section:ident {
                $(
                    $(#[$doc:meta])*
                    $text:ident $(($($arg:ident: $arg_type:ty),*))? $(: $type:ty)? = $value:expr,
                )*
            },
        )*
    ) => {
        $(
            $(#[$section_doc])*
            pub(crate) struct $Section {
                $($(#[$doc])* pub(crate) $text: words!(type $(($($arg_type),*))? $(: $type)?),)*
            }
        )*

        /// The texts of one language. A text with values is a function of these values.
        pub(crate) struct Words {
            pub(crate) language: Language,
            /// Name of the language in the language itself, such as `हिन्दी`.
            pub(crate) name: &'static str,
            $($(#[$section_doc])* pub(crate) $section: $Section,)*
        }

        pub(super) static WORDS: Words = Words {
            language: $language,
            name: $name,
            $($section: $Section { $($text: words!(value $(($($arg),*))? $value),)* },)*
        };
    };
    (type ($($arg:ty),*)) => { fn($($arg),*) -> String };
    (type : $type:ty) => { $type };
    (type) => { &'static str };
    (value ($($arg:ident),*) $value:expr) => { |$($arg),*| $value };
    (value $value:expr) => { $value };
}

mod en;
mod hi;

pub(crate) use en::Words;

/// Facts about the seller of the insurance, for a text on every page.
pub(crate) struct Seller<'o> {
    pub(crate) name: &'o str,
    pub(crate) kind: OperatorKind,
    pub(crate) licence_number: &'o str,
    pub(crate) licence_until: String,
}

impl Words {
    pub(crate) const fn of(language: Language) -> &'static Words {
        match language {
            Language::English => &en::WORDS,
            Language::Hindi => &hi::WORDS,
        }
    }

    /// Language code for `lang` attributes and addresses.
    pub(crate) const fn code(&self) -> &'static str {
        self.language.word()
    }

    /// Texts in all other languages.
    pub(crate) fn others(&self) -> impl Iterator<Item = &'static Words> {
        let own = self.language;
        Language::ALL.iter().filter(move |language| **language != own).map(|language| Words::of(*language))
    }

    /// Name of a person's relation to the customer.
    pub(crate) const fn relation(&self, relation: Relation) -> &'static str {
        match relation {
            Relation::Own => self.people.you,
            Relation::Spouse => self.people.spouse,
            Relation::Father => self.people.father,
            Relation::Mother => self.people.mother,
            Relation::Daughter => self.people.daughter,
            Relation::Son => self.people.son,
        }
    }

    /// A sum insured in lakh or crore: `₹10 lakh`, `₹1.5 crore`. Other amounts are shown with all digits.
    pub(crate) fn sum(&self, amount: Rupees) -> String {
        const LAKH: i64 = 100_000 * 100;
        let paise = amount.paise();
        let in_units = |unit: i64| {
            let (whole, tenth) = (paise / unit, paise % unit * 10 / unit);
            if tenth == 0 { whole.to_string() } else { format!("{whole}.{tenth}") }
        };
        if paise >= 100 * LAKH && paise % (10 * LAKH) == 0 {
            return (self.format.crore)(&in_units(100 * LAKH));
        }
        if paise >= LAKH && paise % (LAKH / 10) == 0 {
            return (self.format.lakh)(&in_units(LAKH));
        }
        amount.grouped()
    }
}

/// Replaces a digit of any of the languages by 0 to 9. Other characters stay.
pub(crate) fn western_digit(c: char) -> char {
    let value = |language: &Language| Words::of(*language).format.digits.iter().position(|digit| *digit == c);
    let value = Language::ALL.iter().find_map(value).and_then(|value| u32::try_from(value).ok());
    value.and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
}

/// Whether a character ends sentences in one of the languages.
pub(crate) fn is_full_stop(c: char) -> bool {
    Language::ALL.iter().any(|language| Words::of(*language).format.full_stop == c)
}

/// A day as text: day, name of the month, year.
fn day_in_words(day: Date, months: &[&str; 12]) -> String {
    let month = usize::try_from(day.month()).unwrap_or(1) - 1;
    format!("{} {} {}", day.day(), months[month], day.year())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_sums_are_written_in_lakh_and_crore() {
        let sum = |rupees| Words::of(Language::English).sum(Rupees::whole(rupees));
        assert_eq!(sum(1_000_000), "₹10 lakh");
        assert_eq!(sum(750_000), "₹7.5 lakh");
        assert_eq!(sum(10_000_000), "₹1 crore");
        assert_eq!(sum(15_000_000), "₹1.5 crore");
        assert_eq!(sum(1_234_567), "₹12,34,567");
        assert_eq!(sum(50_000), "₹50,000");
    }

    #[test]
    fn each_language_has_its_own_texts_and_a_different_name() {
        for language in Language::ALL {
            let words = Words::of(*language);
            assert_eq!(words.language, *language);
            assert_eq!(words.others().count(), Language::ALL.len() - 1);
            assert!(words.others().all(|other| other.name != words.name), "{}", words.name);
        }
    }

    #[test]
    fn devanagari_digits_are_converted_to_western_digits() {
        assert_eq!("३४ 5x".chars().map(western_digit).collect::<String>(), "34 5x");
    }
}
