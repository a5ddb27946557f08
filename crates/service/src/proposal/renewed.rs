//! Check of a renewal's proposal against the policy that it renews (D91).
//!
//! If the proposal no longer fits the policy, the proposal is rejected.

use domain::date::{Date, Timestamp, day_of, in_words};
use domain::id::{PartnerId, ProposalId};
use domain::line::ProposalState;
use domain::person::PersonalLine;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::proposal::{Actor, Proposal};
use domain::renewal::Renewal;

use crate::error::{Error, Result};
use crate::line::SoldLine;
use crate::proposal::{Mover, ProposalService};

/// Why a proposal can no longer renew a policy. `on` is the day when the premium was received, otherwise the
/// day of issue. `None` if the proposal still can.
fn why_void(renewal: &Renewal, policy: &Policy, on: Date) -> Option<String> {
    if policy.state != PolicyState::Issued {
        return Some(format!("The earlier policy is {} and can no longer be renewed.", policy.state));
    }
    if policy.certificate_version() != renewal.certificate_version || policy.open_endorsement().is_some() {
        return Some("The earlier policy has a new endorsement since the renewal was requested.".to_owned());
    }
    let until = policy.renewable_until.filter(|until| on > *until)?;
    Some(format!("The earlier policy could be renewed only until {}.", in_words(until)))
}

impl ProposalService {
    /// Policy that a proposal renews, as it is before the renewal. `None` if the proposal renews no policy.
    /// The inner `Err` says why this proposal can no longer renew it.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub(crate) async fn renewed<L: SoldLine>(
        &self,
        proposal: &Proposal<L>,
        at: Timestamp,
    ) -> Result<Result<Option<Policy>, String>> {
        let Some(renewal) = L::renewal(&proposal.application) else { return Ok(Ok(None)) };
        let found = self.shared.storage.policy(proposal.partner, renewal.policy).await?;
        let lost = || Error::Internal(format!("the policy that {} renews is missing", proposal.id));
        let policy = found.ok_or_else(lost)?;
        let mut on = day_of(at);
        if policy.renewable_until.is_some_and(|until| on > until) {
            // A premium that was received in time is not late if the proposal is handled later.
            let receipts = self.shared.storage.receipts_of(proposal.partner, proposal.id).await?;
            on = receipts.iter().map(|receipt| receipt.received_on).max().unwrap_or(on);
        }
        Ok(match why_void(renewal, &policy, on) {
            Some(why) => Err(why),
            None => Ok(Some(policy)),
        })
    }

    /// Whether a proposal can no longer renew its policy. The customer must not pay for such a proposal.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn is_void<L: SoldLine>(&self, proposal: &Proposal<L>) -> Result<bool> {
        Ok(!proposal.status.is_final()
            && self.renewed(proposal, self.shared.partner_clock.now(proposal.partner)).await?.is_err())
    }

    /// Rejects a proposal that can no longer renew its policy. Payments for the proposal are owed back.
    /// Returns `false` if the proposal still can renew it, or is already decided.
    ///
    /// # Errors
    /// [`Error::Storage`]; [`Error::Refused`] if the proposal's status changed meanwhile.
    pub(crate) async fn end_if_void<L: SoldLine>(&self, of: PartnerId, id: ProposalId) -> Result<bool> {
        let proposal = self.find::<L>(of, id).await?;
        let Some(steps) = proposal.status.way_to(L::Status::REJECTED) else { return Ok(false) };
        let Err(why) = self.renewed(&proposal, self.shared.partner_clock.now(of)).await? else {
            return Ok(false);
        };
        let mover = Mover { reason: PersonalLine::of_words(&why), ..Mover::silent(Actor::Service) };
        self.move_along(proposal, &steps, &mover).await.map(|()| true)
    }
}
