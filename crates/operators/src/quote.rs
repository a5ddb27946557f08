//! Actions that find quotes and explain their prices.

use clap::Args;
use domain::date::{day_of, in_words};
use domain::health_quote::HealthQuote;
use domain::identifier::{Identifier, IdentifierKind};
use domain::money::Premium;
use domain::person::PlatformId;
use domain::quote::NotPriced;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::Error;
use service::quote::explanation::{ItemExplained, QuoteExplained};
use utoipa::ToSchema;

use crate::act::{About, Act, On, Result, Role, get, post, verbs};
use crate::answer::Answer;
use crate::arguments::{only_one, read, read_id};
use crate::price_steps::{steps_in_prose, steps_to_json};
use crate::quote_health;
use crate::record::{minute, partner_name};

verbs! {
    /// Verbs of `covernote quote`
    QuoteVerb {
        Find(FindQuotes),
        Explain(ExplainQuote),
    }
}

/// Find health quotes by the partner's id of a lead or an end user
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FindQuotes {
    /// The lead_id in the partner's quote request
    #[arg(long, value_name = "ID", required_unless_present = "user_id", conflicts_with = "user_id")]
    lead_id: Option<String>,
    /// The user_id in the partner's quote request
    #[arg(long, value_name = "ID")]
    user_id: Option<String>,
    /// Most quotes to show
    #[arg(long, value_name = "N", default_value_t = 50)]
    #[serde(default = "crate::arguments::fifty")]
    most: usize,
}

impl Act for FindQuotes {
    const ABOUT: About = post(
        "quote.find",
        "/quotes/search",
        &[Role::Read, Role::Support, Role::Underwriting, Role::Catalogue],
    );

    async fn run(self, on: &On) -> Result<Answer> {
        let (kind, named) = only_one([
            ("lead_id", IdentifierKind::Lead, &self.lead_id),
            ("user_id", IdentifierKind::User, &self.user_id),
        ])?;
        let named: PlatformId = read(kind.word(), named)?;
        let by = Identifier::of(kind, named.reveal());
        let found = on.service.health_quotes.find_identified(None, &by, self.most).await?;
        let rows = found.iter().map(|quote| {
            vec![quote.id.to_string(), partner_name(on, quote.partner), minute(quote.created_at)]
        });
        let quotes: Vec<Value> = found.iter().map(found_to_json).collect();
        let answer = Answer::of(json!({ "quotes": quotes })).table(&["QUOTE", "PARTNER", "CREATED"], rows);
        Ok(if found.is_empty() { answer.saying("No health quote has this id.") } else { answer })
    }
}

/// Price a quote again with its own catalogue version, and show every step
#[derive(Debug, Args, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainQuote {
    /// Quote id, quo_…
    id: String,
}

impl Act for ExplainQuote {
    const ABOUT: About = get(
        "quote.explain",
        "/quotes/{id}/explanation",
        &[Role::Read, Role::Support, Role::Underwriting, Role::Catalogue],
    );

    async fn run(self, on: &On) -> Result<Answer> {
        let id = read_id("a quote", &self.id)?;
        let (agrees, repriced, json, prose) = match on.service.explanations.embedded_quote(id).await {
            Ok(explained) => {
                let agrees = explained.items.iter().all(ItemExplained::agrees);
                let repriced = explained.items.iter().filter(|item| item.explanation.is_some()).count();
                (agrees, repriced, to_json(&explained), in_prose(&explained))
            }
            Err(Error::Unknown { .. }) => {
                let explained = on.service.explanations.health_quote(read_id("a quote", &self.id)?).await?;
                let (json, prose) = (quote_health::to_json(&explained), quote_health::in_prose(&explained));
                (explained.agrees(), explained.repriced(), json, prose)
            }
            Err(fault) => return Err(fault.into()),
        };
        let mut answer = Answer::of(json);
        answer.data(prose);
        if !agrees {
            let differs = "pricing the quote again gives a different result: see the items marked DIFFERS";
            return Ok(answer.refusing(vec![differs.to_owned()]));
        }
        Ok(answer.saying(match repriced {
            0 => "This service has not priced an item of this quote yet.".to_owned(),
            repriced => format!("Items priced again here: {repriced}. All prices agree to the paisa."),
        }))
    }
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

/// A premium, or the reason why there is no price, as JSON.
pub fn outcome_to_json(outcome: &std::result::Result<Premium, NotPriced>) -> Value {
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
