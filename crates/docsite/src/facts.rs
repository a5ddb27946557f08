//! What an installation tells the site about itself.

use std::borrow::Cow;

/// A code of the API's errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorCode {
    /// The value of `type`, such as `A4001`.
    pub code: &'static str,
    /// The HTTP status that it comes with.
    pub status: u16,
    /// The value of `title`.
    pub title: &'static str,
}

/// What the pages say about this installation.
#[derive(Debug, Clone)]
pub struct Facts {
    /// The address of the API, without a slash at the end.
    pub base_url: String,
    /// The address of the hosted journey, without a slash at the end; `None` where it is that of the API.
    pub journey_url: Option<String>,
    /// The version of the program.
    pub version: &'static str,
    /// Every code of the API's errors, in the order of the contract.
    pub codes: &'static [ErrorCode],
    /// The changelog, in Markdown.
    pub changelog: &'static str,
}

impl Facts {
    /// The text with the addresses of this installation in place of `{base_url}` and `{journey_url}`.
    pub(crate) fn fill<'a>(&self, text: &'a str) -> Cow<'a, str> {
        if !text.contains("{base_url}") && !text.contains("{journey_url}") {
            return Cow::Borrowed(text);
        }
        let journey = self.journey_url.as_deref().unwrap_or(&self.base_url);
        // In one pass, so that an address with the other's name in it is taken as it is.
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
    fn addresses_are_filled_in_once_each() {
        let filled = facts("https://a.example", Some("https://{base_url}"))
            .fill("{base_url} {journey_url} {other} {")
            .into_owned();
        assert_eq!(filled, "https://a.example https://{base_url} {other} {");
    }

    #[test]
    fn the_journey_is_at_the_address_of_the_api_unless_it_has_its_own() {
        assert_eq!(facts("https://a.example", None).fill("{journey_url}/health"), "https://a.example/health");
    }
}
