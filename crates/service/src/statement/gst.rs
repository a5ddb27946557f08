//! GST of a month's premiums by insurer, product and tax rate: charged on sales, returned with cancellations.

use std::collections::BTreeMap;

use domain::id::InsurerId;
use domain::money::Rupees;
use domain::statement::Transaction;
use spreadsheet::Cell;

use super::rows::{PremiumRow, gst_rate};
use super::sheet::Sheet;
use crate::error::Result;

/// Columns of the tax summary.
pub(super) const COLUMNS: &[&str] = &[
    "insurer_id",
    "insurer",
    "product_uin",
    "product",
    "gst_rate",
    "policies",
    "taxable_premium",
    "gst",
    "credits",
    "taxable_premium_returned",
    "gst_returned",
    "premium_returned_without_tax",
    "net_taxable_premium",
    "net_gst",
];

/// Key of a group of premiums that are added up: insurer, product and tax rate.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Supply {
    insurer: InsurerId,
    uin: String,
    rate: String,
    insurer_name: String,
    product: String,
}

#[derive(Default)]
struct Sums {
    sales: u64,
    taxable: Rupees,
    gst: Rupees,
    credits: u64,
    returned: Rupees,
    gst_returned: Rupees,
    /// Premium that was returned too late, so that its tax cannot be credited any more.
    untaxed: Rupees,
}

/// Sums of a month for each group.
#[derive(Default)]
pub(super) struct GstSums(BTreeMap<Supply, Sums>);

impl GstSums {
    pub(super) fn add(&mut self, row: &PremiumRow<'_>) {
        if row.event.premium.total() == Rupees::ZERO {
            return;
        }
        let supply = Supply {
            insurer: row.product.insurer.id,
            uin: row.product.uin.clone(),
            rate: gst_rate(row.gst_rate),
            insurer_name: row.product.insurer.name.clone(),
            product: row.product.name.clone(),
        };
        let sums = self.0.entry(supply).or_default();
        let is_taxed = row.gst_rate.is_none_or(|rate| !rate.as_percent().is_zero());
        sums.sales += u64::from(row.event.key.transaction == Transaction::New);
        match row.event.premium.total() > Rupees::ZERO {
            true => {
                sums.taxable = sums.taxable + row.event.premium.base();
                sums.gst = sums.gst + row.event.premium.gst();
            }
            false if row.event.premium.gst() == Rupees::ZERO && is_taxed => {
                sums.untaxed = sums.untaxed - row.event.premium.base();
            }
            false => {
                sums.credits += 1;
                sums.returned = sums.returned - row.event.premium.base();
                sums.gst_returned = sums.gst_returned - row.event.premium.gst();
            }
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Writes one row for each group of premiums.
    pub(super) fn write(&self, to: &mut Sheet) -> Result<()> {
        for (supply, sums) in &self.0 {
            let (net, net_gst) = (sums.taxable - sums.returned, sums.gst - sums.gst_returned);
            to.add(&[
                supply.insurer.to_string().into(),
                supply.insurer_name.as_str().into(),
                supply.uin.as_str().into(),
                supply.product.as_str().into(),
                Cell::figure(supply.rate.as_str()),
                Cell::Number(sums.sales),
                sums.taxable.into(),
                sums.gst.into(),
                Cell::Number(sums.credits),
                sums.returned.into(),
                sums.gst_returned.into(),
                sums.untaxed.into(),
                net.into(),
                net_gst.into(),
            ])?;
            to.count("taxable_premium", sums.taxable);
            to.count("gst", sums.gst);
            to.count("taxable_premium_returned", sums.returned);
            to.count("gst_returned", sums.gst_returned);
            to.count("premium_returned_without_tax", sums.untaxed);
            to.count("net_taxable_premium", net);
            to.count("net_gst", net_gst);
        }
        Ok(())
    }
}
