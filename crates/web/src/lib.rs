//! The contract over HTTP: `api/` answers programs in JSON, `page` answers people.
//!
//! This is the one crate that knows status codes and error codes. It knows no storage and no insurer.

pub mod api;
pub mod error;
pub mod import;
pub mod journey;
pub mod server;

mod answer;
mod app;
mod body;
mod caller;
mod deprecation;
mod layers;
mod measures;
mod number;
mod once;
mod page;
mod path;
mod places;
mod query;
mod reader;
mod shape;
mod template;

pub use api::router;
pub use app::{App, Limits};
pub use journey::JourneySite;
