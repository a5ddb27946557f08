//! What the process takes from its machine: clock, randomness, log lines. A crate of its own, since every request passes
//! here, while the program around it is compiled for a short build.

pub mod logs;

mod clock;
mod random;

pub use clock::SystemClock;
pub use random::OsRandom;
