//! Verifies proposals: each with its policy, and with its moves (status changes).

use domain::credit_life::{CreditLife, EmbeddedProposal};
use domain::health_proposal::{Health, HealthProposal};
use domain::id::{PartnerId, ProposalId, kind};
use domain::line::{LineOfBusiness, ProposalState};
use domain::proposal::Proposal;
use domain::quote::CatalogueHash;
use ports::storage::{Identified, Result};

use super::{Look, VerifiedRow, named};
use crate::fields::{FromRow, RowFields};
use crate::records::line::StoredLine;
use crate::records::moves::FoundMove;
use crate::records::{moves, proposal};

pub(super) fn proposals(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/proposals.sql");
    look.rows("proposals", statement, named::<kind::Proposal>, |row, found| match row.get(9)? {
        LineOfBusiness::CreditLife => {
            judge(row, found, |proposal: EmbeddedProposal| Some(proposal.application.quoted.catalogue))
        }
        LineOfBusiness::Health => judge(row, found, |proposal: HealthProposal| {
            proposal.application.journey().map(|made| made.chosen.catalogue)
        }),
    });
}

fn judge<L: StoredLine>(
    row: RowFields<'_>,
    found: &mut VerifiedRow<'_>,
    catalogue: fn(Proposal<L>) -> Option<CatalogueHash>,
) -> Result<()> {
    let (of, has_policy): (PartnerId, bool) = (row.get(8)?, row.get(10)?);
    found.same_or_none("status after the last status change", row.get::<Option<i16>>(11)?, row.get(3)?);
    let Some(proposal) = found.read(proposal::Found::columns(row)?.open::<L>(found.seal, of)) else {
        return Ok(());
    };
    let is_issued = proposal.status == L::Status::ISSUED;
    let kind = Identified::Proposal(L::LINE);
    found.must_be_found_by(of, kind, proposal.id, &proposal.identifiers())?;
    let catalogue = catalogue(proposal);
    // An imported proposal and its imported policy may not name each other.
    let must_have_policy = is_issued && catalogue.is_some();
    found.same("its policy", is_there(must_have_policy), is_there(has_policy));
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
    look.rows("moves", statement, named::<kind::Proposal>, |row, found| {
        let (proposal, of): (ProposalId, PartnerId) = (row.get(0)?, row.get(1)?);
        found.same_or_none("line of business of the proposal", row.get::<Option<i16>>(8)?, row.get(2)?);
        let made = FoundMove::columns(row.from(3))?;
        found.chained(row.from(9), made.from)?;
        let read = match row.get(2)? {
            LineOfBusiness::CreditLife => {
                moves::open::<CreditLife>(made, found.seal, of, proposal).map(|_| ())
            }
            LineOfBusiness::Health => moves::open::<Health>(made, found.seal, of, proposal).map(|_| ()),
        };
        found.read(read);
        Ok(())
    });
}

impl VerifiedRow<'_> {
    /// Checks that a move (status change) starts in the state in which the previous move ended. `row`: the
    /// move's sequence number, its position among the moves of its record, and the end state of the previous
    /// move.
    pub(super) fn chained(&mut self, row: RowFields<'_>, from: Option<i16>) -> Result<()> {
        self.same("sequence number of the status change", row.get::<i64>(1)?, row.get(0)?);
        let before: Option<i16> = row.get(2)?;
        if before.is_some() {
            self.same_or_none("start state of the status change", before, from);
        }
        Ok(())
    }
}
