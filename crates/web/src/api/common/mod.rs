//! What the nouns share: rows of the contract, the document made of them, lists, people and premiums.

pub(crate) mod context;
pub(crate) mod endpoint;
pub(crate) mod example;
pub(crate) mod list;
pub(crate) mod openapi;
pub(crate) mod openapi_file;
pub(crate) mod people;
pub(crate) mod premium;
