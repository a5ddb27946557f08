//! Correction of a person's data, by an endorsement of each policy (DPDP Act, section 12).

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::endorsement::{EndorsementChange, EndorsementState};
use domain::id::{PartnerId, PolicyId};
use domain::party::{Party, PartyRole};
use domain::person::PersonalLine;
use domain::policy::Policy;
use domain::proposal::Actor;

use super::PersonFound;
use crate::error::Result;
use crate::line::{SoldLine, by_line};
use crate::policy::endorsement::{EndorsementAsk, EndorsementService};
use crate::shared::Shared;

/// Correction of a person's data.
#[derive(Debug)]
pub struct Correction {
    pub changes: Vec<EndorsementChange>,
    /// Reason, such as the person's request.
    pub note: PersonalLine,
    /// Whether a new name keeps the title that the policy has.
    pub keeps_title: bool,
    /// Whether to list the changes only.
    pub plan: bool,
}

/// Result of one change of one policy.
#[derive(Debug)]
pub struct Corrected {
    pub policy: PolicyId,
    pub change: EndorsementChange,
    /// Number and state of the endorsement, or why it was refused. `None` if it was only planned.
    pub outcome: Result<Option<(u16, EndorsementState)>>,
}

/// Corrects a person's data in policies.
pub struct CorrectionService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) endorsements: Arc<EndorsementService>,
}

impl CorrectionService {
    /// Requests the changes on every policy of a person. If one change is refused, the others are still made.
    ///
    /// # Errors
    /// [`crate::Error::Storage`].
    pub async fn correct(
        &self,
        person: &PersonFound,
        Correction { changes, note, keeps_title, plan }: &Correction,
    ) -> Result<Vec<Corrected>> {
        let mut all = Vec::new();
        for (of, id) in &person.records.policies {
            let Some(policy) = self.shared.storage.policy(*of, *id).await? else { continue };
            let members = by_line!(policy.line(), L => self.members::<L>(&policy, &person.party).await?);
            for party in members {
                for change in changes {
                    let change = change.clone().of_member(party.member.unwrap_or(1));
                    let change = if *keeps_title { titled(change, &party) } else { change };
                    let outcome = match *plan {
                        true => Ok(None),
                        false => self.endorse(*of, *id, change.clone(), note).await.map(Some),
                    };
                    all.push(Corrected { policy: *id, change, outcome });
                }
            }
        }
        Ok(all)
    }

    /// Members of a policy who are the person, at the sale or now. If only the proposer is, the first member.
    async fn members<L: SoldLine>(&self, policy: &Policy, person: &Party) -> Result<Vec<Party>> {
        let Some(proposal) = policy.proposal else { return Ok(Vec::new()) };
        let storage = L::storage(self.shared.storage.as_ref());
        let Some(proposal) = storage.proposal(policy.partner, proposal).await? else { return Ok(Vec::new()) };
        let mut application = proposal.application;
        let sold = L::parties(&application);
        policy.made_endorsements().for_each(|made| L::endorse(&mut application, &made.change));
        let now = L::parties(&application);
        let all = || sold.iter().chain(&now).filter(|party| party.is_same_as(person));
        let numbers: BTreeSet<u16> = all().filter_map(|party| party.member).collect();
        let first = (numbers.is_empty() && all().any(|party| party.role == PartyRole::Proposer)).then_some(1);
        let numbers: BTreeSet<u16> = numbers.into_iter().chain(first).collect();
        Ok(now
            .into_iter()
            .filter(|party| party.member.is_some_and(|number| numbers.contains(&number)))
            .collect())
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
        self.endorsements.keep(draft, None).await?.saved()?;
        Ok(made)
    }
}

/// A new name with the title that a person has.
fn titled(change: EndorsementChange, party: &Party) -> EndorsementChange {
    match (change, party.title) {
        (EndorsementChange::Name { member, mut name }, Some(title)) => {
            name.title = title;
            EndorsementChange::Name { member, name }
        }
        (change, _) => change,
    }
}
