//! Correction of a person's data, by an endorsement of each policy (DPDP Act, section 12).

use std::sync::Arc;

use domain::endorsement::{EndorsementChange, EndorsementState};
use domain::id::{PartnerId, PolicyId};
use domain::identifier::Identifier;
use domain::person::PersonalLine;
use domain::policy::Policy;
use domain::proposal::Actor;

use super::PersonService;
use crate::error::Result;
use crate::line::SoldLine;
use crate::on_any_policy;
use crate::policy::endorsement::{EndorsementAsk, EndorsementService};
use crate::shared::Shared;

/// Result of one change of one policy.
#[derive(Debug)]
pub struct Corrected {
    pub policy: PolicyId,
    pub change: EndorsementChange,
    /// Number and state of the endorsement, or why it was refused.
    pub outcome: Result<(u16, EndorsementState)>,
}

/// Corrects a person's data in policies.
pub struct CorrectionService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) persons: Arc<PersonService>,
    pub(crate) endorsements: Arc<EndorsementService>,
}

impl CorrectionService {
    /// Requests the changes on every policy where a person has the identifier. If one change is refused, the
    /// others are still made.
    ///
    /// # Errors
    /// The errors of [`PersonService::records_of`].
    pub async fn correct(
        &self,
        by: &Identifier,
        changes: &[EndorsementChange],
        note: &PersonalLine,
    ) -> Result<Vec<Corrected>> {
        let mut all = Vec::new();
        for (of, id) in self.persons.records_of(by).await?.policies {
            let Some(policy) = self.shared.storage.any_policy(of, id).await? else { continue };
            for member in on_any_policy!(&policy, policy => self.members(policy, by).await?) {
                for change in changes {
                    let change = change.clone().of_member(member);
                    let outcome = self.endorse(of, id, change.clone(), note).await;
                    all.push(Corrected { policy: id, change, outcome });
                }
            }
        }
        Ok(all)
    }

    /// Numbers of those members of a policy who have the identifier, at the sale or now.
    async fn members<L: SoldLine>(&self, policy: &Policy<L>, by: &Identifier) -> Result<Vec<u16>> {
        let Some(proposal) = policy.proposal else { return Ok(Vec::new()) };
        let storage = L::storage(self.shared.storage.as_ref());
        let Some(proposal) = storage.proposal(policy.partner, proposal).await? else { return Ok(Vec::new()) };
        let mut application = proposal.application;
        let mut members = L::members_known_by(&application, by);
        policy.made_endorsements().for_each(|made| L::endorse(&mut application, &made.change));
        members.extend(L::members_known_by(&application, by));
        members.sort_unstable();
        members.dedup();
        Ok(members)
    }

    async fn endorse(
        &self,
        of: PartnerId,
        id: PolicyId,
        change: EndorsementChange,
        note: &PersonalLine,
    ) -> Result<(u16, EndorsementState)> {
        let ask = EndorsementAsk { change, by: Actor::Operator, note: Some(note.clone()) };
        let draft = self.endorsements.request(of, id, &ask, None).await?;
        let made = (draft.number, draft.state);
        self.endorsements.keep(draft, None).await?.replayed();
        Ok(made)
    }
}
