//! What an insurer owes to an insured of premium that comes back, and its payment (D69).

use crate::date::Date;
use crate::money::{Premium, Rupees};
use crate::premium::PaymentReference;

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

/// A refund that an insurer owes, or owed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwedRefund {
    /// What of the premium comes back.
    pub amount: Premium,
    /// The day by which the insurer is to have paid it.
    pub due_on: Date,
    /// The interest where it is paid later, in hundredths of a percent for a year.
    pub late_interest: u32,
    /// Its payment, once it was made.
    pub paid: Option<RefundPayment>,
    /// What of it went back at once to the deposit that paid the premium. The rest is owed to the insured (D69).
    pub to_deposit: Rupees,
}

impl OwedRefund {
    /// What the insurer still owes to the insured.
    pub fn owed(&self) -> Rupees {
        match self.paid {
            Some(_) => Rupees::ZERO,
            None => self.of_insured(),
        }
    }

    /// What of it is the insured's, paid or not.
    pub fn of_insured(&self) -> Rupees {
        self.amount.total() - self.to_deposit
    }

    /// What of it goes back to a deposit, if anything does.
    pub fn back_to_deposit(&self) -> Option<Rupees> {
        (self.to_deposit > Rupees::ZERO).then_some(self.to_deposit)
    }

    /// Whether the insurer should have paid by a day, and has not.
    pub fn is_late(&self, today: Date) -> bool {
        self.owed() > Rupees::ZERO && today > self.due_on
    }

    /// Interest that is owed beside it where it is paid on a day: simple interest for each day after
    /// [`OwedRefund::due_on`], to the paisa, half up.
    pub fn interest_on(&self, day: Date) -> Rupees {
        let late = (day - self.due_on).get_days().max(0);
        let year = 365 * 10_000_i128;
        let paise = i128::from(self.of_insured().paise()) * i128::from(self.late_interest) * i128::from(late);
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
        let refund = OwedRefund {
            amount: Premium::of_parts(Rupees::whole(3200), Rupees::whole(576)).expect("in range"),
            due_on: date(2026, 11, 27),
            late_interest: 775,
            paid: None,
            to_deposit: Rupees::ZERO,
        };
        assert_eq!(refund.interest_on(date(2026, 11, 27)), Rupees::ZERO);
        assert_eq!(refund.interest_on(date(2026, 11, 20)), Rupees::ZERO);
        // 3,776.00 x 7.75 % / 365 = 0.8017 a day
        assert_eq!(refund.interest_on(date(2026, 11, 28)), Rupees::from_paise(80));
        assert_eq!(refund.interest_on(date(2026, 12, 27)), Rupees::from_paise(2405));
        assert_eq!(refund.owed(), Rupees::whole(3776));
        assert!(!refund.is_late(date(2026, 11, 27)) && refund.is_late(date(2026, 11, 28)));
    }
}
