//! Quotes of every line, and why a price is what it is.
//!
//! Uses `catalogue`, `error`, `insurer`, `line`, `list`, `partner`, `shared`.
//!

pub mod embedded;
pub mod explanation;
pub mod health;
pub mod health_explanation;
pub(crate) mod recommendation;

mod metrics;
