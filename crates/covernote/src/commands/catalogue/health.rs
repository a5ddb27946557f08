//! The health variants in `covernote catalogue show` and `covernote catalogue price`.

use domain::date::{CalendarDate, Date, day_of};
use domain::health_quote::{
    Attribution, Customer, DEFAULT_SUM_INSURED, HealthOffer, HealthRequest, NotOffered, PlanType,
};
use domain::money::{PlainAmount, Rupees};
use domain::person::{HomePincode, Occupation};
use domain::ranking::{Candidate, rank};
use operators::{steps_in_prose, steps_to_json};
use rating::{Catalogue, HealthExplanation, HealthFacts, HealthVariant, Instalments, Members};
use serde_json::{Value, json};
use service::clock::Clock;

use super::{no_such_variant, read};
use crate::cli::HealthCover;
use crate::failure::{Failure, Result};
use crate::output;
use crate::wiring::{SystemClock, load_catalogue};

/// A variant with its offer, or with the reason why it has no offer.
type Priced<'c> = (&'c HealthVariant, HealthExplanation);

/// Prints a table of the health variants.
pub(super) fn show(variants: &[HealthVariant]) {
    let row = |variant: &HealthVariant| {
        vec![
            variant.insurer().name.clone(),
            variant.product.name.clone(),
            variant.name.clone(),
            plan(variant.plan).into(),
            sums(&variant.sums_insured),
            variant.product.decision.word().into(),
            variant.id.to_string(),
        ]
    };
    output::table(
        &["insurer", "product", "variant", "plan", "sums insured", "decision", "variant_id"],
        variants.iter().map(row).collect(),
    );
}

/// A variant as JSON.
pub(super) fn to_json(variant: &HealthVariant) -> Value {
    let amounts = |amounts: &[Rupees]| amounts.iter().map(Rupees::to_string).collect::<Vec<_>>();
    json!({
        "line": variant.product.line.word(),
        "insurer_id": variant.insurer().id.to_string(),
        "insurer": variant.insurer().name,
        "product_id": variant.product.id.to_string(),
        "product": variant.product.name,
        "variant_id": variant.id.to_string(),
        "variant": variant.name,
        "plan": variant.plan.word(),
        "parent_id": variant.parent.map(|parent| parent.to_string()),
        "sums_insured": amounts(&variant.sums_insured),
        "deductibles": amounts(&variant.deductibles),
        "waiting_months": variant.waiting_months,
        "filter_tags": variant.filter_tags,
        "online": variant.online,
        "decision": variant.product.decision.word(),
    })
}

/// Prices a family with every variant of a plan. If `only` names a variant, prices with that variant alone
/// and prints every step.
pub(super) fn price(
    folder: &str,
    members: &str,
    family: &HealthCover,
    on: Option<&str>,
    only: Option<&str>,
    as_json: bool,
) -> Result<()> {
    let (request, on) = request(members, family, on)?;
    let facts = facts(family)?;
    let catalogue = load_catalogue(folder)?.catalogue;
    // The API treats an unknown illness as "other". On a command line it is probably mistyped.
    let known: Vec<&str> = catalogue.illnesses().iter().map(|illness| illness.id.as_str()).collect();
    if let Some(unknown) = family.illness.iter().find(|illness| !known.contains(&illness.as_str())) {
        let known = known.join(", ");
        return Err(Failure::BadData(format!(
            "--illness: {unknown:?} is not in the catalogue, which has {known}"
        )));
    }
    let wanted = |variant: &&HealthVariant| match only {
        Some(only) => variant.id.to_string() == only,
        None => variant.plan == request.plan,
    };
    let priced: Vec<Priced<'_>> = catalogue
        .all_health_variants()
        .iter()
        .filter(wanted)
        .map(|variant| (variant, variant.explain_with(&request, &facts, on)))
        .collect();
    match (priced.as_slice(), only) {
        ([], _) => return Err(no_such_variant()),
        (priced, _) if as_json => output::json(&json!({
            "on": on.to_string(),
            "items": in_order(priced, &catalogue, &request).iter().map(|item| item_to_json(item, facts.instalments)).collect::<Vec<_>>(),
        })),
        ([one], Some(_)) => output::data(&steps(one, facts.instalments)),
        (priced, _) => compare(&in_order(priced, &catalogue, &request)),
    }
    Ok(())
}

/// Parses the flags of a request for health cover. Also returns the day of the quote.
fn request(members: &str, family: &HealthCover, on: Option<&str>) -> Result<(HealthRequest, Date)> {
    let mut faults = Vec::new();
    let on = match on {
        Some(on) => read::<CalendarDate>("on", on, &mut faults).map(|date| date.0),
        None => Some(day_of(SystemClock.now())),
    };
    let members = read::<Members>("members", members, &mut faults);
    let pincode = read::<HomePincode>("pincode", family.pincode.as_deref().unwrap_or_default(), &mut faults);
    let plan = read::<PlanType>("plan", &family.plan, &mut faults);
    let mut amount = |flag: &str, text: &Option<String>| {
        let amount = text.as_ref().and_then(|text| read::<PlainAmount>(flag, text, &mut faults));
        amount.map(|amount| amount.0).filter(|amount| *amount > Rupees::ZERO)
    };
    let sum_insured = amount("sum-insured", &family.sum_insured).unwrap_or(DEFAULT_SUM_INSURED);
    let deductible = amount("deductible", &family.deductible);
    let (Some(on), Some(members), Some(pincode), Some(plan), true) =
        (on, members, pincode, plan, faults.is_empty())
    else {
        return Err(Failure::BadData(faults.join("\n")));
    };
    let request = HealthRequest {
        lead: None,
        user: None,
        session: None,
        customer: Customer { name: None, gender: None, phone: None, pincode, email: None },
        members: members.0,
        has_ped: !family.illness.is_empty(),
        selected_peds: family.illness.clone(),
        plan,
        sum_insured,
        deductible,
        porting: None,
        attribution: Attribution::default(),
        covered_since: None,
    };
    Ok((request, on))
}

/// Parses the facts about the family that a quote request does not contain: instalments, occupations,
/// tobacco.
fn facts(family: &HealthCover) -> Result<HealthFacts> {
    let mut faults = Vec::new();
    let instalments = family.instalments.as_deref();
    let instalments = instalments.and_then(|word| read::<Instalments>("instalments", word, &mut faults));
    let occupations: Vec<Occupation> =
        family.occupation.iter().filter_map(|word| read("occupation", word, &mut faults)).collect();
    if faults.is_empty() {
        Ok(HealthFacts { instalments, occupations, tobacco: family.tobacco })
    } else {
        Err(Failure::BadData(faults.join("\n")))
    }
}

/// The priced variants: first those with an offer, ranked as in a recommendation, then the others.
fn in_order<'p, 'c>(
    priced: &'p [Priced<'c>],
    catalogue: &Catalogue,
    request: &HealthRequest,
) -> Vec<&'p Priced<'c>> {
    let (offering, others): (Vec<_>, Vec<_>) =
        priced.iter().partition(|(_, explanation)| explanation.outcome.is_ok());
    let candidates: Vec<Candidate> = offering
        .iter()
        .filter_map(|(variant, explanation)| {
            Some(variant.candidate(explanation.outcome.as_ref().ok()?, request.sum_insured))
        })
        .collect();
    let ranked = rank(&candidates, catalogue.ranking_weights());
    ranked.iter().filter_map(|score| offering.get(score.index).copied()).chain(others).collect()
}

/// Prints a table of the offers, best first, then the reasons of the variants without an offer.
fn compare(priced: &[&Priced<'_>]) {
    let offers: Vec<(&HealthVariant, &HealthOffer)> = priced
        .iter()
        .filter_map(|(variant, explanation)| Some((*variant, explanation.outcome.as_ref().ok()?)))
        .collect();
    let longest = offers.iter().filter_map(|(_, offer)| offer.tenures.last()).map(|tenure| tenure.years);
    let years = 1..=longest.max().unwrap_or(1);
    let mut head: Vec<String> = ["insurer", "variant"].map(str::to_owned).to_vec();
    head.extend(
        years.clone().map(|years| if years == 1 { "1 year".into() } else { format!("{years} years") }),
    );
    head.extend(["deductible", "co-pay", "wait", "variant_id"].map(str::to_owned));
    let row = |(variant, offer): &(&HealthVariant, &HealthOffer)| {
        let mut row = vec![variant.insurer().name.clone(), variant.name.clone()];
        row.extend(years.clone().map(|years| total(offer, years)));
        let deductible = offer.deductible;
        row.extend([
            if deductible == Rupees::ZERO { "none".into() } else { deductible.grouped() },
            if offer.copay_percent == 0 { "none".into() } else { format!("{} %", offer.copay_percent) },
            format!("{} months", variant.waiting_months),
            variant.id.to_string(),
        ]);
        row
    };
    if !offers.is_empty() {
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        output::table(&head, offers.iter().map(row).collect());
    }
    let refused: Vec<String> = priced
        .iter()
        .filter_map(|(variant, explanation)| {
            Some(format!("{}: {}", full_name(variant), explanation.outcome.as_ref().err()?))
        })
        .collect();
    if !refused.is_empty() {
        let heading = if offers.is_empty() { "Nothing is offered." } else { "\nNot offered:" };
        output::data(&format!("{heading}\n{}", refused.join("\n")));
    }
    output::message(
        "The best offer comes first; totals include tax. Add --variant ID to see each step of a premium.",
    );
}

/// Total premium of an offer for `years`, or `-` if the offer has no such tenure.
fn total(offer: &HealthOffer, years: u8) -> String {
    let tenure = offer.tenures.iter().find(|tenure| tenure.years == years);
    tenure.map_or_else(|| "-".to_owned(), |tenure| tenure.premium.total().grouped())
}

/// Text with every step of the price, for each tenure of one variant.
fn steps((variant, explanation): &Priced<'_>, instalments: Option<Instalments>) -> String {
    let mut text = format!("{}\n", full_name(variant));
    if let Err(why) = &explanation.outcome {
        text.push_str(&format!("  no price. {why}"));
        return text;
    }
    let premiums = explanation.outcome.iter().flat_map(|offer| &offer.tenures);
    for (tenure, price) in explanation.tenures.iter().zip(premiums) {
        let years = if tenure.years == 1 { "1 year".to_owned() } else { format!("{} years", tenure.years) };
        text.push_str(&format!(
            "\n{years}\n{}  premium {} and {} tax, together {}\n",
            steps_in_prose(&tenure.steps),
            price.premium.base().grouped(),
            price.premium.gst().grouped(),
            price.premium.total().grouped()
        ));
        if let Some(plan) = instalments.map(|how| how.of(price.premium.total(), price.years)) {
            text.push_str(&format!(
                "  paid in {} instalments of {}, the last of {}\n",
                plan.count,
                plan.each.grouped(),
                plan.last.grouped()
            ));
        }
    }
    text.trim_end().to_owned()
}

fn item_to_json((variant, explanation): &Priced<'_>, instalments: Option<Instalments>) -> Value {
    let mut item = to_json(variant);
    let offer = explanation.outcome.as_ref();
    item["deductible"] = offer.ok().map(|offer| offer.deductible.to_string()).into();
    item["copay"] = offer.ok().map(|offer| offer.copay_percent).into();
    item["error_message"] = offer.err().map(NotOffered::to_string).into();
    let tenures = explanation.tenures.iter().zip(offer.iter().flat_map(|offer| &offer.tenures));
    item["tenures"] = tenures
        .map(|(tenure, price)| {
            let plan = instalments.map(|how| how.of(price.premium.total(), price.years));
            json!({
                "years": tenure.years,
                "base_premium": price.premium.base().to_string(),
                "gst": price.premium.gst().to_string(),
                "total_premium": price.premium.total().to_string(),
                "instalments": plan.map(|plan| json!({
                    "count": plan.count,
                    "each": plan.each.to_string(),
                    "last": plan.last.to_string(),
                })),
                "steps": steps_to_json(&tenure.steps),
            })
        })
        .collect();
    item
}

fn full_name(variant: &HealthVariant) -> String {
    format!("{}, {}, {}", variant.insurer().name, variant.product.name, variant.name)
}

/// Name of a type of plan in words.
fn plan(plan: PlanType) -> &'static str {
    match plan {
        PlanType::Base => "base",
        PlanType::SuperTopUp => "super top-up",
    }
}

/// The smallest and the largest sum insured as text, such as `500,000 to 1,000,000`.
fn sums(sums: &[Rupees]) -> String {
    match sums {
        [] => String::new(),
        [one] => one.grouped(),
        [least, .., most] => format!("{} to {}", least.grouped(), most.grouped()),
    }
}
