//! Premiums of proposals, on their way to the insurer (D63 to D65).
//!
//! Cover never starts before its premium was received (Insurance Act 1938, s. 64VB).

mod books;

use std::time::Duration;

pub use books::{
    Account, Books, BooksAct, BooksFault, Entry, Payee, Posting, PremiumState, ReceiptOutcome, Settlement,
};

use crate::date::{Date, Timestamp};
use crate::id::{InsurerId, PartnerId, ProposalId};
use crate::line::LineOfBusiness;
use crate::money::{PlainAmount, Rupees};
use crate::person::PersonalLine;
use crate::policy_number::PolicyNumber;
use crate::proposal::Actor;
use crate::text::{FromText, vocabulary};

vocabulary! {
    /// How a product's premium reaches its insurer (D63).
    PremiumRoute, "one of deposit, link, here, partner" {
        /// The premium of each policy is drawn from an advance deposit with the insurer.
        Deposit = "deposit",
        /// The customer pays through the insurer's own payment link, and the insurer reports the payment.
        Link = "link",
        /// The customer pays on a page of this service. The operator remits the money to the insurer, who is
        /// the payee.
        Here = "here",
        /// The partner collects the premium, pays the insurer, and reports the payment.
        Partner = "partner",
    }
}

/// Premium that must be received before the policy is issued. `Display` gives a sentence for the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PremiumDue {
    /// Amount owed.
    pub due: Rupees,
    /// How the premium is to be paid.
    pub route: PremiumRoute,
}

impl std::fmt::Display for PremiumDue {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let due = self.due.grouped_with_paise();
        match self.route {
            PremiumRoute::Deposit => write!(
                to,
                "The premium of {due} is due, but the deposit that pays it has too little money. Cover starts only after the deposit is topped up."
            ),
            PremiumRoute::Link | PremiumRoute::Here | PremiumRoute::Partner => {
                write!(to, "The premium of {due} is due: cover starts only after the premium is received.")
            }
        }
    }
}

/// Acceptance of a proposal whose premium was not received yet. The policy is issued as soon as the premium
/// is received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptDecision {
    /// Who accepted the proposal.
    pub by: Actor,
    pub at: Timestamp,
    /// Reason for the acceptance, as given by the party that accepted.
    pub reason: Option<PersonalLine>,
    /// Insurer's own policy number.
    pub insurer_number: Option<PolicyNumber>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalPremium {
    /// Partner of the proposal.
    pub partner: PartnerId,
    pub proposal: ProposalId,
    pub line: LineOfBusiness,
    /// Insurer to which the premium is owed.
    pub insurer: InsurerId,
    /// How the premium reaches the insurer.
    pub route: PremiumRoute,
    /// Name of the deposit that has too little money for this premium.
    pub deposit: Option<String>,
    /// Amounts owed, received and paid back.
    pub books: Books,
    /// Since when this service holds money that must be remitted to the insurer.
    pub held_since: Option<Timestamp>,
    /// Acceptance that waits for the premium.
    pub decision: Option<KeptDecision>,
    /// Since when the premium is owed.
    pub created_at: Timestamp,
    pub changed_at: Timestamp,
}

impl ProposalPremium {
    /// Whether reported payments are accepted. A premium with route `deposit` is drawn from the deposit
    /// instead.
    pub fn takes_receipts(&self) -> bool {
        self.route != PremiumRoute::Deposit
    }

    /// Whether the premium is still unpaid, so that a decision can wait for the premium.
    pub fn waits(&self) -> bool {
        let Books { received, applied, ended, .. } = self.books;
        !ended && received + applied == Rupees::ZERO
    }

    /// Whether the policy can be issued: premium received, and proposal accepted.
    pub fn is_ready(&self) -> bool {
        self.books.received > Rupees::ZERO && self.decision.is_some()
    }

    /// Adds a receipt's amount for this proposal to the books.
    pub fn receive(&mut self, receipt: &Receipt, amount: Rupees) -> (ReceiptOutcome, Vec<Posting>) {
        let taken = match receipt.late {
            true => self.books.receive_late(amount, receipt.payee),
            false => self.books.receive(amount, receipt.tolerance, receipt.payee),
        };
        self.changed(receipt.at);
        taken
    }

    /// Updates `changed_at` and `held_since` after a change of the amounts in the books.
    pub fn changed(&mut self, at: Timestamp) {
        self.changed_at = at;
        self.held_since = match self.books.to_remit() > Rupees::ZERO {
            true => self.held_since.or(Some(at)),
            false => None,
        };
    }
}

/// One reported payment, for one proposal or many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Partner of the proposals.
    pub partner: PartnerId,
    /// Payer's reference of the payment, such as the bank's UTR. Unique per partner.
    pub reference: PaymentReference,
    /// Total of the payment.
    pub amount: Rupees,
    /// Day on which the payment was received, in Asia/Kolkata.
    pub received_on: Date,
    /// Who reported the payment.
    pub by: Actor,
    /// When the payment was reported.
    pub at: Timestamp,
    /// Who holds the money.
    pub payee: Payee,
    /// Whether the payment came too late, or is dated before one of its proposals. Such a payment must be
    /// settled by an operator.
    pub late: bool,
    /// Whether the partner's clock is the real one. References of test partners are not compared with others.
    pub is_live: bool,
    /// Difference from a premium that its insurer accepts. Of several insurers, the smallest one.
    pub tolerance: Rupees,
    /// Amount for each proposal. Each proposal occurs once; the amounts add up to the total.
    pub lines: Vec<(ProposalId, Rupees)>,
}

/// Maximum time until a collected premium is remitted to the insurer (Insurance Act 1938, s. 64VB (4)).
pub const REMIT_WITHIN: Duration = Duration::from_secs(24 * 60 * 60);

/// Payer's reference of a payment, such as the bank's UTR or a gateway's payment id. Letter case is ignored
/// in comparisons.
#[derive(Debug, Clone)]
pub struct PaymentReference(String);

impl PartialEq for PaymentReference {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for PaymentReference {}

impl PaymentReference {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromText for PaymentReference {
    const WANTED: &'static str =
        "a payment reference of at most 64 letters, digits, hyphens, slashes, points, colons and underscores";
    const PATTERN: Option<&'static str> = Some(r"^\s*[A-Za-z0-9./:_-]{1,64}\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | '.' | ':' | '_');
        match text.chars().all(plain) && (1..=64).contains(&text.len()) {
            true => Ok(PaymentReference(text.to_owned())),
            false => Err("text that is not a payment reference"),
        }
    }
}

/// Maximum amount of one payment: one lakh crore rupees. Sums of payments then cannot overflow.
const LARGEST_PAYMENT: Rupees = Rupees::whole(1_000_000_000_000);

/// Amount of a payment, above zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaidAmount(pub Rupees);

impl FromText for PaidAmount {
    const WANTED: &'static str =
        "an amount in rupees above zero and at most 1000000000000, digits with at most two decimals";
    const PATTERN: Option<&'static str> = PlainAmount::PATTERN;

    fn from_text(text: &str) -> Result<Self, &'static str> {
        match PlainAmount::from_text(text)?.0 {
            Rupees::ZERO => Err("an amount of zero"),
            amount if amount > LARGEST_PAYMENT => Err("an amount too large for a payment"),
            amount => Ok(PaidAmount(amount)),
        }
    }
}
