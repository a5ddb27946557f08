//! Proofs: encrypted columns that are bound to the other columns of their row, so that a change without the
//! keyring is detected. A proof holds the bank reference of its row, if it has one.

use ports::storage::Result;

use super::bound::Bound;
use crate::seal::Seal;

/// Proof of a row's columns.
pub(crate) fn prove(seal: &Seal, table: &str, bound: &Bound, reference: Option<&str>) -> Result<Vec<u8>> {
    seal.seal(table, bound, reference.unwrap_or_default().as_bytes())
}

/// Whether a proof is that of these columns.
pub(crate) fn is_proven(
    seal: &Seal,
    table: &str,
    bound: &Bound,
    reference: Option<&str>,
    proof: &[u8],
) -> Result<bool> {
    Ok(seal.open(table, bound, proof)? == reference.unwrap_or_default().as_bytes())
}
