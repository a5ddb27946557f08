//! A look at policies: each with its certificate, its premium, its refund and its moves.

use domain::credit_life::EmbeddedPolicy;
use domain::health_policy::HealthPolicy;
use domain::id::{PartnerId, PolicyId, kind};
use domain::line::{LineOfBusiness, ProposalState};
use domain::money::Rupees;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::quote::CatalogueHash;
use rusqlite::Row;
use service::storage::Identified;

use super::{Found, Look, named};
use crate::codes::Coded;
use crate::rows::counted::day_number;
use crate::rows::line::StoredLine;
use crate::rows::{id_bytes, policy};
use crate::sqlite::claim;
use crate::sqlite::list::Listed;
use crate::sqlite::row::{coded, id};

pub(super) fn policies(look: &mut Look<'_>) {
    let statement = include_str!("../../../sql/verify/policies.sql");
    look.rows("policies", statement, named::<kind::Policy>, |row, found| match coded(row, 13)? {
        LineOfBusiness::CreditLife => {
            judge_policy(row, found, |policy: EmbeddedPolicy| Some(policy.cover.catalogue))
        }
        LineOfBusiness::Health => judge_policy(row, found, |policy: HealthPolicy| {
            policy.cover.issued().map(|issued| issued.chosen.catalogue)
        }),
    });
}

fn judge_policy<L: StoredLine>(
    row: &Row<'_>,
    found: &mut Found<'_>,
    catalogue: fn(Policy<L>) -> Option<CatalogueHash>,
) -> rusqlite::Result<()> {
    let (policy, of): (PolicyId, PartnerId) = (id(row, 0)?, id(row, 14)?);
    let columns = policy::Found::columns(row)?;
    let is_issued = columns.proposal.is_some();
    if let Some(policy) = found.read(columns.open::<L>(found.seal, of)) {
        let paid = row.get::<_, Option<i64>>(17)?.unwrap_or_default();
        let sold = if row.get(25)? { policy.sold_terms().premium.total() } else { Rupees::ZERO };
        let is_paid = paid == (sold + policy.charged()).paise();
        found.must(!is_issued || is_paid, "the ledger does not have its premium");
        let booked = |column| row.get::<_, Option<i64>>(column).map(Option::unwrap_or_default);
        let owed: i64 = policy.refunds().map(|refund| refund.owed().paise()).sum();
        found.must(booked(18)? == owed, "the ledger says something else of the refund that is owed");
        let returned = policy.comes_back().paise();
        found.must(-booked(19)? == returned, "the ledger says something else of what comes back");
        found.must(returned <= policy.paid_in().paise(), "more comes back than came in");
        let version: u32 = row.get(22)?;
        found.must(version == policy.certificate_version(), "its certificate is of another endorsement");
        let replaced: Option<String> = row.get(23)?;
        let made = policy.made_endorsements().filter_map(|made| made.decided_at);
        let made: Vec<String> = made.map(|at| at.as_microsecond().to_string()).collect();
        let is_told = replaced.unwrap_or_default() == made.join(",");
        found.must(is_told, "certificates were replaced at other times than it was endorsed");
        let until: Option<i32> = row.get(24)?;
        let said = policy.renewable_until.map(day_number);
        found.must(until == said, "it can be renewed until another day than it says");
        let follows = (policy.state == PolicyState::Renewed) == policy.renewed_by.is_some();
        // What follows an imported policy is not here.
        found.must(!is_issued || follows, "it was renewed and no policy follows it, or the other way round");
        let claims: u32 = row.get(21)?;
        found.must(claims as usize == policy.claims.len(), "it has other claims than it says");
        let state: i16 = row.get(8)?;
        let last: Option<i16> = row.get(20)?;
        let unmoved: i16 = PolicyState::Issued.code().into();
        // An imported policy may have been moved before it came.
        let is_explained = last == Some(state) || last.is_none() && (!is_issued || state == unmoved);
        found.must(is_explained, "its last move led elsewhere, or it has none");
        found.must_be_found_by(of, Identified::Policy, policy.id, &policy.identifiers())?;
        if let Some(catalogue) = catalogue(policy) {
            found.names(catalogue);
        }
    }
    match row.get::<_, Option<Vec<u8>>>(15)? {
        Some(sealed) => {
            let (number, version): (String, u32) = (row.get(4)?, row.get(22)?);
            let opened = policy::open_certificate(found.seal, of, policy, &number, version, &sealed);
            if let Err(fault) = opened {
                found.fault(format!("certificate: {}", fault.into_why()));
            }
        }
        None => found.must(!is_issued, "it has no certificate"),
    }
    let status = row.get::<_, Option<i16>>(16)?;
    let completed = status == Some(L::Status::ISSUED.code().into());
    let word = L::Status::ISSUED.word();
    found.must(!is_issued || completed, &format!("its proposal is not there, or not {word}"));
    Ok(())
}

pub(super) fn replaced_certificates(look: &mut Look<'_>) {
    let statement = include_str!("../../../sql/verify/replaced_certificates.sql");
    look.rows("replaced_certificates", statement, named::<kind::Policy>, |row, found| {
        let (policy, of): (PolicyId, PartnerId) = (id(row, 0)?, id(row, 1)?);
        found.must(row.get(5)?, "it is the certificate of a policy that is not there, or not its number");
        let (number, version, sealed): (String, u32, Vec<u8>) = (row.get(2)?, row.get(3)?, row.get(4)?);
        found.read(policy::open_certificate(found.seal, of, policy, &number, version, &sealed));
        Ok(())
    });
}

pub(super) fn moves(look: &mut Look<'_>) {
    let statement = include_str!("../../../sql/verify/policy_moves.sql");
    look.rows("policy_moves", statement, named::<kind::Policy>, |row, found| {
        let (moved, of): (PolicyId, PartnerId) = (id(row, 0)?, id(row, 1)?);
        found.must(row.get(7)?, "it is a move of a policy that is not there");
        let made = claim::move_columns(row, 2)?;
        found.read(made.open::<PolicyState>(found.seal, policy::MOVES, of, id_bytes(moved)));
        Ok(())
    });
}
