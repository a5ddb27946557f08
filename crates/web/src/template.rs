//! Templates: the JSON of a response with gaps for what differs from one response to the next. What stays the same is
//! serialised once, by the very type that describes it.

use domain::id::{Id, Kind, SUFFIX, write_suffix};
use domain::money::Rupees;
use serde::{Serialize, Serializer};

/// The value of a text field where a gap is to be. No catalogue text is equal to it: catalogues refuse control characters.
pub(crate) const GAP: &str = "\0";

/// The value of the text field that is the amount of an [`AmountTemplate`].
pub(crate) const WITHIN: &str = "\u{1}";

/// A field of any other type where a gap is to be.
pub(crate) struct Gap;

impl Serialize for Gap {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(GAP)
    }
}

/// What `serde_json` makes of a gap. Behind a quote, `\u0000` begins a text: elsewhere it would be `\\u0000`.
const WRITTEN: &str = r#""\u0000""#;

/// What it makes of the text of [`WITHIN`].
const WRITTEN_WITHIN: &str = r#""\u0001""#;

/// JSON around gaps.
pub(crate) struct Template {
    /// Before the first gap, and between any two.
    before: Box<[Piece]>,
    /// After the last gap.
    end: Piece,
}

/// Bytes that are copied as so many at once, whatever their number, which takes a fraction of the time of a call that looks
/// how many there are.
const AT_ONCE: usize = 32;

/// JSON between two gaps.
enum Piece {
    /// At most [`AT_ONCE`] bytes, and behind them what is taken away again.
    Short([u8; AT_ONCE], usize),
    Long(Box<str>),
}

impl Piece {
    fn of(text: &str) -> Self {
        let mut bytes = [0; AT_ONCE];
        match bytes.get_mut(..text.len()) {
            Some(begin) => {
                begin.copy_from_slice(text.as_bytes());
                Piece::Short(bytes, text.len())
            }
            None => Piece::Long(text.into()),
        }
    }

    #[inline]
    fn write(&self, to: &mut Vec<u8>) {
        match self {
            Piece::Short(bytes, length) => write_begin(to, bytes, *length),
            Piece::Long(text) => to.extend_from_slice(text.as_bytes()),
        }
    }
}

/// Writes the first `length` bytes.
#[inline]
fn write_begin<const N: usize>(to: &mut Vec<u8>, bytes: &[u8; N], length: usize) {
    let end = to.len() + length;
    to.extend_from_slice(bytes);
    to.truncate(end);
}

impl Template {
    /// The template of a response.
    pub(crate) fn of(answer: &impl Serialize) -> Self {
        let text = serde_json::to_string(answer).expect("an answer of ours serialises");
        let mut pieces: Vec<Piece> = text.split(WRITTEN).map(Piece::of).collect();
        let end = pieces.pop().unwrap_or(Piece::Short([0; AT_ONCE], 0));
        Template { before: pieces.into(), end }
    }

    /// Writes the response. `fill` writes the JSON of each gap, counted from 0 in the order of the fields.
    #[inline]
    pub(crate) fn fill(&self, to: &mut Vec<u8>, mut fill: impl FnMut(usize, &mut Vec<u8>)) {
        for (gap, piece) in self.before.iter().enumerate() {
            piece.write(to);
            fill(gap, to);
        }
        self.end.write(to);
    }
}

/// An item of a list, JSON around the digits of one amount, as short as all of it can be copied at once: a page of health
/// quotes has a thousand.
pub(crate) struct AmountTemplate {
    /// What is before the digits, behind the comma between two items, and room for the rest.
    begin: [u8; Self::ROOM],
    /// Where the digits begin.
    digits_at: usize,
    /// A point, room for the two digits behind it, and what follows, the first byte lowest.
    end: u64,
    end_length: usize,
}

impl AmountTemplate {
    /// What an item takes at most, while it is made.
    const ROOM: usize = AT_ONCE + 16;

    /// An amount by itself, in its marks.
    const TEXT: AmountTemplate = {
        let mut begin = [0; Self::ROOM];
        begin[0] = b'"';
        let end = [b'.', 0, 0, b'"', 0, 0, 0, 0];
        AmountTemplate { begin, digits_at: 1, end: u64::from_le_bytes(end), end_length: 4 }
    };

    /// The template of an item whose only gap is [`WITHIN`].
    ///
    /// # Panics
    /// Where there are [`AT_ONCE`] bytes or more before the digits, or more than five behind them.
    pub(crate) fn of(answer: &impl Serialize) -> Self {
        let text = serde_json::to_string(answer).expect("an answer of ours serialises");
        let (before, behind) = text.split_once(WRITTEN_WITHIN).expect("there is a gap within a text");
        let (begin, end) = (format!(",{before}\""), format!(".\0\0\"{behind}"));
        assert!(begin.len() <= AT_ONCE && end.len() <= 8, "an item as short as that: {text}");
        let mut template = AmountTemplate {
            begin: [0; Self::ROOM],
            digits_at: begin.len(),
            end: end.bytes().rfold(0, |bytes, byte| bytes << 8 | u64::from(byte)),
            end_length: end.len(),
        };
        template.begin[..begin.len()].copy_from_slice(begin.as_bytes());
        template
    }

    /// Writes what is before the digits, them, and what follows.
    #[inline]
    fn write(&self, to: &mut Vec<u8>, amount: Rupees) {
        let begin = to.len();
        to.extend_from_slice(&self.begin);
        let Some((rupees, length, [_, tens, ones])) = amount.short_digits() else {
            to.truncate(begin + self.digits_at);
            to.extend_from_slice(amount.digits().as_bytes());
            // The point and its two digits are the amount's own.
            return to.extend_from_slice(&self.end.to_le_bytes()[3..self.end_length]);
        };
        let end_at = self.digits_at + length;
        let end = self.end | u64::from(tens) << 8 | u64::from(ones) << 16;
        if let Some((_, item)) = to.split_last_chunk_mut::<{ Self::ROOM }>() {
            item[self.digits_at..][..8].copy_from_slice(&rupees);
            item[end_at..][..8].copy_from_slice(&end.to_le_bytes());
        }
        to.truncate(begin + end_at + self.end_length);
    }
}

/// Writes a list of items around amounts.
pub(crate) fn amounts<'t>(to: &mut Vec<u8>, items: impl IntoIterator<Item = (&'t AmountTemplate, Rupees)>) {
    let begin = to.len();
    for (template, amount) in items {
        template.write(to, amount);
    }
    match to.get_mut(begin) {
        // There is no comma before the first one.
        Some(comma) => *comma = b'[',
        None => to.push(b'['),
    }
    to.push(b']');
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
    // An underscore before the suffix, and a mark behind it.
    to.extend_from_slice(&[b'_'; SUFFIX + 2]);
    if let Some((_, [_, suffix @ .., mark])) = to.split_last_chunk_mut::<{ SUFFIX + 2 }>() {
        write_suffix(id, suffix);
        *mark = b'"';
    }
}

/// Writes an amount, as text.
pub(crate) fn amount(to: &mut Vec<u8>, amount: Rupees) {
    AmountTemplate::TEXT.write(to, amount);
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
    fn pieces_of_any_length_are_written_whole() {
        for length in [0, 1, AT_ONCE - 1, AT_ONCE, AT_ONCE + 1, 3 * AT_ONCE] {
            let name = &*"n".repeat(length);
            let template = Template::of(&Answer { id: GAP, name, list: Gap });
            let mut filled = vec![b' '];
            template.fill(&mut filled, |gap, to| match gap {
                0 => amount(to, Rupees::whole(15_702)),
                _ => list(to, [1, 2], |item, to| small(to, item)),
            });
            let whole = serde_json::to_string(&Answer { id: "15702.00", name, list: [1, 2] });
            assert_eq!(filled, format!(" {}", whole.expect("serialises")).into_bytes());
        }
    }

    #[derive(Serialize)]
    struct Price<'a> {
        years: u8,
        premium: &'a str,
    }

    #[test]
    fn items_around_amounts_are_what_their_type_serialises() {
        let all = [0, 1, 9, 10, 99, 100, 1_570_200, 9_999_999_999, 10_000_000_000, -1, i64::MAX, i64::MIN];
        let all = all.map(Rupees::from_paise);
        let texts = all.map(|amount| amount.to_string());
        for years in [1, 10, 255] {
            let template = AmountTemplate::of(&Price { years, premium: WITHIN });
            for range in [0..0, 0..1, 3..5, 8..9, 0..all.len()] {
                let mut written = vec![b' '];
                amounts(&mut written, all[range.clone()].iter().map(|amount| (&template, *amount)));
                let prices = texts[range].iter().map(|premium| Price { years, premium });
                let whole = serde_json::to_string(&prices.collect::<Vec<_>>());
                assert_eq!(written, format!(" {}", whole.expect("serialises")).into_bytes());
            }
        }
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
