//! Methods of pricing with rate tables.

pub(crate) mod credit_life;
pub(crate) mod health;
