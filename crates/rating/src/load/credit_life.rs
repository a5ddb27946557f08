//! Reading the variants of a credit-life product: limits, cover, and the steps of the price.

use std::sync::Arc;

use domain::id::{VariantId, kind};

use super::credit_limits::LimitsRead;
use super::parsed_product::ProductRead;
use super::price;
use super::product_context::ProductContext;
use crate::credit_limits::Limits;
use crate::credit_variant::{Basis, CoverKind, CreditVariant, Pricing};
use crate::line_of_business::Line;
use crate::method::credit_life::Method;
use crate::parse::document::Section;
use crate::parse::source_files::{Shelf, beside};
use crate::parse::values;
use crate::product::Product;
use crate::tax::DatedTax;

/// The highest interest, in percent a year, by which a cover may fall.
const HIGHEST_INTEREST: u32 = 60;

/// Reads the product's own limits and its `[[variant]]` sections.
pub(crate) fn read(
    root: &Section<'_>,
    product: Option<&Arc<Product>>,
    context: &ProductContext<'_>,
) -> ProductRead {
    let eligibility = root.section("eligibility");
    let common = LimitsRead::of(eligibility.as_ref());
    if let Some(eligibility) = eligibility {
        eligibility.close();
    }
    let taxes = context.taxes.map(|taxes| taxes.get(&Line::CreditLife));
    let variants = root.sections("variant");
    if variants.is_empty() {
        root.fault("variant", "The product has no variant: at least one [[variant]] is needed.");
    }
    let mut answer = ProductRead { variant_ids: Some(Vec::new()), ..ProductRead::default() };
    for section in variants {
        let id = section.required("id", values::id::<kind::Variant>);
        if let (Some(id), Some(ids)) = (id, &mut answer.variant_ids) {
            ids.push(id);
        } else {
            answer.variant_ids = None;
        }
        let tax = taxes.flatten().cloned();
        let variant = read_variant(section, id, product, common, tax, context);
        answer.credit_variants.extend(variant);
    }
    answer
}

/// Reads one variant.
fn read_variant(
    section: Section<'_>,
    id: Option<VariantId>,
    product: Option<&Arc<Product>>,
    common: LimitsRead,
    tax: Option<Arc<DatedTax>>,
    context: &ProductContext<'_>,
) -> Option<CreditVariant> {
    if let Some(id) = id {
        context.ids.take(id, &section);
    }
    let name = section.required("name", values::text);
    let cover = read_cover(&section);
    let own = section.section("eligibility");
    let limits = LimitsRead::of(own.as_ref()).or(common).finish(&section);
    if let Some(own) = own {
        own.close();
    }
    let pricing = match section.section("price") {
        Some(price) => read_price(price, limits.as_ref(), tax, context.shelf).map(Some),
        None => price::judge_unpriced(&section, context).then_some(None),
    };
    section.close();
    Some(CreditVariant {
        id: id?,
        name: name?,
        cover: cover?,
        product: product?.clone(),
        limits: limits?,
        pricing: pricing?,
    })
}

/// Reads whether the cover stays or falls.
fn read_cover(section: &Section<'_>) -> Option<CoverKind> {
    let kind = section.required("cover", |value| values::word(value, &["level", "reducing"]))?;
    if kind == "level" {
        if section.has("interest_percent") {
            section.fault(
                "interest_percent",
                "`interest_percent` belongs to a reducing cover; this one is level.",
            );
        }
        return Some(CoverKind::Level);
    }
    let interest_percent =
        section.required("interest_percent", |value| values::percent(value, HIGHEST_INTEREST))?;
    Some(CoverKind::Reducing { interest_percent })
}

/// Reads a variant's `price` section. `tax` is `None` where the rows of tax have faults.
fn read_price(
    section: Section<'_>,
    limits: Option<&Limits>,
    tax: Option<Arc<DatedTax>>,
    shelf: &Shelf<'_>,
) -> Option<Pricing> {
    let method = Method::read(&section, limits, shelf);
    if method.is_none() {
        shelf.leave_open(section.file());
    }
    let basis = section.or("of", "cover", |value| values::word(value, &["cover", "loan"]));
    let taxation = price::read_taxation(&section, tax);
    let adjustments = price::read_adjustments(&section, &[]);
    let table = section.optional("table", values::text).unwrap_or_default();
    let table = Arc::from(beside(section.file(), &table));
    section.close();
    Some(Pricing {
        method: method?,
        basis: if basis == "loan" { Basis::Loan } else { Basis::Cover },
        table,
        adjustments: adjustments?,
        taxation: taxation?,
    })
}
