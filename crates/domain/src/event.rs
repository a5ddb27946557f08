//! Events: what happened to what a partner has here, told once, in the order in which it happened to one subject (D95).

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
    /// What an event is about.
    EventObject, "one of recommendation, journey, proposal, policy, claim, statement, catalogue, credential, endpoint" {
        /// A health quote whose variants are being priced.
        Recommendation = "recommendation",
        /// A customer's way through the hosted pages.
        Journey = "journey",
        /// A proposal, with what is paid for it.
        Proposal = "proposal",
        /// A policy, with its endorsements and refunds.
        Policy = "policy",
        Claim = "claim",
        /// A statement of a month.
        Statement = "statement",
        /// What the partner may sell.
        Catalogue = "catalogue",
        /// A secret of the partner.
        Credential = "credential",
        /// An endpoint to which events are delivered.
        Endpoint = "endpoint",
    }
}

impl EventObject {
    /// The id of a subject of this kind, as its own reads show it.
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

/// The subject of events, as somebody names it who asks for them.
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
            _ => return Err("text that is no such id"),
        };
        subject.map(Subject).map_err(|_| "text that is no such id")
    }
}

vocabulary! {
    /// Events that tell the same kind of facts.
    EventFamily, "a family of events" {
        Recommendation = "recommendation",
        Journey = "journey",
        Proposal = "proposal",
        /// Of payments for proposals.
        Premium = "premium",
        Policy = "policy",
        /// Of policies that can be renewed.
        Renewal = "renewal",
        /// Of endorsements of policies.
        Endorsement = "endorsement",
        /// Of refunds of policies.
        Refund = "refund",
        Claim = "claim",
        Statement = "statement",
        /// Of what a partner may sell.
        Catalogue = "catalogue",
        /// Of secrets.
        Credential = "credential",
        Endpoint = "endpoint",
    }
}

impl EventFamily {
    /// What its events are about.
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

/// Declares the types of events: each with its word, its family, and what it tells as a sentence.
macro_rules! event_types {
    ($($kind:ident = $word:literal, $family:ident: $told:literal;)*) => {
        vocabulary! {
            /// What happened.
            EventType, "the type of an event, such as policy.issued" {
                $(#[doc = $told] $kind = $word),*
            }
        }

        impl EventType {
            pub const fn family(self) -> EventFamily {
                match self { $(EventType::$kind => EventFamily::$family),* }
            }

            /// What it tells, as a sentence.
            pub const fn told(self) -> &'static str {
                match self { $(EventType::$kind => $told),* }
            }

            /// The version of what it tells.
            pub const fn version(self) -> u32 {
                1
            }
        }
    };
}

event_types! {
    RecommendationCompleted = "recommendation.completed", Recommendation: "All variants of a health quote are priced and ranked.";
    JourneyApplied = "journey.applied", Journey: "A customer applied for a plan on the hosted pages.";
    JourneyExpired = "journey.expired", Journey: "A customer of the hosted pages did not come back for a day: what was answered is gone.";
    ProposalCreated = "proposal.created", Proposal: "A proposal was begun, and nobody was asked to decide it yet.";
    ProposalSubmitted = "proposal.submitted", Proposal: "A proposal was submitted.";
    ProposalUnderReview = "proposal.under_review", Proposal: "A proposal passed the checks here, or its insurer looks at it.";
    ProposalReferred = "proposal.referred", Proposal: "A proposal goes on outside of this service, until the operator tells what came of it.";
    ProposalCompleted = "proposal.completed", Proposal: "A proposal was accepted, and has its policy.";
    ProposalRejected = "proposal.rejected", Proposal: "A proposal was refused.";
    ProposalCancelled = "proposal.cancelled", Proposal: "A proposal failed the checks here.";
    PremiumReceived = "premium.received", Premium: "A payment of the premium that is due for a proposal came.";
    PremiumMismatch = "premium.mismatch", Premium: "A payment for a proposal came that is not what is due, or that goes back.";
    PolicyIssued = "policy.issued", Policy: "A policy was issued.";
    PolicyCancellationRequested = "policy.cancellation_requested", Policy: "The cancellation of a policy was asked for.";
    PolicyCancelled = "policy.cancelled", Policy: "A policy was cancelled.";
    PolicyCancellationRefused = "policy.cancellation_refused", Policy: "The cancellation of a policy was refused: it goes on.";
    PolicyRenewed = "policy.renewed", Policy: "Another policy follows a policy.";
    PolicyRenewalDue = "policy.renewal_due", Renewal: "A policy can be renewed, and the day of a reminder has come.";
    PolicyExpired = "policy.expired", Policy: "The last day of a policy is over.";
    PolicyLapsed = "policy.lapsed", Policy: "The days of grace of a policy are over: it is not renewed any more.";
    PolicyTerminated = "policy.terminated", Policy: "A paid claim ended the cover of a policy's last life.";
    EndorsementRequested = "endorsement.requested", Endorsement: "An endorsement was asked for.";
    EndorsementApplied = "endorsement.applied", Endorsement: "An endorsement is part of the policy now.";
    EndorsementRefused = "endorsement.refused", Endorsement: "An endorsement was refused.";
    RefundDue = "refund.due", Refund: "The insurer owes a refund to the insured.";
    RefundPaid = "refund.paid", Refund: "The insurer paid a refund to the insured.";
    ClaimIntimated = "claim.intimated", Claim: "A claim was made known.";
    ClaimUnderReview = "claim.under_review", Claim: "The insurer assesses the claim, or has it investigated.";
    ClaimApproved = "claim.approved", Claim: "The insurer pays the claim.";
    ClaimRejected = "claim.rejected", Claim: "The insurer does not pay the claim.";
    ClaimPaid = "claim.paid", Claim: "The claim was paid.";
    ClaimWithdrawn = "claim.withdrawn", Claim: "The claim was withdrawn, and nothing is paid.";
    StatementReady = "statement.ready", Statement: "A statement of the partner's was made.";
    StatementPaid = "statement.paid", Statement: "The operator paid what the partner is owed by a statement.";
    CatalogueChanged = "catalogue.changed", Catalogue: "The plans that the partner may sell are others than before.";
    CredentialAdded = "credential.added", Credential: "The partner has another secret.";
    CredentialRevoked = "credential.revoked", Credential: "A secret of the partner gets no tokens any more.";
    EndpointFailing = "endpoint.failing", Endpoint: "An endpoint has taken nothing for a day.";
    EndpointDisabled = "endpoint.disabled", Endpoint: "An endpoint is no longer delivered to, because it took nothing for days or is gone.";
    EndpointPing = "endpoint.ping", Endpoint: "Somebody asked for an event to try an endpoint with.";
}

/// What an event tells of its subject: ids, states and money, never who is insured.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EventData {
    /// Where the subject stands then, in the contract's word.
    pub status: Option<String>,
    /// Where it stood before.
    pub previous_status: Option<String>,
    /// Who brought it there.
    pub moved_by: Option<Actor>,
    pub line: Option<LineOfBusiness>,
    /// The quote of a proposal.
    pub quote: Option<QuoteId>,
    /// The proposal of a policy.
    pub proposal: Option<ProposalId>,
    /// The policy of a proposal or a claim, or the one that follows a renewed one.
    pub policy: Option<PolicyId>,
    /// What the partner calls the sale. May be personal.
    pub reference: Option<Reference>,
    /// The number of a policy or a statement.
    pub number: Option<String>,
    /// The insurer's own number of a policy.
    pub insurer_number: Option<String>,
    /// What kind of endorsement, claim or statement.
    pub kind: Option<String>,
    /// Which endorsement of its policy, or which secret of the partner, from 1 on; how many days are left to renew.
    pub nth: Option<u32>,
    /// The premium, the refund, the claim or what is payable.
    pub amount: Option<Rupees>,
    /// By when a refund is to be paid; the last day of a policy.
    pub due_on: Option<Date>,
    /// The day of a payment.
    pub paid_on: Option<Date>,
    /// The month of a statement, such as `2026-11`.
    pub month: Option<String>,
    /// How many variants were priced, and how many were not; of a catalogue, those of credit life and of health.
    pub priced: Option<(u32, u32)>,
    /// The session of a journey.
    pub session: Option<SessionId>,
    /// Until when a policy can be renewed.
    pub until: Option<Date>,
    /// When it happened by the clock of a test partner, where that is ahead of the time (D97).
    pub by_its_clock: Option<Timestamp>,
    /// The trace of the request that it came of, as a header `traceparent`: its deliveries go on with it. No partner is told.
    pub trace: Option<String>,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub id: EventId,
    /// Whose it is.
    pub partner: PartnerId,
    /// What happened.
    pub kind: EventType,
    /// When.
    pub at: Timestamp,
    /// To what.
    pub subject: Uuid,
    /// Counts the events of its subject from 1, without gaps.
    pub sequence: u64,
    /// What it tells.
    pub data: EventData,
}
