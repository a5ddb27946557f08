//! Our side of the insurers' protocol, tested against the mock insurer, also against defective servers.

mod authentication;
mod bounds;
mod checking;
mod document;
mod faults;
mod health;
mod health_proposals;
mod notices;
mod prices;
mod proposals;
mod support;
mod validation;
