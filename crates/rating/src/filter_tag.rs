//! Filter tags of health plans.

use domain::language::Text;

/// Property of health plans by which customers can filter them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterTag {
    /// Id by which variants refer to the tag.
    pub id: String,
    /// Name that customers see.
    pub name: Text,
}
