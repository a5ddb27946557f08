//! An insurer's own words, made fit to stand on one line of a page or a log.

/// Characters of a sentence, at most.
const LONGEST: usize = 200;

/// What a refusal says that came without words.
pub(crate) const NO_WORDS: &str = "The insurer does not offer this cover.";

/// Whether a character turns the direction of what follows, and so can make one text look like another.
fn turns(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Text as one line of at most 200 characters without control characters; `None` where it says nothing.
pub(crate) fn one_line(text: &str) -> Option<String> {
    let plain: String =
        text.chars().filter(|c| !turns(*c)).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= LONGEST {
        return (!line.is_empty()).then_some(line);
    }
    let kept: String = line.chars().take(LONGEST - 1).collect();
    Some(kept.trim_end().to_owned() + "…")
}

/// Why an insurer refuses, in its own words where it has any.
pub(crate) fn refusal(text: &str) -> String {
    one_line(text).unwrap_or_else(|| NO_WORDS.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_one_line_of_plain_text() {
        assert_eq!(one_line(" Not\r\n above\t60.\u{0} ").as_deref(), Some("Not above 60."));
        assert_eq!(one_line("left\u{202e}thgir").as_deref(), Some("leftthgir"));
        assert_eq!(one_line("आयु क्\u{200d}ष").as_deref(), Some("आयु क्\u{200d}ष"));
        assert_eq!(one_line(&"é".repeat(300)).map(|line| line.chars().count()), Some(200));
        assert_eq!(one_line("\u{2028}\n"), None);
        assert_eq!(refusal(""), NO_WORDS);
    }
}
