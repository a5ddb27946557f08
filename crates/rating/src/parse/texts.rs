//! Reading texts by language: `<key>` is in English, `<key>_<code>` in the language of that code.

use domain::language::{Language, Text};

use super::document::Section;
use super::values;

/// A text that must be there, in English, with every translation that is there.
pub(crate) fn required(section: &Section<'_>, key: &str) -> Option<Text> {
    let english = section.required(key, values::text);
    let translations = read_translations(section, key);
    Some(Text::new(english?, translations))
}

/// A text that may be missing. A translation without its English text is a fault.
pub(crate) fn optional(section: &Section<'_>, key: &str) -> Option<Text> {
    let english = section.optional(key, values::text);
    let translations = read_translations(section, key);
    if !section.has(key) {
        for translated in translated_keys(section, key) {
            section.fault(&translated, format!("`{translated}` needs `{key}`."));
        }
    }
    Some(Text::new(english?, translations))
}

/// A list of different sentences. A translation is a list of as many sentences in the same order.
pub(crate) fn sentences(section: &Section<'_>, key: &str) -> Vec<Text> {
    let english = section.distinct(key, values::text);
    // The number of sentences is unknown where they have faults: one fault is enough then.
    let number = if section.has(key) { english.as_ref().map(Vec::len) } else { Some(0) };
    let mut lists: Vec<(Language, Vec<String>)> = Vec::new();
    for language in Language::translated() {
        let translated = translated_key(key, language);
        let list = section.distinct(&translated, values::text).unwrap_or_default();
        if number.is_some_and(|number| !list.is_empty() && list.len() != number) {
            section.fault(&translated, format!("`{translated}` must have a sentence for each of `{key}`."));
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

/// Every translation of a key's text that is there.
fn read_translations(section: &Section<'_>, key: &str) -> Vec<(Language, String)> {
    let read = |language| Some((language, section.optional(&translated_key(key, language), values::text)?));
    Language::translated().filter_map(read).collect()
}

/// The keys of a key's translations that the section has.
fn translated_keys(section: &Section<'_>, key: &str) -> Vec<String> {
    let keys = Language::translated().map(|language| translated_key(key, language));
    keys.filter(|translated| section.has(translated)).collect()
}

/// The key of a translation: `name_hi`.
fn translated_key(key: &str, language: Language) -> String {
    format!("{key}_{}", language.word())
}
