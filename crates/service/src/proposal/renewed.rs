//! The policy before a renewal: whether it is still the one that the renewal's proposal was made of, and the end of a proposal of
//! which it is not (D91).

use domain::date::{Date, Timestamp, day_of, in_words};
use domain::id::{PartnerId, ProposalId};
use domain::line::{Line, ProposalState};
use domain::person::PersonalLine;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::proposal::{Actor, Proposal};
use domain::renewal::Renewal;

use crate::error::{Error, Result};
use crate::line::SoldLine;
use crate::proposal::{Mover, ProposalService};

/// Why a policy is not renewed by a proposal any more, on the day on which its premium came or else of the issue. `None`: it is.
fn why_void<L: Line>(renewal: &Renewal, policy: &Policy<L>, on: Date) -> Option<String> {
    if policy.state != PolicyState::Issued {
        return Some(format!("The policy before is {} and is not renewed any more.", policy.state));
    }
    if policy.certificate_version() != renewal.certificate_version || policy.open_endorsement().is_some() {
        return Some("The policy before was endorsed since the renewal was asked for.".to_owned());
    }
    let until = policy.renewable_until.filter(|until| on > *until)?;
    Some(format!("The policy before could be renewed until {}.", in_words(until)))
}

impl ProposalService {
    /// The policy that a proposal renews, as it stands before; `None` for a proposal that renews none. Inside: why it can no longer
    /// be renewed by this proposal.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub(crate) async fn renewed<L: SoldLine>(
        &self,
        proposal: &Proposal<L>,
        at: Timestamp,
    ) -> Result<Result<Option<Policy<L>>, String>> {
        let Some(renewal) = L::renewal(&proposal.application) else { return Ok(Ok(None)) };
        let found = L::storage(self.shared.storage.as_ref()).policy(proposal.partner, renewal.policy).await?;
        let lost = || Error::Internal(format!("{} renews a policy that is not there", proposal.id));
        let policy = found.ok_or_else(lost)?;
        let mut on = day_of(at);
        if policy.renewable_until.is_some_and(|until| on > until) {
            // A premium that came in time is not late because somebody acts on it later.
            let receipts = self.shared.storage.receipts_of(proposal.partner, proposal.id).await?;
            on = receipts.iter().map(|receipt| receipt.received_on).max().unwrap_or(on);
        }
        Ok(match why_void(renewal, &policy, on) {
            Some(why) => Err(why),
            None => Ok(Some(policy)),
        })
    }

    /// Whether a proposal renews a policy that it can no longer renew: nobody is to pay for it.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn is_void<L: SoldLine>(&self, proposal: &Proposal<L>) -> Result<bool> {
        Ok(!proposal.status.is_final()
            && self.renewed(proposal, self.shared.partner_clock.now(proposal.partner)).await?.is_err())
    }

    /// Ends a proposal that renews a policy that it can no longer renew; what was paid for it is owed back. `false`: it is another
    /// one, or was decided.
    ///
    /// # Errors
    /// [`Error::Storage`]; [`Error::Refused`] where somebody was first.
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
