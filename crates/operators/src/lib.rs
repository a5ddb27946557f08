//! The operators' API: one operator's action for each command that works on a store.
//!
//! An action (act) is a type that implements `Act`. `input!` declares its fields: they are the flags of its
//! command, the fields of its HTTP request, and its schema in the OpenAPI document. `answer!` declares its answer:
//! the JSON of the API, with a schema by which `print` prints it. The act declares which roles may use it.
//! `router` serves all actions: on the socket of the running process, or inside a command if no server runs.

mod act;
mod claim;
mod console;
mod export;
mod month;
mod partner;
mod person;
mod policy;
mod premium;
mod proposal;
mod quote;
mod serve;
mod statement;
mod store;
mod team;
mod today;

pub use act::{
    About, Action, Asking, Examine, Extent, FILE_NOTE, JudgeCatalogue, Method, Needs, Out, Role, Verify,
    request, small_request,
};
pub use axum::Router;
pub use axum::http::{HeaderValue, Request};

pub use act::arguments::read_or_say;
pub use act::finding::Finding;
pub use act::input::{Field, one_paragraph};
pub use act::print::{Printed, print, table};
pub use act::shown::Schemas;
pub use act::trail::{ActLine, Trail, head_line, is_id};
pub use console::console;
pub use quote::outcome_to_json;
pub use quote::price_steps::{steps_in_prose, steps_to_json};
pub use serve::acts::ACTIONS;
pub use serve::document::document;
pub use serve::interrupted::end_interrupted;
pub use serve::{RequestOrigin, SERVER, STORE, Serving, router, serve_connection};
pub use store::catalogue::fields_to_publish;
pub use store::fault_in_words;
pub use store::import::import_text;
pub use team::provider::ProviderSettings;
