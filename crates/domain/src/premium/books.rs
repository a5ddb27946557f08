//! Books of one proposal's premium (D63 to D65).
//!
//! They hold the amounts owed and received, and give the ledger postings of each change.

use crate::money::Rupees;
use crate::text::vocabulary;

vocabulary! {
    /// Status of a proposal's premium.
    PremiumState, "one of due, received, mismatch, paid, refund_due, refunded, cancelled" {
        /// The premium is owed.
        Due = "due",
        /// The whole premium was received; the policy is not issued yet.
        Received = "received",
        /// A wrong amount was received; an operator must settle it.
        Mismatch = "mismatch",
        /// The policy is issued, and the premium belongs to the insurer.
        Paid = "paid",
        /// Money must be paid back to the payer.
        RefundDue = "refund_due",
        /// The money was paid back to the payer.
        Refunded = "refunded",
        /// The proposal ended without a policy, and no money was received.
        Cancelled = "cancelled",
    }
}

vocabulary! {
    /// Account of the ledger. The balances of all accounts add up to zero.
    Account, "the name of a ledger account" {
        /// Money that the insurer holds. The balance is negative.
        WithInsurer = "with-insurer",
        /// Money collected here for the insurer and not remitted yet. The balance is negative.
        Collected = "collected",
        /// Advance deposit, from which policies draw their premium.
        Deposit = "deposit",
        /// Money received for a proposal in a wrong amount.
        Unsettled = "unsettled",
        /// Premium received for a policy that is not issued yet.
        Received = "received",
        /// Premium of issued policies, including endorsement charges.
        Premium = "premium",
        /// Money to be paid back to the payer.
        Refundable = "refundable",
        /// Refunded premium of cancelled and endorsed policies. The balance is negative.
        ReturnedPremium = "returned-premium",
        /// Refunds that insurers owe to the insured.
        PolicyRefund = "policy-refund",
        /// Commission that insurers owe to the operator. The balance is negative.
        CommissionDue = "commission-due",
        /// Commission that the operator earned, without the partners' share.
        Commission = "commission",
        /// Commission that the operator owes to partners.
        PartnerCommission = "partner-commission",
        /// Tax that partners charge on their commission. The balance is negative.
        InputTax = "input-tax",
        /// Tax deducted at source from partners' commission, to be paid to the tax office.
        TaxWithheld = "tax-withheld",
        /// Small differences between premiums and payments that an insurer accepts. What came too little is negative.
        Differences = "differences",
        /// The operator's own money. The balance is the total that the operator paid from this money.
        OwnFunds = "own-funds",
    }
}

vocabulary! {
    /// Reason why an amount moves from one account to another.
    Entry, "the name of a ledger entry" {
        /// Money is added to a deposit.
        TopUp = "top-up",
        /// A policy draws its premium from a deposit.
        Draw = "draw",
        /// Money is received for a proposal.
        Receipt = "receipt",
        /// An operator settles a wrong amount.
        Settlement = "settlement",
        /// A policy is issued.
        Issue = "issue",
        /// A proposal ended without a policy; received money becomes refundable.
        Release = "release",
        /// Money is paid back to the payer.
        Refund = "refund",
        /// Money collected here is sent to the insurer.
        Remittance = "remittance",
        /// Money is taken out of a deposit.
        Withdrawal = "withdrawal",
        /// A policy is cancelled, and the insurer owes a refund.
        Cancellation = "cancellation",
        /// An endorsement has a charge, or leads to a refund that the insurer owes.
        Endorsement = "endorsement",
        /// An insurer paid the refund of a policy.
        RefundPaid = "refund-paid",
        /// The operator's commission of a month. Negative commission is posted in reverse.
        Commission = "commission",
        /// A partner's share of the commission.
        PartnerCommission = "partner-commission",
        /// Tax that the partner charges on its share.
        InputTax = "input-tax",
        /// Tax deducted at source from the partner's share.
        TaxWithheld = "tax-withheld",
        /// The operator paid a partner's commission of a month.
        CommissionPaid = "commission-paid",
        /// The insurer accepts a small difference between the premium and the payment.
        Difference = "difference",
        /// A recorded payment is taken back, because it was recorded by mistake or the bank took it back.
        Reversal = "reversal",
        /// The bank took the payment back after it had paid for a policy. The policy ends from its start.
        Bounce = "bounce",
    }
}

/// One line of the ledger: an amount that moves from one account to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// Reason for the movement.
    pub entry: Entry,
    /// The account whose balance decreases.
    pub debit: Account,
    /// The account whose balance increases.
    pub credit: Account,
    /// Amount that moves; greater than zero.
    pub amount: Rupees,
}

impl Posting {
    /// Posting of an amount. A negative amount is posted in reverse. `None` if the amount is zero.
    pub fn of(entry: Entry, debit: Account, credit: Account, amount: Rupees) -> Option<Self> {
        match amount < Rupees::ZERO {
            true => posting(entry, credit, debit, Rupees::ZERO - amount),
            false => posting(entry, debit, credit, amount),
        }
    }
}

/// Who holds received money.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payee {
    Insurer,
    /// This service, until the money is remitted to the insurer.
    Here,
}

impl Payee {
    const fn account(self) -> Account {
        match self {
            Payee::Insurer => Account::WithInsurer,
            Payee::Here => Account::Collected,
        }
    }
}

vocabulary! {
    /// Result of a payment for a proposal.
    ReceiptOutcome, "one of matched, mismatch, refund_due" {
        /// The amount is exactly what was owed.
        Matched = "matched",
        /// The amount is wrong; an operator must settle it.
        Mismatch = "mismatch",
        /// The proposal had ended without a policy; the money must be paid back.
        RefundDue = "refund_due",
    }
}

vocabulary! {
    /// How an operator settles a wrong amount.
    Settlement, "one of apply, refund" {
        /// The premium is taken from the amount; the rest is paid back.
        Apply = "apply",
        /// The whole amount is paid back.
        Refund = "refund",
    }
}

/// Reason why a change of a proposal's amounts is refused. `Display` gives a sentence for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BooksFault {
    NotReceived {
        /// Amount owed.
        due: Rupees,
    },
    NothingToSettle,
    /// The unsettled amount is less than the premium.
    TooLittle {
        /// Amount owed.
        due: Rupees,
        /// Amount received and not settled.
        unsettled: Rupees,
    },
    /// No premium is owed any more.
    NothingDue,
    /// There is no money to pay back.
    NothingToRefund,
    NothingToRemit,
    /// The money of the payment was used, refunded or remitted.
    MovedOn,
    /// The request states an amount other than the actual one.
    OtherAmount {
        /// Actual amount.
        there: Rupees,
    },
}

impl std::fmt::Display for BooksFault {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BooksFault::NotReceived { due } => {
                write!(to, "The premium of {} is due, but was not received.", due.grouped_with_paise())
            }
            BooksFault::NothingToSettle => to.write_str("Every received amount is already settled."),
            BooksFault::TooLittle { due, unsettled } => write!(
                to,
                "{} was received, but the premium is {}: refund the amount, or apply it after the rest is received.",
                unsettled.grouped_with_paise(),
                due.grouped_with_paise()
            ),
            BooksFault::NothingDue => {
                to.write_str("The premium is not due, so the amount can only be refunded.")
            }
            BooksFault::NothingToRefund => to.write_str("No refund is owed."),
            BooksFault::NothingToRemit => {
                to.write_str("There is no collected premium to remit to the insurer.")
            }
            BooksFault::MovedOn => to.write_str(
                "The money of this payment was already used for a policy, settled, refunded or remitted, so the payment cannot be reversed. If the bank took back the payment of a policy, cancel the policy for PAYMENT_BOUNCED.",
            ),
            BooksFault::OtherAmount { there } => {
                write!(to, "The amount must be {}.", there.grouped_with_paise())
            }
        }
    }
}

/// Amounts of one proposal's premium: owed, received and paid back. No amount is ever negative, so nothing is
/// applied or paid back twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Books {
    /// Amount owed: premium with tax.
    pub due: Rupees,
    /// Money received in a wrong amount, and not settled yet.
    pub unsettled: Rupees,
    /// Premium received in full, while the policy is not issued yet.
    pub received: Rupees,
    /// Premium of the issued policy.
    pub applied: Rupees,
    /// Money that must be paid back to the payer.
    pub refundable: Rupees,
    /// Money that was paid back to the payer.
    pub refunded: Rupees,
    /// Part of the received money that is collected here and not remitted yet.
    pub held_here: Rupees,
    /// Whether the proposal ended without a policy.
    pub ended: bool,
}

impl Books {
    /// A premium that is owed; nothing is received yet.
    pub fn owed(due: Rupees) -> Self {
        Books { due, ..Books::default() }
    }

    /// Status of the premium. A premium that is owed, received or unsettled takes precedence over a refund
    /// that is owed at the same time.
    pub fn state(&self) -> PremiumState {
        let (ended, owed_back) = (self.ended, self.refundable > Rupees::ZERO);
        if self.unsettled > Rupees::ZERO {
            PremiumState::Mismatch
        } else if self.received > Rupees::ZERO {
            PremiumState::Received
        } else if !ended && self.applied == Rupees::ZERO {
            PremiumState::Due
        } else if owed_back {
            PremiumState::RefundDue
        } else if self.applied > Rupees::ZERO {
            PremiumState::Paid
        } else if self.refunded > Rupees::ZERO {
            PremiumState::Refunded
        } else {
            PremiumState::Cancelled
        }
    }

    /// Money that must be remitted to the insurer: all money held here, except what must be paid back.
    pub fn to_remit(&self) -> Rupees {
        self.held_here - self.held_here.min(self.refundable)
    }

    /// Whether nothing remains to be paid, settled or remitted.
    pub fn is_settled(&self) -> bool {
        let ended =
            matches!(self.state(), PremiumState::Paid | PremiumState::Refunded | PremiumState::Cancelled);
        ended && self.held_here == Rupees::ZERO
    }

    /// Adds received money to the amounts. A difference of at most `tolerance` from the premium is accepted.
    /// Returns the result and the ledger postings.
    pub fn receive(
        &mut self,
        amount: Rupees,
        tolerance: Rupees,
        payee: Payee,
    ) -> (ReceiptOutcome, Vec<Posting>) {
        let nothing_came = self.received + self.applied + self.unsettled == Rupees::ZERO;
        let is_near = amount + tolerance >= self.due && amount <= self.due + tolerance;
        let (outcome, credit) = if self.ended {
            self.refundable = self.refundable + amount;
            (ReceiptOutcome::RefundDue, Account::Refundable)
        } else if nothing_came && is_near {
            self.received = self.due;
            (ReceiptOutcome::Matched, Account::Received)
        } else {
            self.unsettled = self.unsettled + amount;
            (ReceiptOutcome::Mismatch, Account::Unsettled)
        };
        if payee == Payee::Here {
            self.held_here = self.held_here + amount;
        }
        let mut postings = vec![Posting { entry: Entry::Receipt, debit: payee.account(), credit, amount }];
        if outcome == ReceiptOutcome::Matched {
            postings.extend(difference(self.due - amount));
        }
        (outcome, postings)
    }

    /// Adds money that came too late. The money is unsettled even if the amount is right. If the proposal has
    /// ended, the money is refundable.
    pub fn receive_late(&mut self, amount: Rupees, payee: Payee) -> (ReceiptOutcome, Vec<Posting>) {
        if self.ended {
            return self.receive(amount, Rupees::ZERO, payee);
        }
        self.unsettled = self.unsettled + amount;
        if payee == Payee::Here {
            self.held_here = self.held_here + amount;
        }
        let (debit, credit) = (payee.account(), Account::Unsettled);
        (ReceiptOutcome::Mismatch, vec![Posting { entry: Entry::Receipt, debit, credit, amount }])
    }

    /// Takes back a payment. `made`: the postings of its receipt. Returns the opposite postings.
    ///
    /// # Errors
    /// [`BooksFault::MovedOn`] if its money is no longer where the receipt put it. Then nothing has changed.
    pub fn reverse(&mut self, made: &[Posting]) -> Result<Vec<Posting>, BooksFault> {
        let mut books = *self;
        let mut postings = Vec::new();
        for Posting { debit, credit, amount, .. } in made {
            for (account, by) in [(credit, Rupees::ZERO - *amount), (debit, *amount)] {
                let field = match account {
                    Account::Unsettled => &mut books.unsettled,
                    Account::Received => &mut books.received,
                    Account::Refundable => &mut books.refundable,
                    _ => continue,
                };
                *field = *field + by;
            }
            if *debit == Account::Collected {
                books.held_here = books.held_here - *amount;
            }
            let (debit, credit) = (*credit, *debit);
            postings.push(Posting { entry: Entry::Reversal, debit, credit, amount: *amount });
        }
        let left = [books.unsettled, books.received, books.refundable, books.held_here];
        if postings.is_empty() || left.iter().any(|amount| *amount < Rupees::ZERO) {
            return Err(BooksFault::MovedOn);
        }
        *self = books;
        Ok(postings)
    }

    /// Takes back the payment of an issued policy, of which covernote may still hold the money. Returns the
    /// postings of the premium that the insurer returns.
    pub fn bounce(&mut self, amount: Rupees) -> Vec<Posting> {
        let here = amount.min(self.held_here);
        self.held_here = self.held_here - here;
        let from = |account, amount| posting(Entry::Bounce, Account::ReturnedPremium, account, amount);
        let back = from(Account::Collected, here).into_iter();
        back.chain(from(Account::WithInsurer, amount - here)).collect()
    }

    /// Moves the received premium to the issued policy.
    ///
    /// # Errors
    /// [`BooksFault::NotReceived`] if the premium was not received in full.
    pub fn issue(&mut self) -> Result<Vec<Posting>, BooksFault> {
        if self.ended || self.received != self.due || self.due == Rupees::ZERO {
            return Err(BooksFault::NotReceived { due: self.due });
        }
        let amount = std::mem::take(&mut self.received);
        self.applied = self.applied + amount;
        let (debit, credit) = (Account::Received, Account::Premium);
        Ok(vec![Posting { entry: Entry::Issue, debit, credit, amount }])
    }

    /// Ends the premium of a proposal without a policy. Received money becomes refundable.
    pub fn release(&mut self) -> Vec<Posting> {
        self.ended = true;
        let taken = [
            (Account::Received, std::mem::take(&mut self.received)),
            (Account::Unsettled, std::mem::take(&mut self.unsettled)),
        ];
        let mut postings = Vec::new();
        for (debit, amount) in taken {
            self.refundable = self.refundable + amount;
            postings.extend(posting(Entry::Release, debit, Account::Refundable, amount));
        }
        postings
    }

    /// Settles a wrong amount. An amount that is at most `tolerance` below the premium is enough.
    ///
    /// # Errors
    /// [`BooksFault`] if the amount cannot be settled in this way. Then nothing has changed.
    pub fn settle(&mut self, how: Settlement, tolerance: Rupees) -> Result<Vec<Posting>, BooksFault> {
        let (due, unsettled) = (self.due, self.unsettled);
        if unsettled == Rupees::ZERO {
            return Err(BooksFault::NothingToSettle);
        }
        let applied = match how {
            Settlement::Refund => Rupees::ZERO,
            Settlement::Apply if self.ended || self.received + self.applied > Rupees::ZERO => {
                return Err(BooksFault::NothingDue);
            }
            Settlement::Apply if unsettled + tolerance < due => {
                return Err(BooksFault::TooLittle { due, unsettled });
            }
            Settlement::Apply => due,
        };
        let used = applied.min(unsettled);
        self.unsettled = Rupees::ZERO;
        self.received = self.received + applied;
        self.refundable = self.refundable + (unsettled - used);
        let to_premium = posting(Entry::Settlement, Account::Unsettled, Account::Received, used);
        let back = posting(Entry::Settlement, Account::Unsettled, Account::Refundable, unsettled - used);
        Ok(to_premium.into_iter().chain(difference(applied - used)).chain(back).collect())
    }

    /// Pays back all refundable money, first from the money held here.
    ///
    /// # Errors
    /// [`BooksFault::NothingToRefund`] if no money is refundable.
    pub fn refund(&mut self) -> Result<Vec<Posting>, BooksFault> {
        let amount = std::mem::take(&mut self.refundable);
        if amount == Rupees::ZERO {
            return Err(BooksFault::NothingToRefund);
        }
        let here = amount.min(self.held_here);
        self.held_here = self.held_here - here;
        self.refunded = self.refunded + amount;
        let from_here = posting(Entry::Refund, Account::Refundable, Account::Collected, here);
        let from_insurer = posting(Entry::Refund, Account::Refundable, Account::WithInsurer, amount - here);
        Ok(from_here.into_iter().chain(from_insurer).collect())
    }

    /// Remits the money held here to the insurer, except what must be paid back.
    ///
    /// # Errors
    /// [`BooksFault::NothingToRemit`] if there is no such money.
    pub fn remit(&mut self) -> Result<Vec<Posting>, BooksFault> {
        let amount = self.to_remit();
        if amount == Rupees::ZERO {
            return Err(BooksFault::NothingToRemit);
        }
        self.held_here = self.held_here - amount;
        Ok(posting(Entry::Remittance, Account::WithInsurer, Account::Collected, amount).into_iter().collect())
    }
}

/// Compares the stated amount, if any, with the actual amount.
fn is_there(named: Option<Rupees>, there: Rupees) -> Result<(), BooksFault> {
    match named {
        Some(named) if named != there => Err(BooksFault::OtherAmount { there }),
        _ => Ok(()),
    }
}

/// A posting. `None` if the amount is zero.
fn posting(entry: Entry, debit: Account, credit: Account, amount: Rupees) -> Option<Posting> {
    (amount > Rupees::ZERO).then_some(Posting { entry, debit, credit, amount })
}

/// Posting of the part of a premium that did not come. Negative if too much came. `None` if it is zero.
fn difference(missing: Rupees) -> Option<Posting> {
    Posting::of(Entry::Difference, Account::Differences, Account::Received, missing)
}

/// Act of an operator on the money of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BooksAct {
    /// Settles a wrong amount, with the difference from the premium that the insurer accepts.
    Settle(Settlement, Rupees),
    /// Enters that the refundable money was paid back. If an amount is given, it must equal the refundable
    /// money.
    Refund(Option<Rupees>),
    /// Enters that collected money was remitted to the insurer. If an amount is given, it must equal the
    /// money to remit.
    Remit(Option<Rupees>),
}

impl BooksAct {
    /// Checks a repetition of a payment that was entered before under the same reference. Nothing is entered
    /// again.
    ///
    /// # Errors
    /// [`BooksFault::OtherAmount`] if the stated amount differs from `noted`.
    pub fn again(self, noted: Rupees) -> Result<(), BooksFault> {
        match self {
            BooksAct::Settle(..) => Ok(()),
            BooksAct::Refund(amount) | BooksAct::Remit(amount) => is_there(amount, noted),
        }
    }

    /// Ledger entry to search for an earlier payment with the same reference. `None` if the act is not a
    /// payment.
    pub const fn payment(self) -> Option<Entry> {
        match self {
            BooksAct::Settle(..) => None,
            BooksAct::Refund(_) => Some(Entry::Refund),
            BooksAct::Remit(_) => Some(Entry::Remittance),
        }
    }
}

impl Books {
    /// Performs an operator's act.
    ///
    /// # Errors
    /// [`BooksFault`] if the act is refused. Then nothing has changed.
    pub fn act(&mut self, act: BooksAct) -> Result<Vec<Posting>, BooksFault> {
        match act {
            BooksAct::Settle(how, tolerance) => self.settle(how, tolerance),
            BooksAct::Refund(amount) => {
                is_there(amount, self.refundable)?;
                self.refund()
            }
            BooksAct::Remit(amount) => {
                is_there(amount, self.to_remit())?;
                self.remit()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::strategy::Strategy as _;

    use super::*;

    const DUE: Rupees = Rupees::whole(5900);

    fn received() -> Books {
        let mut books = Books::owed(DUE);
        assert_eq!(books.receive(DUE, Rupees::ZERO, Payee::Insurer).0, ReceiptOutcome::Matched);
        books
    }

    #[test]
    fn a_premium_that_was_received_exactly_is_applied_only_once() {
        let mut books = received();
        assert_eq!(books.state(), PremiumState::Received);
        assert!(books.issue().is_ok());
        assert_eq!(books.state(), PremiumState::Paid);
        assert_eq!(books.issue(), Err(BooksFault::NotReceived { due: DUE }));
    }

    #[test]
    fn a_receipt_of_a_wrong_amount_is_a_mismatch_and_only_a_higher_one_can_be_applied() {
        for paise in [-1, 1] {
            let came = Rupees::from_paise(DUE.paise() + paise);
            let mut books = Books::owed(DUE);
            assert_eq!(books.receive(came, Rupees::ZERO, Payee::Insurer).0, ReceiptOutcome::Mismatch);
            assert!(books.issue().is_err());
            let applied = books.settle(Settlement::Apply, Rupees::ZERO);
            assert_eq!(applied.is_ok(), paise > 0);
            assert_eq!(
                books.state(),
                if paise > 0 { PremiumState::Received } else { PremiumState::Mismatch }
            );
        }
    }

    #[test]
    fn a_second_payment_is_a_mismatch_that_can_only_be_refunded() {
        let mut books = received();
        assert_eq!(books.receive(DUE, Rupees::ZERO, Payee::Insurer).0, ReceiptOutcome::Mismatch);
        assert_eq!(books.settle(Settlement::Apply, Rupees::ZERO), Err(BooksFault::NothingDue));
        assert!(books.settle(Settlement::Refund, Rupees::ZERO).is_ok());
        assert!(books.issue().is_ok());
        assert_eq!((books.applied, books.refundable), (DUE, DUE));
    }

    #[test]
    fn money_received_for_an_ended_proposal_is_refunded_only_once() {
        let mut books = received();
        books.release();
        assert_eq!(books.state(), PremiumState::RefundDue);
        assert_eq!(books.receive(DUE, Rupees::ZERO, Payee::Here).0, ReceiptOutcome::RefundDue);
        assert!(books.issue().is_err());
        assert!(books.refund().is_ok());
        assert_eq!((books.refunded, books.held_here), (DUE + DUE, Rupees::ZERO));
        assert_eq!(books.refund(), Err(BooksFault::NothingToRefund));
    }

    #[test]
    fn a_premium_that_covernote_holds_is_remitted_without_the_refundable_part() {
        let mut books = Books::owed(DUE);
        books.receive(DUE + Rupees::whole(1), Rupees::ZERO, Payee::Here);
        assert!(books.settle(Settlement::Apply, Rupees::ZERO).is_ok());
        assert_eq!(books.to_remit(), DUE);
        assert!(books.remit().is_ok());
        assert_eq!(books.remit(), Err(BooksFault::NothingToRemit));
        assert!(books.refund().is_ok());
        assert_eq!(books.held_here, Rupees::ZERO);
    }

    #[test]
    fn a_difference_within_the_tolerance_is_posted_and_the_premium_is_received_in_full() {
        for (paise, debit) in [(-8, Account::Differences), (8, Account::Received)] {
            let (mut books, tolerance) = (Books::owed(DUE), Rupees::from_paise(8));
            let (outcome, postings) =
                books.receive(DUE + Rupees::from_paise(paise), tolerance, Payee::Insurer);
            assert_eq!((outcome, books.received), (ReceiptOutcome::Matched, DUE));
            assert_eq!((postings[1].entry, postings[1].debit), (Entry::Difference, debit));
            assert_eq!(postings[1].amount, tolerance);
            let beyond = DUE + Rupees::from_paise(paise + paise.signum());
            let (outcome, _) = Books::owed(DUE).receive(beyond, tolerance, Payee::Insurer);
            assert_eq!(outcome, ReceiptOutcome::Mismatch);
        }
    }

    #[test]
    fn a_payment_is_reversed_only_before_its_money_moved_on() {
        let mut books = Books::owed(DUE);
        let (_, made) = books.receive(DUE - Rupees::from_paise(8), Rupees::from_paise(8), Payee::Here);
        let mut issued = books;
        assert!(issued.issue().is_ok());
        assert_eq!(issued.reverse(&made), Err(BooksFault::MovedOn));
        assert_eq!(books.reverse(&made).map(|postings| postings.len()), Ok(2));
        assert_eq!(books, Books::owed(DUE));
        assert_eq!(books.reverse(&made), Err(BooksFault::MovedOn));
    }

    proptest::proptest! {
        #[test]
        fn no_amount_of_the_books_is_negative_and_all_received_money_is_accounted_for(
            steps in proptest::collection::vec((0_u8..9, 0_i64..4), 0..30),
            tolerance in (0_i64..2).prop_map(Rupees::from_paise),
        ) {
            let mut books = Books::owed(Rupees::from_paise(2));
            let (mut came, mut receipts) = (Rupees::ZERO, Vec::<Vec<Posting>>::new());
            let mut accounts = std::collections::BTreeMap::<Account, i64>::new();
            for (step, paise) in steps {
                let amount = Rupees::from_paise(paise + 1);
                let before = books;
                let postings = match step {
                    0..=2 => {
                        came = came + amount;
                        let (_, postings) = match step {
                            0 => books.receive(amount, tolerance, Payee::Insurer),
                            1 => books.receive(amount, tolerance, Payee::Here),
                            _ => books.receive_late(amount, Payee::Here),
                        };
                        receipts.push(postings.clone());
                        postings
                    }
                    3 => books.issue().unwrap_or_default(),
                    4 if books.applied == Rupees::ZERO => books.release(),
                    4 => Vec::new(),
                    5 => {
                        let how = if paise > 1 { Settlement::Apply } else { Settlement::Refund };
                        books.settle(how, tolerance).unwrap_or_default()
                    }
                    6 => books.refund().unwrap_or_default(),
                    7 => {
                        let at = usize::try_from(paise).unwrap_or_default();
                        let reversed = receipts.get(at).and_then(|made| books.reverse(made).ok());
                        if reversed.is_some() {
                            came = came - receipts.remove(at)[0].amount;
                        }
                        reversed.unwrap_or_default()
                    }
                    _ => books.remit().unwrap_or_default(),
                };
                if postings.is_empty() && step != 4 { proptest::prop_assert_eq!(books, before); }
                for Posting { debit, credit, amount, .. } in postings {
                    proptest::prop_assert!(amount > Rupees::ZERO);
                    *accounts.entry(debit).or_default() -= amount.paise();
                    *accounts.entry(credit).or_default() += amount.paise();
                }
                let all = [books.unsettled, books.received, books.applied, books.refundable, books.refunded, books.held_here];
                proptest::prop_assert!(all.iter().all(|amount| *amount >= Rupees::ZERO));
                let somewhere: Rupees = all[..5].iter().copied().sum();
                let balance = |account| accounts.get(&account).copied().unwrap_or_default();
                proptest::prop_assert_eq!(somewhere.paise(), came.paise() - balance(Account::Differences));
                proptest::prop_assert_eq!(accounts.values().sum::<i64>(), 0);
                proptest::prop_assert_eq!(balance(Account::Unsettled), books.unsettled.paise());
                proptest::prop_assert_eq!(balance(Account::Received), books.received.paise());
                proptest::prop_assert_eq!(balance(Account::Premium), books.applied.paise());
                proptest::prop_assert_eq!(balance(Account::Refundable), books.refundable.paise());
                proptest::prop_assert_eq!(-balance(Account::Collected), books.held_here.paise());
            }
        }
    }
}
