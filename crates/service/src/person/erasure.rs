//! Erasure of what the store has about a person (DPDP Act, section 12): all but what another law requires the operator to keep.
//!
//! An erasure is in the journal before the store does it. What a kill or a restored backup left undone is done at the next start.

use domain::id::{JourneyId, ProposalId, Uuid};
use domain::identifier::{Identifier, IdentifierKind};
use domain::journey::Journey;
use domain::line::{LineOfBusiness, ProposalState};

use super::{PersonRecords, PersonService};
use crate::error::{Error, Result};
use crate::line::SoldLine;
use crate::outside::erasure_journal::ErasureJournal;
use crate::storage::personal_data::{Erasure, Removed, RemovedKind};
use crate::storage::{Storage, StorageError};

/// Most journeys that are searched for a person.
const MOST_JOURNEYS: usize = 20_000;

/// A record that stays, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRecord {
    /// Its id with the prefix.
    pub record: String,
    pub why: &'static str,
}

/// What an erasure removes, and what stays.
#[derive(Debug, Default)]
pub struct ErasurePlan {
    pub erased: Vec<Removed>,
    pub kept: Vec<KeptRecord>,
    /// Whether the store's log still has the erased data. It does while a backup or another reader keeps the log open.
    pub is_in_log: bool,
}

/// Why a policy, and what belongs to it, stays.
const SOLD: &str = "sold: kept for as long as policies_kept_days says";

/// Why a proposal stays.
const PROPOSED: &str = "proposed to an insurer: kept for as long as unsold_proposals_kept_days says";

/// Why a record under a legal hold stays.
const HELD: &str = "legal hold";

impl PersonService {
    /// What an erasure of a person would remove.
    ///
    /// # Errors
    /// As of [`PersonService::records_of`].
    pub async fn plan_erasure(&self, by: &Identifier) -> Result<ErasurePlan> {
        let records = self.records_of(by).await?;
        let held: Vec<Uuid> = self.shared.storage.holds().await?.into_iter().map(|hold| hold.id).collect();
        let mut plan = ErasurePlan::default();
        let mut judge = |kind, of, id: Uuid, record: String, why: Option<&'static str>| {
            let why = why.or_else(|| held.contains(&id).then_some(HELD));
            match why {
                Some(why) => plan.kept.push(KeptRecord { record, why }),
                None => plan.erased.push(Removed { kind, of, id }),
            }
        };
        for (of, id) in &records.quotes {
            judge(RemovedKind::HealthQuote, *of, id.uuid(), id.to_string(), None);
        }
        for (of, id, line) in &records.proposals {
            let why = match line {
                LineOfBusiness::CreditLife => {
                    self.why_kept::<domain::credit_life::CreditLife>(*of, *id).await?
                }
                LineOfBusiness::Health => self.why_kept::<domain::health_proposal::Health>(*of, *id).await?,
            };
            judge(RemovedKind::UnsoldProposal, *of, id.uuid(), id.to_string(), why);
        }
        for (of, id) in &records.policies {
            judge(RemovedKind::Policy, *of, id.uuid(), id.to_string(), Some(SOLD));
        }
        for (of, id) in &records.claims {
            judge(RemovedKind::Policy, *of, id.uuid(), id.to_string(), Some(SOLD));
        }
        for journey in self.journeys_of(by, &records).await? {
            judge(
                RemovedKind::Journey,
                journey.partner,
                journey.id,
                JourneyId::from_uuid(journey.id).to_string(),
                None,
            );
        }
        plan.erased.sort_unstable();
        Ok(plan)
    }

    /// Why a proposal stays: it was sold, or an insurer was asked.
    async fn why_kept<L: SoldLine>(
        &self,
        of: domain::id::PartnerId,
        id: ProposalId,
    ) -> Result<Option<&'static str>> {
        let storage = L::storage(self.shared.storage.as_ref());
        if storage.policy_of(of, id).await?.is_some() {
            return Ok(Some(SOLD));
        }
        let history = storage.history(of, id).await?;
        let was_asked = history.iter().any(|step| step.to.is_undecided());
        Ok(was_asked.then_some(PROPOSED))
    }

    /// Journeys of a person: they are drafts of a day.
    pub(crate) async fn journeys_of(&self, by: &Identifier, records: &PersonRecords) -> Result<Vec<Journey>> {
        let now = self.shared.clock.now() + std::time::Duration::from_secs(3600);
        let all = self.shared.storage.old_journeys(now, MOST_JOURNEYS).await?;
        if all.len() == MOST_JOURNEYS {
            return Err(Error::conflict(
                "Too many journeys are open to search them. They end a day after their customers: try again then.".into(),
            ));
        }
        let is_theirs = |journey: &Journey| {
            let answers = &journey.answers;
            let of_form = answers.form.as_ref().is_some_and(|form| form.proposer.identifiers().contains(by));
            let of_user = by.kind == IdentifierKind::User
                && journey.user.as_ref().is_some_and(|user| user.reveal() == by.reveal());
            let of_quote =
                answers.quote.is_some_and(|id| records.quotes.iter().any(|(_, quote)| *quote == id));
            let of_proposal = answers
                .proposal
                .is_some_and(|id| records.proposals.iter().any(|(_, proposal, _)| *proposal == id));
            of_form || of_user || of_quote || of_proposal
        };
        Ok(all.into_iter().filter_map(|old| old.journey).filter(is_theirs).collect())
    }

    /// Erases what the store has about a person. Gives what was erased and what stays.
    ///
    /// # Errors
    /// As of [`PersonService::plan_erasure`]; [`Error::Conflict`] if nothing can be erased; [`Error::Internal`] if the journal cannot be
    /// written, and nothing is erased.
    pub async fn erase(&self, by: &Identifier) -> Result<ErasurePlan> {
        let mut plan = self.plan_erasure(by).await?;
        if plan.erased.is_empty() {
            return Err(Error::conflict("Nothing of this person can be erased.".into()));
        }
        let (id, at) = (self.shared.ids.uuid(), self.shared.clock.now());
        let erasure = Erasure { id, at, records: plan.erased.clone() };
        self.shared.settings.erasures.add(&erasure).map_err(Error::Internal)?;
        self.shared.storage.erase(&erasure).await?;
        if let Err(fault) = self.shared.storage.settle_removals().await {
            tracing::warn!("the log of the store still has what was erased: {fault}");
            plan.is_in_log = true;
        }
        tracing::info!(records = plan.erased.len(), "a person's records were erased: {}", plan.erased.len());
        Ok(plan)
    }
}

/// Does the erasures of the journal that the store has not done: it is restored from an older backup, or a process was killed. How many.
///
/// # Errors
/// [`StorageError`].
pub async fn repeat_erasures(
    storage: &dyn Storage,
    journal: &dyn ErasureJournal,
) -> Result<usize, StorageError> {
    let all = journal.read().map_err(StorageError::Away)?;
    if all.is_empty() {
        return Ok(0);
    }
    let done = storage.erasures_done().await?;
    let missing: Vec<Erasure> = all.into_iter().filter(|erasure| !done.contains(&erasure.id)).collect();
    for erasure in &missing {
        storage.erase(erasure).await?;
    }
    storage.settle_removals().await?;
    Ok(missing.len())
}
