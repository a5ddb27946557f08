//! The books of one proposal's premium: where the money is that came for it, and the postings of every change (D63 to D65).

use crate::money::Rupees;
use crate::text::vocabulary;

vocabulary! {
    /// Where the premium of a proposal stands, in one word.
    PremiumState, "one of due, received, mismatch, paid, refund_due, refunded, cancelled" {
        /// It is owed.
        Due = "due",
        /// All of it was received; the policy is not issued yet.
        Received = "received",
        /// Another amount than the one that is owed was received: somebody must settle it.
        Mismatch = "mismatch",
        /// The policy is issued and its premium is the insurer's.
        Paid = "paid",
        /// Money is owed back to who paid it.
        RefundDue = "refund_due",
        /// What was owed back was paid back.
        Refunded = "refunded",
        /// The proposal ended without a policy, and nothing had been received.
        Cancelled = "cancelled",
    }
}

vocabulary! {
    /// An account of the ledger. The sum of all accounts is always nought.
    Account, "the name of an account" {
        /// Money that lies with the insurer. Its balance is below nought by as much.
        WithInsurer = "with-insurer",
        /// Money that was collected here for the insurer and is not remitted yet. Its balance is below nought by as much.
        Collected = "collected",
        /// An advance deposit, from which policies draw.
        Deposit = "deposit",
        /// Money that was received for a proposal and is not the amount that it owes.
        Unsettled = "unsettled",
        /// Premium that was received; its policy is not issued yet.
        Received = "received",
        /// Premium of issued policies, with what endorsements cost.
        Premium = "premium",
        /// Money that is owed back to who paid it.
        Refundable = "refundable",
        /// Premium of cancelled and of endorsed policies that comes back. Its balance is below nought by as much.
        ReturnedPremium = "returned-premium",
        /// What insurers owe to the insured of these policies.
        PolicyRefund = "policy-refund",
        /// Commission that insurers owe to the operator. Its balance is below nought by as much.
        CommissionDue = "commission-due",
        /// Commission that the operator earned, less what of it is its partners'.
        Commission = "commission",
        /// What the operator owes to partners.
        PartnerCommission = "partner-commission",
        /// Tax that partners charge on their commission. Its balance is below nought by as much.
        InputTax = "input-tax",
        /// Tax that was deducted at source from partners' commission and is to be paid for them.
        TaxWithheld = "tax-withheld",
        /// The operator's own money. Its balance is what was paid out of it.
        OwnFunds = "own-funds",
    }
}

vocabulary! {
    /// Why an amount moves from one account to another.
    Entry, "the name of an entry" {
        /// Money is added to a deposit.
        TopUp = "top-up",
        /// A policy draws its premium from a deposit.
        Draw = "draw",
        /// Money comes in for a proposal.
        Receipt = "receipt",
        /// Somebody settles an amount that did not match.
        Settlement = "settlement",
        /// A policy is issued.
        Issue = "issue",
        /// A proposal ended without a policy, and what was received is owed back.
        Release = "release",
        /// Money is paid back.
        Refund = "refund",
        /// Money that was collected here goes to the insurer.
        Remittance = "remittance",
        /// Money is taken out of a deposit.
        Withdrawal = "withdrawal",
        /// A policy is cancelled, and its insurer owes the refund.
        Cancellation = "cancellation",
        /// An endorsement costs more, or its insurer owes a refund.
        Endorsement = "endorsement",
        /// An insurer paid the refund of a policy.
        RefundPaid = "refund-paid",
        /// The operator's commission of a month, or what of it goes back.
        Commission = "commission",
        /// What of it is a partner's.
        PartnerCommission = "partner-commission",
        /// The tax that the partner charges on it.
        InputTax = "input-tax",
        /// The tax that is deducted from it at source.
        TaxWithheld = "tax-withheld",
        /// The operator paid a partner's commission of a month.
        CommissionPaid = "commission-paid",
    }
}

/// An amount that moves from one account to another: one line of the ledger. Debit and credit are always the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Posting {
    /// Why.
    pub entry: Entry,
    /// The account whose balance falls.
    pub debit: Account,
    /// The account whose balance rises.
    pub credit: Account,
    /// How much; above nought.
    pub amount: Rupees,
}

impl Posting {
    /// An amount that moves from one account to another; one below nought moves back. `None`: there is nothing to post.
    pub fn of(entry: Entry, debit: Account, credit: Account, amount: Rupees) -> Option<Self> {
        match amount < Rupees::ZERO {
            true => posting(entry, credit, debit, Rupees::ZERO - amount),
            false => posting(entry, debit, credit, amount),
        }
    }
}

/// Where money lies that was received.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payee {
    Insurer,
    /// Here, to be remitted to the insurer.
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
    /// What came of money that was received for a proposal.
    ReceiptOutcome, "one of matched, mismatch, refund_due" {
        /// It is exactly what was owed.
        Matched = "matched",
        /// It is not what was owed: somebody must settle it.
        Mismatch = "mismatch",
        /// The proposal had ended without a policy: it is owed back.
        RefundDue = "refund_due",
    }
}

vocabulary! {
    /// How somebody settles an amount that did not match.
    Settlement, "one of apply, refund" {
        /// The premium is taken out of it; what is over is owed back.
        Apply = "apply",
        /// All of it is owed back.
        Refund = "refund",
    }
}

/// Why something cannot be done with the premium of a proposal. Its `Display` is a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BooksFault {
    /// The premium was not received.
    NotReceived {
        /// What is owed.
        due: Rupees,
    },
    NothingToSettle,
    /// What is to be settled is less than the premium.
    TooLittle {
        /// What is owed.
        due: Rupees,
        /// What was received and is not settled.
        unsettled: Rupees,
    },
    /// The premium needs no further money.
    NothingDue,
    /// Nothing is owed back.
    NothingToRefund,
    NothingToRemit,
    /// Another amount than the one that was named would be noted.
    OtherAmount {
        /// What is there.
        there: Rupees,
    },
}

impl std::fmt::Display for BooksFault {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BooksFault::NotReceived { due } => {
                write!(to, "The premium of {} is due and was not received.", due.grouped_with_paise())
            }
            BooksFault::NothingToSettle => to.write_str("Every amount that was received is settled."),
            BooksFault::TooLittle { due, unsettled } => write!(
                to,
                "{} was received, and the premium is {}: it can be refunded, or applied once the rest has come.",
                unsettled.grouped_with_paise(),
                due.grouped_with_paise()
            ),
            BooksFault::NothingDue => {
                to.write_str("The premium is not due, so the amount can only be refunded.")
            }
            BooksFault::NothingToRefund => to.write_str("Nothing is owed back."),
            BooksFault::NothingToRemit => to.write_str("Nothing is to be remitted."),
            BooksFault::OtherAmount { there } => {
                write!(to, "{} is there, and another amount was named.", there.grouped_with_paise())
            }
        }
    }
}

/// The amounts of one proposal's premium: what it owes, and where the money is that came for it. No amount is ever below
/// nought, so nothing is applied or paid back twice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Books {
    /// What the proposal owes: its premium with tax.
    pub due: Rupees,
    /// Received, and not the amount that is owed.
    pub unsettled: Rupees,
    /// Received in full for a policy that is not issued yet.
    pub received: Rupees,
    /// The premium of the issued policy.
    pub applied: Rupees,
    /// Owed back to who paid it.
    pub refundable: Rupees,
    /// Paid back.
    pub refunded: Rupees,
    /// Of all that came, what was collected here and is not remitted yet.
    pub held_here: Rupees,
    /// Whether the proposal ended without a policy.
    pub ended: bool,
}

impl Books {
    /// A premium of which nothing has come yet.
    pub fn owed(due: Rupees) -> Self {
        Books { due, ..Books::default() }
    }

    /// Where the premium stands, in one word: what is still to happen to it comes before what is owed back beside it.
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

    /// What of the money held here is to be remitted to the insurer: what is not owed back.
    pub fn to_remit(&self) -> Rupees {
        self.held_here - self.held_here.min(self.refundable)
    }

    /// Whether nobody has anything to do about it any more.
    pub fn is_settled(&self) -> bool {
        let ended =
            matches!(self.state(), PremiumState::Paid | PremiumState::Refunded | PremiumState::Cancelled);
        ended && self.held_here == Rupees::ZERO
    }

    /// Takes money in for the proposal.
    pub fn receive(&mut self, amount: Rupees, payee: Payee) -> (ReceiptOutcome, Posting) {
        let nothing_came = self.received + self.applied + self.unsettled == Rupees::ZERO;
        let (outcome, credit) = if self.ended {
            self.refundable = self.refundable + amount;
            (ReceiptOutcome::RefundDue, Account::Refundable)
        } else if nothing_came && amount == self.due {
            self.received = amount;
            (ReceiptOutcome::Matched, Account::Received)
        } else {
            self.unsettled = self.unsettled + amount;
            (ReceiptOutcome::Mismatch, Account::Unsettled)
        };
        if payee == Payee::Here {
            self.held_here = self.held_here + amount;
        }
        (outcome, Posting { entry: Entry::Receipt, debit: payee.account(), credit, amount })
    }

    /// Takes money in that somebody must look at, whatever its amount: it came after its time.
    pub fn receive_late(&mut self, amount: Rupees, payee: Payee) -> (ReceiptOutcome, Posting) {
        if self.ended {
            return self.receive(amount, payee);
        }
        self.unsettled = self.unsettled + amount;
        if payee == Payee::Here {
            self.held_here = self.held_here + amount;
        }
        let credit = Account::Unsettled;
        (ReceiptOutcome::Mismatch, Posting { entry: Entry::Receipt, debit: payee.account(), credit, amount })
    }

    /// Gives the received premium to the policy that is issued.
    ///
    /// # Errors
    /// [`BooksFault::NotReceived`].
    pub fn issue(&mut self) -> Result<Vec<Posting>, BooksFault> {
        if self.ended || self.received != self.due || self.due == Rupees::ZERO {
            return Err(BooksFault::NotReceived { due: self.due });
        }
        let amount = std::mem::take(&mut self.received);
        self.applied = self.applied + amount;
        let (debit, credit) = (Account::Received, Account::Premium);
        Ok(vec![Posting { entry: Entry::Issue, debit, credit, amount }])
    }

    /// Ends it: the proposal ended without a policy, and what was received is owed back.
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

    /// Settles what did not match.
    ///
    /// # Errors
    /// [`BooksFault`]; nothing has changed then.
    pub fn settle(&mut self, how: Settlement) -> Result<Vec<Posting>, BooksFault> {
        let (due, unsettled) = (self.due, self.unsettled);
        if unsettled == Rupees::ZERO {
            return Err(BooksFault::NothingToSettle);
        }
        let applied = match how {
            Settlement::Refund => Rupees::ZERO,
            Settlement::Apply if self.ended || self.received + self.applied > Rupees::ZERO => {
                return Err(BooksFault::NothingDue);
            }
            Settlement::Apply if unsettled < due => return Err(BooksFault::TooLittle { due, unsettled }),
            Settlement::Apply => due,
        };
        let over = unsettled - applied;
        self.unsettled = Rupees::ZERO;
        self.received = self.received + applied;
        self.refundable = self.refundable + over;
        let to_premium = posting(Entry::Settlement, Account::Unsettled, Account::Received, applied);
        let back = posting(Entry::Settlement, Account::Unsettled, Account::Refundable, over);
        Ok(to_premium.into_iter().chain(back).collect())
    }

    /// Pays back all that is owed back, first out of what is held here.
    ///
    /// # Errors
    /// [`BooksFault::NothingToRefund`].
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

    /// Remits to the insurer what is held here and not owed back.
    ///
    /// # Errors
    /// [`BooksFault::NothingToRemit`].
    pub fn remit(&mut self) -> Result<Vec<Posting>, BooksFault> {
        let amount = self.to_remit();
        if amount == Rupees::ZERO {
            return Err(BooksFault::NothingToRemit);
        }
        self.held_here = self.held_here - amount;
        Ok(posting(Entry::Remittance, Account::WithInsurer, Account::Collected, amount).into_iter().collect())
    }
}

/// Judges an amount that was named by what is there.
fn is_there(named: Option<Rupees>, there: Rupees) -> Result<(), BooksFault> {
    match named {
        Some(named) if named != there => Err(BooksFault::OtherAmount { there }),
        _ => Ok(()),
    }
}

/// A posting, unless there is nothing to post.
fn posting(entry: Entry, debit: Account, credit: Account, amount: Rupees) -> Option<Posting> {
    (amount > Rupees::ZERO).then_some(Posting { entry, debit, credit, amount })
}

/// What an operator does with the money of a proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BooksAct {
    /// Settles what did not match.
    Settle(Settlement),
    /// Notes that what is owed back was paid back: this much, where it is named.
    Refund(Option<Rupees>),
    /// Notes that what was collected here went to the insurer: this much, where it is named.
    Remit(Option<Rupees>),
}

impl BooksAct {
    /// What comes of a payment of which this much was noted before under the same reference: nothing is noted again.
    ///
    /// # Errors
    /// [`BooksFault::OtherAmount`]
    pub fn again(self, noted: Rupees) -> Result<(), BooksFault> {
        match self {
            BooksAct::Settle(_) => Ok(()),
            BooksAct::Refund(amount) | BooksAct::Remit(amount) => is_there(amount, noted),
        }
    }

    /// The entry by which a payment is found that was noted before under the same reference. A note is no payment.
    pub const fn payment(self) -> Option<Entry> {
        match self {
            BooksAct::Settle(_) => None,
            BooksAct::Refund(_) => Some(Entry::Refund),
            BooksAct::Remit(_) => Some(Entry::Remittance),
        }
    }
}

impl Books {
    /// Does what an operator does.
    ///
    /// # Errors
    /// [`BooksFault`]; nothing has changed then.
    pub fn act(&mut self, act: BooksAct) -> Result<Vec<Posting>, BooksFault> {
        match act {
            BooksAct::Settle(how) => self.settle(how),
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
    use super::*;

    const DUE: Rupees = Rupees::whole(5900);

    fn received() -> Books {
        let mut books = Books::owed(DUE);
        assert_eq!(books.receive(DUE, Payee::Insurer).0, ReceiptOutcome::Matched);
        books
    }

    #[test]
    fn the_exact_amount_is_received_and_applied_once() {
        let mut books = received();
        assert_eq!(books.state(), PremiumState::Received);
        assert!(books.issue().is_ok());
        assert_eq!(books.state(), PremiumState::Paid);
        assert_eq!(books.issue(), Err(BooksFault::NotReceived { due: DUE }));
    }

    #[test]
    fn a_paisa_short_or_over_is_a_mismatch_that_somebody_settles() {
        for paise in [-1, 1] {
            let came = Rupees::from_paise(DUE.paise() + paise);
            let mut books = Books::owed(DUE);
            assert_eq!(books.receive(came, Payee::Insurer).0, ReceiptOutcome::Mismatch);
            assert!(books.issue().is_err());
            let applied = books.settle(Settlement::Apply);
            assert_eq!(applied.is_ok(), paise > 0);
            assert_eq!(
                books.state(),
                if paise > 0 { PremiumState::Received } else { PremiumState::Mismatch }
            );
        }
    }

    #[test]
    fn a_second_payment_is_never_a_second_premium() {
        let mut books = received();
        assert_eq!(books.receive(DUE, Payee::Insurer).0, ReceiptOutcome::Mismatch);
        assert_eq!(books.settle(Settlement::Apply), Err(BooksFault::NothingDue));
        assert!(books.settle(Settlement::Refund).is_ok());
        assert!(books.issue().is_ok());
        assert_eq!((books.applied, books.refundable), (DUE, DUE));
    }

    #[test]
    fn money_for_a_proposal_that_ended_is_owed_back_and_paid_back_once() {
        let mut books = received();
        books.release();
        assert_eq!(books.state(), PremiumState::RefundDue);
        assert_eq!(books.receive(DUE, Payee::Here).0, ReceiptOutcome::RefundDue);
        assert!(books.issue().is_err());
        assert!(books.refund().is_ok());
        assert_eq!((books.refunded, books.held_here), (DUE + DUE, Rupees::ZERO));
        assert_eq!(books.refund(), Err(BooksFault::NothingToRefund));
    }

    #[test]
    fn what_is_held_here_is_remitted_but_for_what_is_owed_back() {
        let mut books = Books::owed(DUE);
        books.receive(DUE + Rupees::whole(1), Payee::Here);
        assert!(books.settle(Settlement::Apply).is_ok());
        assert_eq!(books.to_remit(), DUE);
        assert!(books.remit().is_ok());
        assert_eq!(books.remit(), Err(BooksFault::NothingToRemit));
        assert!(books.refund().is_ok());
        assert_eq!(books.held_here, Rupees::ZERO);
    }

    proptest::proptest! {
        #[test]
        fn whatever_happens_no_amount_is_below_nought_and_all_that_came_is_somewhere(
            steps in proptest::collection::vec((0_u8..8, 0_i64..4), 0..30)
        ) {
            let mut books = Books::owed(Rupees::from_paise(2));
            let mut came = Rupees::ZERO;
            let mut accounts = std::collections::BTreeMap::<Account, i64>::new();
            for (step, paise) in steps {
                let amount = Rupees::from_paise(paise + 1);
                let before = books;
                let postings = match step {
                    0 | 1 => {
                        came = came + amount;
                        vec![books.receive(amount, if step == 0 { Payee::Insurer } else { Payee::Here }).1]
                    }
                    2 => { came = came + amount; vec![books.receive_late(amount, Payee::Here).1] }
                    3 => books.issue().unwrap_or_default(),
                    4 if books.applied == Rupees::ZERO => books.release(),
                    4 => Vec::new(),
                    5 => books.settle(if paise > 1 { Settlement::Apply } else { Settlement::Refund }).unwrap_or_default(),
                    6 => books.refund().unwrap_or_default(),
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
                proptest::prop_assert_eq!(somewhere, came);
                let balance = |account| accounts.get(&account).copied().unwrap_or_default();
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
