//! What is wrong with an answer that arrived.

use std::fmt;

use serde::de::DeserializeOwned;

/// What is wrong with an answer. Its `Display` is fit for a log: it tells places and names of ours, never what the
/// answer said.
#[derive(Debug)]
pub(crate) enum WrongAnswer {
    /// It is no JSON, or not of the protocol's shape.
    Shape(serde_json::Error),
    /// It does not have one price for each variant asked.
    Variants(String),
    /// An amount, a number or a word in it is not as the protocol has it.
    Content(String),
}

impl WrongAnswer {
    /// In full, for the engineer whose own server said it.
    pub(crate) fn in_full(&self) -> String {
        match self {
            WrongAnswer::Shape(fault) => format!("{self}: {fault}"),
            WrongAnswer::Variants(_) | WrongAnswer::Content(_) => self.to_string(),
        }
    }
}

impl fmt::Display for WrongAnswer {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrongAnswer::Shape(fault) => {
                let what = if fault.is_data() { "not of the protocol's shape" } else { "not JSON" };
                write!(to, "the answer is {what} (line {}, column {})", fault.line(), fault.column())
            }
            WrongAnswer::Variants(text) | WrongAnswer::Content(text) => to.write_str(text),
        }
    }
}

/// Reads an answer's JSON.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, WrongAnswer> {
    serde_json::from_slice(body).map_err(WrongAnswer::Shape)
}
