//! Store operations for premiums, receipts, deposits and the ledger (D63 to D65).
//!
//! Every change of an amount writes its postings in the same transaction.

use async_trait::async_trait;
use domain::date::{Date, Timestamp};
use domain::id::{InsurerId, PartnerId, ProposalId};
use domain::money::Rupees;
use domain::premium::{
    Account, BooksAct, BooksFault, Entry, KeptDecision, Posting, ProposalPremium, Receipt, ReceiptOutcome,
};

use super::Result;
use super::events::NewEvent;

/// Payment of a policy's premium from a deposit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draw {
    /// Insurer that holds the deposit.
    pub insurer: InsurerId,
    /// Name of the deposit.
    pub deposit: String,
    /// Premium of the policy.
    pub amount: Rupees,
    /// Whether the insurer guarantees cover even if the balance is too low.
    pub guaranteed: bool,
    pub at: Timestamp,
}

/// Change of a premium, stored in the transaction that changes its proposal.
#[derive(Debug, Clone)]
pub enum PremiumAct {
    /// Draws the premium from a deposit. If the balance is too low, the whole operation is refused.
    Draw(Draw),
    /// Enters the premium as owed.
    Owe(Box<ProposalPremium>),
    /// Moves the received premium to the policy. If the premium was not received, the whole operation is
    /// refused.
    Apply(Timestamp),
    /// Makes received money refundable, because the proposal ended without a policy.
    Release(Timestamp),
    /// Takes back this part of the payment of an issued policy.
    Bounce(Rupees, Timestamp),
}

/// Result of reversing a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReceiptReversed {
    /// The receipt was reversed. Its proposals, each with its part.
    Done(Vec<(ProposalId, Rupees)>),
    /// The receipt was reversed before.
    Already,
    /// There is no receipt with this reference.
    Unknown,
    /// Nothing was changed, because the money for this proposal moved on.
    Refused(ProposalId, BooksFault),
}

/// Result of storing a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReceiptKept {
    /// The receipt was stored. Outcome for each proposal.
    New(Vec<(ProposalId, ReceiptOutcome)>),
    /// The receipt was already stored. Outcome for each proposal at that time.
    Twin(Vec<(ProposalId, ReceiptOutcome)>),
    /// Not stored: another payment already has this reference.
    Different,
    /// Not stored: these proposals owe nothing, or draw on a deposit.
    NotOwed(Vec<ProposalId>),
}

impl ReceiptKept {
    /// Whether the receipt was stored by this call.
    pub fn is_new(&self) -> bool {
        matches!(self, ReceiptKept::New(_))
    }

    /// Whether the receipt is stored, by this call or before.
    pub fn is_kept(&self) -> bool {
        matches!(self, ReceiptKept::New(_) | ReceiptKept::Twin(_))
    }

    /// Result of reporting a payment again. `lines`: proposals, amounts and outcomes of the first report.
    pub fn of_twin(receipt: &Receipt, lines: Vec<(ProposalId, Rupees, ReceiptOutcome)>) -> Self {
        let mut told = receipt.lines.clone();
        told.sort();
        let mut kept: Vec<_> = lines.iter().map(|(proposal, amount, _)| (*proposal, *amount)).collect();
        kept.sort();
        if told != kept {
            return ReceiptKept::Different;
        }
        ReceiptKept::Twin(lines.into_iter().map(|(proposal, _, outcome)| (proposal, outcome)).collect())
    }
}

/// Result of storing an acceptance of a proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecisionKept {
    /// The decision was stored, and waits for the premium.
    Kept,
    /// Not stored: there is a stored decision already.
    Already(KeptDecision),
    /// Not stored: the premium was received meanwhile, or the proposal has ended.
    Overtaken,
}

/// Part of a stored receipt that concerns one proposal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptLine {
    /// Payer's reference of the payment.
    pub reference: String,
    /// Day of receipt, in Asia/Kolkata.
    pub received_on: Date,
    /// When the payment was reported.
    pub at: Timestamp,
    pub by: domain::proposal::Actor,
    /// Part of the payment that is for this proposal.
    pub amount: Rupees,
    pub outcome: ReceiptOutcome,
}

/// Advance deposit of a lender with an insurer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deposit {
    /// Insurer that holds the deposit.
    pub insurer: InsurerId,
    pub name: String,
    /// Remaining balance. Negative only after a guaranteed draw.
    pub balance: Rupees,
}

/// Top-up or withdrawal of a deposit by the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DepositChange {
    /// Insurer that holds the deposit.
    pub insurer: InsurerId,
    pub name: String,
    /// [`domain::premium::Entry::TopUp`] or [`domain::premium::Entry::Withdrawal`], with the amount and both
    /// accounts.
    pub posting: Posting,
    /// Payer's reference of the payment. Unique among the payments of a deposit.
    pub reference: String,
    pub at: Timestamp,
}

impl DepositChange {
    /// Top-up for the opening balance of a deposit. `None` if the balance is zero.
    pub fn opening(deposit: &Deposit, reference: &str, at: Timestamp) -> Option<Self> {
        let (debit, credit) = (Account::WithInsurer, Account::Deposit);
        let posting = Posting { entry: Entry::TopUp, debit, credit, amount: deposit.balance };
        (deposit.balance > Rupees::ZERO).then(|| DepositChange {
            insurer: deposit.insurer,
            name: deposit.name.clone(),
            posting,
            reference: reference.to_owned(),
            at,
        })
    }

    /// Result of a repeated deposit change with the same reference. `paise`: amount of the first change.
    pub fn again(&self, same_entry: bool, paise: i64, balance: i64) -> DepositChanged {
        match same_entry && paise == self.posting.amount.paise() {
            true => DepositChanged::Twin(Rupees::from_paise(balance)),
            false => DepositChanged::Different,
        }
    }
}

/// Result of a deposit change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DepositChanged {
    /// The deposit was changed. New balance.
    Done(Rupees),
    /// The same change was made before. Current balance.
    Twin(Rupees),
    /// Refused: another change of this deposit already has this reference.
    Different,
    /// Refused: the balance is too low. Current balance.
    TooLittle(Rupees),
    /// There is no such deposit.
    Unknown,
}

/// Balance of a ledger account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountBalance {
    /// Insurer of the account. Each insurer has its own accounts.
    pub insurer: InsurerId,
    pub account: Account,
    /// Credits minus debits.
    pub balance: Rupees,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerLine {
    pub at: Timestamp,
    /// Amount and accounts.
    pub posting: Posting,
    /// Payer's reference, if there was a payment.
    pub reference: Option<String>,
}

/// Premiums of proposals of every line of business.
#[async_trait]
pub trait Premiums: Send + Sync {
    /// Premium of a partner's proposal. `None` if nothing is owed yet. Also `None` if a deposit pays the
    /// premium and the proposal does not wait for that deposit.
    async fn premium(&self, of: PartnerId, proposal: ProposalId) -> Result<Option<ProposalPremium>>;

    /// Premiums of these proposals of a partner, in any order. Proposals without a stored premium are left
    /// out.
    async fn premiums_of(&self, of: PartnerId, proposals: &[ProposalId]) -> Result<Vec<ProposalPremium>>;

    /// Premiums that are not settled, oldest first; at most `most`.
    async fn open_premiums(&self, most: usize) -> Result<Vec<ProposalPremium>>;

    /// Records to which a bank reference belongs: proposals of these partners, and what an insurer paid a claim or a
    /// refund for.
    async fn paid_with(&self, of: &[PartnerId], reference: &str) -> Result<Vec<(Option<PartnerId>, String)>>;

    /// Receipts of a partner's proposal, oldest first.
    async fn receipts_of(&self, of: PartnerId, proposal: ProposalId) -> Result<Vec<ReceiptLine>>;

    /// Stores one payment as one receipt per partner, with all lines and postings. Stores everything or
    /// nothing.
    ///
    /// If the payment is reported several times at once, it is stored once. A proposal with a waiting
    /// decision gets a job that issues its policy. Each line of a receipt has an event
    /// ([`NewEvent::of_outcome`]).
    async fn keep_receipts(&self, receipts: &[(Receipt, Vec<NewEvent>)]) -> Result<Vec<ReceiptKept>>;

    /// Reverses a partner's receipt with all its lines, or nothing. The receipt is removed, and the ledger keeps its
    /// lines and their opposites, so that the payment can be recorded again. `events` has one event for each line.
    async fn reverse_receipt(
        &self,
        of: PartnerId,
        reference: &str,
        at: Timestamp,
        events: &[NewEvent],
    ) -> Result<ReceiptReversed>;

    /// Lines of a partner's receipt: proposals with their amounts. Empty if there is no such receipt.
    async fn receipt(&self, of: PartnerId, reference: &str) -> Result<Vec<(ProposalId, Rupees)>>;

    /// Stores an acceptance until the premium is received. If no premium is stored yet, `premium` is stored
    /// too. This premium waits for money in its deposit, and a job tries again.
    async fn keep_decision(&self, premium: &ProposalPremium, decision: &KeptDecision)
    -> Result<DecisionKept>;

    /// Deletes the waiting decision, because the policy can no longer be issued.
    async fn forget_decision(&self, of: PartnerId, proposal: ProposalId, at: Timestamp) -> Result<()>;

    /// Performs an operator's act on the money of a proposal. A payment whose reference was entered before
    /// changes nothing. `None` if no premium is stored for the proposal.
    async fn change_books(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        act: BooksAct,
        reference: &str,
        at: Timestamp,
    ) -> Result<Option<Result<ProposalPremium, BooksFault>>>;

    /// Ledger lines of a partner's proposal, oldest first.
    async fn ledger_of(&self, of: PartnerId, proposal: ProposalId) -> Result<Vec<LedgerLine>>;

    /// Balances of all ledger accounts, by insurer. All balances add up to zero.
    async fn account_balances(&self) -> Result<Vec<AccountBalance>>;
}

/// Advance deposits with insurers.
#[async_trait]
pub trait Deposits: Send + Sync {
    /// Opens a deposit with its opening balance. An existing deposit is unchanged.
    async fn open_deposit(&self, deposit: &Deposit, at: Timestamp) -> Result<()>;

    async fn deposits(&self) -> Result<Vec<Deposit>>;

    /// Changes the balance of a deposit, once per reference. Proposals that wait for this deposit are tried
    /// again at once.
    async fn change_deposit(&self, change: &DepositChange) -> Result<DepositChanged>;
}
