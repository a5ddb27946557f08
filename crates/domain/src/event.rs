//! Events about changes of a partner's records (D95).
//!
//! Each event has a subject: the record that changed. The events of a subject are in the order of its
//! changes.

use crate::date::{Date, Timestamp};
use crate::id::{
    ClaimId, EventId, JourneyId, PartnerId, PolicyId, ProposalId, QuoteId, SessionId, StatementId, Uuid,
    WebhookEndpointId,
};
use crate::identifier::Reference;
use crate::line::LineOfBusiness;
use crate::money::Rupees;
use crate::proposal::Actor;
use crate::text::{FromText, vocabulary};

vocabulary! {
    /// Kind of record that an event is about.
    EventObject, "one of recommendation, journey, proposal, policy, claim, statement, catalogue, credential, endpoint" {
        /// A health quote with its recommendation.
        Recommendation = "recommendation",
        /// Customer's visit to the hosted pages.
        Journey = "journey",
        /// A proposal, including its payments.
        Proposal = "proposal",
        /// A policy, including its endorsements and refunds.
        Policy = "policy",
        Claim = "claim",
        /// Monthly statement.
        Statement = "statement",
        /// Variants that the partner may sell.
        Catalogue = "catalogue",
        /// API secret of the partner.
        Credential = "credential",
        /// Endpoint that receives events.
        Endpoint = "endpoint",
    }
}

impl EventObject {
    /// Public id, with prefix, of the changed record `subject` of this kind.
    pub fn id(self, subject: Uuid) -> String {
        match self {
            EventObject::Recommendation => QuoteId::from_uuid(subject).to_string(),
            EventObject::Journey => JourneyId::from_uuid(subject).to_string(),
            EventObject::Proposal => ProposalId::from_uuid(subject).to_string(),
            EventObject::Policy => PolicyId::from_uuid(subject).to_string(),
            EventObject::Claim => ClaimId::from_uuid(subject).to_string(),
            EventObject::Statement => StatementId::from_uuid(subject).to_string(),
            EventObject::Catalogue | EventObject::Credential => PartnerId::from_uuid(subject).to_string(),
            EventObject::Endpoint => WebhookEndpointId::from_uuid(subject).to_string(),
        }
    }
}

/// Record whose events are requested, parsed from the record's public id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Subject(pub Uuid);

impl FromText for Subject {
    const WANTED: &'static str =
        "the id of a quote, a journey, a proposal, a policy, a claim, a statement, a partner or an endpoint";
    const PATTERN: Option<&'static str> = Some("^(quo|jny|pro|pol|clm|stm|par|whe)_[0-9a-z]{26}$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let prefix = text.split('_').next().unwrap_or_default();
        let subject = match prefix {
            "quo" => text.parse::<QuoteId>().map(|id| id.uuid()),
            "jny" => text.parse::<JourneyId>().map(|id| id.uuid()),
            "pro" => text.parse::<ProposalId>().map(|id| id.uuid()),
            "pol" => text.parse::<PolicyId>().map(|id| id.uuid()),
            "clm" => text.parse::<ClaimId>().map(|id| id.uuid()),
            "stm" => text.parse::<StatementId>().map(|id| id.uuid()),
            "par" => text.parse::<PartnerId>().map(|id| id.uuid()),
            "whe" => text.parse::<WebhookEndpointId>().map(|id| id.uuid()),
            _ => return Err("text that is not an id of such a record"),
        };
        subject.map(Subject).map_err(|_| "text that is not an id of such a record")
    }
}

vocabulary! {
    /// Group of event types with the same data.
    EventFamily, "a family of event types" {
        Recommendation = "recommendation",
        Journey = "journey",
        Proposal = "proposal",
        /// Payments for proposals.
        Premium = "premium",
        Policy = "policy",
        /// Policies that can be renewed.
        Renewal = "renewal",
        /// Endorsements of policies.
        Endorsement = "endorsement",
        /// Refunds of policies.
        Refund = "refund",
        Claim = "claim",
        Statement = "statement",
        /// Variants that the partner may sell.
        Catalogue = "catalogue",
        /// API secrets of the partner.
        Credential = "credential",
        Endpoint = "endpoint",
    }
}

impl EventFamily {
    /// Kind of record that the events of this family are about.
    pub const fn object(self) -> EventObject {
        match self {
            EventFamily::Recommendation => EventObject::Recommendation,
            EventFamily::Journey => EventObject::Journey,
            EventFamily::Proposal | EventFamily::Premium => EventObject::Proposal,
            EventFamily::Policy | EventFamily::Renewal | EventFamily::Endorsement | EventFamily::Refund => {
                EventObject::Policy
            }
            EventFamily::Claim => EventObject::Claim,
            EventFamily::Statement => EventObject::Statement,
            EventFamily::Catalogue => EventObject::Catalogue,
            EventFamily::Credential => EventObject::Credential,
            EventFamily::Endpoint => EventObject::Endpoint,
        }
    }
}

/// Declares the event types: name, word, family and a sentence that describes the event.
macro_rules! event_types {
    ($($kind:ident = $word:literal, $family:ident: $told:literal;)*) => {
        vocabulary! {
            EventType, "the type of an event, such as policy.issued" {
                $(#[doc = $told] $kind = $word),*
            }
        }

        impl EventType {
            pub const fn family(self) -> EventFamily {
                match self { $(EventType::$kind => EventFamily::$family),* }
            }

            /// Describes the event in one sentence.
            pub const fn told(self) -> &'static str {
                match self { $(EventType::$kind => $told),* }
            }

            /// Version of the format of the event's data.
            pub const fn version(self) -> u32 {
                1
            }
        }
    };
}

event_types! {
    RecommendationCompleted = "recommendation.completed", Recommendation: "All plans of a health quote are priced and ranked.";
    JourneyApplied = "journey.applied", Journey: "A customer applied for a plan on the hosted pages.";
    JourneyExpired = "journey.expired", Journey: "A customer did not return to the hosted pages for a day, so the answers were deleted.";
    ProposalCreated = "proposal.created", Proposal: "A proposal was saved, but not submitted.";
    ProposalReplaced = "proposal.replaced", Proposal: "The partner replaced a draft of a proposal.";
    ProposalSubmitted = "proposal.submitted", Proposal: "A proposal was submitted.";
    ProposalUnderReview = "proposal.under_review", Proposal: "A proposal passed the first checks, or its insurer reviews it.";
    ProposalReferred = "proposal.referred", Proposal: "A proposal continues outside this service until the operator records the decision.";
    ProposalCompleted = "proposal.completed", Proposal: "A proposal was accepted and its policy issued.";
    ProposalRejected = "proposal.rejected", Proposal: "A proposal was refused.";
    ProposalCancelled = "proposal.cancelled", Proposal: "A proposal failed the first checks.";
    PremiumReceived = "premium.received", Premium: "The premium of a proposal was paid.";
    PremiumReversed = "premium.reversed", Premium: "A payment for a proposal was taken back; its premium is due again.";
    PremiumMismatch = "premium.mismatch", Premium: "A payment differs from the premium due, or will be refunded.";
    PolicyIssued = "policy.issued", Policy: "A policy was issued.";
    PolicyCancellationRequested = "policy.cancellation_requested", Policy: "The cancellation of a policy was requested.";
    PolicyCancelled = "policy.cancelled", Policy: "A policy was cancelled.";
    PolicyCancellationRefused = "policy.cancellation_refused", Policy: "The cancellation of a policy was refused; the policy continues.";
    PolicyRenewed = "policy.renewed", Policy: "A policy was renewed by another one.";
    PolicyRenewalDue = "policy.renewal_due", Renewal: "A policy can be renewed, and a reminder is due.";
    PolicyExpired = "policy.expired", Policy: "The last day of a policy is over.";
    PolicyLapsed = "policy.lapsed", Policy: "The days of grace of a policy are over: the policy can no longer be renewed.";
    PolicyTerminated = "policy.terminated", Policy: "A paid claim ended the cover of the last insured person.";
    EndorsementRequested = "endorsement.requested", Endorsement: "An endorsement was requested.";
    EndorsementApplied = "endorsement.applied", Endorsement: "An endorsement is now part of the policy.";
    EndorsementRefused = "endorsement.refused", Endorsement: "An endorsement was refused.";
    RefundDue = "refund.due", Refund: "The insurer owes a refund to the insured.";
    RefundPaid = "refund.paid", Refund: "The insurer paid a refund to the insured.";
    ClaimIntimated = "claim.intimated", Claim: "A claim was reported.";
    ClaimPapersAsked = "claim.papers_asked", Claim: "Documents of a claim were asked for.";
    ClaimUnderReview = "claim.under_review", Claim: "The insurer assesses or investigates a claim.";
    ClaimApproved = "claim.approved", Claim: "The insurer will pay a claim.";
    ClaimRejected = "claim.rejected", Claim: "The insurer will not pay a claim.";
    ClaimPartPaid = "claim.part_paid", Claim: "The insurer paid a part of a claim.";
    ClaimPaid = "claim.paid", Claim: "A claim was paid.";
    ClaimWithdrawn = "claim.withdrawn", Claim: "A claim was withdrawn; nothing is paid.";
    StatementReady = "statement.ready", Statement: "A statement of the partner was made.";
    StatementPaid = "statement.paid", Statement: "The operator paid a statement of the partner.";
    CatalogueChanged = "catalogue.changed", Catalogue: "The plans that the partner may sell changed.";
    CredentialAdded = "credential.added", Credential: "The partner got another API secret.";
    CredentialRevoked = "credential.revoked", Credential: "An API secret of the partner was revoked.";
    EndpointFailing = "endpoint.failing", Endpoint: "An endpoint has accepted no event for a day.";
    EndpointDisabled = "endpoint.disabled", Endpoint: "An endpoint was disabled: it accepted no event for days, or responded with status 410.";
    EndpointPing = "endpoint.ping", Endpoint: "Somebody requested a test event for an endpoint.";
}

/// Data of an event: ids, statuses and money, never personal data of insured people.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventData {
    /// Status of the changed record after the event, as a word of the API contract.
    pub status: Option<String>,
    /// Status of the changed record before the event.
    pub previous_status: Option<String>,
    /// Who caused the status change.
    pub moved_by: Option<Actor>,
    pub line: Option<LineOfBusiness>,
    /// Quote from which the proposal was made.
    pub quote: Option<QuoteId>,
    /// Proposal from which the policy was issued.
    pub proposal: Option<ProposalId>,
    /// Policy of the proposal or claim. If the event is about a renewed policy: the new policy.
    pub policy: Option<PolicyId>,
    /// Partner's reference for the sale. May be personal.
    pub reference: Option<Reference>,
    /// Number of the policy or statement.
    pub number: Option<String>,
    /// Insurer's own policy number.
    pub insurer_number: Option<String>,
    /// Kind of endorsement, claim or statement.
    pub kind: Option<String>,
    /// Number of the endorsement or secret, from 1. For a renewal reminder: days until the policy ends.
    pub nth: Option<u32>,
    /// Premium, refund, claim amount or payable amount.
    pub amount: Option<Rupees>,
    /// Last day to pay the refund, or last day of the policy.
    pub due_on: Option<Date>,
    /// Day of the payment.
    pub paid_on: Option<Date>,
    /// Month of the statement, such as `2026-11`.
    pub month: Option<String>,
    /// For a recommendation: numbers of variants with and without a price. For a catalogue: numbers of
    /// credit-life and health variants.
    pub priced: Option<(u32, u32)>,
    /// Session of the journey.
    pub session: Option<SessionId>,
    /// Last day to renew the policy.
    pub until: Option<Date>,
    /// Time of the event by a test partner's clock, if that clock is ahead of real time (D97).
    pub by_its_clock: Option<Timestamp>,
    /// Trace of the request that caused the event, as a `traceparent` header. Deliveries of the event
    /// continue this trace. Partners do not receive this field.
    pub trace: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub id: EventId,
    /// Partner that receives the event.
    pub partner: PartnerId,
    pub kind: EventType,
    pub at: Timestamp,
    /// Id of the record that changed.
    pub subject: Uuid,
    /// Number among the events of the same record, from 1, without gaps.
    pub sequence: u64,
    pub data: EventData,
}
