//! Reasons of moves: personal text, sealed.

use domain::person::PersonalLine;
use service::storage::StorageError;

use crate::seal::Seal;

pub(crate) fn seal_reason(
    seal: &Seal,
    column: &str,
    row: &[u8],
    reason: Option<&PersonalLine>,
) -> Result<Option<Vec<u8>>, StorageError> {
    reason.map(|reason| seal.seal(column, row, reason.reveal().as_bytes())).transpose()
}

pub(crate) fn open_reason(
    seal: &Seal,
    column: &str,
    row: &[u8],
    sealed: Option<Vec<u8>>,
) -> Result<Option<PersonalLine>, StorageError> {
    let Some(sealed) = sealed else { return Ok(None) };
    let plain = seal.open(column, row, &sealed)?;
    let text = String::from_utf8(plain).map_err(|_| StorageError::Damaged("a reason is no text".into()))?;
    Ok(Some(PersonalLine::kept(text)))
}
