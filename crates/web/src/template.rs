//! Templates: the JSON of a response with gaps for what differs from one response to the next. What stays the same is
//! serialised once, by the very type that describes it.

use domain::id::{Id, Kind, suffix};
use domain::money::Rupees;
use serde::{Serialize, Serializer};

/// The value of a text field where a gap is to be. No catalogue text is equal to it: catalogues refuse control characters.
pub(crate) const GAP: &str = "\0";

/// A field of any other type where a gap is to be.
pub(crate) struct Gap;

impl Serialize for Gap {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(GAP)
    }
}

/// What `serde_json` makes of a gap. Behind a quote, `\u0000` begins a text: elsewhere it would be `\\u0000`.
const WRITTEN: &str = r#""\u0000""#;

/// JSON around gaps.
pub(crate) struct Template {
    /// Before the first gap, and between any two.
    before: Box<[Box<str>]>,
    /// After the last gap.
    end: Box<str>,
}

impl Template {
    /// The template of a response.
    pub(crate) fn of(answer: &impl Serialize) -> Self {
        let text = serde_json::to_string(answer).expect("an answer of ours serialises");
        let mut pieces: Vec<Box<str>> = text.split(WRITTEN).map(Box::from).collect();
        let end = pieces.pop().unwrap_or_default();
        Template { before: pieces.into(), end }
    }

    /// Writes the response. `fill` writes the JSON of each gap, counted from 0 in the order of the fields.
    #[inline]
    pub(crate) fn fill(&self, to: &mut Vec<u8>, mut fill: impl FnMut(usize, &mut Vec<u8>)) {
        for (gap, piece) in self.before.iter().enumerate() {
            to.extend_from_slice(piece.as_bytes());
            fill(gap, to);
        }
        to.extend_from_slice(self.end.as_bytes());
    }
}

/// Writes a response whose last field, however deep, is a gap that `fill` fills. Texts of customers may precede it.
pub(crate) fn write_to_last(to: &mut Vec<u8>, answer: &impl Serialize, fill: impl FnOnce(&mut Vec<u8>)) {
    json(to, answer);
    let braces = to.iter().rev().take_while(|byte| **byte == b'}').count();
    let end = to.len() - braces;
    debug_assert!(to[..end].ends_with(WRITTEN.as_bytes()), "the last field is a gap");
    to.truncate(end - WRITTEN.len());
    fill(to);
    to.resize(to.len() + braces, b'}');
}

/// Writes a list, item by item.
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

/// Writes an id.
pub(crate) fn id<K: Kind>(to: &mut Vec<u8>, id: Id<K>) {
    to.push(b'"');
    to.extend_from_slice(K::TYPE.as_bytes());
    to.push(b'_');
    to.extend_from_slice(&suffix(id));
    to.push(b'"');
}

/// Writes an amount, as text.
pub(crate) fn amount(to: &mut Vec<u8>, amount: Rupees) {
    to.push(b'"');
    to.extend_from_slice(amount.digits().as_bytes());
    to.push(b'"');
}

/// Writes a small whole number.
#[inline]
pub(crate) fn small(to: &mut Vec<u8>, number: u8) {
    match number {
        0..=9 => to.push(b'0' + number),
        10..=99 => to.extend_from_slice(&[b'0' + number / 10, b'0' + number % 10]),
        _ => json(to, &number),
    }
}

/// Writes text that needs no escapes: a word of a vocabulary, digits.
pub(crate) fn plain(to: &mut Vec<u8>, text: &str) {
    to.push(b'"');
    to.extend_from_slice(text.as_bytes());
    to.push(b'"');
}

/// Writes any other value.
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
    fn a_filled_template_is_what_its_type_serialises() {
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
    fn an_amount_is_its_text() {
        for paise in [0, 1, -1, 99, 100, -150_000, 9_999_999_999, 10_000_000_000, i64::MAX, i64::MIN] {
            let mut written = Vec::new();
            amount(&mut written, Rupees::from_paise(paise));
            let whole = serde_json::to_vec(&Rupees::from_paise(paise).to_string());
            assert_eq!(written, whole.expect("serialises"));
        }
    }

    #[test]
    fn a_small_number_and_a_plain_text_are_what_serialises() {
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
    fn a_last_gap_is_found_whatever_a_customer_is_called() {
        for name in NAMES.iter().chain(&[GAP]) {
            let mut written = Vec::new();
            let answer = |list| [Answer { id: "", name, list }].into_iter().next();
            write_to_last(&mut written, &answer(Gap), |to| list(to, [1, 2], |item, to| json(to, &item)));
            let whole = serde_json::to_vec(&Answer { id: "", name, list: [1, 2] });
            assert_eq!(written, whole.expect("serialises"));
        }
    }
}
