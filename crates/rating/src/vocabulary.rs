//! The catalogue's own words of health: the filter tags and the illnesses that variants and requests name.

use domain::language::Text;

/// Something that customers may filter plans by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterTag {
    /// As variants name it.
    pub id: String,
    /// As customers see it.
    pub name: Text,
}

/// A pre-existing disease that the catalogue knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Illness {
    /// As products and requests name it.
    pub id: String,
    /// As customers see it.
    pub name: Text,
}
