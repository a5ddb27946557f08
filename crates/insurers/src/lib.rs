//! Insurers reached over HTTP: the [`service::insurer::Insurer`] trait over the protocol that `docs/insurers.md` tells.
//!
//! Whatever such an insurer does, it fails alone: every call has a deadline, a place among few, and a bound of size; a
//! wrong answer is that insurer's failure, and one that fails too often is left alone for a while.
//!
//! [`mock::Mock`] serves the same protocol from a catalogue, for tests and as the reference for an
//! insurer's engineers; [`check::check`] tells them what their own server does wrong.

pub mod check;
pub mod mock;

mod breaker;
mod connection;
mod connectors;
mod exchange;
mod link;
mod protocol;
mod secret;
mod signature;
mod tuning;

pub use connectors::HttpConnectors;
pub use secret::SecretFile;
pub use tuning::Tuning;
