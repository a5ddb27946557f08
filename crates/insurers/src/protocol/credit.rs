//! Prices of credit-life variants: `POST /v1/credit/prices`.

use domain::date::{BirthDate, Date};
use domain::id::VariantId;
use domain::money::{CoverAmount, Premium};
use domain::person::Gender;
use domain::quote::{NotPriced, PolicyTerm, QuoteRequest};
use domain::text::FromText;
use serde::{Deserialize, Serialize};
use service::insurer::CreditAsk;

use super::prices::{Outcome, Price};
use super::sentence::refusal;
use super::{Entry, amount, context, day, entries, variants};

#[derive(Serialize, Deserialize)]
pub(crate) struct CreditPricesAsked {
    on: String,
    date_of_birth: String,
    gender: String,
    cover_amount: String,
    policy_term: u32,
    context_data: Vec<Entry>,
    variants: Vec<String>,
}

impl CreditPricesAsked {
    /// Builds the request for prices.
    pub(crate) fn of(CreditAsk { request, variants, starts }: CreditAsk<'_>) -> Self {
        CreditPricesAsked {
            on: starts.to_string(),
            date_of_birth: request.born.reveal().to_string(),
            gender: request.gender.word().into(),
            cover_amount: request.cover.amount().to_string(),
            policy_term: request.term.as_months(),
            context_data: entries(&request.context),
            variants: variants.iter().map(ToString::to_string).collect(),
        }
    }

    /// Parses a request for prices, as an insurer's server does.
    ///
    /// # Errors
    /// The first fault of the request, as a sentence.
    pub(crate) fn read(self) -> Result<(QuoteRequest, Vec<VariantId>, Date), String> {
        let on = day("on", &self.on)?;
        let born = day("date_of_birth", &self.date_of_birth)?;
        let request = QuoteRequest {
            born: BirthDate::before(born, on).map_err(|came| format!("date_of_birth is {came}"))?,
            gender: Gender::from_text(&self.gender)
                .map_err(|_| format!("gender must be {}", Gender::WANTED))?,
            cover: CoverAmount::from_text(&self.cover_amount)
                .map_err(|came| format!("cover_amount is {came}"))?,
            term: PolicyTerm::months(self.policy_term).ok_or("policy_term is zero")?,
            context: context(self.context_data),
        };
        Ok((request, variants(&self.variants)?, on))
    }
}

/// Price or refusal of one variant.
#[derive(Serialize, Deserialize)]
pub(crate) struct CreditPrice {
    variant_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    base_premium: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gst: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    total_premium: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

impl CreditPrice {
    /// Builds the price of a variant, as an insurer's server does.
    pub(crate) fn of(variant: VariantId, outcome: &Result<Premium, NotPriced>) -> Self {
        let premium = outcome.as_ref().ok();
        CreditPrice {
            variant_id: variant.to_string(),
            base_premium: premium.map(|premium| premium.base().to_string()),
            gst: premium.map(|premium| premium.gst().to_string()),
            total_premium: premium.map(|premium| premium.total().to_string()),
            refused: outcome.as_ref().err().map(ToString::to_string),
        }
    }
}

impl Price for CreditPrice {
    type Offer = Premium;
    type Refusal = NotPriced;

    fn variant_id(&self) -> &str {
        &self.variant_id
    }

    fn outcome(self) -> Result<Outcome<Self>, &'static str> {
        match (self.refused, self.base_premium, self.gst, self.total_premium) {
            (Some(why), None, None, None) => Ok(Err(NotPriced::InsurerRefused(refusal(&why)))),
            (None, Some(base), Some(gst), Some(total)) => amount::premium(&base, &gst, &total).map(Ok),
            (Some(_), ..) => Err("there are amounts together with a refusal"),
            (None, ..) => Err("the amounts are incomplete, and there is no refusal"),
        }
    }
}
