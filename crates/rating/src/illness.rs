//! Pre-existing diseases of a catalogue.

use domain::language::Text;

/// Pre-existing disease that the catalogue lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Illness {
    /// Id by which products and requests name the illness.
    pub id: String,
    /// Name that customers see.
    pub name: Text,
}
