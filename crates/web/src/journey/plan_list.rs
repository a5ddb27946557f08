//! List of plans, which is shown again whenever new prices arrive.

use std::cmp::Reverse;

use askama::Template;
use askama::filters::HtmlSafe;
use domain::health_proposal::FamilyMember;
use domain::health_quote::{JobStatus, NotOffered, Outcome};
use domain::money::Rupees;
use domain::text::FromText;
use domain::vocabulary;
use service::quote::health::HealthQuoteShown;

use super::address::Parameter;
use super::amount;
use super::form::Form;
use super::offer::{Fact, FactKind, Judged, Offer, name_of, reason_of, yearly};
use super::words::Words;

vocabulary! {
    /// Order of the list of plans. The words are values of the query parameter `sort`.
    SortOrder, "one of best, price, wait, claims" {
        /// Best rank first.
        Best = "best",
        /// Lowest premium per year first.
        Price = "price",
        /// Shortest waiting period first.
        Wait = "wait",
        /// Highest claim settlement ratio first.
        Claims = "claims",
    }
}

impl SortOrder {
    pub(crate) const fn name(self, words: &Words) -> &'static str {
        match self {
            SortOrder::Best => words.plans.sort_best,
            SortOrder::Price => words.plans.sort_price,
            SortOrder::Wait => words.plans.sort_wait,
            SortOrder::Claims => words.plans.sort_claims,
        }
    }

    /// Sorts offers. Offers with equal values stay in order of rank.
    fn sort(self, offers: &mut [Offer<'_>]) {
        match self {
            SortOrder::Best => {}
            SortOrder::Price => offers.sort_by_key(|offer| offer.shortest().map(yearly)),
            SortOrder::Wait => offers.sort_by_key(|offer| offer.variant.waiting_months),
            SortOrder::Claims => {
                offers.sort_by_key(|offer| Reverse(offer.variant.insurer().claim_settlement_ratio));
            }
        }
    }
}

/// The list of plans, as a part of the page.
#[derive(Template)]
#[template(path = "journey/plan_list.html")]
pub(crate) struct PlanList {
    words: &'static Words,
    /// Number of variants of the quote that are complete.
    done: usize,
    /// Number of all variants of the quote.
    of: usize,
    pending: bool,
    /// Number of offers before filtering.
    offers: usize,
    cards: Vec<Card>,
    refused: Vec<Refused>,
    /// Whether some insurers did not answer in time. They may still answer later.
    some_failed: bool,
}

/// This is safe because the list's template escapes all texts.
impl HtmlSafe for PlanList {}

struct Card {
    id: String,
    name: String,
    variant: String,
    insurer: String,
    monogram: String,
    description: String,
    premium: String,
    /// Period that the premium pays for, as text.
    years: String,
    facts: Vec<Fact>,
    tags: Vec<String>,
    /// Why the plan is recommended. Empty if the plan is not recommended.
    reason: String,
    /// Why a person checks the application first. Empty if no person must check it.
    referral: String,
    is_compared: bool,
}

struct Refused {
    name: String,
    why: String,
}

impl PlanList {
    /// Offers that the quote has so far, filtered and sorted by the form's values.
    pub(crate) fn of(
        words: &'static Words,
        shown: &HealthQuoteShown,
        family: &[FamilyMember],
        form: &Form,
    ) -> PlanList {
        let Judged { mut offers, ended } = Offer::judge(shown, family);
        let count = offers.len();
        let wanted: Vec<&str> = form.values(Parameter::Tag.word()).filter(|tag| !tag.is_empty()).collect();
        offers
            .retain(|offer| wanted.iter().all(|tag| offer.variant.filter_tags.iter().any(|has| has == tag)));
        let order = SortOrder::from_text(form.value(Parameter::Sort.word()));
        order.unwrap_or(SortOrder::Best).sort(&mut offers);
        let sum_insured = shown.quote.request.sum_insured;
        let cards = offers.iter().filter_map(|offer| Card::of(words, shown, offer, sum_insured, form));
        let not_offered = shown.quote.variants().filter_map(|(id, outcome)| {
            let why = outcome?.as_ref().err()?;
            let variant = shown.catalogue.health_variant(id)?;
            Some(Refused { name: name_of(variant), why: (words.offer.not_offered)(why) })
        });
        let ended = ended.into_iter().map(|(variant, rule)| Refused {
            name: name_of(variant),
            why: reason_of(words, rule).to_owned(),
        });
        let failed = |outcome: Option<&Outcome>| {
            matches!(outcome, Some(Err(NotOffered::InsurerFailed | NotOffered::InsurerSlow)))
        };
        PlanList {
            some_failed: shown.quote.variants().any(|(_, outcome)| failed(outcome)),
            words,
            done: shown.quote.completed_variants(),
            of: shown.quote.total_variants(),
            pending: shown.quote.status() == JobStatus::Pending,
            offers: count,
            cards: cards.collect(),
            refused: not_offered.chain(ended).collect(),
        }
    }

    /// Whether the list has at least two plans, so that they can be compared.
    fn has_several(&self) -> bool {
        self.cards.len() > 1
    }

    /// Text about the number of complete variants.
    fn progress(&self) -> String {
        (self.words.plans.looked_at)(self.done, self.of)
    }

    /// Text about the number of offered plans.
    fn count(&self) -> String {
        (self.words.plans.offered)(self.offers, self.of)
    }

    /// Title above the plans that are not offered.
    fn refused_title(&self) -> String {
        (self.words.plans.not_offered_title)(self.refused.len())
    }
}

impl Card {
    fn of(
        words: &Words,
        shown: &HealthQuoteShown,
        offer: &Offer<'_>,
        sum_insured: Rupees,
        form: &Form,
    ) -> Option<Card> {
        let price = offer.shortest()?;
        let reason = if offer.is_recommended { shown.reason(offer.index) } else { None };
        let tag = |id: &String| {
            let known = shown.catalogue.filter_tags().iter().find(|tag| tag.id == *id)?;
            Some(known.name.in_language(words.language).to_owned())
        };
        // The sum insured is the same for all plans, and is shown above the list.
        let facts = offer.facts_by_kind(words, sum_insured).into_iter();
        let facts = facts.filter(|(kind, _)| *kind != FactKind::SumInsured);
        let id = offer.variant.id.to_string();
        Some(Card {
            name: offer.name(),
            insurer: offer.variant.insurer().name.clone(),
            variant: offer.variant.name.clone(),
            monogram: offer.monogram(),
            description: offer.description(words).to_owned(),
            premium: amount::total(price.premium),
            years: (words.format.years)(price.years),
            facts: facts.map(|(kind, value)| Fact { name: kind.name(words).to_owned(), value }).collect(),
            tags: offer.variant.filter_tags.iter().filter_map(tag).collect(),
            reason: reason.map_or_else(String::new, |reason| (words.offer.reason)(&reason)),
            referral: offer.referral(words),
            is_compared: form.is_checked(Parameter::Variant.word(), &id),
            id,
        })
    }
}
