//! Events that tell partners about changes (D95).
//!
//! A change stores its events in its own transaction. Only this module makes events.
//!
//! Uses `error`, `line`, `outside`, `shared`.
//!

pub mod delivery;
pub mod webhook;

use std::sync::Arc;
use std::time::Duration;

use domain::claim::{Claim, ClaimState};
use domain::credit_life::ProposalStatus;
use domain::date::{Timestamp, day_of};
use domain::endorsement::{Endorsement, EndorsementState};
use domain::event::{Event, EventData, EventType};
use domain::health_quote::HealthQuote;
use domain::id::{EventId, InsurerId, PartnerId, ProposalId, Uuid};
use domain::identifier::Reference;
use domain::journey::Journey;
use domain::line::{LineOfBusiness, ProposalState, QuotedVariant};
use domain::money::Rupees;
use domain::policy::Policy;
use domain::policy_state::PolicyState;
use domain::premium::Receipt;
use domain::proposal::{Actor, Move, Proposal};
use domain::refund::OwedRefund;
use domain::statement::{Recipient, Statement};
use rating::Catalogue;

use crate::clock::Ids;
use crate::error::{Error, Result};
use crate::line::{SoldLine, genuine};
use crate::shared::Shared;
use crate::shared::partner_clock::PartnerClock;
use crate::storage::events::{CountedSale, EventPage, EventQuery, NewEvent};
use crate::traces;

/// Retention period of events.
pub const KEPT_FOR: Duration = Duration::from_hours(30 * 24);

/// Most events that are removed at once.
const FORGOTTEN_AT_ONCE: usize = 500;

/// Makes the events of changes.
pub(crate) struct EventMaker {
    ids: Ids,
    partners: PartnerClock,
    catalogue: Arc<Catalogue>,
}

impl Shared {
    /// Event maker with the running catalogue.
    pub(crate) fn events(&self) -> EventMaker {
        EventMaker {
            ids: self.ids.clone(),
            partners: self.partner_clock.clone(),
            catalogue: self.catalogues.running(),
        }
    }
}

impl EventMaker {
    /// Makes an event. If a test partner's clock is ahead, the event has the real time, and `by_its_clock`
    /// has the time of the partner's clock.
    pub(crate) fn make(&self, kind: EventType, at: Timestamp, subject: Uuid, data: EventData) -> NewEvent {
        let now = self.ids.now();
        let ahead = (at > now).then_some(at);
        let trace = traces::current().map(|context| context.to_string());
        let data = EventData { by_its_clock: ahead, trace, ..data };
        NewEvent { id: EventId::from_uuid(self.ids.next()), kind, at: at.min(now), subject, data, sale: None }
    }

    /// Labels events with a policy's line and insurer, for metrics.
    fn of_sale(&self, policy: &Policy, events: Vec<NewEvent>) -> Vec<NewEvent> {
        let genuine = genuine(&policy.cover, &self.catalogue).ok().flatten();
        let insurer = genuine.map(|genuine| genuine.product.insurer.id);
        self.counted(policy.partner, (policy.line(), insurer), events)
    }

    fn counted(
        &self,
        of: PartnerId,
        (line, insurer): (LineOfBusiness, Option<InsurerId>),
        events: Vec<NewEvent>,
    ) -> Vec<NewEvent> {
        let sale = (!self.partners.is_test(of)).then_some(CountedSale { line, insurer });
        events.into_iter().map(|event| NewEvent { sale, ..event }).collect()
    }

    /// Events for the status changes of a proposal. `issued` is the policy that they issued, if any.
    pub(crate) fn of_proposal<L: SoldLine>(
        &self,
        proposal: &Proposal<L>,
        moves: &[Move<L::Status>],
        issued: Option<&Policy>,
        replaced_at: Option<Timestamp>,
    ) -> Vec<NewEvent> {
        let quote = match L::quoted(&proposal.application) {
            QuotedVariant::Here(quote, _) => Some(quote),
            QuotedVariant::Elsewhere { .. } => None,
        };
        let data = || EventData {
            line: Some(L::LINE),
            quote,
            reference: proposal.reference.clone(),
            amount: Some(proposal.premium.total()),
            ..EventData::default()
        };
        let of_move = |made: &Move<L::Status>| {
            let data = EventData {
                status: Some(made.to.word().to_owned()),
                previous_status: made.from.map(|from| from.word().to_owned()),
                moved_by: Some(made.by),
                policy: issued.filter(|_| made.to == L::Status::ISSUED).map(|policy| policy.id),
                ..data()
            };
            self.make(L::event(made.to), made.at, proposal.id.uuid(), data)
        };
        let of_draft = |at| {
            let (status, moved_by) = (Some(ProposalStatus::Draft.word().to_owned()), Some(Actor::Partner));
            let data = EventData { status, moved_by, ..data() };
            self.make(EventType::ProposalReplaced, at, proposal.id.uuid(), data)
        };
        let mut events: Vec<NewEvent> =
            replaced_at.map(of_draft).into_iter().chain(moves.iter().map(of_move)).collect();
        if let (Some(policy), Some(last)) = (issued, moves.last()) {
            let data = EventData { moved_by: Some(last.by), ..of_policy(policy) };
            events.push(self.make(EventType::PolicyIssued, last.at, policy.id.uuid(), data));
        }
        let insurer = L::product(&self.catalogue, proposal).ok().map(|product| product.insurer.id);
        self.counted(proposal.partner, (L::LINE, insurer), events)
    }

    /// Events for the changes between two versions of a policy: status changes, endorsements, refunds.
    pub(crate) fn of_policy(
        &self,
        before: &Policy,
        after: &Policy,
        moves: &[Move<PolicyState>],
        at: Timestamp,
    ) -> Vec<NewEvent> {
        let make = |kind, data| self.make(kind, at, after.id.uuid(), data);
        let mut events = Vec::new();
        for (nth, now) in after.endorsements.iter().enumerate() {
            let then = before.endorsements.get(nth);
            let data = || of_endorsement(after, now);
            if then.is_none() {
                let requested = EndorsementState::Requested.word().to_owned();
                let data = EventData { status: Some(requested), moved_by: Some(now.asked_by), ..data() };
                events.push(make(EventType::EndorsementRequested, data));
            }
            if then.is_none_or(Endorsement::is_open) {
                match now.state {
                    EndorsementState::Requested => {}
                    EndorsementState::Made => events.push(make(EventType::EndorsementApplied, data())),
                    EndorsementState::Refused => events.push(make(EventType::EndorsementRefused, data())),
                }
            }
        }
        for made in moves {
            let data = EventData {
                status: Some(made.to.word().to_owned()),
                previous_status: made.from.map(|from| from.word().to_owned()),
                moved_by: Some(made.by),
                policy: after.renewed_by,
                ..of_policy(after)
            };
            if let Some(kind) = of_state(made.to) {
                events.push(make(kind, data));
            }
        }
        let mut earlier: Vec<&OwedRefund> = before.refunds().collect();
        for refund in after.refunds() {
            let same = |then: &&OwedRefund| (then.amount, then.due_on) == (refund.amount, refund.due_on);
            let then = earlier.iter().position(same).map(|nth| earlier.swap_remove(nth));
            let data = EventData {
                amount: Some(refund.of_insured()),
                due_on: Some(refund.due_on),
                paid_on: refund.paid.as_ref().map(|paid| paid.paid_on),
                ..of_policy(after)
            };
            match then {
                None if refund.of_insured() > Rupees::ZERO => {
                    events.push(make(EventType::RefundDue, data));
                }
                Some(then) if then.paid.is_none() && refund.paid.is_some() => {
                    events.push(make(EventType::RefundPaid, data));
                }
                _ => {}
            }
        }
        self.of_sale(after, events)
    }

    /// Event of a journey that has ended.
    pub(crate) fn of_journey(&self, kind: EventType, journey: &Journey, at: Timestamp) -> NewEvent {
        let answers = &journey.answers;
        let data = EventData {
            session: Some(journey.session),
            proposal: answers.proposal,
            quote: answers.quote,
            reference: journey.user.as_ref().and_then(|user| Reference::of(user.reveal())),
            ..EventData::default()
        };
        self.make(kind, at, journey.id, data)
    }

    /// Event that a policy's calendar causes: a renewal reminder, the policy's end, or the end of its grace
    /// period.
    pub(crate) fn of_calendar(
        &self,
        kind: EventType,
        policy: &Policy,
        (status, previous): (PolicyState, Option<PolicyState>),
        days_left: Option<u16>,
        at: Timestamp,
    ) -> NewEvent {
        let data = EventData {
            status: Some(status.word().to_owned()),
            previous_status: previous.map(|state| state.word().to_owned()),
            moved_by: Some(Actor::Service),
            nth: days_left.map(u32::from),
            due_on: Some(policy.last_day()),
            until: policy.renewable_until,
            ..of_policy(policy)
        };
        self.make(kind, at, policy.id.uuid(), data)
    }

    /// Event with the number of plans that a partner may sell now.
    pub(crate) fn of_catalogue(
        &self,
        of: PartnerId,
        credit_life: usize,
        health: usize,
        at: Timestamp,
    ) -> NewEvent {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let data = EventData { priced: Some((count(credit_life), count(health))), ..EventData::default() };
        self.make(EventType::CatalogueChanged, at, of.uuid(), data)
    }

    /// Events for the status changes of a claim, including its first notice. `unmoved`: event for a change that leaves
    /// the status, with its time.
    pub(crate) fn of_claim(
        &self,
        policy: &Policy,
        claim: &Claim,
        moves: &[Move<ClaimState>],
        unmoved: Option<(EventType, Timestamp)>,
    ) -> Vec<NewEvent> {
        let data = || EventData {
            line: Some(claim.line),
            policy: Some(claim.policy),
            kind: Some(claim.notice.kind.word().to_owned()),
            amount: claim.payable(),
            paid_on: claim.paid.as_ref().map(|paid| paid.paid_on),
            reference: claim.reference.clone(),
            ..EventData::default()
        };
        let of_move = |made: &Move<ClaimState>| {
            let data = EventData {
                status: Some(made.to.word().to_owned()),
                previous_status: made.from.map(|from| from.word().to_owned()),
                moved_by: Some(made.by),
                ..data()
            };
            let kind = match made.to {
                ClaimState::Intimated => EventType::ClaimIntimated,
                ClaimState::UnderAssessment | ClaimState::UnderInvestigation => EventType::ClaimUnderReview,
                ClaimState::Approved => EventType::ClaimApproved,
                ClaimState::Paid => EventType::ClaimPaid,
                ClaimState::Rejected | ClaimState::Repudiated => EventType::ClaimRejected,
                ClaimState::Withdrawn => EventType::ClaimWithdrawn,
            };
            self.make(kind, made.at, claim.id.uuid(), data)
        };
        let of_change = |(kind, at): (EventType, Timestamp)| {
            let status = Some(claim.state.word().to_owned());
            let data = EventData { status, moved_by: Some(Actor::Operator), ..data() };
            self.make(kind, at, claim.id.uuid(), data)
        };
        self.of_sale(policy, moves.iter().map(of_move).chain(unmoved.map(of_change)).collect())
    }

    /// Event for a health quote for which every variant has a result.
    pub(crate) fn of_recommendation(&self, quote: &HealthQuote, at: Timestamp) -> NewEvent {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let (priced, all) = (quote.offers().count(), quote.total_variants());
        let priced = Some((count(priced), count(all.saturating_sub(priced))));
        let data = EventData { priced, ..EventData::default() };
        self.make(EventType::RecommendationCompleted, at, quote.id.uuid(), data)
    }

    /// Events of a premium payment, one for each proposal. The store adds each payment's outcome
    /// ([`NewEvent::of_outcome`]). `sales` has the partner's reference for each proposal, in the order of the
    /// receipt's lines.
    pub(crate) fn of_receipt(&self, receipt: &Receipt, sales: &[Option<Reference>]) -> Vec<NewEvent> {
        let line = |((proposal, amount), reference): (&(ProposalId, Rupees), &Option<Reference>)| {
            let data = EventData {
                amount: Some(*amount),
                moved_by: Some(receipt.by),
                paid_on: Some(receipt.received_on),
                reference: reference.clone(),
                ..EventData::default()
            };
            self.make(EventType::PremiumReceived, receipt.at, proposal.uuid(), data)
        };
        receipt.lines.iter().zip(sales).map(line).collect()
    }

    /// Event of a payment for a proposal that was reversed.
    pub(crate) fn of_reversal(
        &self,
        proposal: ProposalId,
        amount: Rupees,
        reference: Option<Reference>,
        at: Timestamp,
    ) -> NewEvent {
        let (moved_by, status) = (Some(Actor::Operator), Some("reversed".to_owned()));
        let paid_on = Some(day_of(at));
        let data =
            EventData { amount: Some(amount), moved_by, paid_on, status, reference, ..EventData::default() };
        self.make(EventType::PremiumReversed, at, proposal.uuid(), data)
    }

    /// Events of new statements to partners, each with its partner.
    pub(crate) fn of_statements(&self, made: &[Statement], at: Timestamp) -> Vec<(PartnerId, NewEvent)> {
        let of_partner = |statement: &Statement| match statement.recipient {
            Recipient::Partner(partner) => {
                Some((partner, self.of_statement(EventType::StatementReady, statement, at)))
            }
            Recipient::Insurer(_) | Recipient::Operator => None,
        };
        made.iter().filter_map(of_partner).collect()
    }

    /// Event of a partner's statement in its current state.
    pub(crate) fn of_statement(&self, kind: EventType, statement: &Statement, at: Timestamp) -> NewEvent {
        let data = EventData {
            number: Some(statement.number.clone()),
            month: Some(statement.month.to_string()),
            kind: Some(statement.kind.word().to_owned()),
            amount: Some(statement.payable()),
            paid_on: statement.paid.as_ref().map(|paid| paid.paid_on),
            ..EventData::default()
        };
        self.make(kind, at, statement.id.uuid(), data)
    }

    /// Event about a partner's client secret. `number` is the number of the secret.
    pub(crate) fn of_secret(&self, kind: EventType, of: PartnerId, number: u32, at: Timestamp) -> NewEvent {
        let data = EventData { nth: Some(number), ..EventData::default() };
        self.make(kind, at, of.uuid(), data)
    }
}

/// Data that every event of a policy has.
fn of_policy(policy: &Policy) -> EventData {
    EventData {
        status: Some(policy.state.word().to_owned()),
        line: Some(policy.line()),
        proposal: policy.proposal,
        reference: policy.reference.clone(),
        number: Some(policy.number.to_string()),
        insurer_number: policy.insurer_number.as_ref().map(ToString::to_string),
        amount: Some(policy.premium.total()),
        ..EventData::default()
    }
}

/// Data that every event of an endorsement has.
fn of_endorsement(policy: &Policy, endorsement: &Endorsement) -> EventData {
    EventData {
        status: Some(endorsement.state.word().to_owned()),
        moved_by: endorsement.decided_by,
        kind: Some(endorsement.change.kind().word().to_owned()),
        nth: Some(endorsement.number.into()),
        ..of_policy(policy)
    }
}

/// Type of the event for a policy that moves to a state. `None` for states that a policy enters only by date.
fn of_state(state: PolicyState) -> Option<EventType> {
    match state {
        PolicyState::Issued => Some(EventType::PolicyCancellationRefused),
        PolicyState::CancellationRequested => Some(EventType::PolicyCancellationRequested),
        PolicyState::Cancelled => Some(EventType::PolicyCancelled),
        PolicyState::Renewed => Some(EventType::PolicyRenewed),
        PolicyState::Terminated => Some(EventType::PolicyTerminated),
        PolicyState::Lapsed | PolicyState::Expired => None,
    }
}

/// Reads events, and removes old ones.
pub struct EventService {
    pub(crate) shared: Arc<Shared>,
}

impl EventService {
    /// Event of a partner by its id.
    ///
    /// # Errors
    /// [`Error::Unknown`], also for an event older than [`KEPT_FOR`].
    pub async fn find(&self, of: PartnerId, id: EventId) -> Result<Event> {
        let unknown = || Error::Unknown { what: "event", id: id.to_string() };
        let is_kept = |at: Timestamp| {
            u128::try_from(at.as_millisecond()).is_ok_and(|at| at <= id.uuid().as_u128() >> 80)
        };
        if !self.oldest().is_none_or(is_kept) {
            return Err(unknown());
        }
        self.shared.storage.event(of, id).await?.ok_or_else(unknown)
    }

    /// Whether the partner's events are test events, because it is a test partner.
    pub fn is_test(&self, of: PartnerId) -> bool {
        self.shared.directory.known().partner(of).is_some_and(domain::partner::Partner::is_test)
    }

    /// A page of a partner's events, newest first, without events older than [`KEPT_FOR`].
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn list(&self, of: PartnerId, query: &EventQuery) -> Result<EventPage> {
        let query = EventQuery { since: query.since.max(self.oldest()), ..query.clone() };
        Ok(self.shared.storage.events(of, &query).await?)
    }

    /// Earliest time of events that are returned: [`KEPT_FOR`] before now. `None` if the calendar has no such
    /// time.
    fn oldest(&self) -> Option<Timestamp> {
        self.shared.clock.now().checked_sub(KEPT_FOR).ok()
    }

    /// Removes events older than [`KEPT_FOR`], with their deliveries. If the store has a partition for each
    /// month, a month is dropped as a whole once all its events are that old. Returns whether any events were
    /// removed.
    ///
    /// # Errors
    /// [`Error::Storage`].
    pub async fn forget_old(&self) -> Result<bool> {
        let Some(before) = self.oldest() else { return Ok(false) };
        for of in self.shared.directory.partner_ids() {
            while self.shared.storage.forget_deliveries(of, before, FORGOTTEN_AT_ONCE).await?
                == FORGOTTEN_AT_ONCE
            {}
        }
        let mut were_some = false;
        // A few at a time, so that requests can write in between.
        while self.shared.storage.forget_events(before, FORGOTTEN_AT_ONCE).await? {
            were_some = true;
        }
        Ok(were_some)
    }
}
