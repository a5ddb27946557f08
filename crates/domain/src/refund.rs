//! Refunds of premium that an insurer owes (D69).

use crate::date::Date;
use crate::money::{Premium, Rupees};
use crate::premium::PaymentReference;

/// A refund that the insurer paid to the insured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefundPayment {
    /// Payer's reference of the payment, such as the bank's UTR.
    pub reference: PaymentReference,
    /// Day of payment, in Asia/Kolkata.
    pub paid_on: Date,
    /// Late-payment interest, in addition to the refund. May be zero.
    pub interest: Rupees,
}

/// A refund that an insurer owes or has paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwedRefund {
    /// Refunded premium.
    pub amount: Premium,
    /// Last day for the insurer to pay the refund.
    pub due_on: Date,
    /// Interest on a late payment, in hundredths of a percent per year.
    pub late_interest: u32,
    pub paid: Option<RefundPayment>,
    /// Part that was returned at once to the deposit that paid the premium. The rest is owed to the insured
    /// (D69).
    pub to_deposit: Rupees,
    /// Part that the payer's bank took back. The insurer does not owe it.
    pub bounced: Option<Rupees>,
}

impl OwedRefund {
    /// Amount that the insurer still owes to the insured.
    pub fn owed(&self) -> Rupees {
        match self.paid {
            Some(_) => Rupees::ZERO,
            None => self.of_insured(),
        }
    }

    /// The insured's part of the refund, whether paid or not.
    pub fn of_insured(&self) -> Rupees {
        self.amount.total() - self.to_deposit - self.bounced.unwrap_or(Rupees::ZERO)
    }

    /// The deposit's part of the refund, if any.
    pub fn back_to_deposit(&self) -> Option<Rupees> {
        (self.to_deposit > Rupees::ZERO).then_some(self.to_deposit)
    }

    /// Whether the refund is still unpaid after its due day.
    pub fn is_late(&self, today: Date) -> bool {
        self.owed() > Rupees::ZERO && today > self.due_on
    }

    /// Late-payment interest if the refund is paid on `day`: simple interest for each day after
    /// [`OwedRefund::due_on`], rounded half up to the paisa.
    pub fn interest_on(&self, day: Date) -> Rupees {
        let late = (day - self.due_on).get_days().max(0);
        let year = 365 * 10_000_i128;
        let paise = i128::from(self.of_insured().paise()) * i128::from(self.late_interest) * i128::from(late);
        // Interest stays within the range of `i64`, even after centuries.
        Rupees::from_paise(i64::try_from((2 * paise + year) / (2 * year)).unwrap_or(i64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn a_refund_bears_interest_for_each_day_after_its_due_day() {
        let refund = OwedRefund {
            amount: Premium::of_parts(Rupees::whole(3200), Rupees::whole(576)).expect("in range"),
            due_on: date(2026, 11, 27),
            late_interest: 775,
            paid: None,
            to_deposit: Rupees::ZERO,
            bounced: None,
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
