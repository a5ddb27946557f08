//! Notices to insurers over HTTP about events of their policies (D90).
//!
//! A job sends the notices in the order of the events: issued, endorsed, claimed, cancelled. Each notice is
//! repeated until the insurer acknowledges it. Then the job asks the insurer for its decision about a waiting
//! cancellation or endorsement.

use std::sync::Arc;

use domain::claim::{Claim, ClaimState};
use domain::date::{Date, Timestamp};
use domain::endorsement::Endorsement;
use domain::id::{ClaimId, InsurerId, PolicyId};
use domain::line::Line;
use domain::money::Rupees;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::proposal::{Actor, Decision, Proposal};
use domain::statement::{RowKey, Transaction};
use rating::Catalogue;

use crate::decision::wait;
use crate::error::{Error, Result};
use crate::insurer::{
    InsurerFault, NoticeEvent, PolicyNotice, PolicyRequest, RequestDecision, Requested, in_time, note_fault,
};
use crate::line::{Covered, SoldLine, by_line};
use crate::policy::PolicyService;
use crate::policy::cancellation::CancellationService;
use crate::policy::endorsement::{EndorsementService, EndorsementVerdict};
use crate::shared::Shared;
use crate::storage::jobs::{Lease, PutOff};
use crate::storage::notices::Told;

/// Sends notices to insurers.
pub struct NoticeService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) policies: Arc<PolicyService>,
    pub(crate) cancellations: Arc<CancellationService>,
    pub(crate) endorsements: Arc<EndorsementService>,
}

/// Policy with all data that its notices need.
struct Subject<L: Line> {
    policy: Policy,
    /// Proposal of the policy, with the endorsements made so far.
    proposal: Proposal<L>,
    covered: Covered,
    claims: Vec<Claim>,
    insurer: InsurerId,
    /// Whether the insurer still gets notices. The catalogue may have changed since the job began.
    is_told: bool,
    /// Who decides requests about the policy, such as a cancellation.
    decision: Decision,
    /// Catalogue version with which the policy was sold.
    catalogue: Arc<Catalogue>,
}

impl NoticeService {
    /// Sends the notices that the insurer of a policy has not acknowledged yet. The job continues until all
    /// notices are acknowledged.
    ///
    /// # Errors
    /// [`Error`] of the store; the job continues later.
    pub(crate) async fn work_on(&self, lease: &Lease) -> Result<()> {
        let (of, id) = (lease.job.of, PolicyId::from_uuid(lease.job.subject));
        match self.shared.storage.policy(of, id).await? {
            Some(policy) => by_line!(policy.line(), L => self.work_on_one::<L>(policy, lease).await),
            None => self.shared.storage.end_job(lease).await.map(|_| ()).map_err(Error::from),
        }
    }

    async fn work_on_one<L: SoldLine>(&self, policy: Policy, lease: &Lease) -> Result<()> {
        let Some(subject) = self.subject::<L>(policy).await? else {
            self.shared.storage.end_job(lease).await?;
            return Ok(());
        };
        if !subject.is_told {
            self.shared.storage.end_job(lease).await?;
            return Ok(());
        }
        let mut told = self.shared.storage.told(lease.job.of, subject.policy.id).await?;
        while let Some((event, next)) = subject.next(told) {
            let notice = id_of(subject.policy.id, &subject.policy, &event);
            if let Err(fault) = self.tell(&subject, event).await {
                tracing::warn!(policy.id = %subject.policy.id, "insurer {} did not accept notice {notice}: {fault}", subject.insurer);
                return self.go_on_later(lease).await;
            }
            told = next;
            if !self.shared.storage.keep_told(lease, told).await? {
                // The policy changed meanwhile, or another worker continues the job.
                return Ok(());
            }
        }
        if let Some(wanted) = subject.wanted(self.shared.partner_clock.today(lease.job.of)) {
            let id = subject.policy.id;
            let decision = match self.ask(&subject, wanted).await {
                Ok(decision) => decision,
                Err(fault) => {
                    note_fault(subject.insurer, &fault);
                    RequestDecision::Pending
                }
            };
            if decision == RequestDecision::Pending {
                return self.go_on_later(lease).await;
            }
            if !self.decided(id, wanted, decision).await? {
                return self.go_on_later(lease).await;
            }
        }
        // If the policy changed meanwhile, the lease was lost, and the job continues.
        self.shared.storage.end_job(lease).await?;
        Ok(())
    }

    async fn go_on_later(&self, lease: &Lease) -> Result<()> {
        let due = self.shared.partner_clock.real() + wait(lease.attempt);
        self.shared.storage.put_off(lease, PutOff { due, step: 0, faults: lease.faults }).await?;
        Ok(())
    }

    /// Applies an insurer's decision about a request. If this is impossible, a warning is logged, and the
    /// operator decides. Returns `false` if the insurer must be asked again, because it has not decided yet
    /// or another change of the policy came in between.
    async fn decided(&self, id: PolicyId, wanted: Requested<'_>, decision: RequestDecision) -> Result<bool> {
        let (confirms, reason) = match decision {
            RequestDecision::Pending => return Ok(false),
            RequestDecision::Confirmed => (true, None),
            RequestDecision::Refused { reason } => (false, reason),
        };
        let done = match (wanted, confirms) {
            (Requested::Cancellation(asked), _) => {
                let asked = Some(asked.asked_at);
                self.cancellations.decide(id, asked, Actor::Insurer, confirms, reason).await.map(|_| ())
            }
            (Requested::Endorsement(asked), confirms) => {
                let verdict = match confirms {
                    true => EndorsementVerdict::Confirm(None),
                    false => EndorsementVerdict::Refuse(reason),
                };
                let asked = Some(asked.number);
                self.endorsements.decide(id, asked, Actor::Insurer, verdict).await.map(|_| ())
            }
        };
        match done {
            Ok(()) => Ok(true),
            Err(why @ (Error::Conflict(_) | Error::Refused(_) | Error::NotEndorsable(_))) => {
                tracing::warn!(policy.id = %id, "the insurer's decision on policy {id} waits for the operator: {why}");
                Ok(!matches!(why, Error::Conflict(_)))
            }
            Err(fault) => Err(fault),
        }
    }

    /// Data for a policy's notices. `None` for an imported policy.
    async fn subject<L: SoldLine>(&self, policy: Policy) -> Result<Option<Subject<L>>> {
        let (Some(id), Some(hash)) = (policy.proposal, policy.cover.catalogue()) else {
            return Ok(None);
        };
        let proposal = L::storage(self.shared.storage.as_ref()).proposal(policy.partner, id).await?;
        let lost = || Error::Internal(format!("the proposal of {} is missing", policy.id));
        let proposal = proposal.ok_or_else(lost)?;
        let application = policy.endorsed::<L>(&proposal.application);
        let catalogue = self.shared.catalogues.version(hash).await?;
        let covered = L::covered(&policy, Some(&proposal), Some(&catalogue))?;
        let Some(product) = self.policies.sold_as(&covered) else { return Ok(None) };
        let claims = match policy.claims.is_empty() {
            true => Vec::new(),
            false => self.shared.storage.claims_on(policy.partner, policy.id).await?,
        };
        let proposal = Proposal { application, premium: policy.premium, ..proposal };
        let (insurer, decision) = (product.insurer.id, product.decision);
        let is_told = self.shared.catalogues.is_told(&product.insurer);
        Ok(Some(Subject { policy, proposal, covered, claims, insurer, is_told, decision, catalogue }))
    }

    async fn tell<L: SoldLine>(
        &self,
        subject: &Subject<L>,
        event: NoticeEvent<'_>,
    ) -> Result<(), InsurerFault> {
        let Subject { policy, proposal, covered, insurer, catalogue, .. } = subject;
        let notice = PolicyNotice {
            id: id_of(policy.id, policy, &event),
            at: instant_of(policy, &event),
            event,
            policy,
            covered,
            submission: L::submission(proposal),
        };
        let connection = self.shared.connections.to_ask(policy.partner, catalogue, *insurer);
        let connection = connection.ok_or_else(InsurerFault::no_connection)?;
        in_time(
            self.shared.settings.insurer_deadline,
            connection.tell(notice, self.shared.settings.insurer_deadline),
        )
        .await
    }
}

impl NoticeService {
    /// Asks the insurer of a policy for its decision about a request.
    async fn ask<L: SoldLine>(
        &self,
        subject: &Subject<L>,
        wanted: Requested<'_>,
    ) -> Result<RequestDecision, InsurerFault> {
        let Subject { policy, proposal, covered, insurer, catalogue, .. } = subject;
        let mut proposal = proposal.clone();
        let (id, at) = match wanted {
            // A refused cancellation may be requested again, so the id includes the time of the request.
            Requested::Cancellation(one) => {
                (format!("ASK-CANCEL-{}-{}", policy.id, one.asked_at.as_microsecond()), one.asked_at)
            }
            Requested::Endorsement(one) => {
                L::endorse(&mut proposal.application, &one.change);
                (format!("ASK-ENDORSE-{}-{}", policy.id, one.number), one.asked_at)
            }
        };
        let request = PolicyRequest { id, wanted, at, policy, covered, submission: L::submission(&proposal) };
        let connection = self.shared.connections.to_ask(policy.partner, catalogue, *insurer);
        let connection = connection.ok_or_else(InsurerFault::no_connection)?;
        in_time(
            self.shared.settings.insurer_deadline,
            connection.decide(request, self.shared.settings.insurer_deadline),
        )
        .await
    }
}

impl<L: Line> Subject<L> {
    /// Request that the insurer must decide, if any. A request with a charge waits for the operator, who
    /// records the payment.
    fn wanted(&self, today: Date) -> Option<Requested<'_>> {
        let policy = &self.policy;
        let cancellation = policy.cancellation.as_ref();
        let cancellation = cancellation.filter(|_| policy.state == PolicyState::CancellationRequested);
        let is_free = |open: &&Endorsement| open.charge.total() == Rupees::ZERO;
        let endorsement = policy.open_endorsement().filter(is_free);
        let endorsement = endorsement.filter(|_| policy.state_on(today) == PolicyState::Issued);
        let wanted = cancellation.map(Requested::Cancellation);
        wanted.or(endorsement.map(Requested::Endorsement)).filter(|_| self.decision == Decision::Insurer)
    }

    /// Next notice to send, with the progress after it. The issue of the policy comes first, the cancellation
    /// last, and other events by time.
    fn next(&self, told: Told) -> Option<(NoticeEvent<'_>, Told)> {
        if !told.issued {
            return Some((NoticeEvent::Issued, Told { issued: true, ..told }));
        }
        let policy = &self.policy;
        let endorsement = policy.made_endorsements().nth(told.endorsements.into()).map(NoticeEvent::Endorsed);
        let of = |id: &ClaimId| self.claims.iter().find(|claim| claim.id == *id);
        let claim = policy.claims.get(usize::from(told.claims)).and_then(of).map(NoticeEvent::Claimed);
        let known = policy.claims.iter().take(told.claims.into()).filter_map(of);
        let mut withdrawn: Vec<&Claim> = known.filter(|claim| claim.state == ClaimState::Withdrawn).collect();
        withdrawn.sort_by_key(|claim| (claim.changed_at, claim.id));
        let withdrawn =
            withdrawn.get(usize::from(told.withdrawn)).map(|claim| NoticeEvent::ClaimWithdrawn(claim));
        let first = [endorsement, claim, withdrawn].into_iter().flatten();
        let first = first.min_by_key(|event| instant_of(policy, event));
        let cancellation = || {
            let is_told = policy.state != PolicyState::Cancelled || told.cancelled;
            policy.cancellation.as_ref().filter(|_| !is_told).map(NoticeEvent::Cancelled)
        };
        let event = first.or_else(cancellation)?;
        let told = match event {
            NoticeEvent::Issued => Told { issued: true, ..told },
            NoticeEvent::Endorsed(_) => Told { endorsements: told.endorsements + 1, ..told },
            NoticeEvent::Claimed(_) => Told { claims: told.claims + 1, ..told },
            NoticeEvent::ClaimWithdrawn(_) => Told { withdrawn: told.withdrawn + 1, ..told },
            NoticeEvent::Cancelled(_) => Told { cancelled: true, ..told },
        };
        Some((event, told))
    }
}

/// Id of a notice: the id of the bordereau's row for the same event. For a claim, the id is made from the
/// claim's id.
fn id_of(policy: PolicyId, of: &Policy, event: &NoticeEvent<'_>) -> String {
    let key = |transaction, nth| RowKey { policy, transaction, nth }.to_string();
    match event {
        NoticeEvent::Issued => key(Transaction::New, 0),
        NoticeEvent::Endorsed(made) => key(Transaction::Endorse, nth_of(of, made)),
        NoticeEvent::Claimed(claim) => format!("CLAIM-{}", claim.id),
        NoticeEvent::ClaimWithdrawn(claim) => format!("WITHDRAWN-{}", claim.id),
        NoticeEvent::Cancelled(_) => key(Transaction::Cancel, 0),
    }
}

/// Number of an endorsement among the endorsements that were made, from 1.
fn nth_of(policy: &Policy, made: &Endorsement) -> u16 {
    let nth = policy.made_endorsements().position(|other| other.number == made.number).unwrap_or_default();
    u16::try_from(nth + 1).unwrap_or(u16::MAX)
}

/// Time of an event.
fn instant_of(policy: &Policy, event: &NoticeEvent<'_>) -> Timestamp {
    match event {
        NoticeEvent::Issued => policy.issued_at,
        NoticeEvent::Endorsed(made) => made.decided_at.unwrap_or(made.asked_at),
        NoticeEvent::Claimed(claim) => claim.created_at,
        NoticeEvent::ClaimWithdrawn(claim) => claim.changed_at,
        NoticeEvent::Cancelled(_) => policy.changed_at,
    }
}
