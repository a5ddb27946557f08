//! Facts about an installation that the documentation site shows.

use std::borrow::Cow;

/// Error code of the API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorCode {
    /// Value of `type` in the error object, such as `A4001`.
    pub code: &'static str,
    pub status: u16,
    /// Value of `title` in the error object.
    pub title: &'static str,
}

/// Facts about an installation that the documentation site shows.
#[derive(Debug, Clone)]
pub struct Facts {
    /// Base URL of the API, without a slash at the end.
    pub base_url: String,
    /// Base URL of the hosted pages where customers buy, without a slash at the end. `None`: the same as
    /// `base_url`.
    pub journey_url: Option<String>,
    /// Version of the program.
    pub version: &'static str,
    /// All error codes of the API, in the contract's order.
    pub codes: &'static [ErrorCode],
    /// Text of the program's changelog, in Markdown.
    pub changelog: &'static str,
}

impl Facts {
    /// Path of the base URL without a slash at the end. Empty if it has none.
    pub(crate) fn base_path(&self) -> &str {
        let (_, behind) = self.base_url.split_once("://").unwrap_or_default();
        behind.find('/').map_or("", |at| &behind[at..])
    }

    /// Replaces `{base_url}` and `{journey_url}` by the URLs of this installation.
    pub(crate) fn fill<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if !text.contains("{base_url}") && !text.contains("{journey_url}") {
            return Cow::Borrowed(text);
        }
        let journey = self.journey_url.as_deref().unwrap_or(&self.base_url);
        // One pass, so that a placeholder inside a URL is not replaced.
        let mut filled = String::with_capacity(text.len() + 32);
        let mut rest = text;
        while let Some(start) = rest.find('{') {
            let (before, from) = rest.split_at(start);
            filled.push_str(before);
            rest = if let Some(after) = from.strip_prefix("{base_url}") {
                filled.push_str(&self.base_url);
                after
            } else if let Some(after) = from.strip_prefix("{journey_url}") {
                filled.push_str(journey);
                after
            } else {
                filled.push('{');
                &from[1..]
            };
        }
        filled.push_str(rest);
        Cow::Owned(filled)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(base: &str, journey: Option<&str>) -> Facts {
        let journey_url = journey.map(str::to_owned);
        Facts { base_url: base.to_owned(), journey_url, version: "1", codes: &[], changelog: "" }
    }

    #[test]
    fn a_filled_in_address_is_not_searched_for_placeholders_again() {
        let filled = facts("https://a.example", Some("https://{base_url}"))
            .fill("{base_url} {journey_url} {other} {")
            .into_owned();
        assert_eq!(filled, "https://a.example https://{base_url} {other} {");
    }

    #[test]
    fn a_journey_without_its_own_address_is_at_the_address_of_the_api() {
        assert_eq!(facts("https://a.example", None).fill("{journey_url}/health"), "https://a.example/health");
    }
}
