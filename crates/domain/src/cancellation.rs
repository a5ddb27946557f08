//! Cancellation of a policy: why it ends early, what of its premium comes back, and the refund that the insurer pays.

use crate::date::{Date, Timestamp};
use crate::money::{Premium, Rupees};
use crate::premium::PaymentReference;
use crate::proposal::Actor;
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
    /// Who asked.
    pub asked_by: Actor,
    /// When: its day in Asia/Kolkata is the last day of cover, and by it the refund is calculated.
    pub asked_at: Timestamp,
    /// What of the premium comes back. May be nought.
    pub refund: Premium,
    /// The day by which the insurer is to have paid the refund.
    pub due_on: Date,
    /// The interest on a refund that is paid later, in hundredths of a percent for a year.
    pub late_interest: u32,
    /// When it was confirmed. `None` while somebody decides, and where it was refused.
    pub confirmed_at: Option<Timestamp>,
    /// The payment of the refund, once it was made.
    pub paid: Option<RefundPayment>,
}

/// A refund that the insurer paid to the insured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundPayment {
    /// What the payment is called where it was made, such as the bank's UTR.
    pub reference: PaymentReference,
    /// The day on which it was paid, in Asia/Kolkata.
    pub paid_on: Date,
    /// Interest for paying late, beside the refund. May be nought.
    pub interest: Rupees,
}

impl Cancellation {
    /// What the insurer still owes to the insured.
    pub fn owed(&self) -> Rupees {
        match (&self.confirmed_at, &self.paid) {
            (Some(_), None) => self.refund.total(),
            _ => Rupees::ZERO,
        }
    }

    /// Whether the insurer should have paid by a day, and has not.
    pub fn is_late(&self, today: Date) -> bool {
        self.owed() > Rupees::ZERO && today > self.due_on
    }

    /// Interest that is owed beside the refund where it is paid on a day: of simple interest for each day after
    /// [`Cancellation::due_on`], to the paisa, half up.
    pub fn interest_on(&self, day: Date) -> Rupees {
        let late = (day - self.due_on).get_days().max(0);
        let year = 365 * 10_000_i128;
        let paise =
            i128::from(self.refund.total().paise()) * i128::from(self.late_interest) * i128::from(late);
        // Less than the refund for every century that it is late: it fits.
        Rupees::from_paise(i64::try_from((2 * paise + year) / (2 * year)).unwrap_or(i64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_refund_that_is_paid_late_bears_interest_for_each_day() {
        let cancellation = Cancellation {
            reason: CancellationReason::FreeLook,
            asked_by: Actor::Partner,
            asked_at: Timestamp::UNIX_EPOCH,
            refund: Premium::of_parts(Rupees::whole(3200), Rupees::whole(576)).expect("in range"),
            due_on: date(2026, 11, 27),
            late_interest: 775,
            confirmed_at: Some(Timestamp::UNIX_EPOCH),
            paid: None,
        };
        assert_eq!(cancellation.interest_on(date(2026, 11, 27)), Rupees::ZERO);
        assert_eq!(cancellation.interest_on(date(2026, 11, 20)), Rupees::ZERO);
        // 3,776.00 x 7.75 % / 365 = 0.8017 a day
        assert_eq!(cancellation.interest_on(date(2026, 11, 28)), Rupees::from_paise(80));
        assert_eq!(cancellation.interest_on(date(2026, 12, 27)), Rupees::from_paise(2405));
        assert_eq!(cancellation.owed(), Rupees::whole(3776));
        assert!(!cancellation.is_late(date(2026, 11, 27)) && cancellation.is_late(date(2026, 11, 28)));
        let waits = Cancellation { confirmed_at: None, ..cancellation };
        assert!(!waits.is_late(date(2026, 11, 28)), "nothing is owed before it is confirmed");
    }
}
