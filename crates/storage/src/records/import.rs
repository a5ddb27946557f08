//! Imports: all records of a file, or none of them.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ports::storage::{ImportEnd, Result, StorageError};

use super::counted::Counts;
use crate::act::{Act, Statement, Stop};
use crate::audit::on;
use crate::fields::Value;
use crate::store::Store;

/// Number of records that are sent to the database at once.
const PIECE: usize = 1000;

/// Longest time to write the records that are sent to the database at once.
const PATIENCE: Duration = Duration::from_secs(60);

/// Record that can be imported.
pub(crate) trait Imported: Send + Sync + 'static {
    /// Statement that adds the record, unless it already exists.
    const ADD: Statement<'static>;

    /// Values of [`Imported::ADD`].
    fn values(&self) -> Vec<Value<'_>>;

    /// Writes the rows that belong to the record, such as its tags, and adds the record to `counts`.
    fn goes_with(&self, to: &mut dyn Act, counts: &mut Counts);
}

/// Records to import. `None` once the operation has taken them.
type Records<R> = Mutex<Option<Box<dyn Iterator<Item = Result<R>> + Send>>>;

async fn import<R: Imported>(to: &mut dyn Act, records: &Records<R>) -> Result<ImportEnd, Stop> {
    let records = records.lock().unwrap_or_else(PoisonError::into_inner).take();
    // An import that conflicted with another transaction is not repeated, because its records are used up.
    let Some(mut records) = records else {
        return Err(StorageError::Away("the import was interrupted: import the file again".into()).into());
    };
    let (mut position, mut taken, mut counts) = (0, Vec::new(), Counts::default());
    loop {
        let piece: Vec<R> = records.by_ref().take(PIECE).collect::<Result<_, _>>()?;
        if piece.is_empty() {
            break;
        }
        let sets: Vec<_> = piece.iter().map(R::values).collect();
        for added in to.change_each(R::ADD, &sets).await? {
            if added == 0 {
                taken.push(position);
            }
            position += 1;
        }
        // If a record already exists, the whole import is undone, so nothing more is written.
        if taken.is_empty() {
            piece.iter().for_each(|record| record.goes_with(to, &mut counts));
        }
    }
    if taken.is_empty() {
        counts.write(to);
        return Ok(ImportEnd::Kept(position));
    }
    to.undo();
    Ok(ImportEnd::Taken(taken))
}

impl Store {
    /// Imports all records, or none if one of them already exists.
    pub(super) async fn import<R: Imported>(
        &self,
        records: Box<dyn Iterator<Item = Result<R>> + Send>,
    ) -> Result<ImportEnd> {
        let given = Mutex::new(Some(records));
        let imported = self.act_patiently(PATIENCE, on("import", "records"), given, |records, to| {
            Box::pin(import::<R>(to, records))
        });
        Ok(imported.await?)
    }
}
