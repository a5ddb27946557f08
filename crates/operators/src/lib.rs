//! The operators' API: one operator's action for each command that works on a store.
//!
//! An action (act) is a type that implements `Act`. `input!` declares its fields: they are the flags of its
//! command, the fields of its HTTP request, and its schema in the OpenAPI document. `answer!` declares its answer:
//! the JSON of the API, with a schema by which `print` prints it. The act declares which roles may use it.
//! `router` serves all actions: on the socket of the running process, or inside a command if no server runs.

mod about;
mod act;
mod acts;
mod address;
mod answer;
mod approval;
mod approval_shown;
mod arguments;
mod audit;
mod breach;
mod cancellation;
mod catalogue;
mod claim;
mod complaint;
mod console;
mod decide;
mod deposit;
mod document;
mod endorsement;
mod export;
mod facts;
mod fields;
mod finding;
mod hold;
mod idempotency;
mod import;
mod input;
mod interrupted;
mod key;
mod partner;
mod passkey;
mod person;
mod person_export;
mod policy;
mod premium;
mod price_steps;
mod print;
mod progress;
mod proposal;
mod provider;
mod quote;
mod record;
mod refund;
mod renewal;
mod retention;
mod server;
mod shown;
mod statement;
mod store;
mod team;
mod today;
mod trail;
mod webhook;

pub use act::{
    About, Action, Asking, Examine, Extent, JudgeCatalogue, Method, Needs, Out, Role, Verify, request,
    small_request,
};
pub use axum::Router;
pub use axum::http::{HeaderValue, Request};

pub use acts::ACTIONS;
pub use arguments::read_or_say;
pub use catalogue::fields_to_publish;
pub use console::console;
pub use document::document;
pub use finding::Finding;
pub use import::import_text;
pub use input::{Field, one_paragraph};
pub use interrupted::end_interrupted;
pub use price_steps::{steps_in_prose, steps_to_json};
pub use print::{Printed, print, table};
pub use provider::ProviderSettings;
pub use quote::outcome_to_json;
pub use server::{Caller, SERVER, STORE, Serving, router, serve_connection};
pub use shown::Schemas;
pub use store::fault_in_words;
pub use trail::{ActLine, Trail, head_line, is_id};
