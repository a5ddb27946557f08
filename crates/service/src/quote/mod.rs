//! Quotes of every line, and why a price is what it is.
//!
//! Uses `access`, `catalogue`, `clock`, `error`, `event`, `insurer`, `job_signal`, `list`, `partner`, `storage`.

pub mod embedded;
pub mod explanation;
pub mod health;
pub mod health_explanation;
pub(crate) mod recommendation;
