//! Illnesses: the pre-existing diseases that a catalogue knows.

use domain::language::Text;

/// A pre-existing disease that the catalogue knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Illness {
    /// Its id, by which products and requests name it.
    pub id: String,
    /// Its name for customers.
    pub name: Text,
}
