//! The result of a check of the installation.

use serde::{Deserialize, Serialize};

/// The result of one check.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "state", content = "text", rename_all = "lowercase")]
pub enum Finding {
    /// Nothing to do.
    Good(String),
    /// It works, but an operator should check it.
    Doubtful(String),
    /// It does not work.
    Bad(String),
}
