//! Delivers events to partners' servers as webhooks (Standard Webhooks 1.0).
//!
//! Partners choose the URLs, so every address is checked when a connection is made. A webhook
//! reaches no server inside the operator's network, unless the operator allows it (D96).

mod addresses;
mod carrier;
mod resolver;
pub mod signature;

pub use addresses::{AddressRules, Refused};
pub use carrier::HttpCarrier;
