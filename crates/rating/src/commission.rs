//! Commission that insurers owe for sales, with the partners' shares (D86).

use std::collections::BTreeMap;

use domain::date::Date;
use domain::id::{PartnerId, ProductId};
use domain::line::LineOfBusiness;
use domain::money::Rupees;
use rust_decimal::Decimal;

use crate::product::Product;

/// Commission rates of a catalogue, with tax rates and the partners' licences.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommissionTerms {
    /// Commission rates that insurers owe to the operator.
    pub(crate) earned: Vec<CommissionRow>,
    pub(crate) partners: BTreeMap<PartnerId, PartnerTerms>,
    /// Tax rates, oldest first. Has at least one row if there are partners.
    pub(crate) taxes: Vec<CommissionTaxes>,
}

/// Commission rate for some products, from the day `from` on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommissionRow {
    pub(crate) of: Commissioned,
    pub(crate) from: Date,
    pub(crate) rate: CommissionRate,
}

/// Products to which a commission rate applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Commissioned {
    /// All products of a line of business, except products that another rate names.
    Line(LineOfBusiness),
    Products(Vec<ProductId>),
}

/// Terms of a partner that gets a share of the commission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerTerms {
    pub licence: PartnerLicence,
    /// GST identification number, if the partner is registered for GST. A registered partner charges GST on
    /// its commission.
    pub gstin: Option<String>,
    /// Rate of tax deducted at source that applies only to this partner, such as by a certificate for a lower
    /// rate. `None`: the general rate applies.
    pub(crate) tds: Option<CommissionRate>,
    pub(crate) shares: Vec<CommissionRow>,
}

/// Licence or registration that allows a partner to earn commission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerLicence {
    /// Kind of licence, such as a corporate agent's.
    pub kind: String,
    pub number: String,
    /// First day of the licence.
    pub from: Date,
    /// Last day of the licence.
    pub until: Date,
}

/// Tax rates for partners' commission, from the day `from` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommissionTaxes {
    pub from: Date,
    /// GST that a registered partner charges on its commission.
    pub gst: CommissionRate,
    /// Tax deducted at source (TDS).
    pub tds: CommissionRate,
}

/// Rate of commission or of a tax on it, in percent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommissionRate(pub(crate) Decimal);

impl CommissionRate {
    /// Zero percent.
    pub const NONE: CommissionRate = CommissionRate(Decimal::ZERO);

    /// This percentage of an amount, to the nearest paisa, halves away from zero. A reversed sale has the
    /// negative amount of the same size, so it reverses exactly the commission.
    pub fn of(self, amount: Rupees) -> Rupees {
        Rupees::nearest_countable(amount.to_decimal() * self.0 / Decimal::ONE_HUNDRED)
    }

    /// Parts of the percentage of a sum, one for each amount of the sum. They add up to the percentage of the sum,
    /// which is rounded once.
    pub fn parts(self, amounts: impl Iterator<Item = Rupees>) -> Vec<Rupees> {
        let mut sum = Rupees::ZERO;
        let part = |amount| {
            let before = self.of(sum);
            sum = sum + amount;
            self.of(sum) - before
        };
        amounts.map(part).collect()
    }
}

impl std::fmt::Display for CommissionRate {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{}", self.0.normalize())
    }
}

/// Why a partner gets no share of the commission for a sale. `Display` prints the text at the end of a row in
/// the partner's statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoShare {
    /// The catalogue has no licence of the partner.
    NoLicence,
    /// The partner's licence was not in force on the day of the sale.
    LicenceNotInForce,
    /// The catalogue has no rate for the partner and the product on the day of the sale.
    NoRate,
}

impl std::fmt::Display for NoShare {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        to.write_str(match self {
            NoShare::NoLicence => "no licence on record",
            NoShare::LicenceNotInForce => "licence not in force on the day of the sale",
            NoShare::NoRate => "no rate agreed",
        })
    }
}

impl CommissionTerms {
    /// Commission rate that the insurer owes to the operator, in percent of the premium without tax.
    pub fn earned(&self, product: &Product, sold_on: Date) -> CommissionRate {
        rate_of(&self.earned, product, sold_on).unwrap_or(CommissionRate::NONE)
    }

    /// Partner's share of the commission, in percent of the premium without tax.
    ///
    /// # Errors
    /// The reason why the partner gets no share.
    pub fn share(
        &self,
        partner: PartnerId,
        product: &Product,
        sold_on: Date,
    ) -> Result<CommissionRate, NoShare> {
        let terms = self.partners.get(&partner).ok_or(NoShare::NoLicence)?;
        if !(terms.licence.from..=terms.licence.until).contains(&sold_on) {
            return Err(NoShare::LicenceNotInForce);
        }
        rate_of(&terms.shares, product, sold_on).ok_or(NoShare::NoRate)
    }

    /// Rate of the GST that a partner charges on its commission on a day, and rate of the tax deducted at
    /// source.
    pub fn taxes(&self, partner: PartnerId, on: Date) -> (CommissionRate, CommissionRate) {
        let taxes = self.taxes.iter().rev().find(|taxes| taxes.from <= on).or(self.taxes.first());
        let partner = self.partners.get(&partner);
        let registered = partner.is_some_and(|terms| terms.gstin.is_some());
        taxes.map_or((CommissionRate::NONE, CommissionRate::NONE), |taxes| {
            let tds = partner.and_then(|terms| terms.tds).unwrap_or(taxes.tds);
            (if registered { taxes.gst } else { CommissionRate::NONE }, tds)
        })
    }

    /// Licence of a partner. `None` if the catalogue has none.
    pub fn licence_of(&self, partner: PartnerId) -> Option<&PartnerLicence> {
        self.partners.get(&partner).map(|terms| &terms.licence)
    }

    /// Whether a partner earns nothing because the catalogue has no licence of it, although insurers owe
    /// commission.
    pub fn earns_nothing(&self, partner: PartnerId) -> bool {
        !self.earned.is_empty() && !self.partners.contains_key(&partner)
    }
}

/// Newest rate on a day. A rate that names the product has priority over a rate for its line of business.
fn rate_of(rows: &[CommissionRow], product: &Product, on: Date) -> Option<CommissionRate> {
    let begun = || rows.iter().filter(|row| row.from <= on);
    let named = begun()
        .filter(|row| matches!(&row.of, Commissioned::Products(products) if products.contains(&product.id)))
        .max_by_key(|row| row.from);
    let of_line =
        || begun().filter(|row| row.of == Commissioned::Line(product.line)).max_by_key(|row| row.from);
    named.or_else(of_line).map(|row| row.rate)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_parts_of_a_tax_add_up_to_the_tax_on_the_whole(
            amounts in proptest::collection::vec(-1_000_000_i64..10_000_000, 0..12),
            percent in 0_i64..3000,
        ) {
            let rate = CommissionRate(Decimal::new(percent, 2));
            let amounts: Vec<Rupees> = amounts.into_iter().map(Rupees::from_paise).collect();
            let whole: Rupees = amounts.iter().copied().sum();
            let sum: Rupees = rate.parts(amounts.into_iter()).into_iter().sum();
            prop_assert_eq!(sum, rate.of(whole));
        }
    }
}
