//! Illnesses: the pre-existing diseases that a catalogue knows.

use domain::language::Text;

/// A pre-existing disease that the catalogue knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Illness {
    /// As products and requests name it.
    pub id: String,
    /// As customers see it.
    pub name: Text,
}
