//! Insurers reached over HTTP: the [`service::insurer::Insurer`] trait over the protocol that `docs/insurers.md` describes.
//!
//! One insurer's failure never affects another. Every call has a deadline, a concurrency limit and a limit on the size
//! of the answer. A wrong answer is that insurer's failure. A circuit breaker stops calls to an insurer that fails too
//! often.
//!
//! [`mock::Mock`] serves the same protocol from a catalogue, for tests and as the reference for an insurer's engineers.
//! [`check::check`] reports to them what their own server does wrong.

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
