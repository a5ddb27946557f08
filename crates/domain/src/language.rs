//! Texts for customers, by the language that they read.

use std::collections::BTreeMap;

use crate::text::vocabulary;

vocabulary! {
    /// A language that customers can read. Its word is its ISO 639-1 code, which ends the catalogue's keys
    /// (`description_hi`) and stands in addresses (`?lang=hi`).
    ///
    /// To add a language, add a variant here: the catalogue's loader then reads the keys that end in its code.
    Language, "one of en, hi" {
        /// English. Every text has it.
        English = "en",
        Hindi = "hi",
    }
}

impl Language {
    /// Every language that a text may lack: all but English.
    pub fn translated() -> impl Iterator<Item = Language> {
        Language::ALL.iter().copied().filter(|language| *language != Language::English)
    }
}

/// A text for customers. English is always there. A language that is missing is shown in English.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    english: String,
    /// By language, without English.
    translations: BTreeMap<Language, String>,
}

impl Text {
    /// A text with translations. Of two in one language the later one holds; one in English replaces `english`.
    pub fn new(english: String, translations: impl IntoIterator<Item = (Language, String)>) -> Text {
        let mut translations: BTreeMap<Language, String> = translations.into_iter().collect();
        let english = translations.remove(&Language::English).unwrap_or(english);
        Text { english, translations }
    }

    /// The text in English.
    pub fn english(&self) -> &str {
        &self.english
    }

    /// The text in a language; in English where that language is missing.
    pub fn in_language(&self, language: Language) -> &str {
        self.translations.get(&language).map_or(&self.english, String::as_str)
    }

    /// Whether the text is there in a language itself.
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
    fn a_missing_language_is_shown_in_english() {
        let text = Text::new("Covered.".to_owned(), []);
        assert_eq!(text.in_language(Language::Hindi), "Covered.");
        assert!(text.has(Language::English) && !text.has(Language::Hindi));
    }

    #[test]
    fn every_language_is_named_in_what_is_wanted() {
        let codes: Vec<&str> = Language::ALL.iter().map(|language| language.word()).collect();
        assert_eq!(Language::WANTED, format!("one of {}", codes.join(", ")));
    }
}
