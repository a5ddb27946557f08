//! Languages of texts for customers.

use std::collections::BTreeMap;

use crate::text::vocabulary;

vocabulary! {
    /// Language that customers can read. The word of a language is its ISO 639-1 code. This code is also the
    /// suffix of catalogue keys (`description_hi`), and a URL parameter (`?lang=hi`).
    ///
    /// To add a language, add a variant here. The catalogue's loader then reads the keys with the code of
    /// that language.
    Language, "one of en, hi" {
        /// English. Every text has an English version.
        English = "en",
        Hindi = "hi",
    }
}

impl Language {
    /// All languages except English, which every text has.
    pub fn translated() -> impl Iterator<Item = Language> {
        Language::ALL.iter().copied().filter(|language| *language != Language::English)
    }
}

/// Text for customers. English is required, and replaces a missing translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    english: String,
    /// Translations, without English.
    translations: BTreeMap<Language, String>,
}

impl Text {
    /// A text with translations. If a language occurs twice, its last text is used. An English entry replaces
    /// `english`.
    pub fn new(english: String, translations: impl IntoIterator<Item = (Language, String)>) -> Text {
        let mut translations: BTreeMap<Language, String> = translations.into_iter().collect();
        let english = translations.remove(&Language::English).unwrap_or(english);
        Text { english, translations }
    }

    pub fn english(&self) -> &str {
        &self.english
    }

    /// The text in `language`, or in English if there is no translation.
    pub fn in_language(&self, language: Language) -> &str {
        self.translations.get(&language).map_or(&self.english, String::as_str)
    }

    /// Whether the text exists in this language. `true` for English.
    pub fn has(&self, language: Language) -> bool {
        language == Language::English || self.translations.contains_key(&language)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::FromText;

    fn covered() -> Text {
        Text::new("Covered.".to_owned(), [(Language::Hindi, "शामिल।".to_owned())])
    }

    #[test]
    fn a_text_is_shown_in_the_language_that_is_asked_for() {
        assert_eq!(covered().english(), "Covered.");
        assert_eq!(covered().in_language(Language::English), "Covered.");
        assert_eq!(covered().in_language(Language::Hindi), "शामिल।");
        assert!(covered().has(Language::Hindi));
    }

    #[test]
    fn a_text_without_the_requested_language_is_shown_in_english() {
        let text = Text::new("Covered.".to_owned(), []);
        assert_eq!(text.in_language(Language::Hindi), "Covered.");
        assert!(text.has(Language::English) && !text.has(Language::Hindi));
    }

    #[test]
    fn the_message_about_a_wrong_language_lists_every_language_code() {
        let codes: Vec<&str> = Language::ALL.iter().map(|language| language.word()).collect();
        assert_eq!(Language::WANTED, format!("one of {}", codes.join(", ")));
    }
}
