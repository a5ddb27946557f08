//! Endorsements of policies: changes after the sale (D89).

use crate::date::Timestamp;
pub use crate::endorsement_change::{EndorsementChange, EndorsementKind, NewContact};
use crate::money::{Premium, Rupees};
use crate::person::PersonalLine;
use crate::premium::PaymentReference;
use crate::proposal::Actor;
use crate::refund::OwedRefund;
use crate::text::vocabulary;

vocabulary! {
    /// Status of an endorsement.
    EndorsementState, "one of REQUESTED, MADE, REFUSED" {
        /// Waits for a confirmation, or for the payment of its charge. The policy is not changed yet.
        Requested = "REQUESTED",
        /// Applied to the policy.
        Made = "MADE",
        /// Refused. The policy is unchanged.
        Refused = "REFUSED",
    }
}

/// Sum insured with its premium.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoverTerms {
    /// Sum insured on the first day of cover.
    pub sum_insured: Rupees,
    pub premium: Premium,
}

/// Payment of an endorsement's charge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargePayment {
    /// Payer's reference of the payment, such as the bank's UTR.
    pub reference: PaymentReference,
    /// Day on which the insurer received the payment, in Asia/Kolkata.
    pub received_on: crate::date::Date,
}

/// Requested endorsement of a policy. The policy stores all its endorsements, even refused ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endorsement {
    /// Number among the policy's endorsements, from 1.
    pub number: u16,
    pub change: EndorsementChange,
    pub asked_by: Actor,
    pub asked_at: Timestamp,
    /// Reason for the request, in the requester's words.
    pub note: Option<PersonalLine>,
    pub state: EndorsementState,
    /// When the endorsement was applied or refused.
    pub decided_at: Option<Timestamp>,
    /// Who applied or refused the endorsement.
    pub decided_by: Option<Actor>,
    /// Reason for the refusal, as given by the party that refused.
    pub reason: Option<PersonalLine>,
    /// Cover and premium before the endorsement.
    pub before: CoverTerms,
    /// Cover and premium after the endorsement.
    pub after: CoverTerms,
    /// Amount to pay before the endorsement is applied. May be zero.
    pub charge: Premium,
    pub payment: Option<ChargePayment>,
    /// Refund that the insurer owes once the endorsement is applied.
    pub refund: Option<OwedRefund>,
}

impl Endorsement {
    /// Whether the endorsement was applied to the policy.
    pub fn is_made(&self) -> bool {
        self.state == EndorsementState::Made
    }

    /// Whether the endorsement waits for a decision.
    pub fn is_open(&self) -> bool {
        self.state == EndorsementState::Requested
    }

    /// Change of the policy's total premium. Negative if the endorsement gives a refund.
    pub fn difference(&self) -> Premium {
        let back = self.refund.as_ref().map(|refund| refund.amount);
        let less = |of: fn(Premium) -> Rupees| of(self.charge) - back.map_or(Rupees::ZERO, of);
        // Charge or refund is zero, so neither part can overflow.
        Premium::of_parts(less(Premium::base), less(Premium::gst)).unwrap_or(self.charge)
    }

    pub fn refuse(&mut self, by: Actor, at: Timestamp, reason: Option<PersonalLine>) {
        self.state = EndorsementState::Refused;
        (self.decided_by, self.decided_at, self.reason) = (Some(by), Some(at), reason);
    }
}
