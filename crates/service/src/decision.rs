//! The insurer's decision: a durable job hands a proposal to its insurer and asks until it is decided; or the insurer
//! tells us (D29).

use std::time::Duration;

use domain::date::Timestamp;
use domain::id::{InsurerId, PartnerId, ProposalId};
use domain::policy::PolicyNumber;
use domain::proposal::{Actor, Decision, Proposal, ProposalStatus};

use crate::Service;
use crate::embedded_proposal::{Mover, ProductOf, ProposalState, unknown_proposal};
use crate::error::Error;
use crate::idempotency::Answering;
use crate::insurer::{IncomingMessage, InsurerDecision, InsurerFault, Submission, in_time, note_fault};
use crate::storage::jobs::{Lease, PutOff};

/// The step at which a proposal is to be handed over. Doing so again changes nothing.
pub(crate) const NOT_HANDED_OVER: u32 = 0;

/// The step at which it was.
pub(crate) const HANDED_OVER: u32 = 1;

/// Seconds until an insurer is asked again, by how often it was; from the last on it stays so.
const WAITS: &[u64] = &[1, 2, 5, 10, 30, 60, 120, 300, 600];

impl Service {
    /// Hands a proposal over, or asks what was decided of one that was. Until it is decided the job goes on.
    ///
    /// # Errors
    /// [`Error`] of the store: the job is to be gone on with later.
    pub(crate) async fn work_on_decision(&self, lease: &Lease) -> Result<(), Error> {
        let (of, id) = (lease.job.of, ProposalId::from_uuid(lease.job.subject));
        let proposal = self.storage.proposal(of, id).await?;
        let Some(proposal) = proposal.filter(|proposal| proposal.status == ProposalStatus::Pending) else {
            self.storage.end_job(lease).await?;
            return Ok(());
        };
        let quote = self.quote_of(of, proposal.request.quote).await?;
        let quote = quote.ok_or_else(|| Error::Internal(format!("proposal {id} has lost its quote")))?;
        let catalogue = self.catalogue_version(quote.catalogue).await?;
        let insurer = catalogue.product_of(proposal.variant)?.insurer.id;
        let within = self.settings.recommendation_deadline;
        let answer = match self.insurer_to_ask(&catalogue, insurer) {
            None => Err(InsurerFault::no_connection()),
            Some(connection) if lease.step == NOT_HANDED_OVER => {
                let submission = Submission { proposal: &proposal, quote: &quote };
                in_time(within, connection.submit(submission, within)).await
            }
            Some(connection) => in_time(within, connection.decision(id, within)).await,
        };
        let step = match answer {
            Ok(InsurerDecision::Pending) => HANDED_OVER,
            Ok(InsurerDecision::Unknown) => NOT_HANDED_OVER,
            Ok(decision) => return self.decide_as_answered(insurer, &proposal, decision).await,
            Err(fault) => {
                note_fault(insurer, &fault);
                lease.step
            }
        };
        let due = self.clock.now() + wait(lease.attempt);
        self.storage.put_off(lease, PutOff { due, step, faults: lease.faults }).await?;
        Ok(())
    }

    /// Does what an insurer answered. Where somebody else was first, the log says whether they agree: an insurer that
    /// believes to insure what was rejected here must be spoken with.
    async fn decide_as_answered(
        &self,
        insurer: InsurerId,
        proposal: &Proposal,
        decision: InsurerDecision,
    ) -> Result<(), Error> {
        let (of, id) = (proposal.partner, proposal.id);
        match self.decided(of, id, decision.clone()).await {
            Err(Error::Refused(_)) => {}
            other => return other,
        }
        let stands = self.storage.proposal(of, id).await?.ok_or_else(|| unknown_proposal(id))?;
        if let Err(Error::Conflict(_)) = self.was_so_decided(&stands, &decision).await {
            let said =
                if matches!(decision, InsurerDecision::Accepted { .. }) { "accepted" } else { "rejected" };
            tracing::warn!(
                partner.id = %of,
                proposal.id = %id,
                proposal.status = %stands.status,
                insurer.id = %insurer,
                "proposal {id} is {} here, and its insurer {insurer} has {said} it: speak with them",
                stands.status
            );
        }
        Ok(())
    }

    /// Does what an insurer decided: the policy is issued or the proposal rejected, and its job ends, in one transaction.
    async fn decided(&self, of: PartnerId, id: ProposalId, decision: InsurerDecision) -> Result<(), Error> {
        let (next, reason, insurer_number) = match decision {
            InsurerDecision::Pending | InsurerDecision::Unknown => return Ok(()),
            InsurerDecision::Accepted { number } => (ProposalStatus::Completed, None, Some(number)),
            InsurerDecision::Rejected { reason } => (ProposalStatus::Rejected, reason, None),
        };
        let nothing = |_: &ProposalState| Vec::new();
        let mover = Mover { by: Actor::Insurer, reason, insurer_number };
        self.try_move(of, id, next, mover, &Answering::new(None, &nothing)).await.map(|_| ())
    }

    /// Whether it is an insurer of the running catalogue who tells us.
    pub fn is_insurer(&self, id: InsurerId, told: &IncomingMessage<'_>) -> bool {
        let running = self.catalogues.running();
        let connection = running.insurer(id).and_then(|insurer| self.connectors.connect(insurer));
        connection.is_some_and(|connection| connection.is_from(told))
    }

    /// The address that partners call, without a slash at its end.
    pub fn base_url(&self) -> &str {
        &self.settings.base_url
    }

    /// What stands in front of our paths in the address that others call, without a slash at its end; mostly nothing.
    pub fn base_path(&self) -> &str {
        path_of(&self.settings.base_url)
    }

    /// The present instant, by which what an insurer tells is judged.
    pub fn now(&self) -> Timestamp {
        self.clock.now()
    }

    /// Takes what an insurer tells of a proposal of its own. Telling the same again changes nothing.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a proposal that is not this insurer's to decide; [`Error::Conflict`] when it was decided
    /// otherwise or was never handed over.
    pub async fn hear_decision(
        &self,
        insurer: InsurerId,
        id: ProposalId,
        decision: InsurerDecision,
    ) -> Result<(), Error> {
        // A proposal is of one family: an id that one of them has, the other has not.
        if self.hear_health_decision(insurer, id, &decision).await?.is_some() {
            return Ok(());
        }
        let proposal = self.proposal_with_insurer(insurer, id).await?;
        match (proposal.status, &decision) {
            (ProposalStatus::Pending, _) => {
                match self.decided(proposal.partner, id, decision.clone()).await {
                    // Somebody else moved it meanwhile: what was told is judged by where it stands now.
                    Err(Error::Refused(_)) => {
                        let stands = self.proposal_with_insurer(insurer, id).await?;
                        self.was_so_decided(&stands, &decision).await
                    }
                    other => other,
                }
            }
            _ => self.was_so_decided(&proposal, &decision).await,
        }
    }

    async fn was_so_decided(&self, proposal: &Proposal, decision: &InsurerDecision) -> Result<(), Error> {
        let same = match (proposal.status, decision) {
            (ProposalStatus::Completed, InsurerDecision::Accepted { number }) => {
                let policy = self.policy_of(proposal).await?;
                let kept: Option<PolicyNumber> = policy.and_then(|policy| policy.insurer_number);
                kept.as_ref() == Some(number)
            }
            (ProposalStatus::Rejected, InsurerDecision::Rejected { .. }) => true,
            (ProposalStatus::Completed | ProposalStatus::Rejected, InsurerDecision::Pending) => true,
            _ => false,
        };
        match proposal.status {
            _ if same => Ok(()),
            ProposalStatus::Draft => Err(Error::Conflict("The proposal was not handed over yet.".into())),
            status => Err(Error::Conflict(format!(
                "The proposal is {status} already; what was told contradicts that."
            ))),
        }
    }

    /// A proposal whose product this insurer decides.
    async fn proposal_with_insurer(&self, insurer: InsurerId, id: ProposalId) -> Result<Proposal, Error> {
        let of = self.storage.partner_of_proposal(id).await?.ok_or_else(|| unknown_proposal(id))?;
        let proposal = self.storage.proposal(of, id).await?.ok_or_else(|| unknown_proposal(id))?;
        let quote = self.quote_of(proposal.partner, proposal.request.quote).await?;
        let quote = quote.ok_or_else(|| Error::Internal(format!("proposal {id} has lost its quote")))?;
        let catalogue = self.catalogue_version(quote.catalogue).await?;
        let product = catalogue.product_of(proposal.variant)?;
        if product.insurer.id == insurer && product.decision == Decision::Insurer {
            Ok(proposal)
        } else {
            Err(unknown_proposal(id))
        }
    }
}

/// How long until an insurer is asked again.
pub(crate) fn wait(attempt: u32) -> Duration {
    let at = (attempt.saturating_sub(1) as usize).min(WAITS.len() - 1);
    Duration::from_secs(WAITS[at])
}

/// The path of an address, without a slash at its end.
fn path_of(address: &str) -> &str {
    let (_, behind) = address.split_once("://").unwrap_or_default();
    behind.find('/').map_or("", |at| behind[at..].trim_end_matches('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_an_address_is_what_stands_behind_its_host() {
        for (address, path) in [
            ("https://cover.example", ""),
            ("https://cover.example/", ""),
            ("http://127.0.0.1:8080", ""),
            ("https://cover.example/partners", "/partners"),
            ("https://cover.example/a/b/", "/a/b"),
        ] {
            assert_eq!(path_of(address), path, "{address}");
        }
    }

    #[test]
    fn an_insurer_is_asked_ever_more_seldom_down_to_every_ten_minutes() {
        let waits: Vec<u64> = (1..12).map(|attempt| wait(attempt).as_secs()).collect();
        assert_eq!(waits, [1, 2, 5, 10, 30, 60, 120, 300, 600, 600, 600]);
    }
}
