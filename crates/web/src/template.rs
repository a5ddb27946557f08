//! Templates: the JSON of an answer with gaps for the texts that differ from one answer to the next. What stays the same
//! is serialised once, by the very type that describes it.

use std::fmt::Display;
use std::io::Write;

use serde::Serialize;

/// What a text field holds where a gap is to be. Nothing in a catalogue is named so.
pub(crate) const GAP: &str = "\0";

/// What `serde_json` makes of such a field. Behind a quote, `\u0000` begins a text: elsewhere it would be `\\u0000`.
const WRITTEN: &str = r#""\u0000""#;

/// JSON around gaps.
pub(crate) struct Template {
    /// Before the first gap, between any two, behind the last.
    pieces: Box<[Box<str>]>,
}

impl Template {
    /// The template of an answer, a gap for each field that holds [`GAP`].
    pub(crate) fn of(answer: &impl Serialize) -> Self {
        let text = serde_json::to_string(answer).expect("an answer of ours serialises");
        Template { pieces: text.split(WRITTEN).map(Box::from).collect() }
    }

    /// Writes the answer with these texts in its gaps, in the order of its fields. They are such as JSON writes as they
    /// are: ids, amounts, and what [`escaped`] made.
    pub(crate) fn fill(&self, to: &mut Vec<u8>, texts: &[&dyn Display]) {
        debug_assert_eq!(self.pieces.len(), texts.len() + 1, "a text for each gap");
        let (last, before) = self.pieces.split_last().expect("a split has a piece at least");
        for (piece, text) in before.iter().zip(texts) {
            to.extend_from_slice(piece.as_bytes());
            write!(to, "\"{text}\"").expect("memory takes what is written");
        }
        to.extend_from_slice(last.as_bytes());
    }
}

/// A text as JSON writes it between its quotes.
pub(crate) fn escaped(text: &str) -> String {
    let mut quoted = serde_json::to_string(text).expect("a text serialises");
    quoted.pop();
    quoted.remove(0);
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Answer<'a> {
        id: &'a str,
        name: &'a str,
        message: &'a str,
    }

    #[test]
    fn a_filled_template_is_what_its_type_serialises() {
        for name in ["plain", r#""quoted""#, r"\u0000", r#""\u0000""#, "नमस्ते\n", ""] {
            let template = Template::of(&Answer { id: GAP, name, message: GAP });
            for message in ["", "of 18 to 65", "\"\\\u{1}\t₹"] {
                let mut filled = Vec::new();
                template.fill(&mut filled, &[&"quo_1", &escaped(message)]);
                let whole = serde_json::to_vec(&Answer { id: "quo_1", name, message }).expect("serialises");
                assert_eq!(filled, whole);
            }
        }
    }
}
