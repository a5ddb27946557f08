//! Facts about a proposal that both lines of business show in the same way.

use domain::date::{BirthDate, Date, in_words};
use domain::money::Premium;
use rating::{Product, Step};

use crate::line::person::Facts;

/// Facts about a product, with who decides its proposals.
pub(super) fn product(product: &Product, variant: &str) -> Facts {
    Facts::default()
        .text("insurer", &product.insurer.name)
        .text("product", &product.name)
        .text("variant", variant)
        .text("uin", &product.uin)
        .optional("master_policy", product.master_policy.as_ref().map(|master| &master.number))
        .text("decided_by", product.decision)
        .text("settlement", product.settlement.english())
}

/// Agreed premium, with the steps of its calculation by the catalogue's rates. `steps` is `None` if the
/// insurer set the price itself.
pub(super) fn price(premium: Premium, steps: Option<&[Step]>) -> Facts {
    let facts = Facts::default()
        .text("base_premium", premium.base())
        .text("gst", premium.gst())
        .text("total_premium", premium.total());
    let step = |step: &Step| {
        let factor = Some(&step.factor).filter(|factor| !factor.is_empty());
        let facts = Facts::default().text("what", &step.kind).optional("factor", factor);
        facts.text("amount", step.amount.normalize()).optional("place", step.location.as_ref())
    };
    match steps {
        Some(steps) => facts.list("steps", steps.iter().map(step)),
        None => facts.text("priced_by", "the insurer"),
    }
}

/// Adds a date of birth, with the age on a day.
pub(super) fn born(facts: Facts, born: BirthDate, on: Date) -> Facts {
    let (day, age) = (born.reveal(), born.age_on(on));
    facts.text("date_of_birth", day).text("age", format!("{age} on {}", in_words(on)))
}
