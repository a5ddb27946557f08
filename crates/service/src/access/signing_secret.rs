//! Text form of the secrets that sign messages to partners (D96).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

const PREFIX: &str = "whsec_";

/// Text of a secret as partners receive it: `whsec_` and base64.
pub fn secret_text(secret: &[u8]) -> String {
    format!("{PREFIX}{}", STANDARD.encode(secret))
}

/// Bytes of a secret from its text, with or without `whsec_`. `None` if the base64 is invalid or empty.
pub fn secret_of(text: &str) -> Option<Vec<u8>> {
    let text = text.trim();
    STANDARD.decode(text.strip_prefix(PREFIX).unwrap_or(text)).ok().filter(|secret| !secret.is_empty())
}
