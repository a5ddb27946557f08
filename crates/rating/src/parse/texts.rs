//! Texts in several languages. The key `<key>` has the English text, `<key>_<code>` the text in the language
//! with this code.

use domain::language::{Language, Text};

use super::document::Section;
use super::values;

/// Parses a required English text with its translations.
pub(crate) fn required(section: &Section<'_>, key: &str) -> Option<Text> {
    let english = section.required(key, values::text);
    let translations = parse_translations(section, key);
    Some(Text::new(english?, translations))
}

/// Parses an optional text. A translation without an English text is a fault.
pub(crate) fn optional(section: &Section<'_>, key: &str) -> Option<Text> {
    let english = section.optional(key, values::text);
    let translations = parse_translations(section, key);
    if !section.has(key) {
        for translated in translated_keys(section, key) {
            section.report(
                &translated,
                format!("`{translated}` is a translation: its English text `{key}` is missing."),
            );
        }
    }
    Some(Text::new(english?, translations))
}

/// Parses a list of sentences, which must differ. A translation must have the same number of sentences, in
/// the same order.
pub(crate) fn sentences(section: &Section<'_>, key: &str) -> Vec<Text> {
    let english = section.distinct(key, values::text);
    // The number of sentences is unknown if they have faults. One fault suffices.
    let number = if section.has(key) { english.as_ref().map(Vec::len) } else { Some(0) };
    let mut lists: Vec<(Language, Vec<String>)> = Vec::new();
    for language in Language::translated() {
        let translated = translated_key(key, language);
        let list = section.distinct(&translated, values::text).unwrap_or_default();
        if number.is_some_and(|number| !list.is_empty() && list.len() != number) {
            section.report(
                &translated,
                format!("`{translated}` must have one sentence for each sentence of `{key}`."),
            );
        }
        lists.push((language, list));
    }
    let english = english.unwrap_or_default().into_iter().enumerate();
    let sentence = |(at, english): (usize, String)| {
        let translations =
            lists.iter().filter_map(|(language, list)| Some((*language, list.get(at)?.clone())));
        Text::new(english, translations)
    };
    english.map(sentence).collect()
}

/// Parses the translations that a key's text has.
fn parse_translations(section: &Section<'_>, key: &str) -> Vec<(Language, String)> {
    let read = |language| Some((language, section.optional(&translated_key(key, language), values::text)?));
    Language::translated().filter_map(read).collect()
}

/// Names of the present keys that are translations of a key.
fn translated_keys(section: &Section<'_>, key: &str) -> Vec<String> {
    let keys = Language::translated().map(|language| translated_key(key, language));
    keys.filter(|translated| section.has(translated)).collect()
}

/// Name of the key for a translation, such as `name_hi`.
fn translated_key(key: &str, language: Language) -> String {
    format!("{key}_{}", language.word())
}
