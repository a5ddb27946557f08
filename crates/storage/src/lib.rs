//! The store: `service::storage::Storage` on its engines.
//!
//! Rows have the columns that are searched and one sealed body. A body holds facts, not answers: names, logos
//! and texts come from the catalogue version that it names.

pub mod keyring;
pub mod sqlite;

mod body;
mod seal;
mod whole;

pub use keyring::{Keyring, KeyringError};
pub use sqlite::{OpenError, Sqlite};
