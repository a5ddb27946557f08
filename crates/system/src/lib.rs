//! Clock, randomness and log of the process.
//!
//! They are in a separate crate because every request uses them: this crate is optimised for speed, and the
//! program's own crate for short build times.

pub mod logs;

mod clock;
mod random;

pub use clock::SystemClock;
pub use random::OsRandom;
