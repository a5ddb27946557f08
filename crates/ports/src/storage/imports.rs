//! Import of an operator's records. An import stores all records of a file, or none.

use async_trait::async_trait;

use super::Result;

/// Records to import, read one by one. A faulty record undoes the whole import.
pub type Records<T> = Box<dyn Iterator<Item = Result<T>> + Send>;

/// Result of an import.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportEnd {
    /// All records were stored. Number of the records.
    Kept(u64),
    /// Nothing was stored. These records, by position from 0, have an id or number that exists already.
    Taken(Vec<u64>),
}

#[async_trait]
pub trait Imports: Send + Sync {
    /// Removes the records of imports that stopped before their end, for example because their process was killed.
    async fn end_dead_imports(&self) -> Result<()>;
}
