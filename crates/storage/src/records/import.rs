//! Imports: all records of a file, or none of them.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ports::storage::{ImportEnd, Result, StorageError};

use super::counted::Counts;
use crate::act::{Act, Statement, Stop};
use crate::audit::on;
use crate::fields::Value;
use crate::store::Store;

/// Records that are sent together.
const PIECE: usize = 1000;

/// Longest that they may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A record of an import.
pub(crate) trait Imported: Send + Sync + 'static {
    /// Adds it, unless there is such a record already.
    const ADD: Statement<'static>;

    /// The values of that statement.
    fn values(&self) -> Vec<Value<'_>>;

    /// Adds what goes with it, and notes what is counted.
    fn goes_with(&self, to: &mut dyn Act, counts: &mut Counts);
}

/// The records, until they are taken.
type Records<R> = Mutex<Option<Box<dyn Iterator<Item = Result<R>> + Send>>>;

async fn import<R: Imported>(to: &mut dyn Act, records: &Records<R>) -> Result<ImportEnd, Stop> {
    let records = records.lock().unwrap_or_else(PoisonError::into_inner).take();
    // An import that another transaction was in the way of is not begun anew: its records are gone.
    let Some(mut records) = records else {
        return Err(StorageError::Away("the import was disturbed: import the file again".into()).into());
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
        // If a record is taken, everything is undone.
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
    /// Keeps records, all or none.
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
