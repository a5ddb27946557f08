//! The offers of a quote, as the pages show them.

use domain::health_proposal::FamilyMember;
use domain::health_quote::{HealthOffer, TenurePrice};
use domain::id::VariantId;
use domain::money::Rupees;
use rating::{Consequence, Copay, HealthVariant, InsuredPerson, PreUnderwritingRule};
use rust_decimal::Decimal;
use service::quote::health::HealthQuoteShown;

use super::amount;
use super::words::Words;

/// An offer with the variant that makes it.
pub(crate) struct Offer<'q> {
    pub(crate) variant: &'q HealthVariant,
    pub(crate) offer: &'q HealthOffer,
    /// Its index in the work list.
    pub(crate) index: usize,
    pub(crate) is_recommended: bool,
    /// A rule of its product by which a person must look at an application first.
    pub(crate) refers: Option<&'q PreUnderwritingRule>,
}

/// The offers of a quote, judged for a family by the rules before underwriting.
pub(crate) struct Judged<'q> {
    /// Offers that the family can apply for. Once the quote is complete they are in order of rank and the first is
    /// recommended.
    pub(crate) offers: Vec<Offer<'q>>,
    /// Variants for which an application would be cancelled, each with the rule.
    pub(crate) ended: Vec<(&'q HealthVariant, &'q PreUnderwritingRule)>,
}

/// A fact with its name, as pages list it.
pub(crate) struct Fact {
    pub(crate) name: String,
    pub(crate) value: String,
}

/// What a fact of an offer is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FactKind {
    /// Sum insured in a year.
    SumInsured,
    /// What the customer pays first in a year.
    Deductible,
    /// When diseases are covered that exist before the policy.
    Waiting,
    /// The customer's share of every claim.
    Copay,
    /// The insurer's claim settlement ratio.
    ClaimsSettled,
    /// How many hospitals treat without payment in advance.
    Hospitals,
}

impl FactKind {
    /// Its name in a language.
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
    /// Judges all offers so far. The rules before underwriting need ages and illnesses alone, so nobody fills in a form for
    /// a plan that would be refused.
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

    /// The offer of a variant; `None` where the family cannot apply for one.
    pub(crate) fn find(
        shown: &'q HealthQuoteShown,
        family: &[FamilyMember],
        id: VariantId,
    ) -> Option<Offer<'q>> {
        Offer::judge(shown, family).offers.into_iter().find(|offer| offer.variant.id == id)
    }

    /// Why a person must look at an application first; empty where nobody must.
    pub(crate) fn referral(&self, words: &Words) -> String {
        self.refers.map_or("", |rule| reason_of(words, rule)).to_owned()
    }

    /// The shortest tenure's price, by which offers are compared.
    pub(crate) fn shortest(&self) -> Option<&'q TenurePrice> {
        self.offer.tenures.first()
    }

    /// The price of a tenure, in years.
    pub(crate) fn price(&self, years: u8) -> Option<&'q TenurePrice> {
        self.offer.tenures.iter().find(|price| price.years == years)
    }

    /// Insurer and variant: the name that people know it by.
    pub(crate) fn name(&self) -> String {
        name_of(self.variant)
    }

    /// Two letters in index of the insurer's logo, because pages load nothing from other sites.
    pub(crate) fn monogram(&self) -> String {
        let mut words = self.variant.insurer().name.split_whitespace().filter_map(|word| word.chars().next());
        words.by_ref().take(2).collect()
    }

    /// What the variant is, in the customer's language.
    pub(crate) fn description(&self, words: &Words) -> &'q str {
        self.variant.description.in_language(words.language)
    }

    /// Everything that people compare but the price, with the names of the facts.
    pub(crate) fn facts(&self, words: &Words, sum_insured: Rupees) -> Vec<Fact> {
        let facts = self.facts_by_kind(words, sum_insured).into_iter();
        facts.map(|(kind, value)| Fact { name: kind.name(words).to_owned(), value }).collect()
    }

    /// Everything that people compare but the price. A fact that the offer does not have is left out.
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

/// The premium of one year of a tenure.
pub(crate) fn yearly(price: &TenurePrice) -> Rupees {
    let yearly = price.premium.total().to_decimal().checked_div(Decimal::from(price.years));
    yearly.and_then(Rupees::nearest).unwrap_or_default()
}

/// Insurer and variant: the name that people know it by.
pub(crate) fn name_of(variant: &HealthVariant) -> String {
    format!("{} {}", plain_insurer(&variant.insurer().name), variant.name)
}

/// The reason of a rule, in the customer's language.
pub(crate) fn reason_of<'r>(words: &Words, rule: &'r PreUnderwritingRule) -> &'r str {
    rule.reason.in_language(words.language)
}

/// An insurer's name without the part in brackets at its end.
pub(crate) fn plain_insurer(name: &str) -> &str {
    name.split(" (").next().unwrap_or(name)
}
