//! Verifies claims: each must have its policy, moves (status changes), and all bytes of its documents.

use domain::claim::ClaimState;
use domain::id::{ClaimId, PartnerId, kind};

use super::files::Whole;
use super::{Look, named};
use crate::fields::{FromRow, Value};
use crate::records::claim::{self, MOVES, PaperRow, open_part};
use crate::records::id_bytes;
use crate::records::moves::FoundMove;

pub(super) fn claims(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/claims.sql");
    look.rows("claims", statement, named::<kind::Claim>, |row, found| {
        found.there("its policy", row.get(11)?);
        found.same_or_none("state after the last status change", row.get::<Option<i16>>(12)?, row.get(5)?);
        found.same("bytes of the claim's documents", row.get::<i64>(14)?, row.get(13)?);
        found.read(claim::Row::columns(row)?.open(found.seal, row.get(10)?));
        Ok(())
    });
}

pub(super) fn moves(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/claim_moves.sql");
    look.rows("claim_moves", statement, named::<kind::Claim>, |row, found| {
        let (claim, of): (ClaimId, PartnerId) = (row.get(0)?, row.get(1)?);
        found.there("its claim", row.get(7)?);
        let made = FoundMove::columns(row.from(2))?;
        found.chained(row.from(8), made.from)?;
        found.read(made.open::<ClaimState>(found.seal, MOVES, of, id_bytes(claim)));
        Ok(())
    });
}

pub(super) fn papers(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/claim_papers.sql");
    look.rows("claim_papers", statement, named::<kind::ClaimDocument>, |row, found| {
        let of: PartnerId = row.get(6)?;
        found.there("its claim", row.get(7)?);
        let paper = PaperRow::columns(row)?;
        let is_whole = paper.is_whole;
        if let Some(paper) = found.read(paper.open(found.seal, of))
            && is_whole
        {
            let whole = Whole { bytes: paper.bytes, hash: paper.hash };
            let (of_bytes, id) = (id_bytes(of), id_bytes(paper.id));
            let values = [Value::Id(of_bytes), Value::Id(id)];
            let read = include_str!("../../sql/claim_parts/read.sql");
            found.must_be_whole(&whole, read, &values, |number, sealed| {
                open_part(found.seal, of, paper.id, number, sealed)
            });
        }
        Ok(())
    });
    let statement = include_str!("../../sql/verify/claim_parts.sql");
    look.rows("claim_parts", statement, named::<kind::ClaimDocument>, |row, found| {
        found.there("its paper", row.get(1)?);
        Ok(())
    });
}
