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
