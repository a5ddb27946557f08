//! Database rows of premiums, receipts, deposits and the ledger.
//!
//! What a premium owes, and where its money is, are plain columns, so that SQL statements can use them.

use crate::records::row::row;
use std::sync::Arc;

use domain::date::Timestamp;
use domain::id::{InsurerId, PartnerId, ProposalId};
use domain::line::LineOfBusiness;
use domain::money::Rupees;
use domain::policy::{Policy, PolicyNumber};
use domain::premium::{Books, KeptDecision, Posting, PremiumRoute, ProposalPremium};
use domain::proposal::Actor;
use ports::storage::Result;
use ports::storage::jobs::JobKind;
use ports::storage::policies::PolicyPosting;
use ports::storage::premiums::{DepositChange, Draw, PremiumAct};

use super::super::bank_reference::{BankReference, OF_NO_PARTNER};
use super::super::id_bytes;
use super::super::reason::{open_reason, seal_reason};
use crate::fields::Coded;
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
    Draw { row: LedgerRow, guaranteed: bool },
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
}

impl BooksChange {
    /// Changes the books of a premium, and returns the postings for it. `None` if the premium was not
    /// received.
    pub(crate) fn to(self, premium: &mut ProposalPremium, at: Timestamp) -> Option<Vec<Posting>> {
        let postings = match self {
            BooksChange::Apply => premium.books.issue().ok()?,
            BooksChange::Release => premium.books.release(),
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
            PremiumAct::Draw(draw) => {
                ActRow::Draw { row: LedgerRow::of_draw(draw, of, proposal), guaranteed: draw.guaranteed }
            }
            PremiumAct::Owe(premium) => ActRow::Owe(Box::new(Row::of(seal, premium)?)),
            PremiumAct::Apply(at) => books(*at, BooksChange::Apply),
            PremiumAct::Release(at) => books(*at, BooksChange::Release),
        })
    }
}

/// Line of the ledger.
#[derive(Debug, Clone)]
pub(crate) struct LedgerRow {
    pub(crate) at: i64,
    pub(crate) entry: i16,
    pub(crate) debit: i16,
    pub(crate) credit: i16,
    pub(crate) amount: i64,
    pub(crate) insurer: [u8; 16],
    pub(crate) deposit: Option<String>,
    /// Partner of the line's sale, or zero if the line belongs to no partner.
    pub(crate) of: [u8; 16],
    pub(crate) proposal: Option<[u8; 16]>,
    pub(crate) reference: Option<BankReference>,
}

impl LedgerRow {
    pub(crate) fn new(posting: &Posting, insurer: InsurerId, at: Timestamp) -> Self {
        LedgerRow {
            at: at.as_microsecond(),
            entry: posting.entry.code().into(),
            debit: posting.debit.code().into(),
            credit: posting.credit.code().into(),
            amount: posting.amount.paise(),
            insurer: id_bytes(insurer),
            deposit: None,
            of: [0; 16],
            proposal: None,
            reference: None,
        }
    }

    /// Ledger lines for postings of a proposal's premium.
    pub(crate) fn of_premium(
        premium: &ProposalPremium,
        postings: &[Posting],
        at: Timestamp,
        reference: Option<&BankReference>,
    ) -> Vec<Self> {
        let row = |posting| LedgerRow {
            of: id_bytes(premium.partner),
            proposal: Some(id_bytes(premium.proposal)),
            reference: reference.cloned(),
            ..LedgerRow::new(posting, premium.insurer, at)
        };
        postings.iter().map(row).collect()
    }

    /// Ledger line for a premium that is drawn from a deposit.
    pub(crate) fn of_draw(draw: &Draw, of: PartnerId, proposal: ProposalId) -> Self {
        use domain::premium::{Account, Entry};
        let (debit, credit) = (Account::Deposit, Account::Premium);
        let posting = Posting { entry: Entry::Draw, debit, credit, amount: draw.amount };
        LedgerRow {
            deposit: Some(draw.deposit.clone()),
            of: id_bytes(of),
            proposal: Some(id_bytes(proposal)),
            ..LedgerRow::new(&posting, draw.insurer, draw.at)
        }
    }

    /// Ledger line for a movement of a policy's refund.
    pub(crate) fn of_policy(seal: &Seal, policy: &Policy, refund: &PolicyPosting) -> Result<Self> {
        let of = id_bytes(policy.partner);
        let reference = refund.reference.as_deref().map(|plain| BankReference::new(seal, of, plain));
        Ok(LedgerRow {
            of,
            proposal: policy.proposal.map(id_bytes),
            reference: reference.transpose()?,
            deposit: refund.deposit.clone(),
            ..LedgerRow::new(&refund.posting, refund.insurer, refund.at)
        })
    }

    /// Ledger line for a payment into or out of a deposit.
    pub(crate) fn of_deposit(seal: &Seal, change: &DepositChange) -> Result<Self> {
        Ok(LedgerRow {
            deposit: Some(change.name.clone()),
            reference: Some(BankReference::new(seal, OF_NO_PARTNER, &change.reference)?),
            ..LedgerRow::new(&change.posting, change.insurer, change.at)
        })
    }
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
