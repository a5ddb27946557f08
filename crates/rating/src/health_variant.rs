//! Health variants: what each covers, and what it costs a family.

use std::sync::Arc;

use domain::date::Date;
use domain::health_quote::{HealthOffer, HealthRequest, NotOffered, Outcome, PlanType};
use domain::id::VariantId;
use domain::money::Rupees;
use domain::ranking::Candidate;
use rust_decimal::Decimal;

use crate::explanation::{HealthExplanation, TenureExplanation};
use crate::insurer::Insurer;
use crate::product::Product;

/// A variant of a health product.
#[derive(Debug, Clone)]
pub struct HealthVariant {
    /// Its id.
    pub id: VariantId,
    /// Its name.
    pub name: String,
    /// What a customer should know about it, in a sentence or two.
    pub description: String,
    /// Whose variant it is.
    pub product: Arc<Product>,
    /// What kind of cover it is.
    pub plan: PlanType,
    /// The variant that it builds upon, where it builds upon one.
    pub parent: Option<VariantId>,
    /// Whether it is sold without an agent.
    pub online: bool,
    /// Ids of the filter tags that hold for it, in its own order.
    pub filter_tags: Vec<String>,
    /// Months until pre-existing diseases are covered.
    pub waiting_months: u16,
}

impl HealthVariant {
    /// The insurer.
    pub fn insurer(&self) -> &Insurer {
        &self.product.insurer
    }

    /// What it offers a family, for a quote given on a day in Asia/Kolkata.
    ///
    /// # Errors
    /// Why it offers nothing (D17).
    pub fn price(&self, request: &HealthRequest, on: Date) -> Outcome {
        self.explain(request, on).outcome
    }

    /// What it offers and how the premium of each tenure came about. The outcome is always that of
    /// [`HealthVariant::price`].
    pub fn explain(&self, _: &HealthRequest, _: Date) -> HealthExplanation {
        let tenures: Vec<TenureExplanation> = Vec::new();
        HealthExplanation { tenures, outcome: Err(NotOffered::InsurerFailed) }
    }

    /// What an offer of it is ranked by, among others for the same sum insured (D19).
    pub fn candidate(&self, offer: &HealthOffer, sum_insured: Rupees) -> Candidate {
        let yearly = offer.tenures.first().and_then(|shortest| {
            let years = Decimal::from(shortest.years);
            Rupees::nearest(shortest.premium.total().to_decimal().checked_div(years)?)
        });
        Candidate {
            yearly_premium: yearly.unwrap_or_default(),
            sum_insured,
            claim_ratio: self.insurer().claim_settlement_ratio.unwrap_or_default(),
            network_hospitals: self.insurer().network_hospitals.unwrap_or_default(),
            waiting_months: self.waiting_months,
            copay_percent: offer.copay_percent,
        }
    }
}
