//! Options for quotes: illnesses, filter tags, sums insured, insurers and variants that the partner can sell,
//! from the running catalogue. Responses have an entity tag, so that clients read the options again only
//! after a change (D99).

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use domain::access::Scope;
use domain::health_quote::PlanType;
use domain::id::PartnerId;
use domain::money::Rupees;
use rating::{Catalogue, CreditVariant, HealthVariant, Insurer};
use serde::Serialize;
use utoipa::ToSchema;

use crate::api::common::endpoint::{Access, Endpoint, Gives, Verb, answered_by};
use crate::app::App;
use crate::caller::{Caller, QuoteRead};
use crate::context::Admitted;
use crate::error::{Problem, Result};
use crate::openapi_file::matches;
use crate::response::Payload;

pub(super) static EMBEDDED: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/embedded/options",
    id: "readCreditOptions",
    tag: "Credit protection",
    summary: "Read the options of quotes",
    description: "Returns the insurers and credit-protection variants that you can sell, with their limits. `ETag` changes only with the catalogue. Send it as `If-None-Match`: the response is 304 until the options change.",
    access: Access::Scope(Scope::QuoteRead),
    gives: Gives::payload::<CreditOptions>(200, "Options of credit-protection quotes."),
    handler: || answered_by(embedded),
    ..Endpoint::PLAIN
};

async fn embedded(
    State(app): State<App>,
    caller: Caller<QuoteRead>,
    _: Admitted,
    headers: HeaderMap,
) -> Result<Response> {
    let catalogue = app.service.shared.catalogues.running();
    tagged(&headers, &CreditOptions::of(&catalogue, caller.partner))
}

pub(super) static HEALTH: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/business/health/options",
    id: "readHealthOptions",
    tag: "Health",
    summary: "Read the options of recommendations",
    description: "Returns illnesses, filter tags, sums insured and deductibles, and the insurers and health variants that you can sell, with their limits. `ETag` changes only with the catalogue. Send it as `If-None-Match`: the response is 304 until the options change.",
    access: Access::Scope(Scope::QuoteRead),
    gives: Gives::payload::<HealthOptions>(200, "Options of health recommendations."),
    handler: || answered_by(health),
    ..Endpoint::PLAIN
};

async fn health(
    State(app): State<App>,
    caller: Caller<QuoteRead>,
    _: Admitted,
    headers: HeaderMap,
) -> Result<Response> {
    let catalogue = app.service.shared.catalogues.running();
    tagged(&headers, &HealthOptions::of(&catalogue, caller.partner))
}

/// Response with `payload` and an entity tag. If the caller already has the same bytes, status 304 without a
/// body.
fn tagged<T: Serialize + ToSchema>(asked: &HeaderMap, payload: &T) -> Result<Response> {
    let bytes = serde_json::to_vec(&Payload { payload });
    let bytes = bytes.map_err(|fault| Problem::unexpected(format!("options do not serialise: {fault}")))?;
    let hash = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, &bytes);
    let tag: String = hash.as_ref()[..12].iter().map(|byte| format!("{byte:02x}")).collect();
    let tag = format!("\"{tag}\"");
    let is_known = asked.get_all(header::IF_NONE_MATCH).iter().any(|known| matches(known, &tag));
    let mut response = match is_known {
        true => StatusCode::NOT_MODIFIED.into_response(),
        false => {
            let json = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
            (StatusCode::OK, json, bytes).into_response()
        }
    };
    let headers = response.headers_mut();
    if let Ok(tag) = HeaderValue::try_from(tag) {
        headers.insert(header::ETAG, tag);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    Ok(response)
}

/// Options for credit-protection quotes.
#[derive(Serialize, ToSchema)]
pub(crate) struct CreditOptions {
    /// Insurers whose variants you can sell.
    insurers: Vec<OptionInsurer>,
    /// Variants that you can sell, in the order of the catalogue.
    variants: Vec<CreditOption>,
}

/// An insurer whose variants you can sell.
#[derive(Serialize, ToSchema)]
pub(crate) struct OptionInsurer {
    /// Id of the insurer: `ins_…`.
    #[schema(pattern = "^ins_[0-9a-z]{26}$")]
    insurer_id: String,
    /// Name of the insurer.
    name: String,
    /// Address of the insurer's logo.
    logo: String,
}

/// A variant of credit protection, with its limits.
#[derive(Serialize, ToSchema)]
pub(crate) struct CreditOption {
    /// Id of the variant: `vrt_…`.
    #[schema(pattern = "^vrt_[0-9a-z]{26}$")]
    variant_id: String,
    /// Name of the variant.
    variant_name: String,
    /// Id of the product: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    product_id: String,
    /// Name of the product.
    product_name: String,
    /// Id of the insurer: `ins_…`.
    #[schema(pattern = "^ins_[0-9a-z]{26}$")]
    insurer_id: String,
    /// Allowed ages of the insured when cover begins, in completed years.
    age_at_entry: WholeRange,
    /// Allowed amounts of cover, in rupees.
    cover_amount: AmountRange,
    /// Allowed terms of cover, in months.
    policy_term: WholeRange,
    /// Whether the variant can price two people together. To insure a second person, send
    /// `joint_date_of_birth` and `joint_gender` in the `context_data` of the quote. Without these, the
    /// variant prices one person.
    joint_life: bool,
}

/// Range of whole numbers.
#[derive(Serialize, ToSchema)]
pub(crate) struct WholeRange {
    /// Lowest allowed number.
    least: u32,
    /// Highest allowed number.
    most: u32,
}

/// Range of amounts, in rupees.
#[derive(Serialize, ToSchema)]
pub(crate) struct AmountRange {
    /// Lowest allowed amount, in rupees.
    #[schema(example = "50000.00")]
    least: String,
    /// Highest allowed amount, in rupees.
    #[schema(example = "5000000.00")]
    most: String,
}

impl CreditOptions {
    fn of(catalogue: &Catalogue, partner: PartnerId) -> Self {
        let variants: Vec<&CreditVariant> = catalogue.credit_variants(partner).collect();
        let option = |variant: &&CreditVariant| {
            let limits = &variant.limits;
            CreditOption {
                variant_id: variant.id.to_string(),
                variant_name: variant.name.clone(),
                product_id: variant.product.id.to_string(),
                product_name: variant.product.name.clone(),
                insurer_id: variant.insurer().id.to_string(),
                age_at_entry: WholeRange {
                    least: limits.age_at_entry.least.into(),
                    most: limits.age_at_entry.most.into(),
                },
                cover_amount: AmountRange {
                    least: limits.cover.least.to_string(),
                    most: limits.cover.most.to_string(),
                },
                policy_term: WholeRange { least: limits.term_months.least, most: limits.term_months.most },
                joint_life: limits.sale.joint_life,
            }
        };
        CreditOptions {
            insurers: insurers(variants.iter().map(|variant| variant.insurer())),
            variants: variants.iter().map(option).collect(),
        }
    }
}

/// Insurers without duplicates, in the order of their first appearance.
fn insurers<'c>(of: impl Iterator<Item = &'c Insurer>) -> Vec<OptionInsurer> {
    let mut found: Vec<&Insurer> = Vec::new();
    for insurer in of {
        if !found.iter().any(|known| known.id == insurer.id) {
            found.push(insurer);
        }
    }
    let shown = |insurer: &Insurer| OptionInsurer {
        insurer_id: insurer.id.to_string(),
        name: insurer.name.clone(),
        logo: insurer.logo.clone(),
    };
    found.into_iter().map(shown).collect()
}

/// Options for health recommendations.
#[derive(Serialize, ToSchema)]
pub(crate) struct HealthOptions {
    /// Illnesses that you can send in `selectedPEDs`.
    illnesses: Vec<NamedOption>,
    /// Filter tags of variants. `filter_tags_ids` of a recommendation has their ids.
    filter_tags: Vec<NamedOption>,
    /// Insurers whose variants you can sell.
    insurers: Vec<OptionInsurer>,
    /// Sums insured that at least one variant offers, in rupees, lowest first.
    #[schema(example = json!(["500000.00", "1000000.00"]))]
    sums_insured: Vec<String>,
    /// Deductibles that at least one variant offers, in rupees, lowest first.
    #[schema(example = json!(["0.00", "300000.00"]))]
    deductibles: Vec<String>,
    /// Variants that you can sell, in the order of the catalogue.
    variants: Vec<HealthOption>,
}

/// An illness or a filter tag.
#[derive(Serialize, ToSchema)]
pub(crate) struct NamedOption {
    /// Id of the illness or tag, for requests and responses.
    #[schema(example = "diabetes")]
    id: String,
    /// Name of the illness or tag, for people.
    name: String,
}

/// A health variant, with its limits.
#[derive(Serialize, ToSchema)]
pub(crate) struct HealthOption {
    /// Id of the variant: `vrt_…`.
    #[schema(pattern = "^vrt_[0-9a-z]{26}$")]
    variant_id: String,
    /// Name of the variant.
    variant_name: String,
    /// Id of the product: `pro_…`.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    product_id: String,
    /// Name of the product.
    product_name: String,
    /// Id of the insurer: `ins_…`.
    #[schema(pattern = "^ins_[0-9a-z]{26}$")]
    insurer_id: String,
    /// Kind of plan: `base` or `super_top_up`.
    #[schema(pattern = "^(base|super_top_up)$")]
    plan_type: &'static str,
    /// Whether customers can buy the variant online, without an agent.
    online: bool,
    /// Sums insured of the variant, in rupees, lowest first.
    sums_insured: Vec<String>,
    /// Deductibles of the variant, in rupees, lowest first.
    deductibles: Vec<String>,
    /// Allowed ages of adults when cover begins, in completed years.
    adult_age: WholeRange,
    /// Allowed ages of children when cover begins, in completed years.
    child_age: WholeRange,
    /// Allowed numbers of adults in a family.
    adults: WholeRange,
    /// Allowed numbers of children in a family.
    children: WholeRange,
    /// Relations to the customer that the variant covers, as keys of `members`.
    #[schema(example = json!(["self", "spouse"]))]
    relations: Vec<&'static str>,
    /// Ids of the variant's filter tags.
    filter_tags: Vec<String>,
    /// First digits of pincodes (postal codes) where the variant is sold. The longest match decides. `*`
    /// matches all pincodes without another match.
    #[schema(example = json!(["400", "*"]))]
    pincode_prefixes: Vec<String>,
}

impl HealthOptions {
    fn of(catalogue: &Catalogue, partner: PartnerId) -> Self {
        let of_plan = |plan: &PlanType| catalogue.health_variants(partner, *plan).collect::<Vec<_>>();
        let variants: Vec<&HealthVariant> = PlanType::ALL.iter().flat_map(of_plan).collect();
        let amounts = |of: fn(&HealthVariant) -> &Vec<Rupees>| {
            let mut all: Vec<Rupees> = variants.iter().flat_map(|variant| of(variant)).copied().collect();
            all.sort();
            all.dedup();
            all.iter().map(ToString::to_string).collect()
        };
        let illness = |illness: &rating::Illness| NamedOption {
            id: illness.id.clone(),
            name: illness.name.english().to_owned(),
        };
        let tag =
            |tag: &rating::FilterTag| NamedOption { id: tag.id.clone(), name: tag.name.english().to_owned() };
        HealthOptions {
            illnesses: catalogue.illnesses().iter().map(illness).collect(),
            filter_tags: catalogue.filter_tags().iter().map(tag).collect(),
            insurers: insurers(variants.iter().map(|variant| variant.insurer())),
            sums_insured: amounts(|variant| &variant.sums_insured),
            deductibles: amounts(|variant| &variant.deductibles),
            variants: variants.iter().map(|variant| HealthOption::of(variant)).collect(),
        }
    }
}

impl HealthOption {
    fn of(variant: &HealthVariant) -> Self {
        let limits = &variant.limits;
        let texts = |amounts: &[Rupees]| amounts.iter().map(ToString::to_string).collect();
        let range = |least: u16, most: u16| WholeRange { least: least.into(), most: most.into() };
        HealthOption {
            variant_id: variant.id.to_string(),
            variant_name: variant.name.clone(),
            product_id: variant.product.id.to_string(),
            product_name: variant.product.name.clone(),
            insurer_id: variant.insurer().id.to_string(),
            plan_type: variant.plan.word(),
            online: variant.online,
            sums_insured: texts(&variant.sums_insured),
            deductibles: texts(&variant.deductibles),
            adult_age: range(limits.adult_age.least, limits.adult_age.most),
            child_age: range(limits.child_age.least, limits.child_age.most),
            adults: range(limits.adults.least.into(), limits.adults.most.into()),
            children: range(limits.children.least.into(), limits.children.most.into()),
            relations: limits.relations.iter().map(|relation| relation.word()).collect(),
            filter_tags: variant.filter_tags.clone(),
            pincode_prefixes: limits.pincode_prefixes().map(str::to_owned).collect(),
        }
    }
}
