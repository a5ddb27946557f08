//! Tests our side of the insurers' protocol, against the mock insurer or defective servers.

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
