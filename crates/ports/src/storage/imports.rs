//! Records that an operator brings along, all of a file or nothing.

use super::Result;

/// Records that are brought along, one after another. A fault among them undoes the whole import.
pub type Records<T> = Box<dyn Iterator<Item = Result<T>> + Send>;

/// How an import ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ImportEnd {
    /// All records are kept: so many.
    Kept(u64),
    /// Nothing was kept: these records, by their position from 0, have an id or number that is taken.
    Taken(Vec<u64>),
}
