//! Erasure of a person's data, except what another law requires the operator to keep (DPDP Act, section 12).
//!
//! The erasure journal receives each erasure before the store performs it. If a killed process or a restored
//! backup leaves an erasure undone, the next start performs it.

use std::collections::BTreeSet;

use domain::approval::{Approval, ApprovalState};
use domain::id::{JourneyId, ProposalId, QuoteId, Uuid};
use domain::identifier::{Identifier, IdentifierKind};
use domain::journey::Journey;
use domain::line::{LineOfBusiness, ProposalState};

use super::{PersonFound, PersonService};
use crate::error::{Error, Result};
use crate::line::SoldLine;
use crate::outside::erasure_journal::{ErasureJournal, RecordedErasure};
use crate::storage::personal_data::{Erasure, Removed, RemovedKind};
use crate::storage::{Storage, StorageError};
use crate::team::APPROVALS_KEPT;

/// Most journeys that are searched for a person.
const MOST_JOURNEYS: usize = 20_000;

/// Most approvals of a state that are searched for a person.
const MOST_APPROVALS: usize = 20_000;

/// Record that is not erased, with the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRecord {
    /// Id of the record with its prefix.
    pub record: String,
    pub why: &'static str,
}

/// Records that an erasure of a person removes, and records that stay.
#[derive(Debug, Default)]
pub struct ErasurePlan {
    pub erased: Vec<Removed>,
    pub kept: Vec<KeptRecord>,
    /// Whether the database's log still has the erased data. It does while a backup or another reader keeps
    /// the log open.
    pub is_in_log: bool,
}

/// Reason for keeping a policy with its records.
const SOLD: &str = "sold: kept for the time that policies_kept_days sets";

/// Reason for keeping a proposal.
const PROPOSED: &str = "proposed to an insurer: kept for the time that unsold_proposals_kept_days sets";

/// Reason for keeping a record of other people.
const MENTIONED: &str = "another person's record names them: kept with it";

/// Reason for keeping a complaint.
const COMPLAINED: &str = "complaint: kept for the time that complaints_kept_days sets";

/// What stays of every person with a policy, by kind.
const KEPT_BY_KIND: [(&str, &str); 3] = [
    ("ledger, receipts, statements", "books of account: kept for the time that the Companies Act sets"),
    ("audit trail", "proof of who did what: has ids alone, reasons are encrypted"),
    ("events", "removed 30 days after each event; until then they have the loan account"),
];

/// Reason for keeping a record under a legal hold.
const HELD: &str = "legal hold";

impl PersonService {
    /// Records that an erasure of a person would remove.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn plan_erasure(&self, person: &PersonFound) -> Result<ErasurePlan> {
        let records = &person.records;
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
        for journey in &records.journeys {
            let id = JourneyId::from_uuid(journey.id).to_string();
            judge(RemovedKind::Journey, journey.partner, journey.id, id, None);
        }
        for session in &records.sessions {
            let id = session.id;
            judge(RemovedKind::Session, session.partner, id.uuid(), id.to_string(), None);
        }
        for mention in &records.mentions {
            plan.kept.push(KeptRecord { record: mention.record.clone(), why: MENTIONED });
        }
        for complaint in &records.complaints {
            plan.kept.push(KeptRecord { record: complaint.to_string(), why: COMPLAINED });
        }
        if !records.policies.is_empty() {
            plan.kept.extend(KEPT_BY_KIND.map(|(kind, why)| KeptRecord { record: kind.to_owned(), why }));
        }
        plan.erased.sort_unstable();
        Ok(plan)
    }

    /// Reason for keeping a proposal: it was sold, or submitted to an insurer. `None` if it can be erased.
    async fn why_kept<L: SoldLine>(
        &self,
        of: domain::id::PartnerId,
        id: ProposalId,
    ) -> Result<Option<&'static str>> {
        if self.shared.storage.policy_of(of, id).await?.is_some() {
            return Ok(Some(SOLD));
        }
        let history = L::storage(self.shared.storage.as_ref()).history(of, id).await?;
        let was_asked = history.iter().any(|step| step.to.is_undecided());
        Ok(was_asked.then_some(PROPOSED))
    }

    /// Open journeys that have an identifier, or belong to one of these records. A journey is stored until one day
    /// after its customer's last visit.
    pub(crate) async fn journeys(
        &self,
        by: &Identifier,
        quotes: &BTreeSet<QuoteId>,
        proposals: &BTreeSet<ProposalId>,
    ) -> Result<Vec<Journey>> {
        let now = self.shared.clock.now() + std::time::Duration::from_secs(3600);
        let all = self.shared.storage.old_journeys(now, MOST_JOURNEYS).await?;
        if all.len() == MOST_JOURNEYS {
            return Err(Error::conflict(
                "There are too many open journeys to search. Each ends 24 hours after its last visit: try again tomorrow.".into(),
            ));
        }
        let is_theirs = |journey: &Journey| {
            let form = journey.answers.form.as_ref();
            let of_form = form.is_some_and(|form| form.proposer.identifiers().contains(by));
            let user = journey.user.as_ref().map(|user| user.reveal());
            let of_record = journey.answers.quote.is_some_and(|id| quotes.contains(&id))
                || journey.answers.proposal.is_some_and(|id| proposals.contains(&id));
            of_form || of_record || by.kind == IdentifierKind::User && user == Some(by.reveal())
        };
        Ok(all.into_iter().filter_map(|old| old.journey).filter(is_theirs).collect())
    }

    /// Erases what the store has about a person. Returns what was erased and what stays.
    ///
    /// # Errors
    /// The errors of [`PersonService::plan_erasure`]; [`Error::Conflict`] if nothing can be erased;
    /// [`Error::Internal`] if the erasure journal cannot be written, and nothing is erased then.
    pub async fn erase(&self, person: &PersonFound) -> Result<ErasurePlan> {
        let mut plan = self.plan_erasure(person).await?;
        if plan.erased.is_empty() {
            return Err(Error::conflict("This person has no record that can be erased.".into()));
        }
        let (id, at) = (self.shared.ids.uuid(), self.shared.clock.now());
        let erasure = Erasure { id, at, records: plan.erased.clone() };
        self.shared.settings.erasures.add(&erasure).map_err(Error::Internal)?;
        self.shared.storage.erase(&erasure).await?;
        if let Err(fault) = self.forget_requests(person, &plan).await {
            tracing::warn!("approvals of the last 30 days still have erased data: {fault}");
        }
        if let Err(fault) = self.shared.storage.settle_removals().await {
            tracing::warn!("the database's log still contains erased data: {fault}");
            plan.is_in_log = true;
        }
        tracing::info!(records = plan.erased.len(), "a person's records were erased: {}", plan.erased.len());
        Ok(plan)
    }

    /// Removes the request and the personal facts from approvals that concern an erased record or have an identifier
    /// of the person. An approval that waits is withdrawn.
    async fn forget_requests(&self, person: &PersonFound, plan: &ErasurePlan) -> Result<()> {
        let erased = |id: Uuid| plan.erased.iter().any(|removed| removed.id == id);
        let quotes = person.records.quotes.iter().filter(|(_, id)| erased(id.uuid()));
        let proposals = person.records.proposals.iter().filter(|(_, id, _)| erased(id.uuid()));
        let identifiers = person.party.identifiers.iter().map(|by| by.reveal().to_owned());
        let words: Vec<String> = identifiers
            .chain(quotes.map(|(_, id)| id.to_string()))
            .chain(proposals.map(|(_, id, _)| id.to_string()))
            .collect();
        let is_theirs = |text: &str| words.iter().any(|word| text.contains(word));
        let since = self.shared.clock.now() - APPROVALS_KEPT;
        for state in ApprovalState::ALL {
            for approval in self.shared.storage.approvals(*state, None, since, MOST_APPROVALS).await? {
                let in_facts = approval.facts.iter().any(|fact| is_theirs(&fact.value));
                if !in_facts && !is_theirs(&approval.body) && !is_theirs(&approval.subject) {
                    continue;
                }
                let facts = approval.facts.into_iter().filter(|fact| !fact.is_personal).collect();
                let state = match approval.state {
                    ApprovalState::Waiting => ApprovalState::Withdrawn,
                    ended => ended,
                };
                let next = Approval { body: String::new(), facts, state, ..approval };
                self.shared.storage.keep_approval(&next).await?;
            }
        }
        Ok(())
    }
}

/// Performs the erasures of the journal that the store lacks, such as after the restore of an older backup.
/// Returns their number. `unproven`: whether to perform erasures that no key proves, too.
///
/// # Errors
/// [`StorageError`].
pub async fn repeat_erasures(
    storage: &dyn Storage,
    journal: &dyn ErasureJournal,
    unproven: bool,
) -> Result<usize, StorageError> {
    let all = journal.read().map_err(StorageError::Away)?;
    if all.is_empty() {
        return Ok(0);
    }
    let done = storage.erasures_done().await?;
    let (proven, others): (Vec<RecordedErasure>, Vec<RecordedErasure>) = all
        .into_iter()
        .filter(|recorded| !done.contains(&recorded.erasure.id))
        .partition(|recorded| recorded.is_proven || unproven);
    for recorded in &proven {
        storage.erase(&recorded.erasure).await?;
    }
    if !others.is_empty() {
        tracing::error!(
            "the journal of erasures has {} erasures that no key of the keyring proves and that this store does not have: they were not done. If they are from a store that you lost, restore its backup, which does them",
            others.len()
        );
    }
    storage.settle_removals().await?;
    Ok(proven.len())
}
