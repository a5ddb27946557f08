//! Keeping what was changed of a policy: of two changes at once exactly one is kept (D66, D89).

use std::sync::Arc;

use domain::date::{Timestamp, day_of};
use domain::endorsement::EndorsementState;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::proposal::{Move, RefusedMove, Underway};

use crate::error::{ConflictReason, Error, Result};
use crate::event::EventMaker;
use crate::line::SoldLine;
use crate::on_any_policy;
use crate::policy::PolicyService;
use crate::shared::Shared;
use crate::shared::idempotency::KeptResponse;
use crate::storage::policies::{Endorsed, PolicyAct, PolicyChanged, PolicyPosting};
use crate::storage::{AnyPolicy, Kept, NewEvent};

/// A policy as it stands after a change that is not kept yet.
pub(crate) struct PolicyChange {
    policy: AnyPolicy,
    moves: Vec<Move<PolicyState>>,
    postings: Vec<PolicyPosting>,
    /// The certificate that replaces the one before.
    certificate: Option<Vec<u8>>,
    /// What the policy's partner is told, by its version before.
    events: Vec<NewEvent>,
    pub(crate) at: Timestamp,
}

impl PolicyChange {
    /// Moves of a policy, of which this was the version before.
    pub(crate) fn of<L: SoldLine>(
        events: &EventMaker,
        before: &Policy<L>,
        underway: Underway<Policy<L>>,
        postings: Vec<PolicyPosting>,
    ) -> Self
    where
        AnyPolicy: From<Policy<L>>,
    {
        let at = underway.at();
        let (policy, moves) = underway.into_parts();
        let events = events.of_policy(before, &policy, &moves, at);
        PolicyChange { policy: policy.into(), moves, postings, certificate: None, events, at }
    }

    /// A policy that stands where it stood in its version before, perhaps with another certificate.
    pub(crate) fn unmoved<L: SoldLine>(
        events: &EventMaker,
        before: &Policy<L>,
        policy: Policy<L>,
        postings: Vec<PolicyPosting>,
        certificate: Option<Vec<u8>>,
        at: Timestamp,
    ) -> Self
    where
        AnyPolicy: From<Policy<L>>,
    {
        let events = events.of_policy(before, &policy, &[], at);
        PolicyChange { policy: policy.into(), moves: Vec::new(), postings, certificate, events, at }
    }

    /// Where the endorsement stands then that was asked for last.
    pub(crate) fn newest_endorsement(&self) -> Option<EndorsementState> {
        on_any_policy!(&self.policy, policy => policy.endorsements.last().map(|newest| newest.state))
    }
}

/// Keeps changes of policies.
pub struct PolicyChanges {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
}

impl PolicyChanges {
    /// Keeps a change of a policy, with its response where an idempotency key came.
    ///
    /// # Errors
    /// [`Error::Refused`] where the policy was moved meanwhile so that the change is none of its moves; [`Error::Conflict`]
    /// where something else of it was changed.
    pub(crate) async fn keep(&self, change: &PolicyChange, response: Option<&KeptResponse>) -> Result<Kept> {
        let PolicyChange { policy, moves, postings, certificate, events, at } = change;
        let tell = on_any_policy!(policy, policy => self.policies.tell(policy, *at).await?);
        let act = PolicyAct {
            events,
            tell,
            moves,
            postings,
            endorsed: certificate.as_deref().map(|certificate| Endorsed { certificate, at: *at }),
            response: response.map(KeptResponse::keyed),
            ..PolicyAct::default()
        };
        let changed = on_any_policy!(policy, policy => self.change_one(policy, act).await?);
        let (of, id, to) = on_any_policy!(policy, policy => (policy.partner, policy.id, policy.state));
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
                let from = on_any_policy!(found, found => found.state_on(day_of(*at)));
                let refused = moves.first().filter(|first| from.move_to(first.to).is_err());
                Err(match refused {
                    Some(_) => {
                        Error::Refused(RefusedMove::NoSuchTransition { from: from.word(), to: to.word() })
                    }
                    // A claim or an endorsement came in between, by which something else comes back.
                    None => Error::conflict_of(
                        ConflictReason::ChangedMeanwhile,
                        "The policy was changed at the same time. Ask for a new quote.".into(),
                    ),
                })
            }
        }
    }

    async fn change_one<L: SoldLine>(&self, policy: &Policy<L>, act: PolicyAct<'_>) -> Result<PolicyChanged> {
        Ok(L::storage(self.shared.storage.as_ref()).change_policy(policy, act).await?)
    }
}
