//! Attacks by strangers, customers and partners on the built program, one file for each kind. SECURITY.md
//! lists them.
#![allow(unreachable_pub, dead_code, reason = "a test binary")]

#[path = "../../../storage/tests/support/address.rs"]
mod address;
#[path = "../support/bodies.rs"]
mod bodies;
#[path = "../support/program.rs"]
mod program;

mod frames;
mod http2;
mod victim;
mod wire;

mod early_refusals;
mod endless_headers;
mod foreign_hosts;
mod kept_connections;
mod many_streams;
mod proxies;
mod rapid_resets;
mod tls;
mod unfinished_requests;
mod unread_responses;
