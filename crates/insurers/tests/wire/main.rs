//! Insurers over the wire: our side of the protocol against the mock insurer, and against worse servers.

mod authentication;
mod bounds;
mod checking;
mod document;
mod faults;
mod health;
mod health_proposals;
mod judging;
mod prices;
mod proposals;
mod support;
