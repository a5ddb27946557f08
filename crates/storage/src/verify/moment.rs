//! Reads a store as it was at one moment, on either engine.

use ports::storage::Result;

use crate::fields::{RowFields, Value};

/// Callback that receives each row of a result.
pub(crate) type EachRow<'a> = &'a mut dyn FnMut(RowFields<'_>) -> Result<()>;

/// Store whose rows do not change while they are read. The statements are the same on both engines.
pub(crate) trait Moment {
    /// Gives each row of a statement to `row`. Fetches only a few rows at a time, so the statement may return
    /// many rows.
    fn each(&self, statement: &str, row: EachRow<'_>) -> Result<()>;

    /// Gives each row of a statement with values to `row`. The statement should return few rows. May be
    /// called within [`Moment::each`].
    fn find(&self, statement: &str, values: &[Value<'_>], row: EachRow<'_>) -> Result<()>;
}
