//! Parsing of field values, by the rules of the contract.

use domain::id::{Id, Kind, prefix};
use domain::text::FromText;
use service::{Error, Faults};
use web::error::{Code, Problem};

use crate::act::Result;

/// Error for invalid input (V4000). `detail` is a sentence that says what is wrong.
pub(crate) fn bad(detail: impl Into<String>) -> Problem {
    Problem::new(Code::V4000, detail)
}

/// Error for an uploaded file that cannot be read.
pub(crate) fn unread(cause: std::io::Error) -> Problem {
    Problem::unexpected(format!("the uploaded file cannot be read: {cause}"))
}

/// Error for one invalid field (V4000).
pub(crate) fn fault(field: &str, message: impl Into<String>) -> Problem {
    Error::Invalid(Faults::one(field, message)).into()
}

/// Parses the id of `what`, such as "a policy".
pub(crate) fn read_id<K: Kind>(what: &str, text: &str) -> Result<Id<K>> {
    let wrong = || format!("{text} is not the id of {what}: must be {}_ and 26 characters", prefix::<K>());
    text.parse().map_err(|_| bad(wrong()))
}

/// Parses `text`, the value of the field `what`.
pub(crate) fn read<T: FromText>(what: &str, text: &str) -> Result<T> {
    read_or_say(what, text).map_err(bad)
}

/// Parses `text`, the value of the field `what`.
///
/// # Errors
/// If the value is invalid: a sentence that says what it must be.
pub fn read_or_say<T: FromText>(what: &str, text: &str) -> Result<T, String> {
    let wanted = T::WANTED;
    T::from_text(text.trim()).map_err(|_| format!("{what}: must be {wanted}"))
}
