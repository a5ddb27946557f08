//! Cancellation of a policy before its end.

use crate::date::Timestamp;
use crate::id::ClaimId;
use crate::proposal::Actor;
use crate::refund::OwedRefund;
use crate::text::vocabulary;

vocabulary! {
    CancellationReason, "one of FREE_LOOK, LOAN_COOLING_OFF, LOAN_FORECLOSED, NOT_DISBURSED, CUSTOMER, DUPLICATE, MIS_SALE, MISSTATEMENT, FRAUD, PAYMENT_BOUNCED" {
        /// The customer returned the policy within the free-look period.
        FreeLook = "FREE_LOOK",
        /// The borrower cancelled the loan during the loan's cooling-off period.
        LoanCoolingOff = "LOAN_COOLING_OFF",
        /// The loan was repaid early.
        LoanForeclosed = "LOAN_FORECLOSED",
        /// The loan was never disbursed, so there was no risk to cover.
        NotDisbursed = "NOT_DISBURSED",
        /// The customer no longer wants the policy.
        Customer = "CUSTOMER",
        /// The same cover was sold twice.
        Duplicate = "DUPLICATE",
        MisSale = "MIS_SALE",
        /// The customer gave wrong facts, without fraud. Only the insurer may state this reason.
        Misstatement = "MISSTATEMENT",
        /// Somebody deceived the insurer. Only the insurer may state this reason.
        Fraud = "FRAUD",
        /// The bank took the premium back. Only the insurer may state this reason.
        PaymentBounced = "PAYMENT_BOUNCED",
    }
}

/// Requested cancellation of a policy. The policy stores only the newest request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cancellation {
    pub reason: CancellationReason,
    pub asked_by: Actor,
    /// Time of the request. The day of this time in Asia/Kolkata is the last day of cover, and decides the
    /// refund.
    pub asked_at: Timestamp,
    /// Refund of the premium, with its due date and payment. May be zero.
    pub refund: OwedRefund,
    /// When the cancellation was confirmed. `None` if the cancellation is undecided or refused.
    pub confirmed_at: Option<Timestamp>,
    /// First claim made after the cancellation was requested. If that claim or a later one is neither
    /// rejected nor withdrawn, the cancellation can only be refused (D81).
    pub claimed_since: Option<ClaimId>,
}

impl Cancellation {
    /// The refund that is owed or was paid. `None` until the cancellation is confirmed.
    pub fn confirmed_refund(&self) -> Option<&OwedRefund> {
        self.confirmed_at.map(|_| &self.refund)
    }
}
