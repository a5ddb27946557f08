//! Ports: traits between the use cases and their environment.
//!
//! The traits give access to the store, the clock, randomness, the acting identity and the trace. A storage
//! engine needs only this crate, not the use cases.

pub mod acting;
pub mod clock;
pub mod keys;
pub mod storage;
pub mod traces;
