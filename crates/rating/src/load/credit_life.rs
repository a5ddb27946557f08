//! Parses the variants of a credit-life product.

use std::sync::Arc;

use domain::id::{VariantId, kind};

use super::credit_limits::ParsedLimits;
use super::dated_rates;
use super::fact_loadings;
use super::joint_life;
use super::parsed_product::ParsedProduct;
use super::price;
use super::product_context::ProductContext;
use super::riders;
use super::steps;
use crate::credit_limits::Limits;
use crate::credit_pricing::{Basis, Pricing};
use crate::credit_rates::CreditRates;
use crate::credit_variant::{CoverKind, CreditVariant};
use crate::method::credit_life::Method;
use crate::parse::document::Section;
use crate::parse::values;
use crate::product::Product;
use crate::tax::DatedTax;

/// Highest interest rate of a loan that a reducing cover follows, in percent a year.
const HIGHEST_INTEREST: u32 = 60;

/// Parses the limits of the whole product, and the `[[variant]]` sections.
pub(crate) fn parse(
    root: &Section<'_>,
    product: Option<&Arc<Product>>,
    context: &ProductContext<'_>,
) -> ParsedProduct {
    let eligibility = root.section("eligibility");
    let common = ParsedLimits::of(eligibility.as_ref());
    if let Some(eligibility) = eligibility {
        eligibility.close();
    }
    let tax = context.tax(product);
    let variants = root.sections("variant");
    if variants.is_empty() {
        root.report("variant", "The product has no variant: at least one [[variant]] is needed.");
    }
    let mut parsed = ParsedProduct { variant_ids: Some(Vec::new()), ..ParsedProduct::default() };
    for section in variants {
        let id = section.required("id", values::id::<kind::Variant>);
        if let (Some(id), Some(ids)) = (id, &mut parsed.variant_ids) {
            ids.push(id);
        } else {
            parsed.variant_ids = None;
        }
        let variant = parse_variant(section, id, product, &common, tax.clone(), context);
        parsed.credit_variants.extend(variant);
    }
    parsed
}

fn parse_variant(
    section: Section<'_>,
    id: Option<VariantId>,
    product: Option<&Arc<Product>>,
    common: &ParsedLimits,
    tax: Option<Arc<DatedTax>>,
    context: &ProductContext<'_>,
) -> Option<CreditVariant> {
    if let Some(id) = id {
        context.ids.claim(id, &section);
    }
    let name = section.required("name", values::text);
    let cover = parse_cover(&section);
    let own = section.section("eligibility");
    let limits = ParsedLimits::of(own.as_ref()).or(common.clone());
    let unsaid = limits.unsaid();
    let mut limits = limits.finish(&section);
    if let Some(own) = own {
        own.close();
    }
    let pricing = match section.section("price") {
        Some(price) => parse_price(price, &section, limits.as_ref(), tax, context).map(Some),
        None => check_no_riders(&section, price::check_unpriced(&section, context)).then_some(None),
    };
    if let (Some(limits), Some(Some(pricing))) = (&mut limits, &pricing) {
        limits.sale.joint_life = pricing.joint.is_some();
    }
    section.close();
    Some(CreditVariant {
        id: id?,
        name: name?,
        cover: cover?,
        product: product?.clone(),
        limits: limits?,
        unsaid,
        pricing: pricing?,
    })
}

/// Reports riders of a variant that has no `price` section, because riders need that section. Returns
/// `needs_no_price`, but false after a fault.
fn check_no_riders(variant: &Section<'_>, needs_no_price: bool) -> bool {
    if variant.has("rider") && needs_no_price {
        variant.report(
            "rider",
            "A rider needs [variant.price]: an insurer with the connector \"http\" prices its riders itself.",
        );
        return false;
    }
    needs_no_price
}

/// Parses whether the cover is level or reducing.
fn parse_cover(section: &Section<'_>) -> Option<CoverKind> {
    let kind = section.required("cover", |value| values::word(value, &["level", "reducing"]))?;
    if kind == "level" {
        if section.has("interest_percent") {
            section.report(
                "interest_percent",
                "`interest_percent` is only for reducing cover; this cover is level.",
            );
        }
        return Some(CoverKind::Level);
    }
    let interest_percent =
        section.required("interest_percent", |value| values::percent(value, HIGHEST_INTEREST))?;
    Some(CoverKind::Reducing { interest_percent })
}

/// Parses a variant's `price` section. Pass `None` as `tax` if the rows of `[[tax]]` have faults.
fn parse_price(
    section: Section<'_>,
    variant: &Section<'_>,
    limits: Option<&Limits>,
    tax: Option<Arc<DatedTax>>,
    context: &ProductContext<'_>,
) -> Option<Pricing> {
    let sources = context.sources;
    let rates_of = |of: &Section<'_>| {
        dated_rates::parse(of, Method::TABLES, |tables| {
            let method = Method::parse(&section, tables, limits, sources)?;
            let table = sources.table_ref(tables, "table")?.name();
            Some(CreditRates { method, table: Arc::from(table) })
        })
    };
    let rates = rates_of(&section);
    let riders = riders::parse(variant, rates_of);
    if rates.is_none() || riders.is_none() {
        sources.allow_unused_beside(section.file());
        // The keys depend on the method. Without a valid method, do not report unknown keys.
        section.mark_known(Method::KEYS);
    }
    let basis = section.or("of", "cover", |value| values::word(value, &["cover", "loan"]));
    let joint = joint_life::parse(&section, limits);
    let facts = fact_loadings::parse_of_people(&section);
    let own = [fact_loadings::OCCUPATION, fact_loadings::TOBACCO];
    let (adjustments, rounding) = match steps::parse(&section, &own, context) {
        Some(steps) => (Some(steps.adjustments), steps.rounding),
        None => (None, None),
    };
    if let (Some(facts), Some(adjustments)) = (&facts, &adjustments) {
        fact_loadings::check_of_people(&section, adjustments, facts);
    }
    let taxation = price::parse_taxation(&section, tax, rounding);
    section.close();
    Some(Pricing {
        rates: rates?,
        basis: if basis == "loan" { Basis::Loan } else { Basis::Cover },
        joint: joint?,
        riders: riders?,
        facts: facts?,
        adjustments: adjustments?,
        taxation: taxation?,
    })
}
