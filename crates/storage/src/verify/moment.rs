//! A store at one moment, whichever engine holds it.

use ports::storage::Result;

use crate::fields::{Fields, Value};

/// What is done with a row.
pub(crate) type EachRow<'a> = &'a mut dyn FnMut(Fields<'_>) -> Result<()>;

/// A store whose rows do not change while they are read. Statements are the same for every engine.
pub(crate) trait Moment {
    /// Gives each row of a statement, a few at a time, however many there are.
    fn each(&self, statement: &str, row: EachRow<'_>) -> Result<()>;

    /// Gives the few rows of a statement with values. It may be asked within [`Moment::each`].
    fn find(&self, statement: &str, values: &[Value<'_>], row: EachRow<'_>) -> Result<()>;
}
