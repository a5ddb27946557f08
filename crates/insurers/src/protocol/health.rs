//! Prices of health variants: `POST /v1/health/prices`.

use domain::date::Date;
use domain::health_quote::{
    Age, Attribution, Customer, HealthOffer, HealthRequest, Member, NotOffered, Outcome, PlanType, Porting,
    Relation, TenurePrice,
};
use domain::id::VariantId;
use domain::money::Rupees;
use domain::person::HomePincode;
use domain::text::FromText;
use serde::{Deserialize, Serialize};
use serde_json::Number;
use service::insurer::HealthAsk;

use super::prices::Price;
use super::sentence::refusal;
use super::{amount, day, decimal, number, object, variants};

/// Request for prices. Name, phone number and e-mail address are left out, because they do not change prices.
#[derive(Serialize, Deserialize)]
pub(crate) struct HealthPricesAsked {
    on: String,
    members: Vec<MemberAsked>,
    pincode: String,
    plan_type: String,
    sum_insured: String,
    deductible: Option<String>,
    has_ped: bool,
    illnesses: Vec<String>,
    porting: Option<PortingAsked>,
    /// For a renewal: first day since which these people have had cover without a break.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    covered_since: Option<String>,
    variants: Vec<String>,
}

/// Person who is to be insured.
#[derive(Serialize, Deserialize)]
struct MemberAsked {
    relation: String,
    age: Number,
}

/// The family's existing policy with another insurer, which it wants to port.
#[derive(Serialize, Deserialize)]
struct PortingAsked {
    tenure: Option<Number>,
}

impl HealthPricesAsked {
    /// Builds the request for prices.
    pub(crate) fn of(HealthAsk { request, variants, on }: HealthAsk<'_>) -> Self {
        let member = |member: &Member| MemberAsked {
            relation: member.relation.word().into(),
            age: number(member.age.as_decimal()),
        };
        // Illnesses count only if `has_ped` is true (D16).
        let illnesses = if request.has_ped { request.selected_peds.clone() } else { Vec::new() };
        HealthPricesAsked {
            on: on.to_string(),
            members: request.members.iter().map(member).collect(),
            pincode: request.customer.pincode.reveal().into(),
            plan_type: request.plan.word().into(),
            sum_insured: request.sum_insured.to_string(),
            deductible: request.deductible.map(|deductible| deductible.to_string()),
            has_ped: request.has_ped,
            illnesses,
            porting: request.porting.map(|porting| PortingAsked { tenure: porting.tenure.map(number) }),
            covered_since: request.covered_since.map(|day| day.to_string()),
            variants: variants.iter().map(ToString::to_string).collect(),
        }
    }

    /// Parses a request for prices, as an insurer's server does.
    ///
    /// # Errors
    /// The first fault of the request, as a sentence.
    pub(crate) fn read(self) -> Result<(HealthRequest, Vec<VariantId>, Date), String> {
        let on = day("on", &self.on)?;
        let covered_since =
            self.covered_since.as_deref().map(|since| day("covered_since", since)).transpose()?;
        let member = |member: &MemberAsked| {
            Ok(Member {
                relation: Relation::from_text(&member.relation)
                    .map_err(|_| format!("relation must be {}", Relation::WANTED))?,
                age: decimal(&member.age).and_then(Age::of).ok_or("age is not 0 to 120")?,
            })
        };
        let members: Vec<Member> = self.members.iter().map(member).collect::<Result<_, String>>()?;
        if members.is_empty() {
            return Err("members is empty".into());
        }
        let money = |field: &str, text: &str| {
            amount::read(text).ok_or_else(|| format!("{field} must be an amount such as 500000.00"))
        };
        let request = HealthRequest {
            lead: None,
            user: None,
            session: None,
            customer: Customer {
                name: None,
                gender: None,
                phone: None,
                pincode: HomePincode::from_text(&self.pincode)
                    .map_err(|came| format!("pincode is {came}"))?,
                email: None,
            },
            members,
            has_ped: self.has_ped,
            selected_peds: self.illnesses,
            plan: PlanType::from_text(&self.plan_type)
                .map_err(|_| format!("plan_type must be {}", PlanType::WANTED))?,
            sum_insured: money("sum_insured", &self.sum_insured)?,
            deductible: self.deductible.map(|deductible| money("deductible", &deductible)).transpose()?,
            porting: self
                .porting
                .map(|porting| Porting { tenure: porting.tenure.as_ref().and_then(decimal) }),
            attribution: Attribution::default(),
            covered_since,
        };
        Ok((request, variants(&self.variants)?, on))
    }
}

/// Offer or refusal of one variant.
#[derive(Serialize, Deserialize)]
pub(crate) struct HealthPrice {
    variant_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    deductible: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    copay_percent: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "object::optional_list")]
    tenures: Option<Vec<TenureOffered>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

/// Premium for a tenure, which is a number of years.
#[derive(Serialize, Deserialize)]
struct TenureOffered {
    years: u64,
    base_premium: String,
    gst: String,
    total_premium: String,
}

impl HealthPrice {
    /// Builds the offer of a variant, as an insurer's server does.
    pub(crate) fn of(variant: VariantId, outcome: &Outcome) -> Self {
        let offer = outcome.as_ref().ok();
        let tenure = |price: &TenurePrice| TenureOffered {
            years: price.years.into(),
            base_premium: price.premium.base().to_string(),
            gst: price.premium.gst().to_string(),
            total_premium: price.premium.total().to_string(),
        };
        HealthPrice {
            variant_id: variant.to_string(),
            deductible: offer.map(|offer| offer.deductible.to_string()),
            copay_percent: offer.map(|offer| offer.copay_percent.into()),
            tenures: offer.map(|offer| offer.tenures.iter().map(tenure).collect()),
            refused: outcome.as_ref().err().map(ToString::to_string),
        }
    }
}

impl Price for HealthPrice {
    type Offer = HealthOffer;
    type Refusal = NotOffered;

    fn variant_id(&self) -> &str {
        &self.variant_id
    }

    fn outcome(self) -> Result<Outcome, &'static str> {
        match (self.refused, self.deductible, self.copay_percent, self.tenures) {
            (Some(why), None, None, None) => Ok(Err(NotOffered::InsurerRefused(refusal(&why)))),
            (None, Some(deductible), Some(copay), Some(tenures)) => {
                offer(&deductible, copay, tenures).map(Ok)
            }
            (Some(_), ..) => Err("there are amounts together with a refusal"),
            (None, ..) => Err("the amounts are incomplete, and there is no refusal"),
        }
    }
}

/// Longest tenure that an answer may have, in years.
const MOST_YEARS: u8 = 5;

fn offer(deductible: &str, copay: u64, offered: Vec<TenureOffered>) -> Result<HealthOffer, &'static str> {
    let deductible: Rupees =
        amount::read(deductible).ok_or("the deductible is not digits, a point and two digits")?;
    let copay_percent = u8::try_from(copay).ok().filter(|percent| *percent <= 100);
    let mut tenures: Vec<TenurePrice> = Vec::with_capacity(offered.len().min(MOST_YEARS.into()));
    for tenure in offered {
        let years = u8::try_from(tenure.years).ok().filter(|years| (1..=MOST_YEARS).contains(years));
        let years = years.ok_or("a tenure is not 1 to 5 years")?;
        if tenures.iter().any(|other| other.years == years) {
            return Err("two tenures have the same years");
        }
        let premium = amount::premium(&tenure.base_premium, &tenure.gst, &tenure.total_premium)?;
        tenures.push(TenurePrice { years, premium });
    }
    if tenures.is_empty() {
        return Err("there are no tenures");
    }
    tenures.sort_by_key(|tenure| tenure.years);
    Ok(HealthOffer {
        deductible,
        copay_percent: copay_percent.ok_or("the copay_percent is not 0 to 100")?,
        tenures,
    })
}
