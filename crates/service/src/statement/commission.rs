//! Commission of a month: what insurers owe the operator, partners' shares with taxes, and ledger postings
//! (D86).

use std::collections::{BTreeMap, BTreeSet};

use domain::date::{Date, day_of};
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
    /// Part of the share on which the partner charges GST. It does not include commission that is paid back
    /// after the last day on which its GST can be taken back.
    taxed: Rupees,
}

/// A partner's earnings with an insurer, with their taxes.
struct Taxed {
    insurer: InsurerId,
    earned: Earned,
    gst: Rupees,
    tds: Rupees,
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
    /// Adds a row of the month that ends on the day `on`.
    pub(super) fn add(&mut self, row: &CommissionRow<'_>, on: Date) {
        let sold = row.sold;
        let policy = &sold.shown.policy;
        let earned = self.by_seller.entry((policy.partner, sold.product.insurer.id)).or_default();
        let commission = row.commission();
        earned.all = earned.all + sold.commission;
        earned.share = earned.share + commission;
        let rules = sold.product.cancellation.as_ref();
        let until = rules.and_then(|rules| rules.tax_back_until(day_of(policy.issued_at), on));
        if commission > Rupees::ZERO || until.is_none_or(|until| on <= until) {
            earned.taxed = earned.taxed + commission;
        }
    }

    /// What a partner is owed: commission, plus the tax that the partner charges, less the tax deducted at
    /// source.
    pub(super) fn due(&self, of: PartnerId, terms: &CommissionTerms, on: Date) -> PartnerDue {
        let mut due = PartnerDue::default();
        for Taxed { insurer, earned, gst, tds } in self.taxed(of, terms, on) {
            due.gst = due.gst + gst;
            due.tds = due.tds + tds;
            due.dues.push(CommissionDue { insurer, amount: earned.share + gst - tds });
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
        let partners: BTreeSet<PartnerId> = self.by_seller.keys().map(|(partner, _)| *partner).collect();
        let mut postings = Vec::new();
        let all =
            partners.iter().flat_map(|of| self.taxed(*of, terms, on).into_iter().map(move |one| (of, one)));
        for (partner, Taxed { insurer, earned, gst, tds }) in all {
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
                insurer,
                partner: *partner,
                posting,
                reference: reference(*partner),
            };
            postings.extend(moved.into_iter().flatten().map(posting));
        }
        postings
    }

    /// What a partner earned with each insurer, with GST and the tax deducted at source. Each tax is rounded once
    /// for the whole statement; the parts of the insurers add up to it. If the partner's total for the month is not
    /// above zero, nothing is deducted or returned, because earlier deductions are already paid to the state.
    fn taxed(&self, of: PartnerId, terms: &CommissionTerms, on: Date) -> Vec<Taxed> {
        let own = || self.by_seller.iter().filter(|((partner, _), _)| *partner == of);
        let all: Rupees = own().map(|(_, earned)| earned.share).sum();
        let (gst, tds) = terms.taxes(of, on);
        let tds = if all > Rupees::ZERO { tds } else { CommissionRate::NONE };
        let taxed = own().map(|(_, earned)| earned.taxed);
        let (gst, tds) = (gst.parts(taxed), tds.parts(own().map(|(_, earned)| earned.share)));
        own()
            .zip(gst.into_iter().zip(tds))
            .map(|(((_, insurer), earned), (gst, tds))| Taxed {
                insurer: *insurer,
                earned: *earned,
                gst,
                tds,
            })
            .collect()
    }
}
