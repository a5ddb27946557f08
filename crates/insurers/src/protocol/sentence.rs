//! Refusals in an insurer's own words, made fit to stand on one line of a page or a log.

use domain::text::one_line;

/// Characters of a sentence, at most.
const LONGEST: usize = 200;

/// What a refusal says that came without words.
pub(crate) const NO_WORDS: &str = "The insurer does not offer this cover.";

/// Why an insurer refuses, in its own words where it has any.
pub(crate) fn refusal(text: &str) -> String {
    one_line(text, LONGEST).unwrap_or_else(|| NO_WORDS.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_without_words_says_what_it_is() {
        assert_eq!(refusal(" Not\n above 60. "), "Not above 60.");
        assert_eq!(refusal("\u{2028}\n"), NO_WORDS);
    }
}
