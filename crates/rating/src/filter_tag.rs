//! Filter tags, by which customers filter health plans.

use domain::language::Text;

/// A property of plans that customers filter by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterTag {
    /// Its id, by which variants name it.
    pub id: String,
    /// Its name for customers.
    pub name: Text,
}
