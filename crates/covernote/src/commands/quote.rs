//! `covernote quote`: quotes found by a partner's ids, prices explained step by step.

use domain::date::{day_of, in_words};
use domain::health_quote::HealthQuote;
use domain::identifier::{Identifier, IdentifierKind};
use domain::money::Premium;
use domain::person::PlatformId;
use domain::quote::NotPriced;
use serde_json::{Value, json};
use service::Error;
use service::quote::explanation::{ItemExplained, QuoteExplained};

use super::arguments::{read, read_id};
use super::price_steps::{steps_in_prose, steps_to_json};
use super::{on_service, quote_health};
use crate::cli::{Flags, Quote, QuoteVerb};
use crate::failure::{Failure, Result};
use crate::output;

pub(super) fn run(Quote { verb, flags }: Quote) -> Result<()> {
    match verb {
        QuoteVerb::Explain { id, json } => explain(&id, json, &flags),
        QuoteVerb::Find { lead_id, user_id, most, json } => {
            let (kind, named) = match (lead_id, user_id) {
                (Some(lead), _) => (IdentifierKind::Lead, lead),
                (None, Some(user)) => (IdentifierKind::User, user),
                (None, None) => return Err(Failure::BadData("give --lead-id or --user-id".into())),
            };
            find(kind, &named, most, json, &flags)
        }
    }
}

/// Explains a quote of either family.
fn explain(id: &str, as_json: bool, flags: &Flags) -> Result<()> {
    let id = read_id("a quote", id)?;
    on_service(flags, async |service| {
        let (agrees, repriced, json, prose) = match service.explanations.embedded_quote(id).await {
            Ok(explained) => {
                let agrees = explained.items.iter().all(ItemExplained::agrees);
                let repriced = explained.items.iter().filter(|item| item.explanation.is_some()).count();
                (agrees, repriced, to_json(&explained), in_prose(&explained))
            }
            Err(Error::Unknown { .. }) => {
                let explained = service.explanations.health_quote(id).await?;
                let (json, prose) = (quote_health::to_json(&explained), quote_health::in_prose(&explained));
                (explained.agrees(), explained.repriced(), json, prose)
            }
            Err(fault) => return Err(fault.into()),
        };
        if as_json {
            output::json(&json)
        } else {
            output::data(&prose)
        }
        if agrees {
            output::message(&match repriced {
                0 => "No item of this quote was priced here so far.".to_owned(),
                repriced => format!("Items priced again here: {repriced}. All prices agree to the paisa."),
            });
            Ok(())
        } else {
            Err(Failure::Failed(
                "pricing it again gives another result than the quote: see the items marked DIFFERS".into(),
            ))
        }
    })
}

/// Lists health quotes by the partner's id of a lead or an end user (D16).
fn find(kind: IdentifierKind, named: &str, most: usize, as_json: bool, flags: &Flags) -> Result<()> {
    let named: PlatformId = read(kind.word(), named)?;
    let by = Identifier::of(kind, named.reveal());
    on_service(flags, async |service| {
        let found = service.health_quotes.find_identified(None, &by, most).await?;
        if as_json {
            let quotes: Vec<Value> = found.iter().map(found_to_json).collect();
            output::json(&json!({ "quotes": quotes }));
        } else {
            let rows = found.iter().map(|quote| {
                vec![quote.id.to_string(), quote.partner.to_string(), quote.created_at.to_string()]
            });
            output::table(&["QUOTE", "PARTNER", "CREATED"], rows.collect());
        }
        if found.is_empty() {
            output::message("No health quote has this id.");
        }
        Ok(())
    })
}

fn found_to_json(quote: &HealthQuote) -> Value {
    json!({
        "quote_id": quote.id.to_string(),
        "partner_id": quote.partner.to_string(),
        "created_at": quote.created_at.to_string(),
    })
}

fn in_prose(explained: &QuoteExplained) -> String {
    let quote = &explained.quote;
    let on = day_of(quote.created_at);
    let mut text = format!(
        "Quote {}\ngiven on {} for a cover of {} over {} months, by catalogue {}\n",
        quote.id,
        in_words(on),
        quote.request.cover.amount().grouped(),
        quote.request.term.as_months(),
        quote.catalogue,
    );
    for item in &explained.items {
        text.push_str(&format!("\n{}, {}, {}\n", item.insurer, item.product, item.variant));
        match &item.explanation {
            Some(explanation) => text.push_str(&steps_in_prose(&explanation.steps)),
            None => text.push_str("  priced by the insurer itself\n"),
        }
        match &item.item.outcome {
            Ok(premium) => text.push_str(&format!(
                "  answered: {} and {} tax, together {}{}\n",
                premium.base().grouped(),
                premium.gst().grouped(),
                premium.total().grouped(),
                mark(item),
            )),
            Err(why) => text.push_str(&format!("  answered: no price. {why}{}\n", mark(item))),
        }
    }
    text.trim_end().to_owned()
}

fn mark(item: &ItemExplained) -> &'static str {
    if item.agrees() { "" } else { "  DIFFERS" }
}

/// A premium or the reason for none, as JSON.
pub(super) fn outcome_to_json(outcome: &Result<Premium, NotPriced>) -> Value {
    json!({
        "base_premium": outcome.as_ref().ok().map(|premium| premium.base().to_string()),
        "gst": outcome.as_ref().ok().map(|premium| premium.gst().to_string()),
        "total_premium": outcome.as_ref().ok().map(|premium| premium.total().to_string()),
        "error_message": outcome.as_ref().err().map(|why| why.to_string()),
    })
}

fn to_json(explained: &QuoteExplained) -> Value {
    let quote = &explained.quote;
    let item = |(place, item): (usize, &ItemExplained)| {
        let mut shown = outcome_to_json(&item.item.outcome);
        shown["recommendation_id"] = quote.recommendation_id(place).to_string().into();
        shown["insurer"] = item.insurer.clone().into();
        shown["product"] = item.product.clone().into();
        shown["variant"] = item.variant.clone().into();
        shown["variant_id"] = item.item.variant.to_string().into();
        shown["steps"] =
            item.explanation.as_ref().map(|explanation| steps_to_json(&explanation.steps)).into();
        shown["agrees"] = item.agrees().into();
        shown
    };
    json!({
        "quote_id": quote.id.to_string(),
        "partner_id": quote.partner.to_string(),
        "created_at": quote.created_at.to_string(),
        "cover_amount": quote.request.cover.amount().to_string(),
        "policy_term": quote.request.term.as_months(),
        "catalogue": quote.catalogue.to_string(),
        "items": explained.items.iter().enumerate().map(item).collect::<Vec<_>>(),
    })
}
