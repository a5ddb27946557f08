//! Decisions of insurers about proposals, in every line of business (D29).
//!
//! A durable job submits a proposal to its insurer, then repeatedly asks the insurer for its decision. The
//! insurer can also report its decision.
//!
//! Uses `error`, `insurer`, `line`, `outside`, `proposal`, `shared`.
//!

pub mod payment;
pub mod premium;
pub(crate) mod sandbox;

use std::sync::Arc;
use std::time::Duration;

use domain::credit_life::CreditLife;
use domain::health_proposal::Health;
use domain::id::{InsurerId, ProposalId};
use domain::line::{LineOfBusiness, ProposalState};
use domain::proposal::{Actor, Decision, Proposal};

use crate::decision::premium::PremiumService;
use crate::error::{ConflictReason, Error, Result};
use crate::insurer::{IncomingMessage, InsurerDecision, InsurerFault, in_time, note_fault};
use crate::line::SoldLine;
use crate::proposal::{Decided, Mover, ProposalService, note_referred, unknown_proposal};
use crate::shared::Shared;
use crate::storage::jobs::{Lease, PutOff};

/// Job step: the proposal must be submitted to the insurer. A repeated submission changes nothing.
const NOT_HANDED_OVER: u32 = 0;

/// Job step: the proposal was submitted, and the insurer must be asked for its decision.
const HANDED_OVER: u32 = 1;

/// Seconds until an insurer is asked for its decision again, by attempt. The last value repeats.
const WAITS: &[u64] = &[1, 2, 5, 10, 30, 60, 120, 300, 600];

/// Asks insurers for decisions and applies them.
pub struct DecisionService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) proposals: Arc<ProposalService>,
    pub(crate) premiums: Arc<PremiumService>,
}

impl DecisionService {
    /// Runs the job that waits for an insurer's decision.
    ///
    /// # Errors
    /// [`Error`] of the store; the job continues later.
    pub(crate) async fn work_on(&self, line: LineOfBusiness, lease: &Lease) -> Result<()> {
        match line {
            LineOfBusiness::CreditLife => self.work_on_line::<CreditLife>(lease).await,
            LineOfBusiness::Health => self.work_on_line::<Health>(lease).await,
        }
    }

    /// Submits a proposal to its insurer, or asks for the decision. The job continues until the proposal is
    /// decided.
    async fn work_on_line<L: SoldLine>(&self, lease: &Lease) -> Result<()> {
        let (of, id) = (lease.job.of, ProposalId::from_uuid(lease.job.subject));
        let proposal = self.proposals.find_if_any::<L>(of, id).await?;
        // For a test partner, the job also simulates the premium payment of proposals that a person
        // decides.
        let is_test = self.shared.partner_clock.is_test(of);
        let is_open = |status: L::Status| if is_test { !status.is_final() } else { status.is_undecided() };
        let Some(proposal) = proposal.filter(|proposal| is_open(proposal.status)) else {
            self.shared.storage.end_job(lease).await?;
            return Ok(());
        };
        let imported = || Error::Internal(format!("proposal {id} was imported and has no insurer to ask"));
        let catalogue = self.proposals.catalogue_of(&proposal).await?.ok_or_else(imported)?;
        let product = L::product(&catalogue, &proposal)?;
        if is_test {
            return self.work_in_sandbox(lease, &proposal, product.decision).await;
        }
        let insurer = product.insurer.id;
        let within = self.shared.settings.recommendation_deadline;
        let answer = match self.shared.connections.to_ask(of, &catalogue, insurer) {
            None => Err(InsurerFault::no_connection()),
            Some(connection) if lease.step == NOT_HANDED_OVER => {
                let submission = L::submission(&proposal).ok_or_else(imported)?;
                in_time(within, connection.submit(submission, within)).await
            }
            Some(connection) => in_time(within, connection.decision(id, within)).await,
        };
        let step = match answer {
            Ok(InsurerDecision::Pending) => {
                self.note_progress(proposal, lease.step == HANDED_OVER).await?;
                HANDED_OVER
            }
            Ok(InsurerDecision::Unknown) => NOT_HANDED_OVER,
            Ok(decision) => {
                return match self.decide_as_answered(insurer, &proposal, decision).await {
                    Ok(Decided::Waits { .. }) => {
                        // The decision waits for the premium.
                        self.shared.storage.end_job(lease).await?;
                        Ok(())
                    }
                    Err(Error::AgainstRules(broken)) => {
                        // Another request to the insurer would change nothing: the operator decides, and
                        // speaks with the insurer.
                        note_referred(id, &broken);
                        self.shared.storage.end_job(lease).await?;
                        Ok(())
                    }
                    other => other.map(|_| ()),
                };
            }
            Err(fault) => {
                note_fault(insurer, &fault);
                lease.step
            }
        };
        let due = self.shared.partner_clock.real() + wait(lease.attempt);
        self.shared.storage.put_off(lease, PutOff { due, step, faults: lease.faults }).await?;
        Ok(())
    }

    /// Changes the proposal's status so that it shows the insurer's progress, if the line of business has
    /// such a status.
    async fn note_progress<L: SoldLine>(&self, proposal: Proposal<L>, asked_again: bool) -> Result<()> {
        let Some(step) = L::progress(proposal.status, asked_again) else { return Ok(()) };
        match self.proposals.move_along(proposal, &[step], &Mover::silent(Actor::Service)).await {
            // Another request changed the proposal's status meanwhile.
            Err(Error::Refused(_)) => Ok(()),
            other => other,
        }
    }

    /// Applies an insurer's answer. If the proposal already has a different decision, it logs a warning: an
    /// insurer may believe that it insures what was rejected here.
    async fn decide_as_answered<L: SoldLine>(
        &self,
        insurer: InsurerId,
        proposal: &Proposal<L>,
        decision: InsurerDecision,
    ) -> Result<Decided> {
        match self.decided(proposal, &decision).await {
            Err(Error::Refused(_)) => {}
            other => return other,
        }
        let (of, id) = (proposal.partner, proposal.id);
        let stands = self.proposals.find::<L>(of, id).await?;
        if let Err(Error::Conflict(_)) = self.was_so_decided(&stands, &decision).await {
            let answered =
                if matches!(decision, InsurerDecision::Accepted { .. }) { "accepted" } else { "rejected" };
            tracing::warn!(
                partner.id = %of,
                proposal.id = %id,
                proposal.status = %stands.status,
                insurer.id = %insurer,
                "proposal {id} is {} here, but its insurer {insurer} has {answered} it: contact the insurer",
                stands.status
            );
        }
        Ok(Decided::Done)
    }

    /// Applies an insurer's decision: issues the policy or rejects the proposal, and ends the job, in one
    /// transaction.
    pub(crate) async fn decided<L: SoldLine>(
        &self,
        proposal: &Proposal<L>,
        decision: &InsurerDecision,
    ) -> Result<Decided> {
        let silent = Mover::silent(Actor::Insurer);
        let (next, mover) = match decision.clone() {
            InsurerDecision::Pending | InsurerDecision::Unknown => return Ok(Decided::Done),
            InsurerDecision::Accepted { number } => {
                (L::Status::ISSUED, Mover { insurer_number: Some(number), ..silent })
            }
            InsurerDecision::Rejected { reason } => (L::Status::REJECTED, Mover { reason, ..silent }),
        };
        self.proposals.decide::<L>(proposal.partner, proposal.id, next, &mover).await
    }

    /// Whether a message comes from this insurer of the running catalogue.
    pub fn is_insurer(&self, id: InsurerId, message: &IncomingMessage<'_>) -> bool {
        self.shared.connections.running(id).is_some_and(|connection| connection.is_from(message))
    }

    /// Takes an insurer's report about one of its proposals. The same report again changes nothing.
    ///
    /// # Errors
    /// [`Error::Unknown`] if this insurer does not decide the proposal; [`Error::Conflict`] if the proposal
    /// already has another decision, was never submitted, or now breaks the product's rules (D61).
    pub async fn hear(&self, insurer: InsurerId, id: ProposalId, decision: InsurerDecision) -> Result<()> {
        let (_, line) =
            self.shared.storage.owner_of_proposal(id).await?.ok_or_else(|| unknown_proposal(id))?;
        match line {
            LineOfBusiness::CreditLife => self.hear_on_line::<CreditLife>(insurer, id, &decision).await,
            LineOfBusiness::Health => self.hear_on_line::<Health>(insurer, id, &decision).await,
        }
    }

    async fn hear_on_line<L: SoldLine>(
        &self,
        insurer: InsurerId,
        id: ProposalId,
        decision: &InsurerDecision,
    ) -> Result<()> {
        let proposal = self.proposal_with_insurer::<L>(insurer, id).await?;
        if !proposal.status.is_undecided() {
            return self.was_so_decided(&proposal, decision).await;
        }
        match self.decided(&proposal, decision).await {
            Err(Error::AgainstRules(broken)) => {
                note_referred(id, &broken);
                let rules = Error::AgainstRules(broken);
                Err(Error::conflict(format!(
                    "The proposal stays {}, because the policy would break product rules: {rules}",
                    proposal.status
                )))
            }
            // Another request changed the status meanwhile: compare the report with the new status.
            Err(Error::Refused(_)) => {
                let stands = self.proposal_with_insurer::<L>(insurer, id).await?;
                self.was_so_decided(&stands, decision).await
            }
            Ok(Decided::Waits { earlier: Some(earlier), .. }) => match decision {
                InsurerDecision::Accepted { number } if earlier.insurer_number.as_ref() != Some(number) => {
                    let by = earlier.by;
                    Err(Error::conflict_of(
                        ConflictReason::MadeBefore,
                        format!(
                            "The {by} already accepted the proposal under another policy number. The proposal waits for its premium."
                        ),
                    ))
                }
                _ => Ok(()),
            },
            other => other.map(|_| ()),
        }
    }

    async fn was_so_decided<L: SoldLine>(
        &self,
        proposal: &Proposal<L>,
        decision: &InsurerDecision,
    ) -> Result<()> {
        let status = proposal.status;
        let (issued, rejected) = (status == L::Status::ISSUED, status == L::Status::REJECTED);
        let same = match decision {
            InsurerDecision::Accepted { number } if issued => {
                let policy = self.proposals.policy_of(proposal.partner, proposal.id).await?;
                policy.and_then(|policy| policy.insurer_number).as_ref() == Some(number)
            }
            InsurerDecision::Rejected { .. } => rejected,
            InsurerDecision::Pending => issued || rejected,
            InsurerDecision::Accepted { .. } | InsurerDecision::Unknown => false,
        };
        if same {
            return Ok(());
        }
        Err(Error::conflict(if status.is_unsubmitted() {
            "The proposal has not been submitted yet.".into()
        } else {
            format!("The proposal is already {status}, which contradicts this decision.")
        }))
    }

    /// Proposal that this insurer decides.
    async fn proposal_with_insurer<L: SoldLine>(
        &self,
        insurer: InsurerId,
        id: ProposalId,
    ) -> Result<Proposal<L>> {
        let (of, _) = self.shared.storage.owner_of_proposal(id).await?.ok_or_else(|| unknown_proposal(id))?;
        if self.shared.partner_clock.is_test(of) {
            return Err(unknown_proposal(id));
        }
        let proposal = self.proposals.find::<L>(of, id).await?;
        let catalogue = self.proposals.catalogue_of(&proposal).await?.ok_or_else(|| unknown_proposal(id))?;
        let product = L::product(&catalogue, &proposal)?;
        if product.insurer.id == insurer && product.decision == Decision::Insurer {
            Ok(proposal)
        } else {
            Err(unknown_proposal(id))
        }
    }
}

/// How long until an insurer is asked for its decision again.
pub(crate) fn wait(attempt: u32) -> Duration {
    let at = (attempt.saturating_sub(1) as usize).min(WAITS.len() - 1);
    Duration::from_secs(WAITS[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wait_before_an_insurer_is_asked_again_grows_to_ten_minutes() {
        let waits: Vec<u64> = (1..12).map(|attempt| wait(attempt).as_secs()).collect();
        assert_eq!(waits, [1, 2, 5, 10, 30, 60, 120, 300, 600, 600, 600]);
    }
}
