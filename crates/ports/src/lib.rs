//! The ports of the service: the traits by which its use cases reach the store, the clock and randomness, who acts, and in which
//! trace. An engine of the store needs this crate and no use case.

pub mod acting;
pub mod clock;
pub mod keys;
pub mod storage;
pub mod traces;
