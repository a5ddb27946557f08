//! Encrypted reasons of moves (status changes). Every move has a reason, even if its text is empty, because
//! the encryption shows whether the columns in the row were changed without the keyring.

use domain::person::PersonalLine;
use ports::storage::{Result, StorageError};

use super::bound::Bound;
use crate::seal::Seal;

pub(crate) fn seal_reason(
    seal: &Seal,
    column: &str,
    bound: Bound,
    reason: Option<&PersonalLine>,
) -> Result<Option<Vec<u8>>> {
    let plain = reason.map(PersonalLine::reveal).unwrap_or_default();
    seal.seal(column, bound.as_ref(), plain.as_bytes()).map(Some)
}

pub(crate) fn open_reason(
    seal: &Seal,
    column: &str,
    bound: Bound,
    sealed: Option<&[u8]>,
) -> Result<Option<PersonalLine>> {
    let sealed = sealed
        .ok_or_else(|| StorageError::Damaged("the encrypted reason of a status change is missing".into()))?;
    let plain = seal.open(column, bound.as_ref(), sealed)?;
    let text = String::from_utf8(plain)
        .map_err(|_| StorageError::Damaged("the reason of a status change is not UTF-8".into()))?;
    Ok((!text.is_empty()).then(|| PersonalLine::kept(text)))
}
