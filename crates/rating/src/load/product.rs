//! Parses a product's file, for any line of business.

use std::sync::Arc;

use domain::id::kind;
use domain::language::Text;
use domain::proposal::Decision;
use domain::text::FromText;

use super::benefits;
use super::credit_life;
use super::health;
use super::parsed_product::ParsedProduct;
use super::pre_underwriting;
use super::premium_terms;
use super::product_context::ProductContext;
use crate::parse::document::{Document, Section};
use crate::parse::texts;
use crate::parse::values;
use crate::product::{MasterPolicy, Papers, Product};
use crate::tax_class::{SoldTo, TaxClass};
use domain::line::LineOfBusiness;

/// Default number of days in which a customer can return a new policy (free look).
const FREE_LOOK_DAYS: u16 = 30;

pub(crate) fn parse(path: &str, context: &ProductContext<'_>) -> ParsedProduct {
    let sources = context.sources;
    let document = sources.read(path).and_then(|content| Document::parse(path, content, sources.faults));
    let Some(document) = document else {
        sources.allow_unused_beside(path);
        return ParsedProduct::default();
    };
    let section = document.root(sources.faults);
    let line = section.required("line", |value| values::word(value, LineOfBusiness::WORDS));
    let line = line.and_then(|line| LineOfBusiness::from_text(line).ok());
    let product = parse_product(&section, line, context).map(Arc::new);
    let mut parsed = match line {
        Some(LineOfBusiness::CreditLife) => credit_life::parse(&section, product.as_ref(), context),
        Some(LineOfBusiness::Health) => health::parse(&section, product.as_ref(), context),
        // The keys of an unknown line of business are unknown. One fault suffices.
        None => {
            sources.allow_unused_beside(path);
            return ParsedProduct::default();
        }
    };
    section.close();
    parsed.line = line;
    parsed.product = product;
    parsed
}

/// Parses the keys that every product has.
fn parse_product(
    section: &Section<'_>,
    line: Option<LineOfBusiness>,
    context: &ProductContext<'_>,
) -> Option<Product> {
    let id = section.required("id", values::id::<kind::Product>);
    if let Some(id) = id {
        context.ids.claim(id, section);
    }
    let name = section.required("name", values::text);
    let uin = section.required("uin", values::text);
    let master_policy = match line {
        Some(LineOfBusiness::CreditLife) => parse_master_policy(section).map(Some),
        // Health with a master policy is sold to a group, otherwise to families.
        Some(LineOfBusiness::Health) if names_master_policy(section) => {
            parse_master_policy(section).map(Some)
        }
        Some(LineOfBusiness::Health) => Some(None),
        None => None,
    };
    let sold_to = master_policy.as_ref().map(|master| match master {
        Some(_) => SoldTo::Group,
        None => SoldTo::Individual,
    });
    let class = line.zip(sold_to).map(|(line, sold_to)| TaxClass::new(line, sold_to));
    let premium = line.and_then(|_| premium_terms::parse(section, master_policy.as_ref()));
    let policy_number_prefix = section.required("policy_number_prefix", values::number_prefix);
    let decision =
        section.or("decision", Decision::Partner.word(), |value| values::word(value, Decision::WORDS));
    let free_look_days = section
        .or("free_look_days", FREE_LOOK_DAYS, |value| values::whole(value, 1, 90).map(|days| days as u16));
    let is_health = line == Some(LineOfBusiness::Health);
    let (settlement, exclusions) =
        if is_health { parse_health_texts(section) } else { parse_english_texts(section) };
    let settlement_paid = section.optional("settlement_paid", values::text);
    let covers = if is_health { texts::sentences(section, "covers") } else { Vec::new() };
    let stamp_duty = section.optional("stamp_duty", values::text);
    let claims = class.and_then(|class| context.claims.of(class));
    let benefits = benefits::parse(section, line, claims.as_deref());
    let papers = Papers {
        policy_wording: section.optional("policy_wording", values::address),
        brochure: section.optional("brochure", values::address),
        customer_information_sheet: section.optional("customer_information_sheet", values::address),
    };
    let pre_underwriting =
        if is_health { pre_underwriting::parse(section, context.health_lists) } else { Vec::new() };
    Some(Product {
        id: id?,
        name: name?,
        line: line?,
        uin: uin?,
        insurer: context.insurer.clone()?,
        master_policy: master_policy?,
        policy_number_prefix: policy_number_prefix?,
        decision: Decision::from_text(decision).ok()?,
        pay_within_days: premium.as_ref()?.1,
        premium: premium?.0,
        cancellation: class.and_then(|class| context.cancellation.of(class)),
        claims,
        benefits,
        endorsements: class.and_then(|class| context.endorsements.of(class)),
        renewals: class.and_then(|class| context.renewals.of(class)),
        settlement: settlement?,
        settlement_paid,
        free_look_days,
        stamp_duty,
        exclusions,
        covers,
        pre_underwriting,
        papers,
    })
}

/// Parses settlement and exclusions in all languages, because customers of health read them on the hosted
/// pages.
fn parse_health_texts(section: &Section<'_>) -> (Option<Text>, Option<Text>) {
    (texts::required(section, "settlement"), texts::optional(section, "exclusions"))
}

/// Parses settlement and exclusions in English only, because those of credit life are only printed on
/// certificates.
fn parse_english_texts(section: &Section<'_>) -> (Option<Text>, Option<Text>) {
    let english = |text: String| Text::new(text, []);
    let settlement = section.required("settlement", values::text).map(english);
    (settlement, section.optional("exclusions", values::text).map(english))
}

/// Whether the product's file has one of the keys of a master policy.
fn names_master_policy(section: &Section<'_>) -> bool {
    let (number, holder) = (section.has("master_policy_number"), section.has("master_policy_holder"));
    number || holder
}

/// Parses the number and the holder of a group's master policy.
fn parse_master_policy(section: &Section<'_>) -> Option<MasterPolicy> {
    let number = section.required("master_policy_number", values::text);
    let holder = section.required("master_policy_holder", values::text);
    Some(MasterPolicy { number: number?, holder: holder? })
}
