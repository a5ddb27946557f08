//! The text of the secrets that sign messages to partners (D96).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// What the text of a secret begins with.
const PREFIX: &str = "whsec_";

/// A secret as partners are given it: `whsec_` and base64.
pub fn secret_text(secret: &[u8]) -> String {
    format!("{PREFIX}{}", STANDARD.encode(secret))
}

/// The bytes of a secret from its text, with or without its prefix. `None` for text that is none.
pub fn secret_of(text: &str) -> Option<Vec<u8>> {
    let text = text.trim();
    STANDARD.decode(text.strip_prefix(PREFIX).unwrap_or(text)).ok().filter(|secret| !secret.is_empty())
}
