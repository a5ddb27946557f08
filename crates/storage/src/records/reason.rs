//! Reasons of moves: personal text, sealed. There is always one, perhaps empty, since it binds the columns beside it.

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
    let sealed = sealed.ok_or_else(|| StorageError::Damaged("the seal of a state is gone".into()))?;
    let plain = seal.open(column, bound.as_ref(), sealed)?;
    let text = String::from_utf8(plain).map_err(|_| StorageError::Damaged("a reason is no text".into()))?;
    Ok((!text.is_empty()).then(|| PersonalLine::kept(text)))
}
