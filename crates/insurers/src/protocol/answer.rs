//! What can be wrong with an insurer's answer.

use std::fmt;

use serde::de::DeserializeOwned;

use super::object::Object;

/// What is wrong with an insurer's answer. `Display` can be logged: it prints positions and names of this
/// program, never text from the answer.
#[derive(Debug)]
pub(crate) enum WrongAnswer {
    /// The answer is not JSON, or not in the protocol's format.
    Shape(serde_json::Error),
    /// The answer does not have exactly one price for each requested variant.
    Variants(String),
    /// An amount, number or word is not valid in the protocol.
    Content(String),
}

impl WrongAnswer {
    /// Text with all details, for the engineer of the server that answered. It may repeat text from the
    /// answer.
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
                let what = if fault.is_data() { "not in the protocol's format" } else { "not JSON" };
                write!(to, "the answer is {what} (line {}, column {})", fault.line(), fault.column())
            }
            WrongAnswer::Variants(text) | WrongAnswer::Content(text) => to.write_str(text),
        }
    }
}

/// Parses the JSON of an answer, which must be an object.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, WrongAnswer> {
    let Object(answer) = serde_json::from_slice(body).map_err(WrongAnswer::Shape)?;
    Ok(answer)
}
