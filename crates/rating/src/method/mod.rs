//! Methods: how the premium of a line of business is found in rate tables.

pub(crate) mod credit_life;
pub(crate) mod health;
