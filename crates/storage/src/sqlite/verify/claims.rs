//! A look at claims: each with its moves and its papers, and these with all of their bytes.

use domain::claim::{ClaimDocument, ClaimState};
use domain::id::{ClaimId, PartnerId, kind};
use rusqlite::params;
use service::storage::StorageError;

use super::files::{Whole, is_whole};
use super::{Found, Look, named};
use crate::rows::claim::{self, MOVES, open_part};
use crate::rows::id_bytes;
use crate::sqlite::claim::move_columns;
use crate::sqlite::claim_paper::columns as paper_columns;
use crate::sqlite::list::Listed;
use crate::sqlite::row::id;

pub(super) fn claims(look: &mut Look<'_>) {
    let statement = include_str!("../../../sql/verify/claims.sql");
    look.rows("claims", statement, named::<kind::Claim>, |row, found| {
        let of: PartnerId = id(row, 10)?;
        found.must(row.get(11)?, "it is on a policy that is not there");
        let state: i16 = row.get(5)?;
        found.must(
            row.get::<_, Option<i16>>(12)? == Some(state),
            "its last move led elsewhere, or it has none",
        );
        let (kept, there): (i64, Option<i64>) = (row.get(13)?, row.get(14)?);
        found.must(kept == there.unwrap_or_default(), "its papers have another size than it says");
        found.read(claim::Found::columns(row)?.open(found.seal, of));
        Ok(())
    });
}

pub(super) fn moves(look: &mut Look<'_>) {
    let statement = include_str!("../../../sql/verify/claim_moves.sql");
    look.rows("claim_moves", statement, named::<kind::Claim>, |row, found| {
        let (claim, of): (ClaimId, PartnerId) = (id(row, 0)?, id(row, 1)?);
        found.must(row.get(7)?, "it is a move of a claim that is not there");
        let made = move_columns(row, 2)?;
        found.read(made.open::<ClaimState>(found.seal, MOVES, of, id_bytes(claim)));
        Ok(())
    });
}

pub(super) fn papers(look: &mut Look<'_>) {
    let statement = include_str!("../../../sql/verify/claim_papers.sql");
    look.rows("claim_papers", statement, named::<kind::ClaimDocument>, |row, found| {
        let of: PartnerId = id(row, 6)?;
        found.must(row.get(7)?, "it is of a claim that is not there");
        let paper = paper_columns(row)?;
        let is_whole = paper.is_whole;
        if let Some(paper) = found.read(paper.open(found.seal, of))
            && is_whole
        {
            let good = is_good(found, of, &paper);
            let good = found.read(good).unwrap_or(true);
            found.must(good, "its parts are not the bytes that came");
        }
        Ok(())
    });
    let statement = include_str!("../../../sql/verify/claim_parts.sql");
    look.rows("claim_parts", statement, named::<kind::ClaimDocument>, |row, found| {
        found.must(row.get(1)?, "it is a part of a paper that is not there");
        Ok(())
    });
}

/// Whether the parts of a paper are the bytes that came.
fn is_good(found: &Found<'_>, of: PartnerId, paper: &ClaimDocument) -> Result<bool, StorageError> {
    let read = include_str!("../../../sql/verify/parts.sql");
    let whole = Whole { bytes: paper.bytes, hash: paper.hash };
    is_whole(found, &whole, read, params![id_bytes(of), id_bytes(paper.id)], |number, sealed| {
        open_part(found.seal, of, paper.id, number, sealed)
    })
}
