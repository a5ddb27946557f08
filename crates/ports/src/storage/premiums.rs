//! What the use cases need of a store for premiums: what proposals owe, receipts, deposits, and the ledger, in which every
//! change of an amount has its postings in the same transaction (D63 to D65).

use async_trait::async_trait;
use domain::date::{Date, Timestamp};
use domain::id::{InsurerId, PartnerId, ProposalId};
use domain::money::Rupees;
use domain::premium::{
    Account, BooksAct, BooksFault, Entry, KeptDecision, Posting, ProposalPremium, Receipt, ReceiptOutcome,
};

use super::Result;
use super::events::NewEvent;

/// A draw on a deposit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Draw {
    /// With whom the deposit lies.
    pub insurer: InsurerId,
    /// Its name.
    pub deposit: String,
    /// The premium of a policy.
    pub amount: Rupees,
    /// Whether the insurer guarantees cover beyond the balance.
    pub guaranteed: bool,
    /// When.
    pub at: Timestamp,
}

/// What happens to a premium in the transaction of a proposal's act.
#[derive(Debug, Clone)]
pub enum PremiumAct {
    /// It is drawn from a deposit. Where the deposit has too little, nothing is done at all.
    Draw(Draw),
    /// It is owed from now on.
    Owe(Box<ProposalPremium>),
    /// What was received is given to the policy. Where it was not received, nothing is done at all.
    Apply(Timestamp),
    /// The proposal ended without a policy: what was received is owed back.
    Release(Timestamp),
}

/// How the keeping of a receipt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReceiptKept {
    /// It was kept; what came of each line.
    New(Vec<(ProposalId, ReceiptOutcome)>),
    /// The same was kept before; what came of each line then.
    Twin(Vec<(ProposalId, ReceiptOutcome)>),
    /// Nothing was kept: another payment has this reference.
    Different,
    /// Nothing was kept: these proposals owe nothing, or draw on a deposit.
    NotOwed(Vec<ProposalId>),
}

impl ReceiptKept {
    /// Whether it was kept now.
    pub fn is_new(&self) -> bool {
        matches!(self, ReceiptKept::New(_))
    }

    /// Whether it was kept, now or before.
    pub fn is_kept(&self) -> bool {
        matches!(self, ReceiptKept::New(_) | ReceiptKept::Twin(_))
    }

    /// What a second telling of a payment comes to, by the lines of the first.
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

/// How the keeping of a decision ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecisionKept {
    /// It waits for the premium now.
    Kept,
    /// One was kept before.
    Already(KeptDecision),
    /// The premium has come meanwhile, or the proposal ended: nothing was kept.
    Overtaken,
}

/// A receipt that was kept, as one proposal sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceiptLine {
    /// What the payment is called.
    pub reference: String,
    /// The day on which it came, in Asia/Kolkata.
    pub received_on: Date,
    /// When it was reported.
    pub at: Timestamp,
    /// Who reported it.
    pub by: domain::proposal::Actor,
    /// What of it was for the proposal.
    pub amount: Rupees,
    /// What came of it.
    pub outcome: ReceiptOutcome,
}

/// An advance deposit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deposit {
    /// With whom it lies.
    pub insurer: InsurerId,
    pub name: String,
    /// What is left. Below nought only after a draw that was guaranteed.
    pub balance: Rupees,
}

/// A change of a deposit by its operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DepositChange {
    /// With whom it lies.
    pub insurer: InsurerId,
    pub name: String,
    /// [`domain::premium::Entry::TopUp`] or [`domain::premium::Entry::Withdrawal`] with its accounts.
    pub posting: Posting,
    /// What the payment is called. A deposit's payments have distinct references.
    pub reference: String,
    /// When.
    pub at: Timestamp,
}

impl DepositChange {
    /// The payment that lay in a deposit when it was opened; `None` where nothing did.
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

    /// What a second telling comes to, by the entry and the paise of the first.
    pub fn again(&self, same_entry: bool, paise: i64, balance: i64) -> DepositChanged {
        match same_entry && paise == self.posting.amount.paise() {
            true => DepositChanged::Twin(Rupees::from_paise(balance)),
            false => DepositChanged::Different,
        }
    }
}

/// How a change of a deposit ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DepositChanged {
    /// It has this balance now.
    Done(Rupees),
    /// The same was done before; it has this balance now.
    Twin(Rupees),
    /// Nothing was done: another payment of this deposit has this reference.
    Different,
    /// Nothing was done: it has too little.
    TooLittle(Rupees),
    /// There is no such deposit.
    Unknown,
}

/// The balance of an account of the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountBalance {
    /// The insurer whose money it is.
    pub insurer: InsurerId,
    pub account: Account,
    /// Credits less debits.
    pub balance: Rupees,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerLine {
    /// When it was posted.
    pub at: Timestamp,
    /// The amount and its accounts.
    pub posting: Posting,
    /// What the payment is called, where there was one.
    pub reference: Option<String>,
}

/// Premiums of proposals of every line.
#[async_trait]
pub trait Premiums: Send + Sync {
    /// The premium of a partner's proposal. `None` where it owes nothing yet, or draws on a deposit and does not wait.
    async fn premium(&self, of: PartnerId, proposal: ProposalId) -> Result<Option<ProposalPremium>>;

    /// The premiums of some of a partner's proposals, of those that have one, in any order.
    async fn premiums_of(&self, of: PartnerId, proposals: &[ProposalId]) -> Result<Vec<ProposalPremium>>;

    /// Premiums about which somebody has something to do, the oldest first; at most `most`.
    async fn open_premiums(&self, most: usize) -> Result<Vec<ProposalPremium>>;

    /// The receipts of a partner's proposal, oldest first.
    async fn receipts_of(&self, of: PartnerId, proposal: ProposalId) -> Result<Vec<ReceiptLine>>;

    /// Keeps what one payment is for, a receipt for each partner, with all lines and postings, or nothing. Of many tellings at
    /// once one is kept. A proposal whose decision was waiting gets a job that issues its policy.
    /// Each comes with an event for each of its lines ([`NewEvent::of_outcome`]).
    async fn keep_receipts(&self, receipts: &[(Receipt, Vec<NewEvent>)]) -> Result<Vec<ReceiptKept>>;

    /// Keeps an acceptance until the premium has come. `premium` is what is kept where nothing is owed yet: a premium that
    /// waits for its deposit, which gets a job that tries again.
    async fn keep_decision(&self, premium: &ProposalPremium, decision: &KeptDecision)
    -> Result<DecisionKept>;

    /// Forgets the decision that waits: it can no longer be done.
    async fn forget_decision(&self, of: PartnerId, proposal: ProposalId, at: Timestamp) -> Result<()>;

    /// Does what an operator does with the money of a proposal. A payment that was noted under the same reference before
    /// changes nothing. `None` where nothing is owed.
    async fn change_books(
        &self,
        of: PartnerId,
        proposal: ProposalId,
        act: BooksAct,
        reference: &str,
        at: Timestamp,
    ) -> Result<Option<Result<ProposalPremium, BooksFault>>>;

    /// What the ledger says of a partner's proposal, oldest first.
    async fn ledger_of(&self, of: PartnerId, proposal: ProposalId) -> Result<Vec<LedgerLine>>;

    /// The balance of every account of the ledger, by insurer. Their sum is nought.
    async fn account_balances(&self) -> Result<Vec<AccountBalance>>;
}

/// Advance deposits with insurers.
#[async_trait]
pub trait Deposits: Send + Sync {
    /// Opens a deposit with what lies there, unless it is there already.
    async fn open_deposit(&self, deposit: &Deposit, at: Timestamp) -> Result<()>;

    /// Every deposit.
    async fn deposits(&self) -> Result<Vec<Deposit>>;

    /// Changes the balance of a deposit, once for each reference. Proposals that wait for it are tried again at once.
    async fn change_deposit(&self, change: &DepositChange) -> Result<DepositChanged>;
}
