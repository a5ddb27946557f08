//! The result of a check of the installation.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "state", content = "text", rename_all = "lowercase")]
pub enum Finding {
    /// What was checked works: there is nothing to do.
    Good(String),
    /// What was checked works, but an operator should look at it.
    Doubtful(String),
    /// What was checked does not work.
    Bad(String),
}

impl Finding {
    /// The state as a word, and the finding in words.
    pub(crate) fn parts(self) -> (&'static str, String) {
        match self {
            Finding::Good(text) => ("good", text),
            Finding::Doubtful(text) => ("doubtful", text),
            Finding::Bad(text) => ("bad", text),
        }
    }
}
