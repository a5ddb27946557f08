//! Saving of policy changes: of two concurrent changes exactly one is saved (D66, D89).

use std::sync::Arc;

use domain::date::{Timestamp, day_of};
use domain::endorsement::EndorsementState;
use domain::id::PolicyId;
use domain::policy::{Policy, PolicyNumber};
use domain::policy_state::PolicyState;
use domain::proposal::{Move, RefusedMove, Underway};

use crate::error::{ConflictReason, Error, Result};
use crate::event::EventMaker;
use crate::policy::PolicyService;
use crate::shared::Shared;
use crate::shared::idempotency::KeptResponse;
use crate::storage::policies::{Endorsed, PolicyAct, PolicyChanged, PolicyPosting};
use crate::storage::premiums::PremiumAct;
use crate::storage::{Kept, NewEvent};

/// Policy after a change that is not saved yet.
pub(crate) struct PolicyChange {
    policy: Policy,
    moves: Vec<Move<PolicyState>>,
    postings: Vec<PolicyPosting>,
    /// Change of the premium of the policy's proposal.
    pub(crate) premium: Option<PremiumAct>,
    /// New certificate of the policy. `None` if the certificate does not change.
    certificate: Option<Vec<u8>>,
    /// Events of the change, for the policy's partner.
    events: Vec<NewEvent>,
    pub(crate) at: Timestamp,
}

impl PolicyChange {
    /// Change that consists of status changes of a policy. `before` is the policy's previous version.
    pub(crate) fn of(
        events: &EventMaker,
        before: &Policy,
        underway: Underway<Policy>,
        postings: Vec<PolicyPosting>,
    ) -> Self {
        let at = underway.at();
        let (policy, moves) = underway.into_parts();
        let events = events.of_policy(before, &policy, &moves, at);
        PolicyChange { policy, moves, postings, premium: None, certificate: None, events, at }
    }

    /// Change without status changes, with a new certificate if given. `before` is the policy's previous
    /// version.
    pub(crate) fn unmoved(
        events: &EventMaker,
        before: &Policy,
        policy: Policy,
        postings: Vec<PolicyPosting>,
        certificate: Option<Vec<u8>>,
        at: Timestamp,
    ) -> Self {
        let events = events.of_policy(before, &policy, &[], at);
        PolicyChange { policy, moves: Vec::new(), postings, premium: None, certificate, events, at }
    }

    /// State of the newest endorsement after the change.
    pub(crate) fn newest_endorsement(&self) -> Option<EndorsementState> {
        self.policy.endorsements.last().map(|newest| newest.state)
    }
}

/// Saves changes of policies.
pub struct PolicyChanges {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
}

impl PolicyChanges {
    /// Saves a change of a policy, with its response if the request has an idempotency key.
    ///
    /// # Errors
    /// [`Error::Refused`] if the policy's new state no longer allows the status change; [`Error::Conflict`]
    /// if another request changed the policy meanwhile.
    pub(crate) async fn keep(&self, change: &PolicyChange, response: Option<&KeptResponse>) -> Result<Kept> {
        let PolicyChange { policy, moves, postings, premium, certificate, events, at } = change;
        let tell = self.policies.tell(policy, *at).await?;
        let act = PolicyAct {
            events,
            tell,
            moves,
            postings,
            premium: premium.as_ref(),
            endorsed: certificate.as_deref().map(|certificate| Endorsed { certificate, at: *at }),
            response: response.map(KeptResponse::keyed),
            ..PolicyAct::default()
        };
        let changed = self.change_one(policy, act).await?;
        let (of, id, to) = (policy.partner, policy.id, policy.state);
        match changed {
            PolicyChanged::Done => {
                match moves.is_empty() {
                    true => tracing::info!(partner.id = %of, policy.id = %id, "policy {id} was changed"),
                    false => {
                        tracing::info!(partner.id = %of, policy.id = %id, policy.state = %to, "policy {id} moved to {to}");
                    }
                }
                Ok(Kept::New)
            }
            PolicyChanged::Twin => Ok(Kept::Twin),
            PolicyChanged::Lost | PolicyChanged::Paid(_) => {
                let found = self.policies.find(of, id).await?;
                let from = found.state_on(day_of(*at));
                let refused = moves.first().filter(|first| from.move_to(first.to).is_err());
                Err(match refused {
                    Some(_) => {
                        Error::Refused(RefusedMove::NoSuchTransition { from: from.word(), to: to.word() })
                    }
                    // A claim or an endorsement came after the quote, so the refund may have changed.
                    None => Error::conflict_of(
                        ConflictReason::ChangedMeanwhile,
                        "The policy was changed by another request. Get a new quote.".into(),
                    ),
                })
            }
        }
    }

    /// Corrects the insurer's number of a policy.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] if the policy has no number of the insurer yet, or changed meanwhile.
    pub async fn correct_number(&self, id: PolicyId, number: PolicyNumber) -> Result<()> {
        let of = self.policies.owner(id).await?;
        let before = self.policies.find(of, id).await?;
        if before.insurer_number.is_none() {
            return Err(Error::conflict("The insurer has not numbered this policy yet.".into()));
        }
        let after = Policy { insurer_number: Some(number), ..before.clone() };
        let (events, now) = (self.shared.events(), self.shared.partner_clock.now(of));
        self.keep(&PolicyChange::unmoved(&events, &before, after, Vec::new(), None, now), None).await?;
        Ok(())
    }

    async fn change_one(&self, policy: &Policy, act: PolicyAct<'_>) -> Result<PolicyChanged> {
        Ok(self.shared.storage.change_policy(policy, act).await?)
    }
}
