//! Insurers that are reached over HTTP. This crate implements the [`service::insurer::Insurer`] trait with
//! the protocol in `docs/insurers.md`.
//!
//! One insurer's failure never affects another insurer. Every call has a deadline, a concurrency limit, and a
//! size limit for the answer. A wrong answer counts as a failure. A circuit breaker stops calls to an insurer
//! that fails too often.
//!
//! [`mock::Mock`] serves the same protocol from a catalogue, for tests and as a reference for an insurer's
//! engineers. [`check::check`] tells these engineers what their own server does wrong.

pub mod check;
pub mod mock;

mod circuit_breaker;
mod client;
mod connectors;
mod guarded_client;
mod http_insurer;
mod protocol;
mod secret;
mod signature;
mod tuning;

pub use connectors::HttpConnectors;
pub use secret::SecretFile;
pub use tuning::Tuning;
