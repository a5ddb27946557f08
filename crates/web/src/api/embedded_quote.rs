//! `POST /v1/embedded/quote`: prices credit-protection cover from several insurers (interface §4; D21 to D23).

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::Response;
use domain::date::Date;
use domain::money::CoverAmount;
use domain::person::Gender;
use domain::quote::{EmbeddedQuote, PolicyTerm, QuoteRequest};
use serde::Serialize;
use service::catalogue::CreditVariant;
use service::embedded_quote::QuoteShown;
use service::idempotency::Answering;
use utoipa::ToSchema;

use super::context::context;
use super::forms::{CreditForms, Forms};
use crate::answer::{Payload, keepable_bytes};
use crate::app::App;
use crate::body::Body;
use crate::caller::{Caller, QuoteWrite};
use crate::error::Problem;
use crate::once::Once;
use crate::reader::Fields;
use crate::shape::{Whole, birth_date, text};
use crate::template::{GAP, Gap, Template, json, list, text as write_text, write_to_last};

/// Prices every variant that the operator's catalogue opens to the partner.
pub(crate) async fn post(
    State(app): State<App>,
    caller: Caller<QuoteWrite>,
    once: Once,
    body: Body,
) -> Result<Response, Problem> {
    once.or_replay(&app, caller.partner, &body, async |attempt| {
        let today = app.service.today();
        let request = body.read(|fields| quote_request(fields, today))?;
        let make = |QuoteShown { quote, catalogue }: &QuoteShown| {
            let forms = app.forms.of(catalogue);
            keepable_bytes(StatusCode::OK, |bytes| write(bytes, quote, &forms))
        };
        Ok(app.service.quote(caller.partner, request, Answering::new(attempt, &make)).await?)
    })
    .await
}

/// Reads the body of a quote request, by the day in Asia/Kolkata.
pub(crate) fn quote_request(fields: &mut Fields<'_>, today: Date) -> Option<QuoteRequest> {
    let born = fields.required("date_of_birth", birth_date(today));
    let gender = fields.required("gender", text::<Gender>());
    let cover = fields.required("cover_amount", text::<CoverAmount>());
    let term = fields.required("policy_term", Whole { wanted: "a whole number of months above zero" });
    let context_data = context(fields, "context_data");
    // The interface's own sample spells it so (D21); the documented name goes before it.
    let context = if fields.has("context_data") { context_data } else { context(fields, "context_date") };
    Some(QuoteRequest {
        born: born?,
        gender: gender?,
        cover: cover?,
        term: PolicyTerm::months(term?)?,
        context: context?,
    })
}

/// A quote.
#[derive(Serialize, ToSchema)]
pub(crate) struct QuoteAnswer {
    /// Its id: `quo_…`.
    #[schema(pattern = "^quo_[0-9a-z]{26}$")]
    quote_id: String,
    /// How many items there are.
    matched_products: usize,
    /// One item per matched variant: priced ones by total premium, then those without a price.
    #[schema(value_type = Vec<RecommendationAnswer<'static>>)]
    recommendations: Gap,
}

/// One variant's item.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecommendationAnswer<'a> {
    /// Its id: `rec_…`.
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
    /// Premium without tax, in rupees with two places; `"0"` where there is no price.
    #[schema(example = "5000.00")]
    base_premium: &'a str,
    /// Tax, likewise.
    #[schema(example = "900.00")]
    gst: &'a str,
    /// Premium with tax, likewise: the two others added.
    #[schema(example = "5900.00")]
    total_premium: &'a str,
    /// Whether no price could be given.
    is_error: bool,
    /// Why not, in a sentence for a person; empty otherwise.
    error_message: &'a str,
}

/// The forms of a variant's item.
pub(super) fn forms(variant: &CreditVariant) -> CreditForms {
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
    CreditForms {
        priced: Template::of(&item(GAP, false, "")),
        not_priced: Template::of(&item("0", true, GAP)),
    }
}

/// Writes a quote as it is answered.
fn write(to: &mut Vec<u8>, quote: &EmbeddedQuote, forms: &Forms) {
    let answer = QuoteAnswer {
        quote_id: quote.id.to_string(),
        matched_products: quote.items.len(),
        recommendations: Gap,
    };
    write_to_last(to, &Payload { payload: answer }, |to| {
        list(to, quote.items.iter().enumerate(), |(place, item), to| {
            let (id, forms) = (quote.recommendation_id(place), forms.credit(item.variant));
            match &item.outcome {
                Ok(premium) => forms.priced.fill(to, |gap, to| match gap {
                    0 => write_text(to, &id),
                    1 => write_text(to, &premium.base()),
                    2 => write_text(to, &premium.gst()),
                    _ => write_text(to, &premium.total()),
                }),
                Err(reason) => forms.not_priced.fill(to, |gap, to| match gap {
                    0 => write_text(to, &id),
                    _ => json(to, &reason.to_string()),
                }),
            }
        });
    });
}
