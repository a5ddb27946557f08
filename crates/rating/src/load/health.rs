//! Parses the variants of a health product.

use std::cell::RefCell;
use std::sync::Arc;

use domain::health_quote::PlanType;
use domain::id::{VariantId, kind};
use domain::money::Rupees;
use toml::de::DeValue;

use super::dated_rates;
use super::fact_loadings;
use super::health_limits::ParsedHealthLimits;
use super::health_steps;
use super::illness_terms;
use super::parsed_product::{ParentReference, ParsedProduct};
use super::price;
use super::product_context::ProductContext;
use super::steps;
use super::tenures;
use crate::adjustment::Adjustments;
use crate::dated_rates::DatedRates;
use crate::health_variant::{Copay, HealthPricing, HealthVariant};
use crate::illness_terms::IllnessTerms;
use crate::method::health::{Method, MethodContext, Promise, RateSheets};
use crate::parse::document::Section;
use crate::parse::parsed::Parsed;
use crate::parse::texts;
use crate::parse::values::{self, ValueError};
use crate::product::Product;
use crate::tax::DatedTax;
use crate::tenure::Tenure;
use crate::zones::Zones;

/// Longest waiting period for pre-existing diseases, in months.
const LONGEST_WAIT: u32 = 120;
/// Highest co-pay, in percent.
const HIGHEST_COPAY: u32 = 90;
/// Highest sum insured or deductible, in rupees (100 crore).
const HIGHEST_SUM: u32 = 1_000_000_000;

/// Values of the product's file that all variants share.
struct Common<'c> {
    product: Option<&'c Arc<Product>>,
    plan: Option<PlanType>,
    zones: Option<Arc<Zones>>,
    limits: ParsedHealthLimits,
    illnesses: Option<Arc<IllnessTerms>>,
    tenures: Parsed<Vec<Tenure>>,
    tax: Option<Arc<DatedTax>>,
    sheets: RefCell<RateSheets>,
    context: &'c ProductContext<'c>,
}

/// Parses the values of the whole product, and the `[[variant]]` sections.
pub(crate) fn parse(
    root: &Section<'_>,
    product: Option<&Arc<Product>>,
    context: &ProductContext<'_>,
) -> ParsedProduct {
    let plan = root.required("plan", |value| values::word(value, &["base", "super-top-up"]));
    let zones = context.zones(root.file());
    let eligibility = root.section("eligibility");
    let limits = ParsedHealthLimits::of(eligibility.as_ref(), zones.as_deref());
    if let Some(eligibility) = eligibility {
        eligibility.close();
    }
    let common = Common {
        product,
        plan: plan.map(|plan| if plan == "base" { PlanType::Base } else { PlanType::SuperTopUp }),
        zones,
        limits,
        illnesses: illness_terms::parse(root, context.health_lists, context.sources).map(Arc::new),
        tenures: tenures::parse(root),
        tax: context.tax(product),
        sheets: RefCell::default(),
        context,
    };
    let variants = root.sections("variant");
    if variants.is_empty() {
        root.report("variant", "The product has no variant: at least one [[variant]] is needed.");
    }
    let mut parsed = ParsedProduct { variant_ids: Some(Vec::new()), ..ParsedProduct::default() };
    for section in variants {
        let id = section.required("id", values::id::<kind::Variant>);
        match (id, &mut parsed.variant_ids) {
            (Some(id), Some(ids)) => ids.push(id),
            _ => parsed.variant_ids = None,
        }
        if let Some(id) = id {
            context.ids.claim(id, &section);
        }
        let parent = section.optional("parent", values::id::<kind::Variant>);
        if let (Some(of), Some(parent)) = (id, parent) {
            let line = section.line_of("parent").unwrap_or(1);
            parsed.parents.push(ParentReference { of, parent, line });
        }
        parsed.health_variants.extend(common.parse_variant(section, id, parent));
    }
    parsed
}

impl Common<'_> {
    fn parse_variant(
        &self,
        section: Section<'_>,
        id: Option<VariantId>,
        parent: Option<VariantId>,
    ) -> Option<HealthVariant> {
        let name = section.required("name", values::text);
        let description = texts::required(&section, "description");
        let online = section.or("online", true, values::flag);
        let waiting_months =
            section.required("waiting_months", |value| values::whole(value, 0, LONGEST_WAIT));
        let filter_tags = self.parse_filter_tags(&section);
        let copay = parse_copay(&section);
        let sums_insured = ascending(section.required_distinct("sum_insured", |value| sum(value, 1)));
        let deductibles = self.parse_deductibles(&section);
        let own = section.section("eligibility");
        let limits = ParsedHealthLimits::of(own.as_ref(), self.zones.as_deref()).or(self.limits.clone());
        if let Some(own) = own {
            own.close();
        }
        let limits = limits.finish(self.zones.clone(), &section);
        let tenures = tenures::parse(&section).or(self.tenures.clone()).or_default(|| vec![Tenure::ONE_YEAR]);
        let promise = match (&limits, &sums_insured, &deductibles, self.plan) {
            (Some(limits), Some(sums_insured), Some(deductibles), Some(plan)) => {
                Some(Promise { plan, limits, sums_insured, deductibles })
            }
            _ => None,
        };
        let pricing = match section.section("price") {
            Some(price) => self.parse_price(price, promise.as_ref(), tenures).map(Some),
            None => price::check_unpriced(&section, self.context).then_some(None),
        };
        section.close();
        Some(HealthVariant {
            id: id?,
            name: name?,
            description: description?,
            product: self.product?.clone(),
            plan: self.plan?,
            parent,
            online,
            filter_tags: filter_tags?,
            waiting_months: waiting_months? as u16,
            limits: limits?,
            sums_insured: sums_insured?,
            deductibles: deductibles?,
            copay,
            illnesses: self.illnesses.clone()?,
            pricing: pricing?,
        })
    }

    /// Parses the filter tags of a variant. Each must be in `filter_tags.toml`.
    fn parse_filter_tags(&self, section: &Section<'_>) -> Option<Vec<String>> {
        let known = self.context.health_lists.filter_tags.as_ref();
        let tags = section.distinct("filter_tags", |value| {
            let tag = values::text(value)?;
            let is_known = known.is_none_or(|known| known.iter().any(|known| known.id == tag));
            if is_known { Ok(tag) } else { Err(format!("names \"{tag}\", which is not in filter_tags.toml")) }
        });
        if section.has("filter_tags") { tags } else { Some(Vec::new()) }
    }

    /// Parses the deductibles. The list of a base plan must contain zero.
    fn parse_deductibles(&self, section: &Section<'_>) -> Option<Vec<Rupees>> {
        section.mark_known(&["deductibles"]);
        let plan = self.plan?;
        if plan == PlanType::Base && !section.has("deductibles") {
            return Some(vec![Rupees::ZERO]);
        }
        let deductibles = ascending(section.required_distinct("deductibles", |value| sum(value, 0)))?;
        let has_none = deductibles.contains(&Rupees::ZERO);
        if plan == PlanType::Base && !has_none {
            section.report("deductibles", "`deductibles` of a base plan must include 0.");
            return None;
        }
        if plan == PlanType::SuperTopUp && has_none {
            section.report("deductibles", "`deductibles` of a super top-up must be above 0.");
            return None;
        }
        Some(deductibles)
    }

    /// Parses a variant's `price` section.
    fn parse_price(
        &self,
        section: Section<'_>,
        promise: Option<&Promise<'_>>,
        tenures: Option<Vec<Tenure>>,
    ) -> Option<HealthPricing> {
        let sources = self.context.sources;
        let sheets = MethodContext { sources, sheets: &self.sheets };
        let rates = promise.and_then(|promise| {
            let parse = |tables: &Section<'_>| Method::parse(&section, tables, promise, &sheets);
            dated_rates::parse(&section, Method::TABLES, parse)
        });
        let facts = fact_loadings::parse(&section);
        let (adjustments, rounding) = match steps::parse(&section, health_steps::OWN, self.context) {
            Some(steps) => (Some(steps.adjustments), steps.rounding),
            None => (None, None),
        };
        let taxation = price::parse_taxation(&section, self.tax.clone(), rounding);
        if let (Some(adjustments), Some(tenures)) = (&adjustments, &tenures) {
            let illnesses = self.illnesses.as_ref().map(|illnesses| illnesses.has_loadings());
            health_steps::check(&section, adjustments, tenures, illnesses, facts.as_ref());
        }
        if let (Some(rates), Some(adjustments)) = (&rates, &adjustments) {
            check_family_discount(&section, rates, adjustments);
        }
        if rates.is_none() {
            // Keys and sheets depend on the method. Without a valid method, do not report unknown ones.
            sources.allow_unused_beside(section.file());
            section.mark_known(Method::KEYS);
        }
        section.close();
        Some(HealthPricing {
            rates: rates?,
            facts: facts?,
            adjustments: adjustments?,
            tenures: tenures?,
            taxation: taxation?,
        })
    }
}

/// Reports a family discount above the limit of all discounts.
fn check_family_discount(price: &Section<'_>, rates: &DatedRates<Method>, adjustments: &Adjustments) {
    let Some(cap) = &adjustments.cap else { return };
    if rates.all().any(|method| method.highest_discount() > cap.most) {
        let message = "`family_discount_percent` is above `most_discount_percent`.";
        price.report("family_discount_percent", message);
    }
}

/// Parses the customer's share of every claim (co-pay).
fn parse_copay(section: &Section<'_>) -> Copay {
    let percent = section.or("copay_percent", 0, |value| values::whole(value, 0, HIGHEST_COPAY));
    let from_age = section.optional("copay_from_age", |value| values::whole(value, 1, 120));
    if section.has("copay_from_age") && !section.has("copay_percent") {
        section.report("copay_from_age", "`copay_from_age` needs a `copay_percent`.");
    }
    Copay { percent: percent as u8, from_age: from_age.map(|age| age as u16) }
}

/// Parses an amount in whole rupees, at least `least`.
fn sum(value: &DeValue<'_>, least: u32) -> Result<Rupees, ValueError> {
    values::whole(value, least, HIGHEST_SUM).map(|rupees| Rupees::whole(rupees.into()))
}

fn ascending(amounts: Option<Vec<Rupees>>) -> Option<Vec<Rupees>> {
    amounts.map(|mut amounts| {
        amounts.sort_unstable();
        amounts
    })
}
