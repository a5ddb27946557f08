//! Templates: the JSON of a response with gaps for the values that change. The constant parts are serialised
//! only once, by the response's own type.

use domain::id::{Id, Kind, suffix};
use domain::money::Rupees;
use serde::{Serialize, Serializer};

/// Placeholder for a text field. No text of a catalogue is equal to it, because catalogues refuse control
/// characters.
pub(crate) const GAP: &str = "\0";

/// Placeholder for a field that is not text.
pub(crate) struct Gap;

impl Serialize for Gap {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(GAP)
    }
}

/// A gap as `serde_json` writes it. Nothing else in the JSON has these characters: inside a text, both the
/// quotes and the backslash would be escaped.
const WRITTEN: &str = r#""\u0000""#;

/// Constant pieces of JSON, with gaps between them.
pub(crate) struct Template {
    /// Pieces of JSON before each gap.
    before: Box<[Box<str>]>,
    /// Piece of JSON after the last gap.
    end: Box<str>,
}

impl Template {
    /// Makes a template from a response in which some fields are [`GAP`] or [`Gap`].
    pub(crate) fn of(answer: &impl Serialize) -> Self {
        let text = serde_json::to_string(answer).expect("an answer of ours serialises");
        let mut pieces: Vec<Box<str>> = text.split(WRITTEN).map(Box::from).collect();
        let end = pieces.pop().unwrap_or_default();
        Template { before: pieces.into(), end }
    }

    /// Writes the response. `fill` writes the value of each gap. Gaps are numbered from 0, in the order of
    /// the fields.
    #[inline]
    pub(crate) fn fill(&self, to: &mut Vec<u8>, mut fill: impl FnMut(usize, &mut Vec<u8>)) {
        for (gap, piece) in self.before.iter().enumerate() {
            to.extend_from_slice(piece.as_bytes());
            fill(gap, to);
        }
        to.extend_from_slice(self.end.as_bytes());
    }
}

/// Writes a response whose last field, at any depth, is a gap. `fill` writes the value of this gap. Other
/// fields can have any text.
pub(crate) fn write_to_last(to: &mut Vec<u8>, answer: &impl Serialize, fill: impl FnOnce(&mut Vec<u8>)) {
    json(to, answer);
    let braces = to.iter().rev().take_while(|byte| **byte == b'}').count();
    let end = to.len() - braces;
    debug_assert!(to[..end].ends_with(WRITTEN.as_bytes()), "the last field is a gap");
    to.truncate(end - WRITTEN.len());
    fill(to);
    to.resize(to.len() + braces, b'}');
}

/// Writes a JSON list.
pub(crate) fn list<T>(
    to: &mut Vec<u8>,
    items: impl IntoIterator<Item = T>,
    mut write: impl FnMut(T, &mut Vec<u8>),
) {
    to.push(b'[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            to.push(b',');
        }
        write(item, to);
    }
    to.push(b']');
}

pub(crate) fn id<K: Kind>(to: &mut Vec<u8>, id: Id<K>) {
    to.push(b'"');
    to.extend_from_slice(K::TYPE.as_bytes());
    to.push(b'_');
    to.extend_from_slice(&suffix(id));
    to.push(b'"');
}

/// Writes an amount as a JSON string.
pub(crate) fn amount(to: &mut Vec<u8>, amount: Rupees) {
    to.push(b'"');
    to.extend_from_slice(amount.digits().as_bytes());
    to.push(b'"');
}

/// Writes a whole number from 0 to 255.
#[inline]
pub(crate) fn small(to: &mut Vec<u8>, number: u8) {
    match number {
        0..=9 => to.push(b'0' + number),
        10..=99 => to.extend_from_slice(&[b'0' + number / 10, b'0' + number % 10]),
        _ => json(to, &number),
    }
}

/// Writes text without escapes, such as a word of a vocabulary or digits.
pub(crate) fn plain(to: &mut Vec<u8>, text: &str) {
    to.push(b'"');
    to.extend_from_slice(text.as_bytes());
    to.push(b'"');
}

/// Writes any value with `serde_json`.
pub(crate) fn json(to: &mut Vec<u8>, value: &(impl Serialize + ?Sized)) {
    serde_json::to_writer(to, value).expect("an answer of ours serialises");
}

#[cfg(test)]
mod tests {
    use domain::id::{QuoteId, Uuid};

    use super::*;

    #[derive(Serialize)]
    struct Answer<'a, List> {
        id: &'a str,
        name: &'a str,
        list: List,
    }

    const NAMES: &[&str] = &["plain", r#""quoted""#, r"\u0000", r#""\u0000""#, "नमस्ते\n", "}}", ""];

    #[test]
    fn a_filled_template_equals_the_serialised_response() {
        let quote = QuoteId::from_uuid(Uuid::from_u128(0x0192_f3a1_b2c3_7def_8123_4567_89ab_cdef));
        for name in NAMES {
            let template = Template::of(&Answer { id: GAP, name, list: Gap });
            for items in [&[][..], &["\"\\\u{1}\t₹"], &["a", "b", "c"]] {
                let mut filled = Vec::new();
                template.fill(&mut filled, |gap, to| match gap {
                    0 => id(to, quote),
                    _ => list(to, items, |item, to| json(to, item)),
                });
                let whole = serde_json::to_vec(&Answer { id: &quote.to_string(), name, list: items });
                assert_eq!(filled, whole.expect("serialises"));
            }
        }
    }

    #[test]
    fn an_amount_is_written_as_a_json_string_of_its_text() {
        for paise in [0, 1, -1, 99, 100, -150_000, 9_999_999_999, 10_000_000_000, i64::MAX, i64::MIN] {
            let mut written = Vec::new();
            amount(&mut written, Rupees::from_paise(paise));
            let whole = serde_json::to_vec(&Rupees::from_paise(paise).to_string());
            assert_eq!(written, whole.expect("serialises"));
        }
    }

    #[test]
    fn small_numbers_and_plain_texts_are_written_as_valid_json() {
        for number in 0..=u8::MAX {
            let mut written = Vec::new();
            small(&mut written, number);
            assert_eq!(written, number.to_string().into_bytes());
        }
        let mut written = Vec::new();
        plain(&mut written, "BASE");
        assert_eq!(written, br#""BASE""#);
    }

    #[test]
    fn the_last_gap_is_found_even_if_a_customer_name_contains_the_gap_text() {
        for name in NAMES.iter().chain(&[GAP]) {
            let mut written = Vec::new();
            let answer = |list| [Answer { id: "", name, list }].into_iter().next();
            write_to_last(&mut written, &answer(Gap), |to| list(to, [1, 2], |item, to| json(to, &item)));
            let whole = serde_json::to_vec(&Answer { id: "", name, list: [1, 2] });
            assert_eq!(written, whole.expect("serialises"));
        }
    }
}
