//! A complete covernote in one process, used over HTTP, with a clock that tests move.
#![allow(
    dead_code,
    unreachable_pub,
    unused_imports,
    clippy::unwrap_used,
    reason = "each test binary uses its part of the support"
)]

pub mod answer;
pub mod app;
pub mod authenticator;
pub mod bodies;
pub mod certificate;
pub mod claims;
pub mod clock;
#[path = "../../../storage/tests/support/cluster.rs"]
pub mod cluster;
pub mod console;
pub mod customer;
pub mod demo;
pub mod developer;
pub mod engine;
pub mod events;
pub mod health;
pub mod insurer;
pub mod operator_answers;
pub mod page;
pub mod policies;
pub mod premium;
pub mod program;
pub mod provider;
pub mod receiver;
pub mod recorded;
#[path = "../../../storage/tests/support/relay.rs"]
pub mod relay;
pub mod statements;

pub use answer::Answer;
pub use app::{App, Partner, Setup};
pub use cluster::address;
pub use customer::Customer;
pub use engine::Engine;
