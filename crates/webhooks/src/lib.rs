//! Events carried to partners' servers (Standard Webhooks 1.0). The addresses of these servers are named by strangers, so every
//! address is judged where it is dialled: nothing inside of the operator's network is reached through here (D96).

mod addresses;
mod carrier;
mod resolver;
pub mod signature;

pub use addresses::{AddressRules, Refused};
pub use carrier::HttpCarrier;
