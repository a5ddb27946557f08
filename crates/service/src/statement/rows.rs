//! Rows of bordereaux: a transaction, or a claim as of the end of the month.

use domain::claim::{Claim, ClaimState};
use domain::date::{Date, Timestamp, completed_months, day_of};
use domain::line::LineOfBusiness;
use domain::money::{Premium, Rupees, TaxRate};
use domain::premium::PaymentReference;
use domain::proposal::Move;
use domain::statement::{ClaimColumn, Month, PremiumColumn, RowKey, Transaction};
use rating::{CommissionRate, Product};
use spreadsheet::Cell;

use crate::line::Covered;
use crate::policy::PolicyShown;
use crate::storage::premiums::ReceiptLine;

/// Most receipts of a premium that a row of a bordereau names.
const MOST_RECEIPTS: usize = 10;

/// Bordereau's word for the issue of a policy that renews another one.
const RENEW: &str = "RENEW";

/// Transaction of a policy: its issue, an endorsement or its cancellation.
#[derive(Debug, Clone)]
pub(super) struct Event {
    pub(super) key: RowKey,
    /// Day from which the transaction is effective.
    pub(super) effective_on: Date,
    /// Premium of the transaction. It is negative if premium is returned.
    pub(super) premium: Premium,
    /// Reason of a cancellation, or kind of an endorsement.
    pub(super) reason: Option<&'static str>,
    /// Payment of an endorsement's charge: its reference and its day.
    pub(super) payment: Option<(PaymentReference, Date)>,
}

/// Row of a premium bordereau.
pub(super) struct PremiumRow<'a> {
    pub(super) month: Month,
    pub(super) event: Event,
    /// Policy as it was after the transaction.
    pub(super) shown: &'a PolicyShown,
    pub(super) product: &'a Product,
    /// Tax rate of the premium. `None` if the catalogue has no rate for it.
    pub(super) gst_rate: Option<TaxRate>,
    pub(super) commission_rate: CommissionRate,
    pub(super) commission: Rupees,
    pub(super) receipts: Vec<ReceiptLine>,
}

impl PremiumRow<'_> {
    pub(super) fn cell(&self, column: PremiumColumn) -> Cell {
        let policy = &self.shown.policy;
        let covered = &self.shown.covered;
        let master = self.product.master_policy.as_ref().map(|master| master.number.as_str());
        match column {
            PremiumColumn::RowId => self.event.key.to_string().into(),
            PremiumColumn::PeriodEnd => self.month.last_day().into(),
            PremiumColumn::InsurerId => self.product.insurer.id.to_string().into(),
            PremiumColumn::MasterPolicyNo => master.into(),
            PremiumColumn::ProductUin => self.product.uin.as_str().into(),
            PremiumColumn::Transaction => match self.event.key.transaction {
                Transaction::New if policy.renews().is_some() => RENEW.into(),
                other => other.word().into(),
            },
            PremiumColumn::CertificateNo => policy.number.to_string().into(),
            PremiumColumn::InsurerPolicyNo => policy.insurer_number.as_ref().map(ToString::to_string).into(),
            PremiumColumn::PartnerId => policy.partner.to_string().into(),
            PremiumColumn::LoanReference => {
                policy.reference.as_ref().map(|reference| reference.reveal().to_owned()).into()
            }
            PremiumColumn::MemberName => joined(covered, |member| member.name.reveal().to_owned()),
            PremiumColumn::DateOfBirth => match &covered.members[..] {
                [only] => only.born.reveal().into(),
                _ => joined(covered, |member| member.born.reveal().to_string()),
            },
            PremiumColumn::Gender => joined(covered, |member| {
                member.gender.map_or(String::new(), |gender| gender.word().to_owned())
            }),
            PremiumColumn::CoverType => cover_type(policy.line(), covered.members.len()).into(),
            PremiumColumn::SumAssured => policy.sum_insured.into(),
            PremiumColumn::CoverStart => covered.starts.into(),
            PremiumColumn::CoverEnd => policy.last_day().into(),
            PremiumColumn::TermMonths => {
                covered.starts.map(|starts| months(starts, policy.last_day())).into()
            }
            PremiumColumn::IssueDate => day_of(policy.issued_at).into(),
            PremiumColumn::EffectiveDate => self.event.effective_on.into(),
            PremiumColumn::BasePremium => self.event.premium.base().into(),
            PremiumColumn::GstRate => Cell::figure(gst_rate(self.gst_rate)),
            PremiumColumn::Gst => self.event.premium.gst().into(),
            PremiumColumn::Total => self.event.premium.total().into(),
            PremiumColumn::CommissionRate => Cell::figure(self.commission_rate.to_string()),
            PremiumColumn::Commission => self.commission.into(),
            PremiumColumn::NetDue => (self.event.premium.total() - self.commission).into(),
            PremiumColumn::ReceiptReference if self.event.payment.is_some() => {
                self.event.payment.as_ref().map(|(reference, _)| reference.as_str().to_owned()).into()
            }
            PremiumColumn::ReceiptReference => {
                let references: Vec<&str> = self
                    .receipts
                    .iter()
                    .take(MOST_RECEIPTS)
                    .map(|receipt| receipt.reference.as_str())
                    .collect();
                Some(references.join("; ")).filter(|text| !text.is_empty()).into()
            }
            PremiumColumn::ReceiptDate if self.event.payment.is_some() => {
                self.event.payment.as_ref().map(|(_, on)| *on).into()
            }
            PremiumColumn::ReceiptDate => {
                self.receipts.iter().map(|receipt| receipt.received_on).max().into()
            }
            PremiumColumn::Reason => self.event.reason.into(),
        }
    }
}

/// Tax rate as a bordereau shows it: the percentage, or a word for an exempt premium (D70).
pub(super) fn gst_rate(rate: Option<TaxRate>) -> String {
    match rate {
        Some(rate) if rate.is_exempt() => rate.to_string(),
        Some(rate) => rate.as_percent().normalize().to_string(),
        None => String::new(),
    }
}

/// A text about each insured person, separated by semicolons.
fn joined(covered: &Covered, of: impl Fn(&crate::line::CoveredMember) -> String) -> Cell {
    let texts: Vec<String> = covered.members.iter().map(of).collect();
    Cell::Text(texts.join("; "))
}

/// Type of cover, in the insurance industry's words.
fn cover_type(line: LineOfBusiness, members: usize) -> &'static str {
    match (line, members) {
        (LineOfBusiness::CreditLife, 0 | 1) => "single",
        (LineOfBusiness::CreditLife, _) => "joint",
        (LineOfBusiness::Health, 0 | 1) => "individual",
        (LineOfBusiness::Health, _) => "floater",
    }
}

/// Completed months of a cover. The first and the last day are both covered.
fn months(starts: Date, ends: Date) -> u64 {
    completed_months(starts, ends.tomorrow().unwrap_or(ends)).into()
}

/// Claim as it was at the end of a month.
pub(super) struct ClaimRow<'a> {
    pub(super) month: Month,
    pub(super) claim: &'a Claim,
    pub(super) shown: &'a PolicyShown,
    pub(super) product: &'a Product,
    /// State of the claim at the end of the month.
    pub(super) state: ClaimState,
    /// Time of the decision about the claim, if it was decided.
    pub(super) decided_at: Option<Timestamp>,
}

impl<'a> ClaimRow<'a> {
    /// Claim after its status changes until the end of the month. `None` if the claim was settled before the
    /// month, or made after it.
    pub(super) fn at_the_end(
        month: Month,
        claim: &'a Claim,
        history: &[Move<ClaimState>],
        shown: &'a PolicyShown,
        product: &'a Product,
    ) -> Option<Self> {
        let (begins, over) = month.days().instants();
        let until: Vec<&Move<ClaimState>> = history.iter().filter(|made| made.at < over).collect();
        let last = until.last()?;
        let is_decision = |made: &&&Move<ClaimState>| {
            matches!(
                made.to,
                ClaimState::Approved | ClaimState::Rejected | ClaimState::Repudiated | ClaimState::Withdrawn
            )
        };
        let decided_at = until.iter().rev().find(is_decision).map(|made| made.at);
        let row = ClaimRow { month, claim, shown, product, state: last.to, decided_at };
        (last.to.is_open() || last.at >= begins).then_some(row)
    }

    /// Amount that was paid by the end of the month, and amount that was approved by then but not paid, both less
    /// what the payment deducts.
    pub(super) fn amounts(&self) -> (Rupees, Rupees) {
        let approved = self.claim.net().unwrap_or_default();
        let moved = self.claim.transfers.iter().filter(|one| one.paid_on <= self.month.last_day());
        let moved: Rupees = moved.map(|transfer| transfer.amount).sum();
        match self.state {
            ClaimState::Paid => (approved, Rupees::ZERO),
            ClaimState::Approved => (moved.min(approved), (approved - moved).max(Rupees::ZERO)),
            ClaimState::Intimated
            | ClaimState::UnderAssessment
            | ClaimState::UnderInvestigation
            | ClaimState::Rejected
            | ClaimState::Repudiated
            | ClaimState::Withdrawn => (Rupees::ZERO, Rupees::ZERO),
        }
    }

    pub(super) fn cell(&self, column: ClaimColumn) -> Cell {
        let policy = &self.shown.policy;
        let (claim, (paid, outstanding)) = (self.claim, self.amounts());
        let master = self.product.master_policy.as_ref().map(|master| master.number.as_str());
        let class = Some(self.state.word().to_lowercase()).filter(|_| {
            matches!(self.state, ClaimState::Rejected | ClaimState::Repudiated | ClaimState::Withdrawn)
        });
        match column {
            ClaimColumn::ClaimNo => claim.id.to_string().into(),
            ClaimColumn::PeriodEnd => self.month.last_day().into(),
            ClaimColumn::InsurerId => self.product.insurer.id.to_string().into(),
            ClaimColumn::MasterPolicyNo => master.into(),
            ClaimColumn::ProductUin => self.product.uin.as_str().into(),
            ClaimColumn::CertificateNo => policy.number.to_string().into(),
            ClaimColumn::InsurerPolicyNo => policy.insurer_number.as_ref().map(ToString::to_string).into(),
            ClaimColumn::PartnerId => claim.partner.to_string().into(),
            ClaimColumn::LoanReference => {
                policy.reference.as_ref().map(|reference| reference.reveal().to_owned()).into()
            }
            ClaimColumn::MemberName => claim.member_name.reveal().to_owned().into(),
            ClaimColumn::Kind => claim.notice.kind.word().into(),
            ClaimColumn::EventDate => claim.notice.event_on.into(),
            ClaimColumn::NotifiedDate => day_of(claim.created_at).into(),
            ClaimColumn::Status => self.state.word().into(),
            ClaimColumn::Claimed => claim.notice.claimed.into(),
            ClaimColumn::Paid => paid.into(),
            ClaimColumn::Outstanding => outstanding.into(),
            ClaimColumn::Incurred => (paid + outstanding).into(),
            ClaimColumn::DecidedOn => self.decided_at.map(day_of).into(),
            ClaimColumn::ReasonClass => class.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn date(year: i16, month: i8, day: i8) -> Date {
        Date::constant(year, month, day)
    }

    #[test]
    fn a_term_is_counted_in_completed_months() {
        assert_eq!(months(date(2026, 11, 20), date(2028, 11, 19)), 24);
        assert_eq!(months(date(2026, 11, 20), date(2026, 12, 18)), 0);
        assert_eq!(months(date(2026, 1, 31), date(2026, 2, 27)), 1);
    }
}
