//! The store: `ports::storage::Storage` on SQLite or PostgreSQL.
//!
//! A row has columns that are searched, and usually one sealed (encrypted) body. A body contains facts.
//! Names, logos and texts come from the catalogue version that the body names.

pub mod keyring;
pub mod postgres;
pub mod sqlite;

mod atomic_file;
mod audit;
mod audit_key;
mod body;
mod codes;
mod counted_event;
mod engine;
mod fields;
mod migrations;
mod opening;
mod operation;
mod ownership;
mod records;
mod seal;
mod sealing_key;
pub mod snapshot;
mod store;
pub mod verify;

pub use atomic_file::AtomicFile;
pub use keyring::{Keyring, KeyringError, KeyringSource};
pub use opening::Opening;
pub use ownership::{give_folder, open_or_create};
pub use postgres::Postgres;
pub use sqlite::Sqlite;
pub use store::Store;

use ports::storage::StorageError;
use thiserror::Error;

/// Why a store could not be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    #[error(transparent)]
    Keyring(#[from] KeyringError),
    #[error(transparent)]
    Store(#[from] StorageError),
    /// The database, or its settings, cannot be used for a store.
    #[error("{0}")]
    Unfit(String),
    /// A store was expected, but there is none.
    #[error("{0}")]
    Missing(String),
    /// The store is not the expected one.
    #[error("{0}")]
    Another(String),
}
