//! Reasons of refusals in an insurer's own words, shortened to one line.

use domain::text::one_line;

/// Most characters of a reason. Longer text is cut.
const LONGEST: usize = 200;

/// Reason that is shown if the insurer refuses without a reason.
pub(crate) const NO_WORDS: &str = "The insurer does not offer this cover.";

/// The insurer's reason on one line. [`NO_WORDS`] if the text is blank.
pub(crate) fn refusal(text: &str) -> String {
    one_line(text, LONGEST).unwrap_or_else(|| NO_WORDS.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_without_text_gets_a_default_sentence() {
        assert_eq!(refusal(" Not\n above 60. "), "Not above 60.");
        assert_eq!(refusal("\u{2028}\n"), NO_WORDS);
    }
}
