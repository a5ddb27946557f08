//! Parsing of values from text (D11, D12).

use unicode_normalization::UnicodeNormalization;

/// Value that can be parsed from text.
pub trait FromText: Sized {
    /// Description of the accepted text, for messages: "a date written DD/MM/YYYY".
    const WANTED: &'static str;

    /// Regular expression (ECMA 262) that every accepted text matches after trimming, if a simple one exists.
    const PATTERN: Option<&'static str> = None;

    /// Accepted words, if only words of a list are accepted.
    const WORDS: &'static [&'static str] = &[];

    /// Parses a text that is trimmed and not blank.
    ///
    /// # Errors
    /// A description of the refused text: "text that is not a date". The description never repeats the text
    /// itself. [`FromText::WANTED`] explains every refusal.
    fn from_text(text: &str) -> Result<Self, &'static str>;
}

/// Whether a character changes the writing direction, which can make one text look like another.
fn turns(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Whether a text is one line that is safe to print on a terminal. Such a line has no control character, line
/// break, or mark for the writing direction.
pub fn is_one_line(text: &str) -> bool {
    !text.chars().any(|c| c.is_control() || turns(c) || matches!(c, '\u{2028}' | '\u{2029}'))
}

/// Whether a text has no visible character.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || is_invisible(c))
}

/// Text in Unicode normal form C, so that equal letters have equal code points.
pub fn normal(text: &str) -> String {
    if text.is_ascii() { text.to_owned() } else { text.nfc().collect() }
}

/// Whether a character has no width. This includes joiners, although they are valid beside letters of Indian
/// scripts.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{00ad}')
}

/// Whether a text has an invisible character other than a joiner, which Indian scripts need.
pub fn has_hidden_character(text: &str) -> bool {
    let is_noncharacter = |c: char| matches!(c, '\u{fdd0}'..='\u{fdef}') || c as u32 & 0xfffe == 0xfffe;
    let is_joiner = |c: char| matches!(c, '\u{200c}' | '\u{200d}');
    text.chars().any(|c| is_invisible(c) && !is_joiner(c) || turns(c) || is_noncharacter(c))
}

/// The character of a keyboard for a hyphen, apostrophe or quotation mark of word processors.
fn typed(c: char) -> char {
    match c {
        '\u{2010}' | '\u{2011}' | '\u{2212}' | '\u{fe63}' | '\u{ff0d}' => '-',
        '\u{2018}' | '\u{2019}' | '\u{2bc}' | '\u{2032}' | '\u{b4}' | '\u{ff07}' => '\'',
        '\u{201c}' | '\u{201d}' | '\u{2033}' | '\u{ff02}' => '"',
        other => other,
    }
}

/// Text without invisible characters, forms of hyphens and apostrophes, and differences of letter case, for
/// comparisons.
pub(crate) fn folded(text: &str) -> String {
    let seen: String = text.chars().filter(|c| !is_invisible(*c) && !turns(*c)).map(typed).collect();
    normal(seen.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase().as_str())
}

/// Removes separators between digits: spaces, hyphens, dashes and invisible characters.
pub fn ungrouped(text: &str) -> String {
    let groups = |c: char| {
        c.is_whitespace()
            || turns(c)
            || is_invisible(c)
            || matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')
    };
    text.chars().filter(|c| !groups(*c)).collect()
}

/// Whether a spreadsheet replaced the text: a long number by its exponent, such as `1.23457E+17`, or a broken
/// formula by an error such as `#N/A`.
pub fn is_damaged(text: &str) -> bool {
    const ERRORS: &[&str] =
        &["#N/A", "#REF!", "#NAME?", "#VALUE!", "#DIV/0!", "#NUM!", "#NULL!", "#SPILL!", "#CALC!", "#FIELD!"];
    let is_exponent = text.split_once(['E', 'e']).is_some_and(|(number, exponent)| {
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let (whole, fraction) = number.split_once(['.', ',']).unwrap_or((number, "0"));
        digits(whole.strip_prefix('-').unwrap_or(whole))
            && digits(fraction)
            && exponent.strip_prefix(['+', '-']).is_some_and(digits)
    });
    is_exponent
        || ERRORS.iter().any(|error| error.eq_ignore_ascii_case(text))
        || !text.is_empty() && text.bytes().all(|byte| byte == b'#')
}

/// Converts text from another system to one line of at most `longest` characters, without control characters.
/// `None` if nothing remains.
pub fn one_line(words: &str, longest: usize) -> Option<String> {
    let plain: String =
        words.chars().filter(|c| !turns(*c)).map(|c| if c.is_control() { ' ' } else { c }).collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= longest {
        return (!line.is_empty()).then_some(line);
    }
    let kept: String = line.chars().take(longest.saturating_sub(1)).collect();
    Some(kept.trim_end().to_owned() + "…")
}

/// Declares an enum of the API contract, with the word for each variant.
#[macro_export]
macro_rules! vocabulary {
    ($(#[$doc:meta])* $name:ident, $wanted:literal { $($(#[$vdoc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name { $(#[doc = concat!("`", $word, "`")] $(#[$vdoc])* $variant),* }

        impl $name {
            /// Every value, in the contract's order.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// Word for this value in the API contract.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),* }
            }
        }

        impl $crate::text::FromText for $name {
            const WANTED: &'static str = $wanted;
            const WORDS: &'static [&'static str] = &[$($word),*];

            fn from_text(text: &str) -> Result<Self, &'static str> {
                match text { $($word => Ok($name::$variant),)* _ => Err("another word") }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                to.write_str(self.word())
            }
        }
    };
}
pub use vocabulary;

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn text_from_outside_becomes_one_plain_line_of_limited_length() {
        let line = |words: &str| one_line(words, 200);
        assert_eq!(line(" Not\r\n above\t60.\u{0} ").as_deref(), Some("Not above 60."));
        assert_eq!(line("left\u{202e}thgir").as_deref(), Some("leftthgir"));
        assert_eq!(line("आयु क्\u{200d}ष").as_deref(), Some("आयु क्\u{200d}ष"));
        assert_eq!(line(&"é".repeat(300)).map(|line| line.chars().count()), Some(200));
        assert_eq!(line("\u{2028}\n"), None);
    }
}
