//! Offers of a quote, as the journey's pages tell of them.

use std::borrow::Cow;

use domain::health_proposal::FamilyMember;
use domain::health_quote::{HealthOffer, TenurePrice};
use domain::id::VariantId;
use domain::money::Rupees;
use rating::{Consequence, Copay, HealthVariant, InsuredPerson, PreUnderwritingRule};
use rust_decimal::Decimal;
use service::health_quote::HealthQuoteShown;

use super::amount;
use super::words::Words;

/// An offer with the variant that makes it.
pub(crate) struct Offer<'q> {
    pub(crate) variant: &'q HealthVariant,
    pub(crate) offer: &'q HealthOffer,
    /// Its place in the work list.
    pub(crate) place: usize,
    pub(crate) is_recommended: bool,
    /// A rule of its product by which somebody must look at an application first.
    pub(crate) refers: Option<&'q PreUnderwritingRule>,
}

/// What is offered, and what the rules of its product would end for this family.
pub(crate) struct Judged<'q> {
    /// Best first once all is known, and then the first of them is recommended.
    pub(crate) offers: Vec<Offer<'q>>,
    /// Each with the rule.
    pub(crate) ended: Vec<(&'q HealthVariant, &'q PreUnderwritingRule)>,
}

/// A fact of an offer, as people compare it.
pub(crate) struct Fact {
    pub(crate) name: Cow<'static, str>,
    pub(crate) value: String,
}

impl<'q> Offer<'q> {
    /// Judges everything that insurers offer so far by the rules before underwriting. They are known as soon as illnesses
    /// are: nobody fills in a form for a plan that would be refused.
    pub(crate) fn judge(shown: &'q HealthQuoteShown, family: &[FamilyMember]) -> Judged<'q> {
        let illnesses: Vec<Vec<&str>> =
            family.iter().map(|one| one.illnesses.iter().map(String::as_str).collect()).collect();
        let people = family.iter().zip(&illnesses);
        let people: Vec<InsuredPerson<'_>> = people
            .map(|(one, illnesses)| InsuredPerson { age: one.member.age.completed_years(), illnesses })
            .collect();
        let mut judged = Judged { offers: Vec::new(), ended: Vec::new() };
        for (place, id, offer) in shown.quote.offers() {
            let Some(variant) = shown.catalogue.health_variant(id) else { continue };
            match variant.product.pre_underwriting(&people, shown.quote.request.sum_insured) {
                Some(rule) if rule.then == Consequence::Cancel => judged.ended.push((variant, rule)),
                refers => {
                    let is_recommended = shown.quote.ranking.is_some() && judged.offers.is_empty();
                    judged.offers.push(Offer { variant, offer, place, is_recommended, refers });
                }
            }
        }
        judged
    }

    /// The one of a variant.
    pub(crate) fn find(
        shown: &'q HealthQuoteShown,
        family: &[FamilyMember],
        id: VariantId,
    ) -> Option<Offer<'q>> {
        Offer::judge(shown, family).offers.into_iter().find(|offer| offer.variant.id == id)
    }

    /// Why somebody must look at an application first; empty where nobody must.
    pub(crate) fn referral(&self, words: Words) -> String {
        self.refers.map_or("", |rule| reason_of(words, rule)).to_owned()
    }

    /// The shortest tenure's price, by which offers are compared.
    pub(crate) fn shortest(&self) -> Option<&'q TenurePrice> {
        self.offer.tenures.first()
    }

    /// The price for so many years.
    pub(crate) fn price(&self, years: u8) -> Option<&'q TenurePrice> {
        self.offer.tenures.iter().find(|price| price.years == years)
    }

    /// Insurer and variant: the name that people know it by.
    pub(crate) fn name(&self) -> String {
        name_of(self.variant)
    }

    /// Two letters in place of the insurer's logo: pages load nothing from anybody else.
    pub(crate) fn monogram(&self) -> String {
        let mut words = self.variant.insurer().name.split_whitespace().filter_map(|word| word.chars().next());
        words.by_ref().take(2).collect()
    }

    /// What the variant is, in the customer's language.
    pub(crate) fn description(&self, words: Words) -> &'q str {
        words.of_catalogue(&self.variant.description)
    }

    /// Everything that people compare but the price.
    pub(crate) fn facts(&self, words: Words, sum_insured: Rupees) -> Vec<Fact> {
        let insurer = self.variant.insurer();
        let fact = |name: Cow<'static, str>, value: String| Fact { name, value };
        let mut facts = vec![fact(words.sum_insured(), amount::sum(words, sum_insured))];
        if self.offer.deductible > Rupees::ZERO {
            facts.push(fact(words.deductible(), amount::sum(words, self.offer.deductible)));
        }
        let waiting = match self.variant.waiting_months {
            0 => words.covered_at_once(),
            months => words.covered_after(months),
        };
        let copay = match (self.offer.copay_percent, self.variant.copay) {
            (0, Copay { percent, from_age: Some(age) }) if percent > 0 => words.copay_later(percent, age),
            (0, _) => words.no_copay(),
            (percent, _) => words.percent(percent),
        };
        facts.push(fact(words.waiting(), waiting.into_owned()));
        facts.push(fact(words.copay(), copay.into_owned()));
        if let Some(ratio) = insurer.claim_settlement_ratio {
            facts.push(fact(words.claims_settled(), words.percent(ratio.normalize()).into_owned()));
        }
        if let Some(hospitals) = insurer.network_hospitals {
            facts.push(fact(words.hospitals(), amount::count(hospitals)));
        }
        facts
    }
}

/// What a premium is for one of its years.
pub(crate) fn yearly(price: &TenurePrice) -> Rupees {
    let yearly = price.premium.total().to_decimal().checked_div(Decimal::from(price.years));
    yearly.and_then(Rupees::nearest).unwrap_or_default()
}

/// Insurer and variant: the name that people know it by.
pub(crate) fn name_of(variant: &HealthVariant) -> String {
    format!("{} {}", plain_insurer(&variant.insurer().name), variant.name)
}

/// Why a rule holds, in the customer's language.
pub(crate) fn reason_of(words: Words, rule: &PreUnderwritingRule) -> &str {
    words.of_catalogue(&rule.reason)
}

/// An insurer's name without what stands in brackets behind it.
pub(crate) fn plain_insurer(name: &str) -> &str {
    name.split(" (").next().unwrap_or(name)
}
