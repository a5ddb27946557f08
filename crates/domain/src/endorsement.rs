//! Endorsement of a policy: what of it is changed after its sale, who asked and who confirmed it, and what that costs or gives
//! back (D89).

use crate::date::Timestamp;
pub use crate::endorsement_change::{EndorsementChange, EndorsementKind, NewContact};
use crate::money::{Premium, Rupees};
use crate::person::PersonalLine;
use crate::premium::PaymentReference;
use crate::proposal::Actor;
use crate::refund::OwedRefund;
use crate::text::vocabulary;

vocabulary! {
    /// Where an endorsement stands.
    EndorsementState, "one of REQUESTED, MADE, REFUSED" {
        /// Somebody is to confirm it, or its premium is to come. The policy is as it was.
        Requested = "REQUESTED",
        /// It is part of the policy.
        Made = "MADE",
        /// The policy stays as it was.
        Refused = "REFUSED",
    }
}

/// Cover and what it costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CoverTerms {
    /// Cover at the start.
    pub sum_insured: Rupees,
    /// What it costs.
    pub premium: Premium,
}

/// A payment of what an endorsement costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargePayment {
    /// What the payment is called where it was made, such as the bank's UTR.
    pub reference: PaymentReference,
    /// The day on which the insurer received it, in Asia/Kolkata.
    pub received_on: crate::date::Date,
}

/// An endorsement that somebody asked for. A policy keeps all of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endorsement {
    /// Its number among those of the policy, from 1 on.
    pub number: u16,
    pub change: EndorsementChange,
    pub asked_by: Actor,
    /// When.
    pub asked_at: Timestamp,
    /// Why, in the words of who asked.
    pub note: Option<PersonalLine>,
    /// Where it stands.
    pub state: EndorsementState,
    /// When it was made or refused.
    pub decided_at: Option<Timestamp>,
    /// Who made or refused it.
    pub decided_by: Option<Actor>,
    /// Why it was refused, in the words of who did.
    pub reason: Option<PersonalLine>,
    /// The policy before it.
    pub before: CoverTerms,
    /// The policy after it.
    pub after: CoverTerms,
    /// What is to be paid for it, before it is made. May be nought.
    pub charge: Premium,
    pub payment: Option<ChargePayment>,
    /// What the insurer owes to the insured once it is made.
    pub refund: Option<OwedRefund>,
}

impl Endorsement {
    /// Whether it is part of the policy.
    pub fn is_made(&self) -> bool {
        self.state == EndorsementState::Made
    }

    /// Whether somebody is to decide it.
    pub fn is_open(&self) -> bool {
        self.state == EndorsementState::Requested
    }

    /// What it adds to the premiums of the policy; below nought where it gives back.
    pub fn difference(&self) -> Premium {
        let back = self.refund.as_ref().map(|refund| refund.amount);
        let less = |of: fn(Premium) -> Rupees| of(self.charge) - back.map_or(Rupees::ZERO, of);
        // One of the two is nought, so that neither part is more than an amount that could be counted.
        Premium::of_parts(less(Premium::base), less(Premium::gst)).unwrap_or(self.charge)
    }

    pub fn refuse(&mut self, by: Actor, at: Timestamp, reason: Option<PersonalLine>) {
        self.state = EndorsementState::Refused;
        (self.decided_by, self.decided_at, self.reason) = (Some(by), Some(at), reason);
    }
}
