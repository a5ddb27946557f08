//! The payment of a partner's commission, as the operator notes it (D93).

use domain::date::{Date, day_of};
use domain::event::EventType;
use domain::money::Rupees;
use domain::premium::{Account, Entry, PaymentReference, Posting};
use domain::statement::{CommissionDue, Recipient, Statement, StatementPayment};

use super::StatementService;
use crate::error::{Error, Result};
use crate::storage::statements::CommissionPosting;

impl StatementService {
    /// Notes that the operator paid what a partner is owed by a statement. The same reference and day again change nothing.
    /// `amount` is what was paid, where somebody says it. Gives the statement as it stands then.
    ///
    /// # Errors
    /// [`Error::Unknown`]; [`Error::Conflict`] for a statement by which no partner is owed anything, one that was paid otherwise
    /// before, another amount, and a day before the statement or after today.
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
                "{number} is no partner's, so that nothing is paid for it."
            )));
        };
        if payable <= Rupees::ZERO {
            return Err(Error::conflict(match payable == Rupees::ZERO {
                true => format!("Nothing is owed by {number}."),
                false => format!(
                    "By {number} the partner owes {} to you.",
                    (Rupees::ZERO - payable).grouped_with_paise()
                ),
            }));
        }
        if amount.is_some_and(|amount| amount != payable) {
            return Err(Error::conflict(format!(
                "{} is owed by {number}, and another amount was named.",
                payable.grouped_with_paise()
            )));
        }
        if let Some(earlier) = &statement.paid {
            return noted_before(&statement, earlier, &reference, paid_on);
        }
        if paid_on > day_of(now) || paid_on < day_of(statement.made_at) {
            return Err(Error::conflict(
                "A statement is paid on a day from the one on which it was made until today.".into(),
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
            None => Err(Error::Internal(format!("{number} was paid and is not"))),
        }
    }
}

/// A statement that was paid before: by the very payment that is named now, or by another one.
fn noted_before(
    statement: &Statement,
    earlier: &StatementPayment,
    reference: &PaymentReference,
    paid_on: Date,
) -> Result<Statement> {
    match (&earlier.reference, earlier.paid_on) == (reference, paid_on) {
        true => Ok(statement.clone()),
        false => Err(Error::conflict(format!(
            "{} was paid before, by {} on {}.",
            statement.number,
            earlier.reference.as_str(),
            earlier.paid_on
        ))),
    }
}
