//! What strangers, customers and partners may try against the built program, a file for each way. SECURITY.md names
//! them.
#![allow(missing_docs, unreachable_pub, dead_code, reason = "a test binary")]

#[path = "../support/bodies.rs"]
mod bodies;
#[path = "../support/program.rs"]
mod program;

mod victim;
mod wire;

mod early_refusals;
mod foreign_hosts;
mod kept_connections;
mod proxies;
mod tls;
mod unfinished_requests;
mod unread_responses;
