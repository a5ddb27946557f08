//! Verifies proposals: each with its policy, and with its moves (status changes).

use domain::credit_life::{CreditLife, EmbeddedProposal};
use domain::health_proposal::{Health, HealthProposal};
use domain::id::{Uuid, kind};
use domain::line::{LineOfBusiness, ProposalState};
use domain::proposal::Proposal;
use domain::quote::CatalogueHash;
use ports::storage::{Identified, Result};

use super::{Look, VerifiedRow, named};
use crate::fields::{Coded, FromRow, RowFields};
use crate::records::line::StoredLine;
use crate::records::moves::{MoveRow, StateMoveRow};
use crate::records::proposal::{Row, quoted};

pub(super) fn proposals(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/proposals.sql");
    look.rows("proposals", statement, named::<kind::Proposal>("proposal_id"), |row, found| {
        match row.named("line")? {
            LineOfBusiness::CreditLife => {
                judge(row, found, |proposal: EmbeddedProposal| Some(proposal.application.quoted.catalogue))
            }
            LineOfBusiness::Health => judge(row, found, |proposal: HealthProposal| {
                proposal.application.journey().map(|made| made.chosen.catalogue)
            }),
        }
    });
}

fn judge<L: StoredLine>(
    row: RowFields<'_>,
    found: &mut VerifiedRow<'_>,
    catalogue: fn(Proposal<L>) -> Option<CatalogueHash>,
) -> Result<()> {
    let proposal = Row::columns(row)?;
    let moved_to: Option<i16> = row.named("moved_to")?;
    found.same_or_none("status after the last status change", moved_to, Some(proposal.status));
    let Some(proposal) = found.read(proposal.open::<L>(found.seal)) else { return Ok(()) };
    let of_quote = quoted(L::quoted(&proposal.application)).map(Uuid::from_bytes);
    found.same("quote of the proposal", of_quote[0], row.named("quote_id")?);
    found.same("variant of the proposal", of_quote[1], row.named("variant_id")?);
    let is_issued = proposal.status == L::Status::ISSUED;
    let (of, kind) = (proposal.partner, Identified::Proposal(L::LINE));
    found.must_be_found_by(of, kind, proposal.id, &proposal.identifiers())?;
    let catalogue = catalogue(proposal);
    // An imported proposal and its imported policy may not name each other.
    let must_have_policy = is_issued && catalogue.is_some();
    found.same("its policy", is_there(must_have_policy), is_there(row.named("has_policy")?));
    if let Some(catalogue) = catalogue {
        found.names(catalogue);
    }
    Ok(())
}

fn is_there(is_there: bool) -> &'static str {
    if is_there { "one" } else { "none" }
}

pub(super) fn moves(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/moves.sql");
    look.rows("moves", statement, named::<kind::Proposal>("proposal_id"), |row, found| {
        let made = MoveRow::columns(row)?;
        let of_proposal: Option<LineOfBusiness> = row.named("line_of_proposal")?;
        found.same_or_none("line of business of the proposal", of_proposal, Some(made.line));
        found.chained(row, made.from_status)?;
        let read = match made.line {
            LineOfBusiness::CreditLife => made.open::<CreditLife>(found.seal).map(|_| ()),
            LineOfBusiness::Health => made.open::<Health>(found.seal).map(|_| ()),
        };
        found.read(read);
        Ok(())
    });
}

impl VerifiedRow<'_> {
    /// Checks a move (status change) of a record that has the same states in every line of business.
    pub(super) fn moved<S: Coded>(&mut self, row: RowFields<'_>, table: &str) -> Result<()> {
        let made = StateMoveRow::columns(row)?;
        self.chained(row, made.from_state)?;
        self.read(made.open::<S>(self.seal, table));
        Ok(())
    }

    /// Checks that a move (status change) starts in the state in which the previous move ended. `row`: the
    /// move's sequence number, its position among the moves of its record, and the end state of the previous
    /// move.
    fn chained(&mut self, row: RowFields<'_>, from: Option<i16>) -> Result<()> {
        let (sequence, position): (i64, i64) = (row.named("sequence")?, row.named("position")?);
        self.same("sequence number of the status change", position, sequence);
        let before: Option<i16> = row.named("moved_before")?;
        if before.is_some() {
            self.same_or_none("start state of the status change", before, from);
        }
        Ok(())
    }
}
