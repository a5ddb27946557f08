//! Offers of a quote, as the journey's pages tell of them.

use std::borrow::Cow;

use domain::health_quote::{HealthOffer, TenurePrice};
use domain::id::VariantId;
use domain::money::Rupees;
use rating::HealthVariant;
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
}

/// A fact of an offer, as people compare it.
pub(crate) struct Fact {
    pub(crate) name: Cow<'static, str>,
    pub(crate) value: String,
}

impl<'q> Offer<'q> {
    /// Everything that is offered so far: best first once all is known.
    pub(crate) fn all(shown: &'q HealthQuoteShown) -> Vec<Offer<'q>> {
        let recommended = shown.quote.recommended().map(|(place, ..)| place);
        let of = |(place, id, offer): (usize, VariantId, &'q HealthOffer)| {
            let variant = shown.catalogue.health_variant(id)?;
            Some(Offer { variant, offer, place, is_recommended: recommended == Some(place) })
        };
        shown.quote.offers().into_iter().filter_map(of).collect()
    }

    /// The one of a variant.
    pub(crate) fn find(shown: &'q HealthQuoteShown, id: VariantId) -> Option<Offer<'q>> {
        Offer::all(shown).into_iter().find(|offer| offer.variant.id == id)
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
        format!("{} {}", plain_insurer(&self.variant.insurer().name), self.variant.name)
    }

    /// Two letters in place of the insurer's logo: pages load nothing from anybody else.
    pub(crate) fn monogram(&self) -> String {
        let mut words = self.variant.insurer().name.split_whitespace().filter_map(|word| word.chars().next());
        words.by_ref().take(2).collect()
    }

    /// What the variant is, in the customer's language.
    pub(crate) fn description(&self, words: Words) -> &'q str {
        words.of_catalogue(&self.variant.description, self.variant.description_hi.as_deref())
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
        let copay = match self.offer.copay_percent {
            0 => words.no_copay(),
            percent => words.percent(percent),
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

/// An insurer's name without what stands in brackets behind it.
pub(crate) fn plain_insurer(name: &str) -> &str {
    name.split(" (").next().unwrap_or(name)
}
