//! The insurer's decision of a health proposal: handed over and asked for by a durable job, or told by the insurer (D29).

use domain::health_proposal::{HealthProposal, HealthProposalStatus};
use domain::id::{InsurerId, ProposalId};
use domain::proposal::{Actor, Decision};

use crate::Service;
use crate::decision::{HANDED_OVER, NOT_HANDED_OVER, wait};
use crate::embedded_proposal::{Mover, unknown_proposal};
use crate::error::Error;
use crate::health_proposal::product_of;
use crate::insurer::{HealthSubmission, InsurerDecision, InsurerFault, in_time, note_fault};
use crate::storage::jobs::{Lease, PutOff};

use HealthProposalStatus::{Accepted, Pending, Rejected, Submitted, Underwriting};

impl Service {
    /// Hands a health proposal over, or asks what was decided of one that was. Until it is decided the job goes on.
    ///
    /// # Errors
    /// [`Error`] of the store: the job is to be gone on with later.
    pub(crate) async fn work_on_health_decision(&self, lease: &Lease) -> Result<(), Error> {
        let (of, id) = (lease.job.of, ProposalId::from_uuid(lease.job.subject));
        let proposal = self.storage.health_proposal(of, id).await?;
        let open = |proposal: &HealthProposal| matches!(proposal.status, Pending | Submitted | Underwriting);
        let Some(proposal) = proposal.filter(open) else {
            self.storage.end_job(lease).await?;
            return Ok(());
        };
        let made = proposal.journey().ok_or_else(|| Error::Internal("not of a journey".into()))?;
        let catalogue = self.catalogue_version(made.chosen.catalogue).await?;
        let insurer = product_of(&catalogue, &made.chosen)?.insurer.id;
        let within = self.settings.recommendation_deadline;
        let answer = match self.insurer_to_ask(&catalogue, insurer) {
            None => Err(InsurerFault::no_connection()),
            Some(connection) if lease.step == NOT_HANDED_OVER => {
                let quote = self.storage.health_quote(of, made.chosen.quote).await?;
                let quote =
                    quote.ok_or_else(|| Error::Internal(format!("proposal {id} has lost its quote")))?;
                let submission = HealthSubmission { proposal: &proposal, made, quote: &quote };
                in_time(within, connection.submit_health(submission, within)).await
            }
            Some(connection) => in_time(within, connection.decision(id, within)).await,
        };
        let step = match answer {
            Ok(InsurerDecision::Pending) => {
                self.note_progress(proposal, lease.step == HANDED_OVER).await?;
                HANDED_OVER
            }
            Ok(InsurerDecision::Unknown) => NOT_HANDED_OVER,
            Ok(decision) => return self.decided_health(insurer, proposal, decision).await,
            Err(fault) => {
                note_fault(insurer, &fault);
                lease.step
            }
        };
        let due = self.clock.now() + wait(lease.attempt);
        self.storage.put_off(lease, PutOff { due, step, faults: lease.faults }).await?;
        Ok(())
    }

    /// Shows how far the insurer has come: it has the proposal, and asked again it still looks at it.
    async fn note_progress(&self, proposal: HealthProposal, asked_again: bool) -> Result<(), Error> {
        let step = match (proposal.status, asked_again) {
            (Pending, _) => Submitted,
            (Submitted, true) => Underwriting,
            _ => return Ok(()),
        };
        let mover = Mover { by: Actor::Service, reason: None, insurer_number: None };
        match self.move_health(proposal, &[step], mover).await {
            // Somebody else moved it meanwhile.
            Err(Error::RefusedHealth(_)) => Ok(()),
            other => other,
        }
    }

    /// Does what an insurer decided: policy or rejection, and the end of its job, in one transaction. Where somebody else
    /// was first and they differ, the log says so: an insurer that believes to insure what was rejected here must be
    /// spoken with.
    async fn decided_health(
        &self,
        insurer: InsurerId,
        proposal: HealthProposal,
        decision: InsurerDecision,
    ) -> Result<(), Error> {
        let (of, id) = (proposal.partner, proposal.id);
        match self.apply_health(&proposal, decision.clone()).await {
            Err(Error::RefusedHealth(_)) => {}
            other => return other,
        }
        let stands = self.storage.health_proposal(of, id).await?.ok_or_else(|| unknown_proposal(id))?;
        if let Err(Error::Conflict(_)) = self.was_health_so_decided(&stands, &decision).await {
            tracing::warn!(
                partner.id = %of,
                proposal.id = %id,
                proposal.status = %stands.status,
                insurer.id = %insurer,
                "proposal {id} is {} here, and its insurer {insurer} has decided otherwise: speak with them",
                stands.status
            );
        }
        Ok(())
    }

    async fn apply_health(&self, proposal: &HealthProposal, decision: InsurerDecision) -> Result<(), Error> {
        let (next, reason, insurer_number) = match decision {
            InsurerDecision::Pending | InsurerDecision::Unknown => return Ok(()),
            InsurerDecision::Accepted { number } => (Accepted, None, Some(number)),
            InsurerDecision::Rejected { reason } => (Rejected, reason, None),
        };
        let mover = Mover { by: Actor::Insurer, reason, insurer_number };
        self.decide_health(proposal.partner, proposal.id, next, mover).await
    }

    /// Takes what an insurer tells of a health proposal of its own; `None` where the id is none of a health proposal
    /// that this insurer decides. Telling the same again changes nothing.
    ///
    /// # Errors
    /// [`Error::Conflict`] when it was decided otherwise or was never handed over.
    pub(crate) async fn hear_health_decision(
        &self,
        insurer: InsurerId,
        id: ProposalId,
        decision: &InsurerDecision,
    ) -> Result<Option<()>, Error> {
        let Some(proposal) = self.health_proposal_with_insurer(insurer, id).await? else { return Ok(None) };
        if matches!(proposal.status, Pending | Submitted | Underwriting) {
            match self.apply_health(&proposal, decision.clone()).await {
                // Somebody else moved it meanwhile: what was told is judged by where it stands now.
                Err(Error::RefusedHealth(_)) => {}
                other => return other.map(Some),
            }
        }
        let stands = self.health_proposal_with_insurer(insurer, id).await?;
        let stands = stands.ok_or_else(|| unknown_proposal(id))?;
        self.was_health_so_decided(&stands, decision).await.map(Some)
    }

    async fn was_health_so_decided(
        &self,
        proposal: &HealthProposal,
        decision: &InsurerDecision,
    ) -> Result<(), Error> {
        let same = match (proposal.status, decision) {
            (Accepted, InsurerDecision::Accepted { number }) => {
                let policy = self.storage.health_policy_of(proposal.partner, proposal.id).await?;
                policy.and_then(|policy| policy.insurer_number).as_ref() == Some(number)
            }
            (Rejected, InsurerDecision::Rejected { .. })
            | (Accepted | Rejected, InsurerDecision::Pending) => true,
            _ => false,
        };
        if same {
            return Ok(());
        }
        let status = proposal.status;
        Err(Error::Conflict(format!("The proposal is {status} already; what was told contradicts that.")))
    }

    /// A health proposal whose product this insurer decides.
    async fn health_proposal_with_insurer(
        &self,
        insurer: InsurerId,
        id: ProposalId,
    ) -> Result<Option<HealthProposal>, Error> {
        let Some(of) = self.storage.partner_of_health_proposal(id).await? else { return Ok(None) };
        let proposal = self.storage.health_proposal(of, id).await?;
        let Some(proposal) = proposal else { return Ok(None) };
        let Some(made) = proposal.journey() else { return Ok(None) };
        let catalogue = self.catalogue_version(made.chosen.catalogue).await?;
        let product = product_of(&catalogue, &made.chosen)?;
        let theirs = product.insurer.id == insurer && product.decision == Decision::Insurer;
        Ok(theirs.then_some(proposal))
    }
}
