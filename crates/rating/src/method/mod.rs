//! Methods of pricing by rate tables.

pub(crate) mod credit_life;
pub(crate) mod health;
