//! How the premium of a proposal reaches its insurer, and the payments for it: cover never starts before its premium was
//! received (Insurance Act 1938, s. 64VB; D63 to D65).

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
        /// Each policy draws on an advance deposit that lies with the insurer.
        Deposit = "deposit",
        /// The customer pays the insurer through the insurer's own link, and the insurer reports it.
        Link = "link",
        /// The customer pays on a page of this service. The payee is the insurer, to whom the operator remits it.
        Here = "here",
        /// The partner collects it, pays the insurer, and reports it.
        Partner = "partner",
    }
}

/// Why no policy is issued yet. Its `Display` is a sentence for the caller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PremiumDue {
    /// What is owed.
    pub due: Rupees,
    /// How it is to come.
    pub route: PremiumRoute,
}

impl std::fmt::Display for PremiumDue {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let due = self.due.grouped_with_paise();
        match self.route {
            PremiumRoute::Deposit => write!(
                to,
                "The premium of {due} is due: the deposit from which it is drawn has too little, and cover starts only once it was topped up."
            ),
            PremiumRoute::Link | PremiumRoute::Here | PremiumRoute::Partner => {
                write!(to, "The premium of {due} is due: cover starts only once it was received.")
            }
        }
    }
}

/// A decision that was made before the premium had come. The policy is issued by it once the premium is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptDecision {
    /// Who accepted.
    pub by: Actor,
    /// When.
    pub at: Timestamp,
    /// Why, in the words of who accepted.
    pub reason: Option<PersonalLine>,
    /// The insurer's own number of the policy.
    pub insurer_number: Option<PolicyNumber>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProposalPremium {
    /// Whose proposal it is.
    pub partner: PartnerId,
    /// Which.
    pub proposal: ProposalId,
    pub line: LineOfBusiness,
    /// To whom it is owed.
    pub insurer: InsurerId,
    /// How it is to reach the insurer.
    pub route: PremiumRoute,
    /// The deposit that it waits for, by its name.
    pub deposit: Option<String>,
    /// The amounts.
    pub books: Books,
    /// Since when money is held here that is to be remitted.
    pub held_since: Option<Timestamp>,
    /// The decision that waits for it.
    pub decision: Option<KeptDecision>,
    /// Since when it is owed.
    pub created_at: Timestamp,
    /// When anything of it last changed.
    pub changed_at: Timestamp,
}

impl ProposalPremium {
    /// Whether payments for it are taken: what draws on a deposit is paid by the deposit.
    pub fn takes_receipts(&self) -> bool {
        self.route != PremiumRoute::Deposit
    }

    /// Whether a decision can wait for it: it is owed and has not come.
    pub fn waits(&self) -> bool {
        let Books { received, applied, ended, .. } = self.books;
        !ended && received + applied == Rupees::ZERO
    }

    /// Whether the policy can be issued: it was received, and its decision waited for it.
    pub fn is_ready(&self) -> bool {
        self.books.received > Rupees::ZERO && self.decision.is_some()
    }

    /// Takes a line of a receipt in.
    pub fn receive(&mut self, receipt: &Receipt, amount: Rupees) -> (ReceiptOutcome, Posting) {
        let taken = match receipt.late {
            true => self.books.receive_late(amount, receipt.payee),
            false => self.books.receive(amount, receipt.payee),
        };
        self.changed(receipt.at);
        taken
    }

    /// Notes a change of the amounts at an instant.
    pub fn changed(&mut self, at: Timestamp) {
        self.changed_at = at;
        self.held_since = match self.books.to_remit() > Rupees::ZERO {
            true => self.held_since.or(Some(at)),
            false => None,
        };
    }
}

/// One payment, as somebody reports it: for one policy or for many.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// Whose proposals it pays for.
    pub partner: PartnerId,
    /// What the payment is called where it was made, such as the bank's UTR. A partner's payments have distinct references.
    pub reference: PaymentReference,
    /// All of it.
    pub amount: Rupees,
    /// The day on which it came, in Asia/Kolkata.
    pub received_on: Date,
    /// Who reports it.
    pub by: Actor,
    /// When it was reported.
    pub at: Timestamp,
    /// Where the money lies.
    pub payee: Payee,
    /// Whether it came after its time, or is dated before a proposal that it is for, so that somebody must look at it.
    pub late: bool,
    /// What of it is for which proposal. No proposal twice; together the whole amount.
    pub lines: Vec<(ProposalId, Rupees)>,
}

/// How long an agent may keep a premium that it collected for an insurer (Insurance Act 1938, s. 64VB (4)).
pub const REMIT_WITHIN: Duration = Duration::from_secs(24 * 60 * 60);

/// What a payment is called where it was made, such as the bank's UTR or a gateway's payment id. Two that differ in case alone
/// are the same.
#[derive(Debug, Clone)]
pub struct PaymentReference(String);

impl PartialEq for PaymentReference {
    fn eq(&self, other: &Self) -> bool {
        self.0.eq_ignore_ascii_case(&other.0)
    }
}

impl Eq for PaymentReference {}

impl PaymentReference {
    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromText for PaymentReference {
    const WANTED: &'static str = "the reference of a payment, at most 64 letters, digits, hyphens, slashes, points, colons and underscores,";
    const PATTERN: Option<&'static str> = Some(r"^\s*[A-Za-z0-9./:_-]{1,64}\s*$");

    fn from_text(text: &str) -> Result<Self, &'static str> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '/' | '.' | ':' | '_');
        match text.chars().all(plain) && (1..=64).contains(&text.len()) {
            true => Ok(PaymentReference(text.to_owned())),
            false => Err("text that is no such reference"),
        }
    }
}

/// The most that one payment may be: a lakh crore rupees. Sums of payments can still be counted.
const LARGEST_PAYMENT: Rupees = Rupees::whole(1_000_000_000_000);

/// An amount that was paid: above zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PaidAmount(pub Rupees);

impl FromText for PaidAmount {
    const WANTED: &'static str = "an amount in rupees above zero, digits with at most two decimals,";
    const PATTERN: Option<&'static str> = PlainAmount::PATTERN;

    fn from_text(text: &str) -> Result<Self, &'static str> {
        match PlainAmount::from_text(text)?.0 {
            Rupees::ZERO => Err("an amount of zero"),
            amount if amount > LARGEST_PAYMENT => Err("An amount too large for a payment"),
            amount => Ok(PaidAmount(amount)),
        }
    }
}
