//! Sandbox of a test partner: clock, simulated decisions, sample events, removal of its data (D97).

use std::sync::Arc;
use std::time::Duration;

use domain::claim::{Claim, ClaimState, WaivedPaper};
use domain::date::{Date, Timestamp};
use domain::endorsement::ChargePayment;
use domain::event::{EventData, EventFamily, EventObject, EventType};
use domain::id::{ClaimId, EventId, PartnerId, PolicyId, ProposalId, QuoteId, SessionId, Uuid};
use domain::line::LineOfBusiness;
use domain::money::Rupees;
use domain::partner::Partner;
use domain::person::PersonalLine;
use domain::policy_state::PolicyState;
use domain::premium::PaymentReference;
use domain::proposal::Actor;
use domain::text::FromText;
use tokio::time::Instant;

use crate::claim::ClaimService;
use crate::claim::settlement::{ClaimPaid, ClaimVerdict};
use crate::clock::Ids;
use crate::error::{Error, Result};
use crate::policy::PolicyService;
use crate::policy::cancellation::CancellationService;
use crate::policy::endorsement::{EndorsementService, EndorsementVerdict};
use crate::proposal::operator::{OperatorDecision, OperatorProposalService, Verdict};
use crate::proposal::unknown_proposal;
use crate::shared::Shared;
use crate::storage::partners::ClockChange;
use crate::work::calendar::CalendarService;

/// Longest time by which a test partner's clock can be moved at once.
pub const LONGEST_ADVANCE: Duration = Duration::from_hours(400 * 24);

/// Longest time that a test partner's clock can be ahead of the real time. Policies of thirty years end
/// within it.
pub const FURTHEST_AHEAD: Duration = Duration::from_hours(40 * 366 * 24);

/// How long a move of the clock waits for the work that becomes due.
const SETTLED_WITHIN: Duration = Duration::from_secs(20);

/// Interval in which a move of the clock checks whether that work is done.
const LOOK: Duration = Duration::from_millis(25);

/// Records of a kind that are removed in one transaction.
const FORGOTTEN_AT_ONCE: usize = 500;

/// Clock of a test partner, which can be ahead of the real time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SandboxClock {
    /// Time of the test partner's clock.
    pub now: Timestamp,
    /// Real time.
    pub real: Timestamp,
    /// How far the test partner's clock is ahead of the real time.
    pub ahead: Duration,
}

/// Result of moving a test partner's clock forward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Advanced {
    /// The test partner's clock after the move.
    pub clock: SandboxClock,
    /// Number of calendar events that the move of the clock caused.
    pub told: u64,
    /// Whether all work that became due is done. If not, the work continues after the response.
    pub is_settled: bool,
}

/// Decision about a claim in a sandbox.
#[derive(Debug, Clone)]
pub enum ClaimDecision {
    /// The insurer decides the claim.
    Stands(ClaimVerdict),
    /// The insurer pays the claim, with the amount that is owed today.
    Paid,
}

/// Which request about a policy was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PolicyDecided {
    /// State of the policy after the decision about its cancellation.
    Cancellation(PolicyState),
    /// Number of the decided endorsement.
    Endorsement(u16),
}

/// Simulates customers, insurers and the operator for test partners. Live partners are refused.
pub struct SandboxService {
    pub(crate) shared: Arc<Shared>,
    pub(crate) calendar: Arc<CalendarService>,
    pub(crate) proposals: Arc<OperatorProposalService>,
    pub(crate) claims: Arc<ClaimService>,
    pub(crate) policies: Arc<PolicyService>,
    pub(crate) cancellations: Arc<CancellationService>,
    pub(crate) endorsements: Arc<EndorsementService>,
}

impl SandboxService {
    /// Test partner of a request.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a live partner.
    pub fn enter(&self, of: PartnerId) -> Result<Partner> {
        let partner = self.shared.directory.partner(of).filter(Partner::is_test);
        partner.ok_or_else(|| Error::Unknown { what: "sandbox", id: String::new() })
    }

    /// Clock of a test partner.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a live partner.
    pub fn clock(&self, of: PartnerId) -> Result<SandboxClock> {
        let ahead = self.enter(of)?.sandbox.map(|sandbox| sandbox.ahead).unwrap_or_default();
        Ok(SandboxClock {
            now: self.shared.partner_clock.now(of),
            real: self.shared.partner_clock.real(),
            ahead,
        })
    }

    /// Moves the clock of a test partner forward. Waits until the jobs that become due are done, but not much
    /// longer than 20 seconds, then makes the calendar events. [`Advanced::is_settled`] says whether all jobs
    /// are done.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a live partner; [`Error::Invalid`] if the move is too long, or the clock would
    /// be too far ahead.
    pub async fn advance(&self, of: PartnerId, by: Duration) -> Result<Advanced> {
        let partner = self.enter(of)?;
        let ahead = partner.sandbox.map(|sandbox| sandbox.ahead).unwrap_or_default();
        if by > LONGEST_ADVANCE {
            return Err(Error::invalid("advance", "Must be at most 400 days at once."));
        }
        if ahead.saturating_add(by) > FURTHEST_AHEAD {
            return Err(Error::invalid(
                "advance",
                "The clock would be more than 40 years ahead. Remove the test data to start again.",
            ));
        }
        // The calendar must have begun, so that the days of this move cause events.
        self.calendar.begin(of).await?;
        let unknown = || Error::Unknown { what: "partner", id: of.to_string() };
        let is_changed = self.shared.storage.change_partner(&partner, ClockChange::Advance(by)).await?;
        is_changed.then_some(()).ok_or_else(unknown)?;
        self.shared.directory.refresh().await?;
        let is_settled = self.settle(of).await?;
        let told = self.calendar.tell(of).await?;
        Ok(Advanced { clock: self.clock(of)?, told, is_settled })
    }

    /// Makes the waiting jobs of a partner due, and waits until they are done. Returns `false` if they take
    /// too long.
    async fn settle(&self, of: PartnerId) -> Result<bool> {
        let begun = Instant::now();
        self.shared.storage.hurry_jobs(of, self.shared.partner_clock.real()).await?;
        while self.shared.storage.jobs_at_work(of, self.shared.partner_clock.real()).await? > 0 {
            if begun.elapsed() > SETTLED_WITHIN {
                return Ok(false);
            }
            self.shared.job_signal.wake_workers();
            tokio::time::sleep(LOOK).await;
        }
        Ok(true)
    }

    /// Decides a proposal of a test partner, as its insurer or the operator would.
    ///
    /// # Errors
    /// [`Error::Unknown`]; the errors of [`OperatorProposalService::decide`].
    pub async fn decide_proposal(
        &self,
        of: PartnerId,
        id: ProposalId,
        verdict: Verdict,
    ) -> Result<OperatorDecision> {
        self.enter(of)?;
        let (owner, _) = self.proposals.owner(id).await?;
        (owner == of).then_some(()).ok_or_else(|| unknown_proposal(id))?;
        self.proposals.decide(id, verdict).await
    }

    /// Decides a claim of a test partner, as its insurer would.
    ///
    /// # Errors
    /// [`Error::Unknown`]; the errors of [`ClaimService::decide`] and [`ClaimService::paid`].
    pub async fn decide_claim(&self, of: PartnerId, id: ClaimId, decision: ClaimDecision) -> Result<Claim> {
        self.enter(of)?;
        let claim = self.claims.find(of, id).await?;
        match decision {
            ClaimDecision::Stands(verdict) => self.claims.decide(id, Actor::Insurer, verdict).await,
            ClaimDecision::Paid => {
                let reference = test_payment(id.to_string())?;
                let paid_on = self.shared.partner_clock.today(of);
                let reason = PersonalLine::kept("The sandbox pays without documents".into());
                let waive = |paper| WaivedPaper { paper, reason: reason.clone() };
                let waived = self.claims.missing_papers(&claim).await?.into_iter().map(waive).collect();
                let payment =
                    ClaimPaid { reference, paid_on, amount: None, payee: None, transfer_total: None, waived };
                self.claims.paid(id, Actor::Insurer, payment).await
            }
        }
    }

    /// Confirms or refuses the open request about a test partner's policy: its cancellation, or else its
    /// endorsement. A confirmation also pays the endorsement's charge.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] if there is no request; the errors of
    /// [`CancellationService::decide`] and [`EndorsementService::decide`].
    pub async fn decide_policy(
        &self,
        of: PartnerId,
        id: PolicyId,
        confirms: bool,
        reason: Option<PersonalLine>,
    ) -> Result<PolicyDecided> {
        self.enter(of)?;
        let policy = self.policies.find(of, id).await?;
        let (state, charge) = (policy.state, policy.open_endorsement().map(|open| open.charge.total()));
        if state == PolicyState::CancellationRequested {
            let state = self.cancellations.decide(id, None, Actor::Insurer, confirms, reason).await?;
            return Ok(PolicyDecided::Cancellation(state));
        }
        let verdict = match confirms {
            true => EndorsementVerdict::Confirm(match charge.filter(|charge| *charge > Rupees::ZERO) {
                None => None,
                Some(_) => Some(ChargePayment {
                    reference: test_payment(id.to_string())?,
                    received_on: self.shared.partner_clock.today(of),
                }),
            }),
            false => EndorsementVerdict::Refuse(reason),
        };
        let (number, _) = self.endorsements.decide(id, None, Actor::Insurer, verdict).await?;
        Ok(PolicyDecided::Endorsement(number))
    }

    /// Adds a sample event of a type, about a subject that does not exist. The event is delivered like every
    /// other event.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a live partner.
    pub async fn fire(&self, of: PartnerId, kind: EventType) -> Result<EventId> {
        self.enter(of)?;
        let now = self.shared.partner_clock.now(of);
        let subject = match kind.family().object() {
            EventObject::Credential | EventObject::Catalogue => of.uuid(),
            _ => self.shared.ids.uuid(),
        };
        let event = self.shared.events().make(
            kind,
            now,
            subject,
            sample(kind, self.shared.partner_clock.today(of), &self.shared.ids),
        );
        self.shared.storage.add_event(of, &event).await?;
        Ok(event.id)
    }

    /// Removes the data of a test partner, and resets its clock to the real time. The secrets, tokens and
    /// endpoints stay. Returns the number of removed records, and whether no more are left. If some are left,
    /// call it again.
    ///
    /// # Errors
    /// [`Error::Unknown`] for a live partner.
    pub async fn forget(&self, of: PartnerId) -> Result<(usize, bool)> {
        let partner = self.enter(of)?;
        let (begun, mut forgotten) = (Instant::now(), 0);
        loop {
            let some = self.shared.storage.forget_test_data(of, FORGOTTEN_AT_ONCE).await?;
            forgotten += some;
            if some == 0 {
                break;
            }
            if begun.elapsed() > SETTLED_WITHIN {
                return Ok((forgotten, false));
            }
        }
        self.shared.storage.change_partner(&partner, ClockChange::Reset).await?;
        self.shared.directory.refresh().await?;
        tracing::info!(partner.id = %of, "the test data of partner {of} were removed: {forgotten} records");
        Ok((forgotten, true))
    }
}

fn test_payment(of: String) -> Result<PaymentReference> {
    let reference = PaymentReference::from_text(&format!("TEST-{of}"));
    reference.map_err(|_| Error::Internal("the reference of a test payment is invalid".into()))
}

/// Data of a sample event.
fn sample(kind: EventType, today: Date, ids: &Ids) -> EventData {
    let status = match kind {
        EventType::ProposalCreated | EventType::ProposalReplaced => "DRAFT",
        EventType::ProposalSubmitted => "PENDING",
        EventType::ProposalUnderReview => "UNDERWRITING",
        EventType::ProposalReferred => "OFFLINE",
        EventType::ProposalCompleted => "COMPLETED",
        EventType::ProposalRejected | EventType::ClaimRejected => "REJECTED",
        EventType::ProposalCancelled | EventType::PolicyCancelled => "CANCELLED",
        EventType::PremiumReceived => "matched",
        EventType::PremiumMismatch => "mismatch",
        EventType::PremiumReversed => "reversed",
        EventType::PolicyCancellationRequested => "CANCELLATION_REQUESTED",
        EventType::PolicyRenewed => "RENEWED",
        EventType::PolicyExpired => "EXPIRED",
        EventType::PolicyLapsed => "LAPSED",
        EventType::PolicyTerminated => "TERMINATED",
        EventType::EndorsementRequested => "REQUESTED",
        EventType::EndorsementApplied => "MADE",
        EventType::EndorsementRefused => "REFUSED",
        EventType::ClaimIntimated => ClaimState::Intimated.word(),
        EventType::ClaimUnderReview | EventType::ClaimPapersAsked => ClaimState::UnderAssessment.word(),
        EventType::ClaimApproved | EventType::ClaimPartPaid => ClaimState::Approved.word(),
        EventType::ClaimPaid => ClaimState::Paid.word(),
        EventType::ClaimWithdrawn => ClaimState::Withdrawn.word(),
        EventType::EndpointDisabled => "disabled",
        EventType::EndpointFailing | EventType::EndpointPing => "enabled",
        EventType::PolicyIssued
        | EventType::PolicyCancellationRefused
        | EventType::PolicyRenewalDue
        | EventType::RefundDue
        | EventType::RefundPaid
        | EventType::RecommendationCompleted
        | EventType::JourneyApplied
        | EventType::JourneyExpired
        | EventType::StatementReady
        | EventType::StatementPaid
        | EventType::CatalogueChanged
        | EventType::CredentialAdded
        | EventType::CredentialRevoked => "ISSUED",
    };
    let what = match kind.family() {
        EventFamily::Endorsement => Some("NOMINEE"),
        EventFamily::Claim => Some("DEATH"),
        EventFamily::Statement => Some("commission"),
        EventFamily::Endpoint if kind == EventType::EndpointDisabled => Some("failing"),
        _ => None,
    };
    let is_paid = matches!(kind, EventType::RefundPaid | EventType::ClaimPaid | EventType::StatementPaid);
    let is_payment = kind.family() == EventFamily::Premium;
    let uuid = || -> Uuid { ids.uuid() };
    EventData {
        status: Some(status.to_owned()),
        moved_by: Some(Actor::Service),
        line: Some(LineOfBusiness::CreditLife),
        quote: Some(QuoteId::from_uuid(uuid())),
        proposal: Some(ProposalId::from_uuid(uuid())),
        policy: match kind.family() {
            EventFamily::Policy if kind != EventType::PolicyRenewed => None,
            _ => Some(PolicyId::from_uuid(uuid())),
        },
        session: Some(SessionId::from_uuid(uuid())),
        number: Some("TEST-0001".into()),
        kind: what.map(str::to_owned),
        nth: Some(1),
        amount: Some(Rupees::whole(1180)),
        due_on: Some(today),
        until: Some(today),
        paid_on: (is_paid || is_payment).then_some(today),
        month: Some(today.strftime("%Y-%m").to_string()),
        priced: Some((3, 1)),
        ..EventData::default()
    }
}
