//! The API and the hosted pages over HTTP: JSON in `api`, pages in `page` and `journey`.
//!
//! Only this crate has status codes and error codes. It does not depend on a store or on the connections to
//! insurers.

pub mod api;
pub mod audit;
pub mod error;
pub mod event;
pub mod event_document;
pub mod import;
pub mod journey;
mod journey_limit;
mod journey_site;
pub mod server;
pub mod sight;

mod admission;
mod app;
mod arrivals;
mod auditing;
mod body;
mod caller;
mod context;
mod contract;
mod counts;
mod deadline;
mod deprecation;
mod developer_site;
mod fictional_gateway;
mod forms;
mod host;
mod idempotency;
mod layers;
mod marker;
mod metrics;
mod number;
mod openapi_file;
mod page;
mod parts;
mod path;
mod peer;
mod query;
mod rate_limit;
mod reader;
mod response;
mod shape;
mod site_facts;
mod template;
mod template_cache;
mod wording;

pub use api::{read_endorsement, router};
pub use app::{App, Limits};
pub use fictional_gateway::FictionalGateway;
pub use forms::Forms;
pub use host::one_host;
pub use idempotency::idempotency_key;
pub use journey_site::JourneySite;
pub use peer::{Peer, TrustedProxies};

/// Reading of a JSON object's fields: all faults at once, each with its path.
pub mod reading {
    pub use crate::reader::{FieldLocation, Fields, Shape, read_object};
    pub use crate::shape::{IdText, text};
}
