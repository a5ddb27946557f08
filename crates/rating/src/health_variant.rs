//! Health variants: the cover of each with its price for a family.

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
use crate::dated_rates::DatedRates;
use crate::explanation::{HealthExplanation, Journal, NoJournal, TenureExplanation};
use crate::fact_loadings::FactLoadings;
use crate::family::Family;
use crate::health_facts::{HealthFacts, Instalments};
use crate::health_limits::HealthLimits;
use crate::illness_terms::IllnessTerms;
use crate::insurer::Insurer;
use crate::method::health::{Method, RateQuery};
use crate::product::Product;
use crate::tax::Taxation;
use crate::tenure::Tenure;

/// A variant of a health product.
#[derive(Debug, Clone)]
pub struct HealthVariant {
    pub id: VariantId,
    pub name: String,
    /// What a customer should know about it, in a sentence or two.
    pub description: Text,
    pub product: Arc<Product>,
    /// Its kind of cover.
    pub plan: PlanType,
    /// The variant that it builds upon, if any.
    pub parent: Option<VariantId>,
    /// Whether it is sold without an agent.
    pub online: bool,
    /// Ids of the filter tags that hold for it, in its own order.
    pub filter_tags: Vec<String>,
    /// Months until pre-existing diseases are covered.
    pub waiting_months: u16,
    /// Which families it covers in which zones.
    pub limits: HealthLimits,
    /// The sums insured it is sold with, in rising order.
    pub sums_insured: Vec<Rupees>,
    /// The deductibles it is sold with, in rising order; zero for none.
    pub deductibles: Vec<Rupees>,
    /// The part of every claim that the customer bears.
    pub copay: Copay,
    pub(crate) illnesses: Arc<IllnessTerms>,
    /// `None` where the insurer prices it over HTTP.
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
    pub(crate) rates: DatedRates<Method>,
    pub(crate) facts: FactLoadings,
    pub(crate) adjustments: Adjustments,
    /// At least one, shortest first.
    pub(crate) tenures: Vec<Tenure>,
    pub(crate) taxation: Taxation,
}

impl HealthVariant {
    pub fn insurer(&self) -> &Insurer {
        &self.product.insurer
    }

    /// The offer to a family for a quote on a day in Asia/Kolkata.
    ///
    /// # Errors
    /// Why it offers nothing (D17). A variant that its insurer prices over HTTP gives [`NotOffered::InsurerFailed`].
    pub fn price(&self, request: &HealthRequest, on: Date) -> Outcome {
        self.price_with(request, &HealthFacts::STANDARD, on)
    }

    /// The offer to a family of which more is told than its request says (D74).
    ///
    /// # Errors
    /// As [`HealthVariant::price`], and [`NotOffered::InsurerRefused`] where it is not sold in the instalments asked for.
    pub fn price_with(&self, request: &HealthRequest, facts: &HealthFacts, on: Date) -> Outcome {
        self.calculate(request, facts, on, |_, NoJournal| {})
    }

    /// Whether it is sold in such instalments.
    pub fn is_sold_in(&self, instalments: Instalments) -> bool {
        let offered = self.pricing.iter().flat_map(|pricing| &pricing.facts.instalments);
        offered.into_iter().any(|(offered, _)| *offered == instalments)
    }

    /// The offer with the steps to the premium of each tenure. The outcome always equals that of
    /// [`HealthVariant::price`].
    pub fn explain(&self, request: &HealthRequest, on: Date) -> HealthExplanation {
        self.explain_with(request, &HealthFacts::STANDARD, on)
    }

    /// The same of [`HealthVariant::price_with`].
    pub fn explain_with(&self, request: &HealthRequest, facts: &HealthFacts, on: Date) -> HealthExplanation {
        let mut tenures = Vec::new();
        let keep = |years, steps| tenures.push(TenureExplanation { years, steps });
        let outcome = self.calculate(request, facts, on, keep);
        HealthExplanation { tenures, outcome }
    }

    /// Calculates each tenure with its own journal. `keep` receives the years and the journal.
    fn calculate<J: Journal + Clone + Default>(
        &self,
        request: &HealthRequest,
        facts: &HealthFacts,
        on: Date,
        mut keep: impl FnMut(u8, J),
    ) -> Outcome {
        let pricing = self.pricing.as_ref().ok_or(NotOffered::InsurerFailed)?;
        let (family, zone) = self.limits.check(request)?;
        let sum_insured = request.sum_insured;
        if !self.sums_insured.contains(&sum_insured) {
            return Err(NotOffered::SumInsured);
        }
        let deductible = self.deductible(request).ok_or(NotOffered::Deductible)?;
        let illness_percent = self.illnesses.loading(request)?;
        let facts = pricing.facts.of(facts)?;
        let method = pricing.rates.on(on);
        let family_discount = method.family_discount(&family);
        let mut journal = J::default();
        let rate = method.rate(&RateQuery { family, zone, sum_insured, deductible }, &mut journal);
        let price = |tenure: &Tenure| {
            let mut journal = journal.clone();
            let circumstances =
                Circumstances { illness_percent, facts, tenure: *tenure, family_discount, is_limited: false };
            let amount = pricing.adjustments.apply(rate, &circumstances, &mut journal);
            let premium = amount.and_then(|amount| pricing.taxation.premium(amount, on, &mut journal));
            keep(tenure.years, journal);
            Some(TenurePrice { years: tenure.years, premium: premium? })
        };
        let tenures = pricing.tenures.iter().map(price).collect::<Option<Vec<_>>>();
        let tenures = tenures.ok_or(NotOffered::TooLarge)?;
        Ok(HealthOffer { deductible, copay_percent: self.copay.of(&family), tenures })
    }

    /// The deductible of the offer: the requested one, else the smallest (D16).
    fn deductible(&self, request: &HealthRequest) -> Option<Rupees> {
        match request.deductible {
            Some(asked) => self.deductibles.contains(&asked).then_some(asked),
            None => self.deductibles.first().copied(),
        }
    }

    /// The facts that rank its offer among others for the same sum insured (D19).
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
    /// The part that a family bears, in percent.
    fn of(self, family: &Family<'_>) -> u8 {
        if self.from_age.is_none_or(|age| family.eldest() >= age) { self.percent } else { 0 }
    }
}
