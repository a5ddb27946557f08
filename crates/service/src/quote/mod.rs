//! Quotes of every line of business, with explanations of their prices.
//!
//! Uses `catalogue`, `error`, `insurer`, `line`, `list`, `partner`, `shared`.
//!

pub mod embedded;
pub mod explanation;
pub mod health;
pub mod health_explanation;
pub(crate) mod recommendation;

mod metrics;
