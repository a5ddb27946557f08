//! HTTP for commands on a developer's machine. Whoever runs the command names the servers, so every address is dialled, unlike in
//! `webhooks`. Whole messages alone: no streams.

mod client;
mod message;
mod server;

pub use client::Client;
pub use message::{Request, Response};
pub use server::{Received, Reply, serve};
