//! What a partner may ask for: illnesses, filter tags, sums insured, insurers and variants, as the running catalogue has them
//! for it. Read once, and again only when it has changed: each answer has an entity tag (D99).

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
use crate::developer_site::matches;
use crate::error::{Problem, Result};
use crate::response::Payload;

pub(super) static EMBEDDED: Endpoint = Endpoint {
    method: Verb::Get,
    path: "/v1/embedded/options",
    id: "readCreditOptions",
    tag: "Credit protection",
    summary: "Read what can be quoted",
    description: "The insurers and variants of credit protection that are open to you, with the limits of each, and the riders that can be asked for. `ETag` changes with the catalogue alone: send it as `If-None-Match`, and the answer is 304 while nothing has changed.",
    access: Access::Scope(Scope::QuoteRead),
    gives: Gives::payload::<CreditOptions>(200, "What can be quoted."),
    guide: "api.md#what-can-be-asked-for",
    handler: || answered_by(embedded),
    ..Endpoint::PLAIN
};

/// Shows what can be quoted of credit protection.
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
    summary: "Read what can be recommended",
    description: "Illnesses, filter tags, sums insured, deductibles, and the insurers and variants of health plans that are open to you, with the limits of each. `ETag` changes with the catalogue alone: send it as `If-None-Match`, and the answer is 304 while nothing has changed.",
    access: Access::Scope(Scope::QuoteRead),
    gives: Gives::payload::<HealthOptions>(200, "What can be recommended."),
    guide: "api.md#what-can-be-asked-for",
    handler: || answered_by(health),
    ..Endpoint::PLAIN
};

/// Shows what can be recommended.
async fn health(
    State(app): State<App>,
    caller: Caller<QuoteRead>,
    _: Admitted,
    headers: HeaderMap,
) -> Result<Response> {
    let catalogue = app.service.shared.catalogues.running();
    tagged(&headers, &HealthOptions::of(&catalogue, caller.partner))
}

/// An answer with the entity tag of its bytes; none but the tag where the caller has them.
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

/// What can be quoted of credit protection.
#[derive(Serialize, ToSchema)]
pub(crate) struct CreditOptions {
    /// Insurers, each once.
    insurers: Vec<OptionInsurer>,
    /// Variants, in the order of the catalogue.
    variants: Vec<CreditOption>,
}

/// An insurer whose variants are open to you.
#[derive(Serialize, ToSchema)]
pub(crate) struct OptionInsurer {
    /// Its id.
    #[schema(pattern = "^ins_[0-9a-z]{26}$")]
    insurer_id: String,
    /// Its name.
    name: String,
    /// Address of its logo.
    logo: String,
}

/// A variant of credit protection with its limits.
#[derive(Serialize, ToSchema)]
pub(crate) struct CreditOption {
    /// Its id.
    #[schema(pattern = "^vrt_[0-9a-z]{26}$")]
    variant_id: String,
    /// Its name.
    variant_name: String,
    /// Its product.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    product_id: String,
    /// The product's name.
    product_name: String,
    /// Its insurer.
    #[schema(pattern = "^ins_[0-9a-z]{26}$")]
    insurer_id: String,
    /// The age at entry, in completed years.
    age_at_entry: WholeRange,
    /// The cover, in rupees.
    cover_amount: AmountRange,
    /// The length of the cover, in months.
    policy_term: WholeRange,
    /// Whether two people are priced together: `joint_date_of_birth` and `joint_gender` are wanted in `context_data`.
    joint_life: bool,
}

/// Numbers from the least to the most.
#[derive(Serialize, ToSchema)]
pub(crate) struct WholeRange {
    /// The least.
    least: u32,
    /// The most.
    most: u32,
}

/// Amounts in rupees from the least to the most.
#[derive(Serialize, ToSchema)]
pub(crate) struct AmountRange {
    /// The least.
    #[schema(example = "50000.00")]
    least: String,
    /// The most.
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

/// Insurers, each once, in the order in which they come.
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

/// What can be recommended.
#[derive(Serialize, ToSchema)]
pub(crate) struct HealthOptions {
    /// What `selectedPEDs` may name.
    illnesses: Vec<NamedOption>,
    /// What `filter_tags_ids` of a recommendation may name.
    filter_tags: Vec<NamedOption>,
    /// Insurers, each once.
    insurers: Vec<OptionInsurer>,
    /// Every sum insured with which some variant is sold, in rupees, rising.
    #[schema(example = json!(["500000.00", "1000000.00"]))]
    sums_insured: Vec<String>,
    /// Every deductible with which some variant is sold, in rupees, rising.
    #[schema(example = json!(["0.00", "300000.00"]))]
    deductibles: Vec<String>,
    /// Variants, in the order of the catalogue.
    variants: Vec<HealthOption>,
}

/// Something with an id and a name.
#[derive(Serialize, ToSchema)]
pub(crate) struct NamedOption {
    /// Its id, by which requests name it.
    #[schema(example = "diabetes")]
    id: String,
    /// Its name, for people.
    name: String,
}

/// A variant of a health plan with its limits.
#[derive(Serialize, ToSchema)]
pub(crate) struct HealthOption {
    /// Its id.
    #[schema(pattern = "^vrt_[0-9a-z]{26}$")]
    variant_id: String,
    /// Its name.
    variant_name: String,
    /// Its product.
    #[schema(pattern = "^pro_[0-9a-z]{26}$")]
    product_id: String,
    /// The product's name.
    product_name: String,
    /// Its insurer.
    #[schema(pattern = "^ins_[0-9a-z]{26}$")]
    insurer_id: String,
    /// `base` or `super_top_up`.
    #[schema(pattern = "^(base|super_top_up)$")]
    plan_type: &'static str,
    /// Whether it is sold without an agent.
    online: bool,
    /// The sums insured with which it is sold, in rupees, rising.
    sums_insured: Vec<String>,
    /// The deductibles with which it is sold, in rupees, rising.
    deductibles: Vec<String>,
    /// Ages of adults at entry, in completed years.
    adult_age: WholeRange,
    /// Ages of children at entry, in completed years.
    child_age: WholeRange,
    /// How many adults it covers.
    adults: WholeRange,
    /// How many children it covers.
    children: WholeRange,
    /// Who may be covered, as keys of `members`.
    #[schema(example = json!(["self", "spouse"]))]
    relations: Vec<&'static str>,
    /// Ids of its filter tags.
    filter_tags: Vec<String>,
    /// The beginnings of pincodes where it is sold, of which the longest that fits decides; `*` stands for every other pincode.
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
