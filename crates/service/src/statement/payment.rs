//! Payment of a partner's commission, recorded by the operator (D93).

use domain::date::{Date, day_of};
use domain::event::EventType;
use domain::money::Rupees;
use domain::premium::{Account, Entry, PaymentReference, Posting};
use domain::statement::{CommissionDue, Recipient, Statement, StatementPayment};

use super::StatementService;
use crate::error::{Error, Result};
use crate::storage::statements::CommissionPosting;

impl StatementService {
    /// Records that the operator paid a partner the amount that is owed on a statement. A repeated call with
    /// the same reference and day changes nothing. `amount` is the paid amount, if the operator gives it.
    /// Returns the statement with its payment.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] if the statement owes a partner nothing, was already paid with
    /// another reference or day, or owes another amount; also for a day before the statement was made or
    /// after today.
    pub async fn paid(
        &self,
        number: &str,
        reference: PaymentReference,
        paid_on: Date,
        amount: Option<Rupees>,
    ) -> Result<Statement> {
        let statement = self.numbered(number).await?;
        let now = self.shared.clock.now();
        let payable = statement.payable();
        let Recipient::Partner(partner) = statement.recipient else {
            return Err(Error::conflict(format!(
                "{number} is not a partner's statement: nothing is paid for it."
            )));
        };
        if payable <= Rupees::ZERO {
            return Err(Error::conflict(match payable == Rupees::ZERO {
                true => format!("Nothing is owed on {number}."),
                false => format!(
                    "Nothing is owed on {number}: the partner owes you {}.",
                    (Rupees::ZERO - payable).grouped_with_paise()
                ),
            }));
        }
        if amount.is_some_and(|amount| amount != payable) {
            return Err(Error::conflict(format!(
                "The amount must be {}, which is owed on {number}.",
                payable.grouped_with_paise()
            )));
        }
        if let Some(earlier) = &statement.paid {
            return noted_before(&statement, earlier, &reference, paid_on);
        }
        if paid_on > day_of(now) || paid_on < day_of(statement.made_at) {
            return Err(Error::conflict(
                "The day of payment must be from the day the statement was made until today.".into(),
            ));
        }
        let posting = |due: &CommissionDue| {
            let (debit, credit) = (Account::PartnerCommission, Account::OwnFunds);
            Some(CommissionPosting {
                insurer: due.insurer,
                partner,
                posting: Posting::of(Entry::CommissionPaid, debit, credit, due.amount)?,
                reference: statement.number.clone(),
            })
        };
        let postings: Vec<CommissionPosting> = statement.dues.iter().filter_map(posting).collect();
        let payment = StatementPayment { reference: reference.clone(), paid_on, noted_at: now };
        let paid = Statement { paid: Some(payment), ..statement.clone() };
        let events = [(partner, self.shared.events().of_statement(EventType::StatementPaid, &paid, now))];
        if self.shared.storage.pay_statement(&paid, &postings, &events, now).await? {
            return Ok(paid);
        }
        let found = self.numbered(number).await?;
        match &found.paid {
            Some(earlier) => noted_before(&found, earlier, &reference, paid_on),
            None => Err(Error::Internal(format!("the payment of {number} was refused, but none is stored"))),
        }
    }
}

/// Statement whose payment is already recorded. `Err` if the recorded payment has another reference or day.
fn noted_before(
    statement: &Statement,
    earlier: &StatementPayment,
    reference: &PaymentReference,
    paid_on: Date,
) -> Result<Statement> {
    match (&earlier.reference, earlier.paid_on) == (reference, paid_on) {
        true => Ok(statement.clone()),
        false => Err(Error::conflict(format!(
            "{} was already paid, with reference {} on {}.",
            statement.number,
            earlier.reference.as_str(),
            earlier.paid_on
        ))),
    }
}
