//! Health variants: what each covers, and what it costs a family.

use std::sync::Arc;

use domain::date::Date;
use domain::health_quote::{HealthOffer, HealthRequest, NotOffered, Outcome, PlanType, TenurePrice};
use domain::id::VariantId;
use domain::language::Text;
use domain::money::Rupees;
use domain::ranking::Candidate;
use rust_decimal::Decimal;

use crate::adjustment::Adjustments;
use crate::adjustment_kind::Circumstances;
use crate::explanation::{HealthExplanation, Journal, TenureExplanation, Unwritten};
use crate::family::Family;
use crate::health_limits::HealthLimits;
use crate::illness_terms::IllnessTerms;
use crate::insurer::Insurer;
use crate::method::health::{Asked, Method};
use crate::product::Product;
use crate::tax::Taxation;
use crate::tenure::Tenure;

/// A variant of a health product.
#[derive(Debug, Clone)]
pub struct HealthVariant {
    /// Its id.
    pub id: VariantId,
    /// Its name.
    pub name: String,
    /// What a customer should know about it, in a sentence or two.
    pub description: Text,
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
    /// Which families it covers, and where.
    pub limits: HealthLimits,
    /// The sums insured it is sold with, in rising order.
    pub sums_insured: Vec<Rupees>,
    /// The deductibles it is sold with, in rising order; zero for none.
    pub deductibles: Vec<Rupees>,
    /// What the customer bears of every claim.
    pub copay: Copay,
    pub(crate) illnesses: Arc<IllnessTerms>,
    /// `None` where the insurer prices it and the catalogue does not.
    pub(crate) pricing: Option<HealthPricing>,
}

/// Part of every claim that the customer bears.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copay {
    /// In percent; zero for none.
    pub percent: u8,
    /// Completed years of the eldest insured from which it holds; `None` for all.
    pub from_age: Option<u16>,
}

/// How a variant is priced.
#[derive(Debug, Clone)]
pub(crate) struct HealthPricing {
    pub(crate) method: Method,
    pub(crate) adjustments: Adjustments,
    /// At least one, shortest first.
    pub(crate) tenures: Vec<Tenure>,
    pub(crate) taxation: Taxation,
}

impl HealthVariant {
    /// The insurer.
    pub fn insurer(&self) -> &Insurer {
        &self.product.insurer
    }

    /// What it offers a family, for a quote given on a day in Asia/Kolkata. One that the insurer alone prices has
    /// failed to be priced here.
    ///
    /// # Errors
    /// Why it offers nothing (D17).
    pub fn price(&self, request: &HealthRequest, on: Date) -> Outcome {
        self.calculate(request, on, |_, Unwritten| {})
    }

    /// What it offers and how the premium of each tenure came about. The outcome is always that of
    /// [`HealthVariant::price`].
    pub fn explain(&self, request: &HealthRequest, on: Date) -> HealthExplanation {
        let mut tenures = Vec::new();
        let outcome =
            self.calculate(request, on, |years, steps| tenures.push(TenureExplanation { years, steps }));
        HealthExplanation { tenures, outcome }
    }

    /// Calculates each tenure with a journal of its own, which is handed over with its years.
    fn calculate<J: Journal + Clone + Default>(
        &self,
        request: &HealthRequest,
        on: Date,
        mut keep: impl FnMut(u8, J),
    ) -> Outcome {
        let pricing = self.pricing.as_ref().ok_or(NotOffered::InsurerFailed)?;
        let (family, zone) = self.limits.judge(request)?;
        let sum_insured = request.sum_insured;
        if !self.sums_insured.contains(&sum_insured) {
            return Err(NotOffered::SumInsured);
        }
        let deductible = self.deductible(request).ok_or(NotOffered::Deductible)?;
        let illness_percent = self.illnesses.loading(request)?;
        let mut journal = J::default();
        let rate = pricing.method.rate(&Asked { family, zone, sum_insured, deductible }, &mut journal);
        let price = |tenure: &Tenure| {
            let mut journal = journal.clone();
            let circumstances = Circumstances { illness_percent, tenure: *tenure };
            let amount = pricing.adjustments.apply(rate, &circumstances, &mut journal);
            let premium = amount.and_then(|amount| pricing.taxation.premium(amount, on, &mut journal));
            keep(tenure.years, journal);
            Some(TenurePrice { years: tenure.years, premium: premium? })
        };
        let tenures = pricing.tenures.iter().map(price).collect::<Option<Vec<_>>>();
        let tenures = tenures.ok_or(NotOffered::TooLarge)?;
        Ok(HealthOffer { deductible, copay_percent: self.copay.of(&family), tenures })
    }

    /// The deductible that a request is offered: the one it asks for, else the smallest there is (D16).
    fn deductible(&self, request: &HealthRequest) -> Option<Rupees> {
        match request.deductible {
            Some(asked) => self.deductibles.contains(&asked).then_some(asked),
            None => self.deductibles.first().copied(),
        }
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
            deductible: offer.deductible,
            claim_ratio: self.insurer().claim_settlement_ratio.unwrap_or_default(),
            network_hospitals: self.insurer().network_hospitals.unwrap_or_default(),
            waiting_months: self.waiting_months,
            copay_percent: offer.copay_percent,
        }
    }
}

impl Copay {
    /// What a family bears, in percent.
    fn of(self, family: &Family<'_>) -> u8 {
        if self.from_age.is_none_or(|age| family.eldest() >= age) { self.percent } else { 0 }
    }
}
