//! Reading a product's file: what every line of business says of a product.

use std::sync::Arc;

use domain::id::kind;
use domain::language::Text;
use domain::proposal::Decision;
use domain::text::FromText;

use super::credit_life;
use super::health;
use super::parsed_product::ProductRead;
use super::pre_underwriting;
use super::product_context::ProductContext;
use crate::line_of_business::Line;
use crate::parse::document::{Document, Section};
use crate::parse::texts;
use crate::parse::values;
use crate::product::{MasterPolicy, Product};

/// Days of free look where the product does not say.
const FREE_LOOK_DAYS: u16 = 30;

/// Reads a product's file.
pub(crate) fn read(path: &str, context: &ProductContext<'_>) -> ProductRead {
    let shelf = context.shelf;
    let document = shelf.take(path).and_then(|content| Document::parse(path, content, shelf.faults));
    let Some(document) = document else {
        shelf.leave_open(path);
        return ProductRead::default();
    };
    let section = document.root(shelf.faults);
    let line = section.required("line", |value| values::word(value, Line::WORDS));
    let line = line.and_then(|line| Line::from_text(line).ok());
    let product = read_product(&section, line, context).map(Arc::new);
    let mut answer = match line {
        Some(Line::CreditLife) => credit_life::read(&section, product.as_ref(), context),
        Some(Line::Health) => health::read(&section, product.as_ref(), context),
        // What a product of an unknown line may say is unknown too: one fault tells enough.
        None => {
            shelf.leave_open(path);
            return ProductRead::default();
        }
    };
    section.close();
    answer.line = line;
    answer.product = product;
    answer
}

/// Reads the keys that every product has.
fn read_product(section: &Section<'_>, line: Option<Line>, context: &ProductContext<'_>) -> Option<Product> {
    let id = section.required("id", values::id::<kind::Product>);
    if let Some(id) = id {
        context.ids.take(id, section);
    }
    let name = section.required("name", values::text);
    let uin = section.required("uin", values::text);
    let master_policy = match line {
        Some(Line::CreditLife) => read_master_policy(section).map(Some),
        Some(Line::Health) => Some(None),
        None => None,
    };
    let policy_number_prefix = section.required("policy_number_prefix", values::number_prefix);
    let decision =
        section.or("decision", Decision::Partner.word(), |value| values::word(value, Decision::WORDS));
    let free_look_days = section
        .or("free_look_days", FREE_LOOK_DAYS, |value| values::whole(value, 1, 90).map(|days| days as u16));
    let is_health = line == Some(Line::Health);
    let (settlement, exclusions) =
        if is_health { read_health_texts(section) } else { read_english_texts(section) };
    let covers = if is_health { texts::sentences(section, "covers") } else { Vec::new() };
    let pre_underwriting =
        if is_health { pre_underwriting::read(section, context.vocabulary) } else { Vec::new() };
    Some(Product {
        id: id?,
        name: name?,
        line: line?,
        uin: uin?,
        insurer: context.insurer.clone()?,
        master_policy: master_policy?,
        policy_number_prefix: policy_number_prefix?,
        decision: Decision::from_text(decision).ok()?,
        settlement: settlement?,
        free_look_days,
        exclusions,
        covers,
        pre_underwriting,
    })
}

/// Reads settlement and exclusions in every language: customers read those of health on the hosted pages.
fn read_health_texts(section: &Section<'_>) -> (Option<Text>, Option<Text>) {
    (texts::required(section, "settlement"), texts::optional(section, "exclusions"))
}

/// Reads settlement and exclusions in English alone: those of credit life are only printed on certificates.
fn read_english_texts(section: &Section<'_>) -> (Option<Text>, Option<Text>) {
    let english = |text: String| Text::new(text, []);
    let settlement = section.required("settlement", values::text).map(english);
    (settlement, section.optional("exclusions", values::text).map(english))
}

/// Reads the policy of the group that certificates belong to.
fn read_master_policy(section: &Section<'_>) -> Option<MasterPolicy> {
    let number = section.required("master_policy_number", values::text);
    let holder = section.required("master_policy_holder", values::text);
    Some(MasterPolicy { number: number?, holder: holder? })
}
