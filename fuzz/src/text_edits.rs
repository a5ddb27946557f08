//! Edits of text by word.

use bolero::Driver;

use crate::examples::Choices;

/// Words and signs that text parsers often handle badly.
pub(crate) const ODD: &[&str] = &[
    "",
    "0",
    "-0",
    "-1",
    "1e999",
    "-1e999",
    "1e-999",
    "NaN",
    "inf",
    "0x10",
    "1_000",
    "007",
    "+7",
    "1.",
    ".5",
    "99999999999999999999999999",
    "18446744073709551616",
    "-9223372036854775809",
    "79228162514264337593543950336",
    "0.00000000000000000000000000001",
    "3.4028235e39",
    "null",
    "true",
    "[",
    "]",
    "{",
    "}",
    "[[",
    "\"",
    "\\",
    "'",
    ",",
    ":",
    "=",
    "&",
    "&&",
    ";",
    "#",
    "?",
    "%",
    "%0",
    "%00",
    "%FF",
    "%u0041",
    "+",
    "..",
    "../",
    "//",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\0",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{202e}",
    "\u{200d}",
    "\u{feff}",
    "\u{fffd}",
    "\u{10ffff}",
    "e\u{301}",
    "\u{931}\u{93e}\u{935}",
    "\u{0663}",
    "\u{ff11}",
    "\u{1f468}\u{200d}\u{1f469}",
    "\u{130}",
    "\u{df}",
    "\\u0000",
    "\\ud800",
    "\\udc00\\ud800",
    "9999-12-31",
    "0000-00-00",
    "2026-02-30",
    "2026-11-20T10:00:00Z",
    "<b>",
    "${x}",
    "{{7*7}}",
    "' or 1=1 --",
];

/// Applies one edit to a text. Invalid UTF-8 becomes the replacement character.
pub(crate) fn edited<D: Driver>(
    body: Vec<u8>,
    other: &[u8],
    choices: &mut Choices<'_, D>,
) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(&body);
    let mut words = words(&text);
    let range = choices.range(words.len())?;
    let at = range.start;
    let odd = *choices.one_of(ODD)?;
    let repeated;
    match choices.below(10)? {
        0 => drop(words.drain(range)),
        1 => {
            let again = words[range].repeat(choices.times(text.len())?);
            words.splice(at..at, again);
        }
        2 if !words.is_empty() => words.swap(at, range.end.min(range.end.saturating_sub(1))),
        3 => words.insert(at, odd),
        4 => {
            repeated = odd.repeat(choices.times(odd.len())?);
            words.insert(at, &repeated);
        }
        5 => {
            let other = std::str::from_utf8(other).unwrap_or_default();
            let all = self::words(other);
            let from = choices.range(all.len())?;
            words.splice(range, all[from].iter().copied());
            return Some(words.concat().into_bytes());
        }
        6 => words.truncate(at),
        7 => {
            // Any byte inside a word, so the result may be invalid UTF-8.
            let mut bytes = body.clone();
            let place = choices.below(bytes.len())?;
            let value = choices.bytes(1)?;
            bytes.splice(place..bytes.len().min(place + 1), value);
            return Some(bytes);
        }
        _ => {
            words.splice(at..words.len().min(at + 1), [odd]);
        }
    }
    Some(words.concat().into_bytes())
}

/// Words of a text: runs of letters and digits, and each other character alone.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut begin = 0;
    let mut in_word = false;
    for (at, c) in text.char_indices() {
        if at > begin && !(in_word && c.is_alphanumeric()) {
            words.push(&text[begin..at]);
            begin = at;
        }
        in_word = c.is_alphanumeric();
    }
    if begin < text.len() {
        words.push(&text[begin..]);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn a_text_is_its_words() {
        assert_eq!(words("a1=\"b c\"\u{931}!"), ["a1", "=", "\"", "b", " ", "c", "\"", "\u{931}", "!"]);
        assert!(words("").is_empty());
    }
}
