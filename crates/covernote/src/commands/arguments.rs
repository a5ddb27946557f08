//! Values of flags, read as the contract has them.

use domain::text::FromText;

/// A value of a flag, which is `what`, or what is wrong with it.
pub(super) fn read_or_say<T: FromText>(what: &str, text: &str) -> Result<T, String> {
    let wanted = T::WANTED.trim_end_matches(',');
    T::from_text(text.trim()).map_err(|_| format!("{what}: must be {wanted}"))
}
