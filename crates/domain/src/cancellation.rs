//! Cancellation of a policy: why it ends early, and what of its premium comes back.

use crate::date::Timestamp;
use crate::id::ClaimId;
use crate::proposal::Actor;
use crate::refund::OwedRefund;
use crate::text::vocabulary;

vocabulary! {
    /// Why a policy is cancelled.
    CancellationReason, "one of FREE_LOOK, LOAN_COOLING_OFF, LOAN_FORECLOSED, NOT_DISBURSED, CUSTOMER, DUPLICATE, MIS_SALE, MISSTATEMENT, FRAUD" {
        /// The customer read the document and gives it back in time.
        FreeLook = "FREE_LOOK",
        /// The borrower left the loan in its cooling-off period.
        LoanCoolingOff = "LOAN_COOLING_OFF",
        /// The loan was repaid before its time.
        LoanForeclosed = "LOAN_FORECLOSED",
        /// The loan was never disbursed, so that nothing was ever covered.
        NotDisbursed = "NOT_DISBURSED",
        /// The customer no longer wants it.
        Customer = "CUSTOMER",
        /// The same cover was sold twice.
        Duplicate = "DUPLICATE",
        /// It was sold wrongly.
        MisSale = "MIS_SALE",
        /// Something that was told is not so, without fraud. The insurer alone says so.
        Misstatement = "MISSTATEMENT",
        /// Somebody deceived the insurer. The insurer alone says so.
        Fraud = "FRAUD",
    }
}

/// A cancellation that somebody asked for. A policy keeps its newest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cancellation {
    /// Why.
    pub reason: CancellationReason,
    pub asked_by: Actor,
    /// When: its day in Asia/Kolkata is the last day of cover, and by it the refund is calculated.
    pub asked_at: Timestamp,
    /// What of the premium comes back, by which rules it is late, and whether it was paid. May be nought.
    pub refund: OwedRefund,
    /// When it was confirmed. `None` until it is decided, and if it was refused.
    pub confirmed_at: Option<Timestamp>,
    /// The first claim that was made while the cancellation waited. If that claim or a later one counts, the cancellation can only
    /// be refused (D81).
    pub claimed_since: Option<ClaimId>,
}

impl Cancellation {
    /// The refund, where it is owed or was: nothing is before somebody confirmed the cancellation.
    pub fn confirmed_refund(&self) -> Option<&OwedRefund> {
        self.confirmed_at.map(|_| &self.refund)
    }
}
