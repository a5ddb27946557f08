//! Shared parts of the API's modules: endpoint declarations, the OpenAPI document, lists, people, premiums.

pub(crate) mod context;
pub(crate) mod endpoint;
pub(crate) mod example;
pub(crate) mod list;
pub(crate) mod openapi;
pub(crate) mod people;
pub(crate) mod policy_fields;
pub(crate) mod premium;
