//! Parses the pricing of a second life: the keys `joint`, `joint_percent`.

use std::sync::Arc;

use rust_decimal::Decimal;

use crate::credit_limits::Limits;
use crate::joint_life::{Joint, JointKind};
use crate::parse::document::Section;
use crate::parse::values;

/// Parses both keys. `None` after a reported fault. `Some(None)`: the price has no joint life.
pub(crate) fn parse(price: &Section<'_>, limits: Option<&Limits>) -> Option<Option<Joint>> {
    let word = price.optional("joint", |value| values::word(value, &["elder", "both"]));
    let percent = price.optional("joint_percent", |value| values::percent(value, 100));
    let word_has_fault = word.is_none() && price.has("joint");
    if price.has("joint_percent") && word != Some("both") && !word_has_fault {
        price.report(
            "joint_percent",
            "`joint_percent` needs `joint = \"both\"`: it is a percentage of the sum of both rates.",
        );
        return None;
    }
    if !price.has("joint") {
        return Some(None);
    }
    let kind = match (word?, percent) {
        ("elder", _) => JointKind::Elder,
        (_, None) if price.has("joint_percent") => return None,
        (_, percent) => JointKind::Both(percent.unwrap_or(Decimal::ONE_HUNDRED)),
    };
    if let Some(members) = limits.map(|limits| limits.sale.members).filter(|members| *members != 2) {
        let message = format!("`joint` prices two people: `members` must be 2, not {members}.");
        price.report("joint", message);
        return None;
    }
    Some(Some(Joint { kind, file: Arc::from(price.file()), line: price.line_of("joint").unwrap_or(1) }))
}
