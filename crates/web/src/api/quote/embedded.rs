//! `POST /v1/embedded/quote`: prices credit protection from several insurers (interface §4; D21 to D23).

use std::io::Write;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::access::Scope;
use domain::date::Date;
use domain::money::CoverAmount;
use domain::person::Gender;
use domain::quote::{EmbeddedQuote, NotPriced, PolicyTerm, QuoteRequest};
use rating::Catalogue;
use serde::Serialize;
use service::catalogue::CreditVariant;
use utoipa::ToSchema;

use crate::api::common::context::ContextDraft;
use crate::api::common::endpoint::{ANY_DAY, Access, Endpoint, Gives, Takes, Verb, answered_by};
use crate::api::common::example;
use crate::app::App;
use crate::body::Body;
use crate::caller::{Caller, QuoteWrite};
use crate::context::RequestContext;
use crate::error::Result;
use crate::idempotency::{IdempotencyKey, Lookup};
use crate::reader::Fields;
use crate::response::{Payload, respond, to_keep_with};
use crate::shape::{WholeNumber, birth_date, describe, text};
use crate::template::{GAP, Gap, Template, amount, id as write_id, json, list, write_to_last};
use crate::template_cache::{CreditTemplates, VariantTemplates};

pub(super) static POST: Endpoint = Endpoint {
    method: Verb::Post,
    path: "/v1/embedded/quote",
    id: "createQuote",
    tag: "Credit protection",
    summary: "Create a quote",
    description: "Prices every credit-protection variant that you can sell. A variant without a price is an item with `is_error` true and a sentence in `error_message`. The status is 200 even if no variant has a price.",
    access: Access::Scope(Scope::QuoteWrite),
    takes: Some(Takes::Json {
        schema: || describe(|fields| quote_request(fields, ANY_DAY)),
        example: example::quote,
    }),
    gives: Gives::payload::<QuoteAnswer>(200, "The quote."),
    idempotent: true,
    handler: || answered_by(post),
    ..Endpoint::PLAIN
};

/// Prices every credit-protection variant that the partner may sell.
async fn post(
    State(app): State<App>,
    caller: Caller<QuoteWrite>,
    key: IdempotencyKey,
    context: RequestContext,
    body: Body,
) -> Result<Response> {
    let attempt = match key.look_up(&app, caller.partner, &body).await? {
        Lookup::New(attempt) => attempt,
        Lookup::Earlier(response) => return Ok(response),
    };
    let today = app.service.policies.today_of(caller.partner);
    let request = body.read(|fields| quote_request(fields, today))?;
    let quotes = &app.service.embedded_quotes;
    let priced = quotes.price(caller.partner, request);
    let priced = if quotes.waits_for_insurers(caller.partner) {
        context.while_insurers_work(&app, priced).await?
    } else {
        priced.await
    };
    let templates = app.credit_templates.of(&priced.catalogue, templates);
    let response = to_keep_with(StatusCode::OK, |bytes| write(bytes, &priced.quote, &templates));
    let kept = attempt.response(&response, priced.quote.created_at);
    let outcome = app.service.embedded_quotes.keep(priced, kept).await?;
    Ok(respond(response, outcome))
}

/// Reads the body of a quote request. `today` is the day in Asia/Kolkata.
pub(crate) fn quote_request(fields: &mut Fields<'_>, today: Date) -> Option<QuoteRequest> {
    let born = fields.required("date_of_birth", birth_date(today));
    let gender = fields.required("gender", text::<Gender>());
    let cover = fields.required("cover_amount", text::<CoverAmount>());
    let term = fields.required("policy_term", WholeNumber { wanted: "a whole number of months above zero" });
    let mut context = ContextDraft::read(fields, "context_data");
    // The interface's sample has this spelling (D21). The documented name takes precedence.
    if !fields.has("context_data") {
        context = ContextDraft::read(fields, "context_date");
    }
    Some(QuoteRequest {
        born: born?,
        gender: gender?,
        cover: cover?,
        term: PolicyTerm::months(term?)?,
        context: context.finish()?,
    })
}

/// A quote for credit protection.
#[derive(Serialize, ToSchema)]
pub(crate) struct QuoteAnswer {
    /// Id of the quote: `quo_…`.
    #[schema(pattern = "^quo_[0-9a-z]{26}$")]
    quote_id: String,
    /// Number of items in `recommendations`.
    matched_products: usize,
    /// One item for each variant. Items with a price come first, the cheapest at the top.
    #[schema(value_type = Vec<RecommendationAnswer<'static>>)]
    recommendations: Gap,
}

/// Item of a quote: one variant, with its price if there is one.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecommendationAnswer<'a> {
    /// Id of the item: `rec_…`.
    #[schema(pattern = "^rec_[0-9a-z]{26}$")]
    recommendation_id: &'a str,
    /// Name of the insurer.
    insurer_name: &'a str,
    /// Address of the insurer's logo.
    #[schema(format = "uri")]
    insurer_logo: &'a str,
    /// Id of the product: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    product_id: String,
    /// Name of the product.
    product_name: &'a str,
    /// Id of the variant: `vrt_…`.
    #[schema(pattern = "^vrt_[0-9a-z]{26}$")]
    variant_id: String,
    /// Name of the variant.
    variant_name: &'a str,
    /// Premium without tax, in rupees with two decimals. `"0"` if the variant has no price.
    #[schema(example = "5000.00")]
    base_premium: &'a str,
    /// Goods and services tax (GST), in rupees with two decimals. `"0"` if the variant has no price.
    #[schema(example = "900.00")]
    gst: &'a str,
    /// Premium with tax, in rupees: `base_premium` plus `gst`. `"0"` if the variant has no price.
    #[schema(example = "5900.00")]
    total_premium: &'a str,
    /// `true` if the variant has no price.
    is_error: bool,
    /// Why the variant has no price, as a sentence for your customer. Empty if `is_error` is false.
    error_message: &'a str,
}

/// JSON templates of the items, for all credit-protection variants of a catalogue.
fn templates(catalogue: &Catalogue) -> VariantTemplates<CreditTemplates> {
    let variants = catalogue.all_credit_variants().iter();
    variants.map(|variant| (variant.id, templates_of(variant))).collect()
}

fn templates_of(variant: &CreditVariant) -> CreditTemplates {
    let product = &variant.product;
    let item = |amount, is_error, error_message| RecommendationAnswer {
        recommendation_id: GAP,
        insurer_name: &variant.insurer().name,
        insurer_logo: &variant.insurer().logo,
        product_id: product.id.to_string(),
        product_name: &product.name,
        variant_id: variant.id.to_string(),
        variant_name: &variant.name,
        base_premium: amount,
        gst: amount,
        total_premium: amount,
        is_error,
        error_message,
    };
    CreditTemplates {
        priced: Template::of(&item(GAP, false, "")),
        not_priced: Template::of(&item("0", true, GAP)),
    }
}

/// Writes the response body of a quote.
fn write(to: &mut Vec<u8>, quote: &EmbeddedQuote, templates: &VariantTemplates<CreditTemplates>) {
    let answer = QuoteAnswer {
        quote_id: quote.id.to_string(),
        matched_products: quote.items.len(),
        recommendations: Gap,
    };
    write_to_last(to, &Payload { payload: answer }, |to| {
        list(to, quote.items.iter().enumerate(), |(index, item), to| {
            let id = quote.recommendation_id(index);
            let item_templates = templates
                .get(&item.variant)
                .expect("the catalogue that priced a variant has templates of it");
            match &item.outcome {
                Ok(premium) => item_templates.priced.fill(to, |gap, to| match gap {
                    0 => write_id(to, id),
                    1 => amount(to, premium.base()),
                    2 => amount(to, premium.gst()),
                    _ => amount(to, premium.total()),
                }),
                Err(reason) => item_templates.not_priced.fill(to, |gap, to| match gap {
                    0 => write_id(to, id),
                    _ => write_reason(to, reason),
                }),
            }
        });
    });
}

/// Writes why a variant has no price. Text from insurers needs JSON escapes; our own sentences do not.
fn write_reason(to: &mut Vec<u8>, reason: &NotPriced) {
    if matches!(reason, NotPriced::InsurerRefused(_) | NotPriced::Rider(_)) {
        return json(to, &reason.to_string());
    }
    write!(to, "\"{reason}\"").expect("memory takes what is written");
}
