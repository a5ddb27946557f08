//! Verifies claims: each must have its policy, moves (status changes), and all bytes of its documents.

use domain::claim::ClaimState;
use domain::id::kind;

use super::files::Whole;
use super::{Look, named};
use crate::fields::{FromRow, values};
use crate::records::claim::{MOVES, PaperRow, Row, open_part};

pub(super) fn claims(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/claims.sql");
    look.rows("claims", statement, named::<kind::Claim>("claim_id"), |row, found| {
        let claim = Row::columns(row)?;
        found.there("its policy", row.named("has_policy")?);
        found.same_or_none("state after the last status change", row.named("moved_to")?, Some(claim.state));
        let papers: (i64, i64) = (row.named("whole_bytes")?, row.named("paper_bytes")?);
        found.same("bytes of the claim's documents", papers.0, papers.1);
        if let Some(claim) = found.read(claim.open(found.seal)) {
            for reference in claim.references() {
                found.must_be_noted(row, reference)?;
            }
        }
        Ok(())
    });
}

pub(super) fn moves(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/claim_moves.sql");
    look.rows("claim_moves", statement, named::<kind::Claim>("record_id"), |row, found| {
        found.there("its claim", row.named("has_record")?);
        found.moved::<ClaimState>(row, MOVES)
    });
}

pub(super) fn papers(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/claim_papers.sql");
    look.rows("claim_papers", statement, named::<kind::ClaimDocument>("paper_id"), |row, found| {
        found.there("its claim", row.named("has_claim")?);
        let paper = PaperRow::columns(row)?;
        let (of, is_whole) = (paper.partner_id, paper.is_whole);
        if let Some(paper) = found.read(paper.open(found.seal))
            && is_whole
        {
            let whole = Whole { bytes: paper.bytes, hash: paper.hash };
            let read = include_str!("../../sql/claim_parts/read.sql");
            found.must_be_whole(&whole, read, values![of, paper.id], |number, sealed| {
                open_part(found.seal, of, paper.id, number, sealed)
            });
        }
        Ok(())
    });
    let statement = include_str!("../../sql/verify/claim_parts.sql");
    look.rows("claim_parts", statement, named::<kind::ClaimDocument>("paper_id"), |row, found| {
        found.there("its paper", row.get(1)?);
        Ok(())
    });
}
