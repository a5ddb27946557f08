//! Variants of health products, which are quoted and sold.

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

#[derive(Debug, Clone)]
pub struct HealthVariant {
    pub id: VariantId,
    pub name: String,
    /// Description for customers, in a sentence or two.
    pub description: Text,
    pub product: Arc<Product>,
    pub plan: PlanType,
    /// Variant that this variant extends, if any.
    pub parent: Option<VariantId>,
    /// Whether customers can buy the variant online, without an agent.
    pub online: bool,
    /// Ids of the variant's filter tags, in the order of the product's file.
    pub filter_tags: Vec<String>,
    /// Months until pre-existing diseases are covered.
    pub waiting_months: u16,
    /// Family sizes, ages and zones that the variant accepts.
    pub limits: HealthLimits,
    /// Sums insured that the variant offers, ascending.
    pub sums_insured: Vec<Rupees>,
    /// Deductibles that the variant offers, ascending. Zero: no deductible.
    pub deductibles: Vec<Rupees>,
    /// Share of every claim that the customer pays (co-pay).
    pub copay: Copay,
    pub(crate) illnesses: Arc<IllnessTerms>,
    /// Rates and adjustments. `None` if the insurer prices the variant over HTTP.
    pub(crate) pricing: Option<HealthPricing>,
}

/// Share of every claim that the customer pays (co-pay).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Copay {
    /// Customer's share in percent. Zero: no co-pay.
    pub percent: u8,
    /// The co-pay applies if the eldest insured member has at least this age, in completed years. `None`: it
    /// applies at any age.
    pub from_age: Option<u16>,
}

/// Rates, adjustments, tenures and taxation that price a variant.
#[derive(Debug, Clone)]
pub(crate) struct HealthPricing {
    pub(crate) rates: DatedRates<Method>,
    pub(crate) facts: FactLoadings,
    pub(crate) adjustments: Adjustments,
    /// Tenures that the variant offers. Never empty, shortest first.
    pub(crate) tenures: Vec<Tenure>,
    pub(crate) taxation: Taxation,
}

impl HealthVariant {
    pub fn insurer(&self) -> &Insurer {
        &self.product.insurer
    }

    /// Offer to a family for a quote on a day in Asia/Kolkata.
    ///
    /// # Errors
    /// The reason why there is no offer (D17). Always [`NotOffered::InsurerFailed`] if the insurer prices the
    /// variant over HTTP.
    pub fn price(&self, request: &HealthRequest, on: Date) -> Outcome {
        self.price_with(request, &HealthFacts::STANDARD, on)
    }

    /// Like [`HealthVariant::price`], with facts that the request does not contain (D74).
    ///
    /// # Errors
    /// As [`HealthVariant::price`]. [`NotOffered::InsurerRefused`] if the variant is not sold with the
    /// requested instalments.
    pub fn price_with(&self, request: &HealthRequest, facts: &HealthFacts, on: Date) -> Outcome {
        self.calculate(request, facts, on, |_, NoJournal| {})
    }

    /// Whether the variant is sold with these instalments.
    pub fn is_sold_in(&self, instalments: Instalments) -> bool {
        let offered = self.pricing.iter().flat_map(|pricing| &pricing.facts.instalments);
        offered.into_iter().any(|(offered, _)| *offered == instalments)
    }

    /// Offer with the calculation of each tenure. The outcome always equals the result of
    /// [`HealthVariant::price`].
    pub fn explain(&self, request: &HealthRequest, on: Date) -> HealthExplanation {
        self.explain_with(request, &HealthFacts::STANDARD, on)
    }

    /// Like [`HealthVariant::explain`], with facts that the request does not contain. The outcome always
    /// equals the result of [`HealthVariant::price_with`].
    pub fn explain_with(&self, request: &HealthRequest, facts: &HealthFacts, on: Date) -> HealthExplanation {
        let mut tenures = Vec::new();
        let keep = |years, steps| tenures.push(TenureExplanation { years, steps });
        let outcome = self.calculate(request, facts, on, keep);
        HealthExplanation { tenures, outcome }
    }

    /// Calculates each tenure with a separate journal of steps. `keep` receives the years of the tenure and
    /// the journal.
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

    /// Deductible of the offer: the requested one, or by default the smallest one (D16). `None` if the
    /// variant does not offer the requested one.
    fn deductible(&self, request: &HealthRequest) -> Option<Rupees> {
        match request.deductible {
            Some(asked) => self.deductibles.contains(&asked).then_some(asked),
            None => self.deductibles.first().copied(),
        }
    }

    /// Facts about an offer by which it is ranked among offers for the same sum insured (D19).
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
    /// Percentage of every claim that a family pays.
    fn of(self, family: &Family<'_>) -> u8 {
        if self.from_age.is_none_or(|age| family.eldest() >= age) { self.percent } else { 0 }
    }
}
