//! Commission: what insurers owe to the operator for a sale, what of it is its partner's, and the taxes on that (D86).

use std::collections::BTreeMap;

use domain::date::Date;
use domain::id::{PartnerId, ProductId};
use domain::line::LineOfBusiness;
use domain::money::Rupees;
use rust_decimal::Decimal;

use crate::product::Product;

/// Every rate of commission of a catalogue, with the taxes and the partners' licences.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CommissionTerms {
    /// What insurers owe to the operator.
    pub(crate) earned: Vec<CommissionRow>,
    pub(crate) partners: BTreeMap<PartnerId, PartnerTerms>,
    /// The oldest first. At least one where there are partners.
    pub(crate) taxes: Vec<CommissionTaxes>,
}

/// A rate with the products that it is for and its first day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommissionRow {
    pub(crate) of: Commissioned,
    pub(crate) from: Date,
    pub(crate) rate: CommissionRate,
}

/// What a rate of commission is for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Commissioned {
    /// Every product of a line, but for those that are named elsewhere.
    Line(LineOfBusiness),
    /// These products.
    Products(Vec<ProductId>),
}

/// A partner that gets a part of the commission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerTerms {
    pub licence: PartnerLicence,
    /// Its GST identification number, where it is registered: then it charges tax.
    pub gstin: Option<String>,
    /// What is deducted at source, where that is another rate than everybody's, such as by a certificate for a lower one.
    pub(crate) tds: Option<CommissionRate>,
    pub(crate) shares: Vec<CommissionRow>,
}

/// The licence or registration with which a partner may earn commission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartnerLicence {
    /// What it is, such as a corporate agent's.
    pub kind: String,
    pub number: String,
    /// Its first day.
    pub from: Date,
    /// Its last day.
    pub until: Date,
}

/// The taxes on partners' commission from a day on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommissionTaxes {
    /// The first day.
    pub from: Date,
    /// What a registered partner charges.
    pub gst: CommissionRate,
    /// What is deducted at source.
    pub tds: CommissionRate,
}

/// A percentage of an amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CommissionRate(pub(crate) Decimal);

impl CommissionRate {
    /// Nothing.
    pub const NONE: CommissionRate = CommissionRate(Decimal::ZERO);

    /// What it is of an amount, to the nearest paisa, halves away from nought, so that what goes back is what came.
    pub fn of(self, amount: Rupees) -> Rupees {
        Rupees::nearest_countable(amount.to_decimal() * self.0 / Decimal::ONE_HUNDRED)
    }
}

impl std::fmt::Display for CommissionRate {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(to, "{}", self.0.normalize())
    }
}

/// Why a partner gets nothing for a sale. Its `Display` ends a row of its statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoShare {
    /// No licence of it is on record.
    NoLicence,
    /// Its licence did not hold on the day of the sale.
    LicenceNotInForce,
    /// No rate was agreed for the product on the day.
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
    /// What the insurer owes to the operator for a sale of a product on a day, in percent of the premium without tax.
    pub fn earned(&self, product: &Product, sold_on: Date) -> CommissionRate {
        rate_of(&self.earned, product, sold_on).unwrap_or(CommissionRate::NONE)
    }

    /// What of it is the partner's, in percent of the premium without tax.
    ///
    /// # Errors
    /// Why there is none.
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

    /// The tax that a partner charges on its commission on a day, and what is deducted from it at source.
    pub fn taxes(&self, partner: PartnerId, on: Date) -> (CommissionRate, CommissionRate) {
        let taxes = self.taxes.iter().rev().find(|taxes| taxes.from <= on).or(self.taxes.first());
        let partner = self.partners.get(&partner);
        let registered = partner.is_some_and(|terms| terms.gstin.is_some());
        taxes.map_or((CommissionRate::NONE, CommissionRate::NONE), |taxes| {
            let tds = partner.and_then(|terms| terms.tds).unwrap_or(taxes.tds);
            (if registered { taxes.gst } else { CommissionRate::NONE }, tds)
        })
    }

    /// The licence of a partner that is on record.
    pub fn licence_of(&self, partner: PartnerId) -> Option<&PartnerLicence> {
        self.partners.get(&partner).map(|terms| &terms.licence)
    }

    /// Whether a partner sells without a licence on record and so earns nothing, while insurers owe commission.
    pub fn earns_nothing(&self, partner: PartnerId) -> bool {
        !self.earned.is_empty() && !self.partners.contains_key(&partner)
    }
}

/// The newest rate on a day: one that names the product comes before one for its line.
fn rate_of(rows: &[CommissionRow], product: &Product, on: Date) -> Option<CommissionRate> {
    let begun = || rows.iter().filter(|row| row.from <= on);
    let named = begun()
        .filter(|row| matches!(&row.of, Commissioned::Products(products) if products.contains(&product.id)))
        .max_by_key(|row| row.from);
    let of_line =
        || begun().filter(|row| row.of == Commissioned::Line(product.line)).max_by_key(|row| row.from);
    named.or_else(of_line).map(|row| row.rate)
}
