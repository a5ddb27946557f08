//! Fuzzed requests to the whole service over HTTP: every answer must be one of the contract.

#[path = "../api/lists.rs"]
#[allow(dead_code, reason = "the tests of lists use all of it")]
mod lists;
#[path = "../support/mod.rs"]
mod support;

mod forgeries;
mod queries;
mod request_bodies;

use support::Answer;

/// The contract's error codes for requests, each with its status.
const REFUSALS: [(u16, &str); 12] = [
    (400, "V4000"),
    (400, "S4000"),
    (401, "A4001"),
    (403, "A4030"),
    (404, "R4040"),
    (405, "R4050"),
    (409, "S4090"),
    (410, "R4100"),
    (413, "V4130"),
    (415, "V4150"),
    (422, "V4220"),
    (429, "A4290"),
];

/// Checks that an answer is never a 500, and that every refusal is the contract's error object (D10).
fn is_of_the_contract(answer: &Answer) {
    assert!(answer.status < 500, "{}: {}", answer.status, answer.text);
    if answer.status < 400 {
        return;
    }
    assert_eq!(answer.header("content-type"), Some("application/json"), "{}", answer.text);
    let object = answer.json();
    let code = object["type"].as_str().unwrap_or_else(|| panic!("no code: {}", answer.text));
    assert!(REFUSALS.contains(&(answer.status, code)), "{code} with {}", answer.status);
    answer.is_refused(answer.status, code);
}

/// Bytes as part of a URL, as long as the client sends it: the client would escape an apostrophe itself. Other
/// characters are escaped; existing escapes stay.
fn in_address(bytes: &[u8]) -> String {
    let stays = |byte: &u8| byte.is_ascii_alphanumeric() || b"-._~!$&()*+,;=:@/?%".contains(byte);
    let shown = |byte: &u8| if stays(byte) { char::from(*byte).to_string() } else { format!("%{byte:02X}") };
    bytes.iter().map(shown).collect()
}
