//! Offers of a quote, with what the pages show about them.

use domain::health_proposal::FamilyMember;
use domain::health_quote::{HealthOffer, TenurePrice};
use domain::id::VariantId;
use domain::money::Rupees;
use rating::{Consequence, Copay, HealthVariant, InsuredPerson, PreUnderwritingRule};
use rust_decimal::Decimal;
use service::quote::health::HealthQuoteShown;

use super::amount;
use super::words::Words;

/// An offer of a quote, with its variant.
pub(crate) struct Offer<'q> {
    pub(crate) variant: &'q HealthVariant,
    pub(crate) offer: &'q HealthOffer,
    /// Index of the variant among all variants of the quote.
    pub(crate) index: usize,
    pub(crate) is_recommended: bool,
    /// Pre-underwriting rule because of which a person checks the application first, if any.
    pub(crate) refers: Option<&'q PreUnderwritingRule>,
}

/// Offers of a quote, checked with the pre-underwriting rules for a family.
pub(crate) struct Judged<'q> {
    /// Offers for which the family can apply. In a complete quote, they are in order of rank, and the first
    /// is recommended.
    pub(crate) offers: Vec<Offer<'q>>,
    /// Variants for which the family cannot apply, each with the pre-underwriting rule that ends the
    /// application.
    pub(crate) ended: Vec<(&'q HealthVariant, &'q PreUnderwritingRule)>,
}

/// Name and value of a fact about an offer, for lists on pages.
pub(crate) struct Fact {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// Kind of a fact about an offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FactKind {
    /// Sum insured in a year.
    SumInsured,
    /// Amount that the customer pays first in a year.
    Deductible,
    /// Waiting period for pre-existing diseases.
    Waiting,
    /// Customer's share of each claim.
    Copay,
    /// The insurer's claim settlement ratio.
    ClaimsSettled,
    /// Number of hospitals with cashless treatment.
    Hospitals,
}

impl FactKind {
    pub(crate) const fn name(self, words: &Words) -> &'static str {
        match self {
            FactKind::SumInsured => words.offer.sum_insured,
            FactKind::Deductible => words.offer.deductible,
            FactKind::Waiting => words.offer.waiting,
            FactKind::Copay => words.offer.copay,
            FactKind::ClaimsSettled => words.offer.claims_settled,
            FactKind::Hospitals => words.offer.hospitals,
        }
    }
}

impl<'q> Offer<'q> {
    /// Checks all offers that the quote has so far. The pre-underwriting rules need only ages and illnesses.
    /// So nobody fills in a form for a plan that would be refused.
    pub(crate) fn judge(shown: &'q HealthQuoteShown, family: &[FamilyMember]) -> Judged<'q> {
        let illnesses: Vec<Vec<&str>> =
            family.iter().map(|one| one.illnesses.iter().map(String::as_str).collect()).collect();
        let people = family.iter().zip(&illnesses);
        let people: Vec<InsuredPerson<'_>> = people
            .map(|(one, illnesses)| InsuredPerson { age: one.member.age.completed_years(), illnesses })
            .collect();
        let mut judged = Judged { offers: Vec::new(), ended: Vec::new() };
        for (index, id, offer) in shown.quote.offers() {
            let Some(variant) = shown.catalogue.health_variant(id) else { continue };
            match variant.product.pre_underwriting(&people, shown.quote.request.sum_insured) {
                Some(rule) if rule.then == Consequence::Cancel => judged.ended.push((variant, rule)),
                refers => {
                    let is_recommended = shown.quote.ranking.is_some() && judged.offers.is_empty();
                    judged.offers.push(Offer { variant, offer, index, is_recommended, refers });
                }
            }
        }
        judged
    }

    /// Offer of the variant with this id. `None` if the family cannot apply for it.
    pub(crate) fn find(
        shown: &'q HealthQuoteShown,
        family: &[FamilyMember],
        id: VariantId,
    ) -> Option<Offer<'q>> {
        Offer::judge(shown, family).offers.into_iter().find(|offer| offer.variant.id == id)
    }

    /// Reason why a person checks the application first. Empty if no person must check it.
    pub(crate) fn referral(&self, words: &Words) -> String {
        self.refers.map_or("", |rule| reason_of(words, rule)).to_owned()
    }

    /// Price for the shortest tenure. Offers are compared by this price.
    pub(crate) fn shortest(&self) -> Option<&'q TenurePrice> {
        self.offer.tenures.first()
    }

    /// Price for a tenure, given in years.
    pub(crate) fn price(&self, years: u8) -> Option<&'q TenurePrice> {
        self.offer.tenures.iter().find(|price| price.years == years)
    }

    /// Name of the plan for customers: insurer and variant.
    pub(crate) fn name(&self) -> String {
        name_of(self.variant)
    }

    /// Two letters instead of the insurer's logo, because pages load nothing from other sites.
    pub(crate) fn monogram(&self) -> String {
        let mut words = self.variant.insurer().name.split_whitespace().filter_map(|word| word.chars().next());
        words.by_ref().take(2).collect()
    }

    /// Description of the variant, in the customer's language.
    pub(crate) fn description(&self, words: &Words) -> &'q str {
        self.variant.description.in_language(words.language)
    }

    /// All facts for the comparison, with their names. The price is not included.
    pub(crate) fn facts(&self, words: &Words, sum_insured: Rupees) -> Vec<Fact> {
        let facts = self.facts_by_kind(words, sum_insured).into_iter();
        facts.map(|(kind, value)| Fact { name: kind.name(words).to_owned(), value }).collect()
    }

    /// All facts for the comparison, by kind. The price and facts that the offer does not have are not
    /// included.
    pub(crate) fn facts_by_kind(&self, words: &Words, sum_insured: Rupees) -> Vec<(FactKind, String)> {
        let insurer = self.variant.insurer();
        let mut facts = vec![(FactKind::SumInsured, words.sum(sum_insured))];
        if self.offer.deductible > Rupees::ZERO {
            facts.push((FactKind::Deductible, words.sum(self.offer.deductible)));
        }
        let waiting = match self.variant.waiting_months {
            0 => words.offer.covered_at_once.to_owned(),
            months => (words.offer.covered_after)(months),
        };
        let copay = match (self.offer.copay_percent, self.variant.copay) {
            (0, Copay { percent, from_age: Some(age) }) if percent > 0 => {
                (words.offer.copay_later)(percent, age)
            }
            (0, _) => words.offer.no_copay.to_owned(),
            (percent, _) => (words.format.percent)(Decimal::from(percent)),
        };
        facts.push((FactKind::Waiting, waiting));
        facts.push((FactKind::Copay, copay));
        if let Some(ratio) = insurer.claim_settlement_ratio {
            facts.push((FactKind::ClaimsSettled, (words.format.percent)(ratio.normalize())));
        }
        if let Some(hospitals) = insurer.network_hospitals {
            facts.push((FactKind::Hospitals, amount::count(hospitals)));
        }
        facts
    }
}

/// Premium for one year, if the tenure has several years.
pub(crate) fn yearly(price: &TenurePrice) -> Rupees {
    let yearly = price.premium.total().to_decimal().checked_div(Decimal::from(price.years));
    yearly.and_then(Rupees::nearest).unwrap_or_default()
}

/// Name of the plan for customers: insurer and variant.
pub(crate) fn name_of(variant: &HealthVariant) -> String {
    format!("{} {}", plain_insurer(&variant.insurer().name), variant.name)
}

/// Reason that a pre-underwriting rule gives, in the customer's language.
pub(crate) fn reason_of<'r>(words: &Words, rule: &'r PreUnderwritingRule) -> &'r str {
    rule.reason.in_language(words.language)
}

/// Name of the insurer, without a part in brackets at the end.
pub(crate) fn plain_insurer(name: &str) -> &str {
    name.split(" (").next().unwrap_or(name)
}
