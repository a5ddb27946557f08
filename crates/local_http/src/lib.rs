//! HTTP client and server for commands on a developer's machine.
//!
//! The user names the servers, so every address is allowed, unlike in `webhooks`. Messages are sent and
//! received as a whole, not as streams.

mod client;
mod message;
mod server;

pub use client::Client;
pub use message::{Request, Response};
pub use server::{Received, Reply, serve};
