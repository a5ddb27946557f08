//! Faults of an answer.

use std::fmt;

use serde::de::DeserializeOwned;

use super::object::Object;

/// The fault of an answer. Its `Display` can be logged: it has positions and our own names, never the answer's text.
#[derive(Debug)]
pub(crate) enum WrongAnswer {
    /// The answer is not JSON, or does not have the protocol's shape.
    Shape(serde_json::Error),
    /// The answer does not have exactly one price for each requested variant.
    Variants(String),
    /// An amount, a number or a word is not one of the protocol.
    Content(String),
}

impl WrongAnswer {
    /// The full text, for the engineer of the server that answered.
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

/// Parses an answer's JSON, which is an object.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, WrongAnswer> {
    let Object(answer) = serde_json::from_slice(body).map_err(WrongAnswer::Shape)?;
    Ok(answer)
}
