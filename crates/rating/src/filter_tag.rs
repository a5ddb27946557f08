//! Filter tags: what customers may filter health plans by.

use domain::language::Text;

/// Something that customers may filter plans by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterTag {
    /// As variants name it.
    pub id: String,
    /// As customers see it.
    pub name: Text,
}
