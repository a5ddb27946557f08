//! Facts about this program and installation for the developer site.

use docsite::{ErrorCode, Facts, Site};

use crate::error::CODES;

/// All error codes, for the list on the developer site.
static ERRORS: [ErrorCode; CODES.len()] = {
    let mut codes = [ErrorCode { code: "", status: 0, title: "" }; CODES.len()];
    let mut at = 0;
    while at < CODES.len() {
        let code = CODES[at];
        codes[at] = ErrorCode { code: code.word(), status: code.number(), title: code.title() };
        at += 1;
    }
    codes
};

/// Facts about an installation, for its developer site.
pub(crate) fn site(base_url: &str, journey_url: Option<&str>) -> Site {
    Site::new(Facts {
        base_url: base_url.to_owned(),
        journey_url: journey_url.map(str::to_owned),
        version: env!("CARGO_PKG_VERSION"),
        codes: &ERRORS,
        changelog: include_str!("../../../CHANGELOG.md"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_code_has_a_page_and_every_error_page_has_a_code() {
        let unmatched = docsite::unmatched(&ERRORS);
        assert!(unmatched.codes.is_empty() && unmatched.pages.is_empty(), "{unmatched:?}");
    }
}
