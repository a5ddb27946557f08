//! Imports: all records of a file, or none of them.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use domain::id::PartnerId;
use service::storage::{ImportEnd, StorageError};

use super::counted::{Count, count};
use crate::act::{Act, Statement, Stop};
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

    /// Adds what goes with it.
    fn goes_with(&self, piece: &mut Piece<'_>);
}

/// The records that are sent together, as they are added.
pub(crate) struct Piece<'a> {
    pub(crate) to: &'a mut (dyn Act + 'a),
    /// What is counted, once for all.
    counts: BTreeMap<PartnerId, Vec<Count>>,
}

impl Piece<'_> {
    /// Counts a record.
    pub(crate) fn count(&mut self, of: PartnerId, count: Count) {
        self.counts.entry(of).or_default().push(count);
    }
}

/// The records, until they are taken.
type Records<R> = Mutex<Option<Box<dyn Iterator<Item = Result<R, StorageError>> + Send>>>;

async fn import<R: Imported>(to: &mut dyn Act, records: &Records<R>) -> Result<ImportEnd, Stop> {
    let records = records.lock().unwrap_or_else(PoisonError::into_inner).take();
    // An import that another transaction was in the way of is not begun anew: its records are gone.
    let Some(mut records) = records else {
        return Err(StorageError::Away("the import was disturbed: import the file again".into()).into());
    };
    let (mut position, mut taken) = (0, Vec::new());
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
            let mut given = Piece { to: &mut *to, counts: BTreeMap::new() };
            piece.iter().for_each(|record| record.goes_with(&mut given));
            for (of, counts) in given.counts {
                count(given.to, of, &counts);
            }
        }
    }
    if taken.is_empty() {
        return Ok(ImportEnd::Kept(position));
    }
    to.undo();
    Ok(ImportEnd::Taken(taken))
}

impl Store {
    /// Keeps records, all or none.
    pub(super) async fn import<R: Imported>(
        &self,
        records: Box<dyn Iterator<Item = Result<R, StorageError>> + Send>,
    ) -> Result<ImportEnd, StorageError> {
        let given = Mutex::new(Some(records));
        let imported = self.act_patiently(PATIENCE, given, |records, to| Box::pin(import::<R>(to, records)));
        Ok(imported.await?)
    }
}
