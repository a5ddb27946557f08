//! Verifies policies: each with its proposal, certificates, premium, refunds, claims and moves (status
//! changes).

use domain::credit_life::ProposalStatus;
use domain::date::Timestamp;
use domain::health_proposal::HealthProposalStatus;
use domain::id::{PartnerId, PolicyId, kind};
use domain::line::{LineOfBusiness, ProposalState};
use domain::money::Rupees;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use ports::storage::{Identified, Result};

use super::{Look, VerifiedRow, named};
use crate::fields::{Coded, FromRow, RowFields, values};
use crate::records::policy;

pub(super) fn policies(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/policies.sql");
    look.rows("policies", statement, named::<kind::Policy>("policy_id"), judge);
}

fn judge(row: RowFields<'_>, found: &mut VerifiedRow<'_>) -> Result<()> {
    let columns = policy::Row::columns(row)?;
    let (id, of, state) = (columns.policy_id, columns.partner_id, columns.state);
    let version: u32 = row.named("certificate_version")?;
    let is_issued = columns.proposal_id.is_some();
    match row.named::<Option<&[u8]>>("certificate")? {
        Some(sealed) => {
            let number = columns.number.as_str();
            let opened = policy::open_certificate(found.seal, of, id, number, version, sealed);
            if let Err(fault) = opened {
                found.fault("certificate", "readable content", fault.into_why());
            }
        }
        None => found.there("certificate", !is_issued),
    }
    if is_issued {
        let issued = match columns.line {
            LineOfBusiness::CreditLife => ProposalStatus::ISSUED.code(),
            LineOfBusiness::Health => HealthProposalStatus::ISSUED.code(),
        };
        let status: Option<i64> = row.named("proposal_status")?;
        found.same_or_none("status of the policy's proposal", Some(issued.into()), status);
    }
    // An imported policy may have changed its state before the import.
    let unmoved = if is_issued { PolicyState::Issued } else { state };
    let expected = row.named::<Option<PolicyState>>("moved_to")?.unwrap_or(unmoved);
    found.same("state after the last status change", expected, state);
    let Some(policy) = found.read(columns.open(found.seal)) else { return Ok(()) };
    money(&policy, row, found)?;
    found.same("version of the certificate", policy.certificate_version(), version);
    let made: Vec<Timestamp> = policy.made_endorsements().filter_map(|made| made.decided_at).collect();
    found.same("replaced certificates", made.len() as i64, row.named("replaced_certificates")?);
    if !made.is_empty() {
        let mut replaced: Vec<Timestamp> = Vec::new();
        let times = include_str!("../../sql/verify/replaced_at.sql");
        found.from.find(times, values![of, id], &mut |row| row.get(0).map(|at| replaced.push(at)))?;
        for (made, replaced) in made.iter().zip(&replaced) {
            found.same("time at which the certificate was replaced", made, replaced);
        }
    }
    let renewable = row.named("renewable_until")?;
    found.same_or_none("last day on which the policy can be renewed", policy.renewable_until, renewable);
    found.same_or_none("due day of the refund", policy.refund_due_on(), row.named("refund_due_on")?);
    let asked_at = policy.open_endorsement().map(|open| open.asked_at);
    found.same_or_none("time of the open endorsement", asked_at, row.named("endorsement_asked_at")?);
    if is_issued {
        // The renewal of an imported policy may not be in this store.
        let follows = (policy.state == PolicyState::Renewed, policy.renewed_by.is_some());
        found.there("policy that renews the renewed policy", !follows.0 || follows.1);
        found.there("renewed state of a policy that another policy renews", follows.0 || !follows.1);
    }
    found.same("claims", policy.claims.len() as i64, row.named("claims")?);
    let has_paid_claim = policy.state != PolicyState::Terminated || row.named("has_paid_claim")?;
    found.there("paid claim that ended the policy", has_paid_claim);
    found.must_be_found_by(of, Identified::Policy, policy.id, &policy.identifiers())?;
    if let Some(catalogue) = policy.cover.catalogue() {
        found.names(catalogue);
    }
    Ok(())
}

/// Checks a policy's amounts against the ledger.
fn money(policy: &Policy, row: RowFields<'_>, found: &mut VerifiedRow<'_>) -> Result<()> {
    let (booked, is_booked) = (|column| row.named::<i64>(column), row.named("is_booked")?);
    if policy.proposal.is_some() {
        let sold = if is_booked { policy.sold_terms().premium.total() } else { Rupees::ZERO };
        found.same_amount("premium in the ledger", (sold + policy.charged()).paise(), booked("premium")?);
    }
    let owed: Rupees = policy.refunds().map(|refund| refund.owed()).sum();
    found.same_amount("refund owed in the ledger", owed.paise(), booked("refund")?);
    for paid in policy.refunds().filter_map(|refund| refund.paid.as_ref()) {
        found.must_be_noted(row, &paid.reference)?;
    }
    let returned = policy.comes_back();
    let to_deposit: Rupees = policy.refunds().map(|refund| refund.to_deposit).sum();
    let not_booked = if is_booked { Rupees::ZERO } else { to_deposit };
    found.same_amount(
        "returned premium in the ledger",
        (returned - not_booked).paise(),
        -booked("returned")?,
    );
    if returned > policy.paid_in() {
        let most = format!("at most {}", policy.paid_in().grouped_with_paise());
        found.fault("returned premium", most, returned.grouped_with_paise());
    }
    Ok(())
}

pub(super) fn replaced_certificates(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/replaced_certificates.sql");
    look.rows("replaced_certificates", statement, named::<kind::Policy>("policy_id"), |row, found| {
        let (policy, of): (PolicyId, PartnerId) = (row.get(0)?, row.get(1)?);
        found.there("policy with the number of the certificate", row.get(5)?);
        found.read(policy::open_certificate(found.seal, of, policy, row.get(2)?, row.get(3)?, row.get(4)?));
        Ok(())
    });
}

pub(super) fn moves(look: &mut Look<'_>) {
    let statement = include_str!("../../sql/verify/policy_moves.sql");
    look.rows("policy_moves", statement, named::<kind::Policy>("record_id"), |row, found| {
        found.there("its policy", row.named("has_record")?);
        found.moved::<PolicyState>(row, policy::MOVES)
    });
}
