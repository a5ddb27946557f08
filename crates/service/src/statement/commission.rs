//! Commission of a month: what insurers owe the operator, partners' shares with taxes, and ledger postings
//! (D86).

use std::collections::BTreeMap;

use domain::date::Date;
use domain::id::{InsurerId, PartnerId};
use domain::money::Rupees;
use domain::premium::{Account, Entry, Posting};
use domain::statement::CommissionDue;
use rating::{CommissionRate, CommissionTerms, NoShare, Product};
use spreadsheet::Cell;

use super::rows::PremiumRow;
use crate::storage::statements::CommissionPosting;

/// Columns of a partner's commission statement.
pub(super) const COLUMNS: &[&str] = &[
    "row_id",
    "transaction",
    "certificate_no",
    "loan_reference",
    "insurer",
    "product",
    "product_uin",
    "issue_date",
    "effective_date",
    "base_premium",
    "gst",
    "total",
    "commission_rate",
    "commission",
    "note",
];

/// Row of a partner's commission statement.
pub(super) struct CommissionRow<'a> {
    pub(super) sold: &'a PremiumRow<'a>,
    pub(super) share: Result<CommissionRate, NoShare>,
}

impl CommissionRow<'_> {
    /// Partner's commission. It is negative if commission must be paid back.
    pub(super) fn commission(&self) -> Rupees {
        self.share.map_or(Rupees::ZERO, |rate| rate.of(self.sold.event.premium.base()))
    }

    /// Cells in the order of [`COLUMNS`].
    pub(super) fn cells(&self) -> Vec<Cell> {
        use domain::statement::PremiumColumn as Column;
        let (sold, product): (_, &Product) = (self.sold, self.sold.product);
        let of = |column| sold.cell(column);
        let rate = self.share.map_or(String::new(), |rate| rate.to_string());
        vec![
            of(Column::RowId),
            of(Column::Transaction),
            of(Column::CertificateNo),
            of(Column::LoanReference),
            product.insurer.name.as_str().into(),
            product.name.as_str().into(),
            of(Column::ProductUin),
            of(Column::IssueDate),
            of(Column::EffectiveDate),
            of(Column::BasePremium),
            of(Column::Gst),
            of(Column::Total),
            Cell::figure(rate),
            self.commission().into(),
            self.share.err().map(|why| why.to_string()).into(),
        ]
    }
}

/// Commission totals of a month.
#[derive(Default)]
pub(super) struct CommissionBooks {
    /// For each partner and insurer: what the insurer owes the operator, with the partner's share of it.
    by_seller: BTreeMap<(PartnerId, InsurerId), Earned>,
}

#[derive(Clone, Copy, Default)]
struct Earned {
    all: Rupees,
    share: Rupees,
}

/// What a partner is owed on its commission statement.
#[derive(Debug, Clone, Default)]
pub(super) struct PartnerDue {
    pub(super) gst: Rupees,
    pub(super) tds: Rupees,
    /// Amount owed for the policies of each insurer.
    pub(super) dues: Vec<CommissionDue>,
}

impl PartnerDue {
    /// Adds the negative totals of earlier commission statements, which the partner owes.
    pub(super) fn carry(&mut self, before: Vec<CommissionDue>) {
        for owed in before {
            match self.dues.iter_mut().find(|due| due.insurer == owed.insurer) {
                Some(due) => due.amount = due.amount + owed.amount,
                None => self.dues.push(owed),
            }
        }
    }
}

impl CommissionBooks {
    pub(super) fn add(&mut self, row: &CommissionRow<'_>) {
        let sold = row.sold;
        let partner = sold.shown.policy.partner;
        let earned = self.by_seller.entry((partner, sold.product.insurer.id)).or_default();
        earned.all = earned.all + sold.commission;
        earned.share = earned.share + row.commission();
    }

    /// What a partner is owed: commission, plus the tax that the partner charges, less the tax deducted at
    /// source.
    pub(super) fn due(&self, of: PartnerId, terms: &CommissionTerms, on: Date) -> PartnerDue {
        let mut due = PartnerDue::default();
        for ((partner, insurer), earned) in &self.by_seller {
            if *partner == of {
                let (gst, tds) = self.taxes(*earned, of, terms, on);
                due.gst = due.gst + gst;
                due.tds = due.tds + tds;
                due.dues.push(CommissionDue { insurer: *insurer, amount: earned.share + gst - tds });
            }
        }
        due
    }

    /// Ledger postings of the month's commission. `reference` returns the number of a partner's statement.
    pub(super) fn postings(
        &self,
        terms: &CommissionTerms,
        on: Date,
        reference: impl Fn(PartnerId) -> String,
    ) -> Vec<CommissionPosting> {
        let mut postings = Vec::new();
        for ((partner, insurer), earned) in &self.by_seller {
            let (gst, tds) = self.taxes(*earned, *partner, terms, on);
            let moved = [
                Posting::of(Entry::Commission, Account::CommissionDue, Account::Commission, earned.all),
                Posting::of(
                    Entry::PartnerCommission,
                    Account::Commission,
                    Account::PartnerCommission,
                    earned.share,
                ),
                Posting::of(Entry::InputTax, Account::InputTax, Account::PartnerCommission, gst),
                Posting::of(Entry::TaxWithheld, Account::PartnerCommission, Account::TaxWithheld, tds),
            ];
            let posting = |posting| CommissionPosting {
                insurer: *insurer,
                partner: *partner,
                posting,
                reference: reference(*partner),
            };
            postings.extend(moved.into_iter().flatten().map(posting));
        }
        postings
    }

    /// GST on what a partner earned with an insurer, and the tax deducted at source. If the partner's total
    /// for the month is not above zero, nothing is deducted or returned, because earlier deductions are
    /// already paid to the state.
    fn taxes(&self, earned: Earned, of: PartnerId, terms: &CommissionTerms, on: Date) -> (Rupees, Rupees) {
        let all = self.by_seller.iter().filter(|((partner, _), _)| *partner == of);
        let all: Rupees = all.map(|(_, earned)| earned.share).sum();
        let (gst, tds) = terms.taxes(of, on);
        let deducted = if all > Rupees::ZERO { tds.of(earned.share) } else { Rupees::ZERO };
        (gst.of(earned.share), deducted)
    }
}
