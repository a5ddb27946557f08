//! Database rows of premiums, receipts, deposits and the ledger.
//!
//! What a premium owes, and where its money is, are plain columns, so that SQL statements can use them.

use crate::records::row::row;
use std::sync::Arc;

use domain::date::{Date, Timestamp};
use domain::id::{InsurerId, PartnerId, ProposalId, Uuid};
use domain::line::LineOfBusiness;
use domain::money::Rupees;
use domain::policy::{Policy, PolicyNumber};
use domain::premium::{Account, Books, Entry, KeptDecision, Posting, PremiumRoute, ProposalPremium, Receipt};
use domain::proposal::Actor;
use ports::storage::Result;
use ports::storage::jobs::JobKind;
use ports::storage::policies::PolicyPosting;
use ports::storage::premiums::{DepositChange, Draw, PremiumAct};

use super::super::bank_reference::BankReference;
use super::super::bound::Bound;
use super::super::id_bytes;
use super::super::proof::prove;
use super::super::reason::{open_reason, seal_reason};
use crate::fields::values;
use crate::seal::Seal;

const TABLE: &str = "premiums";

row! {
    /// Premium as stored in its row.
    Row in "premiums/add" {
        partner_id: PartnerId,
        proposal_id: ProposalId,
        line: LineOfBusiness,
        insurer_id: InsurerId,
        route: PremiumRoute,
        deposit: Option<String>,
        due: Rupees,
        unsettled: Rupees,
        received: Rupees,
        applied: Rupees,
        refundable: Rupees,
        refunded: Rupees,
        held_here: Rupees,
        held_since: Option<Timestamp>,
        ended: bool,
        decided_by: Option<Actor>,
        decided_at: Option<Timestamp>,
        insurer_number: Option<PolicyNumber>,
        created_at: Timestamp,
        changed_at: Timestamp,
    } free {
        /// Follows from the other columns.
        settled: bool,
        /// Encrypted reason of the decision. It proves that the columns were not changed without the keyring.
        proof: Vec<u8>,
    }
}

impl Row {
    pub(crate) fn of(seal: &Seal, premium: &ProposalPremium) -> Result<Self> {
        let Books { due, unsettled, received, applied, refundable, refunded, held_here, ended } =
            premium.books;
        let decision = premium.decision.as_ref();
        let mut row = Row {
            partner_id: premium.partner,
            proposal_id: premium.proposal,
            line: premium.line,
            insurer_id: premium.insurer,
            route: premium.route,
            deposit: premium.deposit.clone(),
            due,
            unsettled,
            received,
            applied,
            refundable,
            refunded,
            held_here,
            held_since: premium.held_since,
            ended,
            decided_by: decision.map(|decision| decision.by),
            decided_at: decision.map(|decision| decision.at),
            insurer_number: decision.and_then(|decision| decision.insurer_number.clone()),
            created_at: premium.created_at,
            changed_at: premium.changed_at,
            settled: premium.books.is_settled(),
            proof: Vec::new(),
        };
        let reason = decision.and_then(|decision| decision.reason.as_ref());
        row.proof = seal_reason(seal, TABLE, row.bound(), reason)?.unwrap_or_default();
        Ok(row)
    }

    /// Kind of the job that tries again to issue the policy, and the time at which it is due. `None` unless an
    /// accepted proposal waits for money in a deposit.
    pub(crate) fn job(&self) -> Option<(JobKind, Timestamp)> {
        let at = self.decided_at.filter(|_| self.deposit.is_some())?;
        Some((JobKind::Premium(self.line), at))
    }

    pub(crate) fn open(self, seal: &Seal) -> Result<ProposalPremium> {
        let reason = open_reason(seal, TABLE, self.bound(), Some(&self.proof))?;
        let Row { due, unsettled, received, applied, refundable, refunded, held_here, ended, .. } = self;
        let insurer_number = self.insurer_number;
        let decision = self.decided_by.zip(self.decided_at);
        Ok(ProposalPremium {
            partner: self.partner_id,
            proposal: self.proposal_id,
            line: self.line,
            insurer: self.insurer_id,
            route: self.route,
            deposit: self.deposit,
            books: Books { due, unsettled, received, applied, refundable, refunded, held_here, ended },
            held_since: self.held_since,
            decision: decision.map(|(by, at)| KeptDecision { by, at, reason, insurer_number }),
            created_at: self.created_at,
            changed_at: self.changed_at,
        })
    }
}

/// Change of a premium that is written in the same transaction as the change of its proposal.
pub(crate) enum ActRow {
    /// The premium is drawn from a deposit.
    Draw { row: Box<LedgerRow>, guaranteed: bool, proof: Vec<u8> },
    /// The premium is owed from now on.
    Owe(Box<Row>),
    /// The premium's books (what it owes and has received) change with the proposal.
    Books { seal: Arc<Seal>, of: PartnerId, proposal: ProposalId, at: Timestamp, how: BooksChange },
}

/// How a change of a proposal changes the books of its premium.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BooksChange {
    /// The policy is issued, so the received premium is applied to it.
    Apply,
    /// The proposal ended without a policy, so the received premium becomes refundable.
    Release,
    /// The bank took back the payment of an issued policy.
    Bounce(Rupees),
}

impl BooksChange {
    /// Changes the books of a premium, and returns the postings for it. `None` if the premium was not
    /// received.
    pub(crate) fn to(self, premium: &mut ProposalPremium, at: Timestamp) -> Option<Vec<Posting>> {
        let postings = match self {
            BooksChange::Apply => premium.books.issue().ok()?,
            BooksChange::Release => premium.books.release(),
            BooksChange::Bounce(amount) => premium.books.bounce(amount),
        };
        premium.decision = None;
        premium.changed(at);
        Some(postings)
    }
}

impl ActRow {
    pub(crate) fn of(
        seal: &Arc<Seal>,
        of: PartnerId,
        proposal: ProposalId,
        act: &PremiumAct,
    ) -> Result<Self> {
        let books = |at, how| ActRow::Books { seal: seal.clone(), of, proposal, at, how };
        Ok(match act {
            PremiumAct::Draw(draw) => ActRow::Draw {
                row: Box::new(LedgerRow::of_draw(seal, draw, of, proposal)?),
                guaranteed: draw.guaranteed,
                proof: prove_deposit(seal, draw.insurer, &draw.deposit, draw.guaranteed)?,
            },
            PremiumAct::Owe(premium) => ActRow::Owe(Box::new(Row::of(seal, premium)?)),
            PremiumAct::Apply(at) => books(*at, BooksChange::Apply),
            PremiumAct::Release(at) => books(*at, BooksChange::Release),
            PremiumAct::Bounce(amount, at) => books(*at, BooksChange::Bounce(*amount)),
        })
    }
}

row! {
    /// Line of the ledger.
    #[derive(Debug, Clone)]
    LedgerRow in "ledger/add" {
        /// Partner of the line's sale, or the zero id if the line belongs to no partner.
        partner_id: PartnerId,
        posted_at: Timestamp,
        entry: Entry,
        debit: Account,
        credit: Account,
        amount: Rupees,
        insurer_id: InsurerId,
        deposit: Option<String>,
        proposal_id: Option<ProposalId>,
    } free {
        reference: Option<String>,
        sealed: Option<Vec<u8>>,
        /// `None` in rows of an earlier version.
        proof: Option<Vec<u8>>,
    }
}

/// Where a line of the ledger belongs: its sale, its deposit and its payment.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct LineOf<'a> {
    pub(crate) partner: Option<PartnerId>,
    pub(crate) proposal: Option<ProposalId>,
    pub(crate) deposit: Option<&'a str>,
    pub(crate) reference: Option<&'a str>,
}

impl LedgerRow {
    pub(crate) const TABLE: &str = "ledger";

    /// New line of the ledger.
    pub(crate) fn new(
        seal: &Seal,
        posting: &Posting,
        insurer: InsurerId,
        at: Timestamp,
        of: LineOf<'_>,
    ) -> Result<Self> {
        let partner = of.partner.unwrap_or_else(|| PartnerId::from_uuid(Uuid::nil()));
        let reference =
            of.reference.map(|plain| BankReference::new(seal, id_bytes(partner), plain)).transpose()?;
        let (reference, sealed) = reference.map(|made| (made.hash, made.sealed)).unzip();
        let mut row = LedgerRow {
            partner_id: partner,
            posted_at: at,
            entry: posting.entry,
            debit: posting.debit,
            credit: posting.credit,
            amount: posting.amount,
            insurer_id: insurer,
            deposit: of.deposit.map(str::to_owned),
            proposal_id: of.proposal,
            reference,
            sealed,
            proof: None,
        };
        row.proof = Some(prove(seal, Self::TABLE, &row.bound(), of.reference)?);
        Ok(row)
    }

    /// Ledger lines for postings of a proposal's premium.
    pub(crate) fn of_premium(
        seal: &Seal,
        premium: &ProposalPremium,
        postings: &[Posting],
        at: Timestamp,
        reference: Option<&str>,
    ) -> Result<Vec<Self>> {
        let (partner, proposal) = (Some(premium.partner), Some(premium.proposal));
        let of = LineOf { partner, proposal, reference, deposit: None };
        postings.iter().map(|posting| LedgerRow::new(seal, posting, premium.insurer, at, of)).collect()
    }

    /// Ledger line for a premium that is drawn from a deposit.
    pub(crate) fn of_draw(seal: &Seal, draw: &Draw, of: PartnerId, proposal: ProposalId) -> Result<Self> {
        let (debit, credit) = (Account::Deposit, Account::Premium);
        let posting = Posting { entry: Entry::Draw, debit, credit, amount: draw.amount };
        let (partner, proposal, deposit) = (Some(of), Some(proposal), Some(draw.deposit.as_str()));
        let of = LineOf { partner, proposal, deposit, reference: None };
        LedgerRow::new(seal, &posting, draw.insurer, draw.at, of)
    }

    /// Ledger line for a movement of a policy's refund.
    pub(crate) fn of_policy(seal: &Seal, policy: &Policy, refund: &PolicyPosting) -> Result<Self> {
        let (deposit, reference) = (refund.deposit.as_deref(), refund.reference.as_deref());
        let of = LineOf { partner: Some(policy.partner), proposal: policy.proposal, deposit, reference };
        LedgerRow::new(seal, &refund.posting, refund.insurer, refund.at, of)
    }

    /// Ledger line for a payment into or out of a deposit.
    pub(crate) fn of_deposit(seal: &Seal, change: &DepositChange) -> Result<Self> {
        let (deposit, reference) = (Some(change.name.as_str()), Some(change.reference.as_str()));
        let of = LineOf { deposit, reference, ..LineOf::default() };
        LedgerRow::new(seal, &change.posting, change.insurer, change.at, of)
    }
}

row! {
    /// Receipt as stored in its row.
    ReceiptRow in "receipts/add" {
        partner_id: PartnerId,
        told_at: Timestamp,
        told_by: Actor,
        received_on: Date,
        amount: Rupees,
    } free {
        reference: String,
        sealed: Option<Vec<u8>>,
        /// `None` in rows of an earlier version.
        proof: Option<Vec<u8>>,
    }
}

impl ReceiptRow {
    pub(crate) const TABLE: &str = "receipts";

    pub(crate) fn of(seal: &Seal, receipt: &Receipt) -> Result<Self> {
        let plain = receipt.reference.as_str();
        let reference = BankReference::new(seal, id_bytes(receipt.partner), plain)?;
        let mut row = ReceiptRow {
            partner_id: receipt.partner,
            told_at: receipt.at,
            told_by: receipt.by,
            received_on: receipt.received_on,
            amount: receipt.amount,
            reference: reference.hash,
            sealed: Some(reference.sealed),
            proof: None,
        };
        row.proof = Some(prove(seal, Self::TABLE, &row.bound(), Some(plain))?);
        Ok(row)
    }
}

pub(crate) const DEPOSITS: &str = "deposits";

/// Columns of a deposit to which its proof is bound. Its balance is that of its lines in the ledger.
pub(crate) fn bound_deposit(insurer: InsurerId, name: &str, guaranteed: bool) -> Bound {
    Bound::of(values![insurer, name, guaranteed])
}

pub(crate) fn prove_deposit(
    seal: &Seal,
    insurer: InsurerId,
    name: &str,
    guaranteed: bool,
) -> Result<Vec<u8>> {
    prove(seal, DEPOSITS, &bound_deposit(insurer, name, guaranteed), None)
}

/// Change of a deposit's balance by a posting, in paise.
pub(crate) fn change_of_balance(posting: &Posting) -> i64 {
    use domain::premium::Account;
    match posting.credit {
        Account::Deposit => posting.amount.paise(),
        _ => -posting.amount.paise(),
    }
}

/// Reference in the ledger for money that was in a deposit when the deposit was opened.
pub(crate) const OPENING: &str = "opening balance";
