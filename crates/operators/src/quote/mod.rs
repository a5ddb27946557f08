//! Explains the prices of quotes.
//!
//! Uses `act`.

pub(crate) mod price_steps;

use std::collections::BTreeMap;

use domain::date::Timestamp;
use domain::health_quote::TenurePrice;
use domain::id::QuoteId;
use domain::money::{Premium, Rupees};
use domain::quote::NotPriced;
use domain::ranking::Criterion;
use rating::Step;
use serde_json::{Value, json};
use service::Error;
use service::quote::explanation::{ItemExplained, QuoteExplained};
use service::quote::health_explanation::{HealthItemExplained, HealthQuoteExplained};

use crate::act::answer::Done;
use crate::act::input::input;
use crate::act::record::OfPartner;
use crate::act::shown::answer;
use crate::act::{About, Act, On, Result, Role, get};

input! {
    /// Price a quote again with its own catalogue version, and show every step
    struct ExplainQuote {
        /// Quote id, quo_…
        id: QuoteId,
    }
}

impl Act for ExplainQuote {
    const ABOUT: About = get(
        "quote.explain",
        "/quotes/{id}/explanation",
        &[Role::Read, Role::Support, Role::Underwriting, Role::Catalogue],
    );

    type Answer = Done<Explained>;

    async fn run(self, on: &On) -> Result<Self::Answer> {
        let (agrees, repriced, data) = match on.service.explanations.embedded_quote(self.id).await {
            Ok(explained) => {
                let agrees = explained.items.iter().all(ItemExplained::agrees);
                let repriced = explained.items.iter().filter(|item| item.explanation.is_some()).count();
                (agrees, repriced, Explained::embedded(on, &explained))
            }
            Err(Error::Unknown { .. }) => {
                let explained = on.service.explanations.health_quote(self.id).await?;
                (explained.agrees(), explained.repriced(), Explained::health(on, &explained))
            }
            Err(fault) => return Err(fault.into()),
        };
        if !agrees {
            let differs = "pricing the quote again gives a different result: see the items that do not agree";
            return Ok(Done::of(data).refusing(vec![differs.to_owned()]));
        }
        Ok(Done::of(data).saying(match repriced {
            0 => "This service has not priced an item of this quote yet.".to_owned(),
            repriced => format!("Items priced again here: {repriced}. All prices agree to the paisa."),
        }))
    }
}

answer! {
    /// A quote whose prices were calculated again
    struct Explained {
        /// Id of the quote
        quote_id: QuoteId,
        /// When it was made
        created_at: Timestamp,
        /// Status of a health quote
        status: Option<&'static str>,
        /// Amount to insure
        cover_amount: Option<Rupees>,
        /// Months of cover
        policy_term: Option<u32>,
        /// Plan of a health quote
        plan_type: Option<String>,
        /// Sum insured of a health quote
        sum_insured: Option<Rupees>,
        /// Catalogue of the quote
        catalogue: String,
        /// Weight of each criterion of the ranking
        weights: Option<BTreeMap<String, u32>>,
        /// Whether ranking the offers again gives the same order
        ranks_alike: Option<bool>,
        /// Number of plans that are finished, offered or not
        finished: Option<usize>,
        /// Items
        items: Vec<ExplainedItem>,
    } with {
        of: OfPartner,
    }
}

answer! {
    /// An item of a quote
    struct ExplainedItem {
        /// Id of the item
        recommendation_id: String,
        /// Insurer
        insurer: String,
        /// Product
        product: String,
        /// Variant
        variant: String,
        /// Id of the variant
        variant_id: String,
        /// Whether the answer is there
        finished: bool,
        /// Whether it is recommended
        recommended: bool,
        /// Why it has its place in the ranking
        reason: Option<String>,
        /// Score of the ranking, of 100
        score: Option<ScoreShown>,
        /// Deductible
        deductible: Option<Rupees>,
        /// Share of claims that the customer pays
        copay_percent: Option<u8>,
        /// Prices
        prices: Vec<PriceExplained>,
        /// Why there is no price
        error_message: Option<String>,
        /// Whether pricing it again gives the same result
        agrees: bool,
    }
}

answer! {
    /// A score of the ranking
    struct ScoreShown {
        /// Score, of 100
        total: String,
        /// Part of each criterion
        parts: BTreeMap<String, String>,
    }
}

answer! {
    /// A price with the steps of its calculation
    struct PriceExplained {
        /// Years of cover of a health plan
        years: Option<u32>,
        /// Premium without tax
        base_premium: Rupees,
        /// Tax
        gst: Rupees,
        /// Premium
        total_premium: Rupees,
        /// Steps; null: the insurer itself calculated the price
        steps: Option<Vec<StepShown>>,
    }
}

answer! {
    /// A step of a calculation
    struct StepShown {
        /// What is calculated
        #[shown(label = "step")]
        what: String,
        /// Factor or amount of the step
        factor: String,
        /// Amount after the step
        amount: String,
        /// File and line of the rule in the catalogue
        #[shown(label = "rule")]
        place: Option<String>,
    }
}

fn steps(all: &[Step]) -> Vec<StepShown> {
    let step = |step: &Step| StepShown {
        what: step.kind.to_string(),
        factor: step.factor.clone(),
        amount: step.exact_amount(),
        place: step.location.as_ref().map(ToString::to_string),
    };
    all.iter().map(step).collect()
}

impl PriceExplained {
    fn of(years: Option<u32>, premium: Premium, all: Option<&[Step]>) -> Self {
        PriceExplained {
            years,
            base_premium: premium.base(),
            gst: premium.gst(),
            total_premium: premium.total(),
            steps: all.map(steps),
        }
    }
}

impl Explained {
    fn embedded(on: &On, explained: &QuoteExplained) -> Self {
        let quote = &explained.quote;
        let item = |(place, item): (usize, &ItemExplained)| {
            let steps = item.explanation.as_ref().map(|explanation| &explanation.steps[..]);
            let price =
                item.item.outcome.as_ref().ok().map(|premium| PriceExplained::of(None, *premium, steps));
            ExplainedItem {
                recommendation_id: quote.recommendation_id(place).to_string(),
                insurer: item.insurer.clone(),
                product: item.product.clone(),
                variant: item.variant.clone(),
                variant_id: item.item.variant.to_string(),
                finished: true,
                recommended: false,
                reason: None,
                score: None,
                deductible: None,
                copay_percent: None,
                prices: price.into_iter().collect(),
                error_message: item.item.outcome.as_ref().err().map(ToString::to_string),
                agrees: item.agrees(),
            }
        };
        Explained {
            quote_id: quote.id,
            created_at: quote.created_at,
            status: None,
            cover_amount: Some(quote.request.cover.amount()),
            policy_term: Some(quote.request.term.as_months()),
            plan_type: None,
            sum_insured: None,
            catalogue: quote.catalogue.to_string(),
            weights: None,
            ranks_alike: None,
            finished: None,
            items: explained.items.iter().enumerate().map(item).collect(),
            of: OfPartner::of(on, quote.partner),
        }
    }

    fn health(on: &On, explained: &HealthQuoteExplained) -> Self {
        let quote = &explained.quote;
        let weight =
            |criterion: &Criterion| (criterion.word().to_owned(), explained.weights.weight(*criterion));
        Explained {
            quote_id: quote.id,
            created_at: quote.created_at,
            status: Some(quote.status().word()),
            cover_amount: None,
            policy_term: None,
            plan_type: Some(quote.request.plan.reported().to_owned()),
            sum_insured: Some(quote.request.sum_insured),
            catalogue: quote.catalogue.to_string(),
            weights: Some(Criterion::ALL.iter().map(weight).collect()),
            ranks_alike: Some(explained.ranks_alike),
            finished: Some(quote.completed_variants()),
            items: explained.items.iter().map(|item| health_item(explained, item)).collect(),
            of: OfPartner::of(on, quote.partner),
        }
    }
}

fn health_item(explained: &HealthQuoteExplained, item: &HealthItemExplained) -> ExplainedItem {
    let offer = item.outcome.as_ref().and_then(|outcome| outcome.as_ref().ok());
    let why = item.outcome.as_ref().and_then(|outcome| outcome.as_ref().err());
    let score = item.ranked.as_ref().map(|(score, _)| {
        let parts = Criterion::ALL.iter().zip(score.parts);
        ScoreShown {
            total: score.total.to_string(),
            parts: parts.map(|(criterion, part)| (criterion.word().to_owned(), part.to_string())).collect(),
        }
    });
    let price = |price: &TenurePrice| {
        let tenures = item.explanation.as_ref().map(|explanation| &explanation.tenures);
        let tenure = tenures.and_then(|tenures| tenures.iter().find(|tenure| tenure.years == price.years));
        PriceExplained::of(Some(price.years.into()), price.premium, tenure.map(|tenure| &tenure.steps[..]))
    };
    ExplainedItem {
        recommendation_id: explained.quote.item_id(item.index).to_string(),
        insurer: item.insurer.clone(),
        product: item.product.clone(),
        variant: item.variant.clone(),
        variant_id: item.id.to_string(),
        finished: item.outcome.is_some(),
        recommended: explained.quote.recommended().is_some_and(|(index, ..)| index == item.index),
        reason: item.ranked.as_ref().map(|(_, reason)| reason.to_string()),
        score,
        deductible: offer.map(|offer| offer.deductible),
        copay_percent: offer.map(|offer| offer.copay_percent),
        prices: offer.map(|offer| offer.tenures.iter().map(price).collect()).unwrap_or_default(),
        error_message: why.map(ToString::to_string),
        agrees: item.agrees(),
    }
}

/// A premium, or the reason why there is no price, as JSON.
pub fn outcome_to_json(outcome: &std::result::Result<Premium, NotPriced>) -> Value {
    json!({
        "base_premium": outcome.as_ref().ok().map(|premium| premium.base().to_string()),
        "gst": outcome.as_ref().ok().map(|premium| premium.gst().to_string()),
        "total_premium": outcome.as_ref().ok().map(|premium| premium.total().to_string()),
        "error_message": outcome.as_ref().err().map(|why| why.to_string()),
    })
}
