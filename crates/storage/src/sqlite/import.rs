//! Imports: all records of a file in one transaction.

use service::storage::{ImportEnd, Records, StorageError};

use super::writer::Act;

/// Keeps records one after another, and undoes it all where one is taken.
pub(super) fn all<T>(
    records: Records<T>,
    mut keep: impl FnMut(T) -> Result<bool, StorageError>,
) -> Result<Act<ImportEnd>, StorageError> {
    let (mut kept, mut taken) = (0, Vec::new());
    for (position, record) in (0..).zip(records) {
        if keep(record?)? {
            kept += 1;
        } else {
            taken.push(position);
        }
    }
    Ok(if taken.is_empty() { Act::Keep(ImportEnd::Kept(kept)) } else { Act::Undo(ImportEnd::Taken(taken)) })
}
