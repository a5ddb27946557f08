//! The store: `ports::storage::Storage` on its engines.
//!
//! Rows have the columns that are searched and one sealed body. A body holds facts, not answers: names, logos
//! and texts come from the catalogue version that it names.

pub mod keyring;
pub mod postgres;
pub mod sqlite;

mod act;
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
mod records;
mod seal;
mod sealing_key;
pub mod snapshot;
mod store;
pub mod verify;

pub use atomic_file::AtomicFile;
pub use keyring::{Keyring, KeyringError, KeyringSource};
pub use opening::Opening;
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
    /// What was said about the database, or the database, is not fit for a store.
    #[error("{0}")]
    Unfit(String),
    /// A store is expected, and none is there.
    #[error("{0}")]
    Missing(String),
    /// It is another store than the one that is expected.
    #[error("{0}")]
    Another(String),
}
