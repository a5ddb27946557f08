//! The output of `covernote quote explain` for health quotes, as prose or JSON.

use domain::date::{day_of, in_words};
use domain::health_quote::{HealthOffer, HealthRequest, TenurePrice};
use domain::money::Rupees;
use domain::ranking::Criterion;
use rating::TenureExplanation;
use serde_json::{Map, Value, json};
use service::quote::health_explanation::{HealthItemExplained, HealthQuoteExplained};

use crate::price_steps::{steps_in_prose, steps_to_json};

pub(crate) fn in_prose(explained: &HealthQuoteExplained) -> String {
    let quote = &explained.quote;
    let mut text = format!(
        "Health quote {}\nrequested on {} by partner {}, by catalogue {}\n{}\n",
        quote.id,
        in_words(day_of(quote.created_at)),
        quote.partner,
        quote.catalogue,
        asked_in_prose(&quote.request),
    );
    let (offered, others): (Vec<&HealthItemExplained>, Vec<&HealthItemExplained>) =
        explained.items.iter().partition(|item| matches!(item.outcome, Some(Ok(_))));
    text.push_str(&match quote.ranking {
        Some(_) => format!("{} of {} plans are offered.\n", offered.len(), explained.items.len()),
        None => format!(
            "The job still runs: {} of {} plans are finished.\n",
            quote.completed_variants(),
            quote.total_variants()
        ),
    });
    if quote.ranking.is_some() && !offered.is_empty() {
        text.push_str(&format!("Ranked by {}.\n", weights_in_prose(explained)));
    }
    for (rank, item) in offered.iter().enumerate() {
        text.push_str(&offer_in_prose(rank, item, quote.request.sum_insured));
    }
    let (refused, open): (Vec<&HealthItemExplained>, Vec<&HealthItemExplained>) =
        others.into_iter().partition(|item| item.outcome.is_some());
    for (head, items) in [("Not offered", refused), ("Not finished yet", open)] {
        if !items.is_empty() {
            text.push_str(&format!("\n{head}:\n"));
        }
        for item in items {
            let why = match &item.outcome {
                Some(Err(why)) => format!(": {why}"),
                _ => String::new(),
            };
            let mark = if item.agrees() { "" } else { "  DIFFERS" };
            text.push_str(&format!("  {}, {}, {}{why}{mark}\n", item.insurer, item.product, item.variant));
        }
    }
    text.trim_end().to_owned()
}

/// The quote's request in words, without names.
fn asked_in_prose(request: &HealthRequest) -> String {
    let person = |member: &domain::health_quote::Member| {
        let relation = match member.relation.word() {
            "self" => "the customer",
            other => other,
        };
        format!("{relation} ({})", member.age.as_decimal())
    };
    let family: Vec<String> = request.members.iter().map(person).collect();
    let deductible = match request.deductible {
        Some(deductible) => format!(" above a deductible of {}", deductible.grouped()),
        None => String::new(),
    };
    let illness = if request.has_ped { ", with pre-existing illness" } else { "" };
    format!("for {}: {}{deductible}{illness}", family.join(", "), request.sum_insured.grouped())
}

fn weights_in_prose(explained: &HealthQuoteExplained) -> String {
    let weight = |criterion: &Criterion| match explained.weights.weight(*criterion) {
        0 => None,
        weight => Some(format!("{} ({weight})", name_of(*criterion))),
    };
    Criterion::ALL.iter().filter_map(weight).collect::<Vec<_>>().join(", ")
}

/// Name of a ranking criterion, in words for customers.
const fn name_of(criterion: Criterion) -> &'static str {
    match criterion {
        Criterion::Price => "price for the cover",
        Criterion::ClaimRatio => "claims settled",
        Criterion::Network => "hospital network",
        Criterion::Waiting => "waiting period",
        Criterion::Copay => "share of claims",
    }
}

fn offer_in_prose(rank: usize, item: &HealthItemExplained, sum_insured: Rupees) -> String {
    let Some(Ok(offer)) = &item.outcome else { return String::new() };
    let recommended = if rank == 0 && item.ranked.is_some() { "  RECOMMENDED" } else { "" };
    let mut text =
        format!("\n{}. {}, {}, {}{recommended}\n", rank + 1, item.insurer, item.product, item.variant);
    if let Some((score, reason)) = &item.ranked {
        let parts: Vec<String> = Criterion::ALL
            .iter()
            .zip(score.parts)
            .map(|(criterion, part)| format!("{} {part:.2}", name_of(*criterion)))
            .collect();
        text.push_str(&format!("   {reason}\n   Score {:.2} of 100: {}\n", score.total, parts.join(", ")));
    }
    text.push_str(&format!("   {}\n", cover_in_prose(offer, sum_insured)));
    for price in &offer.tenures {
        text.push_str(&format!("   {}\n", price_in_prose(price)));
        let steps = item.explanation.as_ref().and_then(|explanation| steps_of(&explanation.tenures, price));
        match steps {
            Some(steps) => {
                steps_in_prose(&steps.steps)
                    .lines()
                    .for_each(|line| text.push_str(&format!("     {line}\n")));
            }
            None => text.push_str("       priced by the insurer itself\n"),
        }
    }
    if !item.agrees() {
        text.push_str("   DIFFERS from the result of pricing it again\n");
    }
    text
}

fn cover_in_prose(offer: &HealthOffer, sum_insured: Rupees) -> String {
    let deductible = match offer.deductible {
        Rupees::ZERO => "from the first rupee".to_owned(),
        deductible => format!("above {} in a year", deductible.grouped()),
    };
    let copay = match offer.copay_percent {
        0 => "the customer pays no share of claims".to_owned(),
        percent => format!("the customer pays {percent} % of every claim"),
    };
    format!("Covers {} {deductible}; {copay}", sum_insured.grouped())
}

fn price_in_prose(price: &TenurePrice) -> String {
    let years = if price.years == 1 { "1 year".to_owned() } else { format!("{} years", price.years) };
    let premium = price.premium;
    let tax = match premium.gst() {
        Rupees::ZERO => "no tax".to_owned(),
        gst => format!("{} and {} tax", premium.base().grouped(), gst.grouped()),
    };
    format!("{years}: {} in all, {tax}", premium.total().grouped())
}

fn steps_of<'e>(tenures: &'e [TenureExplanation], price: &TenurePrice) -> Option<&'e TenureExplanation> {
    tenures.iter().find(|tenure| tenure.years == price.years)
}

pub(crate) fn to_json(explained: &HealthQuoteExplained) -> Value {
    let quote = &explained.quote;
    let weights: Map<String, Value> = Criterion::ALL
        .iter()
        .map(|criterion| (criterion.word().to_owned(), explained.weights.weight(*criterion).into()))
        .collect();
    json!({
        "quote_id": quote.id.to_string(),
        "partner_id": quote.partner.to_string(),
        "created_at": quote.created_at.to_string(),
        "status": quote.status().word(),
        "plan_type": quote.request.plan.reported(),
        "sum_insured": quote.request.sum_insured.to_string(),
        "catalogue": quote.catalogue.to_string(),
        "weights": weights,
        "ranks_alike": explained.ranks_alike,
        "items": explained.items.iter().map(|item| item_to_json(explained, item)).collect::<Vec<_>>(),
    })
}

fn item_to_json(explained: &HealthQuoteExplained, item: &HealthItemExplained) -> Value {
    let offer = item.outcome.as_ref().and_then(|outcome| outcome.as_ref().ok());
    let why = item.outcome.as_ref().and_then(|outcome| outcome.as_ref().err());
    let score = item.ranked.as_ref().map(|(score, _)| {
        let parts = Criterion::ALL.iter().zip(score.parts);
        let parts: Map<String, Value> =
            parts.map(|(criterion, part)| (criterion.word().to_owned(), part.to_string().into())).collect();
        json!({ "total": score.total.to_string(), "parts": parts })
    });
    let recommended = explained.quote.recommended().is_some_and(|(index, ..)| index == item.index);
    json!({
        "recommendation_id": explained.quote.item_id(item.index).to_string(),
        "insurer": item.insurer,
        "product": item.product,
        "variant": item.variant,
        "variant_id": item.id.to_string(),
        "finished": item.outcome.is_some(),
        "recommended": recommended,
        "reason": item.ranked.as_ref().map(|(_, reason)| reason.to_string()),
        "score": score,
        "deductible": offer.map(|offer| offer.deductible.to_string()),
        "copay_percent": offer.map(|offer| offer.copay_percent),
        "tenures": offer.map(|offer| tenures_to_json(offer, item)),
        "error_message": why.map(ToString::to_string),
        "agrees": item.agrees(),
    })
}

fn tenures_to_json(offer: &HealthOffer, item: &HealthItemExplained) -> Vec<Value> {
    let tenure = |price: &TenurePrice| {
        let steps = item.explanation.as_ref().and_then(|explanation| steps_of(&explanation.tenures, price));
        json!({
            "years": price.years,
            "base_premium": price.premium.base().to_string(),
            "gst": price.premium.gst().to_string(),
            "total_premium": price.premium.total().to_string(),
            "steps": steps.map(|steps| steps_to_json(&steps.steps)),
        })
    };
    offer.tenures.iter().map(tenure).collect()
}
