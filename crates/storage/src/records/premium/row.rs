//! Database rows of premiums, receipts, deposits and the ledger.
//!
//! What a premium owes, and where its money is, are plain columns, so that SQL statements can use them. The
//! column `proof` shows whether they were changed without the keyring.

use std::sync::Arc;

use domain::date::Timestamp;
use domain::id::{InsurerId, PartnerId, ProposalId};
use domain::line::{Line, LineOfBusiness};
use domain::money::Rupees;
use domain::policy::{Policy, PolicyNumber};
use domain::premium::{Books, KeptDecision, Posting, PremiumRoute, ProposalPremium};
use domain::proposal::Actor;
use ports::storage::Result;
use ports::storage::jobs::JobKind;
use ports::storage::policies::PolicyPosting;
use ports::storage::premiums::{DepositChange, Draw, PremiumAct};

use super::super::bank_reference::{BankReference, OF_NO_PARTNER};
use super::super::bound::Bound;
use super::super::id_bytes;
use super::super::reason::{open_reason, seal_reason};
use crate::codes::Coded;
use crate::fields::RowFields;
use crate::seal::Seal;

const TABLE: &str = "premiums";

#[derive(Debug, Clone)]
pub(crate) struct Row {
    pub(crate) of: [u8; 16],
    pub(crate) proposal: [u8; 16],
    pub(crate) line: i16,
    pub(crate) insurer: [u8; 16],
    pub(crate) route: i16,
    pub(crate) deposit: Option<String>,
    pub(crate) due: i64,
    pub(crate) unsettled: i64,
    pub(crate) received: i64,
    pub(crate) applied: i64,
    pub(crate) refundable: i64,
    pub(crate) refunded: i64,
    pub(crate) held_here: i64,
    pub(crate) held_since: Option<i64>,
    pub(crate) ended: bool,
    pub(crate) decided_by: Option<i16>,
    pub(crate) decided_at: Option<i64>,
    pub(crate) insurer_number: Option<String>,
    pub(crate) created_at: i64,
    pub(crate) changed_at: i64,
    pub(crate) settled: bool,
    pub(crate) proof: Vec<u8>,
}

impl Row {
    pub(crate) fn of(seal: &Seal, premium: &ProposalPremium) -> Result<Self> {
        let Books { due, unsettled, received, applied, refundable, refunded, held_here, ended } =
            premium.books;
        let decision = premium.decision.as_ref();
        let mut row = Row {
            of: id_bytes(premium.partner),
            proposal: id_bytes(premium.proposal),
            line: premium.line.code().into(),
            insurer: id_bytes(premium.insurer),
            route: premium.route.code().into(),
            deposit: premium.deposit.clone(),
            due: due.paise(),
            unsettled: unsettled.paise(),
            received: received.paise(),
            applied: applied.paise(),
            refundable: refundable.paise(),
            refunded: refunded.paise(),
            held_here: held_here.paise(),
            held_since: premium.held_since.map(Timestamp::as_microsecond),
            ended,
            decided_by: decision.map(|decision| decision.by.code().into()),
            decided_at: decision.map(|decision| decision.at.as_microsecond()),
            insurer_number: decision
                .and_then(|decision| decision.insurer_number.as_ref().map(ToString::to_string)),
            created_at: premium.created_at.as_microsecond(),
            changed_at: premium.changed_at.as_microsecond(),
            settled: premium.books.is_settled(),
            proof: Vec::new(),
        };
        let reason = decision.and_then(|decision| decision.reason.as_ref());
        row.proof = seal_reason(seal, TABLE, row.bound(), reason)?.unwrap_or_default();
        Ok(row)
    }

    /// Code of the job that tries again to issue the policy, and the job's due time in microseconds. `None`
    /// unless an accepted proposal waits for money in a deposit.
    pub(crate) fn job(&self) -> Option<(i16, i64)> {
        let line = u8::try_from(self.line).ok().and_then(LineOfBusiness::from_code)?;
        let at = self.decided_at.filter(|_| self.deposit.is_some())?;
        Some((JobKind::Premium(line).code().into(), at))
    }

    /// Columns to which a premium's proof is bound: all columns except `settled`, because `settled` follows
    /// from the others.
    fn bound(&self) -> Bound {
        Bound::of_partner(&self.of)
            .bytes(Some(&self.proposal))
            .number(self.line)
            .bytes(Some(&self.insurer))
            .number(self.route)
            .bytes(self.deposit.as_deref().map(str::as_bytes))
            .number(self.due)
            .number(self.unsettled)
            .number(self.received)
            .number(self.applied)
            .number(self.refundable)
            .number(self.refunded)
            .number(self.held_here)
            .optional(self.held_since)
            .number(self.ended)
            .optional(self.decided_by.map(i64::from))
            .optional(self.decided_at)
            .bytes(self.insurer_number.as_deref().map(str::as_bytes))
            .number(self.created_at)
            .number(self.changed_at)
    }
}

/// Columns of a premium before its proof is checked.
pub(crate) struct Found {
    pub(crate) row: Row,
    pub(crate) of: PartnerId,
    pub(crate) proposal: ProposalId,
    pub(crate) insurer: InsurerId,
    pub(crate) line: LineOfBusiness,
    pub(crate) route: PremiumRoute,
    pub(crate) decided_by: Option<Actor>,
    pub(crate) held_since: Option<Timestamp>,
    pub(crate) decided_at: Option<Timestamp>,
    pub(crate) created_at: Timestamp,
    pub(crate) changed_at: Timestamp,
}

impl Found {
    pub(crate) fn columns(row: RowFields<'_>) -> Result<Self> {
        let decided_by: Option<i16> = row.get(15)?;
        Ok(Found {
            of: row.get(0)?,
            proposal: row.get(1)?,
            line: row.get(2)?,
            insurer: row.get(3)?,
            route: row.get(4)?,
            decided_by: decided_by.map(|_| row.get(15)).transpose()?,
            held_since: row.get(13)?,
            decided_at: row.get(16)?,
            created_at: row.get(18)?,
            changed_at: row.get(19)?,
            row: Row {
                of: row.get(0)?,
                proposal: row.get(1)?,
                line: row.get(2)?,
                insurer: row.get(3)?,
                route: row.get(4)?,
                deposit: row.get(5)?,
                due: row.get(6)?,
                unsettled: row.get(7)?,
                received: row.get(8)?,
                applied: row.get(9)?,
                refundable: row.get(10)?,
                refunded: row.get(11)?,
                held_here: row.get(12)?,
                held_since: row.get(13)?,
                ended: row.get(14)?,
                decided_by,
                decided_at: row.get(16)?,
                insurer_number: row.get(17)?,
                created_at: row.get(18)?,
                changed_at: row.get(19)?,
                settled: false,
                proof: row.get(20)?,
            },
        })
    }
}

impl Found {
    pub(crate) fn open(self, seal: &Seal) -> Result<ProposalPremium> {
        let reason = open_reason(seal, TABLE, self.row.bound(), Some(&self.row.proof))?;
        let decision = self.decided_by.zip(self.decided_at).map(|(by, at)| KeptDecision {
            by,
            at,
            reason,
            insurer_number: self.row.insurer_number.clone().map(PolicyNumber::kept),
        });
        let amount = Rupees::from_paise;
        Ok(ProposalPremium {
            partner: self.of,
            proposal: self.proposal,
            line: self.line,
            insurer: self.insurer,
            route: self.route,
            deposit: self.row.deposit,
            books: Books {
                due: amount(self.row.due),
                unsettled: amount(self.row.unsettled),
                received: amount(self.row.received),
                applied: amount(self.row.applied),
                refundable: amount(self.row.refundable),
                refunded: amount(self.row.refunded),
                held_here: amount(self.row.held_here),
                ended: self.row.ended,
            },
            held_since: self.held_since,
            decision,
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
    pub(crate) fn of_policy<L: Line>(
        seal: &Seal,
        policy: &Policy<L>,
        refund: &PolicyPosting,
    ) -> Result<Self> {
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
